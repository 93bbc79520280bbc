"""What each reading of a case weighs: who would lead without it, and whether the answer hangs on it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from core.analysis.cases.case import Case, high_risk_probability, is_known, risk_letter
from core.analysis.cases.outcome import (
    FEWEST_DRAWS,
    MOST_NAMED,
    Outcome,
    change_between,
    high_risk_after,
    named,
    outcomes,
)
from core.analysis.cases.what_if import Reading, said_in
from core.analysis.cases.worklist import PLAUSIBLE
from core.analysis.formatting import of_hundred
from core.analysis.reliability.words import TIE_COUNTS, divides_no_tie
from core.analysis.risk_words import risk_phrase

MOST_LEFT_OUT = 12
"""Different readings up to which each is left out in turn; of more, a single one matters little."""
CLEARLY = 4.0
"""Points of a hundred from which on a change of high risk is said: draws may move it by some three."""
_CLEARLY_MORE = 0.10
"""Probability by which high risk rises at least, besides being doubled, where that hangs on one reading."""
ANSWER, DANGER = "The answer hangs on one reading.", "The danger hangs on one reading."
SAFETY = "That danger is no greater hangs on one reading."
ONLY = "The answer rests on one reading."


class LeftOut(NamedTuple):
    """What becomes of a case without each of its readings.

    Attributes
    ----------
    base : Outcome
        Of all readings, drawn as the others are.
    without : tuple of Outcome
        Without the first reading, without the second, and so on.
    """

    base: Outcome
    without: tuple[Outcome, ...]


class Hanging(NamedTuple):
    """Whether who leads, or how dangerous a case is, hangs on a single reading.

    Attributes
    ----------
    head : str
        That it does, `ANSWER`, `DANGER`, `SAFETY` or `ONLY`; empty where it does not.
    sentence : str
        Which reading, and what would be without it; or that whichever is left out changes nothing.
    """

    head: str
    sentence: str


def left_out(case: Case) -> LeftOut | None:
    """Aggregate a case again without each of its readings.

    Returns
    -------
    LeftOut or None
        None where nothing is known of the case, of a single reading, and of more than `MOST_LEFT_OUT` that
        differ. Readings that say the same weigh the same.
    """
    said = said_in(case.readings, 0)
    if not is_known(case) or len(said) < 2:
        return None
    kinds = [(one.blocks, one.score, one.confidence if _weighs(case) else None) for one in said]
    first = {kind: kinds.index(kind) for kind in dict.fromkeys(kinds)}
    if len(first) > MOST_LEFT_OUT:
        return None
    variants = [[*said[:r], *said[r + 1 :]] for r in first.values()]
    base, *without = outcomes(case, [said, *variants], most_draws=FEWEST_DRAWS)
    of = dict(zip(first, without, strict=True))
    return LeftOut(base, tuple(of[kind] for kind in kinds))


def _weighs(case: Case) -> bool:
    """Whether the confidence that a reading states changes what it weighs."""
    return case.aggregation.confidence == "weights" or case.aggregation.model == "confidence-weighted"


def beside(
    case: Case, said: Sequence[Reading], variants: Sequence[Sequence[Reading]], of: LeftOut | None
) -> tuple[Outcome, list[Outcome]]:
    """All readings, as ``of`` knows them if it is given, and variants of them, all drawn alike."""
    if of is not None:
        return of.base, outcomes(case, variants, most_draws=FEWEST_DRAWS)
    base, *others = outcomes(case, [said, *variants], most_draws=FEWEST_DRAWS)
    return base, others


def hanging(case: Case, of: LeftOut | None) -> Hanging | None:
    """Say whether the answer of a case hangs on one reading, and on which.

    Parameters
    ----------
    case : Case
        As `core.analysis.cases.case.open_case` gives it, changed readings included.
    of : LeftOut or None
        What `left_out` gives for it.

    Returns
    -------
    Hanging or None
        None where nothing is known of the case, or more than `MOST_LEFT_OUT` of its readings differ.

    Notes
    -----
    The answer hangs on a reading if without it none of the labels that lead does any more, or a single one
    is tied with another. Otherwise danger hangs on it if high risk, where it is plausible
    (`core.analysis.cases.worklist.PLAUSIBLE`), falls to its half or less and by `CLEARLY` points at least, or
    if it rises to its double or more and by ten points at least. Of several such readings those are named
    without which most changes. As in `core.analysis.cases.reasons`, of draws the difference to the same
    readings drawn alike is taken.
    """
    if of is None:
        is_single = is_known(case) and case.readings.n_readings == 1
        return Hanging(ONLY, "Nobody else has read this case.") if is_single else None
    lead, danger = _lead(case, of), _danger(case, of)
    if lead is None and danger is None:
        return Hanging("", _firm(case, of))
    said: list[tuple[list[int], str]] = []
    if lead is not None:
        said.append(lead)
    if danger is not None:
        _, readings, words = danger
        if said and said[0][0] == readings:
            said[0] = (readings, f"{said[0][1]}, and {words}")
        else:
            said.append((readings, words))
    sentences = [_sentence(case, readings, words) for readings, words in said]
    if divides_no_tie(case.aggregation) and any(_n_tied(case, readings) > 1 for readings, _ in said):
        sentences.append(TIE_COUNTS)
    return Hanging(ANSWER if lead is not None or danger is None else danger[0], " ".join(sentences))


def _lead(case: Case, of: LeftOut) -> tuple[list[int], str] | None:
    """Readings without which other labels lead, or tie with the one that does, and what would be."""
    without, leaders = of.without, case.leaders
    if not leaders:
        return None
    others = [r for r, one in enumerate(without) if one.leaders and leaders.isdisjoint(one.leaders)]
    if others:
        most = max((without[r] for r in others), key=lambda one: one.certainty)
        readings = [r for r in others if without[r].leaders == most.leaders]
        new, now = _named_new(case, most.leaders), _all_of(case, leaders)
        if math.isinf(case.aggregation.reliability):
            return readings, f"{new}, not {now}"
        often = f" in {_range(_then(case, of, readings))} of 100{' each' * (len(most.leaders) > 1)}"
        return readings, f"{new}{often}, not {now} in {_whole(_certainty(case))}"
    if len(leaders) > 1:
        return None
    tied = [r for r, one in enumerate(without) if one.leaders > leaders and one.leaders != of.base.leaders]
    if not tied:
        return None
    fewest = min((without[r].leaders for r in tied), key=len)
    readings = [r for r in tied if without[r].leaders == fewest]
    ties = named(case, leaders)
    return readings, f"{ties} would be tied with {_all_of(case, fewest - leaders, with_risk=True)}"


def _named_new(case: Case, leaders: frozenset[int]) -> str:
    """That a label would lead, or several tie for the lead."""
    verb = "would lead" if len(leaders) == 1 else "would tie for the lead,"
    return f"{_all_of(case, leaders, with_risk=True)} {verb}"


def _all_of(case: Case, codes: frozenset[int], *, with_risk: bool = False) -> str:
    """Name labels as those that lead together; many are counted."""
    if len(codes) > MOST_NAMED:
        return f"{len(codes)} labels"
    order = _ordered(case, codes)
    levels = {risk_letter(case.task, code) for code in order}
    is_alike = len(order) > 1 and len(levels) == 1 and levels != {""}
    *others, last = [named(case, [code], with_risk=with_risk and not is_alike) for code in order]
    all_are = f" (each {risk_phrase(*levels)})" if is_alike and with_risk else ""
    return f"{', '.join(others)} and {last}{all_are}" if others else last


def _ordered(case: Case, codes: frozenset[int]) -> list[int]:
    """Codes in the order in which the case's labels lead, those that it has not at the end."""
    place = {code: i for i, code in enumerate(case.order.tolist())}
    return sorted(codes, key=lambda code: (place.get(code, len(place)), code))


