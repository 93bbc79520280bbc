"""Scores: a true mean for every case, a bias and a noise for every rater."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.stats import norm

from core.study.model import FloatArray, Predictions, Readings
from core.study.simulation.models import round_probabilities
from core.study.simulation.readers import Assignment, plain_readings


def draw_rater_errors(
    rng: np.random.Generator, assignment: Assignment, *, bias: float, noise: float, spread: float
) -> pd.DataFrame:
    """Draw every rater's bias ~ Normal(0, bias²) and noise, log-normal around ``noise``, in score units.

    Raises
    ------
    ValueError
        If ``bias`` or ``spread`` is negative or ``noise`` is not positive.
    """
    if bias < 0 or spread < 0 or not noise > 0:
        raise ValueError(
            "rater_bias and rater_spread must be 0 or more and noise positive, "
            f"got {bias}, {spread} and {noise}"
        )
    n_raters = len(assignment.rater_ids)
    return pd.DataFrame(
        {
            "bias": bias * rng.standard_normal(n_raters),
            "noise": noise * np.exp(spread * rng.standard_normal(n_raters)),
        },
        index=pd.Index(assignment.rater_ids, name="rater_id"),
    )


def draw_scores(
    rng: np.random.Generator,
    assignment: Assignment,
    mean: FloatArray,
    raters: pd.DataFrame,
    *,
    scale: tuple[float, float],
    step: float,
) -> Readings:
    """Draw one score a reading: true mean + the rater's bias + noise, on the scale and its steps.

    Parameters
    ----------
    rng : numpy.random.Generator
        Source of randomness.
    assignment : Assignment
        Who reads which case.
    mean : ndarray of float with shape (n_cases,)
        True mean scores.
    raters : DataFrame indexed by rater id
        ``bias`` and ``noise`` in score units.
    scale : (float, float)
        Lowest and highest score; what lies beyond is moved to the end.
    step : float
        Scores are multiples of it.
    """
    bias = raters["bias"].to_numpy()[assignment.rater]
    noise = raters["noise"].to_numpy()[assignment.rater]
    felt = mean[assignment.case] + bias + noise * rng.standard_normal(len(assignment.rater))
    score = np.round(np.clip(felt, *scale) / step) * step
    nothing = np.empty(0, np.int64)
    return plain_readings(assignment, np.zeros(len(score), np.int64), nothing, nothing, score=score)


def side_plausibility(mean: FloatArray, noise: float, threshold: float) -> FloatArray:
    """Shares of unbiased scores below the threshold, and at or above it, with shape (n_cases, 2)."""
    above = norm.cdf((mean - threshold) / noise)
    return np.stack([1 - above, above], axis=1)


def simulate_score_models(
    rng: np.random.Generator,
    mean: FloatArray,
    readings: Readings,
    *,
    noise: float,
    threshold: float,
    regressor: bool = False,
) -> dict[str, Predictions]:
    """Predict the two sides of the threshold as two or three models of different character would.

    Parameters
    ----------
    rng : numpy.random.Generator
        Source of randomness.
    mean : ndarray of float with shape (n_cases,)
        True mean scores.
    readings : Readings
        The scores that were given.
    noise : float
        Standard deviation of a typical score about the true mean.
    threshold : float
        Scores at or above it are on the second side.
    regressor : bool
        Whether there is a third model.

    Returns
    -------
    dict of str to Predictions
        *Confident* has learnt the side of each case's mean score, is sure of it however close the call, and
        errs in one case of twenty. *Calibrated* knows the true mean up to a quarter of the noise and says how
        likely a score is to fall on each side. *Regressor* sees half the noise and gives the number itself: a
        score, no probability.
    """
    total = np.bincount(readings.case, weights=readings.score, minlength=readings.n_cases)
    observed = total / readings.per_case
    sure = rng.uniform(0.88, 0.99, size=len(mean))
    second = (observed >= threshold) ^ (rng.random(len(mean)) < 0.05)
    confident = np.where(second, sure, 1 - sure)
    near = mean + 0.25 * noise * rng.standard_normal(len(mean))
    models = {
        "Confident": np.stack([1 - confident, confident], axis=1),
        "Calibrated": side_plausibility(near, noise, threshold),
    }
    predictions = {name: Predictions(name, round_probabilities(p)) for name, p in models.items()}
    if regressor:
        felt = mean + 0.5 * noise * rng.standard_normal(len(mean))
        predictions["Regressor"] = Predictions.of_scores("Regressor", np.round(felt, 2))
    return predictions
