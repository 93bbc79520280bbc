"""What an estimate with a standard error and degrees of freedom says: interval, test, margin."""

from __future__ import annotations

import math
from dataclasses import dataclass

from scipy import stats


@dataclass(frozen=True)
class Inference:
    """An estimate that is about t-distributed.

    Attributes
    ----------
    estimate : float
        A metric, or the difference of two.
    standard_error : float
        Above 0.
    df : float
        Degrees of freedom; ∞ for a normal distribution.
    """

    estimate: float
    standard_error: float
    df: float

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Two-sided interval of a level."""
        half = float(stats.t.ppf((1 + level) / 2, self.df)) * self.standard_error
        return self.estimate - half, self.estimate + half

    def share_interval(self, level: float = 0.95) -> tuple[float, float]:
        """Two-sided interval of a metric that lies in [0, 1], symmetric in its log odds; NaN at 0 and 1."""
        if not 0 < self.estimate < 1:
            return math.nan, math.nan
        centre = math.log(self.estimate / (1 - self.estimate))
        error = self.standard_error / (self.estimate * (1 - self.estimate))
        half = float(stats.t.ppf((1 + level) / 2, self.df)) * error
        return 1 / (1 + math.exp(half - centre)), 1 / (1 + math.exp(-half - centre))

    def t(self, null: float = 0.0) -> float:
        """Distance from a value in standard errors."""
        return (self.estimate - null) / self.standard_error

    def p_two_sided(self, null: float = 0.0) -> float:
        """p-value of the estimate being just this value."""
        return float(2 * stats.t.sf(abs(self.t(null)), self.df))

    def p_not_inferior(self, margin: float) -> float:
        """One-sided p-value of the difference being −margin or less (Chen, Petrick and Sahiner 2012).

        Raises
        ------
        ValueError
            For a margin that is not above 0.
        """
        return float(stats.t.sf(self.t(-_checked(margin)), self.df))

    def p_equivalent(self, margin: float) -> float:
        """Return the larger p-value of two one-sided tests: of −margin or less, and of margin or more."""
        above = float(stats.t.cdf(self.t(_checked(margin)), self.df))
        return max(above, self.p_not_inferior(margin))


def _checked(margin: float) -> float:
    """Refuse what is no margin."""
    if not 0 < margin < math.inf:
        raise ValueError(
            f"margin must be a number above 0, got {margin:g}: it says by how much the first may be worse "
            "than the second and still count as no worse, so write 0.05, not -0.05"
        )
    return margin
