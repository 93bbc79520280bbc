"""Unbiased estimates of what happens among several raters of a case, from the labels that were given."""

from __future__ import annotations

from collections.abc import Callable
from math import comb

import numpy as np
from scipy.special import binom

from core.metrics.calibration.label_histogram import LabelHistograms
from core.study.model import FloatArray, IntArray

Statistic = Callable[[IntArray], np.ndarray]

MOST_OUTCOMES = 2**20
"""Ways in which the labels of a group of raters may fall; more are refused."""

NUMBERS_AT_ONCE = 2**22
"""Bounds the memory: chances kept in one go."""


def pair_disagreement(histograms: LabelHistograms) -> FloatArray:
    """Estimate the probability that two raters of a case choose different labels.

    Parameters
    ----------
    histograms : LabelHistograms
        Labels given to n_cases cases.

    Returns
    -------
    ndarray of float64 with shape (n_cases,)
        In [0, 1]; NaN for a case with fewer than two labels.

    Notes
    -----
    1 − Σ_k n_k (n_k − 1)/(n (n − 1)), the share of pairs of labels that differ (Mimori 2021, eq. 16).
    """
    n = histograms.per_case
    n_square = np.einsum("ik,ik->i", histograms.counts, histograms.counts, dtype=np.int64)
    pairs = n * (n - 1)
    return 1 - np.divide(n_square - n, pairs, out=np.full(len(n), np.nan), where=n > 1)


def u_statistic(histograms: LabelHistograms, statistic: Statistic, *, n_raters: int) -> FloatArray:
    """Estimate the mean of a symmetric statistic of several raters' labels, for each case.

    Parameters
    ----------
    histograms : LabelHistograms
        Labels given to n_cases cases.
    statistic : callable
        Gets histograms of ``n_raters`` labels, an array of int64 with shape (n_histograms, n_labels), and
        gives their values, with shape (n_histograms,): 0 or 1 for a binary one such as "all agree".
    n_raters : int
        Number of labels that the statistic is of, 1 or more.

    Returns
    -------
    ndarray of float64 with shape (n_cases,)
        NaN for a case with fewer than ``n_raters`` labels.

    Raises
    ------
    ValueError
        Where ``n_raters`` is below 1, the statistic gives another number of values, or there are more than
        `MOST_OUTCOMES` histograms to ask about for a case.

    Notes
    -----
    The mean of the statistic over all groups of ``n_raters`` of the labels given (Mimori 2021, eq. 16); of
    the C(n, n_raters) groups, ∏_k C(n_k, h_k) have the histogram h.
    """
    if n_raters < 1:
        raise ValueError(f"n_raters must be 1 or more, got {n_raters}")
    value = np.full(histograms.n_cases, np.nan)
    enough = np.flatnonzero(histograms.per_case >= n_raters)
    if not len(enough):
        return value
    supports, which = np.unique(histograms.counts[enough] > 0, axis=0, return_inverse=True)
    order = np.argsort(which, kind="stable")
    groups = np.split(enough[order], np.cumsum(np.bincount(which))[:-1])
    for support, group in zip(supports, groups, strict=True):
        labels = np.flatnonzero(support)
        outcomes = _compositions(n_raters, len(labels))
        embedded = np.zeros((len(outcomes), histograms.n_labels), np.int64)
        embedded[:, labels] = outcomes
        of_outcome = np.asarray(statistic(embedded), dtype=np.float64)
        if of_outcome.shape != (len(outcomes),):
            raise ValueError(f"statistic must give {len(outcomes)} values, got shape {of_outcome.shape}")
        at_once = max(NUMBERS_AT_ONCE // len(outcomes), 1)
        for first in range(0, len(group), at_once):
            cases = group[first : first + at_once]
            chance = _group_chances(histograms.counts[np.ix_(cases, labels)], outcomes, n_raters)
            value[cases] = (chance * of_outcome).sum(axis=1)
    return value


def _compositions(total: int, parts: int) -> IntArray:
    """All ways to write ``total`` as an ordered sum of ``parts`` numbers from 0, one a row."""
    n_outcomes = comb(total + parts - 1, parts - 1)
    if n_outcomes > MOST_OUTCOMES:
        raise ValueError(
            f"statistic of {total} labels must have {MOST_OUTCOMES} outcomes or fewer, "
            f"got {n_outcomes} among the {parts} labels of a case"
        )
    rows = np.array([[total]])
    for _ in range(parts - 1):
        # The last number of a row is what remains; split it into a part and what then remains.
        remaining = rows[:, -1]
        repeated = np.repeat(rows, remaining + 1, axis=0)
        part = np.arange(len(repeated)) - np.repeat(np.cumsum(remaining + 1) - remaining - 1, remaining + 1)
        rows = np.column_stack([repeated[:, :-1], part, repeated[:, -1] - part])
    return rows


def _group_chances(counts: IntArray, outcomes: IntArray, n_raters: int) -> FloatArray:
    """Chance of each outcome in a group drawn from the labels of each case, (n_cases, n_outcomes)."""
    chance = np.ones((len(counts), len(outcomes)))
    for label in range(counts.shape[1]):
        ways = binom(counts[:, label, None], np.arange(n_raters + 1))
        chance *= ways[:, outcomes[:, label]]
    return chance / binom(counts.sum(axis=1), n_raters)[:, None]
