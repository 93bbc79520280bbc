"""How many raters gave each value to each case: all that coefficients of agreement need to know."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.plausibility.dirichlet import count_choices
from core.study.brief import brief
from core.study.model import FloatArray, IntArray, Readings, freeze


@dataclass(frozen=True, eq=False)
class RatingCounts:
    """Counts of the values given to each case, in compressed-row form.

    Attributes
    ----------
    start : ndarray of int64 with shape (n_cases + 1,)
        Cells of case ``i`` are ``start[i]:start[i + 1]``.
    value : ndarray of int64 with shape (n_cells,)
        Code of a value, 0 … ``n_values`` − 1, ascending within a case.
    count : ndarray of float64 with shape (n_cells,)
        Readings of the case that gave the value, 1 or more.
    n_values : int
        Values that could have been given, K.
    number : ndarray of float64 with shape (n_values,), or None
        What each value is worth, ascending; None where values have no order.
    of_case : ndarray of int with shape (n_in_study,), or None
        Where cases of the same counts stand together: which of the above each case is, −1 for one without
        readings. None where each stands for itself.
    """

    start: IntArray
    value: IntArray
    count: FloatArray
    n_values: int
    number: FloatArray | None = None
    of_case: IntArray | None = None

    __repr__ = brief

    def __post_init__(self) -> None:
        for array in (self.start, self.value, self.count):
            freeze(array)

    @property
    def n_cases(self) -> int:
        """Number of cases, those without a reading included."""
        return len(self.start) - 1

    @property
    def n_in_study(self) -> int:
        """Number of cases, each for itself, those without a reading included."""
        return self.n_cases if self.of_case is None else len(self.of_case)

    @cached_property
    def weight(self) -> FloatArray:
        """How many cases each stands for, with shape (n_cases,)."""
        if self.of_case is None:
            return np.ones(self.n_cases)
        return np.bincount(self.of_case + 1, minlength=self.n_cases + 1)[1:].astype(np.float64)

    @cached_property
    def n_paired(self) -> int:
        """Cases with two readings or more."""
        return int(self.weight[self.n_readings > 1].sum())

    @cached_property
    def n_read(self) -> int:
        """Cases with a reading."""
        return int(self.weight[self.n_readings > 0].sum())

    @cached_property
    def case(self) -> IntArray:
        """Case of each cell, with shape (n_cells,)."""
        return np.repeat(np.arange(self.n_cases), np.diff(self.start))

    @cached_property
    def n_readings(self) -> FloatArray:
        """Readings of each case, n_i, with shape (n_cases,)."""
        return np.bincount(self.case, self.count, self.n_cases).astype(np.float64)


def rating_counts(
    readings: Readings, code: IntArray, n_values: int, *, number: FloatArray | None = None
) -> RatingCounts:
    """Count the values of each case.

    Parameters
    ----------
    readings : Readings
        Give the case of each reading.
    code : ndarray of int with shape (n_readings,)
        The value given, 0 … ``n_values`` − 1.
    n_values : int
        Values that could have been given, K.
    number : ndarray of float with shape (n_values,), optional
        What each value is worth, where values are ordered: finite and ascending.

    Raises
    ------
    ValueError
        If a code is out of range, or ``number`` is not ascending.
    """
    if len(code) != readings.n_readings:
        raise ValueError(
            f"code must have a value for each of {readings.n_readings} readings, got {len(code)}"
        )
    if len(code) and not 0 <= code.min() <= code.max() < n_values:
        raise ValueError(f"codes must be 0 to {n_values - 1}, got {code.min()} to {code.max()}")
    if number is not None and (
        np.shape(number) != (n_values,) or not np.isfinite(number).all() or (np.diff(number) <= 0).any()
    ):
        raise ValueError(f"number must have {n_values} finite, ascending values, got {number}")
    start, value, count = count_choices(readings.case_start, np.asarray(code), n_values)
    worth = None if number is None else np.asarray(number, np.float64)
    return RatingCounts(start, value.astype(np.int64), count, n_values, worth)


def first_labels(
    readings: Readings, *, rank: IntArray | None = None, lot: Callable[[IntArray], IntArray] | None = None
) -> IntArray:
    """Label that each reading puts first, with shape (n_readings,).

    Every reading must name a label: choices and differentials do, scores do not.

    Parameters
    ----------
    readings : Readings
        Choices or differentials.
    rank : ndarray of int with shape (n_labels,), optional
        Order in which the labels of a first place stand; the label order if not given.
    lot : callable, optional
        Given the readings whose first place several labels share, a number of 0 or more for each, which
        decides between them: number i takes the label i, going round. The first of them if not given.
    """
    if len(readings.label) == readings.n_readings:
        return readings.label.astype(np.int64)
    by = readings.label if rank is None else rank[readings.label]
    order = np.lexsort((by, readings.block, readings.entry_reading))
    at = readings.entry_start[:-1].copy()
    if lot is not None:
        number = np.bincount(readings.entry_reading[readings.block == 0], minlength=readings.n_readings)
        tied = np.flatnonzero(number > 1)
        at[tied] += lot(tied) % number[tied]
    return readings.label[order][at].astype(np.int64)


def first_readings(readings: Readings) -> Readings:
    """Keep each rater's first reading of a case: the one with the smallest repeat number."""
    key = readings.case * (int(readings.rater.max(initial=0)) + 1) + readings.rater
    if (np.diff(key) > 0).all():
        return readings
    order = np.lexsort((readings.repeat, key))
    opens = np.ones(len(order), bool)
    opens[1:] = np.diff(key[order]) > 0
    mask = np.zeros(readings.n_readings, bool)
    mask[order[opens]] = True
    return readings if mask.all() else readings.keep(mask)
