"""How ill a label goes with what a model says of a case: the scores that conformal sets are made of."""

from __future__ import annotations

import numpy as np

from core.recalibration.conformal_choices import FREE, PENALTY, SCORES, ScoreName
from core.study.model import FloatArray

_DECIMALS = 12
"""Scores are rounded so far that scores equal on paper are exact ties, in whatever order they were summed."""


def nonconformity(
    probability: FloatArray,
    score: ScoreName = "threshold",
    *,
    penalty: float = PENALTY,
    free: int = FREE,
    position: FloatArray | None = None,
) -> FloatArray:
    """Score every label of every case; the smaller, the better it goes with what the model says.

    Parameters
    ----------
    probability : ndarray of float with shape (n_cases, n_labels)
        Rows sum to 1; a row of NaN is a case that was not predicted.
    score : {"threshold", "aps", "raps"}
        See Notes.
    penalty : float
        RAPS: added for each label beyond the free ones, 0 or more.
    free : int
        RAPS: labels free of the penalty, 0 or more.
    position : ndarray of float with shape (n_cases,), optional
        APS and RAPS: a uniform random number in [0, 1] for each case, which makes them randomised; without,
        a label's own probability counts whole.

    Returns
    -------
    ndarray of float64 with shape (n_cases, n_labels)
        NaN throughout a case that was not predicted.

    Raises
    ------
    ValueError
        For an unknown score.

    Notes
    -----
    With p_k the probability of label k, M_k what all labels more probable have together, T_k what k and
    those exactly as probable have together, r_k how many are at least as probable, u the position or 1:

    - threshold: 1 − p_k (Sadinle, Lei and Wasserman 2019);
    - APS: M_k + u·T_k (Romano, Sesia and Candès 2020, eq. 5 to 8);
    - RAPS: that, and penalty · max(r_k − free, 0) (Angelopoulos, Bates, Jordan and Malik 2021, eq. 4).

    Labels that are equally probable have one score, so that nothing depends on the order of labels.
    """
    p = np.asarray(probability, np.float64)
    if score == "threshold":
        return (1.0 - p).round(_DECIMALS)
    if score not in SCORES:
        raise ValueError(f"score must be one of {', '.join(SCORES)}, got {score!r}")
    before, tied, rank = _places(p)
    share = 1.0 if position is None else np.asarray(position, np.float64)[:, None]
    scores = before + share * tied
    if score == "raps":
        scores += penalty * np.maximum(rank - free, 0)
    scores[np.isnan(p[:, 0])] = np.nan
    rounded: FloatArray = scores.round(_DECIMALS)
    return rounded


def _places(p: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Probability before each label and in its place, and the rank of the last label in that place."""
    n, k = p.shape
    order = np.argsort(-p, axis=1, kind="stable")
    sorted_p = np.take_along_axis(p, order, axis=1)
    sums = np.concatenate([np.zeros((n, 1)), np.cumsum(sorted_p, axis=1)], axis=1)
    new = np.ones((n, k), bool)
    new[:, 1:] = sorted_p[:, 1:] != sorted_p[:, :-1]
    columns = np.arange(k)
    first = np.maximum.accumulate(np.where(new, columns, 0), axis=1)
    ends = np.ones((n, k), bool)
    ends[:, :-1] = new[:, 1:]
    last = np.minimum.accumulate(np.where(ends, columns, k)[:, ::-1], axis=1)[:, ::-1] + 1
    before = np.take_along_axis(sums, first, axis=1)
    found = (before, np.take_along_axis(sums, last, axis=1) - before, last.astype(np.float64))
    back = np.argsort(order, axis=1, kind="stable")
    before, tied, rank = (np.take_along_axis(values, back, axis=1) for values in found)
    return before, tied, rank
