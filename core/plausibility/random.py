"""Random numbers for compiled samplers, with a state of their own.

A stream's state is a tuple of four words (xoshiro256++, Blackman and Vigna 2021) seeded from one number by
splitmix64, so that a case's numbers depend on its seed alone and not on what else is drawn, or where. Every
function takes the state and returns the variate with the state that follows: a tuple stays in registers,
which makes a gamma variate three times as fast as with a state in an array. The short functions are inlined
into their callers: compiled code that calls them is to be compiled anew after a change here. Normal and
exponential variates use the ziggurat of Marsaglia and Tsang (2000) with 256 layers; gamma variates the
squeeze method of the same authors (A simple method for generating gamma variables, 2000).
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from core.compiled import njit
from core.study.model import FloatArray

RandomState = tuple[np.uint64, np.uint64, np.uint64, np.uint64]

_LAYERS = 256
_NORMAL_EDGE = 3.6541528853610088
_EXPONENTIAL_EDGE = 7.697117470131487


def _layers(
    edge: float, tail: float, density: Callable[[float], float], inverse: Callable[[float], float]
) -> tuple[FloatArray, FloatArray]:
    """Right edges of the ziggurat's layers, widest first, and the density there."""
    area = edge * density(edge) + tail
    right = [area / density(edge), edge]
    while len(right) < _LAYERS:
        right.append(inverse(density(right[-1]) + area / right[-1]))
    right.append(0.0)
    height = [density(x) for x in right]
    return np.array(right), np.array(height)


_NORMAL_RIGHT, _NORMAL_HEIGHT = _layers(
    _NORMAL_EDGE,
    math.sqrt(math.pi / 2) * math.erfc(_NORMAL_EDGE / math.sqrt(2)),
    lambda x: math.exp(-0.5 * x * x),
    lambda y: math.sqrt(-2 * math.log(y)),
)
_EXPONENTIAL_RIGHT, _EXPONENTIAL_HEIGHT = _layers(
    _EXPONENTIAL_EDGE, math.exp(-_EXPONENTIAL_EDGE), lambda x: math.exp(-x), lambda y: -math.log(y)
)

_ONE, _TWO, _THREE, _FOUR = np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4)
_WEYL = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_S11, _S17, _S19, _S23 = np.uint64(11), np.uint64(17), np.uint64(19), np.uint64(23)
_S27, _S30, _S31, _S41, _S45 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(41), np.uint64(45)
_LAYER_BITS = np.uint64(0xFF)
_SIGN_SHIFT = np.uint64(7)
_UNIT = 2.0**-53

_COUNTED = 20
"""Trials of a binomial variate that are counted one by one."""


@njit(cache=True, nogil=True)
def _mix(word: np.uint64) -> np.uint64:
    """Scramble one word (the output function of splitmix64)."""
    word = (word ^ (word >> _S30)) * _MIX_1
    word = (word ^ (word >> _S27)) * _MIX_2
    return word ^ (word >> _S31)


@njit(cache=True, nogil=True)
def seed_state(seed: np.uint64 | int, stream: int) -> RandomState:
    """Start a stream of random numbers.

    Parameters
    ----------
    seed : uint64
        Any number.
    stream : int
        Streams of one seed, such as the chains of one case, are independent of one another.

    Returns
    -------
    tuple of four uint64
        The state.
    """
    word = _mix(np.uint64(seed) + _mix((np.uint64(stream) + _ONE) * _WEYL))
    first, second = _mix(word + _WEYL), _mix(word + _TWO * _WEYL)
    return first, second, _mix(word + _THREE * _WEYL), _mix(word + _FOUR * _WEYL)


@njit(cache=True, nogil=True)
def _next_word(state: RandomState) -> tuple[np.uint64, RandomState]:
    """Draw 64 bits: one step of xoshiro256++."""
    s0, s1, s2, s3 = state
    total = s0 + s3
    word = ((total << _S23) | (total >> _S41)) + s0
    s2 ^= s0
    s3 ^= s1
    return word, (s0 ^ s3, s1 ^ s2, s2 ^ (s1 << _S17), (s3 << _S45) | (s3 >> _S19))


@njit(cache=True, nogil=True)
def uniform(state: RandomState) -> tuple[float, RandomState]:
    """Draw a number in [0, 1)."""
    word, state = _next_word(state)
    return (word >> _S11) * _UNIT, state


@njit(cache=True, nogil=True)
def standard_exponential(state: RandomState) -> tuple[float, RandomState]:
    """Draw from the exponential distribution of mean 1."""
    word, state = _next_word(state)
    layer = int(word & _LAYER_BITS)
    x = (word >> _S11) * _UNIT * _EXPONENTIAL_RIGHT[layer]
    if x < _EXPONENTIAL_RIGHT[layer + 1]:
        return x, state
    return _exponential_at_edge(state, layer, x)


@njit(cache=True, nogil=True)
def _exponential_at_edge(state: RandomState, layer: int, x: float) -> tuple[float, RandomState]:
    """Finish the one exponential draw in a hundred that falls beside its layer's sure part."""
    passed = 0.0
    while True:
        if layer == 0:  # the tail beyond the edge is again exponential
            passed += _EXPONENTIAL_EDGE
        else:
            low, high = _EXPONENTIAL_HEIGHT[layer], _EXPONENTIAL_HEIGHT[layer + 1]
            u, state = uniform(state)
            if low + u * (high - low) < math.exp(-x):
                return passed + x, state
        word, state = _next_word(state)
        layer = int(word & _LAYER_BITS)
        x = (word >> _S11) * _UNIT * _EXPONENTIAL_RIGHT[layer]
        if x < _EXPONENTIAL_RIGHT[layer + 1]:
            return passed + x, state


