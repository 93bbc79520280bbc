"""What models are compared on: one label against the rest, or all labels, of the cases that count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.analysis.models.settings import COVERAGES, Coverage
from core.metrics.adjusted.predicted_order import PredictedOrder, order_of_probabilities
from core.plausibility.irn import block_sizes
from core.plausibility.reductions import mean_frequency
from core.study.brief import brief
from core.study.model import FloatArray, IntArray, Readings, Study, Task, freeze


@dataclass(frozen=True, eq=False)
class Comparison:
    """Scores of all models of a task for one label, beside what the readings say.

    Attributes
    ----------
    task : Task
        Of the study.
    label : str
        The label that counts as positive.
    models : tuple of str
        In the study's order.
    cases : ndarray of int64 with shape (n_cases,)
        The study's cases that count: read by somebody and predicted by every model (coverage "common") or
        by any (coverage "own").
    score : ndarray of float64 with shape (n_models, n_cases)
        Probability of the label, or the model's own score for it (`core.study.model.Task.ranking_score`); NaN
        for a case that the model did not predict.
    answers : tuple of PredictedOrder
        For each model, the label that it finds most probable, or the labels where several are; none for a
        case that it did not predict, and throughout for a model that gives scores.
    plausibility : ndarray of float64 with shape (n_cases,)
        Soft label: the share of the readings' votes for the label, in [0, 1].
    same_as : tuple of str
        For each model, the first other model that predicts the very same; empty where it is the first.
    coverage : {"common", "own"}
        As chosen.
    n_unread, n_left_out : int
        Cases of the study that nobody read; and cases read, but left out because a model (with "common") or
        every model (with "own") lacks a prediction.
    """

    task: Task
    label: str
    models: tuple[str, ...]
    cases: IntArray
    score: FloatArray
    answers: tuple[PredictedOrder, ...]
    plausibility: FloatArray
    same_as: tuple[str, ...]
    coverage: Coverage
    n_unread: int
    n_left_out: int

    __repr__ = brief

    def __post_init__(self) -> None:
        for array in (self.cases, self.score, self.plausibility):
            freeze(array)

    @property
    def label_code(self) -> int:
        """Index of the label among the task's labels."""
        return self.task.labels.index(self.label)

    @property
    def only_scores(self) -> NDArray[np.bool_]:
        """Whether each model gives scores in place of probabilities, with shape (n_models,)."""
        return np.array([model in self.task.score_models for model in self.models])

    @property
    def answered(self) -> NDArray[np.bool_]:
        """Whether each model names a label for a case, with shape (n_models, n_cases)."""
        return np.array([order.covered for order in self.answers])

    @property
    def n_scored(self) -> IntArray:
        """Number of cases that each model is judged on, with shape (n_models,)."""
        return (~np.isnan(self.score)).sum(axis=1)


def comparison(
    study: Study,
    task: Task,
    *,
    label: str | None = None,
    models: Sequence[str] | None = None,
    coverage: Coverage = "common",
) -> Comparison:
    """Lay the models' scores for one label beside the readings.

    Parameters
    ----------
    study : Study
        That the task belongs to.
    task : Task
        With predictions of at least one model.
    label : str, optional
        The positive label of the task by default; of two labels without a positive one the second; of more,
        the one with most votes.
    models : sequence of str, optional
        Models of the task; all by default.
    coverage : {"common", "own"}
        Where models predicted different cases: judge all on the cases that they share, or each on its own.

    Returns
    -------
    Comparison

    Raises
    ------
    ValueError
        Where there is no model, no such label, no such coverage, or no case left for some model.
    """
    if coverage not in COVERAGES:
        raise ValueError(f"coverage must be one of {', '.join(COVERAGES)}, got {coverage!r}")
    if not task.predictions:
        raise ValueError(f"task {task.name!r} has no predictions, so there is no model to compare")
    chosen = _chosen_label(task, label)
    names = tuple(task.predictions if models is None else models)
    plausibility = mean_vote(task.readings, votes(task, chosen))
    covered = np.array([task.predictions[model].covered for model in names])
    read = ~np.isnan(plausibility)
    enough = covered.all(axis=0) if coverage == "common" else covered.any(axis=0)
    cases = np.flatnonzero(read & enough)
    if len(cases) == 0 or not covered[:, cases].any(axis=1).all():
        whom = "every model" if coverage == "common" else "each of the models"
        raise ValueError(
            f"task {task.name!r} needs a case that was read and that {whom} predicted: "
            f"{int(read.sum())} of {study.n_cases} cases were read, "
            + ", ".join(
                f"{model} predicted {int(of.sum())}" for model, of in zip(names, covered, strict=True)
            )
        )
    score = np.array([task.ranking_score(model, chosen)[cases] for model in names])
    probability = [task.predictions[model].probability[cases] for model in names]
    says = [
        numbers if model in task.score_models else of
        for model, numbers, of in zip(names, score, probability, strict=True)
    ]
    return Comparison(
        task=task,
        label=chosen,
        models=names,
        cases=cases,
        score=score,
        answers=tuple(order_of_probabilities(of, 1) for of in probability),
        plausibility=plausibility[cases],
        same_as=_same_as(names, says),
        coverage=coverage,
        n_unread=int((~read).sum()),
        n_left_out=int((read & ~enough).sum()),
    )


