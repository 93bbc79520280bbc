"""Readings on which it hangs how dangerous a case is, and what high risk would be without them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from core.analysis.cases.case import Case, high_risk_probability
from core.analysis.cases.left_out import LeftOut
from core.analysis.cases.outcome import CLEARLY, high_risk_after
from core.analysis.cases.truths import times
from core.analysis.cases.worklist import PLAUSIBLE
from core.metrics.risk import HIGH

_CLEARLY_MORE = 0.10
"""Probability by which high risk rises at least, besides being doubled, where that hangs on one reading."""
MOVED = 0.20
"""Change of high risk from which on a row says what would be, where there are rows."""
FALLS, RISES = "danger falls from {} to {} of 100", "danger rises from {} to {} of 100"
DANGER, SAFETY = f"without {{}}, {FALLS}", f"without {{}}, {RISES}"


def dangers(case: Case, of: LeftOut) -> tuple[float, list[float]]:
    """How often a high-risk label leads, and would without each reading; of none where there is no doubt."""
    if math.isinf(case.aggregation.reliability) or not case.task.has_risk or case.task.kind == "score":
        return 0.0, []
    return high_risk_probability(case), [high_risk_after(case, of.base, one) for one in of.without]


def moving(case: Case, of: LeftOut, lead: Sequence[int]) -> list[int]:
    """Readings without which high risk is clearly another, though nothing hangs on them, the clearest first.

    Who reads how dangerous a case is without one reading is to find there every other that moves it as much,
    and those without which it falls most, or rises most, however far, unless the answer hangs on all of these
    (``lead``): then they have rows already.
    """
    before, after = dangers(case, of)
    moved = {r: abs(then - before) for r, then in enumerate(after)}
    ways = [farthest(before, after, is_fall=is_fall) for is_fall in (True, False)]
    most = {r for way in ways if not set(way) <= set(lead) for r in way}
    return sorted((r for r, by in moved.items() if by >= MOVED or r in most), key=lambda r: -moved[r])


def farthest(before: float, after: Sequence[float], *, is_fall: bool) -> list[int]:
    """Readings without which high risk falls most, or rises most, all that move it alike; [] for hardly."""
    by = [before - then if is_fall else then - before for then in after]
    most = max(by, default=0.0)
    if 100 * most < CLEARLY:
        return []
    return [r for r, one in enumerate(by) if one > 0 and 100 * (most - one) < CLEARLY]


class Move(NamedTuple):
    """Readings without any of which high risk would move alike, and where to.

    Attributes
    ----------
    readings : tuple of int
    is_fall : bool
        Whether it would fall.
    before : str
        Truths of a hundred in which a high-risk label leads with all readings.
    then : str
        And without one of them.
    """

    readings: tuple[int, ...]
    is_fall: bool
    before: str
    then: str

    @property
    def first(self) -> str:
        """What becomes of the danger, where nothing is said of it yet."""
        return (FALLS if self.is_fall else RISES).format(self.before, self.then)

    def after(self, other: Move) -> str:
        """The same behind another move."""
        way = "" if self.is_fall == other.is_fall else "it falls " if self.is_fall else "it rises "
        return f"{way}to {self.then}"


def danger_moves(case: Case, of: LeftOut, lead: Sequence[int]) -> list[Move]:
    """What becomes of high risk without readings on which a case hangs, those that move it alike together.

    Parameters
    ----------
    case : Case
        As `core.analysis.cases.case.open_case` gives it.
    of : LeftOut
        What `core.analysis.cases.left_out.left_out` gives for it.
    lead : sequence of int
        Readings without which another label leads. They stand together where high risk moves the same way
        without each of them.

    Returns
    -------
    list of Move
        Readings on any of which it hangs how dangerous the case is, and all without which high risk is
        clearly another (`moving`); none where neither the danger hangs on any, nor the answer (``lead``), and
        danger is about the same whichever is left out (`MOVED`), or a single label of high risk leads anyway.
    """
    before, after = dangers(case, of)
    alike = _hanging(before, after)
    if not alike and not lead and not _is_loose(case, after):
        return []
    rest = [r for r in moving(case, of, lead) if r not in alike]
    if alike:
        alike += [r for r in rest if 100 * abs(after[r] - after[alike[0]]) < CLEARLY]
        rest = [r for r in rest if r not in alike]
    groups = [alike]
    for is_fall in dict.fromkeys(after[r] < before for r in rest):
        same = [r for r in rest if (after[r] < before) == is_fall]
        groups.append([r for r in same if 100 * abs(after[r] - after[same[0]]) < CLEARLY])
        groups.append([r for r in same if r not in groups[-1]])
    ways = {r: after[r] < before for group in groups for r in group}
    if set(lead) <= set(ways) and len({ways[r] for r in lead}) == 1:
        groups = [[*lead], *([r for r in group if r not in lead] for group in groups)]
    moves = [_move(before, after, group) for group in groups if group]
    return sorted(moves, key=lambda move: move.is_fall != moves[0].is_fall)


def _is_loose(case: Case, after: Sequence[float]) -> bool:
    """Whether danger depends on who is left out, and is not that of the one label that leads."""
    if len(case.leaders) == 1 and all(case.task.risk[code] == HIGH for code in case.leaders):
        return False
    return max(after, default=0.0) - min(after, default=0.0) >= MOVED


def _hanging(before: float, after: Sequence[float]) -> list[int]:
    """Readings on any of which it hangs how dangerous a case is, those that move it most and alike."""
    falls = [
        r
        for r, then in enumerate(after)
        if before >= PLAUSIBLE and then <= before / 2 and 100 * (before - then) >= CLEARLY
    ]
    rises = [r for r, then in enumerate(after) if then >= max(2 * before, before + _CLEARLY_MORE)]
    if not falls and not rises:
        return []
    most = max((*falls, *rises), key=lambda r: abs(after[r] - before))
    return [r for r in (falls if most in falls else rises) if 100 * abs(after[r] - after[most]) < CLEARLY]


def _move(before: float, after: Sequence[float], readings: Sequence[int]) -> Move:
    """Where high risk moves without readings: to about so much where they move it alike, else to a range."""
    then = sorted((after[r] for r in readings), key=lambda one: -abs(one - before))
    least, most = min(then), max(then)
    if 100 * (most - least) < CLEARLY:
        said = f"{'about ' * (len({times(one) for one in then}) > 1)}{times(then[0])}"
    else:
        is_number = times(least).isdecimal()
        said = f"between {times(least)} and {times(most)}" if is_number else f"at most {times(most)}"
    return Move(tuple(sorted(readings)), then[0] < before, times(before), said)
