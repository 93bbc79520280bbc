"""The cases that decide between two models."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd

from core.analysis.models.comparison import Comparison, comparison
from core.analysis.models.hard_labels import hard_label_words, hard_truth, share_of_label
from core.analysis.models.score_models import require_probabilities
from core.analysis.tied_labels import first_in_words
from core.metrics.adjusted.metrics import RankedLabels
from core.metrics.soft.loss_shares import (
    ap_loss_shares,
    auroc_loss_shares,
    brier_loss_shares,
    hard_ap_loss_shares,
    hard_auroc_loss_shares,
    log_loss_shares,
)
from core.plausibility.aggregate import aggregate
from core.plausibility.posterior import Posterior
from core.plausibility.settings import Aggregation, default_aggregation
from core.study.model import FloatArray, Study, Task

_SHARES: dict[str, Callable[[FloatArray, FloatArray], FloatArray]] = {
    "AUROC": hard_auroc_loss_shares,
    "s-AUROC": auroc_loss_shares,
    "AP": hard_ap_loss_shares,
    "s-AP": ap_loss_shares,
    "Brier score": brier_loss_shares,
    "soft Brier score": brier_loss_shares,
    "log loss": log_loss_shares,
    "soft log loss": log_loss_shares,
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
) -> pd.DataFrame:
    """List the cases by how much each speaks for one model or the other.

    Parameters
    ----------
    study, task : Study, Task
        The task, with predictions, and the study that it belongs to.
    label : str, optional
        The positive label of the task by default; of two labels without a positive one the second; of more,
        the one with most votes.
    model_a, model_b : str
        Two models of the task. They are compared on the cases that both predicted.
    metric : str
        One of `DECIDING_METRICS`.
    aggregation : Aggregation, optional
        What the adjusted accuracy is averaged over; the recommended one for the task by default. Its
        ``tie_rule`` says what becomes of a hard label that is tied.

    Returns
    -------
    DataFrame
        One row a case, the most decisive first: ``case_id``; ``advantage``, what the case adds to A's lead
        over B: the column sums to the difference of the metric, turned round where less is better;
        ``favours``, the model's name, empty at 0; ``plausibility`` of the label and ``hard_label``, as
        `core.analysis.models.tables.label_table` has them;
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
    (`core.metrics.soft.loss_shares`).
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
    aggregation = aggregation or default_aggregation(task)
    truth = hard_truth(compared, aggregation.tie_rule)
    loss_a, loss_b = _losses(study, compared, metric, aggregation, truth)
    advantage = loss_b - loss_a
    if np.isnan(advantage).all():
        raise ValueError(f"{metric} is undefined on the {len(advantage)} cases that both models predicted")
    ids = np.array(study.case_ids, object)[compared.cases]
    table = pd.DataFrame(
        {
            "case_id": ids,
            "advantage": advantage,
            "favours": np.select([advantage > 0, advantage < 0], [model_a, model_b], default=""),
            "plausibility": compared.plausibility,
            "hard_label": hard_label_words(truth, task.labels),
            "n_readings": task.readings.per_case[compared.cases],
            "score_a": compared.score[0],
            "score_b": compared.score[1],
            "predicted_a": first_in_words(compared.answers[0], task.labels),
            "predicted_b": first_in_words(compared.answers[1], task.labels),
        }
    )
    order = np.argsort(-np.abs(np.nan_to_num(advantage)), kind="stable")
    return table.iloc[order].reset_index(drop=True)


def _losses(
    study: Study, compared: Comparison, metric: str, aggregation: Aggregation, truth: Posterior
) -> list[FloatArray]:
    """Each case's part of the loss of both models."""
    if metric in _SHARES:
        soft = metric.startswith("s")
        label = compared.plausibility if soft else share_of_label(truth, compared.label_code)
        return [_SHARES[metric](score, label) for score in compared.score]
    of = truth
    if metric == "adjusted accuracy":
        of = aggregate(study, compared.task, aggregation, cases=compared.cases.tolist())
    hits = [RankedLabels(of, answers).top_k_accuracy(1) for answers in compared.answers]
    return [(1 - hit) / max(int((~np.isnan(hit)).sum()), 1) for hit in hits]
