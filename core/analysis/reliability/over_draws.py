"""One metric of one model over plausibility draws: each draw is a possible truth, with its own accuracy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.analysis.models.score_models import require_probabilities
from core.analysis.portions import aggregate_portion, drawn_portion, portions, predictions_of
from core.metrics.adjusted.metrics import adjusted_metrics
from core.metrics.adjusted.spread import SpreadOverDraws
from core.metrics.estimate import mean_over_cases
from core.plausibility.settings import Aggregation
from core.study.model import FloatArray, Study, Task

N_BINS = 30
"""About how many bins a histogram has."""


@dataclass(frozen=True, eq=False)
class OverDraws:
    """A metric of a model over draws.

    Attributes
    ----------
    model, metric : str
        What was measured.
    value : ndarray of float64 with shape (n_draws,)
        Mean over cases for each draw of all plausibilities.
    adjusted : float
        Uncertainty-adjusted metric: the expectation over all plausibilities.
    point : float
        The ordinary metric against the point estimate, γ = ∞.
    n_cases : int
        Cases that entered.
    """

    model: str
    metric: str
    value: FloatArray
    adjusted: float
    point: float
    n_cases: int


def over_draws(
    study: Study, task: Task, aggregation: Aggregation, model: str, metric: str = "top-1 accuracy"
) -> OverDraws:
    """Measure a model against each of many possible truths (Stutz 2025, fig. 7 and E.15).

    Parameters
    ----------
    study, task : Study, Task
        The task, and the study that it belongs to.
    aggregation : Aggregation
        Model and reliability, with their options.
    model : str
        One of the task's predictions.
    metric : str
        A name of `core.metrics.adjusted.metrics.adjusted_metrics`.

    Raises
    ------
    ValueError
        If there is no such model or metric, or the model gives scores.

    Notes
    -----
    The draws are those of the bands of `core.analysis.reliability.sweep.metrics_at`.
    """
    if model not in task.predictions:
        raise ValueError(f"model must be one of {', '.join(task.predictions)}, got {model!r}")
    require_probabilities(task, model, f"The {metric} over plausible truths")
    hits: list[FloatArray] = []
    point: list[FloatArray] = []
    spread = SpreadOverDraws()
    for cases in portions(task, aggregation):
        predictions = predictions_of(task, cases)[model]
        posterior = aggregate_portion(study, task, aggregation, cases)
        adjusted = adjusted_metrics(posterior, predictions)
        if metric not in adjusted:
            raise ValueError(f"metric must be one of {', '.join(adjusted)}, got {metric!r}")
        hits.append(adjusted[metric])
        certain = aggregate_portion(study, task, aggregation.point, cases)
        point.append(adjusted_metrics(certain, predictions)[metric])
        spread.add(drawn_portion(study, posterior, aggregation, cases), predictions)
    mean = mean_over_cases(np.concatenate(hits))
    return OverDraws(
        model,
        metric,
        spread.by_draw()[metric],
        mean.value,
        mean_over_cases(np.concatenate(point)).value,
        mean.n_cases,
    )


def histogram(measured: OverDraws) -> pd.DataFrame:
    """Count the draws by the metric's value.

    Returns
    -------
    DataFrame
        One row a bin: ``low``, ``high`` (a value at ``high`` is in the next bin, the last one aside),
        ``draws`` (how many) and ``share`` of all draws. Empty where the metric is undefined.

    Notes
    -----
    An accuracy over n cases is a multiple of 1/n: its bins are whole multiples of 1/n wide and end halfway
    between two of these, so that no bin holds more possible values than another.
    """
    value = measured.value[~np.isnan(measured.value)]
    if len(value) == 0:
        return pd.DataFrame(columns=["low", "high", "draws", "share"], dtype=float)
    low, high = float(value.min()), float(value.max())
    if "accuracy" in measured.metric:
        step = 1 / measured.n_cases
        width = step * max(round((high - low) / N_BINS / step), 1)
        first = (round(low / step) - 0.5) * step
    else:
        width = max(high - low, 1e-6) / N_BINS
        first = low - width / 2
    n_bins = int(np.ceil((high - first) / width + 1e-9))
    edges = first + width * np.arange(n_bins + 1)
    draws = np.histogram(value, edges)[0]
    return pd.DataFrame({"low": edges[:-1], "high": edges[1:], "draws": draws, "share": draws / len(value)})


def marks(measured: OverDraws) -> pd.DataFrame:
    """Give the values to mark on the histogram.

    Returns
    -------
    DataFrame
        ``mark`` ("adjusted", "point estimate", "2.5 % of draws", "97.5 % of draws") and ``value``.
    """
    low, high = np.quantile(measured.value, [0.025, 0.975])
    rows = [
        ("adjusted", measured.adjusted),
        ("point estimate", measured.point),
        ("2.5 % of draws", float(low)),
        ("97.5 % of draws", float(high)),
    ]
    return pd.DataFrame(rows, columns=["mark", "value"])
