"""What is chosen of a study, put to it: some of its cases, and labels that count as high risk."""

from __future__ import annotations

from core.study.high_risk import counting_as_high_risk
from core.study.model import Study
from core.study.narrowed import narrowed
from core.study.settings import StudyChoice


def as_chosen(study: Study, choice: StudyChoice) -> Study:
    """Keep the cases that are chosen, and let count as high risk what is.

    Raises
    ------
    ValueError
        As `narrowed` and `counting_as_high_risk` do.
    """
    return counting_as_high_risk(narrowed(study, choice.where), choice.high_risk_labels)


def choice_of(study: Study) -> StudyChoice:
    """Return what was chosen of a study."""
    return StudyChoice(study.condition, study.high_risk_labels)
