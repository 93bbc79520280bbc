"""Maximum likelihood plausibilities under Plackett–Luce."""

from __future__ import annotations

import math
import warnings
from functools import reduce
from operator import and_

import numpy as np
from numpy.typing import NDArray

from core.compiled import njit
from core.plausibility.candidates import candidates_of
from core.plausibility.plackett_luce.likelihood import (
    LATTICE_LIMIT,
    NEGLIGIBLE,
    growth,
    log_survivors,
    quadrature,
)
from core.plausibility.plackett_luce.states import (
    Differential,
    States,
    bits_of,
    differentials_of,
    states_of,
    weights_of,
)
from core.plausibility.plackett_luce.ties import gather, sum_orders, sum_remaining
from core.plausibility.point import point_mass
from core.plausibility.posterior import SampledPosterior
from core.plausibility.reading_weights import that_count
from core.plausibility.settings import TieRule
from core.study.model import FloatArray, IntArray, Readings


def plackett_luce_mle(
    readings: Readings,
    n_labels: int,
    *,
    tolerance: float = 1e-9,
    max_iterations: int = 10_000,
    weight: FloatArray | None = None,
    tie_rule: TieRule = "split",
) -> SampledPosterior:
    """Find the plausibilities under which the differentials are most probable.

    Parameters
    ----------
    readings : Readings
        Of a ranking or choice task. Labels that a reading does not mention rank below those that it does.
    n_labels : int
        Number of labels of the task, K.
    tolerance : float
        Iteration ends for a case when no rate changes by more than this, relatively.
    max_iterations : int
        Largest number of iterations for a case.
    weight : ndarray of float with shape (n_readings,), optional
        How much each reading counts, 0 or more; 1 by default. A reading of weight 0 is left out.
    tie_rule : {"split", "first label"}
        Labels of equal plausibility: split, or the first in the study's order.

    Returns
    -------
    SampledPosterior
        A point mass, the limit of the posterior as its reliability grows. Unmentioned labels have none; a
        case without readings has none at all.

    Warns
    -----
    UserWarning
        If the iterations ended before the tolerance was reached, with the number of such cases.

    Notes
    -----
    A label beats another if some reading has it in an earlier block. Let V be the smallest set of labels that
    nothing outside it beats. Shrinking all rates outside V together increases the likelihood, so the maximum
    gives them nothing. If V is not unique, each is one label that every reading ranks first, tied with the
    others: any division among them is most probable, and they share equally, which is the mean of the
    posterior's limit. Otherwise, within V, each label beats each other through some chain, the log-likelihood
    is concave in log λ (Gumbel noise, and Prékopa's theorem for ties), and the maximum is unique.

    It is found by minorise-maximise steps (Hunter 2004): λ_k ← n_k / (1 + Σ_{A∌k} T_A), where the time in a
    state A has its expectation W_A / (Λ − λ(A)), and tied blocks their expected passes through its states
    (or, for large blocks, their expected times) under the rates so far, as in an EM algorithm. As in
    `plackett_luce`, the empty set's factors are cancelled by a density of Λ.
    """
    if not tolerance > 0:
        raise ValueError(f"tolerance must be above 0, got {tolerance}")
    if max_iterations < 1:
        raise ValueError(f"max_iterations must be at least 1, got {max_iterations}")
    if weight is not None:
        readings, weight = that_count(readings, weight)
    candidates = candidates_of(readings, n_labels)
    differentials = []
    start = np.zeros(len(candidates.label))
    for case, blocks in enumerate(differentials_of(readings, candidates)):
        mass = _labels_with_mass(blocks)
        differentials.append([tuple(tied & mass for tied in reading if tied & mass) for reading in blocks])
        for bit in bits_of(mass):
            start[candidates.start[case] + bit] = 1 / mass.bit_count()
    all_closed = np.ones(candidates.n_cases, bool)
    states = states_of(differentials, candidates, all_closed, weights_of(readings, weight))
    value, converged = _maximise(states, candidates.start, start, tolerance, max_iterations)
    if not converged.all():
        warnings.warn(
            f"Plackett–Luce maximum likelihood: {np.sum(~converged)} of {len(converged)} cases did not reach "
            f"the tolerance {tolerance} in {max_iterations} iterations",
            stacklevel=2,
        )
    return point_mass(candidates, value, tie_rule=tie_rule)


def _labels_with_mass(differentials: list[Differential]) -> int:
    """Smallest set of labels that nothing outside it beats; all of them together, where there are several."""
    differentials = [blocks for blocks in differentials if blocks]
    if not differentials:
        return 0
    never_beaten = reduce(and_, (blocks[0] for blocks in differentials))
    if never_beaten:
        return never_beaten
    return min(
        (_superiors(1 << bit, differentials) for bit in bits_of(differentials[0][0])), key=int.bit_count
    )


def _superiors(labels: int, differentials: list[Differential]) -> int:
    """The labels with all that beat one of them, directly or through others."""
    known = 0
    while known != labels:
        known = labels
        for blocks in differentials:
            unplaced = labels
            above = 0
            for tied in blocks:
                if not unplaced:
                    break
                unplaced &= ~tied
                if unplaced:
                    above |= tied
            labels |= above
    return labels


