"""Certainty and every model's adjusted metrics, gathered from one portion of cases at a time."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pandas as pd

from core.analysis.portions import N_DRAWS, drawn_portion, draws_for_spread, predictions_of
from core.analysis.reliability.held_out_reader import hold_out, lists_labels
from core.metrics.adjusted.metrics import adjusted_metrics
from core.metrics.adjusted.predicted_order import PredictedOrder
from core.metrics.adjusted.spread import SpreadOverDraws
from core.metrics.certainty import certainties, share_below
from core.metrics.estimate import Estimate, mean_over_cases
from core.plausibility.aggregate import aggregate_readings
from core.plausibility.posterior import Posterior, SampledPosterior
from core.plausibility.settings import Aggregation
from core.study.model import FloatArray, Predictions, Study, Task

ANNOTATIONS = "annotations"
HELD_OUT = "held-out reader"
TOP_1 = "top-1 accuracy"
WORST_RHAT = "worst R-hat"
SMALLEST_ESS = "smallest effective sample size"
NOT_MIXED = "share of cases whose chains have not mixed"
_COLUMNS = ["reliability", "subject", "metric", "value", "standard_error", "low", "high", "n_cases"]
_UNDEFINED = (np.nan, np.nan)
_NORMAL = 1.959963984540054
"""97.5 % quantile of the standard normal distribution."""


class Measures:
    """Certainty of the annotations, and every model, at one reliability.

    Parameters
    ----------
    study, task : Study, Task
        The task, and the study that it belongs to.
    aggregation : Aggregation
        Model and reliability, with their options.
    max_k : int
        Largest k of the top-k metrics; no more than there are labels.
    spread : bool
        Also over plausibility draws, which `table` needs and `per_case` does not.
    """

    def __init__(
        self, study: Study, task: Task, aggregation: Aggregation, *, max_k: int = 3, spread: bool = True
    ) -> None:
        self._study, self._task, self._aggregation = study, task, aggregation
        self._with_spread = spread
        self._max_k = min(max_k, len(task.labels))
        self._per_case: dict[tuple[str, str], list[FloatArray]] = defaultdict(list)
        self._spread: dict[str, SpreadOverDraws] = {}
        self._convergence: list[pd.DataFrame] = []
        self._reader_depth = self._max_k if lists_labels(task) else 1
        has_reader = task.kind != "score" and bool((task.readings.per_case >= 2).any())
        self._reader = hold_out(study, task, length=self._reader_depth) if has_reader else None

    def add(self, cases: range, posterior: Posterior) -> None:
        """Measure the cases of a portion, whose posterior this is."""
        risk = self._task.risk if self._task.has_risk else None
        for name, per_case in certainties(posterior, risk, max_j=self._max_k).items():
            self._per_case[ANNOTATIONS, name].append(per_case)
        if isinstance(posterior, SampledPosterior):
            # It takes half a second to import, which a first page need not wait for.
            from core.plausibility.convergence import convergence

            self._convergence.append(convergence(posterior))
        of_models = predictions_of(self._task, cases)
        if self._task.probability_models:
            drawn = self._drawn(posterior, cases)
            for model in self._task.probability_models:
                self._measure(model, posterior, drawn, of_models[model], self._max_k)
        if self._reader is not None:
            whole = len(cases) == self._study.n_cases
            others = self._reader.others if whole else self._reader.others.take_cases(cases)
            ids = self._study.case_ids[cases.start : cases.stop]
            truth = aggregate_readings(self._study, self._task, self._aggregation, others, ids)
            predicted = self._reader.predicted.taken(np.asarray(cases))
            drawn = self._drawn(truth, cases)
            self._measure(HELD_OUT, truth, drawn, predicted, self._reader_depth)

    def _measure(
        self,
        subject: str,
        truth: Posterior,
        drawn: Posterior | None,
        predicted: Predictions | PredictedOrder,
        depth: int,
    ) -> None:
        """Measure a model or a reader on some cases."""
        for name, per_case in adjusted_metrics(truth, predicted, max_k=depth).items():
            self._per_case[subject, name].append(per_case)
        if drawn is not None:
            self._spread.setdefault(subject, SpreadOverDraws(max_k=depth)).add(drawn, predicted)

    def _drawn(self, posterior: Posterior, cases: range) -> Posterior | None:
        """Draws of a portion's posterior; None where no spread is asked for."""
        return drawn_portion(self._study, posterior, self._aggregation, cases) if self._with_spread else None

    @property
    def per_case(self) -> dict[tuple[str, str], FloatArray]:
        """Each metric by subject and metric, with shape (n_cases,) for the cases so far."""
        found = {key: np.concatenate(parts) for key, parts in self._per_case.items()}
        return {key: of for key, of in found.items() if self._says(*key)}

    def _says(self, subject: str, metric: str) -> bool:
        """Whether a metric is one of its subject: of a reader's list of one label, the rest say the same."""
        return subject != HELD_OUT or self._reader_depth == self._max_k or metric == TOP_1

    def table(self) -> pd.DataFrame:
        """Return one row a subject and metric; see `core.analysis.reliability.sweep.metrics_at`."""
        found = {key: np.concatenate(parts) for key, parts in self._per_case.items()}
        of_annotations = {name: value for (subject, name), value in found.items() if subject == ANNOTATIONS}
        rows = [
            (ANNOTATIONS, name, mean_over_cases(value), _UNDEFINED) for name, value in of_annotations.items()
        ]
        for name, title in (("top-1 certainty", "certainty"), ("risk certainty", "risk certainty")):
            if name in of_annotations:
                below = share_below(of_annotations[name])
                rows.append((ANNOTATIONS, f"share of cases below 99 % {title}", below, _UNDEFINED))
        rows += [(ANNOTATIONS, name, value, _UNDEFINED) for name, value in self._sampling()]
        for subject, spread in self._spread.items():
            by_draw, deviation = spread.by_draw(), spread.deviation()
            for name, over_draws in by_draw.items():
                if not self._says(subject, name):
                    continue
                estimate = mean_over_cases(found[subject, name])
                rows.append((subject, name, estimate, self._band(estimate, over_draws, deviation[name])))
        reliability = self._aggregation.reliability
        return pd.DataFrame(
            [
                (reliability, subject, name, e.value, e.standard_error, *band, e.n_cases)
                for subject, name, e, band in rows
            ],
            columns=_COLUMNS,
        )

    @property
    def convergence(self) -> pd.DataFrame | None:
        """R-hat and effective sample size of each case so far; None where the posterior is not sampled."""
        return pd.concat(self._convergence, ignore_index=True) if self._convergence else None

    def _sampling(self) -> list[tuple[str, Estimate]]:
        """Whether the draws can be trusted, in the worst case and over all."""
        table = self.convergence
        if table is None:
            return []
        from core.plausibility.convergence import convergence_summary

        summary, n = convergence_summary(table), len(table.dropna())
        return [
            (WORST_RHAT, Estimate(summary["worst_rhat"], np.nan, n)),
            (SMALLEST_ESS, Estimate(summary["smallest_ess"], np.nan, n)),
            (NOT_MIXED, Estimate(summary["share_above_limit"], np.nan, n)),
        ]

    def _band(self, mean: Estimate, over_draws: FloatArray, deviation: float) -> tuple[float, float]:
        """2.5 % and 97.5 % quantiles over draws; of few draws of many cases, a normal distribution's."""
        if 1 < len(over_draws) < N_DRAWS and self._is_thinned:
            return mean.value - _NORMAL * deviation, mean.value + _NORMAL * deviation
        low, high = np.quantile(over_draws, [0.025, 0.975])
        return float(low), float(high)

    @property
    def _is_thinned(self) -> bool:
        """Whether there are so many cases that few draws of each are made of an exact posterior."""
        return not self._convergence and draws_for_spread(self._study.n_cases) < N_DRAWS
