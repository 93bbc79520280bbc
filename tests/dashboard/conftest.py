"""Studies that the pages are tested with."""

from __future__ import annotations

from pathlib import Path

import pytest
from browser.odd_studies import write_hostile, write_refused


@pytest.fixture(scope="session")
def hostile_study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study whose every name is hostile."""
    return write_hostile(tmp_path_factory.mktemp("hostile"))


@pytest.fixture(scope="session")
def refused_study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study that is not read."""
    return write_refused(tmp_path_factory.mktemp("refused"))


@pytest.fixture(autouse=True)
def nothing_worked_out() -> None:
    """No long work of another test, which may have been played."""
    from dashboard.shell import cache

    cache.forget_work()
