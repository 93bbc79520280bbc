"""How dangerous the cases may be, and how models do where danger is: fig. 8 and E.16 of Stutz 2025."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

import numpy as np
import pandas as pd

from core.analysis.cases.worklist import PLAUSIBLE
from core.metrics.adjusted.metrics import RankedLabels
from core.metrics.adjusted.predicted_order import order_of_probabilities
from core.metrics.adjusted.selected import mean_of_selected
from core.metrics.certainty import leading_risk
from core.metrics.risk import (
    HIGH,
    expected_high_risk_hits,
    expected_risk,
    ratio_over_cases,
    risk_draws,
    risk_quantiles,
)
from core.plausibility.posterior import Posterior
from core.study.model import RISK_NAMES, FloatArray, Predictions, Study, Task
from core.study.seeds import case_seeds

N_DRAWS = 500
"""Draws of each case's risk."""
QUANTILE_NAMES = ("lowest", "low", "lower", "median", "upper", "high", "highest")
"""Columns for the `core.metrics.risk.QUANTILES` over draws."""

BY_POINT = "by the point estimate"
EXPECTED = "expected over draws"


def risk_by_case(study: Study, task: Task, posterior: Posterior) -> pd.DataFrame:
    """Describe the risk of every case that was read.

    Parameters
    ----------
    study : Study
        For case ids and seed.
    task : Task
        With risk levels.
    posterior : Posterior
        Of all cases of the task.

    Returns
    -------
    DataFrame indexed by ``case_id``, in the study's order
        ``risk`` (the level that leads most often) and ``risk_certainty`` (how often); ``expected_risk``, on
        the scale 0 low, 1 medium, 2 high; its quantiles over `N_DRAWS` draws ``lowest``, ``low`` (5 %),
        ``lower`` (25 %), ``median``, ``upper`` (75 %), ``high`` (95 %) and ``highest``; ``certainty_place``
        (0 the most certain) and ``risk_place`` (0 the smallest expected risk): where the case stands in the
        sorted pictures, equal cases in the study's order.

    Raises
    ------
    ValueError
        If no label has a risk level.
    """
    return with_places(risk_rows(study, task, posterior))


def risk_rows(study: Study, task: Task, posterior: Posterior) -> pd.DataFrame:
    """Describe the risk of cases as `risk_by_case` does, but for their places, which need all cases."""
    _require_risk(task)
    by_level = leading_risk(posterior, task.risk)
    seeds = case_seeds(study.seed, study.case_ids, "risk over draws")
    drawn = risk_quantiles(risk_draws(posterior, task.risk, N_DRAWS, seeds))
    is_read = ~np.isnan(by_level[:, 0])
    level_names = np.array([*RISK_NAMES, "unknown"], dtype=object)
    return pd.DataFrame(
        {
            "risk": level_names[by_level.argmax(axis=1)],
            "risk_certainty": by_level.max(axis=1),
            "expected_risk": expected_risk(posterior, task.risk),
            **dict(zip(QUANTILE_NAMES, drawn.T, strict=True)),
        },
        index=pd.Index(study.case_ids, name="case_id"),
    )[is_read]


def with_places(table: pd.DataFrame) -> pd.DataFrame:
    """Add to rows of `risk_rows` where each case stands in the sorted pictures."""
    table = table.copy()
    table["certainty_place"] = table["risk_certainty"].rank(method="first", ascending=False).astype(int) - 1
    table["risk_place"] = table["expected_risk"].rank(method="first", na_option="bottom").astype(int) - 1
    return table


def high_risk_metrics(task: Task, posterior: Posterior, point: Posterior, *, max_k: int = 3) -> pd.DataFrame:
    """Measure every model on the cases of high risk, in the two ways there are to say which these are.

    Parameters
    ----------
    task : Task
        With risk levels and predictions.
    posterior, point : Posterior
        Of all cases: at some reliability, and the same model's point estimate.
    max_k : int
        Largest k of the top-k accuracy; no more than there are labels.

    Returns
    -------
    DataFrame
        One row a model that gives probabilities, k and ``condition``: `BY_POINT` (cases whose point estimate
        leads with a high-risk label, ties split; adjusted accuracy) or `EXPECTED` (each case by its
        probability of being of high risk; accuracy given that the truth is a high-risk label). ``value`` and
        ``standard_error`` in [0, 1], ``n_cases`` that entered, and ``weight``, the number of cases that they
        amount to.

    Raises
    ------
    ValueError
        If no label has a risk level.
    """
    measures = HighRiskMeasures(task, max_k=max_k)
    measures.add(task.predictions, posterior, point)
    return measures.table()