@njit(cache=True, nogil=True, error_model="numpy")
def _maximise(  # noqa: C901, PLR0912 - one loop, compiled as a whole
    states: States, label_start: IntArray, initial: FloatArray, tolerance: float, max_iterations: int
) -> tuple[FloatArray, NDArray[np.bool_]]:
    """Iterate each case from its starting rates; return plausibilities and which cases converged."""
    start, following, member_start, member = (
        states.start,
        states.following,
        states.member_start,
        states.member,
    )
    tied_start, lattice_start, lattice = states.tied_start, states.lattice_start, states.lattice
    rate = initial.copy()
    exposure = np.empty(len(rate))
    remaining, passed, handed = np.empty(len(following)), np.empty(len(following)), np.empty(len(following))
    orders, counts = np.empty(len(lattice)), np.empty(len(lattice))
    converged = np.ones(len(label_start) - 1, np.bool_)
    for case in range(len(converged)):
        labels = range(label_start[case], label_start[case + 1])
        change = math.inf if states.weight[label_start[case] : label_start[case + 1]].any() else 0.0
        iteration = 0
        while change > tolerance and iteration < max_iterations:
            iteration += 1
            for k in labels:
                exposure[k] = 1.0
            sum_remaining(start[case], start[case + 1], states, rate, 0.0, remaining)
            for s in range(start[case], start[case + 1]):
                passed[s] = states.passes[s]
                handed[s] = 0.0
            for block in range(states.block_start[case], states.block_start[case + 1]):
                first = lattice_start[block]
                weight = states.block_weight[block]
                slots = states.tied[tied_start[block] : tied_start[block + 1]]
                if len(slots) <= LATTICE_LIMIT:
                    sum_orders(first, len(slots), lattice, remaining, orders)
                    _expect_passes(weight, first, len(slots), lattice, orders, counts, passed)
                else:
                    after = lattice[first]
                    handed[after] += _expect_times(
                        weight, gather(rate, slots), remaining[after], slots, exposure
                    )
            for s in range(start[case], start[case + 1]):
                time = handed[s] + passed[s] / remaining[s]
                for i in range(member_start[s], member_start[s + 1]):
                    exposure[member[i]] += time
                if following[s] >= 0:
                    handed[following[s]] += time
            change = 0.0
            for k in labels:
                if states.weight[k] > 0.0:
                    new = states.weight[k] / exposure[k]
                    change = max(change, abs(new / rate[k] - 1.0))
                    rate[k] = new
        converged[case] = change <= tolerance
        total = 0.0
        for k in labels:
            total += rate[k]
        for k in labels:
            rate[k] /= total
    return rate, converged


@njit(cache=True, nogil=True, error_model="numpy")
def _expect_passes(
    weight: float,
    first: int,
    size: int,
    lattice: IntArray,
    orders: FloatArray,
    counts: FloatArray,
    passed: FloatArray,
) -> None:
    """Add the expected passes of a block's readings through the states in which part of it has arrived."""
    full = (1 << size) - 1
    counts[first : first + full + 1] = 0.0
    counts[first] = weight
    for arrived in range(full):
        if arrived > 0:
            passed[lattice[first + arrived]] += counts[first + arrived]
        total = 0.0
        for k in range(size):
            if not arrived >> k & 1:
                total += orders[first + (arrived | 1 << k)]
        for k in range(size):
            if not arrived >> k & 1:
                larger = first + (arrived | 1 << k)
                counts[larger] += counts[first + arrived] * orders[larger] / total


@njit(cache=True, nogil=True, error_model="numpy")
def _expect_times(
    weight: float, rates: FloatArray, outside: float, slots: IntArray, exposure: FloatArray
) -> float:
    """Add the expected arrival times of a large block's labels; return those of the last of them.

    Notes
    -----
    Given the first arrival τ from outside, a label's expected time is 1/λ − τ/(e^{λτ} − 1). The last label
    arrives an exponential time of mean 1/Λ before τ. Expectations over τ are integrals as in `quadrature`.
    """
    mode, step = quadrature(rates, outside)
    peak = mode - outside * math.exp(mode) + log_survivors(rates, math.exp(mode))
    total = first = 0.0
    times = np.zeros(len(rates))
    for direction in (-1, 1):
        x = mode if direction > 0 else mode - step
        term = 1.0
        while term > NEGLIGIBLE * total:
            time = math.exp(x)
            term = math.exp(x - outside * time + log_survivors(rates, time) - peak)
            total += term
            first += term * time
            for i in range(len(rates)):
                y = rates[i] * time
                times[i] += term * time * (0.5 - y / 12.0 if y < 1e-4 else (1.0 - growth(y)) / y)
            x += direction * step
    for i in range(len(rates)):
        exposure[slots[i]] += weight * times[i] / total
    return weight * max(first / total - 1.0 / outside, 0.0)
