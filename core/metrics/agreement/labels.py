"""Agreement about each label against all others together."""

from __future__ import annotations

import numpy as np

from core.metrics.agreement.chance import (
    Coefficient,
    beyond,
    by_value,
    coefficients_of,
    ratio,
    why_undefined,
    with_interval,
)
from core.metrics.agreement.chance_names import AC1, ALPHA, FLEISS, OBSERVED
from core.metrics.agreement.influence import influence_error, influences
from core.metrics.agreement.rating_counts import RatingCounts
from core.study.model import FloatArray


def agreement_by_label(
    counts: RatingCounts, *, n_boot: int = 0, rng: np.random.Generator | None = None
) -> dict[str, dict[int, Coefficient]]:
    """Coefficients of each label against all others.

    Parameters
    ----------
    counts : RatingCounts
        How often each value was given to each case.
    n_boot : int
        Resamples of the cases for the intervals; none for 0.
    rng : numpy.random.Generator, optional
        Source of the resamples; needed where there are any.

    Returns
    -------
    dict of str to dict of int to Coefficient
        `core.metrics.agreement.chance.COEFFICIENTS`, each for every label that somebody gave.

    Notes
    -----
    As `chance_agreement` of the readings recoded to "this label" and "another", two values: a pair of
    readings disagrees with probability d_ik = 2 n_ik (n_i − n_ik) / (n_i (n_i − 1)). Standard errors are
    those of the recoded readings, from the influence of each case (`core.metrics.agreement.influence`).
    """
    sums = _LabelSums(counts)
    values, intervals = coefficients_of(
        sums.coefficients, counts.n_cases, n_boot, rng, of_case=counts.of_case
    )
    n_cases = counts.n_paired
    reason = why_undefined(counts) or "no case with two readings shows both this label and another"
    found: dict[str, dict[int, Coefficient]] = {name: {} for name in values}
    for k in np.unique(counts.value).tolist():
        moved = influences(_against_the_rest(counts, k), counts.weight)
        for name, value in values.items():
            is_known = not np.isnan(value[0, k])
            found[name][k] = with_interval(
                value[0, k],
                intervals[name][:, k],
                n_cases,
                "" if is_known else reason,
                influence_error(moved[name], counts.n_read, counts.weight) if is_known else np.nan,
            )
    return found


def _against_the_rest(counts: RatingCounts, label: int) -> RatingCounts:
    """Counts of two values: any other label, and this one."""
    is_label = counts.value == label
    this = np.bincount(counts.case[is_label], counts.count[is_label], counts.n_cases)
    both = np.stack([counts.n_readings - this, this], axis=1)
    is_given = both > 0
    start = np.append(0, is_given.sum(axis=1).cumsum())
    return RatingCounts(start, np.nonzero(is_given)[1], both[is_given], 2, of_case=counts.of_case)


class _LabelSums:
    """Sums over weighted cases for each label against the rest."""

    def __init__(self, counts: RatingCounts) -> None:
        n = counts.n_readings
        paired = n > 1
        of_case = n[counts.case]
        pairs = np.maximum(of_case * (of_case - 1), 1)
        apart = 2 * counts.count * (of_case - counts.count) / pairs
        self._scalars = np.column_stack([paired, n > 0, n * paired]).astype(np.float64)
        self._apart = by_value(counts, apart)
        self._apart_by_readings = by_value(counts, apart * of_case)
        self._share = by_value(counts, counts.count / of_case)
        self._count = by_value(counts, counts.count * paired[counts.case])

    def coefficients(self, weight: FloatArray) -> dict[str, FloatArray]:
        """Every coefficient for case weights with shape (n_cases, n); each has shape (n, n_labels)."""
        cases, read, readings = (self._scalars.T @ weight)[:, :, None]
        matrices = (self._apart, self._apart_by_readings, self._share, self._count)
        apart, by_readings, share, total = ((matrix @ weight).T for matrix in matrices)
        observed = 1 - ratio(apart, cases)
        pi = ratio(share, read)
        by_chance = 2 * pi * (1 - pi)
        expected = ratio(2 * total * (readings - total), readings * (readings - 1))
        return {
            OBSERVED: observed,
            FLEISS: beyond(observed, 1 - by_chance),
            ALPHA: 1 - ratio(ratio(by_readings, readings), expected),
            AC1: beyond(observed, by_chance),
        }
