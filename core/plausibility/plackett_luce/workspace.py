"""What the compiled Plackett–Luce sampler works on: weights, the case at hand, rates and times.

Tuples of arrays, which a compiled function that is inlined into its caller passes on at no cost.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from core.compiled import inlined, njit
from core.plausibility.plackett_luce.likelihood import LATTICE_LIMIT
from core.plausibility.plackett_luce.states import States
from core.study.model import FloatArray, IntArray

_HEAVY = 5.0
"""Weight of a tied block from which on its labels' rates are moved one by one too."""


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


class Chains(NamedTuple):
    """How many chains each case has, and how many sweeps each of them."""

    number: int
    warmup: int
    length: int


class Case(NamedTuple):
    """Where one case's labels, states and blocks stand in the arrays of all cases, and what it asks for.

    Attributes
    ----------
    number : int
        The case.
    label, last_label : int
        Slots of its labels, up to but without the second.
    state, last_state : int
        Its states.
    block, last_block : int
        Its tied blocks.
    rest_shape : float
        Gamma shape of the sum of its unmentioned rates, 0 where there are none.
    is_fractional : bool
        Whether a block's weight is not whole.
    is_large : bool
        Whether a block is too large for its subset lattice.
    has_large_fraction : bool
        Whether such a block's weight is not whole.
    tied : int
        Where its tied labels begin.
    n_heavy : int
        Number of tied labels, if a block is so heavy that it holds their rates together; else 0.
    """

    number: int
    label: int
    last_label: int
    state: int
    last_state: int
    block: int
    last_block: int
    rest_shape: float
    is_fractional: bool
    is_large: bool
    has_large_fraction: bool
    tied: int
    n_heavy: int


class Rates(NamedTuple):
    """Rates λ of all labels, and the sums over them that the likelihood asks for.

    Attributes
    ----------
    label : ndarray of float64 with shape (n_candidates,)
        Rate of each label.
    remaining : ndarray of float64 with shape (n_states,)
        Rate of all that is still to arrive in each state A, Λ − λ(A).
    orders : ndarray of float64 with shape (n_lattice,)
        For each subset of a tied block, the sum over the orders of the rest (see `ties.sum_orders`).
    unit : ndarray of float64 with shape (n_blocks,)
        The unit in which each block's sums are taken.
    """

    label: FloatArray
    remaining: FloatArray
    orders: FloatArray
    unit: FloatArray


class Arrivals(NamedTuple):
    """Times and orders of arrival, which the sampler draws beside the rates.

    Attributes
    ----------
    passes : ndarray of float64 with shape (n_states,)
        Weight of what arrives next after each state, the orders drawn for tied blocks included.
    time : ndarray of float64 with shape (n_states,)
        Time T that all which remains in a state waits for, beside the state's own.
    exposure : ndarray of float64 with shape (n_candidates,)
        Time for which each label has been about to arrive: the rate of its gamma distribution.
    copies : ndarray of int64 with shape (n_lattice,)
        How many copies of a block come through each subset.
    path : ndarray of int64 with shape (n_lattice,)
        States through which a block's fraction comes, from the block's first place on.
    """

    passes: FloatArray
    time: FloatArray
    exposure: FloatArray
    copies: IntArray
    path: IntArray


class Workspace(NamedTuple):
    """Rates now, rates on trial, arrivals, and constants of the gamma variates whose shapes stay as they are.

    The constants are those of the labels' shapes and of the states' passes without those of tied blocks, with
    shapes (n_candidates, 2) and (n_states, 2); unused where the shape is below 1.
    """

    rates: Rates
    trial: Rates
    arrivals: Arrivals
    label_constants: FloatArray
    pass_constants: FloatArray


def workspace(states: States, weights: Weights) -> Workspace:
    """Make room for the rates, times and orders of all cases, each of which has its own places."""
    n_states, n_lattice = len(states.passes), len(states.lattice)
    arrivals = Arrivals(
        np.empty(n_states),
        np.empty(n_states),
        np.empty(len(states.weight)),
        np.empty(n_lattice, np.int64),
        np.empty(n_lattice, np.int64),
    )
    constants = _constants(weights.shape), _constants(weights.passes)
    return Workspace(_empty_rates(states), _empty_rates(states), arrivals, *constants)


def _empty_rates(states: States) -> Rates:
    """Make room for rates and the sums over them."""
    return Rates(
        np.empty(len(states.weight)),
        np.empty(len(states.passes)),
        np.empty(len(states.lattice)),
        np.empty(len(states.block_weight)),
    )


def _constants(shape: FloatArray) -> FloatArray:
    """Constants of the gamma variates of fixed shapes, as `core.plausibility.random.gamma_constants`."""
    d = np.maximum(shape, 1.0) - 1.0 / 3.0
    return np.column_stack([d, 1.0 / np.sqrt(9.0 * d)])


@inlined
def copy_part(source: FloatArray, target: FloatArray, begin: int, end: int) -> None:
    """Copy the places ``begin`` to ``end`` − 1."""
    for i in range(begin, end):
        target[i] = source[i]


@njit(cache=True, nogil=True)
def case_at(number: int, label_start: IntArray, states: States, weights: Weights) -> Case:
    """Find one case's places, and what its blocks ask for."""
    block, last_block = states.block_start[number], states.block_start[number + 1]
    is_fractional = is_large = has_large_fraction = False
    heaviest = 0.0
    for b in range(block, last_block):
        large = states.tied_start[b + 1] - states.tied_start[b] > LATTICE_LIMIT
        is_fractional |= weights.fraction[b] > 0.0
        is_large |= large
        has_large_fraction |= large and weights.fraction[b] > 0.0
        heaviest = max(heaviest, weights.block[b])
    tied = states.tied_start[block]
    return Case(
        number,
        label_start[number],
        label_start[number + 1],
        states.start[number],
        states.start[number + 1],
        block,
        last_block,
        weights.rest_shape[number],
        is_fractional,
        is_large,
        has_large_fraction,
        tied,
        states.tied_start[last_block] - tied if heaviest >= _HEAVY else 0,
    )
