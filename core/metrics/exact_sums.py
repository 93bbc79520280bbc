"""Means over cases from sums without rounding: the same bits however the cases are divided."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from core.compiled import inlined, njit
from core.metrics.estimate import Estimate
from core.study.model import FloatArray, IntArray

_STEP = 150
_UNIT = 1 << _STEP
"""Sums are of whole steps of 2^-150."""
_LARGEST = 2.0**26
"""No metric of a case is larger."""
_PLACES = _STEP + 1
"""Places of the last digit of a number in steps, up to that of 2^52, the largest square."""
_HALF = 26
"""Digits of a number that are summed apart, so that 2^36 of them fit."""
_DIGITS, _BIAS = 52, 1023
"""How a float64 is written: binary digits behind the first, and what its exponent is increased by."""
_SPLIT = 134217729.0
"""2^27 + 1: splits a number into two halves of which products are exact (Dekker 1971)."""


@dataclass(frozen=True)
class Moments:
    """Number, sum and sum of squares of values, in whole units of 2^-150.

    Attributes
    ----------
    n : int
        Values that are defined.
    total, squares : int
        Their sum and that of their squares, in units.
    infinite : int
        How many of them are infinite: these are in neither sum.
    """

    n: int = 0
    total: int = 0
    squares: int = 0
    infinite: int = 0

    def __add__(self, other: Moments) -> Moments:
        """Moments of both together, whichever comes first."""
        return Moments(
            self.n + other.n,
            self.total + other.total,
            self.squares + other.squares,
            self.infinite + other.infinite,
        )

    def estimate(self) -> Estimate:
        """Mean with its standard error, as `core.metrics.estimate.mean_over_cases` defines them.

        Returns
        -------
        Estimate
            Each number is the nearest to the exact one; of infinite values the mean is infinite, without a
            standard error.
        """
        if self.n == 0:
            return Estimate(math.nan, math.nan, 0)
        if self.infinite:
            return Estimate(math.inf, math.nan, self.n)
        value = float(Fraction(self.total, self.n * _UNIT))
        if self.n < 2:
            return Estimate(value, math.nan, self.n)
        scatter = Fraction(self.squares, _UNIT) - Fraction(self.total**2, self.n * _UNIT**2)
        return Estimate(value, math.sqrt(float(max(scatter / (self.n - 1) / self.n, Fraction(0)))), self.n)


def moments(per_case: FloatArray) -> Moments:
    """Sum a metric over the cases where it is defined.

    Parameters
    ----------
    per_case : ndarray of float with shape (n_cases,)
        NaN where the metric is undefined: such a case is not counted. At most 2^26 in size, or infinite.

    Raises
    ------
    ValueError
        For a larger value.
    """
    values = np.ascontiguousarray(per_case, np.float64)
    n, infinite, largest, total, squares = _sums(values)
    if largest > _LARGEST:
        raise ValueError(f"values must be at most {_LARGEST:g} in size, got {largest:g}")
    return Moments(n, _whole(total), _whole(squares), infinite)


def _whole(sums: IntArray) -> int:
    """Steps that the sums of the digits at all places come to."""
    found = 0
    for place, (low, high) in enumerate(sums.tolist()):
        found += (low + (high << _HALF)) << place
    return found


@njit(cache=True, nogil=True, error_model="numpy")
def _sums(values: FloatArray) -> tuple[int, int, float, IntArray, IntArray]:
    """Defined values, infinite ones, the largest size of the others, and the sums of these and their squares.

    Beyond `_LARGEST` nothing is summed.
    """
    n = infinite = 0
    largest = 0.0
    total = np.zeros((_PLACES, 2), np.int64)
    squares = np.zeros((_PLACES, 2), np.int64)
    for value in values:
        if np.isnan(value):
            continue
        n += 1
        if np.isinf(value):
            infinite += 1
            continue
        largest = max(largest, abs(value))
        if largest > _LARGEST:
            continue
        _add(value, total)
        # The square and what rounding it leaves, by Dekker's product.
        square = value * value
        scaled = _SPLIT * value
        high = scaled - (scaled - value)
        low = value - high
        _add(square, squares)
        _add(((high * high - square) + 2.0 * high * low) + low * low, squares)
    return n, infinite, largest, total, squares


@inlined
def _add(value: float, sums: IntArray) -> None:
    """Add the digits of a value to the sums at its place; what lies below one step is cut off."""
    bits = int(np.float64(value).view(np.int64))
    place = ((bits >> _DIGITS) & 0x7FF) - (_BIAS + _DIGITS - _STEP)
    if place < -_DIGITS:
        return
    digits = ((bits & ((1 << _DIGITS) - 1)) | (1 << _DIGITS)) >> max(-place, 0)
    place = max(place, 0)
    if bits < 0:
        digits = -digits
    sums[place, 0] += digits & ((1 << _HALF) - 1)
    sums[place, 1] += digits >> _HALF
