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
def _nothing_comes_with_a_sample(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What the readings of the first sample support is to be found, as of any study."""
    from dashboard.shell import trust

    monkeypatch.setattr(trust, "SUPPORTED", tmp_path / "no supported")


@pytest.fixture(autouse=True)
def _no_study_of_another_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test lets be opened is first of all studies, and would be the one that a later page opens."""
    from dashboard.shell import studies

    monkeypatch.setattr(studies, "_folders", studies._folders.copy())
    monkeypatch.setattr(studies, "_uploads", studies._uploads.copy())


@pytest.fixture(autouse=True)
def nothing_worked_out() -> None:
    """No long work of another test, which may have been played."""
    from dashboard.shell import cache

    cache.forget_work()
