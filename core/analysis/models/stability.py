"""How sure any order of models is: resampled annotations, resampled cases, and both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.analysis.models.comparison import Comparison, comparison
from core.analysis.models.hard_labels import hard_truth, share_of_label
from core.analysis.models.meter import ADJUSTED, METRICS, Meter, divided, expected_hits
from core.analysis.models.settings import SOURCES, Annotations, ComparisonSettings, Source
from core.analysis.models.truth_draws import (
    Truth,
    TruthSource,
    drawn_plausibilities,
    lost_scatter,
    resampled_readings,
)
from core.metrics.adjusted.metrics import RankedLabels
from core.metrics.bootstrap import seeded_case_weights
from core.plausibility.settings import Aggregation, TieRule, default_aggregation
from core.progress import Progress
from core.study.brief import brief
from core.study.model import FloatArray, Study, Task
from core.study.seeds import case_seeds

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
    annotations : {"bootstrap", "plausibility"}
        How truths were drawn.
    lost : float
        What the scatter of the readings must be multiplied with, as drawing them anew loses some of it
        (`core.analysis.models.truth_draws.lost_scatter`); 1 for plausibilities. NaN where single readings
        tell nothing of it: there are then no claims of annotations.
    """

    models: tuple[str, ...]
    observed: Mapping[str, FloatArray]
    drawn: Mapping[tuple[str, str], FloatArray]
    left_out: Mapping[str, Mapping[str, str]]
    refused: Mapping[str, str]
    annotations: Annotations
    lost: float

    __repr__ = brief

    def about_observed(self, source: str, metric: str) -> FloatArray:
        """Draws moved and stretched so that they say how far the observed values may be from the truth.

        Parameters
        ----------
        source, metric : str
            A key of ``drawn``.

        Returns
        -------
        ndarray of float64 with shape (n_draws, n_models)
            With the observed values as their mean; those of a model without one stay where they are.

        Notes
        -----
        As they are drawn, truths lie about another place than the observed values: readings drawn anew
        scatter about readings that scatter already, and a posterior over plausibilities knows nothing of the
        models' scores and pulls every case towards its prior. Both make models look worse than they are. So
        the draws give the scatter alone. Of the readings it is too small by `lost`; of both cases and
        readings it counts the readings twice, for each case drawn brings their scatter along, and is brought
        to what drawing cases has. In 400 simulated studies with three to nine readings a case, 95 % intervals
        so made held the truth in 92 to 97 of 100, with plausibilities in 90 to 98
        (`tests/benchmarks/test_long_coverage_of_intervals.py`). A model that has learnt from the readings
        that judge it looks better by their chance, of which draws know nothing.
        """
        drawn, observed = self.drawn[source, metric], self.observed[metric]
        mean = mean_of(drawn)
        away = drawn - mean
        if source == "annotations":
            away = away * self.lost
        elif source == "both" and ("cases", metric) in self.drawn:
            once, twice = (
                float(np.nansum(mean_of(np.square(of - mean_of(of)))))
                for of in (self.drawn["cases", metric], drawn)
            )
            away = away * (np.sqrt(once / twice) if twice > 0 else 1.0)
        return np.where(np.isnan(observed), mean, observed) + away

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
            whole.annotations,
            whole.lost,
        )
    return whole


def mean_of(values: FloatArray) -> FloatArray:
    """Mean of what is defined, over the draws; NaN where nothing is."""
    defined = ~np.isnan(values)
    return divided(np.where(defined, values, 0.0).sum(axis=0), defined.sum(axis=0, dtype=np.float64))


def stability(
    study: Study,
    task: Task,
    settings: ComparisonSettings = ComparisonSettings(),  # noqa: B008 - frozen
    *,
    metrics: Sequence[str] = METRICS,
    sources: Sequence[Source] = SOURCES,
    aggregation: Aggregation | None = None,
    progress: Progress | None = None,
) -> Stability:
    """Measure all models again and again on truths and cases that could have been.

    Parameters
    ----------
    study, task
        As for `core.analysis.models.comparison.comparison`.
    settings : ComparisonSettings
        Label and cases; how truths are drawn, by resampling each case's readings or from the posterior over
        plausibilities; and how often.
    metrics : sequence of str
        Any of `METRICS`, and `ADJUSTED`.
    sources : sequence of {"annotations", "cases", "both"}
        What is drawn.
    aggregation : Aggregation, optional
        For plausibilities and `ADJUSTED`: model and reliability; the recommended one for the task by default.
        Its ``tie_rule`` says what becomes of a hard label that is tied.
    progress : callable, optional
        Called with the share done, in [0, 1], and what is being done.

    Returns
    -------
    Stability

    Raises
    ------
    ValueError
        As for `comparison`; for unknown metrics or sources; for plausibilities of a point
        estimate; and where none of the metrics is defined for any model.

    Notes
    -----
    Scores are sorted once for each model. All random numbers come from the study's seed; a draw of
    annotations is the same with and without a draw of cases. Annotations alone speak of these very cases;
    cases alone speak of a population of cases that are read as these were, for the scatter of the readings
    comes along with each case. `Stability.about_observed` turns draws into claims.
    """
    check_choice("metric", metrics, (*METRICS, ADJUSTED))
    check_choice("source", sources, SOURCES)
    annotations, n_draws = settings.annotations, settings.n_draws
    compared = comparison(study, task, label=settings.label, coverage=settings.coverage)
    aggregation = aggregation or default_aggregation(task)
    hits = expected_hits(study, compared, aggregation) if ADJUSTED in metrics else None
    meter = Meter(compared, metrics, hits)
    observed = _observed_truth(compared, aggregation.tie_rule)
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
    step = max(_CELLS_AT_ONCE // len(compared.cases) // (1 if len(task.labels) == 2 else len(meter.known)), 1)
    for begin in range(0, n_draws, step):
        if progress is not None:
            progress(begin / n_draws, "draws of annotations and cases")
        part = slice(begin, min(begin + step, n_draws))
        truth = observed if truths is None else truths(part.start, part.stop)
        weight = (
            None
            if set(sources) == {"annotations"}
            else seeded_case_weights(len(compared.cases), case_draws[part])
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
    lost = lost_scatter(compared) if annotations == "bootstrap" else 1.0
    return Stability(compared.models, as_it_is, drawn, left_out, meter.refused, annotations, lost)


def _truth_source(
    study: Study,
    compared: Comparison,
    annotations: Annotations,
    aggregation: Aggregation,
    n_draws: int,
) -> TruthSource:
    """Where truths come from."""
    if annotations == "bootstrap":
        return resampled_readings(study, compared, tie_rule=aggregation.tie_rule)
    return drawn_plausibilities(study, compared, aggregation, n_draws)


def check_choice(what: str, chosen: Sequence[str], allowed: Sequence[str]) -> None:
    """Refuse what is not allowed, or nothing at all."""
    unknown = [one for one in chosen if one not in allowed]
    if unknown or not chosen:
        raise ValueError(f"{what} must be one of {', '.join(allowed)}, got {', '.join(unknown) or 'none'}")


def _observed_truth(compared: Comparison, tie_rule: TieRule) -> Truth:
    """The readings as they are: a single draw."""
    truth = hard_truth(compared, tie_rule)
    hard = share_of_label(truth, compared.label_code)[None]
    if len(compared.task.labels) == 2:
        return Truth(compared.plausibility[None], hard, None)
    credit = [RankedLabels(truth, of).top_k_accuracy(1)[None] for of in compared.answers]
    return Truth(compared.plausibility[None], hard, np.nan_to_num(np.array(credit)))
