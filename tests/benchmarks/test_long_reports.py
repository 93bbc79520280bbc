"""What whole reports weigh: of every sample, and of the public dermatology release where it is there."""

from __future__ import annotations

from pathlib import Path

import pytest
from shared_data import shared_data

from core.cli import main, sample_folder
from dashboard.report.collect import collect
from dashboard.report.page import html
from dashboard.report.settings import Contents
from dashboard.shell import studies


def _weight(study: Path) -> int:
    """Bytes of a report with all sections."""
    weight = len(html(collect(Contents(study))).encode())
    print(f"{study.name}: {weight:,} bytes")  # noqa: T201
    return weight


@pytest.mark.parametrize("sample", [source.key for source in studies.samples()])
def test_a_report_of_a_sample_is_small(sample: str) -> None:
    """Under 2 MB."""
    assert _weight(sample_folder(sample)) < 2_000_000


def test_a_report_of_the_dermatology_release_is_small(tmp_path: Path) -> None:
    """All sections of its 1,947 cases under 5 MB."""
    release, study = shared_data("data", "dermatology_ddx"), tmp_path / "dermatology"
    assert main(["import", "dermatology-ddx", str(release), str(study)]) == 0
    assert _weight(study) < 5_000_000
