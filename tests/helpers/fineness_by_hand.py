"""Fineness by going through every outcome."""

from __future__ import annotations

from itertools import product

import numpy as np


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
