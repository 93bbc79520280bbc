"""Tied blocks under Plackett–Luce rates: sums over their orders, and draws for large ones.

A block's labels arrive in some order before everything outside. For up to ``LATTICE_LIMIT`` labels the orders
are summed, and drawn, down the lattice of subsets that have arrived; larger blocks are drawn through the time
of the first arrival from outside.
"""

from __future__ import annotations

import math

import numpy as np

from core.compiled import njit
from core.plausibility.plackett_luce.likelihood import LATTICE_LIMIT, log_arrival_first, log_survivors
from core.plausibility.plackett_luce.log_concave import draw_log_concave, log_concave_hat
from core.plausibility.plackett_luce.states import States
from core.plausibility.random import RandomState, uniform
from core.study.model import FloatArray, IntArray


@njit(cache=True, nogil=True, error_model="numpy")
def sum_remaining(
    begin: int, end: int, states: States, rate: FloatArray, outside: float, remaining: FloatArray
) -> None:
    """Fill the rate that remains, Λ − λ(A), in the states ``begin`` to ``end`` − 1 of a case."""
    following, member_start, member = states.following, states.member_start, states.member
    for s in range(end - 1, begin - 1, -1):  # large sets first
        total = outside if following[s] < 0 else remaining[following[s]]
        for i in range(member_start[s], member_start[s + 1]):
            total += rate[member[i]]
        remaining[s] = total


@njit(cache=True, nogil=True, error_model="numpy")
def sum_orders(first: int, size: int, lattice: IntArray, remaining: FloatArray, orders: FloatArray) -> float:
    """Fill, for each subset of a block, the sum over the orders of the rest of ∏ unit/remaining.

    The probability of an order is ∏ λ_k over the rates that remain in each state; the λ_k are the same for
    all orders of a block and left out, as is the state before the block. The unit, which keeps the numbers
    near 1, is returned. The block's part of the lattice begins at ``first``.
    """
    full = (1 << size) - 1
    unit = math.inf
    for k in range(size):
        unit = min(unit, remaining[lattice[first + (full ^ 1 << k)]])
    orders[first + full] = 1.0
    for arrived in range(full - 1, -1, -1):
        total = 0.0
        for k in range(size):
            if not arrived >> k & 1:
                total += orders[first + (arrived | 1 << k)]
        if arrived > 0:
            total *= unit / remaining[lattice[first + arrived]]
        orders[first + arrived] = total
    return unit


@njit(cache=True, nogil=True)
def gather(rate: FloatArray, slots: IntArray) -> FloatArray:
    """Copy the rates of some slots."""
    rates = np.empty(len(slots))
    for i in range(len(slots)):
        rates[i] = rate[slots[i]]
    return rates


@njit(cache=True, nogil=True, error_model="numpy")
def draw_large_block(
    state: RandomState,
    copies: int,
    fraction: float,
    rate: FloatArray,
    outside: float,
    slots: IntArray,
    exposure: FloatArray,
) -> tuple[float, float, RandomState]:
    """Draw the arrival times of each copy of a large block, and the first arrival outside for a fraction.

    Parameters
    ----------
    state : RandomState
        Random numbers.
    copies, fraction : int, float
        The block's weight.
    rate : ndarray of float64 with shape (n_candidates,)
        Rates by slot.
    outside : float
        Rate of all that is to arrive after the block, above 0.
    slots : ndarray of int64 with shape (n_tied,)
        The block's labels.
    exposure : ndarray of float64 with shape (n_candidates,)
        The labels' own times are added.

    Returns
    -------
    waited : float
        Time for which all that is outside has been waiting.
    first : float
        The fraction's first arrival from outside.
    state : RandomState
        The state that follows.
    """
    rates = gather(rate, slots)
    ones = np.ones(len(rates))
    hat = log_concave_hat(1.0, outside, ones, rates)
    waited = 0.0
    for _ in range(copies):
        x, state = draw_log_concave(state, hat, 1.0, outside, ones, rates)
        first = math.exp(x)
        last = 0.0
        for i in range(len(rates)):
            u, state = uniform(state)
            time = -math.log1p(u * math.expm1(-rates[i] * first)) / rates[i]
            exposure[slots[i]] += time
            last = max(last, time)
        waited += last
    x, state = draw_log_concave(state, hat, 1.0, outside, ones, rates)
    return waited + fraction * math.exp(x), math.exp(x), state


@njit(cache=True, nogil=True, error_model="numpy")
def log_large_fractions(
    states: States,
    case: int,
    fraction: FloatArray,
    rate: FloatArray,
    remaining: FloatArray,
    first_outside: FloatArray,
) -> float:
    """Logarithm of what the fractions of a case's large blocks have beyond their part in the proposal.

    Notes
    -----
    With P_τ = Λe^{−Λτ} ∏ (1 − e^{−λ_k τ}), the density of the first arrival τ from outside together with the
    block's arrival before it, R^f·P_τ/R = P_τ^f·(P_τ/R)^{1−f}. The proposal uses P_τ^f without its Λ^f, for
    which the rates would not be independent of one another.
    """
    total = 0.0
    for block in range(states.block_start[case], states.block_start[case + 1]):
        begin, end = states.tied_start[block], states.tied_start[block + 1]
        if fraction[block] > 0.0 and end - begin > LATTICE_LIMIT:
            outside = remaining[states.lattice[states.lattice_start[block]]]
            rates = gather(rate, states.tied[begin:end])
            time = first_outside[block]
            log_share = log_survivors(rates, time) - outside * time - log_arrival_first(rates, outside)
            total += math.log(outside) + (1.0 - fraction[block]) * log_share
    return total


@njit(cache=True, nogil=True, error_model="numpy")
def draw_rate_in_fractions(
    state: RandomState,
    slot: int,
    shape: float,
    exposure: float,
    states: States,
    case: int,
    fraction: FloatArray,
    first_outside: FloatArray,
) -> tuple[float, RandomState]:
    """Draw a label's rate from Gamma(shape, exposure) ∏ (1 − e^{−λτ})^f over fractions of large blocks."""
    powers = np.empty(states.block_start[case + 1] - states.block_start[case])
    times = np.empty(len(powers))
    n = 0
    for block in range(states.block_start[case], states.block_start[case + 1]):
        begin, end = states.tied_start[block], states.tied_start[block + 1]
        if fraction[block] == 0.0 or end - begin <= LATTICE_LIMIT:
            continue
        while end - begin > 1:  # slots of a block ascend
            middle = (begin + end) // 2
            if states.tied[middle] <= slot:
                begin = middle
            else:
                end = middle
        if states.tied[begin] == slot:
            powers[n] = fraction[block]
            times[n] = first_outside[block]
            n += 1
    hat = log_concave_hat(shape, exposure, powers[:n], times[:n])
    x, state = draw_log_concave(state, hat, shape, exposure, powers[:n], times[:n])
    return math.exp(x), state
