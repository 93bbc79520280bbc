"""Hard metrics beside their soft or adjusted counterparts: whose rank changes, and how far orders agree."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.analysis.models.comparison import Comparison, comparison, plausibilities
from core.analysis.models.hard_labels import hard_truth, share_of_label, shares_of_labels
from core.analysis.models.score_models import NO_ACCURACY, NO_LOSS
from core.analysis.models.settings import ComparisonSettings
from core.metrics.adjusted.metrics import RankedLabels
from core.metrics.estimate import mean_over_cases
from core.metrics.rank_correlation import kendall, pearson, shared_ranks, spearman
from core.metrics.soft.average_precision_error import ap_error
from core.metrics.soft.hard import hard_ranking_metrics
from core.metrics.soft.many_labels import one_vs_one, one_vs_rest
from core.metrics.soft.metrics import soft_brier, soft_log_loss, undefined_reasons
from core.metrics.soft.printed import s_ap_expected, s_auroc_without_self_pairs
from core.metrics.soft.ranking import ranking_metrics, sort_scores
from core.metrics.soft.standard_errors import auroc_error, brier_error, log_loss_error
from core.plausibility.aggregate import aggregate
from core.plausibility.posterior import Posterior
from core.plausibility.settings import Aggregation, default_aggregation
from core.study.model import FloatArray, Study, Task

COUNTERPARTS: dict[str, str] = {
    "AUROC": "s-AUROC",
    "AP": "s-AP",
    "Brier score": "soft Brier score",
    "log loss": "soft log loss",
    "accuracy": "adjusted accuracy",
}
"""Each hard metric and the counterpart that keeps the raters' uncertainty."""

AVERAGED: dict[str, str] = {
    f"{metric} ({how})": f"{COUNTERPARTS[metric]} ({how})"
    for metric in ("AUROC", "AP")
    for how in ("macro", "weighted")
}
"""Each hard metric averaged over labels, plainly or by prevalence, and its counterpart."""

UNDEFINED = "undefined for every label"
"""Why an average over labels is missing."""

LOSSES = frozenset({"Brier score", "soft Brier score", "log loss", "soft log loss"})
"""Metrics of which less is better."""

COLUMNS = [
    "metric", "counterpart", "model", "hard", "soft", "difference", "hard_rank", "soft_rank", "rank_change",
    "change", "same_as", "n_cases", "reason", "hard_error", "soft_error", "why_no_error",
]  # fmt: skip


@dataclass(frozen=True, eq=False)
class _Pair:
    """One metric of all models, hard and soft, with shape (n_models,) each."""

    metric: str
    counterpart: str
    hard: FloatArray
    soft: FloatArray
    reason: list[str]
    errors: FloatArray | str
    """Standard errors over cases, with shape (2, n_models); or why there are none."""


NO_AVERAGE_ERROR = "an average over labels has no simple error over cases; resampled cases have"
NO_PRINTED_ERROR = "the printed variants are given as they were printed, without errors"
ONE_SIDE = "the label, or all others, leads in fewer than two cases"
ONE_CASE = "a single case does not tell how far cases differ"


