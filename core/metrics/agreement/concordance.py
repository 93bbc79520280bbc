"""Concordance of raters weighted by confidence and accuracy: how much of their agreement can be relied on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.compiled import njit
from core.metrics.agreement.pairs import require_few_pairs
from core.study.model import FloatArray, IntArray, Readings

RULE_OF_THUMB = 2 / 3
"""Weighted concordance from which on annotations are taken for reliable (Cabitza 2020)."""
NORMAL_95 = 1.96


@dataclass(frozen=True, eq=False)
class Concordance:
    """Concordance of each case, NaN with fewer than two readings.

    Attributes
    ----------
    unweighted : ndarray of float64 with shape (n_cases,)
        σ, the share of equal pairs.
    weighted : ndarray of float64 with shape (n_cases,)
        ϱ, in [0, σ].
    low, high : ndarray of float64 with shape (n_cases,)
        ϱ with every confidence lowered and raised by its rater's variability.
    """

    unweighted: FloatArray
    weighted: FloatArray
    low: FloatArray
    high: FloatArray


def corrected_confidence(confidence: FloatArray, n_labels: int) -> FloatArray:
    """Probability that a reading was informed, given that it agrees with another.

    Parameters
    ----------
    confidence : ndarray of float
        Stated confidence c in [0, 1]; NaN, none stated, is taken for 1.
    n_labels : int
        Number of labels, K ≥ 2.

    Returns
    -------
    ndarray of float64
        ĉ in [0, 1].

    Raises
    ------
    ValueError
        If a confidence is outside [0, 1] or ``n_labels`` below 2.

    Notes
    -----
    With probability c a reading is informed and agrees; otherwise it is a guess among K labels and agrees
    with probability 1/K. So ĉ = c / (c + (1 − c) / K) = K c / (1 + (K − 1) c), for K = 2 that is 2c / (1 + c)
    (Cabitza 2020, eq. 2).
    """
    if n_labels < 2:
        raise ValueError(f"n_labels must be 2 or more, got {n_labels}")
    c = np.where(np.isnan(confidence), 1.0, confidence)
    _require_unit(c, "confidence")
    return n_labels * c / (1 + (n_labels - 1) * c)


def _require_unit(value: FloatArray, what: str) -> None:
    """Raise ValueError where a value is outside [0, 1]."""
    if value.size and not (np.min(value) >= 0 and np.max(value) <= 1):
        hint = "; divide percentages by 100" if np.max(value) > 1 else ""
        raise ValueError(f"{what} must be in [0, 1], got {np.min(value):g} to {np.max(value):g}{hint}")


def concordance(
    readings: Readings,
    code: IntArray,
    n_labels: int,
    *,
    accuracy: FloatArray | None = None,
    variability: FloatArray | None = None,
) -> Concordance:
    """Concordance and weighted concordance of each case.

    Parameters
    ----------
    readings : Readings
        One reading a rater and case; a confidence that is absent counts as 1.
    code : ndarray of int with shape (n_readings,)
        The label given.
    n_labels : int
        Number of labels of the task, K ≥ 2.
    accuracy : ndarray of float with shape (n_raters,), optional
        In [0, 1]; NaN counts as the mean of the others. Without it every agreement counts as right.
    variability : ndarray of float with shape (n_raters,), optional
        How far a rater's confidence moves between readings of the same case (`confidence_variability`), 0 or
        more; NaN counts as the mean of the others. Without it there is no interval: low and high are ϱ.

    Returns
    -------
    Concordance

    Raises
    ------
    ValueError
        For a confidence or accuracy outside [0, 1], a negative variability, fewer raters than read, or too
        many pairs of readings.

    Notes
    -----
    σ is the mean over pairs of readings of [equal], and ϱ that of [equal] ĉ_i ĉ_j P(both right | agree),
    with `corrected_confidence` and P(both right | agree) = a b / (a b + (1 − a)(1 − b) / (K − 1)) for the
    accuracies a and b, errors being independent and any of the K − 1 wrong labels alike (Cabitza 2020, eq. 1
    to 4, where K = 2). The interval puts c ± its variability, clipped to [0, 1], for c. The value of a study
    is the mean over its cases with two readings or more, each counting once, however many raters read it.

    The interval is not symmetric about ϱ: ĉ is concave and clipping at 1 cuts the upper side. On 13 knee-MRI
    readers with accuracy .81 and variability .08, ϱ = .5847 while the middle of [.5141, .6397] is .5769.
    """
    require_few_pairs(readings)
    n_raters = int(readings.rater.max(initial=-1)) + 1
    weight = accuracies_of(accuracy, n_raters)
    shift = _filled(np.zeros(n_raters) if variability is None else variability, n_raters, "variability", 0.0)
    if (shift < 0).any():
        raise ValueError(f"variability must be 0 or more, got {shift.min():g}")
    stated = np.where(np.isnan(readings.confidence), 1.0, readings.confidence)
    _require_unit(stated, "confidence")
    by = shift[readings.rater]
    confidences = np.stack(
        [corrected_confidence(np.clip(c, 0, 1), n_labels) for c in (stated, stated - by, stated + by)]
    )
    sums = _concordances(
        readings.case_start,
        np.asarray(code, np.int64),
        weight[readings.rater],
        confidences.T.copy(),
        n_labels,
    )
    n = readings.per_case.astype(np.float64)
    pairs = (n * (n - 1) / 2)[:, None]
    mean = np.divide(sums, pairs, out=np.full(sums.shape, np.nan), where=pairs > 0)
    return Concordance(*np.ascontiguousarray(mean.T))


def accuracies_of(accuracy: FloatArray | None, n_raters: int) -> FloatArray:
    """Accuracy of each rater, an unknown one as the mean of the others; 1 for all where none is given."""
    if accuracy is None:
        return np.ones(n_raters)
    filled = _filled(accuracy, n_raters, "accuracy", 1.0)
    _require_unit(filled, "accuracy")
    return filled


def _filled(value: FloatArray, n_raters: int, what: str, unknown: float) -> FloatArray:
    """Values of the raters, NaN replaced by the mean of the known ones, or ``unknown`` where none is."""
    value = np.asarray(value, np.float64)
    if value.ndim != 1 or len(value) < n_raters:
        raise ValueError(f"{what} must have one value for each of {n_raters} raters, got {value.shape}")
    known = value[~np.isnan(value)]
    return np.where(np.isnan(value), known.mean() if len(known) else unknown, value)


@njit(cache=True, nogil=True, error_model="numpy")
def _concordances(
    case_start: IntArray, code: IntArray, accuracy: FloatArray, confidence: FloatArray, n_labels: int
) -> FloatArray:
    """Sum over the pairs of each case of [equal] alone, and times the weights for each confidence."""
    total = np.zeros((len(case_start) - 1, 4))
    for case in range(len(case_start) - 1):
        for i in range(case_start[case], case_start[case + 1]):
            for j in range(case_start[case], i):
                if code[i] != code[j]:
                    continue
                total[case, 0] += 1
                right = accuracy[i] * accuracy[j]
                if right > 0:
                    right /= right + (1 - accuracy[i]) * (1 - accuracy[j]) / (n_labels - 1)
                for v in range(3):
                    total[case, 1 + v] += right * confidence[i, v] * confidence[j, v]
    return total


def confidence_variability(readings: Readings, n_raters: int) -> FloatArray:
    """How far each rater's confidence moves between readings of the same case.

    Parameters
    ----------
    readings : Readings
        Repeated readings included.
    n_raters : int
        Number of raters of the study.

    Returns
    -------
    ndarray of float64 with shape (n_raters,)
        1.96 s / √k with s the standard deviation of the confidences of a case about their mean, pooled over
        the cases that the rater read repeatedly, and k the mean number of such readings of a case; NaN for a
        rater without repeated readings with confidence (Cabitza 2020).
    """
    return variability_of(variability_sums(readings, n_raters))


def variability_sums(readings: Readings, n_raters: int) -> FloatArray:
    """What `variability_of` needs, with shape (4, n_raters): sums over cases that a rater read repeatedly.

    Degrees of freedom, readings, cases, and squared distances of confidences from their mean in a case.
    """
    stated = ~np.isnan(readings.confidence)
    key = (readings.case * n_raters + readings.rater)[stated]
    cells, cell, n = np.unique(key, return_inverse=True, return_counts=True)
    confidence = readings.confidence[stated]
    mean = np.bincount(cell, confidence, len(cells)) / n
    squares = np.bincount(cell, (confidence - mean[cell]) ** 2, len(cells))
    repeated = n > 1
    rater = cells[repeated] % n_raters
    weights = (n[repeated] - 1, n[repeated], np.ones(len(rater)), squares[repeated])
    return np.stack([np.bincount(rater, of, n_raters) for of in weights]).astype(np.float64)


def variability_of(sums: FloatArray) -> FloatArray:
    """How far each rater's confidence moves, from `variability_sums`; see `confidence_variability`."""
    freedom, k, n_cells, spread = sums
    n_raters, has = len(freedom), freedom > 0
    variance = np.divide(spread, freedom, out=np.full(n_raters, np.nan), where=has)
    per_case = np.divide(k, n_cells, out=np.ones(n_raters), where=has)
    moved: FloatArray = NORMAL_95 * np.sqrt(variance / per_case)
    return moved
