"""Readings on which it hangs how dangerous a case is, and what high risk would be without them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from core.analysis.cases.case import Case, high_risk_probability
from core.analysis.cases.left_out import LeftOut, which_words
from core.analysis.cases.outcome import CLEARLY, high_risk_after
from core.analysis.cases.truths import times
from core.analysis.cases.worklist import PLAUSIBLE

_CLEARLY_MORE = 0.10
"""Probability by which high risk rises at least, besides being doubled, where that hangs on one reading."""
MOVED = 0.20
"""Change of high risk from which on a row says what would be, where there are rows."""
DANGER = "without {}, danger falls from {} to {} of 100"
SAFETY = "without {}, danger rises from {} to {} of 100"


def dangers(case: Case, of: LeftOut) -> tuple[float, list[float]]:
    """How often a high-risk label leads, and would without each reading; of none where there is no doubt."""
    if math.isinf(case.aggregation.reliability) or not case.task.has_risk or case.task.kind == "score":
        return 0.0, []
    return high_risk_probability(case), [high_risk_after(case, of.base, one) for one in of.without]


def moving(case: Case, of: LeftOut) -> list[int]:
    """Readings without which high risk is clearly another, though nothing hangs on them, the clearest first.

    Who reads how dangerous a case is without one reading is to find there every other that moves it as much.
    """
    before, after = dangers(case, of)
    moved = {r: abs(then - before) for r, then in enumerate(after)}
    return sorted((r for r, by in moved.items() if by >= MOVED), key=lambda r: -moved[r])


def danger_words(case: Case, of: LeftOut) -> tuple[str, list[list[int]]]:
    """What becomes of high risk without readings that move it far, as part of a sentence, and which they are.

    Those on any of which it hangs come first, then those that move it most the other way, where that is far;
    none where it is sure.
    """
    before, after = dangers(case, of)
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
    words, sign = (DANGER, -1) if most in falls else (SAFETY, 1)
    said = words.format(which_words(case, alike), times(before), _about(after, most, alike))
    other = max(range(len(after)), key=lambda r: sign * (before - after[r]))
    if sign * (before - after[other]) < MOVED:
        return said, [alike]
    others = [r for r, then in enumerate(after) if 100 * abs(then - after[other]) < CLEARLY]
    way = "rises" if sign < 0 else "falls"
    also = f"without {which_words(case, others)}, it {way} to {_about(after, other, others)}"
    return f"{said}; {also}", [alike, others]


def _about(after: Sequence[float], most: int, alike: Sequence[int]) -> str:
    """High risk of 100 without the reading that moves it most; about so much, where others move it alike."""
    said = {times(after[r]) for r in alike}
    return f"{'about ' * (len(said) > 1)}{times(after[most])}"