def _danger(case: Case, of: LeftOut) -> tuple[str, list[int], str] | None:
    """Readings without which high risk is far less, or far more; None where there are none, or no doubt."""
    if math.isinf(case.aggregation.reliability) or not case.task.has_risk or case.task.kind == "score":
        return None
    before = high_risk_probability(case)
    after = [high_risk_after(case, of.base, one) for one in of.without]
    falls = [
        r
        for r, then in enumerate(after)
        if before >= PLAUSIBLE and then <= before / 2 and 100 * (before - then) >= CLEARLY
    ]
    rises = [r for r, then in enumerate(after) if then >= max(2 * before, before + _CLEARLY_MORE)]
    if not falls and not rises:
        return None
    most = max((*falls, *rises), key=lambda r: abs(after[r] - before))
    alike = [r for r in (falls if most in falls else rises) if 100 * abs(after[r] - after[most]) < CLEARLY]
    words = (
        f"a high-risk label would lead in {_range([after[r] for r in alike])} of 100, not {_whole(before)}"
    )
    return DANGER if most in falls else SAFETY, alike, words


def _firm(case: Case, of: LeftOut) -> str:
    """That no reading alone decides who leads, and how often the label does at the least and most."""
    if len(case.leaders) != 1:
        return "Whichever reading is left out, no other label leads."
    leads = f"Whichever reading is left out, {named(case, case.leaders)} leads"
    if math.isinf(case.aggregation.reliability):
        return f"{leads}."
    return f"{leads}, in {_range(_then(case, of, range(len(of.without))))} of 100."


def _certainty(case: Case) -> float:
    return float(case.posterior.certainty(1)[0])


def _then(case: Case, of: LeftOut, readings: Sequence[int]) -> list[float]:
    """Certainty without each of some readings."""
    now = _certainty(case)
    points = [change_between(case, of.base, of.without[r]).points for r in readings]
    return [min(max(now + change / 100, 0.0), 1.0) for change in points]


def _whole(share: float) -> str:
    return f"{100 * share:.0f}"


def _range(shares: Sequence[float]) -> str:
    """The lowest and the highest of some shares, out of a hundred."""
    low, high = _whole(min(shares)), _whole(max(shares))
    return of_hundred(shares[0]) if low == high else f"{low} to {high}"


def _sentence(case: Case, readings: Sequence[int], words: str) -> str:
    """What would be without one of some readings; of a single one, how many labels it ties for first."""
    n_tied = _n_tied(case, readings)
    ties = f" which ties {n_tied} labels," if n_tied > 1 else ""
    return f"{without_words(case, readings)},{ties} {words}."


def _n_tied(case: Case, readings: Sequence[int]) -> int:
    """How many labels the one reading puts first; 1 where there are several readings."""
    if len(readings) > 1 or case.task.kind != "ranking":
        return 1
    return len(said_in(case.readings, 0)[readings[0]].blocks[0])


def without_words(case: Case, readings: Sequence[int]) -> str:
    """Name readings of which any one may be left out; of many, their number."""
    raters = [case.study.rater_ids[case.readings.rater[r]] for r in readings]
    if len(raters) > MOST_NAMED:
        return f"Without any one of {len(raters)} readings"
    *others, last = raters
    return (
        f"Without the reading of {', '.join(others)} or {last}"
        if others
        else f"Without the reading of {last}"
    )
