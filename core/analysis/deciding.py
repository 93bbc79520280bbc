"""The cases that decide between two models."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd

from core.analysis.aggregate import Aggregation, aggregate, default_aggregation
from core.analysis.comparison import Comparison, comparison, hard_codes
from core.analysis.score_models import require_probabilities
from core.metrics.adjusted import RankedLabels
from core.metrics.loss_shares import (
    ap_loss_shares,
    auroc_loss_shares,
    brier_loss_shares,
    log_loss_shares,
)
from core.metrics.soft import MajorityRule, hard_labels
from core.study.model import FloatArray, Study, Task

_SHARES: dict[str, Callable[[FloatArray, FloatArray], FloatArray]] = {
    "AUROC": auroc_loss_shares,
    "AP": ap_loss_shares,
    "Brier score": brier_loss_shares,
    "log loss": log_loss_shares,
}
DECIDING_METRICS = (
    "AUROC", "s-AUROC", "AP", "s-AP", "Brier score", "soft Brier score", "log loss", "soft log loss",
    "accuracy", "adjusted accuracy",
)  # fmt: skip


def deciding_cases(
    study: Study,
    task: Task,
    model_a: str,
    model_b: str,
    *,
    metric: str = "s-AUROC",
    label: str | None = None,
    aggregation: Aggregation | None = None,
    rule: MajorityRule = "more than half",
) -> pd.DataFrame:
    """List the cases by how much each speaks for one model or the other.

    Parameters
    ----------
    study, task, label
        As for `core.analysis.comparison.comparison`.
    model_a, model_b : str
        Two models of the task. They are compared on the cases that both predicted.
    metric : str
        One of `DECIDING_METRICS`.
    aggregation : Aggregation, optional
        What the adjusted accuracy is averaged over; the recommended one for the task by default.
    rule : {"more than half", "half or more"}
        When a share of votes makes a hard label.

    Returns
    -------
    DataFrame
        One row a case, the most decisive first: ``case_id``; ``advantage``, what the case adds to A's lead
        over B: the column sums to the difference of the metric, turned round where less is better;
        ``favours``, the model's name, empty at 0; ``plausibility`` of the label and ``hard_label``;
        ``n_readings``; ``score_a`` and ``score_b``, the models' probabilities of the label, or their scores;
        ``predicted_a`` and ``predicted_b``, their most probable labels, empty for a model that gives scores.

    Raises
    ------
    ValueError
        For an unknown metric or model, the same model twice, scores that the metric is not defined for, and
        where the metric is undefined on these cases.

    Notes
    -----
    Ranking metrics lose by misordered pairs; each pair's loss is divided equally between its two cases
    (`core.metrics.loss_shares`).
    """
    if metric not in DECIDING_METRICS:
        raise ValueError(f"metric must be one of {', '.join(DECIDING_METRICS)}, got {metric!r}")
    for model in (model_a, model_b):
        if model not in task.predictions:
            raise ValueError(f"model must be one of {', '.join(task.predictions)}, got {model!r}")
        if metric.removeprefix("s-") not in ("AUROC", "AP"):
            require_probabilities(task, model, f"The {metric}")
    if model_a == model_b:
        raise ValueError(f"two different models are needed, got {model_a!r} twice")
    compared = comparison(study, task, label=label, models=(model_a, model_b))
    truth = hard_codes(compared, rule)
    loss_a, loss_b = _losses(study, compared, metric, aggregation or default_aggregation(task), rule)
    advantage = loss_b - loss_a
    if np.isnan(advantage).all():
        raise ValueError(f"{metric} is undefined on the {len(advantage)} cases that both models predicted")
    ids = np.array(study.case_ids, object)[compared.cases]
    labels = np.array([*task.labels, ""], object)
    table = pd.DataFrame(
        {
            "case_id": ids,
            "advantage": advantage,
            "favours": np.select([advantage > 0, advantage < 0], [model_a, model_b], default=""),
            "plausibility": compared.plausibility,
            "hard_label": labels[truth],
            "n_readings": task.readings.per_case[compared.cases],
            "score_a": compared.score[0],
            "score_b": compared.score[1],
            "predicted_a": labels[compared.predicted[0]],
            "predicted_b": labels[compared.predicted[1]],
        }
    )
    order = np.argsort(-np.abs(np.nan_to_num(advantage)), kind="stable")
    return table.iloc[order].reset_index(drop=True)


def _losses(
    study: Study, compared: Comparison, metric: str, aggregation: Aggregation, rule: MajorityRule
) -> list[FloatArray]:
    """Each case's part of the loss of both models."""
    if metric == "accuracy":
        truth = hard_codes(compared, rule)
        return [(predicted != truth) / len(truth) for predicted in compared.predicted]
    if metric == "adjusted accuracy":
        posterior = aggregate(study, compared.task, aggregation, cases=compared.cases.tolist())
        hits = [RankedLabels(posterior, of[:, None]).top_k_accuracy(1) for of in compared.predicted]
        return [(1 - hit) / max(int((~np.isnan(hit)).sum()), 1) for hit in hits]
    soft = metric not in _SHARES
    name = metric.removeprefix("s-").removeprefix("soft ")
    label = compared.plausibility if soft else hard_labels(compared.plausibility, rule=rule).astype(float)
    return [_SHARES[name](score, label) for score in compared.score]
