"""What an α-calibrated model expects of raters: their disagreement, and what one more label would change."""

from __future__ import annotations

import numpy as np

from core.metrics.calibration.disagreement import independent_disagreement
from core.metrics.calibration.label_histogram import label_histograms
from core.study.model import FloatArray, IntArray


def disagreement_probability(probability: FloatArray, concentration: FloatArray | None = None) -> FloatArray:
    """Probability that two raters give a case different labels, as the model expects it.

    Parameters
    ----------
    probability : ndarray of float with shape (n_cases, n_labels)
        Class probabilities f.
    concentration : ndarray of float with shape (n_cases,), optional
        α0 > 0; without it the class probabilities are taken as certain (α0 = ∞).

    Returns
    -------
    ndarray of float64 with shape (n_cases,)
        In [0, 1].

    Notes
    -----
    E[1 − Σ_k ζ_k²] for ζ ~ Dirichlet(α0 f), that is α0/(α0 + 1) · (1 − Σ_k f_k²) (Mimori 2021, eq. 17, 19).
    """
    differs = independent_disagreement(probability)
    return differs if concentration is None else differs * concentration / (concentration + 1)


def posterior_probability(
    probability: FloatArray, concentration: FloatArray | None, counts: IntArray
) -> FloatArray:
    """Class probabilities after expert labels.

    Parameters
    ----------
    probability : ndarray of float with shape (n_cases, n_labels)
        Class probabilities f before them.
    concentration : ndarray of float with shape (n_cases,), or None
        α0 > 0; None takes the class probabilities as certain, and no label changes them.
    counts : ndarray of int with shape (n_cases, n_labels)
        How often experts gave each label; 0 everywhere for none.

    Returns
    -------
    ndarray of float64 with shape (n_cases, n_labels)

    Raises
    ------
    ValueError
        If a count is no whole number of 0 or more.

    Notes
    -----
    (α0 f + y) / (α0 + n), the mean of Dirichlet(α0 f + y) (Mimori 2021, eq. 18, 19).
    """
    counts = label_histograms(counts).counts.astype(np.int64)
    if concentration is None:
        return np.asarray(probability, np.float64)
    prior = np.asarray(concentration)[:, None]
    return (prior * probability + counts) / (prior + counts.sum(axis=1, keepdims=True))


def posterior_epistemic_loss(
    probability: FloatArray, concentration: FloatArray | None, counts: IntArray
) -> FloatArray:
    """Unbiased epistemic loss of each case after one of its labels is told, judged by its other labels.

    Parameters
    ----------
    probability : ndarray of float with shape (n_cases, n_labels)
        Class probabilities f before the label.
    concentration : ndarray of float with shape (n_cases,), or None
        α0 > 0; None takes the class probabilities as certain: the loss is that before the label.
    counts : ndarray of int with shape (n_cases, n_labels)
        Label histograms.

    Returns
    -------
    ndarray of float64 with shape (n_cases,)
        The mean over which label is told; NaN for a case with fewer than three labels (one to tell, two to
        judge by). Single cases may be negative; the mean over cases is unbiased.

    Raises
    ------
    ValueError
        If a count is no whole number of 0 or more.

    Notes
    -----
    With p the posterior after the told label and ȳ the mean of the other n − 1, a case's loss is
    Σ p² − 2 Σ p ȳ + Σ y(y − 1) / (n(n − 1)), the last term an unbiased estimate of Σ q² (Mimori 2021, eq. 10
    and Table 2); averaged in closed form.
    """
    counts = label_histograms(counts).counts.astype(np.int64)
    n = counts.sum(axis=1).astype(np.float64)
    enough = n >= 3
    n = np.where(enough, n, np.nan)
    squares = np.square(probability, dtype=np.float64).sum(axis=1)
    agreed = (probability * counts).sum(axis=1) / n
    pairs = (counts * (counts - 1)).sum(axis=1) / (n * (n - 1))
    if concentration is None:
        return squares - 2 * agreed + pairs
    alpha = np.asarray(concentration)
    own = (alpha**2 * squares + 2 * alpha * agreed + 1) / (alpha + 1) ** 2
    cross = (alpha * agreed + pairs) / (alpha + 1)
    return own - 2 * cross + pairs
