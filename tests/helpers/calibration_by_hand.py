"""What calibration would give if the truth were known, and means over groups of raters one by one."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np

from core.metrics.calibration.label_histogram import LabelHistograms
from core.study.model import FloatArray

Statistic = Callable[[np.ndarray], np.ndarray]


def true_epistemic_loss(
    probability: FloatArray, concentration: FloatArray | None, truth: FloatArray, *, n_told: int
) -> FloatArray:
    """Expected epistemic loss of each case after expert labels, where the truth is known.

    Parameters
    ----------
    probability, concentration
        As for `core.recalibration.estimates.posterior_probability`.
    truth : ndarray of float with shape (n_cases, n_labels)
        True label distributions q.
    n_told : int
        Number of expert labels told, drawn from q; 0 for the loss before.

    Returns
    -------
    ndarray of float64 with shape (n_cases,)

    Notes
    -----
    E Σ_k (p_k − q_k)² = (α0² Σ_k (f_k − q_k)² + n (1 − Σ_k q_k²)) / (α0 + n)².
    """
    before = np.square(probability - truth).sum(axis=1)
    if concentration is None or n_told == 0:
        return before
    alpha = np.asarray(concentration)
    spread = 1 - np.square(truth).sum(axis=1)
    return (alpha**2 * before + n_told * spread) / (alpha + n_told) ** 2


def best_concentrations(probability: FloatArray, truth: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Concentrations that would be best if the truth were known (Mimori 2021, Theorem 1).

    Parameters
    ----------
    probability : ndarray of float with shape (n_cases, n_labels)
        Class probabilities f.
    truth : ndarray of float with shape (n_cases, n_labels)
        True label distributions q.

    Returns
    -------
    for_disagreement : ndarray of float64 with shape (n_cases,)
        Makes the disagreement estimate right; infinite where the model expects enough disagreement already.
    for_posterior : ndarray of float64 with shape (n_cases,)
        Makes the class probabilities after expert labels, however many, as good as they can be; infinite
        where the class probabilities are right already.

    Notes
    -----
    (1 − Σ q²) / (Σ q² − Σ f²) and (1 − Σ q²) / Σ (f − q)². They agree on average where the class
    probabilities are calibrated.
    """
    spread = 1 - np.square(truth).sum(axis=1)
    too_sure = np.square(truth).sum(axis=1) - np.square(probability, dtype=np.float64).sum(axis=1)
    loss = np.square(probability - truth).sum(axis=1)
    return _ratio(spread, too_sure), _ratio(spread, loss)


def _ratio(spread: FloatArray, by: FloatArray) -> FloatArray:
    """Quotient; infinite where the divisor is not above 0."""
    return np.divide(spread, by, out=np.full(len(by), np.inf), where=by > 0)


def over_groups(histograms: LabelHistograms, statistic: Statistic, n_raters: int) -> np.ndarray:
    """Mean of a statistic of label histograms over all groups of raters of each case, one by one."""
    values = []
    for counts in histograms.counts:
        labels = np.repeat(np.arange(histograms.n_labels), counts)
        groups = list(combinations(labels, n_raters))
        of_group = [
            float(statistic(np.bincount(group, minlength=histograms.n_labels)[None])[0]) for group in groups
        ]
        values.append(np.mean(of_group) if groups else np.nan)
    return np.array(values)