@njit(cache=True, nogil=True)
def standard_normal(state: RandomState) -> tuple[float, RandomState]:
    """Draw from the normal distribution of mean 0 and variance 1."""
    word, state = _next_word(state)
    layer = int(word & _LAYER_BITS)
    x = (word >> _S11) * _UNIT * _NORMAL_RIGHT[layer]
    if x >= _NORMAL_RIGHT[layer + 1]:
        x, state = _normal_at_edge(state, layer, x)
    sign = 1.0 - np.int64((word >> _SIGN_SHIFT) & _TWO)  # a branch would be mispredicted half of the time
    return x * sign, state


@njit(cache=True, nogil=True)
def _normal_at_edge(state: RandomState, layer: int, x: float) -> tuple[float, RandomState]:
    """Finish, up to its sign, the one normal draw in a hundred that falls beside its layer's sure part."""
    while True:
        if layer == 0:
            while True:
                beyond, state = standard_exponential(state)
                beyond /= _NORMAL_EDGE
                bound, state = standard_exponential(state)
                if 2.0 * bound >= beyond * beyond:
                    return _NORMAL_EDGE + beyond, state
        low, high = _NORMAL_HEIGHT[layer], _NORMAL_HEIGHT[layer + 1]
        u, state = uniform(state)
        if low + u * (high - low) < math.exp(-0.5 * x * x):
            return x, state
        word, state = _next_word(state)
        layer = int(word & _LAYER_BITS)
        x = (word >> _S11) * _UNIT * _NORMAL_RIGHT[layer]
        if x < _NORMAL_RIGHT[layer + 1]:
            return x, state


@njit(cache=True, nogil=True, error_model="numpy")
def gamma_constants(shape: float) -> tuple[float, float]:
    """Constants of `gamma_above_one`, to be kept where a shape is used again and again."""
    d = shape - 1.0 / 3.0
    return d, 1.0 / math.sqrt(9.0 * d)


@njit(cache=True, inline="always", nogil=True, error_model="numpy")
def gamma_above_one(state: RandomState, constants: tuple[float, float]) -> tuple[float, RandomState]:
    """Draw from Gamma(shape, 1) for a shape of at least 1, given its `gamma_constants`."""
    d, c = constants
    x, state = standard_normal(state)
    v = 1.0 + c * x
    v = v * v * v
    u, state = uniform(state)
    squared = x * x
    if v > 0.0 and u < 1.0 - 0.0331 * squared * squared:
        return d * v, state
    return _gamma_outside_squeeze(state, d, c, x, u)


@njit(cache=True, nogil=True, error_model="numpy")
def _gamma_outside_squeeze(
    state: RandomState, d: float, c: float, x: float, u: float
) -> tuple[float, RandomState]:
    """Finish the few gamma draws that the quick test does not accept."""
    while True:
        v = 1.0 + c * x
        if v > 0.0 and u > 0.0:
            v = v * v * v
            if math.log(u) < 0.5 * x * x + d * (1.0 - v + math.log(v)):
                return d * v, state
        x, state = standard_normal(state)
        u, state = uniform(state)


@njit(cache=True, nogil=True, error_model="numpy")
def standard_gamma(state: RandomState, shape: float) -> tuple[float, RandomState]:
    """Draw from Gamma(shape, 1) for a shape above 0.

    A small shape often gives numbers below the smallest that a float holds, which come out as 0;
    `log_standard_gamma` keeps them.
    """
    if shape == 1.0:
        return standard_exponential(state)
    if shape > 1.0:
        return gamma_above_one(state, gamma_constants(shape))
    x, state = log_standard_gamma(state, shape)
    return math.exp(x), state


@njit(cache=True, nogil=True, error_model="numpy")
def log_standard_gamma(state: RandomState, shape: float) -> tuple[float, RandomState]:
    """Draw the logarithm of a Gamma(shape, 1) variate, for any shape above 0.

    Notes
    -----
    Where the shape is below 1: G(a) = G(a + 1)·U^(1/a), and −log U is exponential.
    """
    if shape >= 1.0:
        x, state = gamma_above_one(state, gamma_constants(shape))
        return math.log(x), state
    x, state = gamma_above_one(state, gamma_constants(shape + 1.0))
    boost, state = standard_exponential(state)
    return math.log(x) - boost / shape, state


@njit(cache=True, nogil=True)
def binomial(state: RandomState, n: int, p: float) -> tuple[int, RandomState]:
    """Draw from Binomial(n, p), at a cost that grows with log n.

    Notes
    -----
    n uniform numbers are halved at their middle order statistic, a beta variate, until few are left
    (Ahrens and Dieter 1974).
    """
    successes = 0
    if n > _COUNTED:
        n, p, successes, state = _halve(state, n, p)
    for _ in range(n):
        u, state = uniform(state)
        successes += u < p
    return successes, state


@njit(cache=True, nogil=True, error_model="numpy")
def _halve(state: RandomState, n: int, p: float) -> tuple[int, float, int, RandomState]:
    """Place all but a few of n uniform numbers below or above p; return how many are left, and their p."""
    successes = 0
    while n > _COUNTED:
        middle = n // 2 + 1
        below, state = gamma_above_one(state, gamma_constants(float(middle)))
        above, state = gamma_above_one(state, gamma_constants(float(n + 1 - middle)))
        pivot = below / (below + above)
        if pivot <= p:
            successes += middle
            n -= middle
            p = (p - pivot) / (1.0 - pivot)
        else:
            n = middle - 1
            p /= pivot
    return n, p, successes, state
