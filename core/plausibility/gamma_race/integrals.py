"""The integrals of the gamma race, one case at a time, over blocks of nodes of the common grid.

A Dirichlet vector is a vector of independent gammas g_k ~ Gamma(a_k) divided by their sum, which leaves their
order as it is. With f_k the density of log g_k and F_k its distribution function,

    P(k is among the j largest) = ∫ f_k(x) P(fewer than j of the others exceed x) dx,
    P(the j largest are exactly C) = ∫ Σ_{k∈C} f_k(x) ∏_{i∈C∖k} (1 − F_i(x)) ∏_{i∉C} F_i(x) dx.

Both integrands are smooth and vanish on either side, so that sums over equidistant nodes (the trapezoid rule)
converge geometrically; the densities in the table hold the step. How many of the labels exceed a node is a
Poisson-binomial count, built up label by label.
"""

from __future__ import annotations

import numpy as np

from core.compiled import njit
from core.plausibility.gamma_race.table import GammaTable
from core.study.model import FloatArray, IntArray

LOWEST = -(2**62)
"""Below every node, and its negative above."""

# A case is given as the places of its candidates' shapes in the table (−1 for no mass), the place of the
# shape that each of its m unmentioned labels has (−1 for none), and m. Counts have a row of zeros before that
# of count 0, so that one more label is added without a branch. Loops are written out, and short, because
# slices and array expressions take seconds to compile.


@njit(cache=True, nogil=True)
def _end(code: int, table: GammaTable) -> int:
    """Node behind the last of a shape's table."""
    return table.first[code] + table.offset[code + 1] - table.offset[code]


@njit(cache=True, nogil=True)
def _load(code: int, table: GammaTable, begin: int, local: FloatArray) -> None:
    """Copy F, 1 − F and the density of one shape at the nodes from ``begin`` on."""
    width = local.shape[1]
    from_ = min(max(table.first[code] - begin, 0), width)
    to = max(min(_end(code, table) - begin, width), from_)
    shift = table.offset[code] - table.first[code] + begin
    for x in range(width):
        if from_ <= x < to:
            local[0, x] = table.below[shift + x]
            local[1, x] = table.above[shift + x]
            local[2, x] = table.density[shift + x]
        else:
            local[0, x] = 0.0 if x < from_ else 1.0
            local[1, x] = 1.0 if x < from_ else 0.0
            local[2, x] = 0.0


@njit(cache=True, nogil=True)
def _add_label(source: FloatArray, target: FloatArray, local: FloatArray) -> None:
    """Let one more label exceed the nodes or not: target[c] = source[c]·F + source[c − 1]·(1 − F).

    Right for P(exactly c exceed) and for P(at most c exceed) alike; ``target`` may be ``source``.
    """
    for c in range(len(source) - 1, 0, -1):
        for x in range(local.shape[1]):
            target[c, x] = source[c, x] * local[0, x] + source[c - 1, x] * local[1, x]
    for x in range(local.shape[1]):
        target[0, x] = 0.0


@njit(cache=True, nogil=True)
def _add_equal_labels(count: int, code: int, table: GammaTable, begin: int, counts: FloatArray) -> None:
    """Start from ``count`` equal labels: P(exactly c of them exceed a node), binomial, by logarithms."""
    for c in range(len(counts)):
        for x in range(counts.shape[1]):
            counts[c, x] = 1.0 if c == 1 else 0.0
    if code < 0 or count == 0:
        return
    for x in range(counts.shape[1]):
        place = begin + x - table.first[code]
        if place < 0:
            counts[1, x] = 0.0
            if count + 1 < len(counts):
                counts[count + 1, x] = 1.0
        elif begin + x < _end(code, table):
            log_below = table.log_below[table.offset[code] + place]
            log_p = count * log_below
            counts[1, x] = np.exp(log_p)
            if len(counts) > 2:
                log_odds = np.log(table.above[table.offset[code] + place]) - log_below
                for c in range(1, min(count, len(counts) - 2) + 1):
                    log_p += np.log((count - c + 1) / c) + log_odds
                    counts[c + 1, x] = np.exp(log_p)


