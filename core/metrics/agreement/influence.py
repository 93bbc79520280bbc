"""How much each case moves a coefficient of agreement: its standard error without resampling.

A coefficient is a smooth function of sums over cases. Its derivative by the weight of a case, the influence
of the case, gives the large-sample variance over cases (Gwet 2014; infinitesimal jackknife).
"""

from __future__ import annotations

import numpy as np

from core.metrics.agreement.chance_names import (
    AC1,
    AC2,
    ALPHA,
    ALPHA_INTERVAL,
    ALPHA_ORDINAL,
    FLEISS,
    OBSERVED,
)
from core.metrics.agreement.rating_counts import RatingCounts
from core.study.model import FloatArray

Moved = tuple[float, FloatArray]
"""A quantity, and how much each case moves it."""


def influences(counts: RatingCounts, weight: FloatArray | None = None) -> dict[str, FloatArray]:
    """Influence of each case on every coefficient.

    Parameters
    ----------
    counts : RatingCounts
        With one reading a rater and case.
    weight : ndarray of float with shape (n_cases,), optional
        How many cases each stands for; 1 by default.

    Returns
    -------
    dict of str to ndarray of float64 with shape (n_cases,)
        Of one such case, by the names of `core.metrics.agreement.chance.chance_agreement`: the derivative of
        the coefficient by the weight of the case; 0 for a case without readings, NaN throughout where the
        coefficient is undefined.

    Notes
    -----
    With P_o, P_e, π, N_k, D_o, D_e as there, d the change by a case: dκ = (dP_o − (1 − κ) dP_e) / (1 − P_e),
    which is κ*_i − κ of Gwet 2014, divided by the number of cases, where every case has two readings; where
    some have one, how many cases have two is taken for drawn as well, and not for fixed. dα = (D_o dD_e / D_e
    − dD_o) / D_e. Mid-ranks move with the cases too.
    """
    cases = _Cases(counts, np.ones(counts.n_cases) if weight is None else weight)
    observed = cases.observed
    pi, share = cases.pi, cases.share_sum
    moves = cases.read / max(float(cases.read @ cases.weight), 1.0)

    def by_chance(value: float, slope: FloatArray) -> Moved:
        """Chance agreement of a value and its slope by π."""
        return value, moves * (share(slope) - float(slope @ pi))

    k = counts.n_values
    found = {
        OBSERVED: observed[1],
        FLEISS: _beyond(observed, by_chance(float((pi**2).sum()), 2 * pi)),
        ALPHA: cases.alpha_nominal(),
        AC1: _beyond(observed, by_chance(float((pi * (1 - pi)).sum()) / (k - 1), (1 - 2 * pi) / (k - 1))),
    }
    if counts.number is not None and k > 1:
        v = counts.number - counts.number.mean()
        width = float((v[-1] - v[0]) ** 2)
        full = k**2 - 2 * (k * float((v**2).sum()) - float(v.sum()) ** 2) / width
        scale = full / (k * (k - 1))
        near = cases.mean_over_pairs(1 - cases.spread(v) / np.maximum(cases.n, 1) / width)
        found |= {
            ALPHA_ORDINAL: cases.alpha_of(cases.mid_ranks, moving=True),
            ALPHA_INTERVAL: cases.alpha_of(v),
            AC2: _beyond(near, by_chance(scale * float((pi * (1 - pi)).sum()), scale * (1 - 2 * pi))),
        }
    return found


def influence_error(influence: FloatArray, n_cases: int, weight: FloatArray | None = None) -> float:
    """Standard error over cases of what has such influences.

    Parameters
    ----------
    influence : ndarray of float64 with shape (n,)
        0 for cases that do not count.
    n_cases : int
        Cases that count.
    weight : ndarray of float with shape (n,), optional
        How many cases each stands for; 1 by default.

    Returns
    -------
    float
        √(n / (n − 1) · Σ (influence − mean)²); NaN for fewer than two cases.
    """
    if n_cases < 2 or np.isnan(influence).any():
        return float("nan")
    weight = np.ones(len(influence)) if weight is None else weight
    squares = float((influence**2 * weight).sum() - (influence * weight).sum() ** 2 / n_cases)
    return float(np.sqrt(n_cases / (n_cases - 1) * max(squares, 0.0)))


def _beyond(observed: Moved, by_chance: Moved) -> FloatArray:
    """Influence on (P_o − P_e) / (1 − P_e)."""
    left = 1 - by_chance[0]
    if not abs(left) > _SMALL:
        return np.full(len(observed[1]), np.nan)
    value = (observed[0] - by_chance[0]) / left
    moved: FloatArray = (observed[1] - (1 - value) * by_chance[1]) / left
    return moved


_SMALL = 1e-12


