"""What the pages are tested with."""

from __future__ import annotations

from threading import Thread
from typing import Any

import pytest

from dashboard.shell import jobs


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do work in the background before the page goes on."""

    def run(job: jobs.Job[Any]) -> None:
        job._thread = Thread()
        job.show()
        job._run()

    monkeypatch.setattr(jobs.Job, "start", run)
