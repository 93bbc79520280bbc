"""How alike the differentials of a case are, pair by pair: average overlap and the same first label."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.compiled import njit
from core.metrics.agreement.pairs import require_comparable
from core.plausibility.irn import block_sizes
from core.study.model import FloatArray, IntArray, Readings


@dataclass(frozen=True, eq=False)
class DifferentialAgreement:
    """Overlap of two differentials of the same case, averaged over pairs of readings.

    Attributes
    ----------
    overlap, top1 : ndarray of float64 with shape (n_cases,)
        Mean over the pairs of readings of a case, in [0, 1]; NaN for fewer than two readings.
    pair_overlap, pair_top1 : ndarray of float64 with shape (n_raters, n_raters)
        Mean over the common cases of two raters; NaN without common cases and on the diagonal.
    """

    overlap: FloatArray
    top1: FloatArray
    pair_overlap: FloatArray
    pair_top1: FloatArray


def differential_agreement(
    readings: Readings, n_labels: int, n_raters: int, *, length: int = 3
) -> DifferentialAgreement:
    """Compare the differentials of each case two by two.

    Parameters
    ----------
    readings : Readings
        Choices or differentials, one reading a rater and case.
    n_labels : int
        Number of labels of the task, K.
    n_raters : int
        Number of raters, at most `core.metrics.agreement.pairs.MOST_RATERS`.
    length : int
        Depth L of the average overlap; the number of labels where that is smaller.

    Returns
    -------
    DifferentialAgreement

    Raises
    ------
    ValueError
        If ``length`` is below 1, or for too many raters or pairs of readings.

    Notes
    -----
    ``overlap`` is the normalised average overlap of partial rankings, UAO(a, b) / √(UAO(a, a) UAO(b, b)) with
    UAO(a, b) = 1/L Σ_{k ≤ L} 1/k Σ_y P_a(y in first k) P_b(y in first k), where tied labels share the places
    of their block equally (Stutz 2025, app. C): 1 for equal differentials.
    ``top1`` is the probability that both put the same label first when ties are broken at random. With P_a(y,
    k) the probability that label y is among the first k of a, and U_a(k) that of any label that a does not
    name, Σ_y P_a P_b = Σ_{y named by both} (P_a − U_a)(P_b − U_b) + k U_a + k U_b − K U_a U_b.
    """
    if length < 1:
        raise ValueError(f"length must be 1 or more, got {length}")
    require_comparable(readings, n_raters)
    length = min(length, n_labels)
    named, unnamed = _presence(readings, n_labels, length)
    by_case, by_pair, n_common = _overlaps(
        readings.case_start,
        readings.rater,
        readings.entry_start,
        readings.label,
        named,
        unnamed,
        n_labels,
        n_raters,
    )
    n = readings.per_case.astype(np.float64)
    pairs = n * (n - 1) / 2
    undefined = np.full((2, len(pairs)), np.nan)
    per_case = np.divide(by_case, pairs, out=undefined, where=pairs > 0)
    np.fill_diagonal(n_common, 0)
    per_pair = np.divide(by_pair, n_common, out=np.full(by_pair.shape, np.nan), where=n_common > 0)
    return DifferentialAgreement(per_case[0], per_case[1], per_pair[0], per_pair[1])


def _presence(readings: Readings, n_labels: int, length: int) -> tuple[FloatArray, FloatArray]:
    """P(label among the first k) − U(k) of each entry, and U(k) of each reading, for k = 1 … length."""
    depth = np.arange(1, length + 1)
    size = block_sizes(readings)
    entry_reading = readings.entry_reading
    # Labels named before an entry's block: those that the reading names with a smaller block number.
    order = np.lexsort((readings.block, entry_reading))
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    key = entry_reading * (int(readings.block.max(initial=0)) + 1) + readings.block
    first = np.searchsorted(key[order], key)
    before = first - readings.entry_start[entry_reading]
    n_named = np.diff(readings.entry_start)
    named = np.clip((depth - before[:, None]) / size[:, None], 0, 1)
    unnamed = np.clip((depth - n_named[:, None]) / np.maximum(n_labels - n_named, 1)[:, None], 0, 1)
    return named - unnamed[entry_reading], unnamed


@njit(cache=True, nogil=True, error_model="numpy")
def _overlap(
    a: int,
    b: int,
    entry_start: IntArray,
    label: IntArray,
    named: FloatArray,
    unnamed: FloatArray,
    n_labels: int,
    shared: FloatArray,
) -> None:
    """Σ_y P_a(y, k) P_b(y, k) for each depth k, into ``shared``."""
    for k in range(len(shared)):
        u, v = unnamed[a, k], unnamed[b, k]
        shared[k] = (k + 1) * (u + v) - n_labels * u * v
    for e in range(entry_start[a], entry_start[a + 1]):
        for f in range(entry_start[b], entry_start[b + 1]):
            if label[e] == label[f]:
                for k in range(len(shared)):
                    shared[k] += named[e, k] * named[f, k]


@njit(cache=True, nogil=True, error_model="numpy")
def _overlaps(
    case_start: IntArray,
    rater: IntArray,
    entry_start: IntArray,
    label: IntArray,
    named: FloatArray,
    unnamed: FloatArray,
    n_labels: int,
    n_raters: int,
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Sums over pairs of normalised overlap (0) and same first label (1), by case and by raters."""
    length = unnamed.shape[1]
    shared = np.empty(length)
    own = np.empty(len(rater))
    for r in range(len(rater)):
        _overlap(r, r, entry_start, label, named, unnamed, n_labels, shared)
        own[r] = 0
        for k in range(length):
            own[r] += shared[k] / (k + 1)
    by_case = np.zeros((2, len(case_start) - 1))
    by_pair = np.zeros((2, n_raters, n_raters))
    n_common = np.zeros((n_raters, n_raters))
    for case in range(len(case_start) - 1):
        for a in range(case_start[case], case_start[case + 1]):
            for b in range(case_start[case], a):
                _overlap(a, b, entry_start, label, named, unnamed, n_labels, shared)
                total = 0.0
                for k in range(length):
                    total += shared[k] / (k + 1)
                total /= np.sqrt(own[a] * own[b])
                r, s = rater[a], rater[b]
                by_case[0, case] += total
                by_case[1, case] += shared[0]
                for x, y in ((r, s), (s, r)):
                    n_common[x, y] += 1
                    by_pair[0, x, y] += total
                    by_pair[1, x, y] += shared[0]
    return by_case, by_pair, n_common