class _Cases:
    """Counts of the cases, and sums of them."""

    def __init__(self, counts: RatingCounts, weight: FloatArray) -> None:
        self.counts, self.n, self.weight = counts, counts.n_readings, weight
        self.read, self.paired = (self.n > 0).astype(np.float64), (self.n > 1).astype(np.float64)
        self._of_cell = counts.count / np.maximum(self.n[counts.case], 1)
        total = np.bincount(counts.value, self._of_cell * weight[counts.case], counts.n_values)
        self.pi: FloatArray = total / max(float(self.read @ weight), 1.0)
        same = self.sum_of(counts.count * (counts.count - 1))
        self.agreement = same / np.maximum(self.n * (self.n - 1), 1)
        self.observed = self.mean_over_pairs(self.agreement)
        paired = (self.paired * weight)[counts.case]
        totals = np.bincount(counts.value, counts.count * paired, counts.n_values)
        self.totals: FloatArray = totals.astype(np.float64)
        self.readings = float((self.n * self.paired * weight).sum())

    def sum_of(self, cells: FloatArray) -> FloatArray:
        """Sum of a value of the cells over each case."""
        summed: FloatArray = np.bincount(self.counts.case, cells, self.counts.n_cases).astype(np.float64)
        return summed

    def share_sum(self, value: FloatArray) -> FloatArray:
        """Mean of a number of the values over the readings of each case."""
        return self.sum_of(self._of_cell * value[self.counts.value])

    def count_sum(self, value: FloatArray) -> FloatArray:
        """Sum of a number of the values over the readings of each case with two or more."""
        return self.paired * self.sum_of(self.counts.count * value[self.counts.value])

    def mean_over_pairs(self, per_case: FloatArray) -> Moved:
        """Mean over cases with two readings or more."""
        paired = self.paired * self.weight
        n = paired.sum()
        if n == 0:
            return np.nan, np.full(len(per_case), np.nan)
        mean = float((paired * per_case).sum() / n)
        return mean, self.paired * (per_case - mean) / n

    def spread(self, number: FloatArray) -> FloatArray:
        """Σ_kl n_ik n_il (v_k − v_l)² / (n_i − 1) of each case; 0 with fewer than two readings."""
        first, second = self.count_sum(number), self.count_sum(number**2)
        spread: FloatArray = 2 * (self.n * second - first**2) / np.maximum(self.n - 1, 1)
        return spread * self.paired

    @property
    def mid_ranks(self) -> FloatArray:
        """Rank of each value in the middle of its readings."""
        ranks: FloatArray = np.cumsum(self.totals) - self.totals / 2
        return ranks - self.readings / 2

    def alpha_nominal(self) -> FloatArray:
        """Influence on α where any two values are equally far apart."""
        different = self.n * (1 - self.agreement) * self.paired
        pairs = self.readings**2 - float((self.totals**2).sum())
        moved = 2 * (self.readings * self.n * self.paired - self.count_sum(self.totals))
        return self._alpha(different, (pairs, moved))

    def alpha_of(self, number: FloatArray, *, moving: bool = False) -> FloatArray:
        """Influence on α by squared distances of numbers, which move with the totals where they are ranks."""
        totals, readings = self.totals, self.readings
        first, second = float(totals @ number), float(totals @ number**2)
        pairs = 2 * (readings * second - first**2)
        own_first, own_second = self.count_sum(number), self.count_sum(number**2)
        moved = 2 * (self.n * self.paired * second + readings * own_second - 2 * first * own_first)
        spread = self.spread(number)
        if moving:
            by_rank = 4 * totals * (readings * number - first)
            moved = moved + self._by_ranks(by_rank)
            cell = self.paired[self.counts.case] * self.counts.count
            n, case = self.n[self.counts.case], self.counts.case
            slope = (
                4
                * cell
                * self.weight[case]
                * (n * number[self.counts.value] - own_first[case])
                / np.maximum(n - 1, 1)
            )
            of_ranks = np.bincount(self.counts.value, slope, self.counts.n_values)
            return self._alpha(spread, (pairs, moved), self._by_ranks(of_ranks.astype(np.float64)))
        return self._alpha(spread, (pairs, moved))

    def _by_ranks(self, slope: FloatArray) -> FloatArray:
        """Change through the mid-ranks, of which a reading raises its own by half and all later ones by 1."""
        later = np.cumsum(slope[::-1])[::-1] - slope
        return self.count_sum(slope / 2 + later)

    def _alpha(self, different: FloatArray, pairs: Moved, further: FloatArray | float = 0.0) -> FloatArray:
        """Influence on 1 − D_o / D_e, with D_o = Σ different / N and D_e = pairs / (N (N − 1))."""
        readings, own = self.readings, self.n * self.paired
        if readings < 2 or not pairs[0] > _SMALL:
            return np.full(self.counts.n_cases, np.nan)
        total = float(different @ self.weight)
        ratio = total * (readings - 1) / pairs[0]
        moved = different + further
        change: FloatArray = (
            moved * (readings - 1) / pairs[0] + total * own / pairs[0] - ratio * pairs[1] / pairs[0]
        )
        return -change
