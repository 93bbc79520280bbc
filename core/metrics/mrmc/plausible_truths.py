"""An inference repeated over plausible truths, combined by Rubin's rules."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.metrics.mrmc.inference import Inference
from core.study.model import FloatArray


@dataclass(frozen=True)
class OverTruths:
    """What remains of an inference where the truth is uncertain.

    Attributes
    ----------
    inference : Inference
        Of the mean estimate, with the total variance.
    within : float
        Mean variance under one truth: readers and cases.
    between : float
        Variance of the estimate over truths, with its own error: (1 + 1/m) B.
    n_truths : int
        Truths that were drawn.
    """

    inference: Inference
    within: float
    between: float
    n_truths: int

    @property
    def truth_share(self) -> float:
        """Share of the total variance that the uncertain truth adds."""
        return self.between / (self.within + self.between)


def over_truths(estimate: FloatArray, variance: FloatArray, df: FloatArray) -> OverTruths:
    """Combine the inferences under each of some truths.

    Parameters
    ----------
    estimate, variance, df : ndarray of float64 with shape (n_truths,)
        Under each truth. A single truth is taken as certain.

    Raises
    ------
    ValueError
        Where the mean variance is not above 0.

    Notes
    -----
    Rubin 1987, §3.1: the total variance is W + (1 + 1/m) B, with W the mean of the variances
    and B the variance of the m estimates, and its degrees of freedom by themselves are (m − 1)/γ², with γ the
    share of (1 + 1/m) B. They are joined with those of W, ν (ν + 1)/(ν + 3) (1 − γ), where these are finite
    (Barnard and Rubin 1999).
    """
    m = len(estimate)
    within = float(variance.mean())
    if not within > 0:
        raise ValueError(
            f"the estimated variance is {within:.3g}, which is not above 0: there are too few readers and "
            "cases, or readers and cases do not differ at all; add readers or cases"
        )
    between = float(estimate.var(ddof=1) * (1 + 1 / m)) if m > 1 else 0.0
    share = between / (within + between)
    of_sample = float(np.mean(df))
    if share == 0:
        combined = of_sample
    else:
        of_truths = (m - 1) / share**2
        observed = (
            np.inf if np.isinf(of_sample) else (of_sample + 1) / (of_sample + 3) * of_sample * (1 - share)
        )
        combined = 1 / (1 / of_truths + 1 / observed)
    return OverTruths(
        Inference(float(estimate.mean()), float(np.sqrt(within + between)), float(combined)),
        within,
        between,
        m,
    )
