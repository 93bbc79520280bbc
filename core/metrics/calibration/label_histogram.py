"""Label histograms: how many raters chose each label of a case."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from core.study.brief import brief
from core.study.model import FloatArray, IntArray, Task, freeze


@dataclass(frozen=True, eq=False)
class LabelHistograms:
    """Numbers of labels given to each case.

    Attributes
    ----------
    counts : ndarray of int32 with shape (n_cases, n_labels)
        How often each label was given; read-only. `label_histograms` makes it from any array of numbers.
    n_tied : int
        Readings left out because they put several labels first, or none: they give no single label.
    """

    counts: IntArray
    n_tied: int = 0

    __repr__ = brief

    def __post_init__(self) -> None:
        freeze(self.counts)

    @property
    def n_cases(self) -> int:
        """Number of cases, those without a label included."""
        return self.counts.shape[0]

    @property
    def n_labels(self) -> int:
        """Number of labels of the task, K."""
        return self.counts.shape[1]

    @cached_property
    def per_case(self) -> IntArray:
        """Number of labels given to each case, n_i, with shape (n_cases,)."""
        return self.counts.sum(axis=1, dtype=np.int64)

    def shares(self, cases: slice) -> FloatArray:
        """Share of each label among those given to the cases of a slice, μ̂; a row of NaN without labels."""
        n = self.per_case[cases, None]
        counts = self.counts[cases]
        return np.divide(counts, n, out=np.full(counts.shape, np.nan), where=n > 0)


def label_histograms(counts: ArrayLike) -> LabelHistograms:
    """Check numbers of labels and keep them as histograms.

    Parameters
    ----------
    counts : array_like with shape (n_cases, n_labels)
        Whole numbers of 0 or more, of any numeric type. Shares of raters will not do: the corrections for
        few labels need their number.

    Returns
    -------
    LabelHistograms

    Raises
    ------
    ValueError
        Where a count is negative, fractional, not finite or too large, or the array has another shape.
    """
    array = np.asarray(counts)
    if array.ndim != 2 or array.shape[1] == 0:
        raise ValueError(f"label histograms must have shape (n_cases, n_labels), got {array.shape}")
    if not np.issubdtype(array.dtype, np.number) or np.issubdtype(array.dtype, np.complexfloating):
        raise ValueError(f"label histograms must be whole numbers, got type {array.dtype}")
    largest = np.iinfo(np.int32).max
    allowed = (array >= 0) & (array <= largest)
    if np.issubdtype(array.dtype, np.floating):
        allowed &= array == np.floor(array)
    if not allowed.all():
        case, label = np.argwhere(~allowed)[0]
        raise ValueError(
            f"label histograms must be whole numbers from 0 to {largest}, "
            f"got {array[case, label]} for label {label} of case {case}"
        )
    return LabelHistograms(array.astype(np.int32))


def task_histograms(task: Task) -> LabelHistograms:
    """Count the labels of every case of a task.

    Parameters
    ----------
    task : Task
        A choice counts as its label, a differential as the label that it puts first, a score as the side of
        the threshold that it is on, the second from the threshold up.

    Returns
    -------
    LabelHistograms
        Of all cases in the study's order, those without readings included. A differential with tied labels
        in the first place is left out.

    Raises
    ------
    ValueError
        If a score task has no threshold.
    """
    readings, n_labels = task.readings, len(task.labels)
    if task.kind == "score":
        if task.threshold is None:
            raise ValueError(f"task {task.name!r} needs a threshold")
        case, label = readings.case, (readings.score >= task.threshold).astype(np.int32)
    else:
        leads = np.flatnonzero(readings.block == 0)
        reading = readings.entry_reading[leads]
        alone = np.bincount(reading, minlength=readings.n_readings)[reading] == 1
        case, label = readings.case[reading[alone]], readings.label[leads[alone]]
    cells = np.bincount(case * n_labels + label, minlength=readings.n_cases * n_labels)
    counts = cells.astype(np.int32).reshape(readings.n_cases, n_labels)
    return LabelHistograms(counts, n_tied=readings.n_readings - len(label))
