"""Concordance of groups of raters, as if only they had read."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.compiled import njit
from core.metrics.agreement.concordance import accuracies_of, corrected_confidence
from core.study.model import FloatArray, IntArray, Readings


def group_concordance(
    readings: Readings, code: IntArray, n_labels: int, groups: IntArray, *, accuracy: FloatArray | None = None
) -> tuple[FloatArray, FloatArray]:
    """Concordance of groups of raters, as if only they had read.

    Parameters
    ----------
    readings : Readings
        Give the rater and the stated confidence of each reading.
    code : ndarray of int with shape (n_readings,)
        The label given, 0 … ``n_labels`` − 1.
    n_labels : int
        Number of labels of the task, 2 or more.
    accuracy : ndarray of float with shape (n_raters,), optional
        In [0, 1]; NaN counts as the mean of the others. Without it every agreement counts as right.
    groups : ndarray of int with shape (n_groups, size)
        Distinct rater codes in a row.

    Returns
    -------
    unweighted, weighted : ndarray of float64 with shape (n_groups,)
        σ and ϱ, means over the cases that two of the group read; NaN where there is none.

    Raises
    ------
    ValueError
        For a confidence or accuracy outside [0, 1], or fewer accuracies than raters.
    """
    n_raters = max(int(readings.rater.max(initial=-1)), int(groups.max(initial=-1))) + 1
    weight = accuracies_of(accuracy, n_raters)
    members = np.zeros((len(groups), n_raters), bool)
    np.put_along_axis(members, np.asarray(groups), True, axis=1)
    confidence = corrected_confidence(readings.confidence, n_labels)
    mean = _group_concordances(
        readings.case_start,
        readings.rater,
        np.asarray(code, np.int64),
        weight,
        confidence,
        members,
        n_labels,
    )
    return mean[:, 0].copy(), mean[:, 1].copy()


@njit(cache=True, nogil=True, error_model="numpy")
def _group_concordances(
    case_start: IntArray,
    rater: IntArray,
    code: IntArray,
    accuracy: FloatArray,
    confidence: FloatArray,
    members: NDArray[np.bool_],
    n_labels: int,
) -> FloatArray:
    """Means over cases of σ (0) and ϱ (1) of each group."""
    mean = np.zeros((len(members), 2))
    reads = np.empty(len(rater), np.int64)
    for group in range(len(members)):
        n_cases = 0
        for case in range(len(case_start) - 1):
            n = 0
            for reading in range(case_start[case], case_start[case + 1]):
                if members[group, rater[reading]]:
                    reads[n] = reading
                    n += 1
            if n < 2:
                continue
            same = worth = 0.0
            for x in range(n):
                for y in range(x):
                    i, j = reads[x], reads[y]
                    if code[i] != code[j]:
                        continue
                    same += 1
                    a, b = accuracy[rater[i]], accuracy[rater[j]]
                    if a * b > 0:
                        right = a * b / (a * b + (1 - a) * (1 - b) / (n_labels - 1))
                        worth += right * confidence[i] * confidence[j]
            n_cases += 1
            mean[group, 0] += 2 * same / (n * (n - 1))
            mean[group, 1] += 2 * worth / (n * (n - 1))
        for v in range(2):
            mean[group, v] = mean[group, v] / n_cases if n_cases > 0 else np.nan
    return mean
