"""Exact order statistics of independent gamma variables: who arrives last, by quadrature.

A Dirichlet draw is a vector of independent gammas divided by their sum, and dividing changes no order. So
every question about the order of plausibilities is a question about a race of gammas g_k ~ Gamma(a_k), and
that is an integral over one variable, the level t at which the race is decided.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.special import betainc

from core.compiled import njit
from core.plausibility.alike import first_alike, order_within
from core.plausibility.candidates import Candidates, LabelValues
from core.plausibility.gamma_race.integrals import fill_in_top, fill_top_set
from core.plausibility.gamma_race.table import GammaTable, gamma_table
from core.study.model import FloatArray, IntArray, freeze

COARSEST_STEP = 0.3
"""Resolves a race of ten labels or fewer to rounding error."""

SLOTS_AT_ONCE = 1 << 16
"""Cases are taken in portions of about this many candidates."""

KEPT_NODES = 1 << 22
"""Tables of the portions are kept for the next question up to this many nodes (24 bytes each)."""

SCRATCH = 1 << 20
"""Numbers in the working memory of a kernel."""

BLOCK = 64
"""Nodes that a kernel works on together."""


@njit(cache=True, nogil=True)
def _spread(start: IntArray, origin: IntArray, like: IntArray, found: FloatArray, value: FloatArray) -> None:
    """Give every case the values found for the first of its like, in the order of its own slots."""
    for i in range(len(like)):
        for k in range(start[i + 1] - start[i]):
            value[origin[start[i] + k]] = found[start[like[i]] + k]


@njit(cache=True, nogil=True)
def _best_set(
    start: IntArray, label: IntArray, shape: FloatArray, other: FloatArray, n_labels: int, best: IntArray
) -> None:
    """Fill rows of ``best`` with the codes of the largest positive shapes, ties to the label order."""
    for i in range(len(start) - 1):
        taken = np.zeros(start[i + 1] - start[i], np.bool_)
        stranger, passed = 0, start[i]
        for position in range(best.shape[1]):
            leader, largest = -1, 0.0
            for k in range(start[i], start[i + 1]):
                if shape[k] > largest and not taken[k - start[i]]:
                    leader, largest = k, shape[k]
            while passed < start[i + 1] and label[passed] == stranger:
                passed += 1
                stranger += 1
            left = stranger < n_labels and other[i] > 0.0
            if left and (leader < 0 or (-other[i], stranger) < (-largest, label[leader])):
                best[i, position] = stranger
                stranger += 1
            elif leader >= 0:
                best[i, position] = label[leader]
                taken[leader - start[i]] = True


def check_top(j: int) -> None:
    """Raise ValueError where ``j`` is not the size of a top set."""
    if j < 1:
        raise ValueError(f"j must be a whole number of 1 or more, got {j}")


class _Portion(NamedTuple):
    """Some cases and their table; shapes are given by their place in it, −1 for no mass."""

    cases: slice
    slots: slice
    start: IntArray
    codes: IntArray
    equals: IntArray
    unmentioned: IntArray
    table: GammaTable


@dataclass(frozen=True, eq=False)
class GammaRace:
    """Independent gammas for the labels of every case; the labels with the largest are the top set.

    Attributes
    ----------
    candidates : Candidates
        The labels with a shape of their own.
    shape : ndarray of float64 with shape (n_candidates,)
        Finite and ≥ 0; a label of shape 0 has no mass and never arrives.
    other : ndarray of float64 with shape (n_cases,)
        Shape of each single unmentioned label, finite and ≥ 0.

    Notes
    -----
    With densities f_k and distribution functions F_k of log g_k, and integrals over log t (Stutz 2025,
    eq. 7 to 11, takes these probabilities from draws):

    - P(k among the top j) = ∫ f_k · P(fewer than j of the others exceed t), a Poisson-binomial count;
    - P(top j = C) = ∫ [Σ_{k∈C} f_k ∏_{i∈C∖k}(1 − F_i)] ∏_{i∉C} F_i.

    The trapezoid rule runs on w with log t = 2 log(softplus(w − exp(−w)) / 2). Its step is 0.3, and
    1/(1 + log Σ min(a_k, 1)) where the largest race has more labels than ten: for up to 100,000 labels,
    top-1 probabilities sum to 1 within 1e-12 and those of the top 5 to 5 within 1e-9. m equal labels cost as
    much as one. Cases with the same shapes are integrated once. A case where no label has mass has no order:
    its answers are NaN.
    """

    candidates: Candidates
    shape: FloatArray
    other: FloatArray
    _kept: dict[int, _Portion] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        freeze(self.shape)
        freeze(self.other)

    def in_top(self, j: int) -> LabelValues:
        """P(label is among the j largest), in [0, 1], for every candidate and for any one unmentioned label.

        Raises
        ------
        ValueError
            If ``j`` is below 1.
        """
        check_top(j)
        candidate = np.empty(len(self.shape))
        other = np.empty(self.candidates.n_cases)
        for portion in self._portions():
            origin = order_within(portion.start, portion.codes)
            codes = portion.codes[origin]
            trait = np.column_stack([portion.equals, portion.unmentioned])
            like = first_alike(portion.start, codes, trait)
            longest = int(np.diff(portion.start).max(initial=0)) + 1
            width = max(4, min(BLOCK, SCRATCH // (j * longest)))
            before, after = np.empty((longest, j + 1, width)), np.empty((j + 1, width))
            found, found_other = np.empty(len(codes)), np.empty(len(like))
            fill_in_top(
                portion.start,
                codes,
                trait,
                like,
                portion.table,
                before,
                after,
                np.empty((3, width)),
                found,
                found_other,
            )
            _spread(portion.start, origin, like, found, candidate[portion.slots])
            other[portion.cases] = found_other[like]
        return LabelValues(candidate, other)

    def top_set(self, labels: IntArray) -> FloatArray:
        """P(the j largest are exactly the given labels), with shape (n_cases,).

        Parameters
        ----------
        labels : ndarray of int with shape (n_cases, j)
            Distinct label codes, mentioned or not; −1 pads a set of fewer than j labels, which is the top-j
            set only where no other label has mass.

        Raises
        ------
        ValueError
            If ``j`` is below 1.
        """
        check_top(labels.shape[1])
        slots = self.candidates.locate(labels)
        strangers = ((labels >= 0) & (slots < 0)).sum(axis=1)
        inside = np.zeros(len(self.shape), np.int64)
        inside[slots[slots >= 0]] = 1
        answer = np.empty(self.candidates.n_cases)
        for portion in self._portions():
            items = 2 * portion.codes + inside[portion.slots]
            items = items[order_within(portion.start, items)]
            trait = np.column_stack([portion.equals, portion.unmentioned, strangers[portion.cases]])
            like = first_alike(portion.start, items, trait)
            found = np.empty(len(like))
            j = labels.shape[1]
            working = np.empty((7, BLOCK))
            fill_top_set(portion.start, items >> 1, items & 1, trait, like, j, portion.table, found, working)
            answer[portion.cases] = found[like]
        return answer

    def best_set(self, j: int) -> IntArray:
        """Most probable top-j set: the j largest shapes, ties to the label order, with shape (n_cases, j).

        Gammas of one rate are ordered in likelihood ratio by their shapes, so no search over sets is needed.
        Labels of shape 0 never belong to it; −1 pads.

        Raises
        ------
        ValueError
            If ``j`` is below 1.
        """
        check_top(j)
        best = np.full((self.candidates.n_cases, j), -1, np.int32)
        of = self.candidates
        _best_set(of.start, of.label, self.shape, self.other, of.n_labels, best)
        return best

    def precedes(self, first: IntArray, second: IntArray) -> FloatArray:
        """P(g of slot ``first`` > g of slot ``second``), with shape (n_pairs,): the beta function I_½(b, a).

        Labels without mass are tied: one half.
        """
        distinct = np.unique(self.shape)
        if len(distinct) ** 2 < len(first):
            # Counts of few readings: the same few pairs over and over.
            code = np.searchsorted(distinct, self.shape)
            a, b = (of.ravel() for of in np.meshgrid(distinct, distinct, indexing="ij"))
            found: FloatArray = _precedes(a, b)[code[first] * len(distinct) + code[second]]
            return found
        return _precedes(self.shape[first], self.shape[second])

    def _portions(self) -> Iterator[_Portion]:
        """Take the cases in portions, and keep the portions' tables as long as they are small."""
        start = self.candidates.start
        bounds = np.searchsorted(start, np.arange(0, start[-1], SLOTS_AT_ONCE)[1:])
        bounds = np.unique(np.concatenate([[0], bounds, [self.candidates.n_cases]]))
        for begin, stop in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
            portion = self._kept.get(begin)
            if portion is None:
                portion = self._portion(slice(begin, stop))
                if sum(len(p.table.density) for p in list(self._kept.values())) < KEPT_NODES:
                    self._kept[begin] = portion
            yield portion

    def _portion(self, cases: slice) -> _Portion:
        """Tabulate the distinct shapes of some cases."""
        start = self.candidates.start[cases.start : cases.stop + 1]
        slots = slice(int(start[0]), int(start[-1]))
        unmentioned = self.candidates.unmentioned[cases]
        shape = np.concatenate([self.shape[slots], np.where(unmentioned > 0, self.other[cases], 0.0)])
        codes, distinct = pd.factorize(np.where(shape > 0.0, shape, np.nan), sort=True)
        n = len(codes) - len(unmentioned)
        return _Portion(
            cases,
            slots,
            start - start[0],
            codes[:n],
            codes[n:],
            unmentioned,
            gamma_table(distinct, self._step),
        )

    @cached_property
    def _step(self) -> float:
        """Distance of the nodes: the maximum of many gammas is narrower than each of them.

        Labels of small shape count in proportion to it: few of them come near the maximum.
        """
        of = self.candidates
        weight = np.bincount(of.case, weights=np.minimum(self.shape, 1.0), minlength=of.n_cases)
        most = np.max(weight + of.unmentioned * np.minimum(self.other, 1.0), initial=1.0)
        return float(min(COARSEST_STEP, 1.0 / (1.0 + np.log(most))))


def _precedes(a: FloatArray, b: FloatArray) -> FloatArray:
    """P(a gamma of shape a > one of shape b), each pair; labels without mass are tied."""
    massive = (a > 0.0) & (b > 0.0)
    answer = np.where(a == b, 0.5, a > b)
    answer[massive] = betainc(b[massive], a[massive], 0.5)
    return answer
