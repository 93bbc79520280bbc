"""Raters two by two, from how often each pair of labels was given: sums over the cases of all parts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.compiled import njit
from core.metrics.agreement.chance import ratio
from core.metrics.agreement.pairs import PairAgreement
from core.study.model import FloatArray, IntArray, Readings

MOST_CELLS = 5 * 10**7
"""Pairs of raters times pairs of labels that are counted."""


def are_too_many(n_raters: int, n_labels: int) -> bool:
    """Whether pairs of raters and of labels are more than are counted."""
    return n_raters**2 * n_labels**2 > MOST_CELLS


def count_pairs(readings: Readings, n_labels: int, n_raters: int) -> IntArray:
    """Count how often two raters gave two labels to the same case.

    Parameters
    ----------
    readings : Readings
        One label each, one a rater and case, in the order of raters.
    n_labels, n_raters : int
        Few enough for `are_too_many`.

    Returns
    -------
    ndarray of int32 with shape (n_raters, n_raters, n_labels, n_labels)
        Cases to which the first rater gives the first label and the second the other; 0 unless the first
        rater comes before the second.
    """
    shape = (n_raters, n_raters, n_labels, n_labels)
    found = np.zeros(shape, np.int32)
    _count(readings.case_start, readings.rater, readings.label, found)
    return found


@njit(cache=True, nogil=True)
def _count(case_start: IntArray, rater: IntArray, label: IntArray, found: IntArray) -> None:
    for case in range(len(case_start) - 1):
        for second in range(case_start[case], case_start[case + 1]):
            for first in range(case_start[case], second):
                found[rater[first], rater[second], label[first], label[second]] += 1


@dataclass(frozen=True, eq=False)
class PairMatrices:
    """Agreement of every two raters; all but ``given`` as `core.metrics.agreement.pairs.PairAgreement`.

    Attributes
    ----------
    given : ndarray of float64 with shape (n_raters, n_raters, n_labels)
        How often the first gives each label to a case that both read.
    chance : ndarray of float64 with shape (n_raters, n_raters)
        Agreement by chance.
    """

    n_common: IntArray
    observed: FloatArray
    kappa: FloatArray
    standard_error: FloatArray
    given: FloatArray
    chance: FloatArray

    def with_influence(self, influence: FloatArray) -> PairAgreement:
        """Agreement with what each case contributes, as `influence_of_cases` gives it."""
        return PairAgreement(self.n_common, self.observed, self.kappa, self.standard_error, influence)


def pair_matrices(counts: IntArray, read: IntArray) -> PairMatrices:
    """Agreement of raters two by two, as `core.metrics.agreement.pairs.pair_agreement` has it.

    Parameters
    ----------
    counts : ndarray of int with shape (n_raters, n_raters, n_labels, n_labels)
        Of all cases, as `count_pairs` gives them.
    read : ndarray of int with shape (n_raters,)
        Cases that each rater read.
    """
    counts = counts + counts.transpose(1, 0, 3, 2)
    n_common = counts.sum(axis=(2, 3))
    common = n_common.astype(np.float64)
    given = counts.sum(axis=3).astype(np.float64)
    same = np.trace(counts, axis1=2, axis2=3).astype(np.float64)
    observed = ratio(same, common)
    chance = ratio(np.einsum("rsk,srk->rs", given, given), common**2)
    kappa = ratio(observed - chance, 1 - chance)
    squares = np.zeros(common.shape)
    for r in range(len(read)):
        n = np.maximum(common[r], 1)[:, None, None]
        left = np.where(np.isnan(kappa[r]), 1.0, 1 - chance[r])[:, None, None]
        is_same = np.eye(counts.shape[2])
        marginal = (given[:, r][:, :, None] + given[r][:, None, :]) / n - 2 * chance[r][:, None, None]
        by_same = (is_same - observed[r][:, None, None]) / left
        moved = by_same - (1 - observed[r][:, None, None]) * marginal / left**2
        squares[r] = (counts[r] * moved**2).sum(axis=(1, 2))
    n_common = n_common + np.diag(read)
    return PairMatrices(n_common, observed, kappa, ratio(np.sqrt(squares), common), given, chance)


def influence_of_cases(readings: Readings, found: PairMatrices) -> FloatArray:
    """What each case contributes to the mean κ over pairs of raters, with shape (n_cases,)."""
    total = _influence(
        readings.case_start,
        readings.rater,
        readings.label,
        found.n_common,
        found.observed,
        found.kappa,
        found.given,
        found.chance,
    )
    return total / max(int((~np.isnan(found.kappa)).sum()), 1)


@njit(cache=True, nogil=True, error_model="numpy")
def _influence(
    case_start: IntArray,
    rater: IntArray,
    label: IntArray,
    n_common: IntArray,
    observed: FloatArray,
    kappa: FloatArray,
    given: FloatArray,
    chance: FloatArray,
) -> FloatArray:
    """Sum of influence / n over the ordered pairs of readings of each case."""
    by_case = np.zeros(len(case_start) - 1)
    for case in range(len(by_case)):
        for first in range(case_start[case], case_start[case + 1]):
            for second in range(case_start[case], case_start[case + 1]):
                r, s = rater[first], rater[second]
                if first == second or np.isnan(kappa[r, s]):
                    continue
                a, b = label[first], label[second]
                n, left = n_common[r, s], 1 - chance[r, s]
                same = 1.0 if a == b else 0.0
                marginal = (given[s, r, a] + given[r, s, b]) / n - 2 * chance[r, s]
                value = (same - observed[r, s]) / left - (1 - observed[r, s]) * marginal / left**2
                by_case[case] += value / n
    return by_case