@njit(cache=True, nogil=True)
def _arrival(before: FloatArray, after: FloatArray, local: FloatArray) -> float:
    """Integrate a density against P(fewer than j of the labels on both sides exceed the node)."""
    total = 0.0
    for c in range(1, len(before)):
        for x in range(local.shape[1]):
            total += local[2, x] * before[c, x] * after[len(before) - c, x]
    return total


@njit(cache=True, nogil=True)
def _window(case: IntArray, equal: int, m: int, rank: int, table: GammaTable) -> tuple[int, int]:
    """Nodes between which a race can be decided: from the ``rank``-th largest first node to the largest last.

    Below, ``rank`` labels have all but surely yet to arrive.
    """
    largest = np.empty(rank, np.int64)
    for r in range(rank):
        largest[r] = LOWEST
    stop = LOWEST
    for k in range(len(case) + min(m, rank)):
        code = case[k] if k < len(case) else equal
        if code >= 0:
            stop = max(stop, _end(code, table))
            node = table.first[code]
            for r in range(rank):
                if node > largest[r]:
                    largest[r], node = node, largest[r]
    return largest[rank - 1], stop


@njit(cache=True, nogil=True)
def _next_arrival(case: IntArray, equal: int, table: GammaTable, begin: int) -> int:
    """First node from ``begin`` on at which any label may arrive."""
    nearest = -LOWEST
    for k in range(len(case) + 1):
        code = case[k] if k < len(case) else equal
        if code >= 0 and _end(code, table) > begin:
            nearest = min(nearest, max(table.first[code], begin))
    return nearest


@njit(cache=True, nogil=True)
def _with_mass(case: IntArray, equal: int, m: int) -> int:
    """Count the labels of positive mass."""
    count = m if equal >= 0 else 0
    for code in case:
        count += code >= 0
    return count


@njit(cache=True, nogil=True)
def _in_top(  # noqa: C901 - one loop, compiled as a whole
    case: IntArray,
    equal: int,
    m: int,
    table: GammaTable,
    before: FloatArray,
    after: FloatArray,
    local: FloatArray,
    arrives: FloatArray,
) -> float:
    """Fill ``arrives`` with P(candidate is among the j largest), and return it for one unmentioned label.

    The case must be sorted; the probabilities of equal shapes come out exactly equal. ``before``, ``after``
    and ``local`` are working memory with shapes (n_candidates + 1, j + 1, width), (j + 1, width) and
    (3, width): P(exactly c of the labels before k exceed the node) is in ``before[k, c + 1]``, P(at most c of
    those behind do) in ``after[c + 1]``.
    """
    n, j, width = len(case), len(after) - 1, after.shape[1]
    mass = _with_mass(case, equal, m)
    for k in range(n):
        arrives[k] = np.nan if mass == 0 else (1.0 if case[k] >= 0 and mass <= j else 0.0)
    if mass <= j:
        return np.nan if mass == 0 else (1.0 if equal >= 0 else 0.0)
    other = 0.0
    weightless = n
    while weightless > 0 and case[weightless - 1] >= 0:
        weightless -= 1
    begin, high = _window(case, equal, m, j, table)
    while begin < high:
        # Counts over the unmentioned labels and the candidates before k, for every k.
        _add_equal_labels(m, equal, table, begin, before[weightless])
        for k in range(weightless, n):
            _load(case[k], table, begin, local)
            _add_label(before[k], before[k + 1], local)
        # Backwards, the counts over the candidates behind k: both together leave out k alone.
        for c in range(j + 1):
            for x in range(width):
                after[c, x] = 0.0 if c == 0 else 1.0
        for k in range(n - 1, weightless - 1, -1):
            _load(case[k], table, begin, local)
            if k == n - 1 or case[k] != case[k + 1]:
                arrives[k] += _arrival(before[k], after, local)
            _add_label(after, after, local)
        # After all candidates, one unmentioned label against them and the m − 1 others.
        if equal >= 0:
            _add_equal_labels(m - 1, equal, table, begin, before[0])
            _load(equal, table, begin, local)
            other += _arrival(before[0], after, local)
        begin = _next_arrival(case, equal, table, begin + width)
    for k in range(n - 2, weightless - 1, -1):
        if case[k] == case[k + 1]:
            arrives[k] = arrives[k + 1]
    return other


