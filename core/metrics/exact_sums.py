"""Means over cases from sums without rounding: the same bits however the cases are divided."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from core.compiled import njit
from core.metrics.estimate import Estimate
from core.study.model import FloatArray, IntArray

_LIMB = 30
"""Bits that one sum takes of each value, so that 2^33 values below 1 fit into it."""
_ABOVE, _BELOW = 2, 5
"""Sums for bits above and below the point: values up to 2^60, in steps of 2^-150."""
_UNIT = 1 << (_LIMB * _BELOW)
_LARGEST = 2.0**26
"""Values whose square still fits; no metric of a case is larger."""
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
    values = values[~np.isnan(values)]
    finite = values[np.isfinite(values)]
    if len(finite) and np.abs(finite).max() > _LARGEST:
        raise ValueError(f"values must be at most {_LARGEST:g} in size, got {np.abs(finite).max():g}")
    total, squares = _limbs(finite)
    return Moments(len(values), _whole(total), _whole(squares), len(values) - len(finite))


def _whole(limbs: IntArray) -> int:
    """Units that the sums of all bits come to, the highest bits first."""
    found = 0
    for limb in limbs.tolist():
        found = (found << _LIMB) + limb
    return found


@njit(cache=True, nogil=True, error_model="numpy")
def _limbs(values: FloatArray) -> tuple[IntArray, IntArray]:
    """Sums of the bits of all values, and of their squares, 30 bits each."""
    total = np.zeros(_ABOVE + _BELOW, np.int64)
    squares = np.zeros(_ABOVE + _BELOW, np.int64)
    for value in values:
        _add(value, total)
        # The square and what rounding it leaves, by Dekker's product.
        square = value * value
        scaled = _SPLIT * value
        high = scaled - (scaled - value)
        low = value - high
        _add(square, squares)
        _add(((high * high - square) + 2.0 * high * low) + low * low, squares)
    return total, squares


@njit(cache=True, nogil=True, error_model="numpy")
def _add(value: float, limbs: IntArray) -> None:
    """Add a value to the sums of its bits; what lies below the last is cut off."""
    rest = value * 2.0 ** (-_LIMB * (_ABOVE - 1))
    for i in range(len(limbs)):
        whole = np.trunc(rest)  # Towards 0, so that what is left is exact.
        limbs[i] += np.int64(whole)
        rest = (rest - whole) * 2.0**_LIMB
