"""Whether who leads a case, or how dangerous it is, hangs on one reading, and what would be without it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from core.analysis.cases.case import Case, high_risk_probability, is_known, risk_letter
from core.analysis.cases.danger_hanging import Move, danger_moves, dangers
from core.analysis.cases.leading import riskier_first
from core.analysis.cases.left_out import LeftOut, raters_words, which_words
from core.analysis.cases.outcome import (
    MOST_NAMED,
    change_between,
    high_risk_after,
    leads_of,
    named,
    shifted,
)
from core.analysis.cases.truths import times
from core.analysis.cases.what_if import said_in
from core.analysis.formatting import in_sentence

_LEAST_SHOWN = 0.005
"""Smallest probability that is a whole truth of a hundred."""
ANOTHER, NO_LABEL = "another label leads", "no label clearly leads"
"""What is so without a reading on which the answer hangs: one leads alone, or several tie or nearly do."""
_MOST_SAID = 2
"""Things that change without a reading that one sentence says."""
SEVERAL = "Depends on single readers: without one of them"
ONLY = "Rests on one reading: nobody else has read this case."
_NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}
"""Readers that are each named alone, at most: of the answer, and of danger that falls or rises."""
MOST_ROWS = 4
"""Rows that say what would be without a reading; of further readings the number is said."""
ALL = "All readings"
"""What the first row is of."""


class Share(NamedTuple):
    """A label, the letter of its level (empty where unknown), and of how many of 100 truths it leads.

    ``often`` is empty under a point estimate, which leaves no doubt; of labels that are only counted it is a
    range.
    """

    label: str
    risk: str
    often: str


class Row(NamedTuple):
    """What all readings make of a case, or what would be made of it without one of them.

    Attributes
    ----------
    without : str
        Who gave the reading that is left out, or any one of several; `ALL` for none.
    leads : tuple of Share
        The labels that lead, or would; of more than three that tie, one that counts them.
    then : Share or None
        The label that leads most often of the others; None where none does, and under a point estimate.
    high_risk : str
        In how many of 100 truths a high-risk label leads; empty where nothing is known of it.
    n_tied : int
        Labels that the one reading left out ties for first; 1 where it ties none.
    """

    without: str
    leads: tuple[Share, ...]
    then: Share | None
    high_risk: str
    n_tied: int = 1


class Hanging(NamedTuple):
    """Whether who leads, or how dangerous a case is, hangs on a single reading.

    Attributes
    ----------
    head : str
        That it does, `ANSWER`, `DANGER` or `SAFETY` of a reader or any one of several, or `ONLY`; empty
        where it does not. Danger is said to move without each reading that has a row for that; together with
        the answer where both hang on the same readings.
    sentence : str
        That whichever is left out changes nothing; empty where ``rows`` say all.
    rows : tuple of Row
        How it is with all readings, and how it would be without each that it hangs on; empty where it hangs
        on none.
    n_more : int
        Further readings that it hangs on, without a row.
    readings : frozenset of int
        The readings that the rows name.
    """

    head: str
    sentence: str
    rows: tuple[Row, ...] = ()
    n_more: int = 0
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
    is tied with another. Danger hangs on it if high risk, where it is plausible
    (`core.analysis.cases.worklist.PLAUSIBLE`), falls to its half or less and by `CLEARLY` points at least, or
    if it rises to its double or more and by ten points at least. Of several such readings those are named
    without which most changes. It hangs on readings, too, where it differs by twenty points or more,
    depending on which is left out. Where there are rows, readings without which high risk changes by twenty
    points or more have one, and those without which it falls most or rises most. As in
    `core.analysis.cases.reasons`, of draws the difference to the same readings drawn alike is taken.
    """
    if of is None:
        is_single = is_known(case) and case.readings.n_readings == 1
        return Hanging(ONLY, "") if is_single else None
    lead = _lead(case, of)
    moves = danger_moves(case, of, lead)
    if not lead and not moves:
        return Hanging("", _firm(case, of))
    new = {r: of.without[r].leaders for r in lead}
    new |= {r: _leaders_then(case, of, r) for move in moves for r in move.readings if r not in new}
    rows, told = _rows(case, of, new)
    return Hanging(_sentence(case, of, lead, moves), "", rows, len(new) - len(told), told)


