"""Standard error over cases of average precision against hard or soft labels, by the jackknife, exactly."""

from __future__ import annotations

import numpy as np

from core.study.model import FloatArray


def ap_without_each(scores: FloatArray, plausibility: FloatArray) -> FloatArray:
    """s-AP without each case in turn, in one pass.

    Parameters
    ----------
    scores : ndarray of float with shape (n_cases,)
        Any numbers but NaN, the largest the most positive.
    plausibility : ndarray of float with shape (n_cases,)
        Soft or hard labels in [0, 1].

    Returns
    -------
    ndarray of float64 with shape (n_cases,)
        NaN where nothing positive is left.

    Notes
    -----
    Without case k of group h, the groups of higher scores keep their part P_g CP_g / C_g (see
    `core.metrics.soft.metrics.s_ap`); h has (P_h − p_k) (CP_h − p_k) / (C_h − 1), and every lower one
    P_g (CP_g − p_k) / (C_g − 1): sums that run once over the groups.
    """
    p = np.asarray(plausibility, np.float64)
    _, place = np.unique(-np.asarray(scores, np.float64), return_inverse=True)
    own = np.bincount(place, p)
    above, number = np.cumsum(own), np.cumsum(np.bincount(place)).astype(np.float64)
    less = np.maximum(number - 1, 1.0)  # only the first group can hold one case, and then loses all it has
    higher = np.concatenate([[0.0], np.cumsum(own * above / number)[:-1]])
    lower, per_label = (_after(part) for part in (own * above / less, own / less))
    in_group = (own[place] - p) * (above[place] - p) / less[place]
    left = p.sum() - p
    total = higher[place] + in_group + lower[place] - p * per_label[place]
    return np.divide(total, left, out=np.full(len(p), np.nan), where=left > 1e-12)


def ap_influence(scores: FloatArray, plausibility: FloatArray) -> FloatArray:
    """Influence of each case on s-AP, by the jackknife.

    Parameters are those of `ap_without_each`.

    Returns
    -------
    ndarray of float64 with shape (n_cases,)
        Sums to 0; NaN throughout where it cannot be known.

    Notes
    -----
    (n − 1)/n times the mean of all AP_(−k), less that of the case: n / (n − 1) times the sum of their squares
    is the square of `ap_error`.
    """
    without = ap_without_each(scores, plausibility)
    if len(without) < 2 or np.isnan(without).any():
        return np.full(len(without), np.nan)
    influence: FloatArray = (without.mean() - without) * (len(without) - 1) / len(without)
    return influence


def ap_error(scores: FloatArray, plausibility: FloatArray) -> float:
    """Standard error of average precision or s-AP over cases; NaN where it cannot be known.

    Parameters are those of `ap_without_each`.

    Notes
    -----
    The root of (n − 1)/n Σ (AP_(−k) − their mean)² (Efron and Stein 1981), on average no smaller than the
    true variance. It needs something positive left without any one case.
    """
    without = ap_without_each(scores, plausibility)
    n = len(without)
    if n < 2 or np.isnan(without).any():
        return float("nan")
    return float(np.sqrt((n - 1) * without.var()))


def _after(part: FloatArray) -> FloatArray:
    """Sum of all later groups."""
    total: FloatArray = np.cumsum(part[::-1])[::-1] - part
    return total
