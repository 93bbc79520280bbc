"""A held-out reader as a human comparator: one reading a case, scored as if it were a model."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.metrics.adjusted.predicted_order import PredictedOrder, order_of_blocks
from core.study.model import IntArray, Readings, Study, Task
from core.study.seeds import case_seeds


def lists_labels(task: Task) -> bool:
    """Whether a reading may name several labels, so that it can be scored on its first two or three."""
    return task.kind == "ranking"


def reader_left_out(task: Task) -> str:
    """Say which metrics have no held-out reader, and why; empty where all have.

    Parameters
    ----------
    task : Task
        Of any kind.
    """
    if lists_labels(task):
        return ""
    if task.kind == "score":
        return "No held-out reader: a score is a number, not a list of labels."
    return (
        "A held-out reader has top-1 accuracy alone: a reading of this task names one label, so it cannot be "
        "scored on two or three."
    )


@dataclass(frozen=True, eq=False)
class HeldOutReadings:
    """One reading of every case with two or more, and the others.

    Attributes
    ----------
    others : Readings
        Of all cases; none of a case with fewer than two.
    predicted : PredictedOrder
        The held-out differentials, first choice first, the labels of a block tied.
    """

    others: Readings
    predicted: PredictedOrder


def hold_out(study: Study, task: Task, *, length: int = 3) -> HeldOutReadings:
    """Take one reading a case out of the truth, at random by the study's seed.

    Parameters
    ----------
    study, task
        Not for score tasks: a score is not a list of labels.
    length : int
        How many places of the differential are kept; all labels that share the last of them are.

    Raises
    ------
    ValueError
        For a score task.
    """
    if task.kind == "score":
        raise ValueError("a held-out reader needs a choice or ranking task, got a score task")
    readings = task.readings
    chosen = _one_reading_a_case(readings, case_seeds(study.seed, study.case_ids, "held-out reader"))
    enough = readings.per_case >= 2
    others = np.repeat(enough, readings.per_case)
    others[chosen[enough]] = False
    is_chosen = np.zeros(readings.n_readings, bool)
    is_chosen[chosen[enough]] = True
    said = is_chosen[readings.entry_reading]
    case = readings.case[readings.entry_reading[said]]
    predicted = order_of_blocks(readings.n_cases, case, readings.label[said], readings.block[said], length)
    return HeldOutReadings(readings.keep(others), predicted)


def _one_reading_a_case(readings: Readings, seeds: np.ndarray) -> IntArray:
    """Index of one reading of each case, with shape (n_cases,); meaningless where a case has none."""
    count = np.maximum(readings.per_case, 1).astype(np.uint64)
    return readings.case_start[:-1] + (seeds % count).astype(np.int64)
