"""Pages that are drawn as a whole, with nothing done beside."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.reviews.store import VARIABLE
from dashboard.shell import steps
from dashboard.shell.jobs import Job


def _at_once(job: Job[Any]) -> None:
    try:
        job.result = job._compute(lambda share, doing: None)
    except ValueError as refusal:
        job.failure = str(refusal)


@pytest.fixture
def quiet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Long work is done where it is asked for, and nothing ahead; reviews and saved views of its own."""
    monkeypatch.setattr(steps.Steps, "compute_ahead", lambda self, around: None)
    monkeypatch.setattr("dashboard.views.models.page.look_ahead", lambda now: None)
    monkeypatch.setattr(Job, "start", _at_once)
    monkeypatch.setenv(VARIABLE, f"sqlite:///{tmp_path}/reviews.sqlite")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
