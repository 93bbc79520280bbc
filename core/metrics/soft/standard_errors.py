"""Standard errors over cases of metrics against hard or soft labels, without resampling."""

from __future__ import annotations

import numpy as np

from core.metrics.estimate import mean_over_cases
from core.metrics.soft.metrics import log_losses
from core.study.model import FloatArray


def auroc_influence(scores: FloatArray, plausibility: FloatArray) -> FloatArray:
    """Influence of each case on s-AUROC: its derivative by the weight of the case.

    Parameters
    ----------
    scores : ndarray of float with shape (n_cases,)
        Any numbers but NaN, the largest the most positive.
    plausibility : ndarray of float with shape (n_cases,)
        Soft or hard labels in [0, 1].

    Returns
    -------
    ndarray of float64 with shape (n_cases,)
        Sums to 0; NaN throughout where s-AUROC is undefined.

    Notes
    -----
    With p_i the labels, P = Σ p_i, N = Σ (1 − p_i), A the s-AUROC, V_i the share of the negative mass scored
    below case i and W_i the share of the positive mass scored above it (ties counted half):
    p_i (V_i − A) / P + (1 − p_i) (W_i − A) / N. Of hard labels V and W are the placements of DeLong, DeLong
    and Clarke-Pearson 1988, eq. 6.
    """
    p = np.asarray(plausibility, np.float64)
    s, place = np.unique(scores, return_inverse=True)
    positive, negative = p.sum(), (1 - p).sum()
    if not (positive > 0 and negative > 0):
        return np.full(len(p), np.nan)
    at_positive, at_negative = (np.bincount(place, mass, len(s)) for mass in (p, 1 - p))
    below = (np.cumsum(at_negative) - at_negative / 2)[place] / negative
    above = (positive - np.cumsum(at_positive) + at_positive / 2)[place] / positive
    value = float(p @ below) / positive
    influence: FloatArray = p * (below - value) / positive + (1 - p) * (above - value) / negative
    return influence


def auroc_error(scores: FloatArray, plausibility: FloatArray) -> float:
    """Standard error of AUROC or s-AUROC over cases; NaN where it cannot be known.

    Parameters are those of `auroc_influence`.

    Notes
    -----
    Of hard labels the variance is that of DeLong, DeLong and Clarke-Pearson 1988, with one less than the
    number of positives, and of negatives, in its two parts; it takes two of each. Of soft labels it is
    n / (n − 1) times the sum of squared influences: cases are drawn with their labels.
    """
    influence, p = auroc_influence(scores, plausibility), np.asarray(plausibility)
    if len(p) < 2 or np.isnan(influence).any():
        return float("nan")
    if np.isin(p, (0.0, 1.0)).all():
        sides = [influence[p == side] for side in (0.0, 1.0)]
        if min(map(len, sides)) < 2:
            return float("nan")
        return float(np.sqrt(sum(len(of) / (len(of) - 1) * float((of**2).sum()) for of in sides)))
    return float(np.sqrt(len(p) / (len(p) - 1) * float((influence**2).sum())))


def brier_error(scores: FloatArray, plausibility: FloatArray) -> float:
    """Standard error over cases of the Brier score, hard or soft; NaN for fewer than two cases."""
    p = np.asarray(plausibility, np.float64)
    return mean_over_cases(p * (1 - scores) ** 2 + (1 - p) * scores**2).standard_error


def log_loss_error(scores: FloatArray, plausibility: FloatArray) -> float:
    """Standard error over cases of the log loss, hard or soft; NaN for fewer than two cases."""
    if_positive, if_negative = log_losses(scores)
    p = np.asarray(plausibility, np.float64)
    return mean_over_cases(p * if_positive + (1 - p) * if_negative).standard_error
