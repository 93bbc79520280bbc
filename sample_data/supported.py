"""Find what takes long of the first sample: ``python -m sample_data.supported``.

Which reliability its readings support takes seconds, in which every first visitor would see numbers that are
about to change; of the other samples it is found at once. How often two of its models warn of danger, of
which the tour tells, takes a minute on a new computer; two plausible truths of the tour's first case take a
second, but stand on the first page of all.
"""

from __future__ import annotations

from pathlib import Path

from core.analysis import tour_danger, tour_truths
from core.analysis.reliability.fit import predictive_curve
from core.analysis.reliability.kept import keep_curve
from core.plausibility.settings import default_aggregation
from core.study.reading.folder import read_study
from sample_data import FIRST

SUPPORTED = Path(__file__).parent / "supported"
"""Folder of which reliability is supported."""
DANGER = Path(__file__).parent / "danger.json"
"""How often two models warn of danger."""
TRUTHS = Path(__file__).parent / "truths.json"
"""Two plausible truths of the tour's first case."""


def main() -> None:
    """Find all three, the first of each task under its recommended model, and write them."""
    study = read_study(Path(__file__).parent / FIRST)
    for task in study.tasks.values():
        aggregation = default_aggregation(task)
        keep_curve(study, task, aggregation, predictive_curve(study, task, aggregation), SUPPORTED)
    tour_danger.keep_table(study, tour_danger.danger_table(study), DANGER)
    tour_truths.keep_truths(study, tour_truths.example_truths(study), TRUTHS)


if __name__ == "__main__":
    main()
