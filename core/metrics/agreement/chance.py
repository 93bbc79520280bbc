"""Agreement between raters beyond chance: Fleiss' κ, Krippendorff's α, Gwet's AC1 and AC2, with intervals.

Every coefficient is a function of sums over cases, so that a bootstrap over cases only weighs the cases anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.stats import t as student

from core.compiled import njit
from core.metrics.agreement.chance_names import (
    AC1,
    AC2,
    ALPHA,
    ALPHA_INTERVAL,
    ALPHA_ORDINAL,
    FLEISS,
    OBSERVED,
)
from core.metrics.agreement.influence import influence_error, influences
from core.metrics.agreement.rating_counts import RatingCounts
from core.metrics.bootstrap import case_weights, drawn_cases
from core.study.model import FloatArray, IntArray

_AT_ONCE = 2**22
"""Bounds the memory of a bootstrap: case weights drawn in one go."""


@dataclass(frozen=True)
class Coefficient:
    """A coefficient over cases with its bootstrap interval.

    Attributes
    ----------
    value : float
        NaN where it is undefined.
    low, high : float
        95 % percentile interval over resampled cases; NaN without a bootstrap, or where fewer than half of
        the resamples define the coefficient.
    n_cases : int
        Cases with two readings or more, which alone can show agreement.
    undefined : str
        Why there is no value; empty where there is one.
    standard_error : float
        Over cases, from their influences (`core.metrics.agreement.influence`); NaN where it is not known.
    """

    value: float
    low: float
    high: float
    n_cases: int
    undefined: str = ""
    standard_error: float = float("nan")

    def error_interval(self) -> tuple[float, float]:
        """95 % interval from the standard error: Student's t, one degree of freedom less than cases.

        It ends at −1 and 1; NaN without an error (Gwet 2014).
        """
        if np.isnan(self.standard_error) or self.n_cases < 2:
            return float("nan"), float("nan")
        half = float(student.ppf(0.975, self.n_cases - 1)) * self.standard_error
        return max(self.value - half, -1.0), min(self.value + half, 1.0)

    @property
    def why_no_interval(self) -> str:
        """Why there is no interval, or none but that from the standard error; empty where nothing lacks."""
        if self.undefined:
            return self.undefined
        if self.n_cases < 2:
            return "a single case with two readings does not tell how far cases differ"
        return "" if self.low == self.low else "no interval by resampling: none, or too few that define it"


def with_interval(
    value: float, interval: FloatArray, n_cases: int, undefined: str = "", standard_error: float = np.nan
) -> Coefficient:
    """Coefficient of a value and the two ends of its interval."""
    return Coefficient(
        float(value), float(interval[0]), float(interval[1]), n_cases, undefined, float(standard_error)
    )


def agreement_per_case(counts: RatingCounts) -> FloatArray:
    """Share of the pairs of readings of each case that give the same value, with shape (n_cases,).

    Returns
    -------
    ndarray of float64
        Σ_k n_ik (n_ik − 1) / (n_i (n_i − 1)), in [0, 1]; NaN for a case with fewer than two readings.
    """
    n = counts.n_readings
    same = np.bincount(counts.case, counts.count * (counts.count - 1), counts.n_cases)
    return np.divide(same, n * (n - 1), out=np.full(len(n), np.nan), where=n > 1)


def chance_agreement(
    counts: RatingCounts, *, n_boot: int = 0, rng: np.random.Generator | None = None
) -> dict[str, Coefficient]:
    """All coefficients of agreement of a study.

    Parameters
    ----------
    counts : RatingCounts
        With one reading a rater and case; missing readings are simply not counted.
    n_boot : int
        Resamples of the cases for the intervals; none by default.
    rng : numpy.random.Generator, optional
        Source of the resamples; needed where there are any.

    Returns
    -------
    dict of str to Coefficient
        `COEFFICIENTS` and, where values are ordered, `ORDERED_COEFFICIENTS`.

    Raises
    ------
    ValueError
        If ``n_boot`` is negative, or above 0 without ``rng``.

    Notes
    -----
    With n_ik readings of case i that give value k, n_i = Σ_k n_ik, and cases weighing w_i (1, or how often a
    resample has the case):

    - P_o = Σ w_i p_i / Σ w_i over cases with n_i ≥ 2, p_i the share of equal pairs (`agreement_per_case`).
    - π_k = mean of n_ik / n_i over cases with a reading. Fleiss' κ = (P_o − P_e) / (1 − P_e), P_e = Σ π_k²
      (Fleiss 1971); Gwet's AC1 has P_e = Σ π_k (1 − π_k) / (K − 1) (Gwet 2008).
    - Krippendorff's α = 1 − D_o / D_e over cases with n_i ≥ 2, which weigh by their readings, with
      D_o = Σ_i Σ_kl n_ik n_il δ²_kl / (n_i − 1) / N and D_e = Σ_kl N_k N_l δ²_kl / (N (N − 1)). δ² is
      [k ≠ l] (nominal), (v_k − v_l)² (interval), or that of the mid-ranks of the values (ordinal)
      (Krippendorff 2011).
    - Gwet's AC2: pairs agree by 1 − (v_k − v_l)² / (range of v)², and P_e = T Σ π_k (1 − π_k) / (K (K − 1))
      with T the sum of that weight over all pairs of values (Gwet 2014).
    """
    values, intervals = coefficients_of(
        coefficients_over(counts), counts.n_cases, n_boot, rng, of_case=counts.of_case
    )
    n_cases = counts.n_paired
    reason = why_undefined(counts) or "chance alone would make every pair agree"
    moved = influences(counts, counts.weight)
    return {
        name: with_interval(
            value[0],
            intervals[name],
            n_cases,
            reason if np.isnan(value[0]) else "",
            np.nan if np.isnan(value[0]) else influence_error(moved[name], counts.n_read, counts.weight),
        )
        for name, value in values.items()
    }


def coefficients_over(counts: RatingCounts) -> Callable[[FloatArray], dict[str, FloatArray]]:
    """Return every coefficient as a function of case weights, for `coefficients_of`."""
    return _Sums(counts).coefficients


def why_undefined(counts: RatingCounts) -> str:
    """Say why coefficients beyond chance have no value; empty where nothing forbids them."""
    n_raters = counts.n_readings.max(initial=0)
    if n_raters == 0:
        return "there are no readings"
    if n_raters < 2:
        return "no case has readings by two raters"
    if len(np.unique(counts.value)) == 1:
        return "every reading is the same, so agreement cannot be told from chance"
    return ""


def coefficients_of(
    coefficients: Callable[[FloatArray], dict[str, FloatArray]],
    n_cases: int,
    n_boot: int,
    rng: np.random.Generator | None,
    *,
    of_case: IntArray | None = None,
) -> tuple[dict[str, FloatArray], dict[str, FloatArray]]:
    """Evaluate functions of weighted cases, for the cases as they are and for resamples of them.

    Parameters
    ----------
    coefficients : callable
        Takes case weights with shape (n_cases, n) and gives arrays with shape (n, …).
    n_cases : int
        Number of cases.
    n_boot : int
        Resamples, 0 or more.
    rng : numpy.random.Generator or None
        Needed where there are resamples.
    of_case : ndarray of int, optional
        Where cases stand together, as `RatingCounts` has them: the same draws as of each for itself.

    Returns
    -------
    values, intervals : dict of str to ndarray
        With shape (1, …), and the ends of the 95 % percentile interval, with shape (2, …); NaN without
        resamples.

    Raises
    ------
    ValueError
        If ``n_boot`` is negative, or above 0 without ``rng``.
    """
    if n_boot < 0 or (n_boot and rng is None):
        raise ValueError(f"n_boot must be 0 or more, and needs a generator rng above 0, got {n_boot}, {rng}")
    once = np.ones(n_cases) if of_case is None else _stood_for(of_case, n_cases)
    values = coefficients(once[:, None])
    if rng is None or n_boot == 0:
        return values, {name: np.full((2, *value.shape[1:]), np.nan) for name, value in values.items()}
    parts = [coefficients(weight) for weight in _resamples(n_cases, n_boot, rng, of_case)]
    resampled = {name: np.concatenate([part[name] for part in parts]) for name in values}
    return values, {name: percentile_interval(value) for name, value in resampled.items()}


def _stood_for(of_case: IntArray, n_rows: int) -> FloatArray:
    """How many cases stand together in each row; −1 is none."""
    return np.bincount(of_case + 1, minlength=n_rows + 1)[1:].astype(np.float64)


def _resamples(
    n_cases: int, n_boot: int, rng: np.random.Generator, of_case: IntArray | None = None
) -> Iterator[FloatArray]:
    """Case weights of some resamples at a time, shape (n_cases, n); how many does not change the numbers."""
    at_once = max(1, min(64, _AT_ONCE // max(n_cases, 1)))
    for first in range(0, n_boot, at_once):
        number = min(at_once, n_boot - first)
        if of_case is None:
            yield case_weights(n_cases, number, rng)[:, 1:].astype(np.float64)
        else:
            drawn = [_stood_for(of_case[drawn_cases(len(of_case), rng)], n_cases) for _ in range(number)]
            yield np.stack(drawn, axis=1)


def resampled_means(per_case: FloatArray, *, n_boot: int, rng: np.random.Generator) -> FloatArray:
    """Mean of a value of the cases in each resample of them, with shape (n_boot,)."""
    parts = [per_case @ weight / len(per_case) for weight in _resamples(len(per_case), n_boot, rng)]
    return np.concatenate([np.empty(0), *parts])


def percentile_interval(resampled: FloatArray) -> FloatArray:
    """95 % percentile interval of resampled values.

    Parameters
    ----------
    resampled : ndarray of float with shape (n, …)
        NaN where a resample leaves the value undefined.

    Returns
    -------
    ndarray of float64 with shape (2, …)
        NaN where fewer than half of the resamples define the value.
    """
    if len(resampled) == 0:
        return np.full((2, *resampled.shape[1:]), np.nan)
    defined = ~np.isnan(resampled)
    enough = (2 * defined.sum(axis=0) >= len(resampled)) & defined.any(axis=0)
    safe = np.where(enough, resampled, 0.0)
    return np.where(enough, np.nanpercentile(safe, [2.5, 97.5], axis=0), np.nan)


class _Sums:
    """Sums over weighted cases that the coefficients are made of, for many weightings at once."""

    def __init__(self, counts: RatingCounts) -> None:
        self.counts = counts
        n = counts.n_readings
        paired = n > 1
        agreement = np.where(paired, agreement_per_case(counts), 0.0)
        scalars = [paired, n > 0, agreement, n * paired, n * agreement]
        self.share = by_value(counts, counts.count / n[counts.case])
        self.count = by_value(counts, counts.count * paired[counts.case])
        self.number = None
        if counts.number is not None and counts.n_values > 1:
            # Centred, so that sums of squares keep their digits.
            self.number = counts.number - counts.number.mean()
            spread = _spread(counts.start, counts.value, counts.count, self.number)
            scalars += [spread, np.divide(spread, n, out=np.zeros(len(n)), where=paired)]
        self.scalars = np.column_stack(scalars).astype(np.float64)

    def coefficients(self, weight: FloatArray) -> dict[str, FloatArray]:
        """Every coefficient for case weights with shape (n_cases, n); each has shape (n,)."""
        sums = self.scalars.T @ weight
        cases, read, agreement, readings, by_readings = sums[:5]
        share, total = (self.share @ weight).T, (self.count @ weight).T
        pi = ratio(share, read[:, None])
        n_values = self.counts.n_values
        observed = ratio(agreement, cases)
        by_chance = (pi * (1 - pi)).sum(axis=1)
        pairs = readings * (readings - 1)
        different = pairs - (total * (total - 1)).sum(axis=1)
        found = {
            OBSERVED: observed,
            FLEISS: beyond(observed, (pi**2).sum(axis=1)),
            ALPHA: 1 - ratio(ratio(readings - by_readings, readings), ratio(different, pairs)),
            AC1: beyond(observed, ratio(by_chance, np.full(len(cases), n_values - 1.0))),
        }
        if self.number is None:
            return found
        spread, spread_by_pair = sums[5:]
        v = self.number
        ranks = np.cumsum(total, axis=1) - total / 2
        ranks -= readings[:, None] / 2
        by_rank = _weighted_spread(
            self.counts.start, self.counts.value, self.counts.count, ranks, np.ascontiguousarray(weight.T)
        )
        width = (v[-1] - v[0]) ** 2
        full = n_values**2 - 2 * (n_values * (v**2).sum() - v.sum() ** 2) / width
        return found | {
            ALPHA_ORDINAL: 1 - ratio(ratio(by_rank, readings), _expected(total, ranks, readings)),
            ALPHA_INTERVAL: 1 - ratio(ratio(spread, readings), _expected(total, v, readings)),
            AC2: beyond(
                ratio(cases - spread_by_pair / width, cases), full * by_chance / (n_values * (n_values - 1))
            ),
        }


def by_value(counts: RatingCounts, entry: FloatArray) -> sparse.csr_array:
    """Sparse matrix of cells with shape (n_values, n_cases)."""
    by_case = sparse.csr_array((entry, counts.value, counts.start), (counts.n_cases, counts.n_values))
    return by_case.T.tocsr()


def ratio(numerator: FloatArray, denominator: FloatArray) -> FloatArray:
    """Divide; NaN where the denominator is 0 (to rounding) or NaN."""
    numerator, denominator = np.broadcast_arrays(numerator, denominator)
    out = np.full(numerator.shape, np.nan)
    return np.divide(numerator, denominator, out=out, where=np.abs(denominator) > 1e-12)


def beyond(observed: FloatArray, by_chance: FloatArray) -> FloatArray:
    """Agreement beyond chance, (P_o − P_e) / (1 − P_e); NaN where chance makes everything agree."""
    return ratio(observed - by_chance, 1 - by_chance)


def _expected(total: FloatArray, number: FloatArray, readings: FloatArray) -> FloatArray:
    """D_e of numbers with shape (K,) or (n, K) and totals with shape (n, K)."""
    first, second = (total * number).sum(axis=1), (total * number**2).sum(axis=1)
    return ratio(2 * (readings * second - first**2), readings * (readings - 1))


def _spread(start: IntArray, value: IntArray, count: FloatArray, number: FloatArray) -> FloatArray:
    """Σ_kl n_ik n_il (v_k − v_l)² / (n_i − 1) of each case; 0 with fewer than two readings."""
    case = np.repeat(np.arange(len(start) - 1), np.diff(start))
    n, first, second = (np.bincount(case, count * number[value] ** p, len(start) - 1) for p in (0, 1, 2))
    return np.divide(2 * (n * second - first**2), n - 1, out=np.zeros(len(n)), where=n > 1)


@njit(cache=True, nogil=True, error_model="numpy")
def _weighted_spread(
    start: IntArray, value: IntArray, count: FloatArray, number: FloatArray, weight: FloatArray
) -> FloatArray:
    """Σ_i w_i · `_spread` for numbers (n, K) and weights (n, n_cases) that differ by row, with shape (n,)."""
    total = np.zeros(len(number))
    for b in range(len(number)):
        for case in range(len(start) - 1):
            if weight[b, case] == 0 or start[case + 1] - start[case] < 2:
                continue
            n = first = second = 0.0
            for cell in range(start[case], start[case + 1]):
                v = number[b, value[cell]]
                n += count[cell]
                first += count[cell] * v
                second += count[cell] * v * v
            total[b] += weight[b, case] * 2 * (n * second - first * first) / (n - 1)
    return total
