"""What plain accuracy makes of a case: the label with most votes, and whom that counts right."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import NamedTuple

from core.analysis.cases.case import Case, is_known
from core.analysis.cases.first_choices import SHARED, are_shared, most_voted, votes
from core.analysis.cases.named_danger import every_model, first_answers, listed_models, short_names
from core.analysis.cases.outcome import leads_of
from core.analysis.formatting import in_sentence
from core.analysis.models.finding import listed

CERTAIN = 0.8
"""How often the label with most votes leads at least where nothing needs to be said of it at first sight."""
MOST_NAMED = 4
"""Models that are named; of more it is said how many count as right."""


class Vote(NamedTuple):
    """The label with most votes, and what plain accuracy makes of it.

    Attributes
    ----------
    label : str
        Its name; of labels that tie that they do.
    so : str
        Which models plain accuracy therefore counts right, as part of a sentence; empty without any.
    is_open : bool
        Whether it leads in fewer than `CERTAIN` of the plausible truths, or is not what most readings put
        first.
    """

    label: str
    so: str
    is_open: bool

    @property
    def sentence(self) -> str:
        """Both, as a sentence."""
        return f"{self.label}{', so ' * bool(self.so)}{self.so}."


def vote_of(case: Case) -> Vote | None:
    """Find the label with most votes, and which models plain accuracy therefore counts right.

    Parameters
    ----------
    case : Case
        As `core.analysis.cases.case.open_case` gives it.

    Returns
    -------
    Vote or None
        None under a point estimate, of scores, and where nothing is known of the case. A reading whose first
        place is tied divides its vote (Cabitza 2020, eq. 5); labels with equally many votes are all named.
    """
    front = voted_first(case)
    if not front:
        return None
    names, answers = [in_sentence(case.task.labels[code]) for code in front], first_answers(case).values()
    counted, is_shared = _counted(case, front), are_shared(case, front)
    leads = leads_of(case.posterior, case.order.tolist())[0]
    is_open = is_shared or max(leads.get(code, 0.0) for code in front) < CERTAIN
    if len(front) == 1:
        return Vote(f"{names[0]}{f', {SHARED}' * is_shared}", counted, is_open)
    tied = f"{listed(names)} are tied" if len(names) <= MOST_NAMED else f"{len(names):,} labels are tied"
    tied += f", {SHARED}" * is_shared
    if any(set(codes) & set(front) for codes in answers):
        return Vote(tied, "accuracy depends on how the tie is broken", is_open)
    return Vote(tied, f"{counted}, whichever is taken" if counted else "", is_open)


def voted_first(case: Case) -> list[int]:
    """Codes of the labels with most votes; none where it is not told."""
    if not is_known(case) or case.task.kind == "score" or math.isinf(case.aggregation.reliability):
        return []
    return most_voted(votes(case))


def _counted(case: Case, front: Collection[int]) -> str:
    """Say which models plain accuracy counts right by a label, and which wrong; empty without any."""
    answers = first_answers(case)
    right = [model for model, codes in answers.items() if set(codes) <= set(front)]
    wrong = [model for model, codes in answers.items() if not set(codes) & set(front)]
    n, counts = len(answers), "plain accuracy counts"
    if not n:
        return ""
    if len(right) == n or len(wrong) == n:
        who = next(iter(answers)) if n == 1 else every_model(n)
        return f"{counts} {who} as {'right' if right else 'wrong'}"
    if n > MOST_NAMED:
        return f"{counts} {len(right):,} of {n:,} models as right"
    half = [model for model in answers if model not in (*right, *wrong)]
    short = short_names([*right, *half, *wrong])
    told = ((right, "right"), (half, "partly right"), (wrong, "wrong"))
    said = [f"{listed_models(of, short)} as {how}" for of, how in told if of]
    return f"{counts} {('; ' if max(map(len, (right, half, wrong))) > 2 else ', ').join(said)}"
