"""Gibbs sampler of Plackett–Luce rates: one sweep at a time, case by case.

`core.plausibility.plackett_luce.posterior` says what is sampled and why it is right. A sweep takes a few
hundred nanoseconds, less than passing its arrays from function to function would: so it is one function.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.compiled import njit
from core.plausibility.plackett_luce.likelihood import LATTICE_LIMIT
from core.plausibility.plackett_luce.states import States
from core.plausibility.plackett_luce.ties import (
    draw_large_block,
    draw_rate_in_fractions,
    log_large_fractions,
    sum_orders,
    sum_remaining,
)
from core.plausibility.random import (
    binomial,
    gamma_above_one,
    gamma_constants,
    seed_state,
    standard_exponential,
    standard_gamma,
    standard_normal,
    uniform,
)
from core.study.model import FloatArray, IntArray

_SCALE = 1.0
"""Standard deviation of the logarithm by which the rates outside a state are scaled together."""

_HEAVY = 5.0
"""Weight of a tied block from which on its labels' rates are moved one by one too."""

_LEAST = 1e-100
"""Smallest rate: far below what a plausibility in single precision holds."""


class Weights(NamedTuple):
    """What readings and prior say, each reading counted γ times.

    Attributes
    ----------
    shape : ndarray of float64 with shape (n_candidates,)
        Gamma shape of each candidate's rate, without the fractions of large blocks.
    rest_shape : ndarray of float64 with shape (n_cases,)
        Of the sum of all unmentioned rates, 0 where there are none.
    passes : ndarray of float64 with shape (n_states,)
        Weight of what is known to arrive next after each state.
    block : ndarray of float64 with shape (n_blocks,)
        Weight of each tied block.
    copies : ndarray of int64 with shape (n_blocks,)
        Whole part of that weight.
    fraction : ndarray of float64 with shape (n_blocks,)
        The rest of it, in [0, 1).
    """

    shape: FloatArray
    rest_shape: FloatArray
    passes: FloatArray
    block: FloatArray
    copies: IntArray
    fraction: FloatArray


