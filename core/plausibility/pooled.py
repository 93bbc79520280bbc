"""What an aggregation model learns from all cases at once, apart from the cases that it is put to."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from core.plausibility.dawid_skene import DawidSkene, fit_dawid_skene
from core.plausibility.gaussian import ScorePrior, score_prior
from core.plausibility.reading_agreement import rater_agreement
from core.plausibility.settings import Aggregation
from core.study.model import FloatArray, Readings, Study, Task

POOLING = ("accuracy-weighted", "dawid-skene", "gaussian")
"""Aggregation models that learn from all cases at once."""


@dataclass(frozen=True, eq=False)
class Pooled:
    """What one aggregation model learnt.

    Attributes
    ----------
    model : str
        One of `POOLING`.
    error_prior : float
        That Dawid–Skene was fitted with.
    accuracy : ndarray of float64 with shape (n_raters,), or None
        Of accuracy-weighted majority: `core.plausibility.reading_agreement.rater_agreement`.
    fitted : DawidSkene or None
        Of Dawid–Skene.
    prior : ScorePrior or None
        Of Gaussian scores; None where there is no score at all.
    """

    model: str
    error_prior: float = 1.0
    accuracy: FloatArray | None = None
    fitted: DawidSkene | None = None
    prior: ScorePrior | None = None

    def is_of(self, aggregation: Aggregation) -> bool:
        """Whether it is what this aggregation learns."""
        if self.model != aggregation.model:
            return False
        return self.model != "dawid-skene" or self.error_prior == aggregation.error_prior


def pooled_of(study: Study, task: Task, aggregation: Aggregation) -> Pooled:
    """What an aggregation model of `POOLING` learns: ``Task.pooled``, or from the task's own readings.

    Parameters
    ----------
    study, task : Study, Task
        The task, and the study that it belongs to.
    aggregation : Aggregation
        Model, with its options.
    """
    if isinstance(task.pooled, Pooled) and task.pooled.is_of(aggregation):
        return task.pooled
    readings, n_raters = task.readings, len(study.rater_ids)
    match aggregation.model:
        case "gaussian":
            return Pooled("gaussian", prior=score_prior(readings) if readings.n_readings else None)
        case "dawid-skene":
            prior = aggregation.error_prior
            fitted = _fitted(readings, len(task.labels), n_raters, prior)
            return Pooled("dawid-skene", prior, fitted=fitted)
        case _:
            return Pooled(aggregation.model, accuracy=rater_agreement(readings, n_raters))


@lru_cache(maxsize=2)
def _fitted(readings: Readings, n_labels: int, n_raters: int, prior: float) -> DawidSkene:
    """Fit to all of a task's readings, once for the many questions that a page asks."""
    return fit_dawid_skene(readings, n_labels, n_raters, diagonal=prior, total=prior)


def accuracy_of(pooled: Pooled, n_raters: int) -> FloatArray:
    """Accuracy of every rater, NaN for those that it knows nothing of: readings may be by somebody new."""
    assert pooled.accuracy is not None
    more = max(n_raters - len(pooled.accuracy), 0)
    found: FloatArray = np.concatenate([pooled.accuracy, np.full(more, np.nan)])
    return found
