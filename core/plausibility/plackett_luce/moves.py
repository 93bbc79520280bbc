"""Metropolis steps on the exact posterior of Plackett–Luce rates, times and orders of arrival summed out.

Gibbs sampling alone walks slowly in three directions at a large reliability γ: the common scale of the rates
outside a state, the rate of one label of a tied block, and which of two tied labels has the larger rate. One
step goes along each of them. With the empty set's factors cancelled (see `posterior`) the logarithm of the
posterior is, up to a constant,

    Σ_k [(a_k − 1) log λ_k − λ_k] + (a_S − 1) log S − S − Σ_A γW_A log(Λ − λ(A)) + Σ_B w_B log R_B

with a_k the shape that prior and readings give label k, S the rate of all unmentioned labels, W_A the number
of readings that tell what arrives next after the set A, and R_B the sum over the orders of the tied block B,
which weighs w_B, without its factor ∏ λ_k, which the shapes hold.
"""

from __future__ import annotations

import math

from core.compiled import inlined
from core.plausibility.plackett_luce.states import States
from core.plausibility.plackett_luce.ties import sum_orders, sum_remaining
from core.plausibility.plackett_luce.workspace import Case, Rates, Weights, copy_part
from core.plausibility.random import RandomState, standard_exponential, standard_normal
from core.study.model import FloatArray, IntArray

_SCALE = 1.0
"""Standard deviation of the logarithm by which rates are scaled."""

_STATE, _LABEL, _PAIR = 0, 1, 2
"""What a step changes: all rates outside a state, one tied label's rate, or two tied labels' rates."""


@inlined
def move_rates(
    random: RandomState,
    sweep: int,
    case: Case,
    states: States,
    weights: Weights,
    rates: Rates,
    trial: Rates,
    outside: float,
) -> tuple[float, RandomState]:
    """Take the Metropolis steps with which a sweep begins.

    Parameters
    ----------
    random : RandomState
        Random numbers.
    sweep : int
        Number of the sweep: states, labels and pairs of labels take turns. Every other sweep scales a state.
    case : Case
        The case.
    states, weights : States, Weights
        Of all cases.
    rates : Rates
        The case's rates with their sums; moved.
    trial : Rates
        Working space.
    outside : float
        Rate of all unmentioned labels together.

    Returns
    -------
    outside : float
        The same after the steps.
    random : RandomState
        The state that follows.
    """
    if case.state == case.last_state or case.is_large:
        return outside, random
    rate, trial_rate, tied, shape = rates.label, trial.label, states.tied, weights.shape
    for step in range(_STATE, _PAIR + 1 if case.n_heavy > 0 else _LABEL):
        if step == _STATE and sweep % 2 != 0:
            continue
        copy_part(rate, trial_rate, case.label, case.last_label)
        factor = 1.0
        if step == _STATE:
            factor, log_ratio, random = _scale_outside(
                random, sweep, case, states, shape, rate, trial_rate, outside
            )
        elif step == _LABEL:
            label = tied[case.tied + sweep % case.n_heavy]
            log_ratio, random = _scale_label(random, label, shape, rate, trial_rate)
        else:
            log_ratio = _exchange(sweep, case, tied, shape, rate, trial_rate)
        log_ratio += _log_likelihood_ratio(case, states, weights, rates, trial, factor * outside)
        bound, random = standard_exponential(random)
        if bound > -log_ratio:
            outside *= factor
            _accept(case, states, rates, trial)
    return outside, random


@inlined
def _scale_outside(
    random: RandomState,
    sweep: int,
    case: Case,
    states: States,
    shape: FloatArray,
    rate: FloatArray,
    trial: FloatArray,
    outside: float,
) -> tuple[float, float, RandomState]:
    """Scale all rates outside one state, the unmentioned ones too, by a log-normal factor c.

    The labels outside are the members of the state and of all that follow it. Returned are c and the ratio of
    the gamma densities with the Jacobian, Σa·log c − (c − 1)·Σλ over what is scaled.
    """
    member_start, member, following = states.member_start, states.member, states.following
    z, random = standard_normal(random)
    factor = math.exp(_SCALE * z)
    power = case.rest_shape
    scaled = outside
    s = case.state + sweep // 2 % (case.last_state - case.state)
    while s >= 0:
        for i in range(member_start[s], member_start[s + 1]):
            k = member[i]
            trial[k] = factor * rate[k]
            power += shape[k]
            scaled += rate[k]
        s = following[s]
    return factor, power * _SCALE * z - (factor - 1.0) * scaled, random


@inlined
def _scale_label(
    random: RandomState, k: int, shape: FloatArray, rate: FloatArray, trial: FloatArray
) -> tuple[float, RandomState]:
    """Scale one label's rate by a log-normal factor; return the ratio of densities as `_scale_outside`."""
    z, random = standard_normal(random)
    factor = math.exp(_SCALE * z)
    trial[k] = factor * rate[k]
    return shape[k] * _SCALE * z - (factor - 1.0) * rate[k], random


@inlined
def _exchange(
    sweep: int, case: Case, tied: IntArray, shape: FloatArray, rate: FloatArray, trial: FloatArray
) -> float:
    """Exchange the rates of two tied labels; return the ratio of densities, where only λ^a differs."""
    n = case.n_heavy
    one = tied[case.tied + sweep % n]
    other = tied[case.tied + (sweep + 1 + sweep // n % (n - 1)) % n]
    trial[one] = rate[other]
    trial[other] = rate[one]
    return (shape[one] - shape[other]) * math.log(rate[other] / rate[one])


@inlined
def _log_likelihood_ratio(
    case: Case, states: States, weights: Weights, rates: Rates, trial: Rates, outside: float
) -> float:
    """Fill the sums over the trial's rates; return the change of −Σ_A γW_A log(Λ − λ(A)) + Σ_B w_B log R_B.

    The sums over orders are taken in units of their own, one for each arrival but the block's last, which the
    ratio puts back.
    """
    passes, block_weight = weights.passes, weights.block
    remaining, orders, unit = rates.remaining, rates.orders, rates.unit
    trial_remaining, trial_orders, trial_unit = trial.remaining, trial.orders, trial.unit
    lattice_start, lattice, tied_start = states.lattice_start, states.lattice, states.tied_start
    log_ratio = 0.0
    sum_remaining(case.state, case.last_state, states, trial.label, outside, trial_remaining)
    for s in range(case.state, case.last_state):
        if passes[s] > 0.0:
            log_ratio -= passes[s] * math.log(trial_remaining[s] / remaining[s])
    for block in range(case.block, case.last_block):
        first = lattice_start[block]
        size = tied_start[block + 1] - tied_start[block]
        trial_unit[block] = sum_orders(first, size, lattice, trial_remaining, trial_orders)
        log_orders = math.log(trial_orders[first] / orders[first])
        log_orders += (size - 1) * math.log(unit[block] / trial_unit[block])
        log_ratio += block_weight[block] * log_orders
    return log_ratio


@inlined
def _accept(case: Case, states: States, rates: Rates, trial: Rates) -> None:
    """Copy the trial's rates and sums of one case."""
    copy_part(trial.label, rates.label, case.label, case.last_label)
    copy_part(trial.remaining, rates.remaining, case.state, case.last_state)
    start = states.lattice_start
    copy_part(trial.orders, rates.orders, start[case.block], start[case.last_block])
    copy_part(trial.unit, rates.unit, case.block, case.last_block)
