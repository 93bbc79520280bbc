"""The published case that the tour begins with: its lists, what a vote keeps, and what they leave open."""

from __future__ import annotations

from core.analysis.cases.case import risk_letter
from core.analysis.support_words import TRUTHS
from core.metrics.risk import HIGH
from core.study.model import Study

CASE = "stutz-2025-fig-5"
"""The case of the main sample that shows best what the tour is about (Stutz 2025, fig. 5)."""
KEPT = "Hemangioma"
"""What a vote over first choices keeps, with half a vote for each of two that tie, and so on."""
DANGER = "Melanoma"
LEADS = {KEPT: 61, DANGER: 38}
"""In so many of a hundred plausible truths each leads, as Cases shows it unless told otherwise."""
HEAD = "One published case: six readers, six different lists"
COUNTED_WRONG = (
    f"A vote on first choices makes {KEPT} the label. By it, a model that says {DANGER} is wrong, though "
    "five of six readers name it."
)
EXPLAINED = "A plausible truth is one possible answer to how likely each condition is. The likeliest leads."
"""What a plausible truth is, and what leading is: said here, where both first stand, and nowhere else."""
LEFT_OPEN = f"How often each leads in 100 {TRUTHS}:"
NO_CHANCE = (
    f"So these readings leave {DANGER} the likeliest in {LEADS[DANGER]} of 100. How many such patients have "
    "it, only biopsies would tell."
)
"""What the number of the danger is, and is not: it is taken for the patient's own risk otherwise."""
LEFT_BY = "All places count, first ones most; a label that one reader names rarely leads."
"""Why other first choices hardly count."""
ALIKE = "More like this: danger that does not lead"
OTHERS = "Another condition"
SOURCE = "Red, H: high risk; M: medium (in this sample). Stutz et al. 2025, fig. 5; other cases simulated."


def lists_of(study: Study, case_id: str = CASE) -> list[list[list[tuple[str, bool]]]]:
    """Return what each reader of a case names, the most likely first.

    Parameters
    ----------
    study : Study
        Of one task.
    case_id : str

    Returns
    -------
    list of list of list of (str, bool)
        For each reading, in the study's order, its places; in each the labels that are tied there, and
        whether the study marks them as high-risk.
    """
    (task,) = study.tasks.values()
    return [
        [[(task.labels[code], bool(task.risk[code] == HIGH)) for code in place] for place in of]
        for of in map(task.readings.differential, task.readings.of_case(study.case_ids.index(case_id)))
    ]


def leads_of(study: Study) -> list[tuple[str, str, int, str]]:
    """Return each label of `LEADS`, its risk letter, how often it leads, and that in words; last others."""
    (task,) = study.tasks.values()
    named = [
        (label, risk_letter(task, task.labels.index(label)), leads, str(leads))
        for label, leads in LEADS.items()
    ]
    return [*named, (OTHERS, "", 0, "< 1")]
