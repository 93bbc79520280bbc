"""Agreement of raters two by two: common cases, equal labels, Cohen's κ, overlap of differentials."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.compiled import njit
from core.metrics.agreement.chance import ratio
from core.metrics.agreement.rating_counts import first_readings
from core.study.model import FloatArray, IntArray, Readings, freeze

MOST_RATERS = 2_000
"""Raters that are compared two by two: the matrices are square in their number."""
MOST_PAIRS = 2 * 10**9
"""Pairs of readings of the same case that are compared one by one."""


@dataclass(frozen=True, eq=False)
class PairAgreement:
    """Agreement of every two raters on the cases that both read; all matrices are symmetric.

    Attributes
    ----------
    n_common : ndarray of int64 with shape (n_raters, n_raters)
        Cases that both read; on the diagonal, cases that the rater read.
    observed : ndarray of float64 with shape (n_raters, n_raters)
        Share of common cases with the same label, in [0, 1]; NaN without common cases and on the diagonal.
    kappa, standard_error : ndarray of float64 with shape (n_raters, n_raters)
        Cohen's κ and its large-sample standard error; NaN where chance alone would make the two agree on
        everything, without common cases, and on the diagonal.
    influence : ndarray of float64 with shape (n_cases,)
        What each case contributes to the mean κ over pairs, to first order: a resample in which case i comes
        w_i times has about the mean κ + Σ_i w_i influence_i.
    """

    n_common: IntArray
    observed: FloatArray
    kappa: FloatArray
    standard_error: FloatArray
    influence: FloatArray

    def __post_init__(self) -> None:
        for name in self.__dataclass_fields__:
            freeze(getattr(self, name))

    @property
    def mean_kappa(self) -> float:
        """Mean of Cohen's κ over the pairs of raters where it is defined; NaN where it nowhere is."""
        value = self.kappa[np.triu_indices(len(self.kappa), 1)]
        value = value[~np.isnan(value)]
        return float(value.mean()) if len(value) else float("nan")


def pair_agreement(readings: Readings, code: IntArray, n_values: int, n_raters: int) -> PairAgreement:
    """Compare all raters two by two.

    Parameters
    ----------
    readings : Readings
        One reading a rater and case (`core.metrics.agreement.rating_counts.first_readings`).
    code : ndarray of int with shape (n_readings,)
        The value given, 0 … ``n_values`` − 1.
    n_values : int
        Values that could have been given, K.
    n_raters : int
        Number of raters, at most `MOST_RATERS`.

    Returns
    -------
    PairAgreement

    Raises
    ------
    ValueError
        For more than `MOST_RATERS` raters or `MOST_PAIRS` pairs of readings, or where a rater reads a case
        twice.

    Notes
    -----
    For two raters with the shares p_k and q_k of label k on their common cases, κ = (P_o − P_e) / (1 − P_e)
    with P_e = Σ_k p_k q_k (Cohen 1960). The standard error is the root of Σ IF_i² / n², where a case that one
    labels a and the other b has the influence
    IF = ([a = b] − P_o) / (1 − P_e) − (1 − P_o) (q_a + p_b − 2 P_e) / (1 − P_e)²
    (the delta method; Fleiss, Cohen and Everitt 1969).
    """
    require_comparable(readings, n_raters)
    require_single_readings(readings)
    order = np.argsort(readings.rater, kind="stable")
    rater_start = np.concatenate([[0], np.cumsum(np.bincount(readings.rater, minlength=n_raters))])
    n_common, same, by_chance = _compare(
        readings.case_start, readings.rater, code, readings.case, order, rater_start, n_values
    )
    common = n_common.astype(np.float64)
    np.fill_diagonal(common, 0)
    observed = ratio(same, common)
    chance = ratio(by_chance, common**2)
    kappa = ratio(observed - chance, 1 - chance)
    squares, influence = _influence(
        readings.case_start,
        readings.rater,
        code,
        readings.case,
        order,
        rater_start,
        n_values,
        n_common,
        observed,
        chance,
        kappa,
    )
    n_defined = max(int((~np.isnan(kappa)).sum()), 1)
    return PairAgreement(n_common, observed, kappa, ratio(np.sqrt(squares), common), influence / n_defined)


