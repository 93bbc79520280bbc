"""Likelihood of a partial ranking, with ties and an unranked remainder, under Plackett–Luce rates.

Labels arrive at exponential times, label k at rate λ_k. A ranking of blocks says that all labels of the first
block arrive before everything else, in any order, then all of the second, and so on.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from core.compiled import njit
from core.study.model import FloatArray, IntArray

LATTICE_LIMIT = 8
"""Largest block that is treated by its subset lattice; above, an integral is the cheaper of the two."""

_WIDTHS_PER_STEP = 0.25
"""Distance of nodes in log t, in standard deviations of the integrand about its mode."""

_EDGES_PER_STEP = 0.4
"""The same in widths of the edge at which the last of many fast labels arrives: 1/(1 + log n)."""

NEGLIGIBLE = 1e-17
"""Terms of an integral below this share of it are left out."""


def log_likelihood(blocks: Sequence[Sequence[int]], rates: FloatArray, rest: FloatArray) -> FloatArray:
    """Log-likelihood of one partial ranking under many vectors of rates.

    Parameters
    ----------
    blocks : sequence of sequences of int
        The ranking: columns of ``rates``, first choice first, tied labels in one block.
    rates : ndarray of float with shape (n_draws, n_labels)
        Rates λ of labels by name, at least 0, on any scale. Columns in no block are unranked.
    rest : ndarray of float with shape (n_draws,)
        Sum of the rates of all other labels, at least 0.

    Returns
    -------
    ndarray of float64 with shape (n_draws,)
        In [−∞, 0].

    Raises
    ------
    ValueError
        If a column is named twice or does not exist, or a shape is wrong.

    Notes
    -----
    The likelihood is the product over blocks of R(block), the probability that its labels arrive, in any
    order, before all that remain outside it, of total rate Λ. For a single label R = λ/(λ + Λ). For a block A
    of up to ``LATTICE_LIMIT`` labels R follows from a recursion over the subsets C of A that have arrived,

    R(A | C) = Σ_{k∈A∖C} λ_k R(A | C ∪ k) / (Λ + Σ_{i∈A∖C} λ_i),   R(A | A) = 1

    (Stutz 2025, eq. B.3, summed over 2^|A| states in place of |A|! orders); for larger blocks, at a cost
    linear in |A|, from

    R(A) = ∫₀^∞ Λ e^{−Λt} ∏_{k∈A} (1 − e^{−λ_k t}) dt

    by the trapezoid rule in log t, with a relative error below 1e-12. A block with nothing outside is
    certain: R = 1.
    """
    rates = np.ascontiguousarray(rates, np.float64)
    rest = np.ascontiguousarray(rest, np.float64)
    if rates.ndim != 2 or rest.shape != rates.shape[:1]:
        raise ValueError(
            "rates and rest must have shapes (n_draws, n_labels) and (n_draws,), "
            f"got {rates.shape} and {rest.shape}"
        )
    order = np.array([label for block in blocks for label in block], np.int64)
    n_labels = rates.shape[1]
    if len(np.unique(order)) < len(order):
        raise ValueError(f"a ranking must name each label once, got {[list(block) for block in blocks]}")
    if len(order) and not (order.min() >= 0 and order.max() < n_labels):
        raise ValueError(f"labels must be columns 0 … {n_labels - 1} of rates, got {order.tolist()}")
    unranked = np.setdiff1d(np.arange(n_labels), order)
    sizes = np.array([len(block) for block in blocks], np.int64)
    return _log_likelihoods(np.concatenate([order, unranked]), sizes, rates, rest)


@njit(cache=True, nogil=True, error_model="numpy")
def _log_likelihoods(order: IntArray, sizes: IntArray, rates: FloatArray, rest: FloatArray) -> FloatArray:
    """Log-likelihood of each row of rates; ``order`` has the ranked labels, then the others."""
    n_draws = rates.shape[0]
    result = np.zeros(n_draws)
    n_ranked = sizes.sum()
    ordered = np.empty(len(order))
    for draw in range(n_draws):
        for i in range(len(order)):
            ordered[i] = rates[draw, order[i]]
        outside = rest[draw]
        for i in range(n_ranked, len(order)):
            outside += ordered[i]
        stop = n_ranked
        for block in range(len(sizes) - 1, -1, -1):
            members = ordered[stop - sizes[block] : stop]
            result[draw] += log_arrival_first(members, outside)
            for rate in members:
                outside += rate
            stop -= sizes[block]
    return result


@njit(cache=True, nogil=True, error_model="numpy")
def log_arrival_first(rates: FloatArray, outside: float) -> float:
    """Log-probability R that labels of the given rates all arrive before anything of rate ``outside``."""
    if outside == 0.0:
        return 0.0
    smallest = math.inf
    for rate in rates:
        smallest = min(smallest, rate)
    if smallest == 0.0:
        return -math.inf
    if len(rates) == 1:
        return -math.log1p(outside / rates[0])
    if len(rates) <= LATTICE_LIMIT:
        probability = _lattice(rates, outside)
        if probability > 0.0:
            return math.log(probability)
    return _log_integral(rates, outside)


@njit(cache=True, nogil=True, error_model="numpy")
def _lattice(rates: FloatArray, outside: float) -> float:
    """R by the recursion over subsets, each a bit mask of the labels that have arrived."""
    n = len(rates)
    full = (1 << n) - 1
    probability = np.empty(full + 1)
    remaining = np.empty(full + 1)
    probability[full] = 1.0
    remaining[full] = outside
    for arrived in range(full - 1, -1, -1):
        total = 0.0
        for k in range(n):
            if not arrived >> k & 1:
                total += rates[k] * probability[arrived | 1 << k]
                remaining[arrived] = remaining[arrived | 1 << k] + rates[k]
        probability[arrived] = total / remaining[arrived]
    return probability[0]


@njit(cache=True, nogil=True, error_model="numpy")
def log_survivors(rates: FloatArray, time: float) -> float:
    """Logarithm of ∏ (1 − e^{−λ_k t}), the probability that all have arrived by a time."""
    product = 1.0
    logarithm = 0.0
    for rate in rates:
        product *= -math.expm1(-rate * time)
        if product < 1e-150:  # take logarithms rarely
            if product == 0.0:
                return -math.inf
            logarithm += math.log(product)
            product = 1.0
    return logarithm + math.log(product)


@njit(cache=True, nogil=True, error_model="numpy")
def growth(y: float) -> float:
    """y/(e^y − 1): the slope of log(1 − e^{−y}) in log y."""
    if y < 1e-8:
        return 1.0
    if y > 700.0:
        return 0.0
    return y / math.expm1(y)


@njit(cache=True, nogil=True, error_model="numpy")
def quadrature(rates: FloatArray, outside: float) -> tuple[float, float]:
    """First node, near the mode, and distance of nodes in log t: ∫ t·Λe^{−Λt} ∏ (1 − e^{−λ_k t}) d(log t)."""
    low = -math.log(outside)
    high = low + math.log(1.0 + len(rates))
    while high - low > 0.1:
        middle = 0.5 * (low + high)
        time = math.exp(middle)
        slope = 1.0 - outside * time
        for rate in rates:
            slope += growth(rate * time)
        if slope > 0.0:
            low = middle
        else:
            high = middle
    mode = 0.5 * (low + high)
    time = math.exp(mode)
    curvature = outside * time
    for rate in rates:
        slope = growth(rate * time)
        curvature -= slope * (1.0 - slope - rate * time)
    return mode, min(_WIDTHS_PER_STEP / math.sqrt(curvature), _EDGES_PER_STEP / (1.0 + math.log(len(rates))))


@njit(cache=True, nogil=True, error_model="numpy")
def _log_integral(rates: FloatArray, outside: float) -> float:
    """Logarithm of R by the trapezoid rule in log t, outwards from the mode."""
    mode, step = quadrature(rates, outside)
    time = math.exp(mode)
    peak = mode - outside * time + log_survivors(rates, time)
    total = 1.0
    for direction in (-1, 1):
        x = mode
        term = 1.0
        while term > NEGLIGIBLE * total:
            x += direction * step
            time = math.exp(x)
            term = math.exp(x - outside * time + log_survivors(rates, time) - peak)
            total += term
    return min(peak + math.log(outside * total * step), 0.0)