def _sentence(case: Case, of: LeftOut, lead: Sequence[int], moves: Sequence[Move]) -> str:
    """What the case hangs on as a sentence, begun with how many readers, where each is named alone.

    Where the danger moves without the very readings that the answer hangs on, both are said at once. Of more
    than `_MOST_SAID` things between what danger moves is said: the rows have each.
    """
    then = _then_leads(case, of, lead)
    said = (
        ["; ".join(f"without {which_words(case, which)}, {words}" for words, which in then)] if then else []
    )
    for place, move in enumerate(moves):
        what = move.after(moves[place - 1]) if place else move.first
        if len(then) == 1 and set(move.readings) == set(lead):
            said = [f"{said[0]}, and {what}"]
        else:
            said.append(f"without {which_words(case, move.readings)}, {what}")
    if len(said) > _MOST_SAID:
        before, after = dangers(case, of)
        also = ", and another label may lead" * bool(lead)
        return f"{SEVERAL} danger, now {times(before)} of 100, is {_range(after)}{also}."
    which_of = [*(which for _, which in then), *(move.readings for move in moves)]
    return _begun(case, "; ".join(said), which_of)


def _then_leads(case: Case, of: LeftOut, lead: Sequence[int]) -> list[tuple[str, list[int]]]:
    """What is so without the readings that the answer hangs on: a label leads, another one, or none clearly.

    Each with the readings without which it is so; a label is named where it is one for all of them.
    """
    alone = [r for r in lead if len(of.without[r].leaders) == 1]
    nobody = [r for r in lead if r not in alone]
    labels = {code for r in alone for code in of.without[r].leaders}
    leads = f"{named(case, labels)} leads" if len(labels) == 1 else ANOTHER
    return [(words, which) for words, which in ((leads, alone), (NO_LABEL, nobody)) if which]


def _begun(case: Case, said: str, named_in: Sequence[Sequence[int]]) -> str:
    """A sentence that is begun with how many readers it is about, where each is named alone."""
    if any(len(readings) > 1 for readings in named_in):
        return f"{said[:1].upper()}{said[1:]}."
    n = len({case.readings.rater[r] for readings in named_in for r in readings})
    return f"Depends on {'one reader' if n == 1 else f'{_NUMBERS[n]} readers'}: {said}."


def _leaders_then(case: Case, of: LeftOut, r: int) -> frozenset[int]:
    """Which labels lead without a reading; those that do now where only other draws have others lead."""
    then = of.without[r].leaders
    return then if then and then != of.base.leaders else case.leaders


def _lead(case: Case, of: LeftOut) -> list[int]:
    """Readings without which other labels lead, or tie with the one that does, the clearest first."""
    without, leaders = of.without, case.leaders
    if not leaders:
        return []
    others = [r for r, one in enumerate(without) if one.leaders and leaders.isdisjoint(one.leaders)]
    tied = [
        r
        for r, one in enumerate(without)
        if len(leaders) == 1 and one.leaders > leaders and one.leaders != of.base.leaders
    ]
    return [r for which in (others, tied) for r in sorted(which, key=lambda r: -without[r].certainty)]


def _rows(
    case: Case, of: LeftOut, new: Mapping[int, frozenset[int]]
) -> tuple[tuple[Row, ...], frozenset[int]]:
    """How it is with all readings, and without each that has other leaders then, and which these are.

    Readings without which it would be the same stand together.
    """
    alike: dict[Row, list[int]] = {}
    for r, leaders in new.items():
        alike.setdefault(_row(case, leaders, _then(case, of, r), of, r), []).append(r)
    shown = _shown(case, of, list(alike.items()))
    rows = [row._replace(without=_whom(case, sorted(which))) for row, which in shown]
    told = frozenset(r for _, which in shown for r in which)
    return (_row(case, case.leaders, _leads_now(case)), *rows), told


def _shown(case: Case, of: LeftOut, rows: Sequence[tuple[Row, list[int]]]) -> Sequence[tuple[Row, list[int]]]:
    """The first rows for which there is room, and among them that which moves danger most."""
    before, after = dangers(case, of)
    if len(rows) <= MOST_ROWS or not after:
        return rows[:MOST_ROWS]
    moved = [max(abs(after[r] - before) for r in which) for _, which in rows]
    return [*rows[: MOST_ROWS - 1], rows[max(MOST_ROWS - 1, moved.index(max(moved)))]]


def _whom(case: Case, readings: Sequence[int]) -> str:
    """Name who gave readings of which any one may be left out; of many, their number."""
    return f"any one of {len(readings)}" if len(readings) > MOST_NAMED else raters_words(case, readings)


