"""Unbiased estimates of what happens between two raters of a case, from the labels that were given."""

from __future__ import annotations

import numpy as np

from core.metrics.calibration.label_histogram import LabelHistograms
from core.study.model import FloatArray


def pair_disagreement(histograms: LabelHistograms) -> FloatArray:
    """Estimate the probability that two raters of a case choose different labels.

    Parameters
    ----------
    histograms : LabelHistograms
        Labels given to n_cases cases.

    Returns
    -------
    ndarray of float64 with shape (n_cases,)
        In [0, 1]; NaN for a case with fewer than two labels.

    Notes
    -----
    1 − Σ_k n_k (n_k − 1)/(n (n − 1)), the share of pairs of labels that differ (Mimori 2021, eq. 16).
    """
    n = histograms.per_case
    n_square = np.einsum("ik,ik->i", histograms.counts, histograms.counts, dtype=np.int64)
    pairs = n * (n - 1)
    return 1 - np.divide(n_square - n, pairs, out=np.full(len(n), np.nan), where=n > 1)
