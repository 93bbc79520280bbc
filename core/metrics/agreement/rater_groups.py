"""Groups of raters: which there are, how fine their reductions should be, and how accurate they are."""

from __future__ import annotations

from itertools import combinations
from math import comb
from typing import Literal

import numpy as np
from scipy import sparse

from core.metrics.agreement.rating_counts import first_labels
from core.metrics.fineness.difficulty import WEIGHTS, accuracy_by_difficulty
from core.metrics.fineness.majority import checked_accuracy, majority_fineness
from core.metrics.fineness.weighted import simulated_fineness, whole_weights
from core.study.model import FloatArray, IntArray, Readings

Reduction = Literal["majority", "probabilistic", "confidence-weighted", "accuracy-weighted"]
REDUCTIONS: tuple[Reduction, ...] = (
    "majority",
    "probabilistic",
    "confidence-weighted",
    "accuracy-weighted",
)
LARGEST_ENUMERATED = 14
"""Groups up to this size have all outcomes of a weighted vote gone through; larger ones are simulated."""
GROUP_DRAWS = 1_000
"""Simulated cases for each larger group."""
_AT_ONCE = 2**22
_CELLS = 2**18
"""Votes that are worked on at once: so many stay near the processor."""


def rater_groups(n_raters: int, size: int, *, most: int = 2_000, seed: int = 0) -> IntArray:
    """Groups of a given size out of all raters.

    Parameters
    ----------
    n_raters : int
        Raters to choose from.
    size : int
        Raters in a group, from 1 to ``n_raters``.
    most : int
        Where there are more groups than this, so many different ones are drawn at random.
    seed : int
        Of the draw.

    Returns
    -------
    ndarray of int64 with shape (n_groups, size)
        Rater codes, ascending in a row. All groups if there are at most ``most``.

    Raises
    ------
    ValueError
        If the size or ``most`` is out of range.
    """
    if not 1 <= size <= n_raters:
        raise ValueError(f"the size of a group must be from 1 to {n_raters}, got {size}")
    if most < 1:
        raise ValueError(f"most must be 1 or more, got {most}")
    if comb(n_raters, size) <= most:
        return np.array(list(combinations(range(n_raters), size)), np.int64)
    rng = np.random.default_rng([seed, n_raters, size])
    found = np.empty((0, size), np.int64)
    while len(found) < most:
        drawn = np.stack([rng.choice(n_raters, size, replace=False, shuffle=False) for _ in range(most)])
        joined = np.concatenate([found, np.sort(drawn, axis=1)])
        _, first = np.unique(joined, axis=0, return_index=True)
        found = joined[np.sort(first)]
    return found[:most]


def group_fineness(accuracy: FloatArray, groups: IntArray, *, n_labels: int = 2) -> FloatArray:
    """Fineness of the majority of each group, as independent readers; exact.

    Parameters
    ----------
    accuracy : ndarray of float with shape (n_raters,)
        In [0, 1].
    groups : ndarray of int with shape (n_groups, size)
        Rater codes.
    n_labels : int
        Number of labels, 2 or more.

    Returns
    -------
    ndarray of float64 with shape (n_groups,)
    """
    return majority_fineness(checked_accuracy(accuracy)[groups], n_labels=n_labels)


