"""The published case that the tour begins with: its lists, what a vote keeps, and what they leave open."""

from __future__ import annotations

from dataclasses import dataclass

from core.analysis.risk_words import RISK_LETTERS
from core.analysis.support_words import TRUTHS
from core.metrics.risk import HIGH
from core.study.model import RISK_NAMES, Study

CASE = "stutz-2025-fig-5"
"""The case of the main sample that shows best what the tour is about (Stutz 2025, fig. 5)."""
KEPT = "Hemangioma"
"""What a vote over first choices keeps, with half a vote for each of two that tie, and so on."""
DANGER = "Melanoma"
LEADS = {KEPT: 61, DANGER: 38}
"""In so many of a hundred plausible truths each leads, as Cases shows it unless told otherwise."""
HEAD = "One published case: six readers, six different lists"
COUNTED_WRONG = (
    f"A vote over first choices keeps {KEPT}. Judged by that, a model that says {DANGER} is wrong here, "
    f"though five of six readers name {DANGER}."
)
LEFT_OPEN = f"Of 100 {TRUTHS} (answers that these lists leave open)"
OTHERS = "Another condition"
SOURCE = "Red, H: high risk. M: medium. Stutz et al. 2025, figure 5; here beside simulated cases."


@dataclass(frozen=True)
class Named:
    """A label that a reader names.

    Attributes
    ----------
    label : str
    place : int
        From 1; labels of one place are tied.
    is_danger : bool
        Whether the study marks it as high-risk.
    """

    label: str
    place: int
    is_danger: bool


def lists_of(study: Study, case_id: str = CASE) -> list[list[Named]]:
    """Return what each reader of a case names, the most likely first.

    Parameters
    ----------
    study : Study
        Of one task.
    case_id : str

    Returns
    -------
    list of list of Named
        One for each reading, in the study's order.
    """
    (task,) = study.tasks.values()
    readings = task.readings.take_cases([study.case_ids.index(case_id)])
    return [
        [
            Named(task.labels[label], int(block) + 1, bool(task.risk[label] == HIGH))
            for label, block in zip(readings.label[start:end], readings.block[start:end], strict=True)
        ]
        for start, end in zip(readings.entry_start[:-1], readings.entry_start[1:], strict=True)
    ]


def leads_of(study: Study) -> list[tuple[str, str, int, str]]:
    """Return each label of `LEADS`, its risk letter, how often it leads, and that in words; last others."""
    (task,) = study.tasks.values()
    level_of = dict(zip(task.labels, task.risk, strict=True))
    named = [
        (label, RISK_LETTERS[RISK_NAMES[level_of[label]]], leads, str(leads))
        for label, leads in LEADS.items()
    ]
    return [*named, (OTHERS, "", 0, "< 1")]