def rank_change(
    study: Study,
    task: Task,
    settings: ComparisonSettings = ComparisonSettings(),  # noqa: B008 - frozen
    *,
    aggregation: Aggregation | None = None,
    averages: bool = False,
) -> pd.DataFrame:
    """Measure every model against hard and against soft labels, and rank both ways.

    Parameters
    ----------
    study, task : Study, Task
        The task, with predictions, and the study that it belongs to.
    settings : ComparisonSettings
        Label and cases; whether there are also averages over pairs of labels, for more than two, and the
        variants that Lionetti 2025, table 4, was made with.
    aggregation : Aggregation, optional
        What the adjusted accuracy is averaged over; the recommended one for the task by default. Its
        ``tie_rule`` says what becomes of a hard label that is tied.
    averages : bool
        Also AUROC and AP averaged over all labels, each against the rest; only for more than two labels.

    Returns
    -------
    DataFrame
        One row a metric and model: ``metric`` and ``counterpart`` (`COUNTERPARTS`); ``model``; ``hard`` and
        ``soft``, their values, NaN where undefined; ``difference``, soft less hard; ``hard_rank`` and
        ``soft_rank``, 1 for the best, equals sharing the best of their ranks; ``rank_change``, ranks gained
        with the counterpart; ``change`` ("gains", "loses", "stays", or empty where unranked); ``same_as``,
        the first model with the very same predictions, if any; ``n_cases`` that the model is judged on;
        ``reason``, why a value is missing or means nothing; ``hard_error`` and ``soft_error``, standard
        errors over cases without resampling (`core.metrics.soft.standard_errors`; of AP by the jackknife,
        `core.metrics.soft.average_precision_error`; of an accuracy that of a mean), and ``why_no_error``
        where one is missing.

    Raises
    ------
    ValueError
        Where there is no model, no such label, no such coverage, or no case left for some model.

    Notes
    -----
    A soft label is the share of the case's votes for the label, and the hard label of a case is the one with
    most votes, for every metric here. Where several have equally many, a hard metric is its mean over all
    ways of breaking the ties (`core.metrics.soft.hard`), and so it is where a model finds several labels
    equally probable; an average over labels is that of these means, weighted with their expected prevalence,
    and an average over pairs of labels takes a tied case in parts. Accuracy is that of the most probable
    label. Adjusted accuracy averages over plausibilities (Stutz 2025, eq. 12); it is the only metric here
    that depends on the aggregation model.
    """
    aggregation = aggregation or default_aggregation(task)
    compared = comparison(study, task, label=settings.label, coverage=settings.coverage)
    truth = hard_truth(compared, aggregation.tie_rule)
    found = [*_one_label(compared, truth, printed=settings.printed)]
    found.append(_accuracy(study, compared, aggregation, truth))
    if len(task.labels) > 2 and (averages or settings.label_pairs):
        found += _many_labels(compared, truth, averages=averages, pairs=settings.label_pairs)
    return pd.concat([_table(compared, pair) for pair in found], ignore_index=True)


def _one_label(compared: Comparison, truth: Posterior, *, printed: bool) -> Iterator[_Pair]:
    """Metrics of the chosen label against the rest."""
    soft = compared.plausibility
    hard = share_of_label(truth, compared.label_code)
    scores = sort_scores(compared.score)
    hard_auroc, hard_ap = (values[:, 0] for values in hard_ranking_metrics(scores, hard[None]))
    soft_auroc, soft_ap = (values[:, 0] for values in ranking_metrics(scores, soft[None]))
    reason = _ranking_reasons(compared, hard, soft)
    yield _Pair(
        "AUROC", "s-AUROC", hard_auroc, soft_auroc, reason, _errors(compared, hard, soft, auroc_error)
    )
    yield _Pair("AP", "s-AP", hard_ap, soft_ap, reason, _errors(compared, hard, soft, ap_error))
    if printed:
        found = np.array([
            (s_auroc_without_self_pairs(of[known], soft[known]), s_ap_expected(of[known], soft[known]))
            for of, known in _each_model(compared)
        ])  # fmt: skip
        yield _Pair("AUROC", "s-AUROC (printed)", hard_auroc, found[:, 0], reason, NO_PRINTED_ERROR)
        yield _Pair("AP", "s-AP (printed)", hard_ap, found[:, 1], reason, NO_PRINTED_ERROR)
    for name, loss in {"Brier score": soft_brier, "log loss": soft_log_loss}.items():
        values = np.full((len(compared.models), 2), np.nan)
        refused = [NO_LOSS if only else "" for only in compared.only_scores]
        for m, (of, known) in enumerate(_each_model(compared)):
            if refused[m]:
                continue
            try:
                values[m] = loss(of[known], np.stack([hard[known], soft[known]]))
            except ValueError as error:
                refused[m] = str(error)
        errors = _errors(compared, hard, soft, brier_error if loss is soft_brier else log_loss_error)
        errors[np.isnan(values.T)] = np.nan
        yield _Pair(name, COUNTERPARTS[name], values[:, 0], values[:, 1], refused, errors)


