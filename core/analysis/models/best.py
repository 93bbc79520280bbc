"""What draws of the metrics say about an order of models, as tidy tables."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import binomtest

from core.analysis.models.intervals import difference_intervals, value_intervals
from core.analysis.models.rank_change import AVERAGED, COUNTERPARTS, LOSSES
from core.analysis.models.resampling import Stability, mean_of
from core.metrics.holm import holm
from core.metrics.rank_correlation import TIE_DECIMALS, kendall, shared_ranks, spearman
from core.study.model import FloatArray, IntArray

COEFFICIENTS = ("spearman", "kendall")
_ENDS = (0.025, 0.975)
INTERVAL_OF = {
    "annotations": "these cases, read again by as many raters",
    "cases": "other cases, read by as many raters",
    "both": "other cases, read by as many raters",
    "raters": "these cases, read by other raters",
    "all": "other cases, read by other raters",
}
"""What an interval is of, by what is drawn."""


def _gain(metric: str, values: FloatArray) -> FloatArray:
    """Values of which more is better, equal where they are so on paper."""
    rounded = np.round(values, TIE_DECIMALS)
    return -rounded if metric in LOSSES else rounded


def pair_table(stable: Stability) -> pd.DataFrame:
    """P(A better than B) for every pair of models.

    Parameters
    ----------
    stable : Stability
        Draws of the metrics.

    Returns
    -------
    DataFrame
        One row a source, metric and ordered pair of different models: ``source``, ``metric``, ``model_a``,
        ``model_b``; ``probability`` that A is better than B, equality counted half, in [0, 1], NaN where no
        draw defines both; ``difference``, ``low`` and ``high``: the observed value of A less that of B, and
        the ends of its 95 % interval, which holds it; ``interval_of``, what the interval speaks of
        (`INTERVAL_OF`); ``caution``, why it may hold the truth less often, or why there is none; ``p`` of no
        difference, two-sided, and ``p_holm``, corrected for the pairs of models of this source and metric,
        ``n_comparisons``: NaN where there is a caution, or two models always agree; ``n_draws`` that define
        both.

    Notes
    -----
    Probabilities are those of `core.analysis.models.resampling.Stability.about_observed`, intervals and
    p-values those of `core.analysis.models.intervals.difference_intervals`; both orders of a pair are one
    comparison (Holm 1979).
    """
    n_models = len(stable.models)
    a, b = np.nonzero(~np.eye(n_models, dtype=bool))
    names = np.array(stable.models, object)
    tables = []
    for source, metric in stable.drawn:
        probability, n_draws = _leads(_gain(metric, stable.about_observed(source, metric)))
        ends = difference_intervals(stable, source, metric)
        corrected, n_comparisons = _corrected(ends.p)
        observed = stable.observed[metric]
        tables.append(
            pd.DataFrame(
                {
                    "source": source,
                    "metric": metric,
                    "model_a": names[a],
                    "model_b": names[b],
                    "probability": probability[a, b],
                    "difference": observed[a] - observed[b],
                    "low": ends.low[a, b],
                    "high": ends.high[a, b],
                    "interval_of": INTERVAL_OF[source],
                    "caution": ends.caution[a, b],
                    "p": ends.p[a, b],
                    "p_holm": corrected[a, b],
                    "n_comparisons": n_comparisons,
                    "n_draws": n_draws[a, b],
                }
            )
        )
    return pd.concat(tables, ignore_index=True)


def _corrected(p: FloatArray) -> tuple[FloatArray, int]:
    """Correct p-values of all ordered pairs, each pair counted once; and the number of pairs with one."""
    pairs = np.triu_indices(len(p), 1)
    corrected = np.full(p.shape, np.nan)
    corrected[pairs] = corrected.T[pairs] = holm(p[pairs])
    return corrected, int((~np.isnan(p[pairs])).sum())


def _leads(gain: FloatArray) -> tuple[FloatArray, IntArray]:
    """P(A above B), and draws that define it, each with shape (n_models, n_models)."""
    n_models = gain.shape[1]
    probability = np.full((n_models, n_models), np.nan)
    n_draws = np.zeros((n_models, n_models), np.int64)
    for a in range(n_models - 1):
        lead = gain[:, [a]] - gain[:, a + 1 :]
        count = (~np.isnan(lead)).sum(axis=0)
        better = (lead > 0).sum(axis=0) + 0.5 * (lead == 0).sum(axis=0)
        share = np.divide(better, count, out=np.full(len(count), np.nan), where=count > 0)
        probability[a, a + 1 :], probability[a + 1 :, a] = share, 1 - share
        n_draws[a, a + 1 :] = n_draws[a + 1 :, a] = count
    return probability, n_draws


def best_table(stable: Stability) -> pd.DataFrame:
    """P(best), and the spread of value and rank, of every model.

    Parameters
    ----------
    stable : Stability
        Draws of the metrics.

    Returns
    -------
    DataFrame
        One row a source, metric and model: ``source``, ``metric``, ``model``; ``observed`` value, on the
        readings and cases as they are, and ``observed_rank``; ``low`` and ``high``, the ends of its 95 %
        interval, which holds it; ``interval_of``, what the interval speaks of (`INTERVAL_OF`); ``caution``,
        why it may hold the truth less often, or why there is none; ``mean_of_draws``, the mean of the metric
        as drawn: over plausible truths, what the model is expected to score where the posterior is taken at
        its word; ``probability`` that the model is best, shared equally where several are, summing to 1 over
        models; ``mean_rank``, ``rank_low`` and ``rank_high`` (quantiles) over draws; ``n_draws`` that define
        the metric for all models (the others do not enter). A model that the metric is not defined for is
        not compared: all is NaN.

    Notes
    -----
    Chances and ranks are those of `core.analysis.models.resampling.Stability.about_observed`, intervals those
    of `core.analysis.models.intervals`.
    """
    tables = []
    for (source, metric), drawn in stable.drawn.items():
        better = metric not in LOSSES
        compared = stable.compares(metric)
        observed = stable.observed[metric]
        defined = _defined(stable, metric, stable.about_observed(source, metric))
        ranks = shared_ranks(defined, larger_is_better=better)
        first = ranks == 1
        best = first / np.maximum(first.sum(axis=1, keepdims=True), 1)
        rank_low, rank_high = _interval(ranks)
        ends = value_intervals(stable, source, metric)
        tables.append(
            pd.DataFrame(
                {
                    "source": source,
                    "metric": metric,
                    "model": stable.models,
                    "observed": observed,
                    "observed_rank": shared_ranks(observed, larger_is_better=better),
                    "low": ends.low,
                    "high": ends.high,
                    "interval_of": INTERVAL_OF[source],
                    "caution": ends.caution,
                    "mean_of_draws": mean_of(drawn),
                    "probability": _at(best.mean(axis=0) if len(defined) else np.nan, compared),
                    "mean_rank": _at(ranks.mean(axis=0) if len(defined) else np.nan, compared),
                    "rank_low": _at(rank_low, compared),
                    "rank_high": _at(rank_high, compared),
                    "n_draws": np.where(compared, len(defined), 0),
                }
            )
        )
    return pd.concat(tables, ignore_index=True).astype({"observed_rank": "Int64"})


def _defined(stable: Stability, metric: str, drawn: FloatArray) -> FloatArray:
    """Draws that define a metric for all models that it compares, and these models alone."""
    of = drawn[:, stable.compares(metric)]
    return of[~np.isnan(of).any(axis=1)]


def _at(values: FloatArray | float, places: NDArray[np.bool_]) -> FloatArray:
    """Values at their places, NaN elsewhere."""
    found = np.full(len(places), np.nan)
    found[places] = values
    return found


def rank_table(stable: Stability) -> pd.DataFrame:
    """How often each model has which rank (Lionetti 2025, fig. 5).

    Parameters
    ----------
    stable : Stability
        Draws of the metrics.

    Returns
    -------
    DataFrame
        One row a source, metric, model and rank that occurs: ``source``, ``metric``, ``model``; ``rank``, 1
        for the best, equals sharing the best of their ranks; ``share`` of the draws that define the metric
        for all models that it compares, in (0, 1].
    """
    tables = []
    for source, metric in stable.drawn:
        names = np.array(stable.models, object)[stable.compares(metric)]
        defined = _defined(stable, metric, stable.about_observed(source, metric))
        ranks = shared_ranks(defined, larger_is_better=metric not in LOSSES).astype(np.int64)
        counts = np.array([np.bincount(of, minlength=len(names) + 1) for of in ranks.T])
        model, rank = np.nonzero(counts)
        tables.append(
            pd.DataFrame(
                {
                    "source": source,
                    "metric": metric,
                    "model": names[model],
                    "rank": rank,
                    "share": counts[model, rank] / max(len(defined), 1),
                }
            )
        )
    return pd.concat(tables, ignore_index=True)


def _interval(values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """2.5 % and 97.5 % quantiles of what is defined, over the first axis; NaN where nothing is."""
    columns = values.reshape(len(values), math.prod(values.shape[1:]))
    found = np.full((2, columns.shape[1]), np.nan)
    complete = ~np.isnan(columns).any(axis=0) & (len(values) > 0)
    if complete.any():
        found[:, complete] = np.quantile(columns[:, complete], _ENDS, axis=0)
    for k in np.flatnonzero(~complete):
        defined = columns[~np.isnan(columns[:, k]), k]
        if len(defined):
            found[:, k] = np.quantile(defined, _ENDS)
    low, high = found.reshape(2, *values.shape[1:])
    return low[()], high[()]


def correlation_draws(stable: Stability) -> pd.DataFrame:
    """How far the order of models under each draw agrees with the observed one.

    Parameters
    ----------
    stable : Stability
        Draws of the metrics.

    Returns
    -------
    DataFrame
        One row a source, metric and draw: ``source``, ``metric``, ``draw`` (from 0), ``spearman`` and
        ``kendall`` (τ-b): correlation with the order by the same metric on the readings and cases as they
        are (Lionetti 2025, app. C). NaN where undefined: fewer than two models, or all equal.
    """
    tables = []
    for (source, metric), drawn in stable.drawn.items():
        compared = stable.compares(metric)
        observed, of = stable.observed[metric][compared], drawn[:, compared]
        defined = not np.isnan(observed).any()
        tables.append(
            pd.DataFrame(
                {
                    "source": source,
                    "metric": metric,
                    "draw": np.arange(len(drawn)),
                    "spearman": spearman(of, observed) if defined else np.nan,
                    "kendall": kendall(of, observed) if defined else np.nan,
                }
            )
        )
    return pd.concat(tables, ignore_index=True)


def correlation_table(draws: pd.DataFrame) -> pd.DataFrame:
    """Mean and spread of the correlations.

    Parameters
    ----------
    draws : DataFrame
        Of `correlation_draws`.

    Returns
    -------
    DataFrame
        One row a source, metric and coefficient: ``source``, ``metric``, ``coefficient`` ("spearman" or
        "kendall"), ``mean``, ``low`` and ``high`` (2.5 % and 97.5 % quantiles), ``n_draws`` where defined.
    """
    rows = []
    for (source, metric), of in draws.groupby(["source", "metric"], sort=False):
        for coefficient in COEFFICIENTS:
            values = of[coefficient].dropna().to_numpy()
            mean = float(values.mean()) if len(values) else np.nan
            rows.append((source, metric, coefficient, mean, *_interval(values), len(values)))
    return pd.DataFrame(rows, columns=["source", "metric", "coefficient", "mean", "low", "high", "n_draws"])


def stability_tests(draws: pd.DataFrame) -> pd.DataFrame:
    """Say whether the order by a soft metric is more stable than the order by its hard counterpart.

    Parameters
    ----------
    draws : DataFrame
        Of `correlation_draws`.

    Returns
    -------
    DataFrame
        One row a source, coefficient and pair of metrics that were both drawn: ``source``, ``metric`` (hard),
        ``counterpart`` (soft), ``coefficient``; ``wins`` and ``losses``, draws in which the soft metric's
        correlation with its original order is the higher or the lower; ``ties``; ``share_better``, the share
        of draws in which it is the higher, equality counted half, in [0, 1], and ``monte_carlo_error``, the
        standard error that it has from so few draws; ``lionetti_2025_p``, the p-value of the published test.
        The last three are NaN where they are undefined.

    Notes
    -----
    The share estimates a probability: more draws make it more exact and nothing else. The published test
    (Lionetti 2025, app. C) is the one-sided binomial test that wins are no more frequent than losses, ties
    left out. It takes draws for independent observations, of which there can be as many as one likes: its
    p-value tells how many draws were made, not how sure the data are, and is here to be laid beside printed
    ones that rest on as many draws.
    """
    rows = []
    for source, of_source in draws.groupby("source", sort=False):
        by_metric = {metric: of.set_index("draw") for metric, of in of_source.groupby("metric")}
        for hard, soft in (COUNTERPARTS | AVERAGED).items():
            if hard not in by_metric or soft not in by_metric:
                continue
            for coefficient in COEFFICIENTS:
                lead = (by_metric[soft][coefficient] - by_metric[hard][coefficient]).dropna()
                lead = lead.round(TIE_DECIMALS)
                wins, losses = int((lead > 0).sum()), int((lead < 0).sum())
                p = share = error = np.nan
                if wins + losses:
                    p = float(binomtest(wins, wins + losses, 0.5, alternative="greater").pvalue)
                if len(lead):
                    scored = (np.sign(lead.to_numpy()) + 1) / 2
                    share, error = float(scored.mean()), float(scored.std() / np.sqrt(len(lead)))
                ties = len(lead) - wins - losses
                rows.append((source, hard, soft, coefficient, wins, losses, ties, share, error, p))
    columns = [
        "source", "metric", "counterpart", "coefficient", "wins", "losses", "ties", "share_better",
        "monte_carlo_error", "lionetti_2025_p",
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=columns)
