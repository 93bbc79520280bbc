"""How far the change of a metric would scatter: each case before and after further readings, as a pair."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from core.analysis.models.comparison import Comparison, comparison
from core.analysis.models.hard_labels import hard_truth, share_of_label
from core.analysis.models.rank_change import COUNTERPARTS
from core.analysis.models.settings import ComparisonSettings
from core.metrics.adjusted.metrics import RankedLabels
from core.metrics.soft.average_precision_error import ap_influence
from core.metrics.soft.metrics import log_losses
from core.metrics.soft.standard_errors import auroc_influence
from core.plausibility.aggregate import aggregate
from core.plausibility.settings import Aggregation
from core.study.model import FloatArray, Study

Influence = Callable[[FloatArray, FloatArray], FloatArray]


def change_errors(
    before: Study, after: Study, task_name: str, settings: ComparisonSettings, aggregation: Aggregation
) -> dict[str, FloatArray]:
    """Standard errors over cases of what further readings change of each model's metrics.

    Parameters
    ----------
    before, after : Study
        The same cases and predictions; the second with further readings.
    task_name : str
        The task, with predictions.
    settings : ComparisonSettings
        Label, which has to be named, and cases.
    aggregation : Aggregation
        What the adjusted accuracy is averaged over.

    Returns
    -------
    dict of str to ndarray of float64 with shape (n_models,)
        By metric, hard and soft (`core.analysis.models.rank_change.COUNTERPARTS`); 0 or more, NaN where the
        value is undefined on either side.

    Notes
    -----
    A metric is a function of how the cases are distributed. With I_i and J_i the influences of case i on it
    before and after (of a case that is not judged 0), the variance of the change is
    n / (n − 1) Σ (J_i − I_i)²: of a mean over the same cases that of the mean of their differences. The
    influences are those whose sums of squares are the errors of `core.analysis.models.rank_change`.
    """
    then, now = (_influences(study, task_name, settings, aggregation) for study in (before, after))
    return {
        metric: np.array([_error(*of) for of in zip(then[metric], now[metric], strict=True)])
        for metric in then
    }


def _error(then: FloatArray, now: FloatArray) -> float:
    """Standard error of one change, from influences with shape (n_cases,), NaN where a case is not judged."""
    is_judged = ~(np.isnan(then) & np.isnan(now))
    n = int(is_judged.sum())
    if n < 2 or np.isnan(then).all() or np.isnan(now).all():
        return float("nan")
    moved = np.nan_to_num(now[is_judged]) - np.nan_to_num(then[is_judged])
    return float(np.sqrt(n / (n - 1) * (moved**2).sum()))


def _influences(
    study: Study, task_name: str, settings: ComparisonSettings, aggregation: Aggregation
) -> dict[str, FloatArray]:
    """Influence of each case of the study by metric, with shape (n_models, n_cases), NaN where not judged."""
    compared = comparison(study, study.tasks[task_name], label=settings.label, coverage=settings.coverage)
    truth = hard_truth(compared, aggregation.tie_rule)
    posterior = aggregate(study, compared.task, aggregation, cases=compared.cases.tolist())
    labels = {"hard": share_of_label(truth, compared.label_code), "soft": compared.plausibility}
    of_label: dict[str, Influence] = {
        "AUROC": auroc_influence,
        "AP": ap_influence,
        "Brier score": lambda score, p: _of_mean(p * (1 - score) ** 2 + (1 - p) * score**2),
        "log loss": _of_log_loss,
    }
    found = {}
    for metric, counterpart in COUNTERPARTS.items():
        for name, kind, of in ((metric, "hard", truth), (counterpart, "soft", posterior)):
            rows = np.full((len(compared.models), study.n_cases), np.nan)
            for m in range(len(compared.models)):
                if metric in ("AUROC", "AP") or not compared.only_scores[m]:
                    rows[m, compared.cases] = (
                        _of_label(compared, m, labels[kind], of_label[metric])
                        if metric in of_label
                        else _of_mean(RankedLabels(of, compared.answers[m]).top_k_accuracy(1))
                    )
            found[name] = rows
    return found


def _of_label(compared: Comparison, model: int, labels: FloatArray, influence: Influence) -> FloatArray:
    """Influence on a metric of one label, with shape (n_compared,), NaN where the model lacks a score."""
    score = compared.score[model]
    known = ~np.isnan(score)
    found = np.full(len(score), np.nan)
    found[known] = influence(score[known], labels[known])
    return found


def _of_log_loss(score: FloatArray, labels: FloatArray) -> FloatArray:
    if_positive, if_negative = log_losses(score)
    return _of_mean(labels * if_positive + (1 - labels) * if_negative)


def _of_mean(per_case: FloatArray) -> FloatArray:
    """Influence on a mean over the cases where a metric is defined; NaN in the others."""
    defined = ~np.isnan(per_case)
    if not defined.any():
        return np.full(len(per_case), np.nan)
    influence: FloatArray = (per_case - per_case[defined].mean()) / defined.sum()
    return influence
