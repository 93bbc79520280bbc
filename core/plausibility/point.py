"""A posterior that is certain of one plausibility a case; labels tied in it are split."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from core.compiled import njit
from core.plausibility.candidates import Candidates, LabelValues
from core.plausibility.draws import LARGEST, Draws
from core.plausibility.posterior import SampledPosterior
from core.plausibility.settings import TIE_RULES, TieRule
from core.study.model import FloatArray, IntArray, freeze

_EQUAL = 1e-9
"""Plausibilities that differ by less, relative to the larger, are equal on paper."""


def check_tie_rule(rule: str) -> None:
    """Refuse an unknown rule.

    Raises
    ------
    ValueError
        With the rules that there are.
    """
    if rule not in TIE_RULES:
        raise ValueError(f"tie_rule must be one of {', '.join(TIE_RULES)}, got {rule!r}")


class Places(NamedTuple):
    """Where labels stand in the order of a case, tied ones together.

    Attributes
    ----------
    before : ndarray of int64
        Number of labels strictly before the label.
    tied : ndarray of int64
        Number of labels in the same place, itself included.
    """

    before: IntArray
    tied: IntArray

    def within(self, j: int) -> FloatArray:
        """P(among the first j), over all ways of breaking the ties."""
        return np.clip((j - self.before) / np.maximum(self.tied, 1), 0.0, 1.0)


class PointPosterior(SampledPosterior):
    """A point mass whose answers are means over all ways of breaking its ties, equally probable.

    Parameters
    ----------
    draws : Draws
        Equal draws, mostly a single one.

    Notes
    -----
    Of t labels with the same plausibility, b larger ones before them, each is among the j largest with
    probability min(max((j − b) / t, 0), 1); the top-j set that holds all larger labels and j − b of the tied
    ones is each of C(t, j − b) sets with equal probability; and each of two tied labels precedes the other
    with probability 1/2. That is also the limit of a Dirichlet posterior as γ grows, and no answer depends on
    the order of the labels. Labels without mass never enter a top-j set. `leaders` and `best_set` name one of
    the equally probable orders, the one of the labels: the probabilities belong to each of them alike.
    """

    @cached_property
    def _places(self) -> tuple[Places, Places]:
        """Places of the candidates, and of any single unmentioned label of each case."""
        of, draws = self.candidates, self.draws
        found = np.zeros((2, len(of.label)), np.int64)
        other = np.zeros((2, of.n_cases), np.int64)
        _find_places(of.start, draws.value[:, 0], draws.rest[:, 0], of.unmentioned, found, other)
        return Places(*found), Places(*other)

    @cached_property
    def _with_mass(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Whether each candidate, and any single unmentioned label of each case, has mass."""
        return self.draws.value[:, 0] > 0, (self.draws.rest[:, 0] > 0) & (self.candidates.unmentioned > 0)

    @cached_property
    def _n_with_mass(self) -> IntArray:
        """Number of labels of each case that have mass, with shape (n_cases,)."""
        candidate, other = self._with_mass
        named = np.bincount(self.candidates.case, candidate, self.candidates.n_cases)
        return (named + other * self.candidates.unmentioned).astype(np.int64)

    def in_top(self, j: int) -> LabelValues:
        """P(label is among the j largest), ties split."""
        if j not in self._in_top:
            if not 1 <= j <= LARGEST:
                raise ValueError(f"j must be between 1 and {LARGEST}, got {j}")
            (own, other), (massive, other_massive) = self._places, self._with_mass
            candidate = own.within(j) * massive
            candidate[self.undefined[self.candidates.case]] = np.nan
            single = other.within(j) * other_massive
            single[self._without_mass] = np.nan
            self._in_top[j] = LabelValues(freeze(candidate), freeze(single))
        return self._in_top[j]

    def top_set(self, labels: IntArray, cases: IntArray | None = None) -> FloatArray:
        """P(the top-j set is exactly the given set), ties split: 1 / C(t, j − b), or 0."""
        rows, slots = self._located(labels, cases)
        j = np.minimum(slots.shape[1], self._n_with_mass[rows])[:, None]
        own, other = self._places
        massive, other_massive = self._with_mass
        named = np.asarray(labels) >= 0
        before, tied, has_mass = (
            LabelValues(of_slot.astype(float), of_other.astype(float)).at(slots, rows)
            for of_slot, of_other in (
                (own.before, other.before),
                (own.tied, other.tied),
                (massive, other_massive),
            )
        )
        inside = named & (has_mass > 0) & (before < j)
        shared = inside & (before + tied > j)
        ahead = np.where(shared, before, 0).max(axis=1, initial=0)
        among = np.where(shared, tied, 1).max(axis=1, initial=1)
        n_shared = shared.sum(axis=1)
        complete = inside.sum(axis=1) - n_shared
        possible = (named.sum(axis=1) == j[:, 0]) & (inside == named).all(axis=1)
        possible &= (n_shared == 0) | (complete == ahead)
        probability = possible / special.comb(among, n_shared)
        probability[self.undefined[rows]] = np.nan
        return probability

    def grouped(self, group: IntArray, n_groups: int) -> PointPosterior:
        """Sums of plausibility by group."""
        return PointPosterior(super().grouped(group, n_groups).draws)

    def sample(self, n: int, seeds: NDArray[np.uint64]) -> PointPosterior:
        """Return n equal draws."""
        return self if n == self.draws.n_draws else PointPosterior(super().sample(n, seeds).draws)