def _errors(
    compared: Comparison, hard: FloatArray, soft: FloatArray, error: Callable[[FloatArray, FloatArray], float]
) -> FloatArray:
    """Standard errors of every model against hard and soft labels, with shape (2, n_models)."""
    found = [
        [error(of[known], labels[known]) for of, known in _each_model(compared)] for labels in (hard, soft)
    ]
    return np.array(found, np.float64).reshape(2, -1)


def _each_model(compared: Comparison) -> Iterator[tuple[FloatArray, np.ndarray]]:
    """Scores of each model, and which cases it scored."""
    for of in compared.score:
        yield of, ~np.isnan(of)


def _ranking_reasons(compared: Comparison, hard: FloatArray, soft: FloatArray) -> list[str]:
    """Why AUROC or AP is undefined for each model."""
    reasons = []
    for _, known in _each_model(compared):
        for_hard, for_soft = undefined_reasons(np.stack([hard[known], soft[known]]))
        if for_soft:
            reasons.append(f"soft labels: {for_soft}")
        else:
            reasons.append(f"hard labels: {for_hard}" if for_hard else "")
    return reasons


def _accuracy(study: Study, compared: Comparison, aggregation: Aggregation, truth: Posterior) -> _Pair:
    """Accuracy of the most probable label, hard and averaged over plausibilities."""
    posterior = aggregate(study, compared.task, aggregation, cases=compared.cases.tolist())
    (hard, soft), errors = np.full((2, 2, len(compared.models)), np.nan)
    for m in np.flatnonzero(~compared.only_scores):
        of_both = [
            mean_over_cases(RankedLabels(of, compared.answers[m]).top_k_accuracy(1))
            for of in (truth, posterior)
        ]
        hard[m], soft[m] = (of.value for of in of_both)
        errors[:, m] = [of.standard_error for of in of_both]
    reason = [
        NO_ACCURACY if only else "" if defined else "no case with a defined plausibility"
        for only, defined in zip(compared.only_scores, ~np.isnan(soft), strict=True)
    ]
    return _Pair("accuracy", COUNTERPARTS["accuracy"], hard, soft, reason, errors)


def _many_labels(compared: Comparison, truth: Posterior, *, averages: bool, pairs: bool) -> list[_Pair]:
    """AUROC and AP averaged over the labels, and AUROC averaged over pairs of labels."""
    soft = plausibilities(compared.task, compared.cases)
    hard = shares_of_labels(truth)
    values: dict[str, list[tuple[float, float]]] = {}
    for model, known in zip(compared.models, compared.answered, strict=True):
        probability = compared.task.predictions[model].probability[compared.cases[known]]
        for name, of in _averaged(probability, hard[known], soft[known], averages, pairs):
            values.setdefault(name, []).append(of)
    found = []
    for name, of_models in values.items():
        metric, _, how = name.partition(" ")
        hard_values, soft_values = np.array(of_models).T
        reason = [
            "" if defined else UNDEFINED for defined in ~(np.isnan(hard_values) | np.isnan(soft_values))
        ]
        found.append(
            _Pair(name, f"{COUNTERPARTS[metric]} {how}", hard_values, soft_values, reason, NO_AVERAGE_ERROR)
        )
    return found


