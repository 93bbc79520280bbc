"""The labels that a model or a reader puts first, in their order, those in one place together."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.metrics.ranking import top_labels
from core.plausibility.point import Places
from core.study.brief import brief
from core.study.model import FloatArray, IntArray, Predictions, freeze


@dataclass(frozen=True, eq=False)
class PredictedOrder:
    """Leading labels of every case, in compressed-row form; labels that are tied have one place.

    Attributes
    ----------
    start : ndarray of int64 with shape (n_cases + 1,)
        Entries of case ``i`` are ``start[i]:start[i + 1]``, first place first; a case without any was not
        predicted.
    label : ndarray of int32 with shape (n_entries,)
        Label codes, within a place in the label order, which has no influence.
    places : Places
        How many labels come before each entry, and how many share its place.

    Notes
    -----
    Where labels are tied, a metric is its mean over all ways of putting them in an order, which are equally
    probable: a label with b labels before it and t in its place is among the first k with probability
    min(max((k − b) / t, 0), 1).
    """

    start: IntArray
    label: IntArray
    places: Places

    __repr__ = brief

    def __post_init__(self) -> None:
        for array in (self.start, self.label, *self.places):
            freeze(array)

    @property
    def n_cases(self) -> int:
        """Number of cases."""
        return len(self.start) - 1

    @property
    def covered(self) -> NDArray[np.bool_]:
        """Whether each case was predicted, with shape (n_cases,)."""
        return np.diff(self.start) > 0

    @cached_property
    def case(self) -> IntArray:
        """Case of each entry, with shape (n_entries,)."""
        return np.repeat(np.arange(self.n_cases), np.diff(self.start))

    def total(self, of_entry: FloatArray) -> FloatArray:
        """Sum a number over the entries of each case, with shape (n_cases,)."""
        return np.bincount(self.case, of_entry, self.n_cases).astype(np.float64)

    def named(self, k: int) -> FloatArray:
        """Number of labels among the first k, with shape (n_cases,): k, or less where the list is shorter."""
        return self.total(self.places.within(k)).round()

    def taken(self, cases: IntArray) -> PredictedOrder:
        """The order of some cases, in their order."""
        count = np.diff(self.start)[cases]
        start = np.concatenate([[0], np.cumsum(count)]).astype(np.int64)
        entries = np.arange(start[-1]) + np.repeat(self.start[cases] - start[:-1], count)
        places = Places(self.places.before[entries], self.places.tied[entries])
        return PredictedOrder(start, self.label[entries], places)


def order_of_probabilities(probability: FloatArray, length: int) -> PredictedOrder:
    """Order the most probable labels of every case; equal probabilities are tied.

    Parameters
    ----------
    probability : ndarray of float with shape (n_cases, n_labels)
        A row with a NaN is a case that was not predicted.
    length : int
        Number of places wanted, at least 1; all labels that share the last of them are there.

    Raises
    ------
    ValueError
        Where ``length`` is below 1.
    """
    probability = np.asarray(probability)
    n_cases, n_labels = probability.shape
    last = top_labels(probability, min(length, max(n_labels, 1)))[:, -1]
    least = np.where(last >= 0, probability[np.arange(n_cases), last], np.inf) if n_labels else last
    case, label = np.nonzero(probability >= least[:, None])
    return _order(n_cases, case, label, -probability[case, label], length)


def order_of_blocks(
    n_cases: int, case: IntArray, label: IntArray, block: IntArray, length: int
) -> PredictedOrder:
    """Order labels by the blocks of differentials, at most one differential a case.

    Parameters
    ----------
    n_cases : int
        Number of cases.
    case, label, block : ndarray of int with shape (n_entries,)
        Which case and label each entry is of, and which block it stands in, the first being 0.
    length : int
        Number of places wanted; all labels that share the last of them are there.
    """
    return _order(n_cases, case, label, block, length)


def order_of_lists(lists: IntArray) -> PredictedOrder:
    """Take lists of label codes, best first, with shape (n_cases, L); −1 pads a list that is shorter."""
    case, place = np.nonzero(np.asarray(lists) >= 0)
    return _order(len(lists), case, np.asarray(lists)[case, place], place, lists.shape[1])


def predicted_order(predicted: Predictions | PredictedOrder | IntArray, length: int) -> PredictedOrder:
    """Order of what a model predicts, or of lists of label codes; an order is returned as it is."""
    if isinstance(predicted, PredictedOrder):
        return predicted
    if isinstance(predicted, Predictions):
        return order_of_probabilities(predicted.probability, length)
    return order_of_lists(np.asarray(predicted)[:, :length])


def _sorting(n_cases: int, case: IntArray, label: IntArray, rank: NDArray[np.generic]) -> IntArray:
    """Order by case, rank and label; of as many labels for each case, in their order, all cases at once."""
    each = len(case) // max(n_cases, 1)
    if 0 < each * n_cases == len(case):
        by_case, labels = case.reshape(n_cases, each), label.reshape(n_cases, each)
        if (by_case == np.arange(n_cases)[:, None]).all() and (np.diff(labels, axis=1) > 0).all():
            within = np.argsort(rank.reshape(n_cases, each), axis=1, kind="stable")
            found: IntArray = (within + np.arange(0, len(case), each)[:, None]).ravel()
            return found
    return np.lexsort((label, rank, case))


def _order(
    n_cases: int, case: IntArray, label: IntArray, rank: NDArray[np.generic], length: int
) -> PredictedOrder:
    """Sort the entries of each case by rank; equal ranks share a place."""
    sorting = _sorting(n_cases, case, label, rank)
    case, label, rank = case[sorting], label[sorting], rank[sorting]
    first_of_case = np.searchsorted(case, np.arange(n_cases + 1))
    is_first = np.ones(len(case), bool)
    is_first[1:] = (case[1:] != case[:-1]) | (rank[1:] != rank[:-1])
    place = np.cumsum(is_first) - 1
    begin = np.flatnonzero(is_first)
    before = begin[place] - first_of_case[case]
    tied = np.diff(np.append(begin, len(case)))[place]
    kept = before < length
    start = np.concatenate([[0], np.cumsum(np.bincount(case[kept], minlength=n_cases))]).astype(np.int64)
    return PredictedOrder(start, label[kept].astype(np.int32), Places(before[kept], tied[kept]))
