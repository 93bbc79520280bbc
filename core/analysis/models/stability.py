"""How sure any order of models is: resampled annotations, resampled cases, and both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.analysis.models.comparison import Comparison, comparison
from core.analysis.models.hard_labels import hard_truth, share_of_label
from core.analysis.models.meter import ADJUSTED, METRICS, Meter, expected_hits
from core.analysis.models.rank_change import COUNTERPARTS
from core.analysis.models.rater_resamples import resampled_raters
from core.analysis.models.resampling import READ_AGAIN, Resampling, Stability, joined
from core.analysis.models.settings import RATER_SOURCES, SOURCES, ComparisonSettings, Source
from core.analysis.models.stability_averages import AVERAGES, stability_of_averages
from core.analysis.models.truth_draws import (
    Truth,
    TruthSource,
    drawn_plausibilities,
    resampled_readings,
)
from core.metrics.adjusted.metrics import RankedLabels
from core.plausibility.settings import Aggregation, TieRule, default_aggregation
from core.progress import Progress
from core.study.model import FloatArray, Study, Task


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
    study, task : Study, Task
        The task, with predictions, and the study that it belongs to.
    settings : ComparisonSettings
        Label and cases; how truths are drawn, by resampling each case's readings or from the posterior over
        plausibilities; and how often.
    metrics : sequence of str
        Any of `METRICS`, `ADJUSTED`, and of a task of more than two labels `AVERAGES`.
    sources : sequence of {"annotations", "cases", "both", "raters", "all"}
        What is drawn; of averages over labels, no raters.
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
        Where there is no model, no such label, no such coverage, or no case left for some model; for unknown
        metrics or sources; for plausibilities of a point estimate; and where none of the metrics is defined
        for any model.

    Notes
    -----
    Averages over labels have the same readings and cases drawn for every label; their models share the cases
    that ``coverage`` says for all labels. An average is over the labels that the draw defines, of those that
    somebody named; it is plain, or weighted with the mass that the draw gives each label on the cases of the
    model. A model that has no average as things are is left out.

    Scores are sorted once for each model. All random numbers come from the study's seed; a draw of
    annotations is the same with and without a draw of cases. Annotations alone speak of these very cases;
    cases alone speak of a population of cases that are read as these were, for the scatter of the readings
    comes along with each case. `Stability.about_observed` and
    `core.analysis.models.intervals` turn draws into claims.
    """
    check_choice("metric", metrics, (*METRICS, ADJUSTED, *AVERAGES))
    check_choice("source", sources, (*SOURCES, *RATER_SOURCES))
    if "all" in sources and not {"cases", "raters"} <= set(sources):
        raise ValueError('source "all" is put together from "cases" and "raters": name these too')
    aggregation = aggregation or default_aggregation(task)
    how = Resampling(study, sources, settings.annotations, aggregation, settings.n_draws)
    of_label = [metric for metric in metrics if metric not in AVERAGES]
    averaged = [metric for metric in metrics if metric in AVERAGES]
    if averaged and len(task.labels) < 3:
        raise ValueError(
            f"task {task.name!r} has {len(task.labels)} labels: there is nothing to average over"
        )
    parts = []
    if of_label:
        compared = comparison(study, task, label=settings.label, coverage=settings.coverage)
        part = _part(progress, 0.0, 0.5 if averaged else 1.0)
        parts.append(_stability_of_label(how, compared, of_label, part))
    if averaged:
        compared = comparison(study, task, coverage=settings.coverage)
        part = _part(progress, 0.5 if of_label else 0.0, 1.0)
        without = [source for source in sources if source not in RATER_SOURCES]
        parts.append(stability_of_averages(replace(how, sources=without), compared, averaged, part))
    return joined(parts)


def _part(progress: Progress | None, begin: float, end: float) -> Progress | None:
    """Progress of a part of the work."""
    if progress is None:
        return None
    return lambda share, what: progress(begin + (end - begin) * share, what)


def _stability_of_label(
    how: Resampling, compared: Comparison, metrics: Sequence[str], progress: Progress | None
) -> Stability:
    """Draw metrics of one label."""
    task = compared.task
    hits = expected_hits(how.study, compared, how.aggregation) if ADJUSTED in metrics else None
    meter = Meter(compared, metrics, hits)
    observed = _observed_truth(compared, how.aggregation.tie_rule)
    truths = _truth_source(how, compared) if how.draws_truths else None
    again = resampled_readings(how.study, compared, tie_rule=how.aggregation.tie_rule)
    raters = None
    if how.draws_raters:
        raters = resampled_raters(how.study, compared, tie_rule=how.aggregation.tie_rule)
    drawn = how.empty(meter.metrics, compared)
    drawn = {key: room for key, room in drawn.items() if key[1] != ADJUSTED or key[0] == "cases"}
    if not drawn:
        raise ValueError(f"{ADJUSTED} is drawn over cases only, so sources must name them")
    for part in how.parts(len(compared.cases) * (1 if len(task.labels) == 2 else len(meter.known))):
        if progress is not None:
            progress(part.start / how.n_draws, "draws of annotations and cases")
        truth = observed if truths is None else truths(part.start, part.stop)
        weight = how.case_weights(part, compared)
        for source in how.measured:
            of = observed if source == "cases" else truth
            if source == READ_AGAIN:
                of = again(part.start, part.stop)
            entering = None if source in {"annotations", READ_AGAIN} else weight
            if raters is not None and source in RATER_SOURCES:
                of, read = raters(part.start, part.stop)
                entering = read if source == "raters" or weight is None else read * weight
            measured = meter.measure(of, entering)
            for metric, value in measured.items():
                if (source, metric) in drawn:
                    drawn[source, metric][part] = value.T
    if progress is not None:
        progress(1.0, "draws of annotations and cases")
    as_it_is = {metric: value[:, 0] for metric, value in meter.measure(observed, None).items()}
    left_out = {metric: meter.left_out[metric] for metric in meter.metrics}
    rarer = {metric: _rarer(metric, meter, observed, value) for metric, value in as_it_is.items()}
    return how.claims(compared, as_it_is, drawn, (left_out, meter.refused), rarer)


def _rarer(metric: str, meter: Meter, observed: Truth, value: FloatArray) -> FloatArray:
    """As `Stability.rarer`, of a metric with its value for each model."""
    n = meter.known.sum(axis=1)
    share = observed.plausibility if metric in COUNTERPARTS.values() else observed.hard
    positive = n * value if metric in {"accuracy", ADJUSTED} else meter.known @ share[0]
    return np.minimum(positive, n - positive)


def _truth_source(how: Resampling, compared: Comparison) -> TruthSource:
    """Where truths come from."""
    if how.annotations == "bootstrap":
        return resampled_readings(how.study, compared, tie_rule=how.aggregation.tie_rule)
    return drawn_plausibilities(how.study, compared, how.aggregation, how.n_draws)


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
