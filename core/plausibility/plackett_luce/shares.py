"""How exchangeable labels share what is left for them: the largest shares of a symmetric Dirichlet."""

from __future__ import annotations

import numpy as np
from scipy.special import digamma, gammainc, gammaincinv, polygamma

from core.compiled import njit
from core.plausibility.draws import LARGEST
from core.plausibility.random import seed_state, standard_exponential, standard_gamma, standard_normal
from core.study.model import FloatArray, IntArray

_SPACINGS = 500
"""Exponential spacings that are drawn one by one."""

_STICKS = 50
"""Largest total concentration that is broken stick by stick."""

_GAMMAS = 500
"""Most gamma variates that are drawn one by one."""


def largest_shares(sizes: IntArray, concentration: float, n_draws: int, seed: int) -> FloatArray:
    """Draw the largest shares of Dirichlet(c, …, c) over m labels, for several m.

    Parameters
    ----------
    sizes : ndarray of int with shape (n_sizes,)
        Numbers of labels m, each at least 0.
    concentration : float
        c, above 0; infinity gives equal shares.
    n_draws : int
        Number of independent draws for each size.
    seed : int
        At least 0. The draws for one size do not depend on the other sizes.

    Returns
    -------
    ndarray of float64 with shape (n_sizes, n_draws, LARGEST)
        Shares in [0, 1], descending, 0 where there are fewer than ``LARGEST`` labels.

    Raises
    ------
    ValueError
        If the concentration is not above 0.

    Notes
    -----
    The cost is bounded for any m.

    - c = 1: the j-th largest of m exponentials is Σ_{i≥j} Z_i/i and their sum Σ Z_i, with Z_i independent
      exponentials (Rényi 1953). The terms with i > 500 enter by their sum T = Σ Z_i, which is
      Gamma(m − 500), and by Σ Z_i/i, which given T is replaced by a normal variate of the exact conditional
      mean and variance. The third cumulant that this leaves out is below 2 Σ_{i>500} i⁻³ < 4.1e-6, which
      moves a distribution function of a j-th largest share by less than 2e-5.
    - c·m ≤ 50: shares in size-biased order, V ~ Beta(c + 1, (m − i)·c) of what is left, until the rest is
      smaller than the smallest share kept: exact.
    - m ≤ 500: gamma variates divided by their sum: exact.
    - otherwise the largest gamma variates by the order statistics of uniform numbers, exactly, and the sum of
      the others, all below the last of these, by a gamma variate of the exact mean and variance: the
      distribution functions are off by less than 1e-3.
    """
    if not concentration > 0:
        raise ValueError(f"concentration must be above 0, got {concentration}")
    shares = np.zeros((len(sizes), n_draws, LARGEST))
    for row, m in enumerate(int(size) for size in sizes):
        if m == 0:
            continue
        if np.isinf(concentration):
            shares[row, :, :m] = 1 / m
        elif concentration == 1:
            _by_spacings(m, *_far_spacings(m), seed, shares[row])
        elif concentration * m <= _STICKS:
            _by_sticks(m, concentration, seed, shares[row])
        elif m <= _GAMMAS:
            _by_gammas(m, concentration, seed, shares[row])
        else:
            shares[row] = _by_order_statistics(m, concentration, n_draws, seed)
    return shares


def _far_spacings(m: int) -> tuple[float, float]:
    """Mean and standard deviation of Σ Z_i/i over the far spacings, as a share of Σ Z_i over them."""
    far = m - _SPACINGS
    if far <= 0:
        return 0.0, 0.0
    mean = float(digamma(m + 1) - digamma(_SPACINGS + 1)) / far
    square = float(polygamma(1, _SPACINGS + 1) - polygamma(1, m + 1)) / far
    return mean, float(np.sqrt(max(square - mean**2, 0.0) / (far + 1)))


@njit(cache=True, nogil=True)
def _by_spacings(m: int, far_mean: float, far_spread: float, seed: int, shares: FloatArray) -> None:
    """Fill the shares of m exponentials from their spacings."""
    state = seed_state(seed, m)
    n_draws, n_kept = shares.shape
    near = min(m, _SPACINGS)
    for draw in range(n_draws):
        total = value = 0.0
        if m > near:
            total, state = standard_gamma(state, float(m - near))
            z, state = standard_normal(state)
            value = total * (far_mean + far_spread * z)
        for i in range(near, 0, -1):
            z, state = standard_exponential(state)
            total += z
            value += z / i
            if i <= n_kept:
                shares[draw, i - 1] = value
        for j in range(n_kept):
            shares[draw, j] /= total


@njit(cache=True, nogil=True)
def _insert(kept: FloatArray, value: float) -> None:
    """Insert a value into a descending list, whose last entry drops out."""
    j = len(kept) - 1
    if value <= kept[j]:
        return
    while j > 0 and kept[j - 1] < value:
        kept[j] = kept[j - 1]
        j -= 1
    kept[j] = value


@njit(cache=True, nogil=True)
def _by_sticks(m: int, concentration: float, seed: int, shares: FloatArray) -> None:
    """Fill the shares by breaking a stick in size-biased order."""
    state = seed_state(seed, m)
    for draw in range(shares.shape[0]):
        rest = 1.0
        for left in range(m - 1, -1, -1):
            piece = rest
            if left > 0:
                one, state = standard_gamma(state, concentration + 1.0)
                others, state = standard_gamma(state, concentration * left)
                piece = rest * (one / (one + others))
            _insert(shares[draw], piece)
            rest -= piece
            if rest <= shares[draw, -1]:
                break


@njit(cache=True, nogil=True)
def _by_gammas(m: int, concentration: float, seed: int, shares: FloatArray) -> None:
    """Fill the shares from all m gamma variates."""
    state = seed_state(seed, m)
    n_draws, n_kept = shares.shape
    for draw in range(n_draws):
        total = 0.0
        for _ in range(m):
            value, state = standard_gamma(state, concentration)
            total += value
            _insert(shares[draw], value)
        for j in range(n_kept):
            shares[draw, j] /= total


def _by_order_statistics(m: int, concentration: float, n_draws: int, seed: int) -> FloatArray:
    """Shares of the largest gamma variates, and a variate for the sum of the others."""
    rng = np.random.default_rng([seed, m])
    spacings = rng.standard_exponential((n_draws, LARGEST)) / (m - np.arange(LARGEST))
    quantile = np.exp(-np.cumsum(spacings, axis=1))
    largest = gammaincinv(concentration, quantile)
    cut = largest[:, -1]
    below = gammainc(concentration, cut)
    first = concentration * gammainc(concentration + 1, cut) / below
    second = concentration * (concentration + 1) * gammainc(concentration + 2, cut) / below
    mean = (m - LARGEST) * first
    variance = (m - LARGEST) * (second - first**2)
    others = rng.gamma(mean**2 / variance) * variance / mean
    return largest / (largest.sum(axis=1) + others)[:, None]
