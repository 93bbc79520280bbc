"""How often a rater is right: against a reference, and against the majority of the others."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from core.metrics.estimate import Estimate
from core.study.model import FloatArray, IntArray, Readings

Ties = Literal["split", "positive"]


def right_by_reference(readings: Readings, code: IntArray, reference: IntArray) -> FloatArray:
    """Whether each reading gives the reference label of its case.

    Parameters
    ----------
    readings : Readings
        Give the case of each reading.
    code : ndarray of int with shape (n_readings,)
        The label given.
    reference : ndarray of int with shape (n_cases,)
        Label code of each case; −1 where there is none.

    Returns
    -------
    ndarray of float64 with shape (n_readings,)
        1 or 0; NaN in a case without reference.
    """
    truth = np.asarray(reference)[readings.case]
    return np.where(truth >= 0, (code == truth).astype(np.float64), np.nan)


def right_by_majority(
    readings: Readings, code: IntArray, *, ties: Ties = "split", positive: int | None = None
) -> FloatArray:
    """Whether each reading gives the label that most of the other readings of its case give.

    Parameters
    ----------
    readings : Readings
        One reading a rater and case, so that nobody is compared with themselves.
    code : ndarray of int with shape (n_readings,)
        The label given.
    ties : {"split", "positive"}
        What the others say where m of their labels tie: each of them with probability 1/m (one half for two),
        or the positive label, where it is among them.
    positive : int, optional
        Code of the positive label; needed for ``ties="positive"``.

    Returns
    -------
    ndarray of float64 with shape (n_readings,)
        In [0, 1]; NaN for the only reading of a case.

    Raises
    ------
    ValueError
        If ``ties`` is unknown, or a positive label is needed and not given.
    """
    if ties not in get_args(Ties):
        raise ValueError(f"ties must be one of {', '.join(get_args(Ties))}, got {ties!r}")
    if ties == "positive" and positive is None:
        raise ValueError("ties = 'positive' needs the code of the positive label, got None")
    case, code = readings.case, np.asarray(code, np.int64)
    n_values = int(code.max(initial=0)) + 1
    cells, cell, count = np.unique(case * n_values + code, return_inverse=True, return_counts=True)
    own = count[cell] - 1
    most, n_most = _most_others(cells // n_values, count, cell, readings.n_cases)
    tied = np.maximum(n_most + (own == most), 1)
    right = np.where(own > most, 1.0, np.where(own == most, 1 / tied, 0.0))
    if ties == "positive":
        assert positive is not None
        of_positive = np.zeros(readings.n_cases, np.int64)
        is_positive = cells % n_values == positive
        of_positive[(cells // n_values)[is_positive]] = count[is_positive]
        others = of_positive[case] - (code == positive)
        among = (tied > 1) & (own <= most) & (others == most) & (most > 0)
        right = np.where(among, (code == positive).astype(np.float64), right)
    return np.where(readings.per_case[case] > 1, right, np.nan)


def _most_others(
    cell_case: IntArray, count: IntArray, cell: IntArray, n_cases: int
) -> tuple[IntArray, IntArray]:
    """Largest count among the labels of the case other than a reading's own, and how many have it."""
    largest = np.zeros(n_cases, np.int64)
    np.maximum.at(largest, cell_case, count)
    is_largest = count == largest[cell_case]
    n_largest = np.bincount(cell_case, is_largest, n_cases).astype(np.int64)
    second = np.zeros(n_cases, np.int64)
    np.maximum.at(second, cell_case[~is_largest], count[~is_largest])
    n_second = np.bincount(cell_case, count == second[cell_case], n_cases).astype(np.int64)
    of = cell_case[cell]
    alone = is_largest[cell] & (n_largest[of] == 1)
    most = np.where(alone, second[of], largest[of])
    return most, np.where(alone, n_second[of], n_largest[of] - is_largest[cell])


def mean_by_rater(readings: Readings, value: FloatArray, n_raters: int) -> list[Estimate]:
    """Average a value of the readings over those of each rater.

    Parameters
    ----------
    readings : Readings
        Give the rater of each reading.
    value : ndarray of float with shape (n_readings,)
        NaN where undefined: such a reading is left out.
    n_raters : int
        Number of raters of the study.

    Returns
    -------
    list of Estimate
        One a rater; ``n_cases`` counts the readings that entered.
    """
    defined = ~np.isnan(value)
    rater, value = readings.rater[defined], value[defined]
    n = np.bincount(rater, minlength=n_raters)
    mean = np.divide(np.bincount(rater, value, n_raters), n, out=np.full(n_raters, np.nan), where=n > 0)
    squares = np.bincount(rater, (value - mean[rater]) ** 2, n_raters)
    variance = np.divide(squares, n - 1, out=np.full(n_raters, np.nan), where=n > 1)
    error = np.sqrt(np.divide(variance, n, out=np.full(n_raters, np.nan), where=n > 1))
    return [Estimate(float(m), float(e), int(k)) for m, e, k in zip(mean, error, n, strict=True)]


def severity(readings: Readings, worth: FloatArray) -> FloatArray:
    """How much higher each reading goes than the mean of the other readings of its case.

    Parameters
    ----------
    readings : Readings
        One reading a rater and case.
    worth : ndarray of float with shape (n_readings,)
        What each reading says as a number: 1 for the positive label and 0 for the other, a risk level, a
        score.

    Returns
    -------
    ndarray of float64 with shape (n_readings,)
        In units of ``worth``; NaN for the only reading of a case, and where a case has a worth of NaN.
    """
    n = readings.per_case[readings.case]
    total = np.bincount(readings.case, worth, readings.n_cases)[readings.case]
    others = np.divide(total - worth, n - 1, out=np.full(len(n), np.nan), where=n > 1)
    return worth - others
