"""How sure an order of models by metrics averaged over labels is."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np

from core.analysis.models.comparison import Comparison, comparison, plausibilities
from core.analysis.models.hard_labels import hard_truth, shares_of_labels
from core.analysis.models.meter import divided
from core.analysis.models.rank_change import AVERAGED, UNDEFINED
from core.analysis.models.settings import ComparisonSettings
from core.analysis.models.stability import (
    SOURCES,
    Annotations,
    Source,
    Stability,
    check_choice,
)
from core.analysis.models.truth_draws import LabelSource, drawn_labels, lost_scatter, resampled_labels
from core.metrics.bootstrap import seeded_case_weights
from core.metrics.soft.hard import hard_ranking_metrics
from core.metrics.soft.ranking import SortedScores, ranking_metrics, sort_scores
from core.plausibility.settings import Aggregation, default_aggregation
from core.progress import Progress
from core.study.model import FloatArray, Study, Task
from core.study.seeds import case_seeds

AVERAGES: tuple[str, ...] = tuple(metric for pair in AVERAGED.items() for metric in pair)
"""Each hard metric averaged over labels, followed by its counterpart."""

_CELLS_AT_ONCE = 2**22
"""Bounds the memory: draws times cases that are measured in one go."""


def averaged_stability(
    study: Study,
    task: Task,
    settings: ComparisonSettings = ComparisonSettings(),  # noqa: B008 - frozen
    *,
    metrics: Sequence[str] = AVERAGES,
    sources: Sequence[Source] = SOURCES,
    aggregation: Aggregation | None = None,
    progress: Progress | None = None,
) -> Stability:
    """Measure averages over labels of all models again and again on truths and cases that could have been.

    Parameters
    ----------
    study
        That the task belongs to.
    task : Task
        With more than two labels and with predictions.
    metrics : sequence of str
        Any of `AVERAGES`.
    settings, sources, aggregation, progress
        As for `core.analysis.models.stability.stability`.

    Returns
    -------
    Stability
        A model that has no value as things are, as `core.analysis.models.rank_change.rank_change` has it, is
        left out.

    Raises
    ------
    ValueError
        As for `core.analysis.models.stability.stability`, and for a task of two labels.

    Notes
    -----
    The draws are those of `core.analysis.models.stability.stability`: in each, the same readings and cases
    are drawn for every label. An average is over the labels that the draw defines, of those that somebody
    named; it is plain, or weighted with the mass that the draw gives each label on the cases of the model.
    """
    check_choice("metric", metrics, AVERAGES)
    check_choice("source", sources, SOURCES)
    annotations, n_draws = settings.annotations, settings.n_draws
    if len(task.labels) < 3:
        raise ValueError(
            f"task {task.name!r} has {len(task.labels)} labels: there is nothing to average over"
        )
    aggregation = aggregation or default_aggregation(task)
    compared = comparison(study, task, coverage=settings.coverage)
    hard_of_all = shares_of_labels(hard_truth(compared, aggregation.tie_rule))
    observed_of_all = plausibilities(task, compared.cases)
    labels = [task.labels[code] for code in np.flatnonzero(observed_of_all.sum(axis=0) > 0)]
    truths = None
    if set(sources) != {"cases"}:
        truths = _truths(study, compared, annotations, aggregation, n_draws)
    case_draws = case_seeds(study.seed, [str(d) for d in range(n_draws)], "bootstrap of cases")
    drawn: dict[tuple[Source, str], FloatArray] = {
        key: np.empty((n_draws, len(compared.models))) for key in product(sources, metrics)
    }
    as_it_is = _Averages()
    step = max(_CELLS_AT_ONCE // len(compared.cases), 1)
    for begin in range(0, n_draws, step):
        part = slice(begin, min(begin + step, n_draws))
        weight = None
        if set(sources) != {"annotations"}:
            weight = seeded_case_weights(len(compared.cases), case_draws[part])
        sums: dict[Source, _Averages] = {source: _Averages() for source in sources}
        for i, label in enumerate(labels):
            if progress is not None:
                progress((begin + (part.stop - begin) * i / len(labels)) / n_draws, f"draws of {label}")
            scores = _scores(compared, label)
            code = task.labels.index(label)
            observed = observed_of_all[None, :, code], hard_of_all[None, :, code]
            truth = observed if truths is None else truths(label, part.start, part.stop)
            if begin == 0:
                as_it_is.add(scores, *observed, None)
            for source, of_source in sums.items():
                of_source.add(
                    scores,
                    *(observed if source == "cases" else truth),
                    None if source == "annotations" else weight,
                )
        for source, of_source in sums.items():
            measured = of_source.averages()
            for metric in metrics:
                drawn[source, metric][part] = measured[metric].T
    if progress is not None:
        progress(1.0, "draws")
    averages = as_it_is.averages()
    observed_averages = {metric: averages[metric][:, 0] for metric in metrics}
    return _stability(compared, observed_averages, drawn, annotations)


def _truths(
    study: Study,
    compared: Comparison,
    annotations: Annotations,
    aggregation: Aggregation,
    n_draws: int,
) -> LabelSource:
    """Where truths come from."""
    if annotations == "bootstrap":
        return resampled_labels(study, compared, tie_rule=aggregation.tie_rule)
    return drawn_labels(study, compared, aggregation, n_draws)


def _scores(compared: Comparison, label: str) -> SortedScores:
    """Probabilities that the models give a label, NaN for cases that they did not predict."""
    code = compared.task.labels.index(label)
    probability = np.array(
        [compared.task.predictions[model].probability[compared.cases, code] for model in compared.models]
    )
    return sort_scores(np.where(compared.answered, probability, np.nan))


class _Averages:
    """Sums over labels, hard and soft, that make the averages of each model and draw."""

    def __init__(self) -> None:
        self.sums: dict[str, FloatArray] = {}

    def add(
        self, scores: SortedScores, plausibility: FloatArray, hard: FloatArray, weight: FloatArray | None
    ) -> None:
        """Take in a label, soft and hard; all but the scores have the shape (n_draws or 1, n_cases)."""
        known = ~np.isnan(scores.score)
        for truth, measure, names in (
            (hard, hard_ranking_metrics, ("AUROC", "AP")),
            (plausibility, ranking_metrics, ("s-AUROC", "s-AP")),
        ):
            # Row by row, for a product of matrices rounds otherwise with other numbers of draws.
            masses = truth if weight is None else weight * truth
            mass = np.array([(masses * of).sum(axis=1) for of in known])
            for name, value in zip(names, measure(scores, truth, weight=weight), strict=True):
                defined = ~np.isnan(value)
                here = np.where(defined, value, 0.0)
                part = np.stack([here, defined, here * mass, defined * mass])
                self.sums[name] = self.sums[name] + part if name in self.sums else part

    def averages(self) -> dict[str, FloatArray]:
        """Each of `AVERAGES` with shape (n_models, n_draws); NaN where no label defines it."""
        found = {}
        for name in ("AUROC", "s-AUROC", "AP", "s-AP"):
            total, n_labels, weighted, mass = self.sums[name]
            found[f"{name} (macro)"] = divided(total, n_labels)
            found[f"{name} (weighted)"] = divided(weighted, mass)
        return found


def _stability(
    compared: Comparison,
    observed: dict[str, FloatArray],
    drawn: dict[tuple[Source, str], FloatArray],
    annotations: Annotations,
) -> Stability:
    """Leave out the models that have no value as things are, and the metrics that no model has."""
    left_out = {
        metric: {
            model: UNDEFINED for model, value in zip(compared.models, values, strict=True) if np.isnan(value)
        }
        for metric, values in observed.items()
    }
    refused = {metric: UNDEFINED for metric, of in left_out.items() if len(of) == len(compared.models)}
    for (_, metric), values in drawn.items():
        values[:, np.isnan(observed[metric])] = np.nan
    kept = [metric for metric in observed if metric not in refused]
    if not kept:
        raise ValueError(UNDEFINED)
    return Stability(
        compared.models,
        {metric: observed[metric] for metric in kept},
        {(source, metric): values for (source, metric), values in drawn.items() if metric in kept},
        {metric: left_out[metric] for metric in kept},
        refused,
        annotations,
        lost_scatter(compared) if annotations == "bootstrap" else 1.0,
    )
