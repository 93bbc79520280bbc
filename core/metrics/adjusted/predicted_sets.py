"""The sets that the first k predicted labels can form, where some of them are predicted alike."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np

from core.metrics.adjusted.predicted_order import PredictedOrder
from core.study.model import FloatArray, IntArray

MOST_SETS = 5000
"""So many sets of one case are all asked about; of more, as many are drawn."""


def possible_sets(order: PredictedOrder, slots: IntArray, k: int) -> tuple[IntArray, IntArray, FloatArray]:
    """List the sets that the first k labels of every case can be, over all ways of breaking ties.

    Parameters
    ----------
    order : PredictedOrder
        Of k places or more.
    slots : ndarray of int with shape (n_entries,)
        Slot of each entry among the candidates of its case, −1 for an unmentioned label.
    k : int
        Size of the sets; smaller where the order is shorter.

    Returns
    -------
    cases : ndarray of int64 with shape (n_sets,)
        A case that was predicted, for each set.
    sets : ndarray of int64 with shape (n_sets, k)
        Label codes, −1 as padding. A set stands for all that differ from it in unmentioned labels alone.
    weight : ndarray of float64 with shape (n_sets,)
        Probability of what the set stands for; sums to 1 over a case.
    """
    before, tied = order.places
    place = np.arange(len(before)) - order.start[order.case]
    inside = (before + tied <= k) & (place < k)
    plain = np.full((order.n_cases, k), -1, np.int64)
    plain[order.case[inside], place[inside]] = order.label[inside]
    open_ = (before < k) & (before + tied > k)
    is_open = np.zeros(order.n_cases, bool)
    is_open[order.case[open_]] = True
    closed = np.flatnonzero(order.covered & ~is_open)
    cases, sets = [closed], [plain[closed]]
    weights: list[FloatArray] = [np.ones(len(closed))]
    for case in np.flatnonzero(is_open):
        entries = np.flatnonzero(open_[order.start[case] : order.start[case + 1]]) + order.start[case]
        filled = int(before[entries[0]])
        unmentioned = slots[entries] < 0
        rows, weight = _completed(
            order.label[entries[~unmentioned]], order.label[entries[unmentioned]], k - filled
        )
        full = np.repeat(plain[case : case + 1], len(rows), axis=0)
        full[:, filled:] = rows
        cases.append(np.full(len(rows), case))
        sets.append(full)
        weights.append(weight)
    return np.concatenate(cases), np.concatenate(sets), np.concatenate(weights)


def _completed(mentioned: IntArray, unmentioned: IntArray, size: int) -> tuple[IntArray, FloatArray]:
    """Sets of ``size`` of the tied labels and their probabilities; unmentioned labels are interchangeable."""
    n_ways = comb(len(mentioned) + len(unmentioned), size)
    numbers = range(max(0, size - len(unmentioned)), min(size, len(mentioned)) + 1)
    if sum(comb(len(mentioned), n) for n in numbers) > MOST_SETS:
        every = np.concatenate([mentioned, unmentioned])
        generator = np.random.default_rng(0)
        rows = [generator.choice(every, size, replace=False) for _ in range(MOST_SETS)]
        return np.array(rows), np.full(MOST_SETS, 1 / MOST_SETS)
    sets, weight = [], []
    for n in numbers:
        others = unmentioned[: size - n].tolist()
        ways = comb(len(unmentioned), size - n) / n_ways
        for chosen in combinations(mentioned.tolist(), n):
            sets.append([*chosen, *others])
            weight.append(ways)
    return np.array(sets, np.int64), np.array(weight)
