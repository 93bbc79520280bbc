"""A mean over cases with its standard error and the number of cases that entered."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from core.study.brief import number_of
from core.study.model import FloatArray


@dataclass(frozen=True)
class Estimate:
    """A mean over cases.

    Attributes
    ----------
    value : float
        NaN where no case was defined.
    standard_error : float
        Standard deviation over cases (one degree of freedom less) by the root of the number of cases; NaN
        for fewer than two cases.
    n_cases : int
        Cases that entered.
    """

    value: float
    standard_error: float
    n_cases: int

    def __repr__(self) -> str:
        cases = number_of(self.n_cases, "case")
        if math.isnan(self.value):
            return f"Estimate(undefined, {cases})"
        error = "" if math.isnan(self.standard_error) else f" ± {self.standard_error:.3g}"
        return f"Estimate({self.value:.4g}{error}, {cases})"


def mean_over_cases(per_case: FloatArray) -> Estimate:
    """Average a metric over the cases where it is defined.

    Parameters
    ----------
    per_case : ndarray of float with shape (n_cases,)
        NaN where the metric is undefined: such a case is left out and not counted.
    """
    defined = per_case[~np.isnan(per_case)]
    n = len(defined)
    value = float(defined.mean()) if n else float("nan")
    error = float(defined.std(ddof=1) / np.sqrt(n)) if n > 1 else float("nan")
    return Estimate(value, error, n)
