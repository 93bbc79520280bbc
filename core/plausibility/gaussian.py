"""Scores: the normal-inverse-gamma posterior of each case's mean score, seen from a threshold."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from core.plausibility.candidates import Candidates
from core.plausibility.one_hot import OneHotPosterior
from core.study.model import FloatArray, IntArray, Readings, freeze


@dataclass(frozen=True)
class ScorePrior:
    """What is believed of a case's scores before they are read: normal-inverse-gamma.

    Scores of a case are Normal(μ, σ²) with μ | σ² ~ Normal(mean, σ² / mean_weight) and
    σ² ~ InverseGamma(variance_weight / 2, variance_weight · variance / 2).

    Attributes
    ----------
    mean : float
        Where the true means lie, in the unit of the scores.
    variance : float
        How far the readings of one case scatter, in that unit squared; above 0.
    mean_weight : float
        Number of readings that the belief about the mean is worth; above 0.
    variance_weight : float
        Number of readings that the belief about the variance is worth; above 0.
    """

    mean: float
    variance: float
    mean_weight: float
    variance_weight: float = 2.0

    def __post_init__(self) -> None:
        for name in ("variance", "mean_weight", "variance_weight"):
            if not 0 < getattr(self, name) < np.inf:
                raise ValueError(f"{name} must be above 0 and finite, got {getattr(self, name)}")


def score_prior(readings: Readings) -> ScorePrior:
    """Centre a weak prior on the scores of all cases.

    Parameters
    ----------
    readings : Readings
        Of a score task, usually of the whole study.

    Returns
    -------
    ScorePrior
        Its mean is the mean of all scores. Its variance is the variance within cases, pooled, with one degree
        of freedom added at the variance of all scores, so that few repeated readings do not decide alone. Its
        mean weighs variance / (variance of all scores) readings, at most 1: before a case is read, its true
        mean may lie anywhere that scores do. Where all scores are equal, both variances are taken as 1.

    Raises
    ------
    ValueError
        If there is no score.
    """
    return prior_of_moments(*score_moments(readings))


def prior_of_moments(n: IntArray, mean: FloatArray, squares: FloatArray) -> ScorePrior:
    """Prior of `score_prior` from what `score_moments` says of all cases.

    Raises
    ------
    ValueError
        If there is no score.
    """
    n_scores = int(n.sum())
    if n_scores == 0:
        raise ValueError("a prior needs at least one score, got none")
    read = n > 0
    centre = float((n[read] * mean[read]).sum() / n_scores)
    within = float(squares.sum())
    between = float((n[read] * (mean[read] - centre) ** 2).sum())
    total = (within + between) / max(n_scores - 1, 1)
    if not total > 0:
        return ScorePrior(centre, 1.0, 1.0)
    variance = (within + total) / (n_scores - int(read.sum()) + 1)
    return ScorePrior(centre, variance, min(variance / total, 1.0))


def gaussian(
    readings: Readings, *, threshold: float, gamma: float, prior: ScorePrior | None = None
) -> GaussianPosterior:
    """Infer each case's mean score and the side of the threshold that it is on.

    Parameters
    ----------
    readings : Readings
        Of a score task; readings without a score do not count.
    threshold : float
        Scores below it are label 0, scores at or above it label 1.
    gamma : float
        Reliability, above 0: each reading counts so many times; infinity: the mean score is the sample mean.
    prior : ScorePrior, optional
        `score_prior` of the readings by default.

    Returns
    -------
    GaussianPosterior

    Raises
    ------
    ValueError
        If gamma is not above 0 or the threshold is not finite.

    Notes
    -----
    With n readings of mean x̄ and sum of squares S around it, prior mean m₀, variance v₀, weights k₀ and ν₀:
    k = k₀ + γn, m = (k₀ m₀ + γn x̄) / k, ν = ν₀ + γn, νv = ν₀ v₀ + γS + k₀ γn (x̄ − m₀)² / k, and the mean
    score is Student t with ν degrees of freedom, location m and scale √(v / k) (Stutz 2025, app. A).
    """
    if not gamma > 0:
        raise ValueError(f"gamma must be above 0 (inf allowed), got {gamma}")
    if not np.isfinite(threshold):
        raise ValueError(f"threshold must be finite, got {threshold}")
    n, mean, squares = score_moments(readings)
    if np.isinf(gamma) or not n.any():
        undefined = np.where(n > 0, 0.0, np.nan)
        return GaussianPosterior(mean, undefined, undefined + np.inf, threshold)
    prior = prior or score_prior(readings)
    counted = np.where(n > 0, gamma * n, np.nan)
    weight = prior.mean_weight + counted
    location = (prior.mean_weight * prior.mean + counted * mean) / weight
    degrees_of_freedom = prior.variance_weight + counted
    scatter = prior.variance_weight * prior.variance + gamma * squares
    scatter = scatter + prior.mean_weight * counted * (mean - prior.mean) ** 2 / weight
    return GaussianPosterior(
        location, np.sqrt(scatter / degrees_of_freedom / weight), degrees_of_freedom, threshold
    )


def score_moments(readings: Readings) -> tuple[IntArray, FloatArray, FloatArray]:
    """Number, mean and sum of squared deviations of each case's scores, with shape (n_cases,)."""
    scored = ~np.isnan(readings.score)
    case, score = readings.case[scored], readings.score[scored]
    n = np.bincount(case, minlength=readings.n_cases)
    mean = np.bincount(case, weights=score, minlength=readings.n_cases) / np.maximum(n, 1)
    squares = np.bincount(case, weights=(score - mean[case]) ** 2, minlength=readings.n_cases)
    return n, np.where(n > 0, mean, np.nan), squares.astype(np.float64)


class GaussianPosterior(OneHotPosterior):
    """Student t posterior of every case's mean score; all plausibility is on the side that it is on.

    Parameters
    ----------
    location, scale, degrees_of_freedom : ndarray of float64 with shape (n_cases,)
        Of the mean score, in the unit of the scores; NaN for a case without scores. Scale 0: the mean score
        is known to be ``location``.
    threshold : float
        Label 0 is a mean below it, label 1 a mean at or above it.
    """

    def __init__(
        self, location: FloatArray, scale: FloatArray, degrees_of_freedom: FloatArray, threshold: float
    ) -> None:
        self.location = freeze(location)
        self.scale = freeze(scale)
        self.degrees_of_freedom = freeze(degrees_of_freedom)
        self.threshold = threshold
        read = ~np.isnan(location)
        candidates = Candidates(
            np.concatenate([[0], np.cumsum(2 * read)]).astype(np.int64),
            np.tile(np.arange(2, dtype=np.int32), int(read.sum())),
            n_labels=2,
        )
        above = np.where(scale > 0, self._student(location, np.full(len(location), threshold)), 0.0)
        above[scale == 0] = location[scale == 0] >= threshold
        below = np.where(scale > 0, self._student(np.full(len(location), threshold), location), 1 - above)
        super().__init__(candidates, np.stack([below, above], axis=1)[read].ravel())

    def _student(self, a: FloatArray, b: FloatArray) -> FloatArray:
        """Student t distribution function at a − b in units of the scale, which counts as 1 where it is 0."""
        return special.stdtr(self.degrees_of_freedom, (a - b) / np.where(self.scale == 0, 1.0, self.scale))

    def cdf(self, score: float) -> FloatArray:
        """P(mean score ≤ ``score``) of every case, with shape (n_cases,); NaN where there are no scores."""
        step = np.where(np.isnan(self.location), np.nan, np.where(self.location <= score, 1.0, 0.0))
        return np.where(self.scale > 0, self._student(np.full(len(step), score), self.location), step)