def require_comparable(readings: Readings, n_raters: int) -> None:
    """Raise ValueError for more than `MOST_RATERS` raters or `MOST_PAIRS` pairs of readings."""
    if n_raters > MOST_RATERS:
        raise ValueError(
            f"up to {MOST_RATERS:,} raters are compared two by two, got {n_raters:,}: choose some of them"
        )
    require_few_pairs(readings)


def require_few_pairs(readings: Readings) -> None:
    """Raise ValueError where more than `MOST_PAIRS` pairs of readings would be compared."""
    n = readings.per_case.astype(np.float64)
    pairs = float((n * (n - 1) / 2).sum())
    if pairs > MOST_PAIRS:
        raise ValueError(
            f"at most {MOST_PAIRS:,} pairs of readings of the same case are compared one by one, "
            f"got {pairs:,.0f}: choose fewer raters or cases"
        )


def require_single_readings(readings: Readings) -> None:
    """Raise ValueError where a rater has two readings of a case."""
    if first_readings(readings).n_readings < readings.n_readings:
        raise ValueError("each rater must have one reading a case, got repeated ones: take the first of each")


@njit(cache=True, nogil=True)
def _compare(
    case_start: IntArray,
    rater: IntArray,
    code: IntArray,
    case: IntArray,
    order: IntArray,
    rater_start: IntArray,
    n_values: int,
) -> tuple[IntArray, FloatArray, FloatArray]:
    """Common cases, equal labels, and Σ_k of the products of both raters' counts of k on common cases."""
    n_raters = len(rater_start) - 1
    n_common = np.zeros((n_raters, n_raters), np.int64)
    same = np.zeros((n_raters, n_raters))
    chance = np.zeros((n_raters, n_raters))
    mine = np.zeros((n_raters, n_values), np.int64)
    theirs = np.zeros((n_raters, n_values), np.int64)
    for r in range(n_raters):
        mine[:] = 0
        theirs[:] = 0
        for at in order[rater_start[r] : rater_start[r + 1]]:
            for other in range(case_start[case[at]], case_start[case[at] + 1]):
                s = rater[other]
                n_common[r, s] += 1
                same[r, s] += code[at] == code[other]
                mine[s, code[at]] += 1
                theirs[s, code[other]] += 1
        for s in range(n_raters):
            for k in range(n_values):
                chance[r, s] += mine[s, k] * theirs[s, k]
    return n_common, same, chance


@njit(cache=True, nogil=True, error_model="numpy")
def _influence(  # noqa: PLR0913, PLR0917 - compiled code takes arrays one by one
    case_start: IntArray,
    rater: IntArray,
    code: IntArray,
    case: IntArray,
    order: IntArray,
    rater_start: IntArray,
    n_values: int,
    n_common: IntArray,
    observed: FloatArray,
    chance: FloatArray,
    kappa: FloatArray,
) -> tuple[FloatArray, FloatArray]:
    """Sum of squared influences of each pair of raters, and of influence / n over the pairs of each case."""
    n_raters = len(rater_start) - 1
    squares = np.zeros((n_raters, n_raters))
    by_case = np.zeros(len(case_start) - 1)
    mine = np.zeros((n_raters, n_values))
    theirs = np.zeros((n_raters, n_values))
    for r in range(n_raters):
        mine[:] = 0
        theirs[:] = 0
        readings = order[rater_start[r] : rater_start[r + 1]]
        for at in readings:
            for other in range(case_start[case[at]], case_start[case[at] + 1]):
                mine[rater[other], code[at]] += 1
                theirs[rater[other], code[other]] += 1
        for at in readings:
            for other in range(case_start[case[at]], case_start[case[at] + 1]):
                s = rater[other]
                if np.isnan(kappa[r, s]):
                    continue
                n = n_common[r, s]
                left = 1 - chance[r, s]
                same = 1.0 if code[at] == code[other] else 0.0
                marginal = (theirs[s, code[at]] + mine[s, code[other]]) / n - 2 * chance[r, s]
                value = (same - observed[r, s]) / left - (1 - observed[r, s]) * marginal / left**2
                squares[r, s] += value * value
                by_case[case[at]] += value / n
    return squares, by_case