def _chosen_label(task: Task, label: str | None) -> str:
    """Label that was asked for, or the default one."""
    if label is None:
        if task.positive is not None:
            return task.positive
        if len(task.labels) == 2:
            return task.labels[1]
        return next(iter(labels_by_votes(task)), task.labels[0])
    if label not in task.labels:
        shown = ", ".join(task.labels[:20]) + (" …" if len(task.labels) > 20 else "")
        raise ValueError(f"label of task {task.name!r} must be one of {shown}, got {label!r}")
    return label


def labels_by_votes(task: Task) -> list[str]:
    """Labels of a choice or a ranking that have any vote, most votes first, of equals the first in order."""
    frequency = mean_frequency(task.readings, len(task.labels))
    total = np.bincount(frequency.candidates.label, frequency.mean.candidate, len(task.labels))
    order = np.argsort(-total, kind="stable")
    return [task.labels[code] for code in order[total[order] > 0]]


def _same_as(models: tuple[str, ...], says: list[FloatArray]) -> tuple[str, ...]:
    """For each model, the first one that says the very same of these cases, in scores or in probabilities."""
    first: dict[tuple[int, bytes], str] = {}
    same = []
    for model, of in zip(models, says, strict=True):
        key = of.ndim, np.ascontiguousarray(of).tobytes()
        same.append(first.get(key, ""))
        first.setdefault(key, model)
    return tuple(same)


def votes(task: Task, label: str) -> FloatArray:
    """Vote of each reading for a label, with shape (n_readings,), in [0, 1].

    A choice votes for its label; a differential divides its vote among the labels that it puts first; a score
    votes for its side of the threshold, and a reading without a score has no vote (NaN).
    """
    readings = task.readings
    code = task.labels.index(label)
    if task.kind == "score":
        if task.threshold is None:
            raise ValueError(f"task {task.name!r} needs a threshold")
        on_second = readings.score >= task.threshold
        return np.where(np.isnan(readings.score), np.nan, (on_second == bool(code)).astype(np.float64))
    if task.kind == "choice":
        return (readings.label == code).astype(np.float64)
    named = np.flatnonzero((readings.label == code) & (readings.block == 0))
    vote = np.zeros(readings.n_readings)
    vote[readings.entry_reading[named]] = 1 / block_sizes(readings)[named]
    return vote


def mean_vote(readings: Readings, vote: FloatArray) -> FloatArray:
    """Share of the votes of each case, with shape (n_cases,); NaN where there is no vote."""
    case, given = readings.case, ~np.isnan(vote)
    if not given.all():
        case, vote = case[given], vote[given]
    count = np.bincount(case, minlength=readings.n_cases)
    total = np.bincount(case, vote, readings.n_cases)
    return np.divide(total, count, out=np.full(readings.n_cases, np.nan), where=count > 0)


def plausibilities(task: Task, cases: IntArray) -> FloatArray:
    """Share of the votes for every label, with shape (len(cases), n_labels); 0 where nobody voted."""
    if task.kind == "score":
        share = [mean_vote(task.readings, votes(task, label))[cases] for label in task.labels]
        return np.nan_to_num(np.stack(share, axis=1))
    frequency = mean_frequency(task.readings, len(task.labels))
    dense = np.zeros((task.readings.n_cases, len(task.labels)))
    dense[frequency.candidates.case, frequency.candidates.label] = frequency.mean.candidate
    return dense[cases]
