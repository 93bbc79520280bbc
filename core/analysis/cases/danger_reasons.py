"""What makes a case dangerous, and which reading more would settle it."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd

from core.analysis.cases.case import Case, high_risk_probability, is_known
from core.analysis.cases.danger_hanging import farthest
from core.analysis.cases.leading import SAME
from core.analysis.cases.left_out import LeftOut, beside, left_out, without_words
from core.analysis.cases.outcome import CLEARLY, Outcome, high_risk_after
from core.analysis.cases.truths import about_100, of_100, times, to_range
from core.analysis.cases.what_if import Reading, said_in
from core.analysis.cases.worklist import PLAUSIBLE
from core.analysis.formatting import in_sentence
from core.metrics.risk import HIGH
from core.plausibility.settings import MODELS

MORE = 3
"""Further readings that say the same, beside a single one."""
WITHOUT, ONE_MORE = "without", "one more"
"""Kinds of change."""
COLUMNS = ("kind", "head", "sentence", "before", "after", "more", "readings")
_Row = tuple[str, str, str, float, float, float, tuple[int, ...]]
"""Kind, head, sentence, and the probability of high risk before, after, after `MORE` of the same, and the
readings left out."""


def danger_reasons(case: Case, of: LeftOut | None = None) -> pd.DataFrame:
    """Say what becomes of the probability of high risk without a reading, and with one more.

    Parameters
    ----------
    case : Case
        As `core.analysis.cases.case.open_case` gives it, changed readings included.
    of : LeftOut, optional
        What `core.analysis.cases.left_out.left_out` gives for it, where that is known already.

    Returns
    -------
    DataFrame
        ``kind``: `WITHOUT`, the one reading without which high risk falls most, or that there is none, and
        the one without which it rises most, where it does; or `ONE_MORE`, a further reading that puts a label
        first: the high-risk label that leads most often, then the other one. ``head`` and ``sentence`` say
        it; ``before`` and ``after`` are the probabilities that the leading label is of high risk, ``more``
        that after `MORE` further readings of the same (NaN without a reading); ``readings`` are those left
        out. Empty where high risk is not plausible (`core.analysis.cases.worklist.PLAUSIBLE`), for scores,
        and under a point estimate.

    Notes
    -----
    A further reading names a label first with the probability of its mean plausibility, which is the
    posterior predictive of a first choice under models that count readings; under others no probability is
    said. As in `core.analysis.cases.reasons`, readings are aggregated again, and of draws the difference to
    the same readings drawn alike is taken.
    """
    rows: list[_Row] = []
    if _is_dangerous(case):
        said = said_in(case.readings, 0)
        labels = [tied[0] for tied in first_of_each(case)]
        variants = [[*said, *[Reading(((label,),))] * n] for label in labels for n in (1, MORE)]
        before, of = high_risk_probability(case), of or left_out(case)
        base, further = beside(case, said, variants, of)
        if of is not None:
            rows += _without(case, before, [high_risk_after(case, of.base, one) for one in of.without])
        for place, label in enumerate(labels):
            rows.append(_one_more(case, label, before, base, further[2 * place : 2 * place + 2]))
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _is_dangerous(case: Case) -> bool:
    """Whether high risk is plausible, and there is doubt to speak of."""
    if not is_known(case) or case.task.kind == "score" or not case.task.has_risk:
        return False
    return not np.isinf(case.aggregation.reliability) and high_risk_probability(case) >= PLAUSIBLE


def first_of_each(case: Case) -> list[list[int]]:
    """The labels of high risk that lead most often, and the others that do: all that lead equally often."""
    candidates = case.posterior.candidates
    leads = dict(zip(candidates.label.tolist(), case.posterior.top1.candidate.tolist(), strict=True))
    is_high = case.task.risk[case.order] == HIGH
    kinds = [of.tolist() for of in (case.order[is_high], case.order[~is_high]) if len(of)]
    return [[code for code in of if leads[code] >= leads[of[0]] - SAME] for of in kinds]


def _without(case: Case, before: float, after: Sequence[float]) -> list[_Row]:
    """The reading without which high risk falls most, or that there is none, and that which hides most."""
    return [_raising(case, before, after), *_hiding(case, before, after)] if after else []


def _raising(case: Case, before: float, after: Sequence[float]) -> _Row:
    """The reading without which high risk falls most, all that weigh as much, or that none does."""
    least, as_much = int(np.argmin(after)), farthest(before, after, is_fall=True)
    if not as_much:
        then = of_100(after[least])
        stays = times(after[least]) == times(before)
        often = f"stays at {about_100(after[least])}" if stays else f"is {then} or more"
        words = f"Whichever is left out, danger {often}."
        return WITHOUT, "No single reading makes it so", words, before, after[least], math.nan, ()
    to = to_range(after[least], max(after[r] for r in as_much))
    words = f"Danger would fall from {times(before)} {to}"
    if len(as_much) > 1:
        words += ", whichever of them is left out"
    elif len(after) > 2:
        words += ", more than without any other"
    return WITHOUT, without_words(case, as_much), f"{words}.", before, after[least], math.nan, tuple(as_much)


def _hiding(case: Case, before: float, after: Sequence[float]) -> list[_Row]:
    """The reading without which high risk rises most, and all that hide as much; none where none does."""
    most, as_much = int(np.argmax(after)), farthest(before, after, is_fall=False)
    if not as_much:
        return []
    to = to_range(min(after[r] for r in as_much), after[most])
    whichever = ", whichever of them is left out" if len(as_much) > 1 else ""
    words = f"Danger would rise from {times(before)} {to}{whichever}."
    return [(WITHOUT, without_words(case, as_much), words, before, after[most], math.nan, tuple(as_much))]


def _one_more(case: Case, label: int, before: float, base: Outcome, further: Sequence[Outcome]) -> _Row:
    """What one further reading, and some more of the same, would do."""
    one, more = (high_risk_after(case, base, of) for of in further)
    then = f"stays at {about_100(one)}" if abs(100 * (one - before)) < CLEARLY else f"becomes {of_100(one)}"
    expected = expected_words(case, label)
    words = f"If one more reading names it alone{expected}, danger {then}"
    head = f"One more for {in_sentence(case.task.labels[label])}"
    return ONE_MORE, head, f"{words}; after {MORE} such readings, {times(more)}.", before, one, more, ()


def expected_words(case: Case, label: int) -> str:
    """How often a further reading is to put a label first, in brackets; empty where no model says it."""
    if MODELS[case.aggregation.model].counts == "together":
        return ""
    mean = case.posterior.mean.candidate[case.posterior.candidates.label == label]
    return f" (expected in {max(1, round(100 * float(mean[0])))} of 100)"
