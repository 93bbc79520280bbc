"""The one interface of every aggregation model: a distribution over plausibilities.

A plausibility λ is a probability vector over a case's labels. A posterior answers the same few questions for
all cases of a task at once, so that metrics never ask which model made it. Labels that nobody mentioned for
a case are exchangeable under every model here; they have no column of their own, and one number stands for
any single one of them. That keeps the cost independent of the number of labels.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import special

from core.plausibility import counting
from core.plausibility.candidates import Candidates, LabelValues, no_readings
from core.plausibility.draws import LARGEST, Draws, group_parts
from core.study.brief import number_of
from core.study.model import FloatArray, IntArray, freeze

NO_LABEL = counting.NO_LABEL
"""Code in `SampledPosterior.leaders` where fewer labels have any mass."""

_DECIMALS = 12
"""Group sums of a point mass are rounded so far that sums equal on paper are exact ties."""


class Posterior(ABC):
    """A distribution over plausibilities for every case of a task.

    The j largest plausibilities of a case are its top-j set. Where fewer than j labels have any mass, the
    set is all of them. A tie that a plausibility leaves is split: an answer is the mean over all ways of
    breaking it, unless the study's first label was asked for (`core.plausibility.settings.TieRule`).
    """

    candidates: Candidates

    def __repr__(self) -> str:
        of = self.candidates
        sizes = [number_of(of.n_cases, "case"), number_of(of.n_labels, "label")]
        return f"{type(self).__name__}({', '.join([*sizes, *self._details()])})"

    def _details(self) -> list[str]:
        """What else to say of it in a line."""
        return []

    @property
    @abstractmethod
    def mean(self) -> LabelValues:
        """Expected plausibility of every label; a case sums to 1, each unmentioned label counted."""

    @abstractmethod
    def in_top(self, j: int) -> LabelValues:
        """P(label is among the j largest), in [0, 1], for every label."""

    @abstractmethod
    def top_set(self, labels: IntArray, cases: IntArray | None = None) -> FloatArray:
        """P(the top-j set is exactly the given set), with shape (n_rows,).

        Parameters
        ----------
        labels : ndarray of int with shape (n_rows, j)
            Distinct label codes, mentioned or not; −1 pads a set of fewer than j labels.
        cases : ndarray of int with shape (n_rows,), optional
            The case that each row asks about; each case once, in order, if not given.
        """

    @abstractmethod
    def best_set(self, j: int) -> IntArray:
        """Most probable top-j set: label codes, shape (n_cases, j), most plausible first, −1 as padding."""

    @abstractmethod
    def precedes(self, first: IntArray, second: IntArray) -> FloatArray:
        """P(λ of slot ``first`` > λ of slot ``second``), for slots of the same case, with shape (n_pairs,).

        An exact tie counts one half.
        """

    @abstractmethod
    def grouped(self, group: IntArray, n_groups: int) -> Posterior:
        """Distribution over sums of plausibility by group of labels.

        Parameters
        ----------
        group : ndarray of int with shape (n_labels,)
            Group of each label, 0 … ``n_groups`` − 1.
        n_groups : int
            All groups become candidates of every case.
        """

    @abstractmethod
    def sample(self, n: int, seeds: NDArray[np.uint64]) -> SampledPosterior:
        """Joint draws of the plausibilities of all cases.

        Parameters
        ----------
        n : int
            Number of draws, the same for every case.
        seeds : ndarray of uint64 with shape (n_cases,)
            One for each case (`core.study.seeds.case_seeds`): a case's draws do not depend on which other
            cases are drawn with it.
        """

    @property
    def top1(self) -> LabelValues:
        """P(label is the arg max), for every label."""
        return self.in_top(1)

    @cached_property
    def undefined(self) -> NDArray[np.bool_]:
        """Whether nobody read the case, or its plausibility is undefined, with shape (n_cases,)."""
        found = no_readings(self.candidates)
        found[self.candidates.case[np.isnan(self.top1.candidate)]] = True
        return freeze(found)

    def certainty(self, j: int) -> FloatArray:
        """Top-j annotation certainty of every case: P(the most probable top-j set is the top-j set)."""
        return self.top_set(self.best_set(j))


class SampledPosterior(Posterior):
    """Answer every question by counting over stored draws.

    Parameters
    ----------
    draws : Draws
        Kept as the attribute ``draws``.

    Notes
    -----
    Labels without mass never enter a top-j set. The u-th largest unmentioned label of a draw is any of the m
    unmentioned labels with equal probability, so a single one is among the top j with probability E[U_j] / m,
    where U_j is the number of unmentioned labels there, and a set with u unmentioned members is the top-j set
    with probability P(its mentioned part is right and U_j = u) / C(m, u). An unmentioned label whose
    plausibility equals a mentioned one's comes after it, and equal plausibilities of one draw go to the label
    that comes first in the label order, which in draws of continuous variables has no influence.
    `core.plausibility.point` splits the ties of a point estimate.

    Labels that are ``alike`` have equal probabilities, and draws in which one of them leads a little more
    often show chance: `mean`, `in_top` and the certainty of a single label are averaged over them, which is
    unbiased and scatters less.

    Cases without a reading are undefined: `top_set`, `certainty` and everything `grouped` are NaN there and
    `best_set` is all padding. Where the prior gives such a case mass, `mean` and `in_top` are 1 / m and j / m
    for every label; where nothing has mass (a point mass) they are NaN.
    """

    def __init__(self, draws: Draws) -> None:
        self.draws = draws
        self.candidates = draws.candidates
        self._leaders = np.empty((0, 0, 0), np.int16)
        self._in_top: dict[int, LabelValues] = {}
        self._best_set: dict[int, IntArray] = {}

    def _details(self) -> list[str]:
        return [number_of(self.draws.n_draws, "draw")]

    @cached_property
    def undefined(self) -> NDArray[np.bool_]:
        """Whether nobody read the case, or its plausibility is undefined, with shape (n_cases,)."""
        undefined = no_readings(self.candidates)
        filled = np.flatnonzero(~undefined)
        undefined[filled] = np.isnan(self.draws.value[self.candidates.start[filled], 0])
        return freeze(undefined)

    @cached_property
    def _without_mass(self) -> NDArray[np.bool_]:
        """Whether an undefined case lacks even the mass of a prior, with shape (n_cases,)."""
        return self.undefined & ~(no_readings(self.candidates) & (self.draws.rest[:, 0] > 0))

    def _over_alike(self, candidate: FloatArray) -> FloatArray:
        """Average numbers of the candidates over those that are alike."""
        alike = self.draws.alike
        number = np.bincount(alike, minlength=len(alike))[alike]
        if (number == 1).all():
            return candidate
        total = np.bincount(alike, candidate, minlength=len(alike))[alike]
        return np.where(number == 1, candidate, total / np.maximum(number, 1))

    def _label_values(self, candidate: FloatArray, unmentioned: FloatArray) -> LabelValues:
        """Divide a case's total over its unmentioned labels among them; NaN where nothing has mass."""
        other = unmentioned / np.maximum(self.candidates.unmentioned, 1)
        other[self._without_mass] = np.nan
        return LabelValues(freeze(candidate), freeze(other))

    @cached_property
    def mean(self) -> LabelValues:
        """Average of the draws."""
        draws = self.draws
        return self._label_values(
            self._over_alike(draws.value.mean(axis=1, dtype=np.float64)),
            draws.rest.mean(axis=1, dtype=np.float64),
        )

    def leaders(self, j: int) -> IntArray:
        """Find the j leading labels of every draw.

        Parameters
        ----------
        j : int
            From 1 to `LARGEST`.

        Returns
        -------
        ndarray of int16 or int32 with shape (n_cases, n_draws, j)
            The largest plausibility first. A code c ≥ 0 is the candidate in slot
            ``candidates.start[case] + c``; −1 − u is the u-th largest unmentioned label (u = 0, 1, …: any of
            them, equally probable); and `NO_LABEL` stands where fewer than j labels have any mass.
            Read-only; computed once for the largest j so far.

        Raises
        ------
        ValueError
            If j is out of range.
        """
        return self._at_least(j)[:, :, :j]

    def _at_least(self, j: int) -> IntArray:
        """Leaders of every draw, j or more of them."""
        if not 1 <= j <= LARGEST:
            raise ValueError(f"j must be between 1 and {LARGEST}, got {j}")
        leaders = self._leaders  # kept apart, for another thread may replace the attribute
        if leaders.shape[2] < j:
            draws, candidates = self.draws, self.candidates
            most = int(candidates.per_case.max(initial=0))
            dtype = np.int16 if most <= np.iinfo(np.int16).max else np.int32
            leaders = np.empty((candidates.n_cases, draws.n_draws, j), dtype)
            counting.find_leaders(
                candidates.start,
                draws.value,
                draws.rest,
                draws.shares,
                draws.size,
                draws.first_row,
                draws.row,
                candidates.unmentioned,
                leaders,
            )
            self._leaders = freeze(leaders)
        return leaders

    def in_top(self, j: int) -> LabelValues:
        """Share of the draws in which the label is among the j largest."""
        if j not in self._in_top:
            leaders = self._at_least(j)
            candidate = np.zeros(len(self.candidates.label))
            unmentioned = np.zeros(self.candidates.n_cases)
            counting.count_in_top(leaders, j, self.candidates.start, candidate, unmentioned)
            shares = self._over_alike(candidate / self.draws.n_draws)
            shares[self.undefined[self.candidates.case]] = np.nan
            self._in_top[j] = self._label_values(shares, unmentioned / self.draws.n_draws)
        return self._in_top[j]

    def top_set(self, labels: IntArray, cases: IntArray | None = None) -> FloatArray:
        """Share of the draws whose top-j set is the given one (divided by C(m, u): see the class)."""
        candidates = self.candidates
        rows, slots = self._located(labels, cases)
        leaders = self._at_least(slots.shape[1])
        unmentioned = (slots < 0) & (np.asarray(labels) >= 0)
        codes = np.where(slots >= 0, slots - candidates.start[rows, None], NO_LABEL)
        codes[unmentioned] = -np.cumsum(unmentioned, axis=1, dtype=np.int64)[unmentioned]
        hits = np.zeros(len(rows), np.int64)
        counting.count_set(leaders, rows, codes, hits)
        ways = special.comb(candidates.unmentioned[rows], unmentioned.sum(axis=1))
        probability = hits / (ways * self.draws.n_draws)
        if slots.shape[1] == 1:
            named = slots[:, 0] >= 0
            probability[named] = self.in_top(1).candidate[slots[named, 0]]
        probability[self.undefined[rows]] = np.nan
        return probability

    def _located(self, labels: IntArray, cases: IntArray | None) -> tuple[IntArray, IntArray]:
        """Case of each row of labels and their slots, after checking shape and codes."""
        candidates, labels = self.candidates, np.asarray(labels)
        rows = np.arange(candidates.n_cases) if cases is None else np.asarray(cases)
        if labels.ndim != 2 or len(labels) != len(rows):
            raise ValueError(f"labels must have shape ({len(rows)}, j), got {labels.shape}")
        if labels.max(initial=-1) >= candidates.n_labels:
            raise ValueError(f"label codes must be below {candidates.n_labels}, got {labels.max()}")
        return rows, candidates.find(rows[:, None], labels)

    def best_set(self, j: int) -> IntArray:
        """Most frequent top-j set of the draws, ordered by mean plausibility.

        Of equally probable sets, the one that comes first when they are written in label order, padding last.
        Unmentioned members are the first unmentioned labels in the label order.
        """
        if j not in self._best_set:
            leaders = self._at_least(j)
            candidates = self.candidates
            labels = np.full((candidates.n_cases, j), -1, np.int64)
            counting.find_modal_sets(leaders, candidates.start, candidates.label, candidates.n_labels, labels)
            if j == 1:
                self._lead_alike(labels)
            labels[self.undefined] = -1
            plausibility = np.where(labels >= 0, self.mean.at(candidates.locate(labels)), -1.0)
            order = np.argsort(-plausibility, axis=1, kind="stable")
            self._best_set[j] = freeze(np.take_along_axis(labels, order, axis=1))
        return self._best_set[j]

    def _lead_alike(self, labels: IntArray) -> None:
        """Let the label lead that leads most often on average over those alike; of equals the first."""
        candidates, other = self.candidates, self.top1.other
        several = np.zeros(candidates.n_cases, np.bool_)
        several[candidates.case[self.draws.alike != np.arange(len(candidates.label))]] = True
        several &= ~self.undefined
        of_several = np.flatnonzero(several[candidates.case])
        case, leads = candidates.case[of_several], self.top1.candidate[of_several]
        most = np.zeros(candidates.n_cases)
        np.maximum.at(most, case, leads)
        first = np.flatnonzero(leads == most[case])[::-1]
        led = np.full(candidates.n_cases, -1, np.int64)
        led[case[first]] = candidates.label[of_several[first]]
        chosen = np.flatnonzero(several)
        chosen = chosen[most[chosen] > other[chosen]]
        labels[chosen, 0] = led[chosen]

    def precedes(self, first: IntArray, second: IntArray) -> FloatArray:
        """Share of the draws in which the first of two candidates is the larger; equal ones count half."""
        probability = np.empty(len(first))
        counting.count_precedes(self.draws.value, np.asarray(first), np.asarray(second), probability)
        return probability

    def grouped(self, group: IntArray, n_groups: int) -> SampledPosterior:
        """Draws of the sums of plausibility by group.

        Notes
        -----
        Each group takes the plausibility of its candidates and its part of ``rest``. Those parts are
        Dirichlet(concentration · number of the group's unmentioned labels), drawn once for every distinct
        vector of such numbers, with a seed that depends on it and on ``draws.share_seed`` alone, and taken by
        each case from its own row on. They are drawn anew, not summed from ``draws.shares``, which hold the
        largest few only.
        """
        draws, candidates = self.draws, self.candidates
        group = np.asarray(group)
        if group.shape != (candidates.n_labels,):
            raise ValueError(f"group must have shape ({candidates.n_labels},), got {group.shape}")
        if group.min(initial=0) < 0 or group.max(initial=0) >= n_groups:
            raise ValueError(f"groups must be 0 to {n_groups - 1}, got {group.min()} to {group.max()}")
        slot_group = candidates.case * n_groups + group[candidates.label]
        mentioned = np.bincount(slot_group, minlength=candidates.n_cases * n_groups)
        counts = np.bincount(group, minlength=n_groups) - mentioned.reshape(-1, n_groups)
        value = np.empty((candidates.n_cases * n_groups, draws.n_draws), draws.value.dtype)
        distinct, row, n_alike = np.unique(counts, axis=0, return_inverse=True, return_counts=True)
        alike = np.split(np.argsort(row.reshape(-1), kind="stable"), np.cumsum(n_alike)[:-1])
        for vector, cases in zip(distinct, alike, strict=False):
            parts = group_parts(vector, draws.concentration, draws.shares.shape[1], draws.share_seed)
            counting.sum_groups(
                cases,
                candidates.start,
                draws.value,
                draws.rest,
                parts,
                draws.first_row,
                draws.row,
                slot_group,
                value,
            )
        value.reshape(-1, n_groups, draws.n_draws)[self.undefined] = np.nan
        if draws.n_draws == 1:
            value = value.round(_DECIMALS)
        groups = Candidates(
            np.arange(candidates.n_cases + 1, dtype=np.int64) * n_groups,
            np.tile(np.arange(n_groups, dtype=np.int32), candidates.n_cases),
            n_groups,
        )
        return SampledPosterior(
            Draws(
                groups,
                value,
                rest=np.zeros_like(draws.rest),
                shares=np.zeros((1, draws.n_draws, LARGEST)),
                size=np.zeros(candidates.n_cases, np.int64),
                n_chains=draws.n_chains,
            )
        )

    def sample(self, n: int, seeds: NDArray[np.uint64]) -> SampledPosterior:  # noqa: ARG002
        """Take n of the stored draws, evenly spaced; with n above their number they come round again.

        Nothing is drawn, so ``seeds`` have no influence, and a point mass gives n equal draws.
        """
        if n < 1:
            raise ValueError(f"n must be 1 or more, got {n}")
        draws = self.draws
        if n == draws.n_draws:
            return self
        every = np.arange(n) * draws.n_draws // n if n < draws.n_draws else np.arange(n) % draws.n_draws
        whole_chains = n < draws.n_draws and n % draws.n_chains == 0
        return SampledPosterior(
            Draws(
                draws.candidates,
                np.take(draws.value, every, axis=1),
                np.take(draws.rest, every, axis=1),
                draws.shares,
                draws.size,
                n_chains=draws.n_chains if whole_chains else 1,
                concentration=draws.concentration,
                share_seed=draws.share_seed,
                first_row=draws.first_row,
                row=draws.row[every],
                alike=draws.alike,
            )
        )
