"""Metrics against hard labels of which some are tied: their mean over all ways of breaking the ties.

A hard label is the label with most votes. Where m labels have equally many, the case is each of them with
probability 1/m, independently of the other cases: its share h of being positive is 0, 1/m or 1.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.compiled import inlined, njit
from core.metrics.soft.ranking import SortedScores, ranking_metrics
from core.metrics.soft.tie_expectation import expected_inverses
from core.plausibility.point import check_tie_rule
from core.plausibility.settings import TieRule
from core.study.model import FloatArray, IntArray

_EVEN = 1e-12
"""How far a share of divided votes may lie from one half and still be an even split, on paper."""


def hard_shares(plausibility: ArrayLike, *, tie_rule: TieRule = "split", first: bool = False) -> FloatArray:
    """Turn the votes for one of two labels into its share of the hard label.

    Parameters
    ----------
    plausibility : array of float
        Share of the votes for the label, in [0, 1], of any shape.
    tie_rule : {"split", "first label"}
        What an even split gives: one half, or the label that the study has first.
    first : bool
        Whether the label is that first one.

    Returns
    -------
    ndarray of float64
        Of the same shape: 1 with more than half of the votes, 0 with less, in between 1/2, 0 or 1.

    Raises
    ------
    ValueError
        For an unknown rule.
    """
    check_tie_rule(tie_rule)
    p = np.asarray(plausibility)
    even = 0.5 if tie_rule == "split" else float(first)
    return np.where(np.abs(p - 0.5) <= _EVEN, even, p > 0.5).astype(np.float64)


class PairSums(NamedTuple):
    """What ranking metrics need to know of scores: sums over ordered pairs of cases, class by class.

    Cases of one class are equally probable to be positive; the shapes have n_classes twice, the class of the
    positive first.

    Attributes
    ----------
    below : ndarray of float64 with shape (n_models, n_vectors, n_classes, n_classes)
        Pairs in which the negative scores lower, equal scores counted half.
    spoiled : ndarray of float64 with shape (n_models, n_vectors, n_classes, n_classes)
        Precision that the positives lose: pairs in which the negative scores as high or higher, each divided
        by the number of cases that do.
    number : ndarray of float64 with shape (n_models, n_vectors, n_classes)
        Cases of each class.
    """

    below: FloatArray
    spoiled: FloatArray
    number: FloatArray


def hard_ranking_metrics(
    scores: SortedScores, hard: FloatArray, *, weight: FloatArray | None = None
) -> tuple[FloatArray, FloatArray]:
    """AUROC and average precision against hard labels, their mean over all ways of breaking ties; exact.

    Parameters
    ----------
    scores : SortedScores
        Of n_models models.
    hard : ndarray of float with shape (n_vectors, n_cases) or (1, n_cases)
        P(case is positive), in [0, 1]; 0 and 1 but for tied cases.
    weight : ndarray of float with shape (n_vectors, n_cases) or (1, n_cases), optional
        How often each case was drawn, whole numbers; once if not given. A case drawn twice is two cases, each
        of which breaks its tie for itself.

    Returns
    -------
    auroc, ap : ndarray of float64 with shape (n_models, n_vectors)
        In [0, 1]; NaN where undefined however the ties break. The mean is over the ways of breaking them for
        which the metric is defined.

    Notes
    -----
    With independent B_i = 1 where case i is positive, P(B_i = 1) = h_i, n cases and κ_ij = 1 where i scores
    above j, 1/2 where equal:

    E AUROC = Σ_{i≠j} h_i (1 − h_j) κ_ij E[1 / ((1 + X)(n − 1 − X))] / P(0 < N < n),
    E AP = 1 − Σ_{i≠j} h_i (1 − h_j) [s_j ≥ s_i] / n_i · E[1 / (1 + X)] / P(N > 0),

    where N is the number of positives, X that among the cases other than i and j, and n_i the number of cases
    that score at least as high as i. The expectations depend on h_i and h_j alone and X is a sum of
    binomials, so that they are taken once for each pair of classes. To give a tied case the weight h as a
    positive and 1 − h as a negative, as soft metrics do, is the quotient of the means in place of the mean of
    the quotients: it differs in the order of 1/n.
    """
    hard = np.clip(hard, 0.0, 1.0).round(12)
    shares = np.unique(hard)
    if np.isin(shares, (0.0, 1.0)).all():
        return ranking_metrics(scores, hard, weight=weight)
    shares = np.unique(np.concatenate([[0.0, 1.0], shares]))
    sums = pair_sums(scores, np.searchsorted(shares, hard).astype(np.uint8), len(shares), weight)
    auroc, ap = np.full((2, *sums.number.shape[:2]), np.nan)
    _expect(*sums, shares, auroc, ap)
    return auroc, ap


@njit(cache=True, nogil=True)
def _expect(
    below: FloatArray,
    spoiled: FloatArray,
    number: FloatArray,
    shares: FloatArray,
    auroc: FloatArray,
    ap: FloatArray,
) -> None:
    """Weigh the sums over pairs; models that scored as many cases of each class share the weights."""
    n_models, n_vectors, n_classes = number.shape
    for v in range(n_vectors):
        expected = expected_inverses(number[0, v], shares)
        for m in range(n_models):
            if m > 0 and (number[m, v] != number[m - 1, v]).any():
                expected = expected_inverses(number[m, v], shares)
            area = loss = 0.0
            for a in range(1, n_classes):
                for b in range(n_classes - 1):
                    product = shares[a] * (1.0 - shares[b])
                    area += product * below[m, v, a, b] * expected.pair[a, b]
                    loss += product * spoiled[m, v, a, b] * expected.positive[a, b]
            if expected.both > 0.0:
                auroc[m, v] = area / expected.both
            if expected.some > 0.0:
                ap[m, v] = 1.0 - loss / expected.some


def pair_sums(
    scores: SortedScores, code: NDArray[np.uint8], n_classes: int, weight: FloatArray | None
) -> PairSums:
    """Sum over pairs of cases by their classes, given as codes with shape (n_vectors or 1, n_cases)."""
    n_models = len(scores.order)
    n_vectors = max(len(code), 0 if weight is None else len(weight))
    sums = PairSums(
        np.zeros((n_models, n_vectors, n_classes, n_classes)),
        np.zeros((n_models, n_vectors, n_classes, n_classes)),
        np.zeros((n_models, n_vectors, n_classes)),
    )
    times = np.ones((1, scores.order.shape[1])) if weight is None else np.asarray(weight, np.float64)
    _add_pairs(scores.order, scores.score, scores.n_scored, code, times, *sums)
    return sums


@njit(cache=True, nogil=True)
def _add_pairs(
    order: IntArray,
    score: FloatArray,
    n_scored: IntArray,
    code: NDArray[np.uint8],
    weight: FloatArray,
    below: FloatArray,
    spoiled: FloatArray,
    number: FloatArray,
) -> None:
    """Walk down each model's scores, closing a group where the score changes; most groups are one case."""
    n_classes = number.shape[2]
    group = np.zeros(n_classes)
    for m in range(len(order)):
        own = score[m]
        for v in range(number.shape[1]):
            codes = code[v if len(code) > 1 else 0]
            times = weight[v if len(weight) > 1 else 0]
            above, lower, loss = number[m, v], below[m, v], spoiled[m, v]
            total = 0.0
            at = n_scored[m] - 1
            while at >= 0:
                case = order[m, at]
                at -= 1
                if at < 0 or own[order[m, at]] != own[case]:
                    total += times[case]
                    if times[case] > 0.0:
                        _close_case(codes[case], times[case], total, above, lower, loss)
                    continue
                group[:] = 0.0
                group[codes[case]] = size = times[case]
                while at >= 0 and own[order[m, at]] == own[case]:
                    group[codes[order[m, at]]] += times[order[m, at]]
                    size += times[order[m, at]]
                    at -= 1
                total += size
                _close_group(group, total, above, lower, loss)