def dependent_group_fineness(
    accuracy: FloatArray, groups: IntArray, difficulty: float, *, n_labels: int = 2
) -> FloatArray:
    """Fineness of the majority of each group where raters err on the same cases.

    Parameters are those of `group_fineness`, and the standard deviation of the cases' difficulty
    (`core.metrics.fineness.difficulty`).
    """
    at = accuracy_by_difficulty(accuracy, difficulty)
    step = max(1, _AT_ONCE // (len(at) * (groups.shape[1] + 1)))
    parts = [
        WEIGHTS @ majority_fineness(at[:, groups[start : start + step]], n_labels=n_labels)
        for start in range(0, len(groups), step)
    ]
    return np.concatenate(parts)


def weighted_group_fineness(
    accuracy: FloatArray,
    weight: FloatArray,
    groups: IntArray,
    *,
    n_labels: int = 2,
    draws: int = GROUP_DRAWS,
    seed: int = 0,
) -> tuple[FloatArray, FloatArray]:
    """Fineness of the weighted majority of each group, and its standard error.

    Parameters
    ----------
    accuracy, weight : ndarray of float with shape (n_raters,)
        Each rater's probability of a right reading, in [0, 1], and what the rater's vote counts, finite.
    groups : ndarray of int with shape (n_groups, size)
        Rater codes.
    n_labels : int
        Number of labels, 2 or more.
    draws : int
        Simulated cases for a group that is not enumerated.
    seed : int
        Of the simulation.

    Returns
    -------
    fineness, standard_error : ndarray of float64 with shape (n_groups,)
        The error is 0 where the value is exact: with two labels and up to `LARGEST_ENUMERATED` raters.
    """
    accuracy = checked_accuracy(accuracy)
    steps = whole_weights(weight, len(accuracy))
    if n_labels > 2 or groups.shape[1] > LARGEST_ENUMERATED:
        rng = np.random.default_rng([seed, groups.shape[1]])
        found = [
            simulated_fineness(accuracy[g], steps[g], n_labels=n_labels, draws=draws, rng=rng) for g in groups
        ]
        value = np.where(steps[groups].any(axis=1), [f.value for f in found], np.nan)
        return value, np.array([f.standard_error for f in found])
    chunk = max(1, _AT_ONCE >> groups.shape[1])
    parts = [
        _all_outcomes(accuracy[groups[start : start + chunk]], steps[groups[start : start + chunk]])
        for start in range(0, len(groups), chunk)
    ]
    return np.concatenate(parts), np.zeros(len(groups))


def _all_outcomes(accuracy: FloatArray, votes: IntArray) -> FloatArray:
    """P(right votes outweigh wrong ones) + P(tie) / 2, two labels; arguments have shape (n_groups, size)."""
    margin = np.zeros((len(accuracy), 1), np.int64)
    probability = np.ones((len(accuracy), 1))
    for right, vote in zip(accuracy.T[:, :, None], votes.T[:, :, None], strict=True):
        margin = np.concatenate([margin + vote, margin - vote], axis=1)
        probability = np.concatenate([probability * right, probability * (1 - right)], axis=1)
    fineness = (probability * ((margin > 0) + 0.5 * (margin == 0))).sum(axis=1)
    return np.where(votes.any(axis=1), fineness, np.nan)


class GroupVotes:
    """The votes of a task's readings, ready to be added up for any group of raters.

    Parameters
    ----------
    readings : Readings
        One reading a rater and case (`core.metrics.agreement.rating_counts.first_readings`); each votes for
        its first label.
    truth : ndarray of int with shape (n_cases,)
        Code of the label that counts as right; −1 where there is none: such a case is left out.
    n_labels, n_raters : int
        Of the task and the study.
    weight : ndarray of float with shape (n_readings,), optional
        What each vote counts, 0 or more; 1 by default.
    """

    def __init__(
        self,
        readings: Readings,
        truth: IntArray,
        *,
        n_labels: int,
        n_raters: int,
        weight: FloatArray | None = None,
    ) -> None:
        known = truth[readings.case] >= 0
        label, case = first_labels(readings)[known], readings.case[known]
        keys, slot = np.unique(case * n_labels + label, return_inverse=True)
        votes = np.ones(len(label)) if weight is None else weight[known]
        votes = whole_weights(votes, len(label)).astype(np.float64)
        self._votes = sparse.csr_array((votes, (readings.rater[known], slot)), shape=(n_raters, len(keys)))
        self._slots = self._votes.T.tocsr()
        self._readings = sparse.csr_array(
            (np.ones(len(case)), (readings.rater[known], case)), shape=(n_raters, len(truth))
        )
        self._start = np.flatnonzero(np.append(True, np.diff(keys // n_labels) > 0)) if len(keys) else keys
        self._per_case = np.diff(np.append(self._start, len(keys)))
        right = keys % n_labels == truth[keys // n_labels]
        bounds = np.append(self._start, len(keys))
        # Add up the votes of each case, and those for the label that counts as right.
        one, place = np.ones(len(keys)), np.arange(len(keys))
        shape = (len(self._start), len(keys))
        self._of_case = sparse.csr_array((one, place, bounds), shape=shape)
        self._of_truth = sparse.csr_array((right.astype(np.float64), place, bounds), shape=shape)

    def accuracy(self, groups: IntArray, *, probabilistic: bool = False) -> FloatArray:
        """Share of the cases on which each group's reduction is right.

        Parameters
        ----------
        groups : ndarray of int with shape (n_groups, size)
            Rater codes.
        probabilistic : bool
            Draw a label by its share of the votes, instead of taking the largest.

        Returns
        -------
        ndarray of float64 with shape (n_groups,)
            Over the cases that the group read; a tie of t labels, the right one among them, counts 1 / t. NaN
            where the group read none.
        """
        if len(self._start) == 0:
            return np.full(len(groups), np.nan)
        chunk = max(1, _CELLS // self._votes.shape[1])
        parts = [self._part(groups[i : i + chunk], probabilistic) for i in range(0, len(groups), chunk)]
        return np.concatenate(parts)

    def readings_per_case(self, groups: IntArray) -> FloatArray:
        """Mean number of readings that each group left on a case, of the cases that it read.

        Parameters
        ----------
        groups : ndarray of int with shape (n_groups, size)
            Rater codes.

        Returns
        -------
        ndarray of float64 with shape (n_groups,)
            1 or more; NaN where the group read no case.
        """
        found = np.full(len(groups), np.nan)
        chunk = max(1, _AT_ONCE // max(self._readings.shape))
        for i in range(0, len(groups), chunk):
            readings = self._members(groups[i : i + chunk]) @ self._readings
            n_read = (readings > 0).sum(axis=1)
            np.divide(readings.sum(axis=1), n_read, out=found[i : i + chunk], where=n_read > 0)
        return found

    def _members(self, groups: IntArray) -> FloatArray:
        """Which raters are in each group, as 0 or 1 with shape (n_groups, n_raters)."""
        members = np.zeros((len(groups), self._votes.shape[0]))
        np.put_along_axis(members, groups, 1.0, axis=1)
        return members

    def _part(self, groups: IntArray, probabilistic: bool) -> FloatArray:
        """Accuracy of some groups."""
        # Votes have shape (n_slots, n_groups): what is added up stands in rows beside one another.
        votes = self._slots @ np.ascontiguousarray(self._members(groups).T)
        total = self._of_case @ votes
        read = total > 0
        if probabilistic:
            share = np.divide(self._of_truth @ votes, total, out=np.zeros_like(total), where=read)
        else:
            best = np.maximum.reduceat(votes, self._start, axis=0)
            leads = (votes == np.repeat(best, self._per_case, axis=0)).astype(np.float64)
            share = (self._of_truth @ leads) / (self._of_case @ leads) * read
        n_read = read.sum(axis=0)
        return np.divide(share.sum(axis=0), n_read, out=np.full(len(groups), np.nan), where=n_read > 0)
