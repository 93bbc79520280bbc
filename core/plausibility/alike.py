"""Cases that are alike: what is worked out for the first of them holds for all."""

from __future__ import annotations

import numpy as np

from core.compiled import njit
from core.study.model import IntArray

_FEW = 32
"""Up to so many items of a case are sorted by insertion."""


@njit(cache=True, nogil=True)
def order_within(start: IntArray, items: IntArray) -> IntArray:
    """Order that sorts the items of each case, equal ones as they stand; with shape (n_items,).

    Parameters
    ----------
    start : ndarray of int64 with shape (n_cases + 1,)
        Items of case ``i`` are ``start[i]:start[i + 1]``, from 0 to the last.
    items : ndarray of int64 with shape (n_items,)
        Of all cases.
    """
    order = np.empty(len(items), np.int64)
    for i in range(len(start) - 1):
        begin, end = start[i], start[i + 1]
        if end - begin > _FEW:
            order[begin:end] = begin + np.argsort(items[begin:end], kind="mergesort")
            continue
        for k in range(begin, end):
            place = k
            while place > begin and items[order[place - 1]] > items[k]:
                order[place] = order[place - 1]
                place -= 1
            order[place] = k
    return order


@njit(cache=True, nogil=True)
def first_alike(start: IntArray, items: IntArray, trait: IntArray) -> IntArray:
    """Find the first case with the same items and traits, for every case, by hashing.

    Parameters
    ----------
    start, items : ndarray of int64
        As for `order_within`; items in another order are others.
    trait : ndarray of int64 with shape (n_cases, n_traits)
        Of each case.

    Returns
    -------
    ndarray of int64 with shape (n_cases,)
        The case itself where it is the first.
    """
    n_cases = len(start) - 1
    n_places = 4
    while n_places < 2 * n_cases:
        n_places *= 2
    place = np.full(n_places, -1, np.int64)
    like = np.empty(n_cases, np.int64)
    for i in range(n_cases):
        mixed = np.uint64(0)
        for k in range(trait.shape[1]):
            mixed = _mix(mixed, trait[i, k])
        for k in range(start[i], start[i + 1]):
            mixed = _mix(mixed, items[k])
        at = np.int64(mixed & np.uint64(n_places - 1))
        while place[at] >= 0 and not _alike(start, items, trait, place[at], i):
            at = (at + 1) & (n_places - 1)
        if place[at] < 0:
            place[at] = i
        like[i] = place[at]
    return like


@njit(cache=True, nogil=True)
def _mix(mixed: np.uint64, number: int) -> np.uint64:
    """Stir one more number into a hash."""
    mixed = (mixed ^ np.uint64(number)) * np.uint64(0x9E3779B97F4A7C15)
    return mixed ^ (mixed >> np.uint64(29))


@njit(cache=True, nogil=True)
def _alike(start: IntArray, items: IntArray, trait: IntArray, a: int, b: int) -> bool:
    """Whether two cases have the same items and traits."""
    length = start[a + 1] - start[a]
    same = length == start[b + 1] - start[b]
    for k in range(trait.shape[1]):
        same &= trait[a, k] == trait[b, k]
    if same:
        for k in range(length):
            same &= items[start[a] + k] == items[start[b] + k]
    return same
