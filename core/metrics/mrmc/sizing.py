"""How many readers and cases a study needs for a wanted power."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from scipy import stats

from core.metrics.mrmc.pair_sums import Shared
from core.metrics.mrmc.variance import READER

MOST_CASES = 100_000


def power(
    component: Mapping[Shared, float],
    size: Mapping[str, float],
    *,
    difference: float,
    margin: float = 0.0,
    level: float = 0.95,
) -> float:
    """Probability that a crossed study of these sizes shows what is there.

    Parameters
    ----------
    component : mapping of frozenset to float
        Variance components of the difference, as `core.metrics.mrmc.variance` estimates them; what came out
        below 0 counts as 0.
    size : mapping of str to float
        Number of readers and of cases of each kind, 2 or more.
    difference : float
        The true difference.
    margin : float
        Above 0: the power to show that the first is no worse by it. 0: that there is a difference.
    level : float
        Of the two-sided interval whose lower end decides; a test at (1 − level)/2 on each side.

    Returns
    -------
    float
        In [0, 1].

    Notes
    -----
    The variance is Σ component/Π sizes, its degrees of freedom V²/Σ V_k²/(N_k − 1) as in
    `core.metrics.mrmc.variance`, and the power a tail of the noncentral t-distribution (Hillis, Obuchowski
    and Berbaum 2011).
    """
    part = {
        of: max(value, 0.0) / math.prod(size.get(source, 1.0) for source in of)
        for of, value in component.items()
    }
    total = sum(part.values())
    if total == 0:
        return 1.0 if difference + margin != 0 else 0.0
    below = sum(sum(each for of, each in part.items() if k in of) ** 2 / (n - 1) for k, n in size.items())
    df = total**2 / below if below > 0 else math.inf
    shift = (difference + margin) / math.sqrt(total)
    least = stats.t.ppf((1 + level) / 2, df)
    shown = _beyond(least, df, shift)
    return float(shown if margin > 0 else shown + _beyond(least, df, -shift))


def _beyond(least: float, df: float, shift: float) -> float:
    """P(a noncentral t is above a value), for any degrees of freedom."""
    if df > 1e4:
        return float(stats.norm.sf(least - shift))
    value = float(stats.nct.sf(least, df, shift))
    return value if math.isfinite(value) else float(stats.norm.sf(least - shift))


def cases_needed(
    component: Mapping[Shared, float],
    n_readers: int,
    kinds: Mapping[str, float],
    *,
    difference: float,
    margin: float = 0.0,
    wanted: float = 0.8,
    level: float = 0.95,
) -> int | None:
    """Return the fewest cases with which so many readers reach the wanted power; None beyond `MOST_CASES`.

    Parameters
    ----------
    n_readers : int
        Readers, 2 or more.
    kinds : mapping of str to float
        Share of each kind of case, which stays.
    component, difference, margin, level
        As `power` has them.
    wanted : float
        Power, in (0, 1).
    """

    def enough(n: int) -> bool:
        size = {READER: float(n_readers), **{kind: max(2.0, share * n) for kind, share in kinds.items()}}
        return power(component, size, difference=difference, margin=margin, level=level) >= wanted

    if not enough(MOST_CASES):
        return None
    low, high = int(np.ceil(2 * len(kinds))) - 1, MOST_CASES
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
