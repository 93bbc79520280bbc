"""Scaling, then α-calibration of what it gives: one fit that takes probabilities to a Dirichlet a case."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.recalibration.alpha import AlphaCalibration, fit_alpha, held_out_loss
from core.recalibration.scaling import Scaling, fit_scaling
from core.study.model import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Cases:
    """What a fit sees of some cases.

    Attributes
    ----------
    probability : ndarray of float64 with shape (n_cases, n_labels)
        The model's, above 0.
    counts : ndarray of int with shape (n_cases, n_labels)
        Label histograms.
    features : ndarray of float64 with shape (n_cases, n_features), or None
        g, a row of NaN for a case without; None for the logarithms of the probabilities that α-calibration is
        applied to.
    """

    probability: FloatArray
    counts: IntArray
    features: FloatArray | None

    def take(self, cases: IntArray) -> Cases:
        """Return the given cases, in the given order."""
        features = None if self.features is None else self.features[cases]
        return Cases(self.probability[cases], self.counts[cases], features)

    def scaled(self, scaling: Scaling | None) -> Cases:
        """Return the same cases with scaled probabilities; None leaves them."""
        return self if scaling is None else Cases(scaling.apply(self.probability), self.counts, self.features)

    @property
    def featured(self) -> NDArray[np.bool_]:
        """Whether each case has all its features, with shape (n_cases,)."""
        if self.features is None:
            return np.ones(len(self.counts), bool)
        return np.asarray(np.isfinite(self.features).all(axis=1))

    @property
    def informative(self) -> Cases:
        """The cases that α-calibration can learn from: those with features and a label."""
        return self.take(np.flatnonzero(self.featured & self.counts.any(axis=1)))

    @property
    def alpha_features(self) -> FloatArray:
        """What log α0 is linear in, with shape (n_cases, n_features)."""
        return np.log(self.probability) if self.features is None else self.features


@dataclass(frozen=True, eq=False)
class ScaledAlpha:
    """A scaling, if any, and the concentration fitted to what it gives."""

    scaling: Scaling | None
    alpha: AlphaCalibration

    def concentration(self, cases: Cases) -> FloatArray:
        """α0 of each case, with shape (n_cases,)."""
        return self.alpha.concentration(cases.scaled(self.scaling).alpha_features)

    def loss(self, cases: Cases) -> float:
        """Weighted mean negative log-likelihood of those cases that have features and a label."""
        scaled = cases.informative.scaled(self.scaling)
        return held_out_loss(self.alpha, scaled.probability, scaled.counts, scaled.alpha_features)


def fit_scaled_alpha(
    cases: Cases, strengths: Sequence[float], *, with_temperature: bool
) -> list[ScaledAlpha]:
    """Fit a temperature, if wanted, then the concentration, once for each strength of its penalty.

    Cases without features enter the temperature only.

    Raises
    ------
    ValueError
        As `core.recalibration.alpha.fit_alpha` does.
    """
    scaling = fit_scaling(cases.probability, cases.counts) if with_temperature else None
    scaled = cases.informative.scaled(scaling)
    fitted = fit_alpha(scaled.probability, scaled.counts, scaled.alpha_features, strengths=strengths)
    return [ScaledAlpha(scaling, alpha) for alpha in fitted]
