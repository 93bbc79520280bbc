"""What plain accuracy makes of a case: the label that it takes for the truth, and whom it counts right."""

from __future__ import annotations

import math
from collections.abc import Collection

from core.analysis.cases.case import Case, is_known
from core.analysis.cases.first_choices import SHARED, are_shared, most_voted, votes
from core.analysis.cases.named_danger import first_answers
from core.analysis.cases.outcome import leads_of
from core.analysis.formatting import in_sentence
from core.analysis.models.finding import listed

CERTAIN = 0.8
"""How often the label with most votes leads at least where nothing needs to be said of it."""
_MOST_NAMED = 4
"""Models that are named; of more it is said how many count as right."""


def vote_words(case: Case) -> str:
    """Say which label plain accuracy takes for the truth, and which models it counts right.

    Parameters
    ----------
    case : Case
        As `core.analysis.cases.case.open_case` gives it.

    Returns
    -------
    str
        Empty where that label leads in `CERTAIN` of the plausible truths or more and is what most readings
        put first; under a point estimate, of scores, and where nothing is known of the case. It is the label
        with most votes, of which a reading whose first place is tied divides its own (Cabitza 2020, eq. 5).
    """
    if not is_known(case) or case.task.kind == "score" or math.isinf(case.aggregation.reliability):
        return ""
    front = most_voted(votes(case))
    is_shared = are_shared(case, front)
    leads = leads_of(case.posterior, case.order.tolist())[0]
    if not front or (max(leads.get(code, 0.0) for code in front) >= CERTAIN and not is_shared):
        return ""
    names = [in_sentence(case.task.labels[code]) for code in front]
    votes_of = f"most votes, {SHARED}" if is_shared else "most votes"
    if len(front) > 1:
        return f"{listed(names)} have equally many votes: how the tie is broken decides which model is right."
    said = f"It takes {names[0]} ({votes_of}) for the truth"
    whom = _counted(case, front)
    return f"{said}: {whom}." if whom else f"{said}."


def _counted(case: Case, front: Collection[int]) -> str:
    """Name the models that are right by a label, and those that are wrong; empty without any."""
    answers = first_answers(case)
    right = [model for model, codes in answers.items() if set(codes) <= set(front)]
    wrong = [model for model, codes in answers.items() if not set(codes) & set(front)]
    n = len(answers)
    if not n:
        return ""
    if len(right) == n or len(wrong) == n:
        who = "the model" if n == 1 else "both models" if n == 2 else f"all {n:,} models"
        return f"{who} {'count' if n > 1 else 'counts'} {'right' if right else 'wrong'}"
    if n > _MOST_NAMED:
        return f"{len(right):,} of {n:,} models count right"
    half = [model for model in answers if model not in (*right, *wrong)]
    parts = ((right, "right"), (half, "partly right"), (wrong, "wrong"))
    (of_first, how), *others = [(of, how) for of, how in parts if of]
    verb = "count" if len(of_first) > 1 else "counts"
    return ", ".join([f"{listed(of_first)} {verb} {how}", *(f"{listed(of)} {how}" for of, how in others)])
