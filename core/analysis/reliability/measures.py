"""Certainty and every model's adjusted metrics, gathered from one portion of cases at a time."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from core.analysis.portions import (
    FEWEST_FOR_DEVIATION,
    drawn_portion,
    draws_for_spread,
    predictions_of,
    spread_seeds,
)
from core.analysis.reliability.held_out_reader import hold_out, lists_labels
from core.analysis.reliability.measure_sums import ANNOTATIONS, MeasureSums, Sampling, metrics_table
from core.metrics.adjusted.metrics import adjusted_metrics, depth_limit
from core.metrics.adjusted.predicted_order import PredictedOrder, predicted_order
from core.metrics.adjusted.spread import SpreadOverDraws
from core.metrics.certainty import certainties, is_below, share_below
from core.metrics.estimate import mean_over_cases
from core.metrics.exact_sums import moments
from core.plausibility.aggregate import aggregate_readings
from core.plausibility.posterior import Posterior, SampledPosterior
from core.plausibility.settings import Aggregation
from core.study.model import FloatArray, Predictions, Study, Task

HELD_OUT = "held-out reader"
TOP_1 = "top-1 accuracy"
BELOW = {"top-1 certainty": "certainty", "risk certainty": "risk certainty"}
"""Certainties of which the share of cases below 99 % is told, and what it is called."""


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
    n_cases : int, optional
        Of the study that this one is a part of; its own by default.

    Attributes
    ----------
    n_draws : int
        Draws of each case under an exact posterior.
    """

    def __init__(
        self,
        study: Study,
        task: Task,
        aggregation: Aggregation,
        *,
        max_k: int = 3,
        spread: bool = True,
        n_cases: int | None = None,
    ) -> None:
        self.n_draws = draws_for_spread(n_cases or study.n_cases, fewest=FEWEST_FOR_DEVIATION)
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
        seeds = spread_seeds(self._study, self._aggregation, cases) if self._with_spread else None
        if self._task.probability_models:
            drawn = self._drawn(posterior, cases, seeds)
            for model in self._task.probability_models:
                self._measure(model, posterior, drawn, of_models[model], self._max_k)
        if self._reader is not None:
            whole = len(cases) == self._study.n_cases
            others = self._reader.others if whole else self._reader.others.take_cases(cases)
            ids = self._study.case_ids[cases.start : cases.stop]
            truth = aggregate_readings(self._study, self._task, self._aggregation, others, ids)
            predicted = self._reader.predicted.taken(np.asarray(cases))
            drawn = self._drawn(truth, cases, seeds)
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
        order = predicted_order(predicted, depth_limit(truth.candidates, depth))
        for name, per_case in adjusted_metrics(truth, predicted, max_k=depth, order=order).items():
            self._per_case[subject, name].append(per_case)
        if drawn is not None:
            self._spread.setdefault(subject, SpreadOverDraws(max_k=depth)).add(drawn, predicted, order=order)

    def _drawn(
        self, posterior: Posterior, cases: range, seeds: NDArray[np.uint64] | None
    ) -> Posterior | None:
        """Draws of a portion's posterior; None where no spread is asked for."""
        if not self._with_spread:
            return None
        return drawn_portion(
            self._study, posterior, self._aggregation, cases, n_draws=self.n_draws, seeds=seeds
        )

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
        estimates = {key: mean_over_cases(value) for key, value in found.items() if self._says(*key)}
        below = {
            title: share_below(found[ANNOTATIONS, name])
            for name, title in BELOW.items()
            if (ANNOTATIONS, name) in found
        }
        convergence = self.convergence
        sampling = [] if convergence is None else Sampling.of(convergence).estimates()
        return metrics_table(self._aggregation, estimates, below, sampling, self._spread, self.n_draws)

    @property
    def sums(self) -> MeasureSums:
        """What is needed of these cases for `table`, a few numbers a metric."""
        found = {key: np.concatenate(parts) for key, parts in self._per_case.items() if self._says(*key)}
        below = {
            title: moments(is_below(found[ANNOTATIONS, name]))
            for name, title in BELOW.items()
            if (ANNOTATIONS, name) in found
        }
        convergence = self.convergence
        return MeasureSums(
            {key: moments(value) for key, value in found.items()},
            below,
            self._spread,
            None if convergence is None else Sampling.of(convergence),
        )

    @property
    def convergence(self) -> pd.DataFrame | None:
        """R-hat and effective sample size of each case so far; None where the posterior is not sampled."""
        return pd.concat(self._convergence, ignore_index=True) if self._convergence else None