@njit(cache=True, nogil=True, error_model="numpy")
def sample_cases(
    states: States,
    label_start: IntArray,
    weights: Weights,
    seeds: NDArray[np.uint64],
    warmup: int,
    n_chains: int,
    value: FloatArray,
    rest: FloatArray,
    first_outside: FloatArray | None,
) -> None:
    """Fill the plausibilities of candidates and of all unmentioned labels, chain after chain.

    Parameters
    ----------
    states : States
        Of all cases.
    label_start : ndarray of int64 with shape (n_cases + 1,)
        Slots of each case.
    weights : Weights
        Of labels, states and blocks.
    seeds : ndarray of uint64 with shape (n_cases,)
        One for each case.
    warmup : int
        Sweeps left out at the start of each chain.
    n_chains : int
        Divides the number of draws.
    value : ndarray of float32 with shape (n_candidates, n_draws)
        Filled.
    rest : ndarray of float32 with shape (n_cases, n_draws)
        Filled.
    first_outside : ndarray of float64 with shape (n_blocks,) or None
        Working space; None where no block is large, which leaves a third of this function uncompiled.
    """
    shape, passes, fraction, copies = weights.shape, weights.passes, weights.fraction, weights.copies
    start, following = states.start, states.following
    member_start, member = states.member_start, states.member
    block_start, tied_start, tied = states.block_start, states.tied_start, states.tied
    lattice_start, lattice = states.lattice_start, states.lattice
    rate, trial, exposure = np.empty(len(shape)), np.empty(len(shape)), np.empty(len(shape))
    remaining, trial_remaining = np.empty(len(passes)), np.empty(len(passes))
    passed, handed = np.empty(len(passes)), np.empty(len(passes))
    orders, trial_orders = np.empty(len(lattice)), np.empty(len(lattice))
    counts, path = np.empty(len(lattice), np.int64), np.empty(len(lattice), np.int64)
    unit, trial_unit = np.empty(len(copies)), np.empty(len(copies))
    label_constants, pass_constants = _constants(shape), _constants(passes)
    length = value.shape[1] // n_chains
    for case in range(len(seeds)):
        labels = range(label_start[case], label_start[case + 1])
        blocks = range(block_start[case], block_start[case + 1])
        begin, end = start[case], start[case + 1]
        rest_shape = weights.rest_shape[case]
        fractional = large = large_fraction = False
        heaviest = 0.0
        for block in blocks:
            is_large = tied_start[block + 1] - tied_start[block] > LATTICE_LIMIT
            fractional |= fraction[block] > 0.0
            large |= is_large
            large_fraction |= is_large and fraction[block] > 0.0
            heaviest = max(heaviest, weights.block[block])
        heavy_start = tied_start[blocks.start]
        heavy = tied_start[blocks.stop] - heavy_start if heaviest >= _HEAVY else 0
        for chain in range(n_chains):
            random = seed_state(seeds[case], chain)
            for k in labels:
                rate[k], random = standard_exponential(random)
            outside = 0.0
            if rest_shape > 0.0:
                outside, random = standard_exponential(random)
            for sweep in range(0 if begin == end else -warmup, length):
                sum_remaining(begin, end, following, member_start, member, rate, outside, remaining)
                for block in blocks:
                    size = tied_start[block + 1] - tied_start[block]
                    if size <= LATTICE_LIMIT:
                        unit[block] = sum_orders(lattice_start[block], size, lattice, remaining, orders)

                # Metropolis steps on the exact posterior. Every other sweep scales all rates outside one
                # state, each state in turn. Heavy ties hold the rates of their labels together, though
                # which is larger is hardly known: there, one label's rate is scaled, and two are exchanged.
                for step in range(0 if begin < end and not large else 3, 3 if heavy > 0 else 1):
                    if step == 0 and sweep % 2 != 0:
                        continue
                    log_ratio = 0.0
                    factor = 1.0
                    for k in labels:
                        trial[k] = rate[k]
                    if step < 2:
                        z, random = standard_normal(random)
                        factor = math.exp(_SCALE * z)
                        power = scaled = 0.0
                        if step == 0:
                            power = rest_shape
                            scaled = outside
                            s = begin + sweep // 2 % (end - begin)
                            while s >= 0:
                                for i in range(member_start[s], member_start[s + 1]):
                                    trial[member[i]] = factor * rate[member[i]]
                                    power += shape[member[i]]
                                    scaled += rate[member[i]]
                                s = following[s]
                        else:
                            k = tied[heavy_start + sweep % heavy]
                            trial[k] = factor * rate[k]
                            power = shape[k]
                            scaled = rate[k]
                            factor = 1.0
                        log_ratio = power * _SCALE * z - (math.exp(_SCALE * z) - 1.0) * scaled
                    else:
                        one = tied[heavy_start + sweep % heavy]
                        other = tied[heavy_start + (sweep + 1 + sweep // heavy % (heavy - 1)) % heavy]
                        trial[one] = rate[other]
                        trial[other] = rate[one]
                        log_ratio = (shape[one] - shape[other]) * math.log(rate[other] / rate[one])
                    sum_remaining(
                        begin, end, following, member_start, member, trial, factor * outside, trial_remaining
                    )
                    for s in range(begin, end):
                        if passes[s] > 0.0:
                            log_ratio -= passes[s] * math.log(trial_remaining[s] / remaining[s])
                    for block in blocks:
                        i = lattice_start[block]
                        size = tied_start[block + 1] - tied_start[block]
                        trial_unit[block] = sum_orders(i, size, lattice, trial_remaining, trial_orders)
                        log_orders = math.log(trial_orders[i] / orders[i])
                        log_orders += (size - 1) * math.log(unit[block] / trial_unit[block])
                        log_ratio += weights.block[block] * log_orders
                    bound, random = standard_exponential(random)
                    if bound > -log_ratio:
                        outside *= factor
                        for k in labels:
                            rate[k] = trial[k]
                        for s in range(begin, end):
                            remaining[s] = trial_remaining[s]
                        for i in range(lattice_start[blocks.start], lattice_start[blocks.stop]):
                            orders[i] = trial_orders[i]
                        for block in blocks:
                            unit[block] = trial_unit[block]

                # Orders, or times, in which tied blocks arrived.
                for k in labels:
                    exposure[k] = 1.0
                for s in range(begin, end):
                    passed[s] = passes[s]
                    handed[s] = 0.0
                for block in blocks:
                    first = lattice_start[block]
                    size = tied_start[block + 1] - tied_start[block]
                    if first_outside is not None:
                        if size > LATTICE_LIMIT:
                            time, first_outside[block], random = draw_large_block(
                                random,
                                copies[block],
                                fraction[block],
                                rate,
                                remaining[lattice[first]],
                                states.tied[tied_start[block] : tied_start[block + 1]],
                                exposure,
                            )
                            handed[lattice[first]] += time
                            continue
                    full = (1 << size) - 1
                    for arrived in range(1, full):
                        counts[first + arrived] = 0
                    counts[first] = copies[block]
                    for arrived in range(full):
                        left = counts[first + arrived]
                        if left == 0:
                            continue
                        if arrived > 0:
                            passed[lattice[first + arrived]] += left
                        missing = full ^ arrived
                        if missing & (missing - 1) == 0:
                            continue  # one label is left: no choice
                        total = 0.0
                        for k in range(size):
                            if not arrived >> k & 1:
                                total += orders[first + (arrived | 1 << k)]
                        for k in range(size):
                            if not arrived >> k & 1:
                                larger = first + (arrived | 1 << k)
                                part = left
                                if orders[larger] < total:
                                    part, random = binomial(random, left, orders[larger] / total)
                                counts[larger] += part
                                left -= part
                                total -= orders[larger]
                                if left == 0:
                                    break
                    if fraction[block] > 0.0:
                        arrived = 0
                        for step in range(size - 1):
                            total = 0.0
                            for k in range(size):
                                if not arrived >> k & 1:
                                    total += orders[first + (arrived | 1 << k)]
                            u, random = uniform(random)
                            u *= total
                            choice = 0
                            for k in range(size):
                                if not arrived >> k & 1:
                                    choice = k
                                    u -= orders[first + (arrived | 1 << k)]
                                    if u < 0.0:
                                        break
                            arrived |= 1 << choice
                            path[first + step] = lattice[first + arrived]
                            passed[lattice[first + arrived]] += fraction[block]

                # Time in each state, added to the exposure of all labels that remain.
                waited = 1.0
                for s in range(begin, end):
                    time = handed[s]
                    if passed[s] > 0.0:
                        if passed[s] == passes[s] and passed[s] >= 1.0:
                            g, random = gamma_above_one(random, (pass_constants[s, 0], pass_constants[s, 1]))
                        else:
                            g, random = standard_gamma(random, passed[s])
                        time += g / remaining[s]
                    for i in range(member_start[s], member_start[s + 1]):
                        exposure[member[i]] += time
                    if following[s] < 0:
                        waited += time
                    else:
                        handed[following[s]] += time

                # Rates; where there are fractions of tied readings, a proposal.
                log_weight = 0.0
                before = outside
                if fractional:
                    for k in labels:
                        trial[k] = rate[k]
                    for block in blocks:
                        first = lattice_start[block]
                        size = tied_start[block + 1] - tied_start[block]
                        if fraction[block] > 0.0 and size <= LATTICE_LIMIT:
                            share = 1.0 / orders[first]
                            for step in range(size - 1):
                                share *= unit[block] / remaining[path[first + step]]
                            log_weight += (1.0 - fraction[block]) * math.log(share)
                    if first_outside is not None:
                        if large_fraction:
                            log_weight += log_large_fractions(
                                states, case, fraction, rate, remaining, first_outside
                            )
                for k in labels:
                    if first_outside is not None:
                        if large_fraction:
                            rate[k], random = draw_rate_in_fractions(
                                random, k, shape[k], exposure[k], states, case, fraction, first_outside
                            )
                            continue
                    if shape[k] >= 1.0:
                        g, random = gamma_above_one(random, (label_constants[k, 0], label_constants[k, 1]))
                        rate[k] = g / exposure[k]
                    else:
                        g, random = standard_gamma(random, shape[k])
                        rate[k] = max(g / exposure[k], _LEAST)
                if rest_shape > 0.0:
                    g, random = standard_gamma(random, rest_shape)
                    outside = max(g / waited, _LEAST)
                if fractional:
                    sum_remaining(begin, end, following, member_start, member, rate, outside, remaining)
                    for block in blocks:
                        first = lattice_start[block]
                        size = tied_start[block + 1] - tied_start[block]
                        if fraction[block] > 0.0 and size <= LATTICE_LIMIT:
                            trial_unit[block] = sum_orders(first, size, lattice, remaining, trial_orders)
                            share = 1.0 / trial_orders[first]
                            for step in range(size - 1):
                                share *= trial_unit[block] / remaining[path[first + step]]
                            log_weight -= (1.0 - fraction[block]) * math.log(share)
                    if first_outside is not None:
                        if large_fraction:
                            log_weight -= log_large_fractions(
                                states, case, fraction, rate, remaining, first_outside
                            )
                    bound, random = standard_exponential(random)
                    if bound < log_weight:
                        outside = before
                        for k in labels:
                            rate[k] = trial[k]

                if sweep >= 0:
                    total = outside
                    for k in labels:
                        total += rate[k]
                    draw = chain * length + sweep
                    rest[case, draw] = outside / total
                    for k in labels:
                        value[k, draw] = rate[k] / total


@njit(cache=True, nogil=True)
def _constants(shape: FloatArray) -> FloatArray:
    """Constants of the gamma variates of fixed shapes, with shape (n, 2); unused where below 1."""
    constants = np.empty((len(shape), 2))
    for i in range(len(shape)):
        constants[i, 0], constants[i, 1] = gamma_constants(max(shape[i], 1.0))
    return constants
