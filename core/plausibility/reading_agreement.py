"""How often one reader's differential holds what the others think most likely."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.compiled import njit
from core.study.model import FloatArray, IntArray, Readings

TIE = 1e-9
"""Summed weights closer than this are equal: they are sums of few fractions, added in different orders."""


def reading_agreement(readings: Readings) -> FloatArray:
    """Whether each reading names a label that the other readings of the case put first.

    Parameters
    ----------
    readings : Readings
        Choices or differentials.

    Returns
    -------
    ndarray of float64 with shape (n_readings,)
        1 or 0; NaN for the only reading of a case, and where the others name nothing.

    Notes
    -----
    The others put first the label with the largest sum of inverse ranks, Σ 1/(block + 1) over readings, each
    tied label with the full weight of its block; any of several such labels counts. The reading is taken as
    the set of all labels that it mentions, whatever their rank (Stutz 2025, app. E).
    """
    agreement = np.full(readings.n_readings, np.nan)
    n_labels = int(readings.label.max()) + 1 if len(readings.label) else 0
    _left_out(
        readings.case_start, readings.entry_start, readings.label, readings.block, n_labels, TIE, agreement
    )
    return agreement


@njit(cache=True, nogil=True)
def _left_out(
    case_start: IntArray,
    entry_start: IntArray,
    label: IntArray,
    block: IntArray,
    n_labels: int,
    tie: float,
    agreement: FloatArray,
) -> None:
    """Score each reading against the others' inverse ranks, the sum of all less its own."""
    total = np.zeros(n_labels)
    for case in range(len(case_start) - 1):
        first_reading, last_reading = case_start[case], case_start[case + 1]
        first, last = entry_start[first_reading], entry_start[last_reading]
        if last_reading - first_reading < 2:
            continue
        for entry in range(first, last):
            total[label[entry]] += 1 / (block[entry] + 1)
        for reading in range(first_reading, last_reading):
            mine = range(entry_start[reading], entry_start[reading + 1])
            for entry in mine:
                total[label[entry]] -= 1 / (block[entry] + 1)
            best = 0.0
            for entry in range(first, last):
                best = max(best, total[label[entry]])
            if best > tie:
                agreement[reading] = 0
                for entry in mine:
                    if total[label[entry]] > best - tie:
                        agreement[reading] = 1
            for entry in mine:
                total[label[entry]] += 1 / (block[entry] + 1)
        for entry in range(first, last):
            total[label[entry]] = 0


def leave_one_out_agreement(readings: Readings) -> FloatArray:
    """Annotator agreement of every case: the mean of `reading_agreement` over its readings.

    Parameters
    ----------
    readings : Readings
        Choices or differentials.

    Returns
    -------
    ndarray of float64 with shape (n_cases,)
        In [0, 1]; NaN for a case with fewer than two readings (Stutz 2025, app. E).
    """
    return _mean_by(readings.case, reading_agreement(readings), readings.n_cases)


def share_a_first_label(readings: Readings) -> NDArray[np.bool_]:
    """Whether all readings of a case put the same label first, alone or tied with others.

    Parameters
    ----------
    readings : Readings
        Choices or differentials.

    Returns
    -------
    ndarray of bool with shape (n_cases,)
        False for a case with fewer than two readings. Of choices it is true where all are the same; of
        differentials it asks more than a `leave_one_out_agreement` of 1, for which it is enough that each
        reading names, in whatever place, a label that the others put first most.
    """
    reading = np.repeat(np.arange(readings.n_readings), np.diff(readings.entry_start))
    first = readings.block == 0
    case = readings.case[reading[first]].astype(np.int64)
    pair, times = np.unique(np.column_stack([case, readings.label[first]]), axis=0, return_counts=True)
    agree = np.zeros(readings.n_cases, bool)
    of = pair[:, 0]
    agree[of[times == readings.per_case[of]]] = True
    return agree & (readings.per_case >= 2)


def rater_agreement(readings: Readings, n_raters: int) -> FloatArray:
    """Agreement of every rater with the others: the mean of `reading_agreement` over the rater's readings.

    Parameters
    ----------
    readings : Readings
        Choices or differentials.
    n_raters : int
        Number of raters of the study.

    Returns
    -------
    ndarray of float64 with shape (n_raters,)
        In [0, 1], an estimate of the rater's accuracy that needs no truth; NaN for a rater who shares no case
        with another reading.
    """
    return mean_agreement(*agreement_sums(readings, n_raters))


def agreement_sums(readings: Readings, n_raters: int) -> tuple[IntArray, FloatArray]:
    """Readings of every rater that others can be compared with, and how many of them agree, both (n_raters,).

    Both are whole numbers: sums over several sets of cases, by `mean_agreement`, give what all cases give.
    """
    return _sums_by(readings.rater, reading_agreement(readings), n_raters)


def mean_agreement(n: IntArray, total: FloatArray) -> FloatArray:
    """Share of readings that agree, NaN where there are none; parameters as `agreement_sums` gives them."""
    found: FloatArray = np.divide(total, n, out=np.full(len(n), np.nan), where=n > 0)
    return found


def _mean_by(group: IntArray, score: FloatArray, n_groups: int) -> FloatArray:
    """Mean of the defined scores of each group, NaN where there are none."""
    return mean_agreement(*_sums_by(group, score, n_groups))


def _sums_by(group: IntArray, score: FloatArray, n_groups: int) -> tuple[IntArray, FloatArray]:
    """Number and sum of the defined scores of each group."""
    defined = ~np.isnan(score)
    n = np.bincount(group[defined], minlength=n_groups)
    return n, np.bincount(group[defined], score[defined], n_groups).astype(np.float64)
