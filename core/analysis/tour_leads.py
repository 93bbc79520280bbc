"""Who leads among few labels, exactly, and without compiled code: the tour waits for no compiler.

The same as `core.plausibility.dirichlet.label_counts` gives, which is made for many cases and labels.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from scipy.special import gammainc, gammainccinv, gammaincinv, gammaln

from core.plausibility.aggregate import LABEL_COUNT_ALPHA
from core.study.model import FloatArray, IntArray, Readings, freeze

_TAIL = 1e-17
"""Mass that is left out at either end."""
_COARSEST, _PER_WIDTH = 0.25, 0.4
"""Step of the grid, in log t: at most so much, and so many standard deviations of the narrowest density."""


def counts_of(readings: Readings, n_labels: int) -> IntArray:
    """How many readings of a choice task name each label of each case, with shape (n_cases, n_labels)."""
    flat = readings.case * n_labels + readings.label
    return np.bincount(flat, minlength=readings.n_cases * n_labels).reshape(-1, n_labels)


def votes(counts: IntArray) -> FloatArray:
    """Share of the lead of each label by votes alone, equals sharing it; shape as ``counts``."""
    first = counts == counts.max(axis=1, keepdims=True)
    return first / first.sum(axis=1, keepdims=True)


def leads(counts: IntArray, reliability: float) -> FloatArray:
    """Probability that each label leads, λ ~ Dirichlet(γ·counts + α).

    Parameters
    ----------
    counts : ndarray of int with shape (n_cases, n_labels)
        How many readings name each label.
    reliability : float
        γ, positive; ∞ leaves the votes.

    Returns
    -------
    ndarray of float64 with shape (n_cases, n_labels)
        Sums to 1 over labels.

    Raises
    ------
    ValueError
        If the reliability is not positive.

    Notes
    -----
    Shares of a Dirichlet are gammas divided by their sum, which leaves their order: with g_k ~ Gamma(a_k),
    P(k leads) = ∫ f_k ∏_{i≠k} F_i, here over x = log t by the trapezoid rule, which converges geometrically
    for what is analytic and decays on both sides (Trefethen & Weideman 2014, SIAM Review 56:385).
    """
    if not reliability > 0:
        raise ValueError(f"reliability must be positive, got {reliability:g}")
    if math.isinf(reliability):
        return votes(counts)
    rows, of_case = np.unique(counts, axis=0, return_inverse=True)
    below, density = _tables(reliability, _power(rows.max(), up=True), _power(rows.max(axis=1).min()))
    found = np.empty(rows.shape)
    for label in range(rows.shape[1]):
        others = np.delete(rows, label, axis=1)
        found[:, label] = (density[rows[:, label]] * below[others].prod(axis=1)).sum(axis=1)
    return (found / found.sum(axis=1, keepdims=True))[of_case.reshape(-1)]


@lru_cache(maxsize=32)
def _tables(reliability: float, most: int, least: int) -> tuple[FloatArray, FloatArray]:
    """Distribution function and density, on a common grid of log t, of the gammas of 0 … ``most`` readings.

    In every case some label has ``least`` readings or more; both arrays have shape (most + 1, n_nodes).
    """
    shape = reliability * np.arange(most + 1) + LABEL_COUNT_ALPHA
    # The largest is no smaller than the label with most readings is, by all but the tail.
    low, high = math.log(gammaincinv(shape[least], _TAIL)), math.log(gammainccinv(shape[-1], _TAIL))
    x = np.arange(low, high, min(_COARSEST, _PER_WIDTH / math.sqrt(shape[-1])))
    t = np.exp(x)
    density = np.exp(shape[:, None] * x - t - gammaln(shape)[:, None])
    return freeze(gammainc(shape[:, None], t)), freeze(density)


def _power(number: int, *, up: bool = False) -> int:
    """The power of two at or below a number, or at or above it, so that few tables are made; 0 of 0."""
    return 0 if number == 0 else 1 << (int(number) - up).bit_length() - (not up)
