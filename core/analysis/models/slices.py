"""Every metric of the models and of the readings by slices of the cases, each with its interval."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.stats import t as student

from core.analysis.models.best import INTERVAL_OF
from core.analysis.models.case_slices import CaseSlices, case_slices
from core.analysis.models.comparison import Comparison, comparison
from core.analysis.models.hard_labels import hard_truth, share_of_label
from core.analysis.models.intervals import FEWEST
from core.analysis.models.rank_change import COUNTERPARTS, ONE_CASE, ONE_SIDE
from core.analysis.models.score_models import NO_ACCURACY, NO_LOSS
from core.analysis.models.settings import ComparisonSettings, SliceSettings
from core.metrics.adjusted.metrics import RankedLabels, adjusted_metrics
from core.metrics.adjusted.predicted_order import order_of_probabilities
from core.metrics.certainty import top_certainty
from core.metrics.estimate import mean_over_cases
from core.metrics.share_intervals import STATED, share_interval
from core.metrics.soft.average_precision_error import ap_error
from core.metrics.soft.hard import hard_ranking_metrics
from core.metrics.soft.metrics import check_probabilities, log_losses, undefined_reasons
from core.metrics.soft.ranking import ranking_metrics, sort_scores
from core.metrics.soft.standard_errors import auroc_error
from core.plausibility.aggregate import aggregate
from core.plausibility.posterior import Posterior
from core.plausibility.settings import Aggregation, default_aggregation
from core.study.brief import brief
from core.study.model import FloatArray, IntArray, Study, Task

CERTAINTY = "certainty"
"""Metric of the readings: mean certainty of the leading label."""
COLUMNS = [
    "metric", "model", "slice", "n_cases", "rarer", "value", "low", "high", "interval_of", "standard_error",
    "df", "small", "reason",
]  # fmt: skip
RANKING = ("AUROC", "s-AUROC", "AP", "s-AP")
DEEPER = (
    "top-2 accuracy", "top-3 accuracy", "set accuracy @2", "set accuracy @3", "overlap @2", "overlap @3",
    "average overlap @3",
)  # fmt: skip
"""Adjusted metrics of more than the leading label, shares all of them; of tasks of more than two labels."""
METRICS = (*(metric for pair in COUNTERPARTS.items() for metric in pair), *DEEPER, CERTAINTY)
"""In the order of the tables."""
UNBOUNDED = frozenset({"log loss", "soft log loss"})
TOO_FEW = "too few to say"
SAME_FOR_ALL = "no interval: every case has the same value"
NO_SCATTER = "no interval: the value stays the same whichever case is left out"
NO_CASES = "no case of the slice was read and predicted"
DEPTH = 3
"""Labels down to which a prediction is judged, where there are as many."""
_SAME = 1e-12


@dataclass(frozen=True, eq=False)
class SliceMetrics:
    """All metrics by slice.

    Attributes
    ----------
    compared : Comparison
        Label, models and cases.
    slices : CaseSlices
        Which slice each case of the study is in.
    table : DataFrame
        One row a metric, model and slice, and one for all cases together, where ``slice`` is empty:
        ``metric``; ``model``, empty for what the readings alone tell; ``slice``; ``n_cases`` that it is
        measured on; ``rarer``, for ranking metrics the number of cases on the rarer side, positive or
        negative, in soft metrics the sum of the soft labels, else NaN; ``value``; ``low`` and ``high``, the
        ends of the 95 % interval; ``interval_of``, what it speaks of; ``standard_error``; ``df``, its
        degrees of freedom; ``small``, `TOO_FEW` with the rule, or empty; ``reason``, why a value or an
        interval is missing.
    """

    compared: Comparison
    slices: CaseSlices
    table: pd.DataFrame

    __repr__ = brief


class _Measured(NamedTuple):
    """One metric of one model on some cases."""

    metric: str
    model: str
    n_cases: int
    rarer: float
    value: float
    error: float
    df: float
    reason: str


def slice_metrics(
    study: Study,
    task: Task,
    slicing: SliceSettings,
    settings: ComparisonSettings = ComparisonSettings(),  # noqa: B008 - frozen
    *,
    aggregation: Aggregation | None = None,
) -> SliceMetrics:
    """Measure every model, and the certainty of the readings, in every slice of the cases.

    Parameters
    ----------
    study, task : Study, Task
        The task, with predictions, and the study that it belongs to.
    slicing : SliceSettings
        What parts the cases.
    settings : ComparisonSettings
        Label and cases that models are judged on.
    aggregation : Aggregation, optional
        What certainty and adjusted accuracy rest on; the recommended one for the task by default.

    Returns
    -------
    SliceMetrics

    Raises
    ------
    ValueError
        As `comparison` and `core.analysis.models.case_slices.case_slices`.

    Notes
    -----
    Values are those of `core.analysis.models.rank_change.rank_change` on the cases of the slice, and of
    `core.metrics.adjusted.metrics.adjusted_metrics` for `DEEPER`. Standard
    errors are over cases, drawn with their readings: of AUROC and s-AUROC after DeLong
    (`core.metrics.soft.standard_errors`), of AP and s-AP by the jackknife
    (`core.metrics.soft.average_precision_error`), of everything else that of a mean; where votes tie, those
    of hard ranking metrics take the share of the ways of breaking the tie for a soft label. Intervals are
    `core.metrics.share_intervals.share_interval`; of log loss, which has no upper end,
    x exp(± t s/x). Student's t has one degree of freedom less than the rarer side has cases, for means than
    there are cases.
    """
    slices = case_slices(study, slicing.by, bins=slicing.bins)
    compared = comparison(study, task, label=settings.label, coverage=settings.coverage)
    measure = _Measure(study, compared, aggregation or default_aggregation(task))
    of_case = slices.of_case[compared.cases]
    found = [("", row) for row in measure.on(np.arange(len(compared.cases)))]
    for code, name in enumerate(slices.names):
        found += [(name, row) for row in measure.on(np.flatnonzero(of_case == code))]
    table = pd.DataFrame([row for _, row in found], columns=list(_Measured._fields))
    table.insert(2, "slice", [name for name, _ in found])
    return SliceMetrics(compared, slices, _finished(table, slicing.fewest))


class _Measure:
    """Measures all models on any of the cases; everything that does not depend on these is done once."""

    def __init__(self, study: Study, compared: Comparison, aggregation: Aggregation) -> None:
        self.compared = compared
        truth = hard_truth(compared, aggregation.tie_rule)
        posterior = aggregate(study, compared.task, aggregation, cases=compared.cases.tolist())
        self.labels = {
            "": share_of_label(truth, compared.label_code).clip(0.0, 1.0),
            "soft": compared.plausibility,
        }
        self.means: list[tuple[str, str, FloatArray, str]] = []
        for m, model in enumerate(compared.models):
            only = compared.only_scores[m]
            for metric, of in (("accuracy", truth), ("adjusted accuracy", posterior)):
                hits = RankedLabels(of, compared.answers[m]).top_k_accuracy(1)
                self.means.append((metric, model, hits, NO_ACCURACY if only else ""))
            self.means += _deeper(compared, model, posterior, NO_ACCURACY if only else "")
            score, why = compared.score[m], NO_LOSS if only else ""
            if not only:
                try:
                    check_probabilities(score)
                except ValueError as error:
                    why = str(error)
            if why:
                score = np.full(len(score), np.nan)
            for metric, (positive, negative) in {
                "Brier score": (np.square(1 - score), np.square(score)),
                "log loss": log_losses(score),
            }.items():
                for name, label in zip((metric, COUNTERPARTS[metric]), self.labels.values(), strict=True):
                    self.means.append((name, model, label * positive + (1 - label) * negative, why))
        self.means.append((CERTAINTY, "", top_certainty(posterior), ""))

    def on(self, cases: IntArray) -> Iterator[_Measured]:
        """Every metric of every model on some of the compared cases, given by their places."""
        yield from self._ranked(cases)
        for metric, model, values, why in self.means:
            of = mean_over_cases(values[cases])
            reason = "" if of.n_cases else why or NO_CASES
            yield _Measured(
                metric,
                model,
                of.n_cases,
                np.nan,
                of.value,
                of.standard_error,
                of.n_cases - 1.0,
                reason,
            )

    def _ranked(self, cases: IntArray) -> Iterator[_Measured]:
        """AUROC and AP, hard and soft."""
        score = self.compared.score[:, cases]
        sorted_scores = sort_scores(score) if len(cases) else None
        for kind, label in self.labels.items():
            own = label[cases]
            values = np.full((2, len(score)), np.nan)
            if sorted_scores is not None:
                rank = hard_ranking_metrics if kind == "" else ranking_metrics
                values = np.array([of[:, 0] for of in rank(sorted_scores, own[None])])
            for m, model in enumerate(self.compared.models):
                known = ~np.isnan(score[m])
                p, n = own[known], int(known.sum())
                rarer = float(min(p.sum(), (1 - p).sum()))
                (reason,) = undefined_reasons(p) if n else (NO_CASES,)
                for metric, value, error in zip(
                    ("AUROC", "AP"), values[:, m], (auroc_error, ap_error), strict=True
                ):
                    yield _Measured(
                        metric if kind == "" else COUNTERPARTS[metric],
                        model,
                        n,
                        rarer,
                        np.nan if reason else float(value),
                        np.nan if reason else error(score[m][known], p),
                        max(rarer - 1, 1.0),
                        reason,
                    )


def _deeper(
    compared: Comparison, model: str, posterior: Posterior, why: str
) -> Iterator[tuple[str, str, FloatArray, str]]:
    """Metrics of the labels that a model finds most probable, of each case, where there are more than two."""
    task = compared.task
    depth = min(DEPTH, len(task.labels) - 1)  # as deep as there are labels every prediction is right
    if depth < 2:
        return
    order = order_of_probabilities(task.predictions[model].probability[compared.cases], depth)
    found = adjusted_metrics(posterior, order, max_k=depth)
    yield from ((metric, model, found[metric], why) for metric in DEEPER if metric in found)


def _finished(table: pd.DataFrame, fewest: int) -> pd.DataFrame:
    """Add intervals, mark small slices, say why intervals are missing, and put metrics in order."""
    ranking, certain, unbounded = (
        table["metric"].isin(of).to_numpy()
        for of in (RANKING, ["accuracy", "adjusted accuracy", *DEEPER], UNBOUNDED)
    )
    value, error, n, df = (
        table[name].to_numpy(np.float64, copy=True) for name in ("value", "error", "n_cases", "df")
    )
    still = (error < _SAME) & ~(certain & ((value < _SAME) | (value > 1 - _SAME)))
    error[still] = np.nan
    low, high = share_interval(value, error, n, df)
    low[unbounded], high[unbounded] = _loss_interval(value[unbounded], error[unbounded], df[unbounded])
    why = np.where(
        still,
        np.where(ranking, NO_SCATTER, SAME_FOR_ALL),
        np.where(ranking, f"no interval: {ONE_SIDE}", f"no interval: {ONE_CASE}"),
    )
    finished = table.assign(
        low=low,
        high=high,
        interval_of=INTERVAL_OF["cases"],
        standard_error=error,
        small=[_small(int(of), rarer, fewest) for of, rarer in zip(n, table["rarer"], strict=True)],
        reason=np.where(np.isnan(low) & ~np.isnan(value), why, table["reason"]),
    )
    order = np.argsort(table["metric"].map(METRICS.index).to_numpy(), kind="stable")
    return finished.iloc[order][COLUMNS].reset_index(drop=True)


def _loss_interval(value: FloatArray, error: FloatArray, df: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Ends on the scale of logarithms."""
    with np.errstate(divide="ignore", invalid="ignore"):
        half = student.ppf((1 + STATED) / 2, np.maximum(df, 1.0)) * error / value
    return value * np.exp(-half), value * np.exp(half)


def _small(n: int, rarer: float, fewest: int) -> str:
    """The rule that a slice falls short of; empty where it does not."""
    if n < fewest:
        return f"{TOO_FEW}: {n} of {fewest} cases needed"
    if rarer < FEWEST:
        return f"{TOO_FEW}: the rarer side (positive or negative) has {rarer:.3g} of {FEWEST} cases needed"
    return ""