def _row(
    case: Case,
    leaders: frozenset[int],
    leads: Mapping[int, float],
    of: LeftOut | None = None,
    without: int = -1,
) -> Row:
    """Which labels lead and how often, which one does most often of the others, and how often danger does."""
    n_tied = 1 if of is None else _n_tied(case, without)
    of_hundred = {code: 100 * share for code, share in leads.items()}
    first = riskier_first(case.task, _ordered(case, leaders), of_hundred)
    if math.isinf(case.aggregation.reliability):
        return Row(ALL, _shares(case, first, {}), None, "", n_tied)
    danger = _danger_after(case, of, without)
    others = [code for code in _ordered(case, frozenset(leads)) if code not in leaders]
    then = max(others, key=lambda code: leads[code], default=None)
    # What would be written as 0 is no rival.
    rival = None
    if then is not None and leads[then] >= _LEAST_SHOWN:
        rival = _shares(case, [then], leads)[0]
    said = "" if math.isnan(danger) else times(danger)
    return Row(ALL, _shares(case, first, leads), rival, said, n_tied)


def _shares(case: Case, codes: Sequence[int], leads: Mapping[int, float]) -> tuple[Share, ...]:
    """Labels with their levels and how often they lead, where that is known; of many, their number."""
    if len(codes) > MOST_NAMED:
        levels = {risk_letter(case.task, code) for code in codes}
        often = _range([leads.get(code, 0.0) for code in codes]) if leads else ""
        return (Share(f"{len(codes)} labels", levels.pop() if len(levels) == 1 else "", often),)
    return tuple(
        Share(
            in_sentence(case.task.labels[code]),
            risk_letter(case.task, code),
            times(leads.get(code, 0.0)) if leads else "",
        )
        for code in codes
    )


def _danger_after(case: Case, of: LeftOut | None, without: int) -> float:
    """How often a high-risk label leads, or would without a reading; NaN where nothing is known of it."""
    if not case.task.has_risk or case.task.kind == "score":
        return math.nan
    return high_risk_probability(case) if of is None else high_risk_after(case, of.base, of.without[without])


def _leads_now(case: Case) -> dict[int, float]:
    """How often each label leads, as the case has it."""
    return leads_of(case.posterior, case.order.tolist())[0]


def _then(case: Case, of: LeftOut, r: int) -> dict[int, float]:
    """How often each label leads without a reading."""
    now, base, without = _leads_now(case), of.base.leads, of.without[r].leads
    return {code: shifted(share, base.get(code, 0.0), without.get(code, 0.0)) for code, share in now.items()}


def _ordered(case: Case, codes: frozenset[int]) -> list[int]:
    """Codes in the order in which the case's labels lead, those that it has not at the end."""
    place = {code: i for i, code in enumerate(case.order.tolist())}
    return sorted(codes, key=lambda code: (place.get(code, len(place)), code))


def _firm(case: Case, of: LeftOut) -> str:
    """That no reading alone decides who leads, and how often the label does at the least and most."""
    if len(case.leaders) != 1:
        return _of_tie(case, of)
    leads = f"Whichever reader is left out, {named(case, case.leaders)} still leads"
    if math.isinf(case.aggregation.reliability):
        return f"{leads}."
    return f"{leads}, in {_range(_certainties(case, of))} of 100."


def _of_tie(case: Case, of: LeftOut) -> str:
    """Say that no other label leads than those that tie, and how dangerous it is without each reading."""
    letters = {risk_letter(case.task, code) for code in case.leaders}
    whichever = "Whichever reader is left out, one of the same labels leads"
    if letters == {"H"}:
        return f"{whichever}; all of them are high-risk."
    after = dangers(case, of)[1] if "H" in letters else []
    if not after:
        return f"{whichever}."
    return f"{whichever}; danger is then {_range(after)} of 100."


def _certainties(case: Case, of: LeftOut) -> list[float]:
    """Certainty without each of the readings."""
    return [change_between(case, of.base, one).certainty for one in of.without]


def _range(shares: Sequence[float]) -> str:
    """The lowest and the highest of some shares, out of a hundred."""
    low, high = times(min(shares)), times(max(shares))
    if low == high:
        return low
    return f"{low} to {high}" if low.isdecimal() else f"at most {high}"


def _n_tied(case: Case, reading: int) -> int:
    """How many labels a reading puts first."""
    return len(said_in(case.readings, 0)[reading].blocks[0]) if case.task.kind == "ranking" else 1
