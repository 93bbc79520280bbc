"""Whether who leads a case, or how dangerous it is, hangs on one reading, and what would be without it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from core.analysis.cases.case import Case, high_risk_probability, is_known, risk_letter
from core.analysis.cases.left_out import CLEARLY, LeftOut, raters_words
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
MOST_LINES = 4
"""Lines that say what would be without a reading; of further readings the number is said."""


class Hanging(NamedTuple):
    """Whether who leads, or how dangerous a case is, hangs on a single reading.

    Attributes
    ----------
    head : str
        That it does, `ANSWER`, `DANGER` or `SAFETY` of one reading or any one of several, or `ONLY`; empty
        where it does not.
    sentence : str
        That whichever is left out changes nothing, or how ties count; may be empty where ``lines`` say all.
    lines : tuple of str
        How it is with all readings, and how it would be without each that it hangs on; empty where it hangs
        on none. Numbers are truths of a hundred.
    readings : frozenset of int
        The readings that the lines name.
    """

    head: str
    sentence: str
    lines: tuple[str, ...] = ()
    readings: frozenset[int] = frozenset()


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
    lead, (danger_head, danger) = _lead(case, of), _danger(case, of)
    if not lead and not danger:
        return Hanging("", _firm(case, of))
    head, n = (ANSWER, len(lead)) if lead else (danger_head, len(danger))
    new = {r: of.without[r].leaders for r in lead}
    new |= {r: case.leaders for r in danger if r not in new}
    lines, told = _lines(case, of, new)
    is_said = divides_no_tie(case.aggregation) and any(_n_tied(case, [r]) > 1 for r in told)
    return Hanging(
        head.format(ONE if n == 1 else f"any one of {n} readings"), TIE_COUNTS * is_said, lines, told
    )


def _lead(case: Case, of: LeftOut) -> list[int]:
    """Readings without which other labels lead, or tie with the one that does, the clearest first."""
    without, leaders = of.without, case.leaders
    if not leaders:
        return []
    others = [r for r, one in enumerate(without) if one.leaders and leaders.isdisjoint(one.leaders)]
    if not others and len(leaders) == 1:
        others = [
            r for r, one in enumerate(without) if one.leaders > leaders and one.leaders != of.base.leaders
        ]
    return sorted(others, key=lambda r: -without[r].certainty)


def _lines(
    case: Case, of: LeftOut, new: Mapping[int, frozenset[int]]
) -> tuple[tuple[str, ...], frozenset[int]]:
    """How it is with all readings, and without each that has other leaders then, and which these are.

    Readings without which it would be the same stand together.
    """
    leaders, now = case.leaders, _leads_now(case)
    alike: dict[tuple[str, str], list[int]] = {}
    for r, of_new in new.items():
        then = _then(case, of, r, of_new | leaders)
        words = _state(case, of_new, leaders - of_new, then)
        alike.setdefault((words + _danger_words(case, of, r), _ties(case, [r])), []).append(r)
    shown = list(alike.items())[:MOST_LINES]
    told = frozenset(r for _, readings in shown for r in readings)
    entrants = frozenset[int]().union(*(new[r] for r in told)) - leaders
    is_point = math.isinf(case.aggregation.reliability)
    all_of = _state(case, leaders, frozenset() if is_point else entrants, now, is_first=True)
    lines = [f"With all: {all_of}{_danger_words(case)}"]
    for (words, ties), readings in shown:
        lines.append(f"Without {_whom(case, sorted(readings))}{ties}: {words}")
    if len(new) > len(told):
        lines.append(f"and {len(new) - len(told)} more")
    return tuple(lines), told


def _whom(case: Case, readings: Sequence[int]) -> str:
    """Name who gave readings of which any one may be left out; of many, their number."""
    return f"any one of {len(readings)}" if len(readings) > MOST_NAMED else raters_words(case, readings)


def _state(
    case: Case,
    first: frozenset[int],
    others: frozenset[int],
    leads: Mapping[int, float],
    *,
    is_first: bool = False,
) -> str:
    """Which labels lead and how often, and how often others do; all with their levels where ``is_first``."""
    name = _all_of(case, first, with_risk=True)
    if math.isinf(case.aggregation.reliability):
        return f"{name} {'leads' if len(first) == 1 else 'tie for the lead'}"
    often = _range([leads.get(code, 0.0) for code in first])
    said = [f"{name} {often}" if len(first) == 1 else f"{name} tie, each {often}"]
    if len(others) > MOST_NAMED:
        said.append(f"{len(others)} others {_range([leads.get(code, 0.0) for code in others])} each")
    else:
        said += [
            f"{named(case, [code], with_risk=is_first)} {_whole(leads.get(code, 0.0))}"
            for code in _ordered(case, others)
        ]
    return ", ".join(said) + " of 100" * is_first


def _danger_words(case: Case, of: LeftOut | None = None, without: int = 0) -> str:
    """How often a high-risk label leads, or would without a reading; empty where nothing is known of it."""
    if math.isinf(case.aggregation.reliability) or not case.task.has_risk or case.task.kind == "score":
        return ""
    now = high_risk_probability(case)
    return f"; high risk {_whole(now if of is None else high_risk_after(case, of.base, of.without[without]))}"


def _leads_now(case: Case) -> dict[int, float]:
    """How often each label leads, as the case has it."""
    return leads_of(case.posterior, case.order.tolist())[0]


def _then(case: Case, of: LeftOut, r: int, codes: frozenset[int]) -> dict[int, float]:
    """How often each of some labels leads without a reading."""
    now, base, without = _leads_now(case), of.base.leads, of.without[r].leads
    moved = {code: now.get(code, 0.0) + without.get(code, 0.0) - base.get(code, 0.0) for code in codes}
    return {code: min(max(then, 0.0), 1.0) for code, then in moved.items()}


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


def _danger(case: Case, of: LeftOut) -> tuple[str, list[int]]:
    """Readings without which high risk is far less, or far more, and which; none where there is no doubt."""
    if math.isinf(case.aggregation.reliability) or not case.task.has_risk or case.task.kind == "score":
        return "", []
    before = high_risk_probability(case)
    after = [high_risk_after(case, of.base, one) for one in of.without]
    falls = [
        r
        for r, then in enumerate(after)
        if before >= PLAUSIBLE and then <= before / 2 and 100 * (before - then) >= CLEARLY
    ]
    rises = [r for r, then in enumerate(after) if then >= max(2 * before, before + _CLEARLY_MORE)]
    if not falls and not rises:
        return "", []
    most = max((*falls, *rises), key=lambda r: abs(after[r] - before))
    alike = [r for r in (falls if most in falls else rises) if 100 * abs(after[r] - after[most]) < CLEARLY]
    return DANGER if most in falls else SAFETY, alike


def _firm(case: Case, of: LeftOut) -> str:
    """That no reading alone decides who leads, and how often the label does at the least and most."""
    if len(case.leaders) != 1:
        return f"Whichever reading is left out, no other label leads than these that tie{_all_danger(case)}."
    leads = f"Whichever reading is left out, {named(case, case.leaders)} leads"
    if math.isinf(case.aggregation.reliability):
        return f"{leads}."
    return f"{leads}, in {_range(_certainties(case, of))} of 100."


def _all_danger(case: Case) -> str:
    """Say of labels that tie that each of them is dangerous, so that danger hangs on none of them."""
    is_danger = all(risk_letter(case.task, code) == "H" for code in case.leaders)
    return "; all of them are of high risk, whichever it is" if is_danger and case.leaders else ""


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
    return f", which ties {n_tied} labels" if n_tied > 1 else ""


def _n_tied(case: Case, readings: Sequence[int]) -> int:
    """How many labels the one reading puts first; 1 where there are several readings."""
    if len(readings) > 1 or case.task.kind != "ranking":
        return 1
    return len(said_in(case.readings, 0)[readings[0]].blocks[0])
