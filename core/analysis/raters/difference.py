"""Do two groups of raters agree alike? Differences of coefficients on the same cases, with intervals."""

from __future__ import annotations

import numpy as np
import pandas as pd

from core.analysis.raters.panel import Panel
from core.analysis.raters.settings import N_BOOT
from core.metrics.agreement.chance import coefficients_of, coefficients_over
from core.metrics.agreement.chance_names import ORDERED_COEFFICIENTS
from core.metrics.agreement.influence import influence_error, influences
from core.metrics.agreement.rating_counts import RatingCounts
from core.metrics.ratio import NORMAL_95
from core.study.model import FloatArray

COLUMNS = [
    "coefficient", "basis", "first", "second", "difference", "standard_error", "error_low", "error_high",
    "low", "high", "n_cases", "why_no_interval",
]  # fmt: skip


def agreement_difference(
    first: Panel, second: Panel, *, ordered: bool = False, n_boot: int = N_BOOT
) -> pd.DataFrame:
    """Compare how far two groups of raters agree, each among themselves.

    Parameters
    ----------
    first, second : Panel
        Raters of the same task and cases; a rater may be in both.
    ordered : bool
        Whether labels of a choice or ranking task have an order; scores always have.
    n_boot : int
        Resamples of the cases; none for 0.

    Returns
    -------
    DataFrame
        One row a coefficient: ``coefficient``, ``basis`` ("labels", "label order" or "scores"); ``first``,
        ``second`` (of each group) and ``difference`` (first − second); ``standard_error``, ``error_low`` and
        ``error_high`` (95 % interval from it), ``low`` and ``high`` (95 % interval of resampled cases, the
        same ones for both groups); ``n_cases`` in which either group has two readings; ``why_no_interval``.

    Raises
    ------
    ValueError
        If the panels are of other tasks or cases, or raters are not the same persons in every case.

    Notes
    -----
    Both groups read the same cases, so that what a case does to one coefficient goes with what it does to the
    other: the error is that of the difference of both influences (Gwet 2014; Vanbelle and Albert 2008
    resample the cases for the same reason).
    """
    if not first.identified:
        raise ValueError("raters are numbered anew in each case, so groups of raters cannot be compared")
    if first.task is not second.task or first.case_ids != second.case_ids:
        raise ValueError("two groups of raters are compared on one task and the same cases")
    bases = [("labels", first.counts, second.counts)]
    if ordered or first.task.kind == "score":
        basis = "scores" if first.task.kind == "score" else "label order"
        bases.append((basis, first.ordered_counts(), second.ordered_counts()))
    rows = []
    for basis, one, other in bases:
        rng = first.generator(f"difference of agreement, {basis}")
        rows += [
            (name, basis, *rest)
            for name, *rest in _differences(one, other, n_boot, rng)
            if basis == "labels" or name in ORDERED_COEFFICIENTS
        ]
    return pd.DataFrame(rows, columns=COLUMNS)


def _differences(
    one: RatingCounts, other: RatingCounts, n_boot: int, rng: np.random.Generator
) -> list[tuple[object, ...]]:
    """Rows of one basis, without it."""
    sums = [coefficients_over(counts) for counts in (one, other)]

    def difference(weight: FloatArray) -> dict[str, FloatArray]:
        first, second = (of(weight) for of in sums)
        return {name: first[name] - second[name] for name in first if name in second}

    values, intervals = coefficients_of(difference, one.n_cases, n_boot, rng)
    whole = np.ones((one.n_cases, 1))
    each = [of(whole) for of in sums]
    moved = [influences(counts) for counts in (one, other)]
    read = int(((one.n_readings > 0) | (other.n_readings > 0)).sum())
    paired = int(((one.n_readings > 1) | (other.n_readings > 1)).sum())
    rows: list[tuple[object, ...]] = []
    for name, value in values.items():
        found = float(value[0])
        error = influence_error(moved[0][name] - moved[1][name], read) if found == found else float("nan")
        half = NORMAL_95 * error
        low, high = (float(end) for end in intervals[name])
        rows.append(
            (
                *(name, float(each[0][name][0]), float(each[1][name][0]), found, error),
                *(
                    max(found - half, -2.0) if half == half else half,
                    min(found + half, 2.0) if half == half else half,
                ),
                *(low, high, paired, _why(found, error, paired)),
            )
        )
    return rows


def _why(value: float, error: float, n_cases: int) -> str:
    """Why there is no interval; empty where there is one."""
    if value != value:
        return "one of the groups has no coefficient: no case with two of its readings, or all of them alike"
    if error != error:
        return f"{n_cases} case does not tell how far cases differ"
    return ""
