"""In how many truths of a hundred each label leads, in whole numbers that add up."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

import pandas as pd

from core.analysis.cases.case import ANY_OTHER, Case, high_risk_probability
from core.analysis.cases.leading import SAME
from core.analysis.cases.worklist import HIGH

_MOST_PINNED = 2
"""Labels that lead most often, of all and of high risk, whose numbers are the last to be moved: the worklist
has them, too."""
_OTHERS = object()
"""What stands for the labels that are not named."""


def of_hundred_truths(case: Case) -> pd.Series:
    """Truths of a hundred in which each label of `plausibility_table` leads; a hundred are all."""
    table = case.plausibilities
    leads = dict(zip(case.order.tolist(), table["leads"].tolist(), strict=False))
    counts = [*whole_truths(case, leads, high_risk_probability(case)).values()]
    if table["label"].iloc[-1] == ANY_OTHER:
        others = 100 * float(table["leads"].iloc[-1])
        counts.append(min(max(100 - sum(counts), 0), _whole(others) + (others > SAME)))
    return pd.Series(counts, index=table.index)


def whole_truths(case: Case, leads: Mapping[int, float], danger: float) -> dict[int, int]:
    """Round how often labels of a case lead, as the case is or would be; see `whole_parts`.

    Parameters
    ----------
    case : Case
        For the levels of its labels.
    leads : mapping of int to float
        Probability that each label leads, by code.
    danger : float
        Probability that a high-risk label leads, those without a probability of their own included.
    """
    is_high = case.task.risk == HIGH
    high = {code: share for code, share in leads.items() if is_high[code]}
    low = {code: share for code, share in leads.items() if not is_high[code]}
    if not case.task.has_risk or case.task.kind == "score":
        danger = 0.0
    together = round(100 * danger)
    counts = whole_parts(high, together, danger - sum(high.values()))
    counts |= whole_parts(low, 100 - together, 1.0 - danger - sum(low.values()))
    capped = {code: min(counts[code], 99) if leads[code] < 1 - SAME else counts[code] for code in leads}
    return _in_order(leads, capped)


def whole_parts(shares: Mapping[int, float], total: int, rest: float = 0.0) -> dict[int, int]:
    """Write shares as whole numbers of a hundred that add up to a whole number.

    Parameters
    ----------
    shares : mapping of int to float
        In [0, 1].
    total : int
        What the numbers, that of the ``rest`` included, add up to: their sum in hundredths, rounded.
    rest : float
        Share of what has no name, whose number is not told.

    Returns
    -------
    dict of int to int
        In the order given. Each is its share rounded, or, of as few as the total asks for, to the other side:
        first of those that are nearest to the middle between two numbers, and last of the largest two. Equal
        shares have equal numbers, none stands above that of a larger share, and the largest is not raised
        beyond what the worklist has: then the sum is less than the total. It is never more.
    """
    if not shares:
        return {}
    exact: dict[Hashable, float] = {code: 100 * share for code, share in shares.items()}
    pinned = sorted(exact, key=lambda code: -exact[code])[:_MOST_PINNED]
    if rest > SAME:
        exact[_OTHERS] = 100 * rest
    counts = {code: _whole(share) for code, share in exact.items()}
    missing = total - sum(counts.values())
    for alike in _raised_first(exact, pinned) if missing > 0 else _lowered_first(exact, pinned):
        if missing > 0 and len(alike) <= missing and counts[alike[0]] < exact[alike[0]]:
            counts |= {code: counts[code] + 1 for code in alike}
            missing -= len(alike)
        elif missing < 0 and counts[alike[0]] > exact[alike[0]]:
            counts |= {code: counts[code] - 1 for code in alike}
            missing += len(alike)
            if missing >= 0:
                break
    return _in_order(shares, {code: counts[code] for code in shares})


def _in_order(shares: Mapping[int, float], counts: Mapping[int, int]) -> dict[int, int]:
    """Lower what stands above the number of a larger share, or of an equal one."""
    falling, least = dict(counts), 100
    for code in sorted(shares, key=lambda code: (-round(100 * shares[code], 7), counts[code])):
        least = falling[code] = min(falling[code], least)
    return falling


def _raised_first(exact: Mapping[Hashable, float], pinned: Sequence[Hashable]) -> list[list[Hashable]]:
    """Labels with equal shares together: those that rounding lowers most first, the largest never."""
    blocks = [alike for alike in _blocks(exact) if pinned[0] not in alike]
    return sorted(blocks, key=lambda alike: -_moved(exact[alike[0]]))


def _lowered_first(exact: Mapping[Hashable, float], pinned: Sequence[Hashable]) -> list[list[Hashable]]:
    """Labels with equal shares together: those that rounding raises most first, ``pinned`` ones last."""

    def rank(alike: list[Hashable]) -> tuple[int, float]:
        place = next((len(pinned) - i for i, code in enumerate(pinned) if code in alike), 0)
        return place, -_moved(exact[alike[0]])

    return sorted(_blocks(exact), key=rank)


def _blocks(exact: Mapping[Hashable, float]) -> list[list[Hashable]]:
    """Labels with equal shares together."""
    blocks: dict[float, list[Hashable]] = {}
    for code, share in exact.items():
        blocks.setdefault(round(share, 7), []).append(code)
    return [*blocks.values()]


def _whole(share: float) -> int:
    """A number as it is written without decimals."""
    return round(share)


def _moved(share: float) -> float:
    """How far rounding moves a number."""
    return abs(share - _whole(share))