@njit(cache=True, nogil=True)
def _top_set(  # noqa: C901, PLR0912 - one loop, compiled as a whole
    case: IntArray,
    inside: IntArray,
    equal: int,
    m: int,
    strangers: int,
    j: int,
    table: GammaTable,
    working: FloatArray,
) -> float:
    """P(the top-j set is exactly the candidates ``inside`` and ``strangers`` given unmentioned labels).

    ``reached`` is P(the whole set exceeds the node), ``decided`` minus its derivative: the last of the set
    arrives here; ``rest`` is P(every label outside the set stays below): ``working`` has shape (7, width).
    """
    mass = _with_mass(case, equal, m)
    size = strangers
    weightless = equal < 0 and strangers > 0
    for k in range(len(case)):
        size += inside[k]
        weightless |= inside[k] > 0 and case[k] < 0
    if mass == 0:
        return np.nan
    if weightless or size != min(mass, j):
        return 0.0
    if size == mass:
        return 1.0
    reached, decided, rest, local = working[0], working[1], working[2:4], working[4:7]
    width = working.shape[1]
    begin, high = _window(case, equal, m, size + 1, table)
    for k in range(len(case)):
        if inside[k]:
            high = min(high, _end(case[k], table))
    total = 0.0
    while begin < high:
        _add_equal_labels(m - strangers, equal, table, begin, rest)
        for x in range(width):
            reached[x], decided[x] = 1.0, 0.0
        for k in range(len(case) + strangers):
            code = case[k] if k < len(case) else equal
            if code < 0:
                continue
            _load(code, table, begin, local)
            if k < len(case) and not inside[k]:
                _add_label(rest, rest, local)
            else:  # product rule: −d/dx ∏ (1 − F_i), one factor more
                for x in range(width):
                    decided[x] = decided[x] * local[1, x] + reached[x] * local[2, x]
                    reached[x] *= local[1, x]
        for x in range(width):
            total += decided[x] * rest[1, x]
        begin = _next_arrival(case, equal, table, begin + width)
    return total


@njit(cache=True, nogil=True)
def fill_in_top(  # noqa: PLR0913, PLR0917 - compiled code takes arrays one by one
    start: IntArray,
    codes: IntArray,
    trait: IntArray,
    like: IntArray,
    table: GammaTable,
    before: FloatArray,
    after: FloatArray,
    local: FloatArray,
    candidate: FloatArray,
    other: FloatArray,
) -> None:
    """Fill in P(label is among the j largest) for every case that is the first of its like.

    ``codes`` are sorted within each case; ``trait`` holds equal and m; for the working memory see `_in_top`.
    """
    for i in range(len(like)):
        if like[i] == i:
            case, arrives = codes[start[i] : start[i + 1]], candidate[start[i] : start[i + 1]]
            other[i] = _in_top(case, trait[i, 0], trait[i, 1], table, before, after, local, arrives)


@njit(cache=True, nogil=True)
def fill_top_set(  # noqa: PLR0913, PLR0917 - compiled code takes arrays one by one
    start: IntArray,
    codes: IntArray,
    inside: IntArray,
    trait: IntArray,
    like: IntArray,
    j: int,
    table: GammaTable,
    answer: FloatArray,
    working: FloatArray,
) -> None:
    """Fill in P(the top-j set is the given one) for every case that is the first of its like.

    ``inside`` marks the set's candidates; ``trait`` holds equal, m and the number of unmentioned labels in
    the set; for the working memory see `_top_set`.
    """
    for i in range(len(like)):
        if like[i] == i:
            case, member = codes[start[i] : start[i + 1]], inside[start[i] : start[i + 1]]
            equal, m, strangers = trait[i, 0], trait[i, 1], trait[i, 2]
            answer[i] = _top_set(case, member, equal, m, strangers, j, table, working)
