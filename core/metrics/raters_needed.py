"""How many raters of a given accuracy a wanted fineness takes: exactly, and by a bound."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from scipy.stats import binom

from core.metrics.difficulty import WEIGHTS, accuracy_by_difficulty
from core.metrics.fineness import check_labels, majority_fineness
from core.study.model import FloatArray

MOST_NEEDED = 9_999
"""The largest number of raters that is looked for with two labels."""
MOST_NEEDED_OF_MANY = 199
"""The same with more labels."""


def equal_fineness(accuracy: float, n_raters: int, *, difficulty: float = 0.0, n_labels: int = 2) -> float:
    """Fineness of the majority of raters who are equally accurate.

    Parameters
    ----------
    accuracy : float
        In [0, 1].
    n_raters : int
        1 or more; an even number is as good as one fewer (with two labels: ties are broken by lot).
    difficulty : float
        Standard deviation of the cases' difficulty on the logit scale (`core.metrics.difficulty`).
    n_labels : int
        Number of labels, 2 or more.
    """
    if n_raters < 1:
        raise ValueError(f"n_raters must be 1 or more, got {n_raters}")
    check_labels(n_labels)
    return _equal_fineness(accuracy_by_difficulty(np.array([accuracy]), difficulty), n_raters, n_labels)


def _equal_fineness(at: FloatArray, n_raters: int, n_labels: int) -> float:
    """Fineness for an accuracy at each difficulty, with shape (n_nodes, 1)."""
    if n_labels > 2:
        return float(WEIGHTS @ majority_fineness(np.repeat(at, n_raters, axis=1), n_labels=n_labels))
    odd = n_raters - 1 + n_raters % 2
    return float(WEIGHTS @ binom.sf(odd // 2, odd, at[:, 0]))


def raters_needed(
    accuracy: float, fineness: float, *, difficulty: float = 0.0, n_labels: int = 2
) -> int | None:
    """Fewest equally accurate raters whose majority has at least the wanted fineness.

    Parameters
    ----------
    accuracy : float
        In [0, 1].
    fineness : float
        Wanted, in (0, 1).
    difficulty : float
        Standard deviation of the cases' difficulty on the logit scale; 0 for independent errors.
    n_labels : int
        Number of labels, 2 or more.

    Returns
    -------
    int or None
        None where no number up to `MOST_NEEDED` (`MOST_NEEDED_OF_MANY` for more labels) is enough: where
        raters guess or worse, or err on the same cases so often that no number would help.

    Notes
    -----
    Exact: with accuracy .81 and a wanted .95, 7 raters (Φ = .9721; 5 raters: .9495).
    """
    _check_wanted(fineness)
    check_labels(n_labels)
    most = MOST_NEEDED if n_labels == 2 else MOST_NEEDED_OF_MANY
    at = accuracy_by_difficulty(np.array([accuracy]), difficulty)

    def enough(n_raters: int) -> bool:
        return _equal_fineness(at, n_raters, n_labels) >= fineness

    if enough(1):
        return 1
    if n_labels > 2:
        return next((n for n in range(2, most + 1) if enough(n)), None)
    if not enough(most):
        return None
    low, high = 0, most // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(2 * middle + 1) else (middle, high)
    return 2 * high + 1


def raters_bound(
    accuracy: float, fineness: float, *, logarithm: Literal["natural", "decimal"] = "natural"
) -> int | None:
    """Raters that suffice for a fineness by a Chernoff bound.

    Parameters
    ----------
    accuracy : float
        In [0, 1]; two labels, independent errors.
    fineness : float
        Wanted, in (0, 1).
    logarithm : {"natural", "decimal"}
        The bound holds with the natural one; the published figure was drawn with the decimal one.

    Returns
    -------
    int or None
        None where the accuracy is one half or less.

    Notes
    -----
    P(err) ≤ exp(−δ² n η / (2 + δ)) with δ = 1/(2η) − 1 and η the error rate, so that
    n ≥ 2 (1 + 2η) / (1 − 2η)² · log(1 / (1 − Φ)) (Cabitza 2020, eq. 23 and fig. 10). With accuracy .81 and a
    wanted .95 this is 22 raters, and 10 with the decimal logarithm of the printed figure, which is not
    guaranteed to suffice; exactly, 7 do.
    """
    _check_wanted(fineness)
    if not 0 <= accuracy <= 1:
        raise ValueError(f"accuracy must be in [0, 1], got {accuracy}")
    if logarithm not in ("natural", "decimal"):
        raise ValueError(f"logarithm must be natural or decimal, got {logarithm!r}")
    if accuracy <= 0.5:
        return None
    error = 1 - accuracy
    log = math.log if logarithm == "natural" else math.log10
    return max(1, math.ceil(2 * (1 + 2 * error) / (1 - 2 * error) ** 2 * log(1 / (1 - fineness)) - 1e-9))


def _check_wanted(fineness: float) -> None:
    """Refuse a fineness that nobody can want."""
    if not 0 < fineness < 1:
        raise ValueError(f"the wanted fineness must lie between 0 and 1, got {fineness}")
