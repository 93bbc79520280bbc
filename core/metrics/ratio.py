"""A ratio of two sums over cases with its standard error and intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from core.study.model import FloatArray

NORMAL_95 = 1.959963984540054
"""Standard errors on each side of a 95 % interval."""


@dataclass(frozen=True)
class Ratio:
    """A ratio of two sums over cases, such as a mean in which cases count differently.

    Attributes
    ----------
    value : float
        NaN where no case counts.
    standard_error : float
        Over cases; NaN for fewer than two that count.
    n_cases : int
        Cases that count.
    weight : float
        Sum of what they count.
    """

    value: float
    standard_error: float
    n_cases: int
    weight: float

    @property
    def why_no_interval(self) -> str:
        """Why there is no interval; empty where there is one."""
        if self.n_cases > 1:
            return ""
        return "no case" if self.n_cases == 0 else "one case does not tell how far cases differ"

    def interval(self) -> tuple[float, float]:
        """95 % interval: the value ± 1.96 standard errors; NaN without an error."""
        half = NORMAL_95 * self.standard_error
        return self.value - half, self.value + half

    def share_interval(self) -> tuple[float, float]:
        """95 % interval of a ratio that is a share, in [0, 1]; NaN without an error.

        Notes
        -----
        Wilson's interval (1927) of a share of so many cases as have the same standard error (the effective
        number of Korn and Graubard 1998); of as many as count where all or none of it is there. It does not
        shrink to nothing where a few cases all agree. Where cases say yes or no it is Wilson's own.
        """
        if math.isnan(self.standard_error):
            return math.nan, math.nan
        variance, spread = self.standard_error**2, self.value * (1 - self.value)
        n = spread / variance + 1 if variance > 1e-18 and spread > 0 else self.weight
        z2 = NORMAL_95**2
        middle = (self.value + z2 / (2 * n)) / (1 + z2 / n)
        half = NORMAL_95 * math.sqrt(max(spread, 0.0) / n + z2 / (4 * n * n)) / (1 + z2 / n)
        return max(middle - half, 0.0), min(middle + half, 1.0)


def ratio_over_cases(part: FloatArray, whole: FloatArray) -> Ratio:
    """Divide two sums over cases.

    Parameters
    ----------
    part, whole : ndarray of float with shape (n_cases,)
        ``whole`` is 0 or more; a case where it is 0 does not count.

    Notes
    -----
    R = Σ a_i / Σ b_i; its variance is linearised: n / (n − 1) · Σ (a_i − R·b_i)² / (Σ b_i)² (Cochran 1977,
    sec. 6.3). Where all b_i are 1 that is the mean and its usual standard error.
    """
    counts = whole > 0
    a, b = np.asarray(part, np.float64)[counts], np.asarray(whole, np.float64)[counts]
    n, total = len(b), float(b.sum())
    if n == 0:
        return Ratio(math.nan, math.nan, 0, 0.0)
    value = float(a.sum()) / total
    error = math.nan
    if n > 1:
        error = math.sqrt(n / (n - 1) * float(((a - value * b) ** 2).sum())) / total
    return Ratio(value, error, n, total)
