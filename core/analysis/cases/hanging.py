"""Whether who leads a case, or how dangerous it is, hangs on one reading, and what would be without it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from core.analysis.cases.case import Case, high_risk_probability, is_known, risk_letter
from core.analysis.cases.left_out import CLEARLY, LeftOut, raters_words, without_words
from core.analysis.cases.outcome import MOST_NAMED, change_between, high_risk_after, leads_of, named
from core.analysis.cases.what_if import said_in
from core.analysis.cases.worklist import PLAUSIBLE
from core.analysis.formatting import of_hundred
from core.analysis.reliability.words import TIE_COUNTS, divides_no_tie
from core.analysis.risk_words import risk_phrase

_CLEARLY_MORE = 0.10
"""Probability by which high risk rises at least, besides being doubled, where that hangs on one reading."""
ANSWER, DANGER = "The answer hangs on {}.", "The danger hangs on {}."
SAFETY = "That danger is no greater hangs on {}."
ONE = "one reading"
ONLY = "The answer rests on one reading."
_MOST_SETS = 3
"""Sets of labels that would lead without one reading or another, of which a sentence tells."""


class Hanging(NamedTuple):
    """Whether who leads, or how dangerous a case is, hangs on a single reading.

    Attributes
    ----------
    head : str
        That it does, `ANSWER`, `DANGER` or `SAFETY` of one reading or any one of several, or `ONLY`; empty
        where it does not.
    sentence : str
        Which reading, how it is with it and would be without it; or that whichever is left out changes
        nothing.
    """

    head: str
    sentence: str


class _Part(NamedTuple):
    """What hangs on readings, each of which would do alone: which they are, and what is said of it."""

    readings: list[int]
    sentence: str


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
    sentences = [] if lead is None else [lead.sentence]
    readings = [] if lead is None else lead.readings
    head = ANSWER
    if danger is not None:
        if lead is None:
            head, readings = danger[0], danger[1].readings
        sentences.append(danger[1].sentence)
    n = len(readings)
    said = [part for part in (lead, danger[1] if danger else None) if part is not None]
    if divides_no_tie(case.aggregation) and any(_n_tied(case, part.readings) > 1 for part in said):
        sentences.append(TIE_COUNTS)
    return Hanging(head.format(ONE if n == 1 else f"any one of {n} readings"), " ".join(sentences))


def _lead(case: Case, of: LeftOut) -> _Part | None:
    """Readings without which other labels lead, or tie with the one that does, and what would be."""
    without, leaders = of.without, case.leaders
    if not leaders:
        return None
    others = [r for r, one in enumerate(without) if one.leaders and leaders.isdisjoint(one.leaders)]
    if not others and len(leaders) == 1:
        others = [
            r for r, one in enumerate(without) if one.leaders > leaders and one.leaders != of.base.leaders
        ]
    if not others:
        return None
    by_new: dict[frozenset[int], list[int]] = {}
    for r in sorted(others, key=lambda r: -without[r].certainty):
        by_new.setdefault(without[r].leaders, []).append(r)
    (new, readings), *more = ((new, sorted(of_new)) for new, of_new in by_new.items())
    if math.isinf(case.aggregation.reliability):
        words = _of_point(case, new, readings)
    else:
        words = _with_and_without(case, of, new, readings)
    for other, of_other in more[: _MOST_SETS - 1]:
        words += f"; {_lowered(without_words(case, of_other))}, {_would(case, other)}"
    return _Part(sorted(others), f"{words}.")


def _of_point(case: Case, new: frozenset[int], readings: Sequence[int]) -> str:
    """What would lead without one of some readings, where doubt is switched off."""
    now = "" if case.leaders < new else f", not {_all_of(case, case.leaders)}"
    return f"{without_words(case, readings)},{_ties(case, readings)} {_would(case, new)}{now}"


def _would(case: Case, new: frozenset[int]) -> str:
    """That a label would lead, or that several would tie for the lead, or one with those that lead now."""
    if case.leaders < new:
        others = _all_of(case, new - case.leaders, with_risk=True)
        return f"{named(case, case.leaders)} would be tied with {others}"
    verb = "would lead" if len(new) == 1 else "would tie for the lead"
    return f"{_all_of(case, new, with_risk=True)} {verb}"


def _with_and_without(case: Case, of: LeftOut, new: frozenset[int], readings: Sequence[int]) -> str:
    """How often the labels lead that do and that would, with a reading and without it."""
    leaders, is_single = case.leaders, len(readings) == 1
    entrants = new - leaders
    whose = f"the reading of {raters_words(case, readings)}" if is_single else "all readings"
    now = _leads_now(case)
    with_all = " and ".join(
        f"{_all_of(case, codes, with_risk=True)} {verb}{_range([now.get(code, 0.0) for code in codes])}{each}"
        for codes, verb, each in (
            (leaders, "leads in " if len(leaders) == 1 else "lead in ", _of_each(leaders, " of 100")),
            (entrants, "in ", _of_each(entrants, "")),
        )
    )
    if is_single:
        lacking = "without it"
    elif len(readings) > MOST_NAMED:
        lacking = f"without any one of {len(readings)}"
    else:
        lacking = f"without that of {raters_words(case, readings)}"
    then = [(new if leaders < new else entrants), frozenset() if leaders < new else leaders]
    without = " and ".join(
        f"{_all_of(case, codes)} {verb}in {_range(_then(case, of, readings, codes))}{_of_each(codes, '')}"
        for codes, verb in zip(then, (_verb(new), ""), strict=True)
        if codes
    )
    return f"With {whose},{_ties(case, readings)} {with_all}; {lacking}, {without}"


def _verb(new: frozenset[int]) -> str:
    return "leads " if len(new) == 1 else "tie, "


def _of_each(codes: frozenset[int], of: str) -> str:
    """What follows a number, or the least and most, of some labels."""
    return of + " each" * (len(codes) > 1)


def _leads_now(case: Case) -> dict[int, float]:
    """How often each label leads, as the case has it."""
    return leads_of(case.posterior, case.order.tolist())[0]


def _then(
    case: Case, of: LeftOut, readings: Sequence[int], codes: Sequence[int] | frozenset[int]
) -> list[float]:
    """How often each of some labels leads without each of some readings."""
    now, base = _leads_now(case), of.base.leads
    return [
        min(max(now.get(code, 0.0) + of.without[r].leads.get(code, 0.0) - base.get(code, 0.0), 0.0), 1.0)
        for code in codes
        for r in readings
    ]


def _lowered(words: str) -> str:
    return words[:1].lower() + words[1:]


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


def _danger(case: Case, of: LeftOut) -> tuple[str, _Part] | None:
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
    often = _range([after[r] for r in alike])
    words = f"a high-risk label would lead in {often} of 100, not {_whole(before)}"
    sentence = f"{without_words(case, alike)},{_ties(case, alike)} {words}."
    return DANGER if most in falls else SAFETY, _Part(alike, sentence)


def _firm(case: Case, of: LeftOut) -> str:
    """That no reading alone decides who leads, and how often the label does at the least and most."""
    if len(case.leaders) != 1:
        return "Whichever reading is left out, no other label leads."
    leads = f"Whichever reading is left out, {named(case, case.leaders)} leads"
    if math.isinf(case.aggregation.reliability):
        return f"{leads}."
    return f"{leads}, in {_range(_certainties(case, of))} of 100."


def _certainties(case: Case, of: LeftOut) -> list[float]:
    """Certainty without each of the readings."""
    now = float(case.posterior.certainty(1)[0])
    points = [change_between(case, of.base, one).points for one in of.without]
    return [min(max(now + change / 100, 0.0), 1.0) for change in points]


def _whole(share: float) -> str:
    return f"{100 * share:.0f}"


def _range(shares: Sequence[float]) -> str:
    """The lowest and the highest of some shares, out of a hundred."""
    low, high = _whole(min(shares)), _whole(max(shares))
    return of_hundred(shares[0]) if low == high else f"{low} to {high}"


def _ties(case: Case, readings: Sequence[int]) -> str:
    """How many labels a single reading ties for first, as a clause; empty where it ties none."""
    n_tied = _n_tied(case, readings)
    return f" which ties {n_tied} labels," if n_tied > 1 else ""


def _n_tied(case: Case, readings: Sequence[int]) -> int:
    """How many labels the one reading puts first; 1 where there are several readings."""
    if len(readings) > 1 or case.task.kind != "ranking":
        return 1
    return len(said_in(case.readings, 0)[readings[0]].blocks[0])
