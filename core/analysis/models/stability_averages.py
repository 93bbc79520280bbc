"""How sure an order of models by metrics averaged over labels is."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.analysis.models.comparison import Comparison, plausibilities
from core.analysis.models.hard_labels import hard_truth, shares_of_labels
from core.analysis.models.meter import divided
from core.analysis.models.rank_change import AVERAGED, UNDEFINED
from core.analysis.models.resampling import READ_AGAIN, Resampling, Stability
from core.analysis.models.truth_draws import LabelSource, drawn_labels, resampled_labels
from core.metrics.soft.hard import hard_ranking_metrics
from core.metrics.soft.ranking import SortedScores, ranking_metrics, sort_scores
from core.progress import Progress
from core.study.model import FloatArray

AVERAGES: tuple[str, ...] = tuple(metric for pair in AVERAGED.items() for metric in pair)
"""Each hard metric averaged over labels, followed by its counterpart."""


def stability_of_averages(
    how: Resampling, compared: Comparison, metrics: Sequence[str], progress: Progress | None
) -> Stability:
    """Draw averages over labels, some of `AVERAGES`; see `core.analysis.models.stability.stability`."""
    task = compared.task
    hard_of_all = shares_of_labels(hard_truth(compared, how.aggregation.tie_rule))
    observed_of_all = plausibilities(task, compared.cases)
    labels = [task.labels[code] for code in np.flatnonzero(observed_of_all.sum(axis=0) > 0)]
    truths = _truth_source(how, compared) if how.draws_truths else None
    again = resampled_labels(how.study, compared, tie_rule=how.aggregation.tie_rule)
    drawn = how.empty(metrics, compared)
    as_it_is = _Averages()
    for part in how.parts(len(compared.cases)):
        weight = how.case_weights(part, compared)
        sums = {source: _Averages() for source in how.measured}
        for i, label in enumerate(labels):
            if progress is not None:
                share = (part.start + (part.stop - part.start) * i / len(labels)) / how.n_draws
                progress(share, f"draws of {label}")
            scores = _scores(compared, label)
            code = task.labels.index(label)
            observed = observed_of_all[None, :, code], hard_of_all[None, :, code]
            truth = observed if truths is None else truths(label, part.start, part.stop)
            if part.start == 0:
                as_it_is.add(scores, *observed, None)
            for source, of_source in sums.items():
                of = observed if source == "cases" else truth
                if source == READ_AGAIN:
                    of = again(label, part.start, part.stop)
                of_source.add(scores, *of, None if source in {"annotations", READ_AGAIN} else weight)
        for source, of_source in sums.items():
            measured = of_source.averages()
            for metric in metrics:
                drawn[source, metric][part] = measured[metric].T
    if progress is not None:
        progress(1.0, "draws")
    averages = as_it_is.averages()
    return _stability(how, compared, {metric: averages[metric][:, 0] for metric in metrics}, drawn)


def _truth_source(how: Resampling, compared: Comparison) -> LabelSource:
    """Where truths come from."""
    if how.annotations == "bootstrap":
        return resampled_labels(how.study, compared, tie_rule=how.aggregation.tie_rule)
    return drawn_labels(how.study, compared, how.aggregation, how.n_draws)


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
    how: Resampling,
    compared: Comparison,
    observed: dict[str, FloatArray],
    drawn: dict[tuple[str, str], FloatArray],
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
    return how.claims(
        compared,
        {metric: observed[metric] for metric in kept},
        {(source, metric): values for (source, metric), values in drawn.items() if metric in kept},
        ({metric: left_out[metric] for metric in kept}, refused),
        dict.fromkeys(kept, compared.n_scored.astype(np.float64)),
    )