class HighRiskMeasures:
    """What `high_risk_metrics` measures, gathered from one portion of cases at a time.

    Parameters
    ----------
    task : Task
        Its labels have risk levels.
    max_k : int
        Largest k of the top-k accuracy; where there are fewer labels, their number.
    """

    def __init__(self, task: Task, *, max_k: int = 3) -> None:
        _require_risk(task)
        self._task = task
        self._max_k = min(max_k, len(task.labels))
        self._by_point: dict[tuple[str, int], list[FloatArray]] = defaultdict(list)
        self._expected: dict[tuple[str, int], list[FloatArray]] = defaultdict(list)
        self._weight: dict[tuple[str, str], float] = defaultdict(float)

    def add(self, predictions: Mapping[str, Predictions], posterior: Posterior, point: Posterior) -> None:
        """Measure some cases: their predictions by model, plausibilities and point estimates."""
        risk = self._task.risk
        weight = leading_risk(posterior, risk)[:, HIGH]
        by_point = leading_risk(point, risk)[:, HIGH]
        for model in self._task.probability_models:
            predicted = order_of_probabilities(predictions[model].probability, self._max_k)
            scored = RankedLabels(posterior, predicted)
            is_known = predicted.covered & ~np.isnan(weight)
            self._weight[model, EXPECTED] += float(np.nansum(weight[predicted.covered]))
            self._weight[model, BY_POINT] += float(np.nansum(by_point[is_known]))
            for k in range(1, self._max_k + 1):
                self._by_point[model, k].append(np.stack([scored.top_k_accuracy(k), by_point]))
                expected = expected_high_risk_hits(posterior, predicted, risk, k)
                self._expected[model, k].append(np.stack(expected))

    def table(self) -> pd.DataFrame:
        """Return one row a model, k and condition, as `high_risk_metrics` describes them."""
        rows = []
        for model, k in self._by_point:
            by_point = mean_of_selected(*np.concatenate(self._by_point[model, k], axis=1))
            expected = ratio_over_cases(*np.concatenate(self._expected[model, k], axis=1))
            for condition, estimate in ((BY_POINT, by_point), (EXPECTED, expected)):
                weight = self._weight[model, condition]
                error = estimate.standard_error
                rows.append((model, k, condition, estimate.value, error, estimate.n_cases, weight))
        columns = ["model", "k", "condition", "value", "standard_error", "n_cases", "weight"]
        return pd.DataFrame(rows, columns=columns)


def why_ill_defined(task: Task, posterior: Posterior, point: Posterior) -> str:
    """Say in one sentence why accuracy on the high-risk cases has no single meaning here.

    Raises
    ------
    ValueError
        If no label has a risk level.
    """
    _require_risk(task)
    weight = leading_risk(posterior, task.risk)[:, HIGH]
    n_high = float(np.nansum(np.where(np.isnan(weight), np.nan, leading_risk(point, task.risk)[:, HIGH])))
    said = f"{n_high:,.1f}".removesuffix(".0")
    in_part = " (of tied labels in part)" * ("." in said)
    doubtful = (weight > PLAUSIBLE) & (weight < 1 - PLAUSIBLE)
    if not doubtful.any():
        return (
            f"The point estimate calls {said} cases high-risk, and hardly any plausible truth "
            "differs, so accuracy on the high-risk cases means nearly one thing here."
        )
    return (
        f"Which cases are of high risk depends on the truth that is in doubt: the point estimate says "
        f"{said}{in_part}, the plausible truths {np.nansum(weight):,.0f} on average, and for "
        f"{doubtful.sum():,} cases it could go either way, so there is no one set of cases to take the "
        "accuracy over."
    )


def _require_risk(task: Task) -> None:
    """Refuse a task without risk levels."""
    if not task.has_risk:
        raise ValueError(f"the labels of task {task.name!r} need risk levels (column risk of labels.csv)")
