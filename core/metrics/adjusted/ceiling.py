"""The most that labels grant any model: a range over plausible truths, as what they support of one."""

from __future__ import annotations

import numpy as np
from scipy.stats import norm

from core.study.model import FloatArray

MIDDLE = 0.95
"""Share of the plausible truths whose accuracies are in a range: the middle ones."""
_MOST_COUNTED = 4000
"""Cases up to which the distribution is exact; beyond, the normal one is nearer than a tenth of a percent."""


def ceiling_range(certainty: FloatArray, middle: float = MIDDLE) -> tuple[float, float]:
    """Say between which accuracies a model lies that names the likeliest label of every case.

    Parameters
    ----------
    certainty : ndarray of float64 with shape (n_cases,)
        Probability that the likeliest label leads, in [0, 1]; NaN where no reading counts, which does not
        count here either.
    middle : float
        Share of the plausible truths that the range holds, in (0, 1).

    Returns
    -------
    (float, float)
        Quantiles of its accuracy over plausible truths, in [0, 1]; NaN without cases.

    Raises
    ------
    ValueError
        If a certainty is no probability.

    Notes
    -----
    In each plausible truth a case is right with its certainty c_i (Stutz 2025, eq. 8), independently of the
    others, so that the number of right ones is a sum of independent Bernoulli variables, counted exactly,
    case by case (Poisson binomial; Wang 1993, Statistica Sinica 3:295). Any other model is right with
    probabilities p_i ≤ c_i. With both drawn from the same uniform numbers, it is never right where this one
    is not: every quantile of its accuracy is at most that of this one, and so are both ends of its range.
    """
    low, high = accuracies(certainty, ends_of(middle))
    return float(low), float(high)


def ends_of(middle: float = MIDDLE) -> FloatArray:
    """Shares of the plausible truths at both ends of those in the middle, with shape (2,)."""
    return np.array([(1 - middle) / 2, (1 + middle) / 2])


def accuracies(chances: FloatArray, shares: FloatArray) -> FloatArray:
    """Accuracies that a model does not exceed in such shares of the plausible truths.

    Parameters
    ----------
    chances : ndarray of float64 with shape (n_cases,)
        As for `reached_in`.
    shares : ndarray of float64 with shape (n,)
        Each in (0, 1).

    Returns
    -------
    ndarray of float64 with shape (n,)
        Quantiles of its accuracy, counted as those of `ceiling_range`; NaN without cases.

    Raises
    ------
    ValueError
        If a chance is no probability.
    """
    known = _known(chances)
    n = len(known)
    if n == 0:
        return np.full(len(shares), np.nan)
    if n > _MOST_COUNTED:
        counts = known.sum() + norm.ppf(shares) * np.sqrt((known * (1 - known)).sum())
    else:
        counts = np.searchsorted(_right_by_chance(known).cumsum(), shares - 1e-12)
    return (counts / n).clip(0, 1)


def reached_in(chances: FloatArray, accuracy: float) -> float:
    """Say in which share of the plausible truths a model is so accurate, or more.

    Parameters
    ----------
    chances : ndarray of float64 with shape (n_cases,)
        Probability that the model names the label that leads, in [0, 1]; NaN does not count.
    accuracy : float
        In [0, 1].

    Returns
    -------
    float
        A share in [0, 1]; NaN without cases.

    Raises
    ------
    ValueError
        If a chance is no probability.

    Notes
    -----
    Of as many cases as `ceiling_range` counts, the upper end of its sum; beyond, that of the normal
    distribution with a continuity correction.
    """
    known = _known(chances)
    n = len(known)
    if n == 0:
        return np.nan
    least = int(np.ceil(accuracy * n - 1e-9))
    if n <= _MOST_COUNTED:
        return float(_right_by_chance(known)[least:].sum().clip(0, 1))
    spread = np.sqrt((known * (1 - known)).sum())
    return float(norm.sf(least - 0.5, known.sum(), spread)) if spread else float(known.sum() >= least)


def _known(chances: FloatArray) -> FloatArray:
    """Leave out the cases that nothing is known of; refuse what is no probability."""
    known = np.asarray(chances, float)
    known = known[~np.isnan(known)]
    if len(known) and (known.min() < -1e-9 or known.max() > 1 + 1e-9):
        raise ValueError(f"certainty must lie between 0 and 1, got {known.min():g} to {known.max():g}")
    return known.clip(0, 1)


def _right_by_chance(chances: FloatArray) -> FloatArray:
    """Probability of each number of successes, 0 … n, of independent trials."""
    of_number = np.zeros(len(chances) + 1)
    of_number[0] = 1.0
    for n, chance in enumerate(chances, 1):
        of_number[1 : n + 1] = of_number[1 : n + 1] * (1 - chance) + of_number[:n] * chance
        of_number[0] *= 1 - chance
    return of_number
