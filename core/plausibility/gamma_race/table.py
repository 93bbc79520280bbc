"""Gamma distribution functions on one grid for all shapes, ready for products and integrals.

On the grid every gamma is about equally wide whatever its shape, so that the trapezoid rule converges
geometrically for integrals of products of them. A shape is tabulated between its negligible tails only: some
seventy nodes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import gammainc, gammaincc, gammaln, wrightomega

from core.study.model import FloatArray, IntArray

NEGLIGIBLE = 44.0
"""Tails of probability below exp(−44) are left out."""


class GammaTable(NamedTuple):
    """Distribution functions of distinct shapes on the grid, each between its negligible tails.

    Shape ``d`` has the nodes ``first[d]``, ``first[d] + 1``, …; its values are ``offset[d]:offset[d + 1]``:
    F, 1 − F, log F, and the density of log g times the step in log t.
    """

    first: IntArray
    offset: IntArray
    below: FloatArray
    above: FloatArray
    log_below: FloatArray
    density: FloatArray


def _log_level(node: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return log t and d(log t)/d(node) at grid coordinates.

    With v = w − exp(−w), t = (log(1 + exp(v)) / 2)². To the right t grows as (w/2)², and the square root of
    any large gamma has variance 1/4; to the left log t falls exponentially, so that shapes near 0, whose
    logarithms are as wide as 1/a, take few nodes too.
    """
    stretch = np.exp(-node)
    v = node - stretch
    decay = np.exp(-np.abs(v))
    softplus = np.log1p(decay) + np.maximum(v, 0.0)
    far = v < -30.0
    softplus[far] = 1.0
    log_softplus = np.where(far, v, np.log(softplus))
    sigmoid_ratio = np.where(far, 1.0, np.where(v > 0.0, 1.0, decay) / (1.0 + decay) / softplus)
    return 2.0 * (log_softplus - np.log(2.0)), 2.0 * sigmoid_ratio * (1.0 + stretch)


def _node_of(log_t: FloatArray) -> FloatArray:
    """Grid coordinate of a level: the inverse of `_log_level`."""
    twice_root = 2.0 * np.exp(log_t / 2.0)
    v = np.where(log_t < -60.0, log_t / 2.0 + np.log(2.0), 0.0)
    near = log_t >= -60.0
    v[near] = twice_root[near] + np.log(-np.expm1(-twice_root[near]))
    omega = wrightomega(-v)
    node = v + omega
    node[v < 0.0] = -np.log(omega[v < 0.0])
    return node


def _log_density(shape: FloatArray, log_t: FloatArray, t: FloatArray) -> FloatArray:
    """Logarithm of the density of log g, without cancellation for large shapes."""
    large = shape > 20.0
    a = np.where(large, shape, 20.0)
    excess = t / a - 1.0
    stirling = (1 / 12 - (1 / 360 - (1 / 1260 - 1 / (1680 * a**2)) / a**2) / a**2) / a
    by_stirling = a * (np.log1p(np.maximum(excess, -0.5)) - excess) + np.log(a / (2 * np.pi)) / 2 - stirling
    low = large & (excess < -0.5)
    by_stirling[low] = (a * (log_t - np.log(a) - excess) + np.log(a / (2 * np.pi)) / 2 - stirling)[low]
    return np.where(large, by_stirling, shape * log_t - t - gammaln(shape))


def gamma_table(shape: FloatArray, step: float) -> GammaTable:
    """Tabulate distribution function, survival function and weighted density of Gamma(shape) for each shape.

    The tails left out follow from P(g < t) ≤ t^a/Γ(a + 1) and from the sub-Gaussian bound of the lower tail
    and the sub-gamma bound of the upper. F or 1 − F is computed, whichever is the more accurate.
    """
    low = (gammaln(shape + 1.0) - NEGLIGIBLE) / shape
    gaussian = shape - np.sqrt(2.0 * NEGLIGIBLE * shape)
    large = gaussian > 0.0
    low[large] = np.maximum(low[large], np.log(gaussian[large]))
    high = np.log(shape + NEGLIGIBLE + np.sqrt(2.0 * NEGLIGIBLE * shape))
    first = np.floor(_node_of(low) / step).astype(np.int64)
    length = np.ceil(_node_of(high) / step).astype(np.int64) - first + 1
    offset = np.concatenate([[0], np.cumsum(length)])
    node = np.arange(offset[-1]) + np.repeat(first - offset[:-1], length)
    a = np.repeat(shape, length)
    log_t, slope = _log_level(node * step)
    t = np.exp(log_t)
    density = np.exp(_log_density(a, log_t, t)) * slope * step

    power = log_t < -37.0
    upper = ~power & ((t >= a) | (a < 0.05))
    lower = ~power & ~upper
    below, above = np.empty_like(t), np.empty_like(t)
    log_below = a[power] * log_t[power] - gammaln(a[power] + 1.0)
    below[power], above[power] = np.exp(log_below), -np.expm1(log_below)
    above[upper] = gammaincc(a[upper], t[upper])
    below[upper] = 1.0 - above[upper]
    below[lower] = gammainc(a[lower], t[lower])
    above[lower] = 1.0 - below[lower]
    log_below = np.where(above < 0.5, np.log1p(-np.minimum(above, 0.5)), np.log(below))
    return GammaTable(first, offset, below, above, log_below, density)
