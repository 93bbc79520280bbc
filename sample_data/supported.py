"""Find which reliability the readings of the first sample support: ``python -m sample_data.supported``.

It takes seconds, in which every first visitor would see numbers that are about to change. Of the other
samples it is found at once.
"""

from __future__ import annotations

from pathlib import Path

from core.analysis.reliability.fit import predictive_curve
from core.analysis.reliability.kept import keep_curve
from core.plausibility.settings import default_aggregation
from core.study.reading.folder import read_study
from sample_data import FIRST

SUPPORTED = Path(__file__).parent / "supported"
"""Folder of what was found."""


def main() -> None:
    """Find it of each task under its recommended model, and write it."""
    study = read_study(Path(__file__).parent / FIRST)
    for task in study.tasks.values():
        aggregation = default_aggregation(task)
        keep_curve(study, task, aggregation, predictive_curve(study, task, aggregation), SUPPORTED)


if __name__ == "__main__":
    main()
