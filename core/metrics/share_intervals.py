"""Intervals of estimates in [0, 1], and tests of their differences, from standard errors alone."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import t as student

from core.study.model import FloatArray

STATED = 0.95
"""How often an interval says that it holds the truth."""


def effective_cases(value: FloatArray, error: FloatArray, n_cases: FloatArray) -> FloatArray:
    """Cases, right or wrong, that would tell a share as exactly: x (1 − x) / s²; the cases where s is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(error > 0, value * (1 - value) / np.square(error), n_cases)


def share_interval(
    value: ArrayLike, error: ArrayLike, n_cases: ArrayLike, df: ArrayLike
) -> tuple[FloatArray, FloatArray]:
    """Tell between which ends the true value of an estimate in [0, 1] may lie.

    Parameters
    ----------
    value, error : array of float
        The estimate and its standard error; 0 where all cases are right, or all wrong.
    n_cases : array of float
        Cases that it was made of.
    df : array of float
        Degrees of freedom of the error; at least 1 are taken.

    Returns
    -------
    low, high : ndarray of float64
        Of the 95 % interval, in [0, 1], with the value between them; NaN where value or error is.

    Notes
    -----
    The score interval of Wilson 1927 for x with m cases, m = x (1 − x) / s² being as many as tell it so
    exactly (Korn and Graubard 1998 do so for surveys), and Student's t for the normal distribution:
    (x + t²/2m ± t √(x (1 − x)/m + t²/4m²)) / (1 + t²/m).
    """
    x, s, n = (np.asarray(of, np.float64) for of in (value, error, n_cases))
    t = student.ppf((1 + STATED) / 2, np.maximum(df, 1.0))
    with np.errstate(divide="ignore", invalid="ignore"):
        extra = np.square(t) / effective_cases(x, s, n)
        half = np.sqrt(np.square(t * s) + np.square(extra) / 4)
        low, high = ((x + extra / 2 + side * half) / (1 + extra) for side in (-1, 1))
    return np.clip(low, 0.0, x), np.clip(high, x, 1.0)


def towards_half(value: FloatArray, error: FloatArray, n_cases: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return estimate and error with one right and one wrong case added to the `effective_cases`.

    So that a difference of two has intervals that hold it where an estimate is near 0 or 1 and its error next
    to nothing (Agresti and Caffo 2000). Of an estimate that is no share, and lies outside [0, 1], the error
    is NaN.
    """
    m = effective_cases(value, error, n_cases)
    moved = (m * value + 1) / (m + 2)
    with np.errstate(invalid="ignore"):
        return moved, np.sqrt(moved * (1 - moved) / (m + 2))


def pooled_df(first: FloatArray, second: FloatArray, df: tuple[FloatArray, FloatArray]) -> FloatArray:
    """Degrees of freedom of a difference of independent estimates with these errors (Welch 1947)."""
    a, b = np.square(first), np.square(second)
    pooled: FloatArray = np.square(a + b) / (np.square(a) / df[0] + np.square(b) / df[1])
    return pooled
