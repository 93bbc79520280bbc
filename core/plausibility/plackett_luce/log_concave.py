"""Exact draws from the log-concave densities that large tied blocks lead to.

In x = log t the density is proportional to exp(a·x − b·eˣ) ∏_i (1 − exp(−r_i eˣ))^{c_i}. With a = 1, r the
rates of a block and c = 1, t is the time of the first arrival from outside a block that has arrived; with r
the times of such arrivals and c < 1, t is a rate known from fractions of such readings.
"""

from __future__ import annotations

import math

import numpy as np

from core.compiled import njit
from core.plausibility.plackett_luce.likelihood import growth
from core.plausibility.random import RandomState, standard_exponential, uniform
from core.study.model import FloatArray

_FLAT = 1e-6


@njit(cache=True, nogil=True, error_model="numpy")
def log_density(x: float, a: float, b: float, c: FloatArray, r: FloatArray) -> float:
    """Logarithm of the density at x, up to a constant."""
    t = math.exp(x)
    total = a * x - b * t
    for i in range(len(r)):
        total += c[i] * math.log(-math.expm1(-r[i] * t))
    return total


@njit(cache=True, nogil=True, error_model="numpy")
def _slope(x: float, a: float, b: float, c: FloatArray, r: FloatArray) -> float:
    """Derivative of `log_density` in x."""
    t = math.exp(x)
    total = a - b * t
    for i in range(len(r)):
        total += c[i] * growth(r[i] * t)
    return total


@njit(cache=True, nogil=True, error_model="numpy")
def log_concave_hat(a: float, b: float, c: FloatArray, r: FloatArray) -> FloatArray:
    """Enclose the density from above by exponentials that touch it at its mode and on both sides.

    Parameters
    ----------
    a, b : float
        Above 0.
    c, r : ndarray of float64 with shape (n_factors,)
        At least 0 and above 0.

    Returns
    -------
    ndarray of float64 with shape (3, 5)
        Each piece's point, log-density there, slope, right end and the weight of all pieces up to it.
    """
    steepest = a + c.sum()
    low = math.log(a / b)  # the slope of every factor lies between 0 and c
    high = math.log(steepest / b)
    while high - low > 0.1 / math.sqrt(steepest):
        middle = 0.5 * (low + high)
        if _slope(middle, a, b, c, r) > 0.0:
            low = middle
        else:
            high = middle
    mode = 0.5 * (low + high)
    width = 1.0 / math.sqrt(steepest)
    curvature = (_slope(mode - width, a, b, c, r) - _slope(mode + width, a, b, c, r)) / (2.0 * width)
    width = 1.2 / math.sqrt(curvature)
    hat = np.empty((3, 5))
    top = log_density(mode, a, b, c, r)
    for piece in range(3):
        point = mode + (piece - 1) * width
        hat[piece, 0] = point
        hat[piece, 1] = log_density(point, a, b, c, r) - top
        hat[piece, 2] = _slope(point, a, b, c, r)
    for piece in range(2):
        meet = hat[piece + 1, 1] - hat[piece, 1]
        meet += hat[piece, 2] * hat[piece, 0] - hat[piece + 1, 2] * hat[piece + 1, 0]
        hat[piece, 3] = meet / (hat[piece, 2] - hat[piece + 1, 2])
    hat[2, 3] = math.inf
    weight = math.exp(_height(hat, 0, hat[0, 3])) / hat[0, 2]
    hat[0, 4] = weight
    length = hat[1, 3] - hat[0, 3]
    start = math.exp(_height(hat, 1, hat[0, 3]))
    rise = hat[1, 2] * length
    weight += start * length * (math.expm1(rise) / rise if abs(rise) > _FLAT else 1.0)
    hat[1, 4] = weight
    hat[2, 4] = weight - math.exp(_height(hat, 2, hat[1, 3])) / hat[2, 2]
    return hat


@njit(cache=True, nogil=True, error_model="numpy")
def _height(hat: FloatArray, piece: int, x: float) -> float:
    """Height of a piece of the hat at x."""
    return hat[piece, 1] + hat[piece, 2] * (x - hat[piece, 0])


@njit(cache=True, nogil=True, error_model="numpy")
def draw_log_concave(
    state: RandomState, hat: FloatArray, a: float, b: float, c: FloatArray, r: FloatArray
) -> tuple[float, RandomState]:
    """Draw x by rejection under its hat."""
    top = log_density(hat[1, 0], a, b, c, r)
    while True:
        choice, state = uniform(state)
        choice *= hat[2, 4]
        u, state = uniform(state)
        if choice < hat[0, 4]:
            piece = 0
            x = hat[0, 3] + math.log(1.0 - u) / hat[0, 2]
        elif choice < hat[1, 4]:
            piece = 1
            length = hat[1, 3] - hat[0, 3]
            rise = hat[1, 2] * length
            x = hat[0, 3] + length * (math.log1p(u * math.expm1(rise)) / rise if abs(rise) > _FLAT else u)
        else:
            piece = 2
            x = hat[1, 3] + math.log(1.0 - u) / hat[2, 2]
        bound, state = standard_exponential(state)
        if log_density(x, a, b, c, r) - top > _height(hat, piece, x) - bound:
            return x, state
