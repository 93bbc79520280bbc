"""Gibbs sampler of Plackett–Luce rates: one sweep at a time, case by case.

`core.plausibility.plackett_luce.posterior` says what is sampled and why it is right. A sweep takes a few
hundred nanoseconds, less than passing its arrays from function to function would: so its parts are compiled
into one function (`core.compiled.inlined`):

1. `moves.move_rates`: Metropolis steps on the posterior of the rates alone;
2. `arrivals.draw_orders`: orders of tied labels, given the rates;
3. `arrivals.draw_times`: times of arrival, given orders and rates;
4. `_draw_rates`: rates, given orders and times.

Compiled code is kept by file: after a change in one of these parts `sample_range` is to be compiled anew.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from core.compiled import inlined, njit, without_counting
from core.plausibility.plackett_luce.arrivals import draw_orders, draw_times
from core.plausibility.plackett_luce.likelihood import LATTICE_LIMIT
from core.plausibility.plackett_luce.moves import move_rates
from core.plausibility.plackett_luce.states import States
from core.plausibility.plackett_luce.ties import (
    draw_rate_in_fractions,
    log_large_fractions,
    sum_orders,
    sum_remaining,
)
from core.plausibility.plackett_luce.workspace import (
    Case,
    Chains,
    Rates,
    Weights,
    Workspace,
    case_at,
    copy_part,
    workspace,
)
from core.plausibility.random import (
    RandomState,
    gamma_above_one,
    seed_state,
    standard_exponential,
    standard_gamma,
)
from core.study.model import FloatArray, IntArray
from core.threads import in_ranges

_LEAST = 1e-100
"""Smallest rate: far below what a plausibility in single precision holds."""


_FEWEST = 4
"""Fewer cases, which take a third of a millisecond each, are not worth a range of their own."""


def sample_cases(
    states: States,
    label_start: IntArray,
    weights: Weights,
    seeds: NDArray[np.uint64],
    chains: Chains,
    value: FloatArray,
    rest: FloatArray,
    first_outside: FloatArray | None,
) -> None:
    """Fill the plausibilities of candidates and of all unmentioned labels, chain after chain, on all cores.

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
    chains : Chains
        Their number times their length is the number of draws.
    value : ndarray of float32 with shape (n_candidates, n_draws)
        Filled.
    rest : ndarray of float32 with shape (n_cases, n_draws)
        Filled.
    first_outside : ndarray of float64 with shape (n_blocks,) or None
        Working space; None where no block is large, which leaves a third of the code uncompiled.
    """
    work = workspace(states, weights)

    def sample(begin: int, end: int) -> None:
        sample_range(
            begin, end, states, label_start, weights, work, seeds, chains, value, rest, first_outside
        )

    in_ranges(sample, len(seeds), _FEWEST)


@njit(cache=True, nogil=True, error_model="numpy")
def sample_range(  # noqa: PLR0913, PLR0917 - compiled code takes arrays one by one
    begin: int,
    end: int,
    states: States,
    label_start: IntArray,
    weights: Weights,
    work: Workspace,
    seeds: NDArray[np.uint64],
    chains: Chains,
    value: FloatArray,
    rest: FloatArray,
    first_outside: FloatArray | None,
) -> None:
    """Fill the plausibilities of the cases ``begin`` to ``end`` − 1, as `sample_cases` those of all.

    Of the working space, too, a case touches its own places alone: ranges can be sampled at once.
    """
    for index in range(begin, end):
        case = case_at(index, label_start, states, weights)
        for chain in range(chains.number):
            random = seed_state(seeds[index], chain)
            first = chain * chains.length
            part = slice(first, first + chains.length)
            _sample_chain(
                random,
                case,
                states,
                weights,
                work,
                chains.warmup,
                value[:, part],
                rest[index, part],
                first_outside,
            )


@inlined
def _start(random: RandomState, case: Case, rate: FloatArray) -> tuple[float, RandomState]:
    """Draw every rate from Exponential(1), and return that of all unmentioned labels together."""
    for k in range(case.label, case.last_label):
        rate[k], random = standard_exponential(random)
    outside = 0.0
    if case.rest_shape > 0.0:
        outside, random = standard_exponential(random)
    return outside, random


@inlined
def _store_shares(case: Case, rate: FloatArray, outside: float, value: FloatArray, draw: int) -> float:
    """Store λ_k/Λ for each label; return S/Λ."""
    total = outside
    for k in range(case.label, case.last_label):
        total += rate[k]
    for k in range(case.label, case.last_label):
        value[k, draw] = rate[k] / total
    return outside / total


@without_counting
def _sample_chain(  # noqa: PLR0913, PLR0917 - compiled code takes arrays one by one
    random: RandomState,
    case: Case,
    states: States,
    weights: Weights,
    work: Workspace,
    warmup: int,
    value: FloatArray,
    rest: FloatArray,
    first_outside: FloatArray | None,
) -> None:
    """Fill the draws of one chain of a case; each sweep moves the rates once by each of the sampler's steps.

    Where a tied block's weight has a fraction f, the rates drawn in the last step are a proposal: it leaves
    out a factor of the joint density, by whose ratio, new to old, a Metropolis step accepts them.
    """
    rates, trial, arrivals = work.rates, work.trial, work.arrivals
    rate, path = rates.label, arrivals.path
    outside, random = _start(random, case, rate)
    # Without states nothing depends on the sweep before, and nothing is to be warmed up.
    for sweep in range(0 if case.state == case.last_state else -warmup, len(rest)):
        _sum_over_rates(case, states, weights.block, rate, outside, rates)
        outside, random = move_rates(random, sweep, case, states, weights, rates, trial, outside)
        random = draw_orders(random, case, states, weights, rates, arrivals, first_outside)
        waited, random = draw_times(
            random, case, states, weights, rates.remaining, work.pass_constants, arrivals
        )
        before, log_weight = outside, 0.0
        if case.is_fractional:
            copy_part(rate, trial.label, case.label, case.last_label)
            log_weight = _log_left_out(case, states, weights, rate, rates, path, first_outside)
        outside, random = _draw_rates(random, case, states, weights, work, waited, first_outside)
        if case.is_fractional:
            _sum_over_rates(case, states, weights.fraction, rate, outside, trial)
            log_weight -= _log_left_out(case, states, weights, rate, trial, path, first_outside)
            bound, random = standard_exponential(random)
            if bound < log_weight:
                outside = before
                copy_part(trial.label, rate, case.label, case.last_label)
        if sweep >= 0:
            rest[sweep] = _store_shares(case, rate, outside, value, sweep)


@inlined
def _sum_over_rates(
    case: Case, states: States, weight: FloatArray, rate: FloatArray, outside: float, sums: Rates
) -> None:
    """Fill what remains in each state and, for blocks of some weight that are not large, sums over orders."""
    sum_remaining(case.state, case.last_state, states, rate, outside, sums.remaining)
    lattice_start, lattice, tied_start = states.lattice_start, states.lattice, states.tied_start
    remaining, orders, unit = sums.remaining, sums.orders, sums.unit
    for block in range(case.block, case.last_block):
        size = tied_start[block + 1] - tied_start[block]
        if weight[block] > 0.0 and size <= LATTICE_LIMIT:
            unit[block] = sum_orders(lattice_start[block], size, lattice, remaining, orders)


@inlined
def _draw_rates(
    random: RandomState,
    case: Case,
    states: States,
    weights: Weights,
    work: Workspace,
    waited: float,
    first_outside: FloatArray | None,
) -> tuple[float, RandomState]:
    """Draw λ_k ~ Gamma(a + γ·n_k, 1 + Σ_{A∌k} T_A) and S ~ Gamma(a_S, 1 + Σ_A T_A), and return S.

    The shapes stand in ``weights``, the sums of times in the exposure and in ``waited``. Of a large block's
    fraction the factors 1 − e^{−λτ} to the power of it come in addition.
    """
    rate, exposures, constants = work.rates.label, work.arrivals.exposure, work.label_constants
    shapes, fraction = weights.shape, weights.fraction
    for k in range(case.label, case.last_label):
        shape, exposure = shapes[k], exposures[k]
        if first_outside is not None:
            if case.has_large_fraction:
                rate[k], random = draw_rate_in_fractions(
                    random, k, shape, exposure, states, case.number, fraction, first_outside
                )
                continue
        if shape >= 1.0:
            g, random = gamma_above_one(random, (constants[k, 0], constants[k, 1]))
            rate[k] = g / exposure
        else:
            g, random = standard_gamma(random, shape)
            rate[k] = max(g / exposure, _LEAST)
    outside = 0.0
    if case.rest_shape > 0.0:
        g, random = standard_gamma(random, case.rest_shape)
        outside = max(g / waited, _LEAST)
    return outside, random


@inlined
def _log_left_out(
    case: Case,
    states: States,
    weights: Weights,
    rate: FloatArray,
    sums: Rates,
    path: IntArray,
    first_outside: FloatArray | None,
) -> float:
    """Logarithm of the part of the joint density that `_draw_rates` leaves out: ∏ (P_σ/R)^(1 − f).

    The product is over blocks with a fraction f > 0, σ the order drawn for it: its ∏ λ_k cancels in P_σ/R.
    Of a large block the first arrival from outside takes the place of σ (see `ties.log_large_fractions`).
    """
    lattice_start, tied_start, fraction = states.lattice_start, states.tied_start, weights.fraction
    remaining, orders, unit = sums.remaining, sums.orders, sums.unit
    total = 0.0
    for block in range(case.block, case.last_block):
        first = lattice_start[block]
        size = tied_start[block + 1] - tied_start[block]
        if fraction[block] > 0.0 and size <= LATTICE_LIMIT:
            share = 1.0 / orders[first]
            for step in range(size - 1):
                share *= unit[block] / remaining[path[first + step]]
            total += (1.0 - fraction[block]) * math.log(share)
    if first_outside is not None:
        if case.has_large_fraction:
            total += log_large_fractions(states, case.number, fraction, rate, remaining, first_outside)
    return total
