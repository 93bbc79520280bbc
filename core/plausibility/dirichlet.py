"""Dirichlet posteriors: label counts for choices, probabilistic IRN for differentials."""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.compiled import njit
from core.plausibility.candidates import Candidates, LabelValues, no_readings
from core.plausibility.draws import LARGEST, N_SHARES, Draws, first_rows
from core.plausibility.gamma_race.order_statistics import GammaRace
from core.plausibility.irn import Ties, irn_weights, sum_by_candidate
from core.plausibility.plackett_luce.shares import largest_shares
from core.plausibility.point import point_mass
from core.plausibility.posterior import Posterior, SampledPosterior
from core.plausibility.random import log_standard_gamma, seed_state
from core.plausibility.reading_weights import mean_weight, that_count
from core.plausibility.reductions import mean_frequency
from core.plausibility.settings import TieRule
from core.study.model import FloatArray, IntArray, Readings, freeze
from core.threads import in_ranges

SHARE_SEED = 0
"""The shares of unmentioned labels are the same whichever cases are drawn together."""

LARGEST_RELIABILITY = 1e12
"""Beyond, only infinity: at 1e12 rounding leaves sums of probabilities right within 1e-9."""

_DRAWS_AT_LEAST = 10_000
"""Fewer, of all cases together, are not worth a range of their own: they take two milliseconds."""

_FEW = 32
"""Up to so many labels of a case are sorted by insertion."""

_LOG_TINY = math.log(float(np.finfo(np.float32).tiny))
_SUBNORMAL = float(np.finfo(np.float32).smallest_subnormal)


