"""The labels that somebody mentioned for each case, and numbers for all labels, unmentioned ones too."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.compiled import njit
from core.study.brief import brief
from core.study.model import FloatArray, IntArray, Readings, freeze


@dataclass(frozen=True, eq=False)
class Candidates:
    """The labels that somebody mentioned, case by case, in compressed-row form.

    Attributes
    ----------
    start : ndarray of int64 with shape (n_cases + 1,)
        Candidates of case ``i`` are ``start[i]:start[i + 1]``; such an index is called a slot.
    label : ndarray of int32 with shape (n_candidates,)
        Label codes, ascending within a case.
    n_labels : int
        Number of labels of the task, K.
    """

    start: IntArray
    label: IntArray
    n_labels: int

    __repr__ = brief

    def __post_init__(self) -> None:
        freeze(self.start)
        freeze(self.label)

    @property
    def n_cases(self) -> int:
        """Number of cases."""
        return len(self.start) - 1

    @cached_property
    def per_case(self) -> IntArray:
        """Number of candidates of each case, with shape (n_cases,)."""
        return np.diff(self.start)

    @cached_property
    def case(self) -> IntArray:
        """Case index of each slot, with shape (n_candidates,)."""
        return np.repeat(np.arange(self.n_cases), self.per_case)

    @cached_property
    def unmentioned(self) -> IntArray:
        """Number of labels of each case that nobody mentioned, with shape (n_cases,)."""
        return self.n_labels - self.per_case

    def of_case(self, case: int) -> slice:
        """Slots of one case."""
        return slice(int(self.start[case]), int(self.start[case + 1]))

    def locate(self, labels: IntArray) -> IntArray:
        """Find the slot of each label of each case.

        Parameters
        ----------
        labels : ndarray of int with shape (n_cases, m)
            Label codes, row ``i`` for case ``i``.

        Returns
        -------
        ndarray of int64 with shape (n_cases, m)
            Slots; −1 where the label was not mentioned for the case (or the code is negative).
        """
        return self.find(np.arange(self.n_cases)[:, None], labels)

    def find(self, case: IntArray, labels: IntArray) -> IntArray:
        """Slots of labels of the given cases, whose shapes broadcast; −1 where there is none."""
        case, labels = np.broadcast_arrays(case, labels)
        slots = np.empty(labels.shape, np.int64)
        _find(self.start, self.label, case.ravel(), labels.ravel(), slots.reshape(-1))
        return slots

    def table(self, values: LabelValues) -> FloatArray:
        """Lay out one number for every label of every case, with shape (n_cases, n_labels)."""
        table = np.repeat(values.other[:, None], self.n_labels, axis=1)
        table[self.case, self.label] = values.candidate
        return table


@njit(cache=True, nogil=True)
def _find(start: IntArray, label: IntArray, case: IntArray, wanted: IntArray, slots: IntArray) -> None:
    """Fill in the slots of wanted labels of cases, halving a case's slots until one is left."""
    for i in range(len(case)):
        low, high = start[case[i]], start[case[i] + 1]
        end = high
        while low < high:
            middle = (low + high) // 2
            if label[middle] < wanted[i]:
                low = middle + 1
            else:
                high = middle
        slots[i] = low if low < end and label[low] == wanted[i] else -1


def candidates_of(readings: Readings, n_labels: int) -> Candidates:
    """Collect the labels that the readings mention for each case."""
    case = readings.case[readings.entry_reading]
    keys = np.unique(case.astype(np.int64) * n_labels + readings.label)
    counts = np.bincount(keys // n_labels, minlength=readings.n_cases)
    start = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    return Candidates(start, (keys % n_labels).astype(np.int32), n_labels)


@dataclass(frozen=True, eq=False)
class LabelValues:
    """One number for every label of every case.

    Attributes
    ----------
    candidate : ndarray of float64 with shape (n_candidates,)
        One for each slot.
    other : ndarray of float64 with shape (n_cases,)
        For any *single* unmentioned label of the case; 0 where every label was mentioned.
    """

    candidate: FloatArray
    other: FloatArray

    __repr__ = brief

    def at(self, slots: IntArray, cases: IntArray | None = None) -> FloatArray:
        """Values for slots with shape (n_cases, m), as `Candidates.locate` gives them (−1: unmentioned).

        Rows belong to the ``cases`` with shape (n_rows,), where these are given.
        """
        other = self.other[:, None] if cases is None else self.other[cases][:, None]
        if len(self.candidate) == 0:
            return np.broadcast_to(other, slots.shape).copy()
        return np.where(slots >= 0, self.candidate[slots], other)


def no_readings(candidates: Candidates) -> NDArray[np.bool_]:
    """Whether nobody mentioned any label of the case, with shape (n_cases,): its metrics are undefined."""
    return candidates.per_case == 0