def point_mass(
    candidates: Candidates,
    value: FloatArray,
    rest: FloatArray | None = None,
    *,
    tie_rule: TieRule = "split",
) -> SampledPosterior:
    """Build the posterior that is certain of one plausibility a case.

    Parameters
    ----------
    candidates : Candidates
        Of all cases.
    value : ndarray of float with shape (n_candidates,)
        Plausibility of each candidate, summing to 1 with ``rest`` over each case that has any; NaN
        throughout a case that is undefined.
    rest : ndarray of float with shape (n_cases,), optional
        Plausibility of all unmentioned labels together, divided equally among them; 0 if not given.
    tie_rule : {"split", "first label"}
        Whether equal plausibilities are split or go to the first label in the study's order.

    Returns
    -------
    SampledPosterior
        With a single draw; a `PointPosterior` where ties are split.

    Raises
    ------
    ValueError
        If a shape is wrong or the rule unknown.
    """
    check_tie_rule(tie_rule)
    value = np.array(value, np.float64)
    rest = np.zeros(candidates.n_cases) if rest is None else np.array(rest, np.float64)
    if value.shape != candidates.label.shape:
        raise ValueError(f"value must have shape {candidates.label.shape}, got {value.shape}")
    if rest.shape != (candidates.n_cases,):
        raise ValueError(f"rest must have shape ({candidates.n_cases},), got {rest.shape}")
    sizes, size = np.unique(candidates.unmentioned, return_inverse=True)
    shares = np.where(np.arange(LARGEST) < sizes[:, None], 1 / np.maximum(sizes[:, None], 1), 0.0)
    draws = Draws(candidates, value[:, None], rest[:, None], shares[:, None, :], size.astype(np.int64))
    return PointPosterior(draws) if tie_rule == "split" else SampledPosterior(draws)


@njit(cache=True, nogil=True)
def _find_places(
    start: IntArray,
    value: FloatArray,
    rest: FloatArray,
    n_unmentioned: IntArray,
    found: IntArray,
    other: IntArray,
) -> None:
    """Fill in how many labels come before each candidate, and before an unmentioned label; how many tie."""
    for case in range(len(start) - 1):
        own = value[start[case] : start[case + 1]]
        m = n_unmentioned[case]
        n = len(own) + (1 if m > 0 else 0)
        every = np.empty(n)
        every[: len(own)] = own
        if m > 0:
            every[-1] = rest[case] / m
        order = np.argsort(-every)
        before = first = 0
        while first < n:
            last, tied = first, 0
            while last < n and every[order[last]] >= every[order[first]] * (1 - _EQUAL):
                tied += m if order[last] == len(own) else 1
                last += 1
            if last == first:  # not a number: the case is undefined
                break
            for place in range(first, last):
                if order[place] == len(own):
                    other[0, case], other[1, case] = before, tied
                else:
                    found[0, start[case] + order[place]] = before
                    found[1, start[case] + order[place]] = tied
            before += tied
            first = last
