"""Compiled counts over draws: which labels lead in each, and how often."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.compiled import njit
from core.study.model import FloatArray, IntArray

NO_LABEL = -(2**15)
"""Code of a leader where fewer labels have any mass."""

# The leaders of all draws of a case are found together, by insertion without branches: the innermost loops
# run over draws, and codes are kept as floats beside the values, so that they compile to vector instructions.


@njit(cache=True, nogil=True)
def _insert_below(
    v: FloatArray,
    entrant: float,
    above: FloatArray,
    here: FloatArray,
    code_above: FloatArray,
    code_here: FloatArray,
) -> None:
    """Insert one value a draw at one place: what it displaces comes down from the place above."""
    for d in range(len(v)):
        w, a, h, code_a, code_h = v[d], above[d], here[d], code_above[d], code_here[d]
        code = code_a if w > a else entrant
        code_here[d] = code if w > h else code_h
        displaced = min(w, a)
        here[d] = displaced if w > h else h


@njit(cache=True, nogil=True)
def _insert_first(v: FloatArray, entrant: float, here: FloatArray, code_here: FloatArray) -> None:
    """Insert one value a draw at the first place."""
    for d in range(len(v)):
        w, h, code_h = v[d], here[d], code_here[d]
        code_here[d] = entrant if w > h else code_h
        here[d] = w if w > h else h


@njit(cache=True, nogil=True)
def _insert(v: FloatArray, entrant: float, top: FloatArray, code: FloatArray) -> None:
    """Insert one value a draw into the descending ``top``, behind its equals, and its code likewise."""
    for i in range(len(top) - 1, 0, -1):
        _insert_below(v, entrant, top[i - 1], top[i], code[i - 1], code[i])
    _insert_first(v, entrant, top[0], code[0])


@njit(cache=True, nogil=True)
def find_leaders(  # noqa: PLR0913, PLR0917 - compiled code takes arrays one by one
    start: IntArray,
    value: FloatArray,
    rest: FloatArray,
    shares: FloatArray,
    size: IntArray,
    first_row: IntArray,
    row: IntArray,
    n_unmentioned: IntArray,
    leaders: IntArray,
) -> None:
    """Fill ``leaders``: candidates enter in label order, then the unmentioned labels, largest first."""
    n_cases, n_draws, j = leaders.shape
    n_rows = shares.shape[1]
    top = np.empty((j, n_draws))
    code = np.empty((j, n_draws))
    v = np.empty(n_draws)
    for case in range(n_cases):
        top[:] = 0.0
        code[:] = NO_LABEL
        for slot in range(start[case], start[case + 1]):
            for d in range(n_draws):
                v[d] = value[slot, d]
            _insert(v, np.float64(slot - start[case]), top, code)
        for u in range(min(j, n_unmentioned[case])):
            entering = 0
            for d in range(n_draws):
                place = first_row[case] + row[d]
                place -= n_rows * (place >= n_rows)  # both are below it, and a remainder is slow
                v[d] = np.float64(rest[case, d]) * shares[size[case], place, u]
                entering += v[d] > top[j - 1, d]
            if entering == 0:
                break
            _insert(v, np.float64(-1 - u), top, code)
        for i in range(j):
            for d in range(n_draws):
                leaders[case, d, i] = code[i, d]


@njit(cache=True, nogil=True)
def count_in_top(
    leaders: IntArray, j: int, start: IntArray, candidate: FloatArray, unmentioned: FloatArray
) -> None:
    """Count the draws that have each candidate, and the unmentioned labels, among their first j leaders."""
    for case in range(leaders.shape[0]):
        for d in range(leaders.shape[1]):
            for i in range(j):
                code = leaders[case, d, i]
                if code >= 0:
                    candidate[start[case] + code] += 1
                elif code != NO_LABEL:
                    unmentioned[case] += 1


@njit(cache=True, nogil=True)
def _choose(m: int, u: int) -> float:
    """Number of ways to choose u of m."""
    ways = 1.0
    for i in range(u):
        ways *= (m - i) / (i + 1)
    return ways


@njit(cache=True, nogil=True)
def _fingerprint(codes: IntArray, j: int) -> np.uint64:
    """Number that tells sets of j codes apart, whatever their order: the sum of the scrambled codes.

    Two of 1,000 different sets have the same 64 bits with a probability of 3 in 10¹⁴.
    """
    total = np.uint64(0)
    for i in range(j):
        word = np.uint64(codes[i]) * np.uint64(0x9E3779B97F4A7C15)
        word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        total += word ^ (word >> np.uint64(31))
    return total


@njit(cache=True, nogil=True)
def count_set(leaders: IntArray, cases: IntArray, codes: IntArray, hits: IntArray) -> None:
    """Count the draws of each row's case whose leaders are the row's codes, in any order."""
    n_rows, j = codes.shape
    for row in range(n_rows):
        wanted = _fingerprint(codes[row], j)
        for draw in range(leaders.shape[1]):
            hits[row] += _fingerprint(leaders[cases[row], draw], j) == wanted


@njit(cache=True, nogil=True)
def _write_set(leaders: IntArray, case: int, draw: int, own_labels: IntArray, labels: IntArray) -> None:
    """Write the top-j set of a draw as ascending label codes; unmentioned members are the first there are."""
    j = len(labels)
    filled = 0
    slot = 0
    next_label = 0
    for i in range(j):
        code = leaders[case, draw, i]
        if code == NO_LABEL:
            break
        if code >= 0:
            member = own_labels[code]
        else:
            while slot < len(own_labels) and own_labels[slot] == next_label:
                slot += 1
                next_label += 1
            member = next_label
            next_label += 1
        k = filled
        while k > 0 and labels[k - 1] > member:
            labels[k] = labels[k - 1]
            k -= 1
        labels[k] = member
        filled += 1
    for k in range(filled, j):
        labels[k] = -1


@njit(cache=True, nogil=True)
def _comes_first(labels: IntArray, others: IntArray) -> bool:
    """Whether ascending label codes come before others of the same length."""
    for i in range(len(labels)):
        if labels[i] != others[i]:
            return 0 <= labels[i] < others[i] or others[i] < 0
    return False


@njit(cache=True, nogil=True)
def _count_sets(
    leaders: IntArray, case: int, j: int, table: NDArray[np.uint64], place: IntArray, count: IntArray
) -> None:
    """Count the draws with each top-j set, at the first draw that has it; 0 at all others.

    ``table`` and ``place`` are the hash table: fingerprints, and the draw of each, −1 where it is free.
    """
    last = np.uint64(len(table) - 1)
    for at in range(len(place)):
        place[at] = -1
    for draw in range(leaders.shape[1]):
        count[draw] = 0
        fingerprint = _fingerprint(leaders[case, draw], j)
        spot = fingerprint & last
        while place[spot] >= 0 and table[spot] != fingerprint:
            spot = (spot + np.uint64(1)) & last
        if place[spot] < 0:
            place[spot] = draw
            table[spot] = fingerprint
        count[place[spot]] += 1


@njit(cache=True, nogil=True)
def find_modal_sets(
    leaders: IntArray, start: IntArray, label: IntArray, n_labels: int, best: IntArray
) -> None:
    """Fill in the most probable set of each case, its labels ascending, −1 as padding."""
    n_cases, n_draws, _ = leaders.shape
    j = best.shape[1]
    n_places = 2
    while n_places < 2 * n_draws:
        n_places *= 2
    table = np.empty(n_places, np.uint64)
    place = np.empty(n_places, np.int64)
    count = np.empty(n_draws, np.int64)
    rival = np.empty(j, np.int64)
    for case in range(n_cases):
        own_labels = label[start[case] : start[case + 1]]
        _count_sets(leaders, case, j, table, place, count)
        highest = 0.0
        for draw in range(n_draws):
            if count[draw] == 0 or count[draw] < highest:
                continue
            n_unmentioned = 0
            for i in range(j):
                n_unmentioned += NO_LABEL < leaders[case, draw, i] < 0
            frequency = count[draw] / _choose(n_labels - len(own_labels), n_unmentioned)
            if frequency < highest:
                continue
            _write_set(leaders, case, draw, own_labels, rival)
            if frequency > highest or _comes_first(rival, best[case]):
                highest = frequency
                for i in range(j):
                    best[case, i] = rival[i]


@njit(cache=True, nogil=True)
def count_precedes(value: FloatArray, first: IntArray, second: IntArray, probability: FloatArray) -> None:
    """Fill in the share of draws in which each first slot beats its second, ties counted half."""
    n_draws = value.shape[1]
    for p in range(len(first)):
        halves = 0
        for d in range(n_draws):
            a = value[first[p], d]
            b = value[second[p], d]
            halves += (a > b) + (a >= b)
        undefined = np.isnan(value[first[p], 0])
        probability[p] = np.nan if undefined else halves / (2 * n_draws)


@njit(cache=True, nogil=True)
def sum_groups(  # noqa: PLR0913, PLR0917 - compiled code takes arrays one by one
    cases: IntArray,
    start: IntArray,
    value: FloatArray,
    rest: FloatArray,
    parts: FloatArray,
    first_row: IntArray,
    row: IntArray,
    slot_group: IntArray,
    summed: FloatArray,
) -> None:
    """Fill in the sums by group of some cases: their parts of ``rest``, then their candidates."""
    n_groups, n_rows = parts.shape
    n_draws = len(row)
    for case in cases:
        for g in range(n_groups):
            for d in range(n_draws):
                place = first_row[case] + row[d]
                place -= n_rows * (place >= n_rows)
                summed[case * n_groups + g, d] = rest[case, d] * parts[g, place]
        for slot in range(start[case], start[case + 1]):
            for d in range(n_draws):
                summed[slot_group[slot], d] += value[slot, d]
