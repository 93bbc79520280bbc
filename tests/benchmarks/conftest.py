"""What several benchmarks measure on."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.large_study import write_large_study
from shared_data import shared_data


@pytest.fixture(scope="session")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The public dermatology release as a study folder."""
    from core.cli import main

    target = tmp_path_factory.mktemp("release") / "dermatology"
    assert main(["import", "dermatology-ddx", str(shared_data("data", "dermatology_ddx")), str(target)]) == 0
    return target


@pytest.fixture(scope="session")
def large_study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ten million cases in parts, or as many as ``LOUPE_PARTS`` says."""
    folder = tmp_path_factory.mktemp("large") / "study"
    write_large_study(folder)
    return folder
