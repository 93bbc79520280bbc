"""How sure any order of models is: resampled annotations, resampled cases, and both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from core.analysis.aggregate import Aggregation, aggregate, default_aggregation
from core.analysis.comparison import Comparison, Coverage, comparison, hard_codes
from core.analysis.rank_change import COUNTERPARTS, LOSSES
from core.analysis.score_models import NO_ACCURACY, NO_LOSS
from core.analysis.sweep import Progress
from core.analysis.truth_draws import (
    OTHER,
    Truth,
    TruthSource,
    drawn_plausibilities,
    resampled_readings,
)
from core.metrics.adjusted import RankedLabels
from core.metrics.soft import MajorityRule, check_probabilities, hard_labels, log_losses
from core.metrics.soft_ranking import SortedScores, ranking_metrics, sort_scores
from core.plausibility.posterior import candidates_of
from core.study.model import FloatArray, Study, Task
from core.study.seeds import case_seeds

Annotations = Literal["bootstrap", "plausibility"]
Source = Literal["annotations", "cases", "both"]
ANNOTATIONS: tuple[Annotations, ...] = get_args(Annotations)
SOURCES: tuple[Source, ...] = get_args(Source)
METRICS: tuple[str, ...] = (
    "AUROC", "s-AUROC", "AP", "s-AP", "Brier score", "soft Brier score", "log loss", "soft log loss",
    "accuracy",
)  # fmt: skip
ADJUSTED = "adjusted accuracy"
"""Measured where asked for. It is an average over truths already, so only cases can be drawn for it."""

_CELLS_AT_ONCE = 2**22
"""Bounds the memory: draws times cases that are measured in one go."""


@dataclass(frozen=True, eq=False)
class Stability:
    """Metrics of all models under each draw of what could have been.

    Attributes
    ----------
    models : tuple of str
        In the study's order.
    observed : mapping of str to ndarray with shape (n_models,)
        Each metric on the readings and cases as they are.
    drawn : mapping of (source, metric) to ndarray with shape (n_draws, n_models)
        NaN where a draw leaves the metric undefined, and for a model that is left out. "annotations" keeps
        the cases and draws the truth, "cases" keeps the truth and draws the cases with replacement, "both"
        does both. `ADJUSTED` is there for "cases" only.
    left_out : mapping of str to mapping of str to str
        For each metric, the models that it is not defined for, with the reason; the others are compared.
    refused : mapping of str to str
        Metrics asked for that are defined for no model, with the reason.
    """

    models: tuple[str, ...]
    observed: Mapping[str, FloatArray]
    drawn: Mapping[tuple[str, str], FloatArray]
    left_out: Mapping[str, Mapping[str, str]]
    refused: Mapping[str, str]

    def compares(self, metric: str) -> NDArray[np.bool_]:
        """Which models a metric compares, with shape (n_models,)."""
        return np.array([model not in self.left_out[metric] for model in self.models])


def joined(parts: Sequence[Stability]) -> Stability:
    """Put together what was drawn of several metrics of the same models, by as many draws."""
    whole = parts[0]
    for part in parts[1:]:
        whole = Stability(
            whole.models,
            {**whole.observed, **part.observed},
            {**whole.drawn, **part.drawn},
            {**whole.left_out, **part.left_out},
            {**whole.refused, **part.refused},
        )
    return whole


def stability(
    study: Study,
    task: Task,
    *,
    label: str | None = None,
    metrics: Sequence[str] = METRICS,
    sources: Sequence[Source] = SOURCES,
    annotations: Annotations = "bootstrap",
    aggregation: Aggregation | None = None,
    rule: MajorityRule = "more than half",
    coverage: Coverage = "common",
    n_draws: int = 1000,
    progress: Progress | None = None,
) -> Stability:
    """Measure all models again and again on truths and cases that could have been.

    Parameters
    ----------
    study, task, label, coverage
        As for `core.analysis.comparison.comparison`.
    metrics : sequence of str
        Any of `METRICS`, and `ADJUSTED`.
    sources : sequence of {"annotations", "cases", "both"}
        What is drawn.
    annotations : {"bootstrap", "plausibility"}
        How truths are drawn: by resampling each case's readings, or from the posterior over plausibilities.
    aggregation : Aggregation, optional
        For plausibilities and `ADJUSTED`: model and reliability; the recommended one for the task by default.
    rule : {"more than half", "half or more"}
        When a plausibility makes a hard label.
    n_draws : int
        1 or more.
    progress : callable, optional
        Called with the share done, in [0, 1], and what is being done.

    Returns
    -------
    Stability

    Raises
    ------
    ValueError
        As for `comparison`; for unknown metrics, sources or ways to draw; for plausibilities of a point
        estimate; and where none of the metrics is defined for any model.

    Notes
    -----
    Scores are sorted once for each model. All random numbers come from the study's seed; a draw of
    annotations is the same with and without a draw of cases. Annotations alone speak of these very cases;
    cases alone speak of a population of cases that are read as these were, for the scatter of the readings
    comes along with each case. Both together count that scatter twice, and are cautious.
    """
    check_choice("metric", metrics, (*METRICS, ADJUSTED))
    check_choice("source", sources, SOURCES)
    check_choice("annotations", [annotations], ANNOTATIONS)
    if n_draws < 1:
        raise ValueError(f"n_draws must be 1 or more, got {n_draws}")
    compared = comparison(study, task, label=label, coverage=coverage)
    hits = _expected_hits(study, compared, aggregation) if ADJUSTED in metrics else None
    meter = _Meter(compared, metrics, rule, hits)
    observed = _observed_truth(compared, rule)
    truths = None
    if set(sources) != {"cases"}:
        truths = _truth_source(study, compared, annotations, aggregation, n_draws)
    case_draws = case_seeds(study.seed, [str(d) for d in range(n_draws)], "bootstrap of cases")
    drawn: dict[tuple[str, str], FloatArray] = {
        (source, metric): np.empty((n_draws, len(compared.models)))
        for source in sources
        for metric in meter.metrics
        if metric != ADJUSTED or source == "cases"
    }
    if not drawn:
        raise ValueError(f"{ADJUSTED} is drawn over cases only, so sources must name them")
    step = max(_CELLS_AT_ONCE // len(compared.cases), 1)
    for begin in range(0, n_draws, step):
        if progress is not None:
            progress(begin / n_draws, "draws of annotations and cases")
        part = slice(begin, min(begin + step, n_draws))
        truth = observed if truths is None else truths(part.start, part.stop)
        weight = (
            None if set(sources) == {"annotations"} else case_weights(case_draws[part], len(compared.cases))
        )
        for source in sources:
            measured = meter.measure(
                observed if source == "cases" else truth, None if source == "annotations" else weight
            )
            for metric, value in measured.items():
                if (source, metric) in drawn:
                    drawn[source, metric][part] = value.T
    if progress is not None:
        progress(1.0, "draws of annotations and cases")
    as_it_is = {metric: value[:, 0] for metric, value in meter.measure(observed, None).items()}
    left_out = {metric: meter.left_out[metric] for metric in meter.metrics}
    return Stability(compared.models, as_it_is, drawn, left_out, meter.refused)


def _truth_source(
    study: Study,
    compared: Comparison,
    annotations: Annotations,
    aggregation: Aggregation | None,
    n_draws: int,
) -> TruthSource:
    """Where truths come from."""
    if annotations == "bootstrap":
        return resampled_readings(study, compared)
    aggregation = aggregation or default_aggregation(compared.task)
    return drawn_plausibilities(study, compared, aggregation, n_draws)


def _expected_hits(study: Study, compared: Comparison, aggregation: Aggregation | None) -> FloatArray:
    """P(a model's label is the truth) for each case, with shape (n_models, n_cases); NaN where undefined."""
    aggregation = aggregation or default_aggregation(compared.task)
    posterior = aggregate(study, compared.task, aggregation, cases=compared.cases.tolist())
    return np.array([RankedLabels(posterior, of[:, None]).top_k_accuracy(1) for of in compared.predicted])


def check_choice(what: str, chosen: Sequence[str], allowed: Sequence[str]) -> None:
    """Refuse what is not allowed, or nothing at all."""
    unknown = [one for one in chosen if one not in allowed]
    if unknown or not chosen:
        raise ValueError(f"{what} must be one of {', '.join(allowed)}, got {', '.join(unknown) or 'none'}")


def _observed_truth(compared: Comparison, rule: MajorityRule) -> Truth:
    """The readings as they are: a single draw."""
    leading = None if len(compared.task.labels) == 2 else hard_codes(compared, rule)[None]
    return Truth(compared.plausibility[None], leading)


def case_weights(seeds: np.ndarray, n: int) -> FloatArray:
    """How often each of ``n`` cases is drawn, with shape (n_draws, n): as many cases as there are."""
    counts = [np.bincount(np.random.default_rng(int(seed)).integers(0, n, n), minlength=n) for seed in seeds]
    return np.array(counts, np.float64)


class _Meter:
    """Measures all models on many truths; everything that does not depend on the truth is done once."""

    def __init__(
        self,
        compared: Comparison,
        metrics: Sequence[str],
        rule: MajorityRule,
        hits: FloatArray | None,
    ) -> None:
        self.compared = compared
        self.hits = hits
        self.rule: MajorityRule = rule
        self.scores: SortedScores = sort_scores(compared.score)
        self.known = ~np.isnan(compared.score)
        score = np.where(self.known, compared.score, 0.5)
        self.losses: dict[str, tuple[FloatArray, FloatArray]] = {}
        self.left_out = {metric: _left_out(compared, metric) for metric in metrics}
        self.refused = {
            metric: _of_all(reasons)
            for metric, reasons in self.left_out.items()
            if len(reasons) == len(compared.models)
        }
        losses = LOSSES & set(metrics) - set(self.refused)
        if losses:
            score[self._is_left_out(min(losses))] = 0.5
            self.losses["Brier score"] = (np.square(1 - score), np.square(score))
            self.losses["log loss"] = log_losses(score)
        self.metrics = [
            metric for metric in (*METRICS, ADJUSTED) if metric in metrics and metric not in self.refused
        ]
        if not self.metrics:
            raise ValueError("; ".join(dict.fromkeys(self.refused.values())))

    def measure(self, truth: Truth, weight: FloatArray | None) -> dict[str, FloatArray]:
        """Every metric with shape (n_models, n_draws)."""
        hard = hard_labels(truth.plausibility, rule=self.rule).astype(np.float64)
        found: dict[str, FloatArray] = {}
        for plausibility, names in ((hard, ("AUROC", "AP")), (truth.plausibility, ("s-AUROC", "s-AP"))):
            if set(names) & set(self.metrics):
                found |= zip(names, ranking_metrics(self.scores, plausibility, weight=weight), strict=True)
        for name in ("Brier score", "log loss"):
            for wanted, plausibility in ((name, hard), (COUNTERPARTS[name], truth.plausibility)):
                if wanted in self.metrics:
                    found[wanted] = self._mean(*self.losses[name], plausibility, weight)
        if "accuracy" in self.metrics:
            found["accuracy"] = self._accuracy(truth, hard, weight)
        if self.hits is not None:
            found[ADJUSTED] = self._adjusted(self.hits, weight)
        for metric in self.metrics:
            if self.left_out[metric]:
                found[metric][self._is_left_out(metric)] = np.nan
        return {metric: found[metric] for metric in self.metrics}

    def _is_left_out(self, metric: str) -> NDArray[np.bool_]:
        """Which models a metric is not defined for."""
        return np.array([model in self.left_out[metric] for model in self.compared.models])

    def _mean(
        self,
        if_positive: FloatArray,
        if_negative: FloatArray,
        plausibility: FloatArray,
        weight: FloatArray | None,
    ) -> FloatArray:
        """Weighted mean over the cases that each model scored."""
        w = np.ones((1, plausibility.shape[1])) if weight is None else weight
        positive = w * plausibility
        total = (self.known * if_positive) @ positive.T + (self.known * if_negative) @ (w - positive).T
        return _divided(total, self.known.astype(np.float64) @ w.T)

    def _accuracy(self, truth: Truth, hard: FloatArray, weight: FloatArray | None) -> FloatArray:
        """Share of cases whose leading label is the model's."""
        predicted = self.compared.predicted
        if truth.leading is None:
            says = (predicted == self.compared.label_code).astype(np.float64)
            return self._mean(says, 1 - says, hard, weight)
        w = np.ones((1, predicted.shape[1])) if weight is None else weight
        credit = _other_credit(self.compared)
        total = np.empty((len(predicted), max(len(w), len(truth.leading))))
        for m, of in enumerate(predicted):
            hit = np.where(truth.leading == OTHER, credit[m], truth.leading == of)
            total[m] = np.einsum("dn,dn->d", *np.broadcast_arrays(hit * self.known[m], w))
        return _divided(total, self.known.astype(np.float64) @ w.T)

    @staticmethod
    def _adjusted(hits: FloatArray, weight: FloatArray | None) -> FloatArray:
        """Weighted mean of the expected hits over the cases where they are defined."""
        known = ~np.isnan(hits)
        w = np.ones((1, hits.shape[1])) if weight is None else weight
        return _divided(np.where(known, hits, 0.0) @ w.T, known.astype(np.float64) @ w.T)


def _other_credit(compared: Comparison) -> FloatArray:
    """P(the model is right | a label that nobody mentioned leads), with shape (n_models, n_cases)."""
    readings = compared.task.readings.take_cases(compared.cases)
    candidates = candidates_of(readings, len(compared.task.labels))
    of_other = (candidates.locate(compared.predicted.T) < 0).T & (compared.predicted >= 0)
    return of_other / np.maximum(candidates.unmentioned, 1)


def _left_out(compared: Comparison, metric: str) -> dict[str, str]:
    """Models that a metric is not defined for, with the reason."""
    is_loss = metric in LOSSES
    if not is_loss and metric not in ("accuracy", ADJUSTED):
        return {}
    found = {}
    for model, score, only in zip(compared.models, compared.score, compared.only_scores, strict=True):
        if only:
            found[model] = NO_LOSS if is_loss else NO_ACCURACY
        elif is_loss:
            try:
                check_probabilities(score)
            except ValueError as error:
                found[model] = str(error)
    return found


def _of_all(reasons: Mapping[str, str]) -> str:
    """Why no model can be measured: each reason once, with the first model that it is true of."""
    first: dict[str, str] = {}
    for model, reason in reasons.items():
        first.setdefault(reason, model)
    return "; ".join(f"{model}: {reason}" for reason, model in first.items())


def _divided(total: FloatArray, by: FloatArray) -> FloatArray:
    """Mean; NaN where no case has any weight."""
    by = np.broadcast_to(by, total.shape)
    return np.divide(total, by, out=np.full(total.shape, np.nan), where=by > 0)
