"""How dangerous a case may be, and how well predictions do where it matters."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.metrics.adjusted.metrics import RankedLabels
from core.metrics.adjusted.predicted_order import PredictedOrder
from core.metrics.certainty import leading_risk, risk_levels, sum_by_level
from core.metrics.estimate import Estimate
from core.plausibility.candidates import no_readings
from core.plausibility.posterior import Posterior
from core.study.model import HIGH_RISK, RISK_NAMES, FloatArray, IntArray

HIGH = HIGH_RISK
QUANTILES = (0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0)


def by_risk(posterior: Posterior, risk: IntArray) -> Posterior:
    """Turn a posterior over labels into one over risk levels, a level's plausibility the sum of its labels'.

    Parameters
    ----------
    posterior : Posterior
        Distribution over plausibilities of labels.
    risk : ndarray of int with shape (n_labels,)
        0 low, 1 medium, 2 high, `core.study.model.UNKNOWN_RISK` where not given.

    Returns
    -------
    Posterior
        Its labels are the three levels and, where any label has an unknown risk, a fourth one, "unknown".
    """
    levels = risk_levels(risk)
    return posterior.grouped(levels, max(int(levels.max()) + 1, len(RISK_NAMES)))


def expected_risk(posterior: Posterior, risk: IntArray) -> FloatArray:
    """Mean risk of every case, on the scale 0 low, 1 medium, 2 high.

    Parameters
    ----------
    posterior : Posterior
        Distribution over plausibilities λ of labels.
    risk : ndarray of int with shape (n_labels,)
        0 low, 1 medium, 2 high, `core.study.model.UNKNOWN_RISK` where not given.

    Returns
    -------
    ndarray of float64 with shape (n_cases,)
        In [0, 2]; NaN where nobody read the case, or no label of known risk has any mass.

    Notes
    -----
    Σ risk_k E λ_k over the labels of known risk, divided by Σ E λ_k over the same: the expected risk of a
    label drawn from a drawn plausibility, given that its risk is known (Stutz 2025, fig. 8).
    """
    return _mean_level(sum_by_level(posterior.candidates, posterior.mean, risk)[..., None])[:, 0]


def risk_draws(posterior: Posterior, risk: IntArray, n: int, seeds: NDArray[np.uint64]) -> FloatArray:
    """Risk of every case for each of n drawn plausibilities.

    Parameters
    ----------
    posterior : Posterior
        Distribution over plausibilities λ of labels.
    risk : ndarray of int with shape (n_labels,)
        0 low, 1 medium, 2 high, `core.study.model.UNKNOWN_RISK` where not given.
    n : int
        Number of draws.
    seeds : ndarray of uint64 with shape (n_cases,)
        One for each case.

    Returns
    -------
    ndarray of float64 with shape (n_cases, n)
        Σ risk_k λ_k / Σ λ_k over the labels of known risk, in [0, 2] (Stutz 2025, fig. 8 and E.16); NaN where
        nobody read the case, or no label of known risk has any mass.
    """
    levels = by_risk(posterior, risk).sample(n, seeds)
    value = levels.draws.value
    drawn = _mean_level(value.reshape(-1, levels.candidates.n_labels, value.shape[1]))
    return np.where(no_readings(posterior.candidates)[:, None], np.nan, drawn)


def _mean_level(mass: FloatArray) -> FloatArray:
    """Mean level under masses with shape (n_cases, n_levels, n), levels after the third left out."""
    known = mass[:, : len(RISK_NAMES)].sum(axis=1)
    weighted = np.tensordot(mass[:, : len(RISK_NAMES)], np.arange(len(RISK_NAMES), dtype=float), (1, 0))
    return np.divide(weighted, known, out=np.full(known.shape, np.nan), where=known > 0)


def risk_quantiles(draws: FloatArray, levels: Sequence[float] = QUANTILES) -> FloatArray:
    """Quantiles of each case's risk over its draws.

    Parameters
    ----------
    draws : ndarray of float with shape (n_cases, n)
        As `risk_draws` gives them.
    levels : sequence of float
        In [0, 1]; 0 and 1 are the extremes.

    Returns
    -------
    ndarray of float64 with shape (n_cases, n_levels)
        NaN where the draws are (Stutz 2025, fig. 8 and E.16).
    """
    return np.quantile(draws, np.asarray(levels), axis=1).T


def expected_high_risk_hits(
    posterior: Posterior, predicted: PredictedOrder | IntArray, risk: IntArray, k: int
) -> tuple[FloatArray, FloatArray]:
    """P(the truth is of high risk and among the first k) and P(the truth is of high risk), case by case.

    Parameters
    ----------
    posterior : Posterior
        Distribution over plausibilities λ.
    predicted : PredictedOrder, or ndarray of int with shape (n_cases, at least k)
        As `core.metrics.adjusted.metrics.RankedLabels` takes it.
    risk : ndarray of int with shape (n_labels,)
        0 low, 1 medium, 2 high, `core.study.model.UNKNOWN_RISK` where not given.
    k : int
        Depth, at least 1.

    Returns
    -------
    tuple of two ndarrays of float64 with shape (n_cases,)
        Both 0 where nobody read the case or it was not predicted.

    Notes
    -----
    Top-k accuracy given that the truth is of high risk is their `ratio_over_cases`,
    Σ_cases Σ_{y ∈ first k, high risk} P(y = arg max λ) / Σ_cases Σ_{y high risk} P(y = arg max λ). Every case
    enters by its probability of belonging, since the set of high-risk cases is itself uncertain: there is no
    one set of cases to average over, and this quotient of expectations stands for it. To condition on the
    point estimate instead takes a label as certain that the adjusted metric holds uncertain: another point
    estimate selects other cases (Stutz 2025, on risk).
    """
    risk = np.asarray(risk)
    scored = RankedLabels(posterior, predicted)
    undefined = np.isnan(scored.top_k_accuracy(k))
    weight = np.where(undefined, 0.0, leading_risk(posterior, risk)[:, HIGH])
    return np.where(undefined, 0.0, scored.top_k_accuracy(k, among=risk == HIGH)), weight


def expected_false_alarms(
    posterior: Posterior, predicted: PredictedOrder, risk: IntArray
) -> tuple[FloatArray, FloatArray]:
    """P(the first label is of high risk, the truth is not) and P(the first label is of high risk), by case.

    Parameters
    ----------
    posterior : Posterior
        Distribution over plausibilities λ.
    predicted : PredictedOrder
        What a model names, labels that are tied in any order.
    risk : ndarray of int with shape (n_labels,)
        0 low, 1 medium, 2 high, `core.study.model.UNKNOWN_RISK` where not given.

    Returns
    -------
    tuple of two ndarrays of float64 with shape (n_cases,)
        Both 0 where nobody read the case or it was not predicted.

    Notes
    -----
    The quotient of their sums over cases is the share of a model's alarms that are false, one less its
    positive predictive value for high risk: a model that names danger everywhere misses none, and most of its
    alarms are false. Whether an alarm names the right one of several high-risk labels does not matter here.
    """
    high = leading_risk(posterior, np.asarray(risk))[:, HIGH]
    alarm = predicted.total(predicted.places.within(1) * (np.asarray(risk)[predicted.label] == HIGH))
    alarm = np.where(np.isnan(high), 0.0, alarm)
    return alarm * (1 - np.nan_to_num(high)), alarm


def ratio_over_cases(part: FloatArray, whole: FloatArray) -> Estimate:
    """Estimate Σ part / Σ whole over the cases with a whole above 0, its error to first order.

    Parameters
    ----------
    part, whole : ndarray of float with shape (n_cases,)
        At least 0, no part above its whole.
    """
    n = int((whole > 0).sum())
    if n == 0:
        return Estimate(float("nan"), float("nan"), 0)
    value = float(part.sum() / whole.sum())
    residual = (part - value * whole)[whole > 0]
    error = float(residual.std(ddof=1) * np.sqrt(n) / whole.sum()) if n > 1 else float("nan")
    return Estimate(value, error, n)
