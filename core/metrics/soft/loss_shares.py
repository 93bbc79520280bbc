"""What each case contributes to a metric: which cases decide between two models."""

from __future__ import annotations

import numpy as np

from core.metrics.soft.metrics import check_probabilities, log_losses
from core.metrics.soft.tie_expectation import Expected, expected_inverses
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


def hard_auroc_loss_shares(scores: FloatArray, hard: FloatArray) -> Shares:
    """Divide 1 − AUROC among the cases, hard labels that are tied split.

    Parameters
    ----------
    scores : ndarray of float with shape (n_cases,)
        Any numbers but NaN, the largest the most positive.
    hard : ndarray of float with shape (n_cases,)
        P(case is positive), 0 and 1 but for tied cases.

    Returns
    -------
    ndarray of float64 with shape (n_cases,)
        0 or more; the sum is 1 − `core.metrics.soft.hard.hard_ranking_metrics`. NaN where that is undefined.
    """
    order, first, last = _groups(scores)
    shares, code, expected = _classes(hard[order])
    if not expected.both > 0:
        return np.full(len(order), np.nan)
    so_far = _counts_so_far(code, len(shares))
    alone = code[:, None] == np.arange(len(shares))
    above = (so_far[first] + so_far[last] - alone) / 2
    below = so_far[-1] - (so_far[first] + so_far[last] + alone) / 2
    weight = shares[:, None] * (1 - shares) * expected.pair / expected.both
    return _scatter(order, ((weight[code] * above).sum(axis=1) + (weight.T[code] * below).sum(axis=1)) / 2)


def hard_ap_loss_shares(scores: FloatArray, hard: FloatArray) -> Shares:
    """Divide 1 − AP among the cases, hard labels that are tied split.

    Parameters and result are those of `hard_auroc_loss_shares`, with AP for AUROC.
    """
    order, first, last = _groups(scores)
    shares, code, expected = _classes(hard[order])
    if not expected.some > 0:
        return np.full(len(order), np.nan)
    alone = code[:, None] == np.arange(len(shares))
    until = (_counts_so_far(code, len(shares))[last] - alone) / last[:, None]
    per_positive = alone / last[:, None]
    from_here = per_positive.sum(axis=0) - np.vstack([np.zeros(len(shares)), np.cumsum(per_positive, axis=0)])
    weight = shares[:, None] * (1 - shares) * expected.positive / expected.some
    spoiled = (weight.T[code] * (from_here[first] - per_positive)).sum(axis=1)
    return _scatter(order, ((weight[code] * until).sum(axis=1) + spoiled) / 2)


def _classes(hard: FloatArray) -> tuple[FloatArray, np.ndarray, Expected]:
    """Distinct probabilities of being positive, the class of each case, and what depends on their numbers."""
    rounded = np.clip(hard, 0.0, 1.0).round(12)
    shares = np.unique(np.concatenate([[0.0, 1.0], rounded]))
    code = np.searchsorted(shares, rounded)
    number = np.bincount(code, minlength=len(shares)).astype(np.float64)
    return shares, code, expected_inverses(number, shares)


def _counts_so_far(code: np.ndarray, n_classes: int) -> FloatArray:
    """How many of the first 0, 1, 2 … cases are of each class, with shape (n_cases + 1, n_classes)."""
    alone = code[:, None] == np.arange(n_classes)
    return np.vstack([np.zeros(n_classes), np.cumsum(alone, axis=0)])


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
