"""Class probabilities that a likelihood can be taken of: above 0, one row for each label histogram."""

from __future__ import annotations

import numpy as np

from core.metrics.calibration.label_histogram import label_histograms
from core.study.model import FloatArray, IntArray

LARGEST_FLOOR = 1e-3
"""A probability of 0 becomes no more than this."""


def check_histograms(probability: FloatArray, counts: IntArray) -> IntArray:
    """Return the label histograms that a fit can use, or say what is wrong with them or the probabilities.

    Parameters
    ----------
    probability : ndarray of float with shape (n_cases, n_labels)
        Of a model; every number above 0.
    counts : ndarray with shape (n_cases, n_labels)
        Whole numbers, 0 or more, not all of them 0.

    Returns
    -------
    ndarray of int32 with shape (n_cases, n_labels)

    Raises
    ------
    ValueError
        If the shapes differ, a probability is not finite and above 0, no case has a label, and as
        `core.metrics.calibration.label_histogram.label_histograms` does.
    """
    checked = label_histograms(counts).counts
    if probability.shape != checked.shape:
        raise ValueError(
            f"probability must have shape {checked.shape} like the counts, got {probability.shape}"
        )
    allowed = (probability > 0) & np.isfinite(probability)
    if not allowed.all():
        case, label = np.argwhere(~allowed)[0]
        raise ValueError(
            "probabilities must be finite and above 0 (without_zeros raises what is 0), "
            f"got {probability[case, label]} for label {label} of case {case}"
        )
    if not checked.any():
        raise ValueError("the label histograms must hold a label, got none for any case")
    return checked


def without_zeros(probability: FloatArray) -> FloatArray:
    """Raise probabilities of exactly 0, which no label could have been given under.

    Parameters
    ----------
    probability : ndarray of float with shape (n_cases, n_labels)
        Rows sum to 1, or are NaN.

    Returns
    -------
    ndarray of float64 with shape (n_cases, n_labels)
        The same where nothing was 0.

    Notes
    -----
    A written 0 is most often a small number rounded off. It becomes half of the smallest positive probability
    of the whole table, at most `LARGEST_FLOOR`; the row is divided by its sum again.
    """
    probability = np.asarray(probability, np.float64)
    zero = probability == 0
    if not zero.any():
        return probability
    smallest = probability[probability > 0].min(initial=1.0)
    raised = np.where(zero, min(smallest / 2, LARGEST_FLOOR), probability)
    row = zero.any(axis=1)
    raised[row] /= raised[row].sum(axis=1, keepdims=True)
    return raised
