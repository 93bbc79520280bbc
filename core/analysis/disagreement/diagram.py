"""Reliability diagrams as tables: what was predicted in each bin beside what the raters said."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from core.analysis.disagreement.forecasts import (
    ALL_LABELS,
    CLASS_PROBABILITIES,
    DISAGREEMENT,
    RESAMPLES,
    Forecast,
    resampled_cases,
)
from core.metrics.calibration.bins import Binning
from core.metrics.calibration.disagreement import statistic_sums
from core.metrics.calibration.label_histogram import task_histograms
from core.metrics.calibration.loss_sums import BinSums
from core.metrics.calibration.losses import loss_sums
from core.metrics.calibration.u_statistics import pair_disagreement
from core.study.model import FloatArray, Study, Task

BAND = (0.025, 0.975)
"""Quantiles over resamples between which a band lies."""


def probability_diagram(
    study: Study,
    task: Task,
    forecasts: Sequence[Forecast],
    *,
    label: str = ALL_LABELS,
    binning: Binning = Binning(),  # noqa: B008 - frozen
    resamples: int = RESAMPLES,
) -> pd.DataFrame:
    """Compare class probabilities with the share of raters who chose the class, bin by bin.

    Parameters
    ----------
    study : Study
        Gives the seed of the resamples.
    task : Task
        Gives the labels of the raters.
    forecasts : sequence of Forecast
        What is laid side by side.
    resamples : int
        Of the cases, for the bands.
    label : str
        A label of the task, or `ALL_LABELS`: the predictions of all labels in common bins.
    binning : Binning
        Bins of the predictions.

    Returns
    -------
    DataFrame
        One row a forecast and bin, empty bins included: ``model``, ``method``; ``about`` ("class
        probabilities"), ``label`` (as asked); ``bin`` (from 0), ``lower`` and ``upper`` (its edges);
        ``n`` (predictions in it, those of cases that have a label: one a case, or of all labels one a case
        and label); ``predicted`` (their mean), ``observed`` (mean share of raters), ``low`` and ``high``
        (95 % band of ``observed`` by resampling cases). All four are NaN in an empty bin, the last two also
        where there are fewer than two predictions.

    Raises
    ------
    ValueError
        If the task has no such label.

    Notes
    -----
    Mimori 2021, fig. 1.
    """
    if label != ALL_LABELS and label not in task.labels:
        raise ValueError(
            f"label must be one of {', '.join(task.labels)}, or empty for all of them, got {label!r}"
        )
    histograms = task_histograms(task)
    weights = resampled_cases(study, resamples)
    tables = []
    for forecast in forecasts:
        p = forecast.probability
        if label == ALL_LABELS:
            edges = np.repeat(binning.edges(p.reshape(-1, 1)), p.shape[1], axis=0)
            bins = loss_sums(histograms, p, edges=edges, weights=weights).bins
        else:
            k = task.labels.index(label)
            share = histograms.shares(slice(None))[:, k]
            bins = statistic_sums(share, p[:, k], binning=binning, weights=weights).bins
        tables.append(bins_table((forecast.model, forecast.method), CLASS_PROBABILITIES, label, bins))
    return _join(tables)


def disagreement_diagram(
    study: Study,
    task: Task,
    forecasts: Sequence[Forecast],
    *,
    binning: Binning = Binning(),  # noqa: B008 - frozen
    resamples: int = RESAMPLES,
) -> pd.DataFrame:
    """Compare estimates of disagreement with the share of pairs of raters who disagreed, bin by bin.

    Parameters
    ----------
    study : Study
        Gives the seed of the resamples.
    task : Task
        Gives the labels of the raters.
    forecasts : sequence of Forecast
        What is laid side by side.
    binning : Binning
        Bins of the estimates.
    resamples : int
        Of the cases, for the bands.

    Returns
    -------
    DataFrame
        The columns of `probability_diagram`; ``about`` is "disagreement" and ``label`` empty; ``n`` counts
        cases with two labels or more; ``observed`` is the mean share of pairs of raters who disagreed.
    """
    observed = pair_disagreement(task_histograms(task))
    weights = resampled_cases(study, resamples)
    return _join(
        [
            bins_table(
                (forecast.model, forecast.method),
                DISAGREEMENT,
                ALL_LABELS,
                statistic_sums(observed, forecast.disagreement, binning=binning, weights=weights).bins,
            )
            for forecast in forecasts
        ]
    )


def bins_table(who: tuple[str, str], about: str, label: str, bins: BinSums) -> pd.DataFrame:
    """One row a bin, all classes together, of a forecast by its model and method."""
    n = bins.n.sum(axis=0)
    predicted = _mean(bins.predicted.sum(axis=0), n)
    observed = _mean(bins.observed.sum(axis=0), n)
    low, high = _band(observed, n[:, 0])
    n_bins = len(n)
    return pd.DataFrame(
        {
            "model": [who[0]] * n_bins,
            "method": [who[1]] * n_bins,
            "about": [about] * n_bins,
            "label": [label] * n_bins,
            "bin": np.arange(n_bins),
            "lower": bins.edges[0, :-1],
            "upper": bins.edges[0, 1:],
            "n": n[:, 0].astype(np.int64),
            "predicted": predicted[:, 0],
            "observed": observed[:, 0],
            "low": low,
            "high": high,
        }
    )


def _mean(total: FloatArray, n: FloatArray) -> FloatArray:
    """Quotient, NaN where there is nothing."""
    return np.divide(total, n, out=np.full(total.shape, np.nan), where=n > 0)


def _band(samples: FloatArray, n: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Quantiles of each bin over the resamples that reach it, with shape (n_bins,) each."""
    band = np.full((2, len(samples)), np.nan)
    for b, resampled in enumerate(samples[:, 1:]):
        known = resampled[~np.isnan(resampled)]
        if n[b] > 1 and len(known) > 1:
            band[:, b] = np.quantile(known, BAND)
    return band[0], band[1]


def _join(tables: list[pd.DataFrame]) -> pd.DataFrame:
    """Tables below one another; without any, an empty one with the same columns."""
    if tables:
        return pd.concat(tables, ignore_index=True)
    empty = np.zeros((1, 0, 1))
    return bins_table(("", ""), "", "", BinSums(np.zeros((1, 1)), empty, empty, empty, empty))
