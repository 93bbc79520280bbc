"""Times and orders of arrival given Plackett–Luce rates: the Gibbs steps that augment the data.

A reading says in which order labels arrived. Given the rates, the time T_A during which the labels A and no
others had arrived is exponential with the rate that remains, Λ − λ(A), for each reading that passes the set
A (Stutz 2025, app. B.1); arrivals after a reading's last label are censored (app. B.2). Times of readings
that pass the same set are summed before they are drawn: W_A readings, each counted γ times, give a gamma
variate of shape γW_A. Where labels are tied, the order in which they arrived is drawn first (eq. B.3).
"""

from __future__ import annotations

from core.compiled import inlined
from core.plausibility.plackett_luce.likelihood import LATTICE_LIMIT
from core.plausibility.plackett_luce.states import States
from core.plausibility.plackett_luce.ties import draw_large_block
from core.plausibility.plackett_luce.workspace import Arrivals, Case, Rates, Weights
from core.plausibility.random import RandomState, binomial, gamma_above_one, standard_gamma, uniform
from core.study.model import FloatArray, IntArray


@inlined
def draw_orders(
    random: RandomState,
    case: Case,
    states: States,
    weights: Weights,
    rates: Rates,
    arrivals: Arrivals,
    first_outside: FloatArray | None,
) -> RandomState:
    """Draw in which order the labels of each tied block arrived, for each copy of it and for its fraction.

    Parameters
    ----------
    random : RandomState
        Random numbers.
    case : Case
        The case.
    states, weights, rates : States, Weights, Rates
        Of all cases, with the sums over the case's rates.
    arrivals : Arrivals
        Filled: the exposure of each label to large blocks, on top of the prior's rate 1; the passes of each
        state with the orders drawn; the time waited for large blocks; the path of each fraction.
    first_outside : ndarray of float64 with shape (n_blocks,) or None
        Filled for large blocks with their fraction's first arrival τ from outside; None where none is large.

    Returns
    -------
    RandomState
        The state that follows.
    """
    passes, time, exposure = arrivals.passes, arrivals.time, arrivals.exposure
    lattice_start, lattice = states.lattice_start, states.lattice
    tied_start, tied = states.tied_start, states.tied
    copies, fraction = weights.copies, weights.fraction
    rate, remaining, orders = rates.label, rates.remaining, rates.orders
    known = weights.passes
    for k in range(case.label, case.last_label):
        exposure[k] = 1.0
    for s in range(case.state, case.last_state):
        passes[s] = known[s]
        time[s] = 0.0
    for block in range(case.block, case.last_block):
        first = lattice_start[block]
        begin, end = tied_start[block], tied_start[block + 1]
        if first_outside is not None:
            if end - begin > LATTICE_LIMIT:
                s = lattice[first]
                waited, first_outside[block], random = draw_large_block(
                    random, copies[block], fraction[block], rate, remaining[s], tied[begin:end], exposure
                )
                time[s] += waited
                continue
        random = _split_copies(random, first, end - begin, copies[block], lattice, orders, arrivals)
        if fraction[block] > 0.0:
            random = _draw_path(random, first, end - begin, fraction[block], lattice, orders, arrivals)
    return random


@inlined
def _split_copies(
    random: RandomState,
    first: int,
    size: int,
    copies: int,
    lattice: IntArray,
    orders: FloatArray,
    arrivals: Arrivals,
) -> RandomState:
    """Draw the orders of all copies of a block together, down the lattice of subsets that have arrived.

    Of the copies in which the subset C has arrived, those in which label k is next are multinomial with
    probabilities proportional to the sum of the orders from C ∪ k on (Stutz 2025, eq. B.3): binomial, one
    label after the other. Only how many copies pass each subset matters, for the times are drawn from that.
    """
    passes, passing = arrivals.passes, arrivals.copies
    full = (1 << size) - 1
    for arrived in range(1, full):
        passing[first + arrived] = 0
    passing[first] = copies
    for arrived in range(full):
        left = passing[first + arrived]
        if left == 0:
            continue
        if arrived > 0:
            passes[lattice[first + arrived]] += left
        missing = full ^ arrived
        if missing & (missing - 1) == 0:
            continue  # one label is left: no choice
        total = _orders_onward(arrived, first, size, orders)
        for k in range(size):
            if not arrived >> k & 1:
                larger = first + (arrived | 1 << k)
                part = left
                if orders[larger] < total:
                    part, random = binomial(random, left, orders[larger] / total)
                passing[larger] += part
                left -= part
                total -= orders[larger]
                if left == 0:
                    break
    return random


@inlined
def _draw_path(
    random: RandomState,
    first: int,
    size: int,
    fraction: float,
    lattice: IntArray,
    orders: FloatArray,
    arrivals: Arrivals,
) -> RandomState:
    """Draw one order σ of a block from P_σ/R, label by label; its fraction passes the states between."""
    passes, path = arrivals.passes, arrivals.path
    arrived = 0
    for step in range(size - 1):
        u, random = uniform(random)
        u *= _orders_onward(arrived, first, size, orders)
        choice = 0
        for k in range(size):
            if not arrived >> k & 1:
                choice = k
                u -= orders[first + (arrived | 1 << k)]
                if u < 0.0:
                    break
        arrived |= 1 << choice
        state = lattice[first + arrived]
        path[first + step] = state
        passes[state] += fraction
    return random


@inlined
def _orders_onward(arrived: int, first: int, size: int, orders: FloatArray) -> float:
    """Sum over the labels that may arrive next of the orders from there on."""
    total = 0.0
    for k in range(size):
        if not arrived >> k & 1:
            total += orders[first + (arrived | 1 << k)]
    return total


@inlined
def draw_times(
    random: RandomState,
    case: Case,
    states: States,
    weights: Weights,
    remaining: FloatArray,
    constants: FloatArray,
    arrivals: Arrivals,
) -> tuple[float, RandomState]:
    """Draw T_A ~ Gamma(passes of A, Λ − λ(A)) for each state A, and expose to it all labels outside A.

    Parameters
    ----------
    random : RandomState
        Random numbers.
    case : Case
        The case.
    states, weights : States, Weights
        Of all cases.
    remaining : ndarray of float64 with shape (n_states,)
        Rate that remains in each state, Λ − λ(A).
    constants : ndarray of float64 with shape (n_states, 2)
        Of gamma variates whose shapes are the passes without those of tied blocks.
    arrivals : Arrivals
        With the orders drawn. The times are handed on from each state to the larger one that follows it, and
        added to the exposure of the labels that are in the larger one only.

    Returns
    -------
    waited : float
        1 + Σ_A T_A: exposure of the unmentioned labels.
    random : RandomState
        The state that follows.
    """
    following, member_start, member = states.following, states.member_start, states.member
    passes, time, exposure, known = arrivals.passes, arrivals.time, arrivals.exposure, weights.passes
    waited = 1.0
    for s in range(case.state, case.last_state):
        spent = time[s]
        if passes[s] > 0.0:
            if passes[s] == known[s] and passes[s] >= 1.0:
                g, random = gamma_above_one(random, (constants[s, 0], constants[s, 1]))
            else:
                g, random = standard_gamma(random, passes[s])
            spent += g / remaining[s]
        for i in range(member_start[s], member_start[s + 1]):
            exposure[member[i]] += spent
        if following[s] < 0:
            waited += spent
        else:
            time[following[s]] += spent
    return waited, random