def _averaged(
    probability: FloatArray, hard: FloatArray, soft: FloatArray, averages: bool, pairs: bool
) -> Iterator[tuple[str, tuple[float, float]]]:
    """Name and hard and soft value of each averaged metric of one model."""
    if averages:
        of_hard, of_soft = one_vs_rest(probability, hard, hard=True), one_vs_rest(probability, soft)
        for metric, h, s in zip(("AUROC", "AP"), of_hard, of_soft, strict=True):
            yield f"{metric} (macro)", (h.macro, s.macro)
            yield f"{metric} (weighted)", (h.weighted, s.weighted)
    if pairs:
        h, s = one_vs_one(probability, hard), one_vs_one(probability, soft)
        yield "AUROC (pairs, macro)", (h.macro, s.macro)
        yield "AUROC (pairs, weighted)", (h.weighted, s.weighted)


def _table(compared: Comparison, pair: _Pair) -> pd.DataFrame:
    """Rows of one metric."""
    better = pair.metric not in LOSSES
    hard_rank = shared_ranks(pair.hard, larger_is_better=better)
    soft_rank = shared_ranks(pair.soft, larger_is_better=better)
    gained = hard_rank - soft_rank
    values, errors, lacking = np.stack([pair.hard, pair.soft]), np.full((2, len(pair.hard)), np.nan), ""
    if isinstance(pair.errors, str):
        lacking = pair.errors
    else:
        errors = np.where(np.isnan(values), np.nan, pair.errors)
        lacking = ONE_SIDE if pair.metric in ("AUROC", "AP") else ONE_CASE
    missing = (np.isnan(errors) & ~np.isnan(values)).any(axis=0)
    change = np.select([gained > 0, gained < 0, gained == 0], ["gains", "loses", "stays"], default="")
    table = pd.DataFrame(
        {
            "metric": pair.metric,
            "counterpart": pair.counterpart,
            "model": compared.models,
            "hard": pair.hard,
            "soft": pair.soft,
            "difference": pair.soft - pair.hard,
            "hard_rank": hard_rank,
            "soft_rank": soft_rank,
            "rank_change": gained,
            "change": change,
            "same_as": compared.same_as,
            "n_cases": compared.n_scored,
            "reason": pair.reason,
            "hard_error": errors[0],
            "soft_error": errors[1],
            "why_no_error": np.where(missing, lacking, np.asarray(pair.reason, object)),
        },
        columns=COLUMNS,
    )
    ranks = ["hard_rank", "soft_rank", "rank_change"]
    return table.astype(dict.fromkeys(ranks, "Int64"))


def rank_agreement(table: pd.DataFrame) -> pd.DataFrame:
    """Say how far hard and soft order agree, and who gains and loses.

    Parameters
    ----------
    table : DataFrame
        Of `rank_change`.

    Returns
    -------
    DataFrame
        One row a metric: ``metric``, ``counterpart``; ``n_models`` with both values, and ``n_distinct`` of
        them, identical ones counted once; ``pearson`` and ``r_squared``, its square; ``spearman``;
        ``kendall`` (τ-b), all over models; ``gains`` and ``loses``, the models' names separated by commas;
        ``reason``, why a correlation is missing.
    """
    rows = []
    for (metric, counterpart), of in table.groupby(["metric", "counterpart"], sort=False):
        known = of.dropna(subset=["hard", "soft"])
        hard, soft = known["hard"].to_numpy(), known["soft"].to_numpy()
        correlations = (np.nan,) * 3
        reason = ""
        if len(known) < 2:
            reason = f"needs two models with both values, got {len(known)}"
        else:
            correlations = (
                float(pearson(hard, soft)),
                float(spearman(hard, soft)),
                float(kendall(hard, soft)),
            )
            if np.isnan(correlations).any():
                reason = "all models have the same value"
        gains, loses = (", ".join(of.loc[of["change"] == change, "model"]) for change in ("gains", "loses"))
        linear, rho, tau = correlations
        distinct = int((known["same_as"] == "").sum())
        rows.append(
            (metric, counterpart, len(known), distinct, linear, linear**2, rho, tau, gains, loses, reason)
        )
    columns = [
        "metric", "counterpart", "n_models", "n_distinct", "pearson", "r_squared", "spearman", "kendall",
        "gains", "loses", "reason",
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=columns)
