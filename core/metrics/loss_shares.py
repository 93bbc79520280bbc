"""What each case contributes to a metric: which cases decide between two models."""

from __future__ import annotations

import numpy as np

from core.metrics.soft import check_probabilities, log_losses
from core.study.model import FloatArray

Shares = FloatArray


def auroc_loss_shares(scores: FloatArray, plausibility: FloatArray) -> Shares:
    """Divide 1 − s-AUROC among the cases.

    Parameters
    ----------
    scores : ndarray of float with shape (n_cases,)
        Any numbers but NaN, the largest the most positive.
    plausibility : ndarray of float with shape (n_cases,)
        Soft or hard labels in [0, 1].

    Returns
    -------
    ndarray of float64 with shape (n_cases,)
        0 or more; the sum is 1 − s-AUROC. NaN where that is undefined.

    Notes
    -----
    1 − s-AUROC is the mass of misordered pairs of a positive and a negative, ties counted half. Each pair's
    mass is divided equally between its two cases.
    """
    order, first, last = _groups(scores)
    p = plausibility[order]
    positive = np.concatenate([[0.0], np.cumsum(p)])
    negative = np.concatenate([[0.0], np.cumsum(1 - p)])
    total = positive[-1] * negative[-1]
    if not total > 0:
        return np.full(len(p), np.nan)
    negatives_above = (negative[first] + negative[last]) / 2
    positives_below = positive[-1] - (positive[first] + positive[last]) / 2
    return _scatter(order, (p * negatives_above + (1 - p) * positives_below) / (2 * total))


def ap_loss_shares(scores: FloatArray, plausibility: FloatArray) -> Shares:
    """Divide 1 − s-AP among the cases.

    Parameters and result are those of `auroc_loss_shares`, with s-AP for s-AUROC.

    Notes
    -----
    1 − s-AP = Σ_i Σ_j p_i (1 − p_j) [s_j ≥ s_i] / (P n_i), with n_i cases scored at least as high as i: a
    positive loses precision to each negative ranked with or above it. Each such loss is divided equally
    between the two cases.
    """
    order, first, last = _groups(scores)
    p = plausibility[order]
    positive = p.sum()
    if not positive > 0:
        return np.full(len(p), np.nan)
    negatives_until = np.concatenate([[0.0], np.cumsum(1 - p)])[last]
    per_negative = p / last
    from_here_down = np.concatenate([np.cumsum(per_negative[::-1])[::-1], [0.0]])
    share = p * negatives_until / last + (1 - p) * from_here_down[first]
    return _scatter(order, share / (2 * positive))


def brier_loss_shares(scores: FloatArray, plausibility: FloatArray) -> Shares:
    """Each case's part of the soft Brier score, with shape (n_cases,); refuses scores out of [0, 1]."""
    check_probabilities(scores)
    return (plausibility * (1 - scores) ** 2 + (1 - plausibility) * scores**2) / len(scores)


def log_loss_shares(scores: FloatArray, plausibility: FloatArray) -> Shares:
    """Each case's part of the soft log loss, with shape (n_cases,); refuses scores out of [0, 1]."""
    check_probabilities(scores)
    if_positive, if_negative = log_losses(scores)
    return (plausibility * if_positive + (1 - plausibility) * if_negative) / len(scores)


def _groups(scores: FloatArray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Order by descending score; how many cases score higher, and how many at least as high."""
    order = np.argsort(-scores, kind="stable")
    s = -scores[order]
    return order, np.searchsorted(s, s, side="left"), np.searchsorted(s, s, side="right")


def _scatter(order: np.ndarray, ordered: FloatArray) -> FloatArray:
    """Put values by descending score back into the order of the cases."""
    shares = np.empty(len(ordered))
    shares[order] = ordered
    return shares
