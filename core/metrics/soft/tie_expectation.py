"""Expectations over all ways of breaking the ties of hard labels.

A tied case of m labels is positive with probability 1/m, independently of the others; the number of positives
is then a sum of binomials, one for each share.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from core.compiled import njit
from core.study.model import FloatArray


class Expected(NamedTuple):
    """Expectations that depend on how many cases there are of each class.

    Attributes
    ----------
    pair, positive : ndarray of float64 with shape (n_classes, n_classes)
        E[1 / (positives · negatives)] and E[1 / positives], given that a case of the first class is positive
        and one of the second negative.
    some, both : float
        P(some case is positive), and P(some is and some is not).
    """

    pair: FloatArray
    positive: FloatArray
    some: float
    both: float


_FAR = 9.0
"""Standard deviations beyond which a number of positives is left out: with less than 1e-17 (Bernstein)."""


@njit(cache=True, nogil=True)
def _binomial(n: int, q: float) -> tuple[int, FloatArray]:
    """P(k of n are positive) for all k that matter, and the first of them."""
    spread = _FAR * math.sqrt(n * q * (1.0 - q)) + _FAR**2 / 2.0
    first, last = max(0, math.floor(n * q - spread)), min(n, math.ceil(n * q + spread))
    chance = np.empty(last - first + 1)
    for k in range(first, last + 1):
        ways = math.lgamma(n + 1.0) - math.lgamma(k + 1.0) - math.lgamma(n - k + 1.0)
        chance[k - first] = math.exp(ways + k * math.log(q) + (n - k) * math.log(1.0 - q))
    return first, chance / chance.sum()


@njit(cache=True, nogil=True)
def _number_positive(number: FloatArray, shares: FloatArray) -> tuple[int, FloatArray]:
    """P(so many of the tied cases are positive), from the first number that matters on.

    Of many tied cases it is a few hundred numbers, and not all there are.
    """
    first, chance = 0, np.ones(1)
    for c in range(len(number)):
        q, n = shares[c], round(number[c])
        if not 0.0 < q < 1.0 or n <= 0:
            continue
        start, own = _binomial(n, q)
        both = np.zeros(len(chance) + len(own) - 1)
        for i in range(len(chance)):
            both[i : i + len(own)] += chance[i] * own
        first, chance = first + start, both
    return first, chance


@njit(cache=True, nogil=True)
def _leave_out(chance: FloatArray, q: float) -> FloatArray:
    """The same numbers where one case, positive with probability ``q``, is not counted.

    With N = S + B, P(N = k) = (1 − q) P(S = k) + q P(S = k − 1), solved from the end at which errors fade.
    """
    if not 0.0 < q < 1.0:
        return chance
    rest = np.zeros(len(chance) - 1)
    before = 0.0
    if q <= 0.5:
        for k in range(len(rest)):
            before = rest[k] = max(0.0, (chance[k] - q * before) / (1.0 - q))
    else:
        for k in range(len(rest), 0, -1):
            before = rest[k - 1] = max(0.0, (chance[k] - (1.0 - q) * before) / q)
    return rest


@njit(cache=True, nogil=True)
def _all_alike(number: FloatArray, shares: FloatArray) -> tuple[float, float]:
    """P(no tied case is positive), and P(all are)."""
    none = every = 1.0
    for c in range(len(number)):
        if 0.0 < shares[c] < 1.0:
            none *= (1.0 - shares[c]) ** number[c]
            every *= shares[c] ** number[c]
    return none, every


@njit(cache=True, nogil=True)
def expected_inverses(number: FloatArray, shares: FloatArray) -> Expected:
    """Take the expectations over all ways of breaking the ties.

    Parameters
    ----------
    number : ndarray of float64 with shape (n_classes,)
        Cases of each class, whole numbers.
    shares : ndarray of float64 with shape (n_classes,)
        P(a case of the class is positive), ascending from 0 to 1.
    """
    n_classes = len(number)
    n, certain = number.sum(), number[-1]
    pair = np.zeros((n_classes, n_classes))
    positive = np.zeros((n_classes, n_classes))
    none, every = _all_alike(number, shares)
    some = 0.0 if n == 0.0 else 1.0 - (none if certain == 0.0 else 0.0)
    both = some - (every if number[0] == 0.0 and n > 0.0 else 0.0)
    first, every_case = _number_positive(number, shares)
    for a in range(1, n_classes):
        if number[a] < 1.0:
            continue
        others = _leave_out(every_case, shares[a])
        for b in range(n_classes - 1):
            if number[a] - (a == b) < 1.0 or number[b] < 1.0:
                continue
            chance = _leave_out(others, shares[b])
            for k in range(len(chance)):
                x = certain - (a == n_classes - 1) + first + k
                pair[a, b] += chance[k] / ((1.0 + x) * (n - 1.0 - x))
                positive[a, b] += chance[k] / (1.0 + x)
    return Expected(pair, positive, some, both)
