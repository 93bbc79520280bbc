"""The Dirichlet-multinomial likelihood of label histograms as a function of the concentration alone."""

from __future__ import annotations

import math

import numpy as np

from core.compiled import njit
from core.recalibration.probabilities import check_histograms
from core.study.model import FloatArray, IntArray

LARGEST_LOG = math.log(1e12)
"""Concentrations are kept from 1e-12 to 1e12: beyond, nothing changes any more."""


class HistogramLikelihood:
    """Likelihood of label histograms, y | x ~ DirichletMultinomial(n, α0(x)·f(x)).

    Parameters
    ----------
    probability : ndarray of float with shape (n_cases, n_labels)
        f, above 0.
    counts : ndarray of int with shape (n_cases, n_labels)
        Label histograms y.

    Attributes
    ----------
    n_labels : ndarray of int64 with shape (n_cases,)
        Labels that each case was given, n.

    Raises
    ------
    ValueError
        As `core.recalibration.probabilities.check_histograms` does.

    Notes
    -----
    Without the multinomial coefficient, −log p(y) = −Σ_k log (α0 f_k)^(y_k) + log α0^(n), with rising powers
    a^(m) = a (a + 1) … (a + m − 1). Every factor is divided by α0, so that sums of logarithms of f_k + j/α0
    and 1 + m/α0 remain: exact where α0 is huge or tiny, where differences of log Γ lose all digits.
    """

    def __init__(self, probability: FloatArray, counts: IntArray) -> None:
        counts = check_histograms(probability, counts)
        self.n_labels = counts.sum(axis=1, dtype=np.int64)
        self._weight = self.n_labels / self.n_labels.mean()
        case, label = np.nonzero(counts)
        share = probability[case, label].astype(np.float64)
        self._first_given = -np.bincount(case, np.log(share), minlength=len(counts))
        again = counts[case, label] > 1
        self._start = np.concatenate([[0], np.cumsum(np.bincount(case[again], minlength=len(counts)))])
        self._share, self._count = share[again], counts[case, label][again]

    def of_cases(self, log_concentration: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Negative log-likelihood of each case and its derivative by log α0, each with shape (n_cases,)."""
        log_kept = np.clip(log_concentration, -LARGEST_LOG, LARGEST_LOG)
        loss, slope = np.empty(len(log_kept)), np.empty(len(log_kept))
        _rising_powers(self._start, self._share, self._count, self.n_labels, np.exp(-log_kept), loss, slope)
        slope[log_kept != log_concentration] = 0.0
        return self._first_given + loss, slope

    def mean(self, log_concentration: FloatArray) -> tuple[float, FloatArray]:
        """Mean over cases, weighted by their labels, with its derivative by each case's log α0.

        Notes
        -----
        The weights are n_i / mean(n), as in the reference computation of Mimori 2021.
        """
        loss, slope = self.of_cases(log_concentration)
        return float(np.mean(self._weight * loss)), self._weight * slope / len(slope)


@njit(cache=True, nogil=True, error_model="numpy")
def _rising_powers(
    start: IntArray,
    share: FloatArray,
    count: IntArray,
    total: IntArray,
    unit: FloatArray,
    loss: FloatArray,
    slope: FloatArray,
) -> None:
    """Fill in what the concentration 1/``unit`` adds to each case's loss, and its slope by log α0.

    Factors are multiplied as long as the product is a plain number: one logarithm serves many.
    """
    for i in range(len(total)):
        log, product, rate = 0.0, 1.0, 0.0
        for m in range(1, total[i]):
            factor = 1.0 + m * unit[i]
            rate -= m * unit[i] / factor
            product *= factor
            if product > 1e100:
                log += math.log(product)
                product = 1.0
        for k in range(start[i], start[i + 1]):
            for j in range(1, count[k]):
                factor = share[k] + j * unit[i]
                rate += j * unit[i] / factor
                product /= factor
                if product > 1e100 or product < 1e-100:
                    log += math.log(product)
                    product = 1.0
        loss[i] = log + math.log(product)
        slope[i] = rate
