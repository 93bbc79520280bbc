"""α-calibration: how far a model's class probabilities are to be trusted, case by case (Mimori 2021, §5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

from core.recalibration.likelihood import LARGEST_LOG, HistogramLikelihood
from core.study.model import FloatArray, IntArray, freeze

STRENGTHS: tuple[float, ...] = (5.0, 0.5, 0.05, 0.005, 0.0005)
"""Strengths of the penalty on (log α0)² to choose from, strongest first."""

_SAME_DIRECTION = 1e-10
"""Directions of the features with less than this share of the largest variance are left out."""


@dataclass(frozen=True, eq=False)
class AlphaCalibration:
    """A fitted concentration, α0(x) = exp(w·g(x) + b): the label distribution is Dirichlet(α0(x)·f(x)).

    Attributes
    ----------
    weight : ndarray of float64 with shape (n_features,)
        w; 0 for a feature that does not vary.
    bias : float
        b.
    strength : float
        Strength of the penalty it was fitted with.
    loss : float
        Weighted mean negative log-likelihood at the fit, penalty included.
    gradient : float
        Largest derivative of the loss left at the fit, by weights of features scaled to unit variance.
    """

    weight: FloatArray
    bias: float
    strength: float
    loss: float
    gradient: float

    def log_concentration(self, features: FloatArray) -> FloatArray:
        """Give log α0, with shape (n_cases,), for features with shape (n_cases, n_features)."""
        return features @ self.weight + self.bias

    def concentration(self, features: FloatArray) -> FloatArray:
        """α0 of each case, in [1e-12, 1e12], with shape (n_cases,)."""
        return np.exp(np.clip(self.log_concentration(features), -LARGEST_LOG, LARGEST_LOG))


def fit_alpha(
    probability: FloatArray,
    counts: IntArray,
    features: FloatArray,
    *,
    strengths: Sequence[float] = STRENGTHS,
) -> list[AlphaCalibration]:
    """Fit the concentration to label histograms, once for each strength of the penalty.

    Parameters
    ----------
    probability : ndarray of float with shape (n_cases, n_labels)
        The model's, above 0; they are not changed.
    counts : ndarray of int with shape (n_cases, n_labels)
        Label histograms.
    features : ndarray of float with shape (n_cases, n_features)
        g(x), finite; may have no columns, for one concentration for all cases.
    strengths : sequence of float
        λ ≥ 0. Each fit starts from the one before, so strongest first is quickest.

    Returns
    -------
    list of AlphaCalibration
        In the order of ``strengths``.

    Raises
    ------
    ValueError
        If no case has two labels or more (nothing then says how raters differ), the features do not fit or
        are not finite, a strength is negative, and as `HistogramLikelihood` does.

    Notes
    -----
    Minimises Σ_i (n_i / n̄) NLL_i / N + λ Σ_i (log α0(x_i))² / N, NLL the Dirichlet-multinomial negative
    log-likelihood without its coefficient (Mimori 2021, §5.2), by L-BFGS with the analytic gradient. Features
    enter in their principal directions at unit variance: that changes the path, not the optimum. With fewer
    cases than features it is the optimum with no weight on directions in which the cases do not differ.
    """
    likelihood = HistogramLikelihood(probability, counts)
    if likelihood.n_labels.max() < 2:
        raise ValueError("α-calibration needs cases with two labels or more, got none")
    if features.ndim != 2 or len(features) != len(probability):
        raise ValueError(f"features must have shape ({len(probability)}, n_features), got {features.shape}")
    if not np.isfinite(features).all():
        raise ValueError(f"features must be finite, got {features[~np.isfinite(features)][0]}")
    if not all(0 <= strength < np.inf for strength in strengths):
        raise ValueError(f"strengths must be finite and 0 or more, got {list(strengths)}")
    centre, directions = _principal_directions(features)
    scores = (features - centre) @ directions
    fitted = []
    start = np.zeros(scores.shape[1] + 1)
    for strength in strengths:
        found = minimize(
            _objective,
            start,
            args=(scores, likelihood, strength),
            jac=True,
            method="L-BFGS-B",
            options={"maxiter": 1000, "ftol": 1e-13, "gtol": 1e-7, "maxcor": 20},
        )
        start = found.x
        weight = directions @ found.x[:-1]
        bias = float(found.x[-1] - centre @ weight)
        steepest = float(np.abs(found.jac).max())
        fitted.append(AlphaCalibration(freeze(weight), bias, strength, float(found.fun), steepest))
    return fitted


def held_out_loss(
    fitted: AlphaCalibration, probability: FloatArray, counts: IntArray, features: FloatArray
) -> float:
    """Weighted mean negative log-likelihood of other cases under a fit, without the penalty."""
    likelihood = HistogramLikelihood(probability, counts)
    return likelihood.mean(fitted.log_concentration(features))[0]


def _objective(
    parameters: FloatArray, scores: FloatArray, likelihood: HistogramLikelihood, strength: float
) -> tuple[float, FloatArray]:
    """Penalised loss and its gradient by the weights of the scores and the bias."""
    log_concentration = scores @ parameters[:-1] + parameters[-1]
    loss, slope = likelihood.mean(log_concentration)
    loss += strength * float(np.mean(log_concentration**2))
    slope = slope + 2 * strength * log_concentration / len(log_concentration)
    return loss, np.append(slope @ scores, slope.sum())


def _principal_directions(features: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Mean, and directions with shape (n_features, rank) along which the features have unit variance."""
    centre = features.mean(axis=0)
    centred = features - centre
    spread = np.sqrt(np.square(centred).mean(axis=0))
    varies = spread > 1e-12 * np.abs(features).max(axis=0, initial=0.0)
    scale = np.divide(1.0, spread, out=np.zeros(len(spread)), where=varies)
    variance, axes = _principal_axes(centred * scale)
    kept = variance > _SAME_DIRECTION * variance.max(initial=0.0)
    return centre, scale[:, None] * axes[:, kept] / np.sqrt(variance[kept])


def _principal_axes(scaled: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Variances, and unit vectors with shape (n_features, n_axes), of features with mean 0.

    With fewer cases than features they are found from the products of cases, of which there are fewer.
    """
    n_cases, n_features = scaled.shape
    if n_features <= n_cases:
        variance, axes = np.linalg.eigh(scaled.T @ scaled / n_cases)
        return variance, axes
    variance, of_cases = np.linalg.eigh(scaled @ scaled.T / n_cases)
    length = np.sqrt(np.maximum(variance, np.finfo(np.float64).tiny) * n_cases)
    return variance, scaled.T @ of_cases / length