@inlined
def _close_case(
    c: int, size: float, total: float, above: FloatArray, lower: FloatArray, loss: FloatArray
) -> None:
    """Add the pairs of one case of class c, drawn ``size`` times, with all those above it."""
    n_classes = len(above)
    for b in range(1, n_classes):
        lower[b, c] += size * above[b]
    lower[c, c] += 0.5 * size * (size - 1.0)  # no case is a pair with itself
    if c > 0:
        per_negative = size / total
        for b in range(n_classes - 1):
            loss[c, b] += per_negative * above[b]
        loss[c, c] += per_negative * (size - 1.0)
    above[c] += size


@inlined
def _close_group(
    group: FloatArray, total: float, above: FloatArray, lower: FloatArray, loss: FloatArray
) -> None:
    """Add the pairs of a group of equal scores, with all those above it and, counted half, within it."""
    n_classes = len(above)
    for a in range(n_classes):
        if group[a] == 0.0:
            continue
        for b in range(n_classes):
            lower[b, a] += group[a] * (above[b] + 0.5 * group[b])
            loss[a, b] += group[a] * (above[b] + group[b]) / total
        lower[a, a] -= 0.5 * group[a]
        loss[a, a] -= group[a] / total
    for a in range(n_classes):
        above[a] += group[a]
