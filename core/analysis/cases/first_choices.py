"""First choices of a case, counted in whole readings and as votes, and where they would put another first."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from core.analysis.cases.case import Case, is_known
from core.analysis.cases.outcome import named
from core.plausibility.aggregate import aggregate_readings
from core.plausibility.settings import Aggregation
from core.study.model import UNKNOWN_RISK

_EQUAL = 1e-9
"""Votes that differ by less are equal."""
SHARED = "if tied labels share a vote"
"""How a hard label counts a reading whose first place is tied (Cabitza 2020, eq. 5)."""


@dataclass(frozen=True)
class OtherFirst:
    """First choices that put another label in front than the one that leads.

    Attributes
    ----------
    why : str
        Why the label leads although another has as many first choices or more, as a sentence; empty where it
        has the most too.
    is_riskier : bool
        Whether one of these is of higher risk than every label that leads.
    alone : str
        Which labels first choices alone would put in front, as a sentence.
    """

    why: str
    is_riskier: bool
    alone: str


def votes(case: Case) -> dict[int, float]:
    """Count first choices by label code, of scores the sides of the threshold.

    A reading whose first place is tied divides its vote (Cabitza 2020, eq. 5). Empty where there is no
    reading, or no threshold.
    """
    task, readings = case.task, case.readings
    if readings.n_readings == 0:
        return {}
    if task.kind == "score":
        if task.threshold is None:
            return {}
        above = float((readings.score >= task.threshold).sum())
        return {0: readings.n_readings - above, 1: above}
    share = aggregate_readings(case.study, task, Aggregation("frequency"), readings, [case.case_id])
    counted = share.mean.candidate * readings.n_readings
    return dict(zip(share.candidates.label.tolist(), counted.tolist(), strict=True))


def times_put_first(case: Case, codes: Collection[int]) -> tuple[int, int]:
    """How many readings put any of some labels first, and how many of them nothing else; not of scores."""
    n = case.readings.n_readings if case.task.kind != "score" else 0
    first = [set(case.readings.differential(r)[0]) for r in range(n)]
    return sum(not block.isdisjoint(codes) for block in first), sum(block <= {*codes} for block in first)


def times_named(case: Case, codes: Collection[int]) -> int:
    """How many readings name any of some labels, in whatever place; not of scores."""
    n = case.readings.n_readings if case.task.kind != "score" else 0
    said = [case.readings.differential(r) for r in range(n)]
    return sum(any(not set(block).isdisjoint(codes) for block in blocks) for blocks in said)


def most_put_first(case: Case) -> list[int]:
    """Codes of the labels that most readings put first, alone or tied, all that are equal; of no scores."""
    readings = case.readings
    n = readings.n_readings if case.task.kind != "score" else 0
    counts: dict[int, int] = {}
    for r in range(n):
        for code in readings.differential(r)[0]:
            counts[int(code)] = counts.get(int(code), 0) + 1
    most = max(counts.values(), default=0)
    return sorted(code for code, times in counts.items() if times == most)


def most_voted(of: dict[int, float]) -> list[int]:
    """Codes of the labels with most votes, all that are equal."""
    most = max(of.values(), default=0.0)
    return [code for code, n in of.items() if n >= most - _EQUAL]


def other_first(case: Case) -> OtherFirst | None:
    """Say that first choices alone would put another label in front, and why the one that leads does.

    Returns
    -------
    OtherFirst or None
        None where a label that leads has most first choices too, unless another with as many is of higher
        risk; and where nothing is known of the case.
    """
    of = votes(case) if is_known(case) else {}
    leaders, front = case.leaders, most_voted(of)
    if not leaders or not front:
        return None
    is_riskier = _highest(case, front) > _highest(case, leaders)
    if leaders & set(front) and not is_riskier:
        return None
    front_words = named(case, front, with_risk=True).removesuffix(" (tied)")
    shared = are_shared(case, front)
    by = f"By first choices alone,{f' {SHARED},' * shared}"
    if leaders & set(front):
        # Of a differential that ties labels for first, each of them is counted whole, as beneath.
        times = round(of[front[0]]) if case.task.kind == "score" else times_put_first(case, front[:1])[0]
        each = "" if shared else f", each first in {times} of {case.readings.n_readings}"
        said = f"{by} {front_words} would tie{each}."
        return OtherFirst("", is_riskier, said)
    alone = f"{by} {front_words} would lead."
    return OtherFirst(f"{_leads(case)} because {_why(case)}.", is_riskier, alone)


def are_shared(case: Case, front: Sequence[int]) -> bool:
    """Whether most votes are at other labels than most readings are, for tied ones share a reading's vote."""
    return case.task.kind == "ranking" and sorted(front) != most_put_first(case)


def _leads(case: Case) -> str:
    """That the label leads; of scores, which stand in no table, with how many are on its side."""
    names, n = named(case, case.leaders), case.readings.n_readings
    leads = "leads" if len(case.leaders) == 1 else "lead"
    if case.task.kind != "score":
        return f"{names.removesuffix(' (tied)')} {leads}"
    own = round(sum(votes(case).get(code, 0.0) for code in case.leaders))
    they = "it" if len(case.leaders) == 1 else "they"
    return f"{own} of {n} scores {'is' if own == 1 else 'are'} on the side of {names}: {they} {leads}"


def _why(case: Case) -> str:
    """What lets a label lead that has not the most first choices."""
    if case.task.kind == "score":
        return "the mean of the scores decides, not how many lie on a side"
    if case.task.kind == "choice":
        return "readings do not count equally under this model"
    readings, n = case.readings, case.readings.n_readings
    places = [
        place
        for r in range(n)
        for place, block in enumerate(readings.differential(r))
        if not case.leaders.isdisjoint(block)
    ]
    below = [place for place in places if place > 0]
    if not below:
        return "what readings put below their first choices, and what they tie, counts too"
    who = f"{len(below)} of {n} {'names' if len(below) == 1 else 'name'}"
    if len(below) == n:
        who = "both name" if n == 2 else f"all {n} name" if n > 1 else "the reading names"
    them = "it" if len(case.leaders) == 1 else "one of them"
    where = "second" if set(below) == {1} else "further down"
    return f"every place of a reading counts, and {who} {them} {where}"


def _highest(case: Case, codes: Collection[int]) -> int:
    """The highest known level of some labels; −1 where none is known."""
    levels = [int(case.task.risk[code]) for code in codes]
    return max((level for level in levels if level != UNKNOWN_RISK), default=-1)
