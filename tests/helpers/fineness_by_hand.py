"""Fineness by going through every outcome, its bound, and that of equal raters."""

from __future__ import annotations

from itertools import product

import numpy as np

from core.metrics.fineness.majority import checked_accuracy
from core.metrics.fineness.raters_needed import equal_fineness_by_size
from core.study.model import FloatArray


def by_brute_force(accuracy: np.ndarray, weight: np.ndarray, n_labels: int) -> float:
    """P(right) by going through every outcome of every rater."""
    total = 0.0
    for labels in product(range(n_labels), repeat=len(accuracy)):
        probability, score = 1.0, np.zeros(n_labels)
        for label, right, vote in zip(labels, accuracy, weight, strict=True):
            probability *= right if label == 0 else (1 - right) / (n_labels - 1)
            score[label] += vote
        leads = np.abs(score - score.max()) < 1e-9
        total += probability * leads[0] / leads.sum()
    return total


def chernoff_bound(accuracy: FloatArray) -> FloatArray:
    """Bound on the majority's error for two labels: 1 − Φ is at most this.

    Parameters
    ----------
    accuracy : ndarray of float with shape (…, n_raters)
        Each rater's probability of a right reading, in [0, 1].

    Returns
    -------
    ndarray of float64 with shape (…)
        In [0, 1]; 1 where the mean accuracy is too low for the bound to say anything.

    Notes
    -----
    With k = ⌈n/2⌉ wrong readings the majority may err, and η the mean error rate,
    P(err) ≤ exp(−n D(k/n ‖ η)) = (nη / k)^k (n(1 − η) / (n − k))^(n − k), the Chernoff bound, which holds for
    unequal raters too (Cabitza 2020, eq. 11). For 13 raters with accuracy .81 it is .0199 and the exact error
    .0052. The first factor alone is .00068, below the exact error: it is no bound.
    """
    accuracy = checked_accuracy(accuracy)
    n_raters = accuracy.shape[-1]
    error = 1 - accuracy.mean(axis=-1)
    wrong = -(-n_raters // 2) / n_raters
    informative = (error < wrong) & (error > 0)
    safe = np.where(informative, error, 0.5 * wrong)
    divergence = wrong * np.log(wrong / safe)
    if wrong < 1:
        divergence = divergence + (1 - wrong) * np.log((1 - wrong) / (1 - safe))
    bound = np.exp(-n_raters * divergence)
    return np.where(informative, bound, np.where(error >= wrong, 1.0, 0.0))


def equal_fineness(accuracy: float, n_raters: int, *, difficulty: float = 0.0, n_labels: int = 2) -> float:
    """Fineness of the majority of so many equally accurate raters."""
    return float(
        equal_fineness_by_size([accuracy], [n_raters], difficulty=difficulty, n_labels=n_labels)[0, 0]
    )