class DirichletPosterior(Posterior):
    """Plausibilities that are Dirichlet, independently case by case; every answer is exact.

    Parameters
    ----------
    candidates : Candidates
        Of all cases; cases without any are undefined.
    shape : ndarray of float64 with shape (n_candidates,)
        Dirichlet parameter of each candidate, ≥ 0; a label of parameter 0 has no mass.
    other : float
        Dirichlet parameter of each single unmentioned label, ≥ 0.

    Notes
    -----
    Order statistics are those of a race of gammas with the same shapes
    (`core.plausibility.gamma_race.order_statistics`).

    Cases without a reading are undefined: `top_set`, `certainty` and everything `grouped` are NaN there and
    `best_set` is all padding. `mean` and `in_top` are those of the prior where ``other`` is positive, and NaN
    where no label has mass.
    """

    def __init__(self, candidates: Candidates, shape: FloatArray, other: float) -> None:
        self.candidates = candidates
        self.shape = freeze(np.asarray(shape, np.float64))
        self.other = float(other)
        self._race = GammaRace(candidates, self.shape, np.full(candidates.n_cases, self.other))
        self._in_top: dict[int, LabelValues] = {}

    @cached_property
    def _total(self) -> FloatArray:
        """Sum of the parameters of all labels of each case, NaN where no label has mass."""
        candidates = self.candidates
        mentioned = np.bincount(candidates.case, weights=self.shape, minlength=candidates.n_cases)
        total = mentioned + self.other * candidates.unmentioned
        return np.where(total > 0.0, total, np.nan)

    @cached_property
    def mean(self) -> LabelValues:
        """Expected plausibility: the parameters divided by their sum."""
        candidates = self.candidates
        other = np.where(candidates.unmentioned > 0, self.other, 0.0) / self._total
        return LabelValues(freeze(self.shape / self._total[candidates.case]), freeze(other))

    def in_top(self, j: int) -> LabelValues:
        """P(label is among the j largest), for every label."""
        if j not in self._in_top:
            values = self._race.in_top(j)
            freeze(values.candidate)
            freeze(values.other)
            self._in_top[j] = values
        return self._in_top[j]

    def top_set(self, labels: IntArray, cases: IntArray | None = None) -> FloatArray:
        """P(the top-j set is exactly the given set), with shape (n_rows,)."""
        if cases is not None and not np.array_equal(cases, np.arange(self.candidates.n_cases)):
            return self._taken(np.asarray(cases)).top_set(labels)
        return np.where(no_readings(self.candidates), np.nan, self._race.top_set(labels))

    def _taken(self, cases: IntArray) -> DirichletPosterior:
        """The posterior of some cases, in their order, any of them several times."""
        of = self.candidates
        count = of.per_case[cases]
        start = np.concatenate([[0], np.cumsum(count)]).astype(np.int64)
        slots = np.arange(start[-1]) + np.repeat(of.start[cases] - start[:-1], count)
        return DirichletPosterior(
            Candidates(start, of.label[slots], of.n_labels), self.shape[slots], self.other
        )

    def best_set(self, j: int) -> IntArray:
        """Most probable top-j set: the labels with the j largest parameters."""
        return np.where(no_readings(self.candidates)[:, None], -1, self._race.best_set(j))

    def precedes(self, first: IntArray, second: IntArray) -> FloatArray:
        """P(λ of slot ``first`` > λ of slot ``second``), with shape (n_pairs,)."""
        undefined = np.isnan(self._total[self.candidates.case[first]])
        return np.where(undefined, np.nan, self._race.precedes(first, second))

    def grouped(self, group: IntArray, n_groups: int) -> DirichletPosterior:
        """Distribution over sums of plausibility by group: Dirichlet again, of the sums of the parameters."""
        candidates = self.candidates
        group = np.asarray(group)
        if group.shape != (candidates.n_labels,):
            raise ValueError(f"group must have shape ({candidates.n_labels},), got {group.shape}")
        if group.min(initial=0) < 0 or group.max(initial=0) >= n_groups:
            raise ValueError(f"groups must be 0 to {n_groups - 1}, got {group.min()} to {group.max()}")
        n_cells = candidates.n_cases * n_groups
        cell = candidates.case * n_groups + group[candidates.label]
        mentioned = np.bincount(cell, minlength=n_cells).reshape(-1, n_groups)
        unmentioned = np.bincount(group, minlength=n_groups) - mentioned
        own = np.bincount(cell, weights=self.shape, minlength=n_cells).reshape(-1, n_groups)
        shape = own + self.other * unmentioned
        shape[no_readings(candidates)] = 0.0
        groups = Candidates(
            np.arange(candidates.n_cases + 1, dtype=np.int64) * n_groups,
            np.tile(np.arange(n_groups, dtype=np.int32), candidates.n_cases),
            n_groups,
        )
        return DirichletPosterior(groups, shape.reshape(-1), 0.0)

    def sample(self, n: int, seeds: NDArray[np.uint64]) -> SampledPosterior:
        """Joint draws of the plausibilities of all cases.

        Raises
        ------
        ValueError
            If ``n`` is below 1 or there is not one seed for each case.

        Notes
        -----
        Gammas are drawn and divided as logarithms. Plausibilities too small for a float32 keep their order in
        the smallest numbers that it has, so that they stay in a race for the second place.
        """
        candidates = self.candidates
        if n < 1:
            raise ValueError(f"n must be 1 or more, got {n}")
        if seeds.shape != (candidates.n_cases,):
            raise ValueError(f"seeds must have shape ({candidates.n_cases},), got {seeds.shape}")
        value = np.empty((len(self.shape), n), np.float32)
        rest = np.empty((candidates.n_cases, n), np.float32)
        rest_shape = self.other * candidates.unmentioned

        def draw(begin: int, end: int) -> None:
            _draw(begin, end, candidates.start, self.shape, rest_shape, seeds, value, rest)

        in_ranges(draw, candidates.n_cases, max(_DRAWS_AT_LEAST // n, 1))
        if self.other == 0.0:
            none = np.zeros((1, n, LARGEST))
            return SampledPosterior(Draws(candidates, value, rest, none, np.zeros(len(rest), np.int64)))
        sizes = np.flatnonzero(np.bincount(candidates.unmentioned))
        size = np.searchsorted(sizes, candidates.unmentioned)
        shares = largest_shares(sizes, self.other, max(n, N_SHARES), SHARE_SEED)
        return SampledPosterior(
            Draws(
                candidates,
                value,
                rest,
                shares,
                size,
                concentration=self.other,
                share_seed=SHARE_SEED,
                first_row=first_rows(seeds, shares.shape[1]),
            )
        )


def label_counts(
    readings: Readings,
    n_labels: int,
    *,
    gamma: float,
    alpha: float = 0.5,
    weight: FloatArray | None = None,
    tie_rule: TieRule = "split",
) -> Posterior:
    """Dirichlet posterior of the label frequencies of choices.

    Parameters
    ----------
    readings : Readings
        Choices: one label each.
    n_labels : int
        Number of labels of the task, K.
    gamma : float
        Reliability: how often each reading counts; above 0, at most `LARGEST_RELIABILITY`. At infinity, the
        observed frequencies.
    alpha : float
        Parameter of the prior for every label, finite and at least 0.
    weight : ndarray of float with shape (n_readings,), optional
        How much each reading counts, 0 or more; 1 by default. A reading of weight 0 is left out.
    tie_rule : {"split", "first label"}
        At infinite reliability, where ties are left: split, as the limit has it, or the first label in the
        study's order.

    Returns
    -------
    Posterior
        A `DirichletPosterior`, or a point mass at infinite reliability.

    Raises
    ------
    ValueError
        If ``gamma`` or ``alpha`` is out of range, or a reading does not have exactly one label.

    Notes
    -----
    λ ~ Dirichlet(γ·c + α), with c_y the number of readings that chose y (Stutz 2025, app. A), or the sum of
    their weights.
    """
    _check_parameters(gamma, alpha)
    entries = np.diff(readings.entry_start)
    if (entries != 1).any():
        odd = int(np.argmax(entries != 1))
        raise ValueError(f"every reading must have one label, got {entries[odd]} in reading {odd}")
    if math.isinf(gamma):
        return mean_frequency(readings, n_labels, weight=weight, tie_rule=tie_rule)
    if weight is not None:
        readings, weight = that_count(readings, weight)
        candidates, sums = sum_by_candidate(readings, n_labels, weight)
        return DirichletPosterior(candidates, gamma * sums + alpha, alpha)
    start, label, counts = count_choices(readings.case_start, readings.label, n_labels)
    return DirichletPosterior(Candidates(start, label, n_labels), gamma * counts + alpha, alpha)


def prirn(
    readings: Readings,
    n_labels: int,
    *,
    gamma: float,
    alpha: float = 0.0,
    ties: Ties = "split",
    weight: FloatArray | None = None,
    tie_rule: TieRule = "split",
) -> Posterior:
    """Probabilistic inverse rank normalisation: a Dirichlet around the IRN plausibilities.

    Parameters
    ----------
    readings : Readings
        Differentials (a choice is a differential of one label).
    n_labels : int
        Number of labels of the task, K.
    gamma : float
        Reliability: the sum of the Dirichlet's parameters, but for the prior's, however many readings there
        are; above 0, at most `LARGEST_RELIABILITY`. At infinity, IRN.
    alpha : float
        Parameter of the prior for every label, finite and at least 0.
    ties : {"split", "full"}
        Whether the labels of a tied block divide its weight equally or each get all of it.
    weight : ndarray of float with shape (n_readings,), optional
        How much each reading counts, 0 or more; 1 by default. A reading of weight 0 is left out.
    tie_rule : {"split", "first label"}
        At infinite reliability, where ties are left: split, as the limit has it, or the first label in the
        study's order.

    Returns
    -------
    Posterior
        A `DirichletPosterior`, or a point mass at infinite reliability.

    Raises
    ------
    ValueError
        If ``gamma`` or ``alpha`` is out of range, or ``ties`` or ``tie_rule`` is unknown.

    Notes
    -----
    λ ~ Dirichlet(γ·IRN + α) (Stutz 2025, sec. 2.3.2). With weights, readings enter IRN by them, and γ counts
    as often as their mean over all readings of the case says: equal weights w are γ·w.
    """
    _check_parameters(gamma, alpha)
    counted: FloatArray = np.ones(readings.n_cases)
    if weight is not None:
        counted = mean_weight(readings, weight)
        readings, weight = that_count(readings, weight)
    candidates, share = irn_weights(readings, n_labels, ties=ties, reading_weight=weight)
    if math.isinf(gamma):
        return point_mass(candidates, share, tie_rule=tie_rule)
    return DirichletPosterior(candidates, gamma * counted[candidates.case] * share + alpha, alpha)


def _check_parameters(gamma: float, alpha: float) -> None:
    """Raise ValueError where a parameter is out of range."""
    if not (0.0 < gamma <= LARGEST_RELIABILITY or gamma == math.inf):
        raise ValueError(
            f"gamma must be above 0 and at most {LARGEST_RELIABILITY:g}, or infinity, got {gamma}"
        )
    if not 0.0 <= alpha < math.inf:
        raise ValueError(f"alpha must be finite and at least 0, got {alpha}")


@njit(cache=True, nogil=True)
def count_choices(
    case_start: IntArray, chosen: IntArray, n_labels: int
) -> tuple[IntArray, IntArray, FloatArray]:
    """Collect the labels chosen for each case, ascending, and how often.

    Done in one pass because sorting the entries of ten million readings takes seconds.

    Parameters
    ----------
    case_start : ndarray of int64 with shape (n_cases + 1,)
        Readings of case ``i`` are ``case_start[i]:case_start[i + 1]``.
    chosen : ndarray of int with shape (n_readings,)
        Label code of each reading.
    n_labels : int
        Number of labels, K.

    Returns
    -------
    start : ndarray of int64 with shape (n_cases + 1,)
        Labels of case ``i`` are ``start[i]:start[i + 1]``.
    label : ndarray of int32 with shape (n_candidates,)
        Label codes.
    count : ndarray of float64 with shape (n_candidates,)
        How many readings chose each.
    """
    start = np.zeros(len(case_start), np.int64)
    label = np.empty(len(chosen), np.int32)
    count = np.empty(len(chosen), np.float64)
    tally = np.zeros(n_labels, np.int64)
    for i in range(len(case_start) - 1):
        begin = end = start[i]
        for entry in range(case_start[i], case_start[i + 1]):
            y = chosen[entry]
            tally[y] += 1
            if tally[y] == 1:
                place = end
                end += 1
                if end - begin <= _FEW:
                    while place > begin and label[place - 1] > y:
                        label[place] = label[place - 1]
                        place -= 1
                label[place] = y
        if end - begin > _FEW:
            label[begin:end] = np.sort(label[begin:end])
        for place in range(begin, end):
            count[place] = tally[label[place]]
            tally[label[place]] = 0
        start[i + 1] = end
    return start, label[: start[-1]].copy(), count[: start[-1]].copy()


@njit(cache=True, nogil=True)
def _draw(
    begin: int,
    end: int,
    start: IntArray,
    shape: FloatArray,
    rest_shape: FloatArray,
    seeds: NDArray[np.uint64],
    value: FloatArray,
    rest: FloatArray,
) -> None:
    """Draw the candidates and the rest of the cases ``begin`` to ``end`` − 1, each from its own stream."""
    for i in range(begin, end):
        state = seed_state(seeds[i], 0)
        a = np.append(shape[start[i] : start[i + 1]], rest_shape[i])
        if a.max() <= 0.0:
            value[start[i] : start[i + 1]] = np.nan
            rest[i] = 0.0
            continue
        log_g = np.full(len(a), -np.inf)
        for d in range(rest.shape[1]):
            for k in range(len(a)):
                if a[k] > 0.0:
                    log_g[k], state = log_standard_gamma(state, a[k])
            share = _normalised(log_g)
            for k in range(len(a) - 1):
                value[start[i] + k, d] = share[k]
            rest[i, d] = share[-1]


@njit(cache=True, nogil=True)
def _normalised(log_g: FloatArray) -> FloatArray:
    """Divide by the sum; what is too small for a float32 becomes 1, 2, … of its smallest steps, in order."""
    share = np.exp(log_g - log_g.max())
    total = share.sum()
    floor = log_g.max() + np.log(total) + _LOG_TINY
    for k in range(len(share)):
        if log_g[k] > floor or log_g[k] == -np.inf:
            share[k] /= total
        else:
            place = 1
            for one in log_g:
                place += -np.inf < one < log_g[k]
            share[k] = place * _SUBNORMAL
    return share
