"""Correspondence Ψ: whether one set of cases looks like another, by the distances between cases.

Cases are rows of numbers. Replace the rows of the larger set that lie nearest to the smaller one by that one;
if both come from one population, the distances between all pairs hardly change. How unusual the change is,
among all ways to part the same cases into sets of these sizes, is Ψ.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core.metrics.correspondence.case_distances import Deviation, Distances
from core.study.brief import brief
from core.study.model import FloatArray, IntArray

MOST_CASES = 5_000
"""Larger pairs of sets are represented by a random subsample of this many cases."""


@dataclass(frozen=True, eq=False)
class Correspondence:
    """How far one set of cases corresponds to another.

    Attributes
    ----------
    psi : float
        Ψ in (0, 1]: the p-value of the deviation. 1 for a subset; uniform where both sets come from one
        population; small where they differ.
    deviation : float
        Of the distances after the replacement from those before it; 0 for a subset.
    by_chance : ndarray of float64 with shape (n_splits,)
        The same for random splits of all cases into sets of these sizes.
    n_first, n_second : int
        Cases of each set that were compared.
    n_left_out : int
        Cases beyond the subsample.
    """

    psi: float
    deviation: float
    by_chance: FloatArray
    n_first: int
    n_second: int
    n_left_out: int = 0

    __repr__ = brief


@dataclass(frozen=True, eq=False)
class Split:
    """A split of cases in two.

    Attributes
    ----------
    second : ndarray of int64
        The cases of the smaller part, ascending.
    deviation : float
        How far the parts deviate.
    psi : float
        Share of the random splits, itself included, that deviate as much.
    """

    second: IntArray
    deviation: float
    psi: float


def correspondence(
    first: FloatArray,
    second: FloatArray,
    *,
    kind: Deviation = "ks",
    splits: int = 199,
    seed: int = 0,
    most_cases: int = MOST_CASES,
    progress: Callable[[float], None] | None = None,
) -> Correspondence:
    """Correspondence Ψ of two sets of cases.

    Parameters
    ----------
    first, second : ndarray of float with shape (n, n_columns)
        The same columns on comparable scales; the larger set is the one whose rows are replaced.
    kind : {"ks", "js", "mmd"}
        How distances are compared (`Distances`).
    splits : int
        Random splits that say what is usual; Ψ is at least 1 / (splits + 1).
    seed : int
        Of the splits and the subsample.
    most_cases : int
        Where both sets hold more, a random subsample of this many in the same proportion stands for them.
    progress : callable, optional
        Told before each split which share of them is done.

    Returns
    -------
    Correspondence

    Raises
    ------
    ValueError
        For sets with different columns or an empty one, missing numbers, or ``splits`` below 1.

    Notes
    -----
    Ψ = (1 + #{splits that deviate as much or more}) / (1 + splits) (Cabitza 2020, app. C, whose share has no
    added 1 and can be 0). Splits permute the pooled cases, so that under one population Ψ is uniform on its
    steps; the released code resamples them with replacement, which makes it larger than that.
    """
    first, second = np.asarray(first, np.float64), np.asarray(second, np.float64)
    if first.ndim != 2 or second.ndim != 2 or first.shape[1] != second.shape[1]:
        raise ValueError(f"both sets must have the same columns, got shapes {first.shape} and {second.shape}")
    if len(first) == 0 or len(second) == 0:
        raise ValueError(f"each set must have a case or more, got {len(first)} and {len(second)}")
    if splits < 1:
        raise ValueError(f"splits must be 1 or more, got {splits}")
    rng = np.random.default_rng(seed)
    kept_first, kept_second = subsample(rng, len(first), len(second), most_cases)
    pooled = np.concatenate([first[kept_first], second[kept_second]])
    n_first, n_second = len(kept_first), len(kept_second)
    distances = Distances(pooled, kind)
    here = np.arange(n_first + n_second)
    deviation = _deviation(distances, here[:n_first], here[n_first:])
    by_chance = np.empty(splits)
    for split in range(splits):
        if progress is not None:
            progress(split / splits)
        order = rng.permutation(len(here))
        by_chance[split] = _deviation(distances, order[:n_first], order[n_first:])
    psi = (1 + int((by_chance >= deviation).sum())) / (1 + splits)
    left_out = len(first) + len(second) - len(here)
    return Correspondence(psi, deviation, by_chance, n_first, n_second, left_out)


def _deviation(distances: Distances, first: IntArray, second: IntArray) -> float:
    """Deviation with the smaller set taking places in the larger one."""
    return (
        distances.deviation(second, first) if len(first) < len(second) else distances.deviation(first, second)
    )


def subsample(rng: np.random.Generator, n_first: int, n_second: int, most: int) -> tuple[IntArray, IntArray]:
    """Cases of each set that are compared, ascending; all of them where there are at most ``most``."""
    if most < 4:
        raise ValueError(f"most_cases must be 4 or more, got {most}")
    total = n_first + n_second
    if total <= most:
        return np.arange(n_first), np.arange(n_second)
    keep_first = min(max(1, round(most * n_first / total)), most - 1)
    return (
        np.sort(rng.permutation(n_first)[:keep_first]),
        np.sort(rng.permutation(n_second)[: most - keep_first]),
    )


def case_correspondence(cases: FloatArray, new: FloatArray, *, kind: Deviation = "ks") -> float:
    """Correspondence Ψ of one new case to a set of cases.

    Parameters
    ----------
    cases : ndarray of float with shape (n, n_columns)
        The set, at most `MOST_CASES`.
    new : ndarray of float with shape (n_columns,)
        The new case, on the same scales.
    kind : {"ks", "js", "mmd"}
        How distances are compared (`Distances`).

    Returns
    -------
    float
        Ψ, a multiple of 1 / (n + 1): the share of the cases, the new one included, that deviate as much from
        all the others. Exact: there are only n + 1 ways to single out one case.

    Raises
    ------
    ValueError
        For another number of columns, missing numbers, too few or too many cases.
    """
    cases, new = np.asarray(cases, np.float64), np.asarray(new, np.float64)
    if cases.ndim != 2 or new.shape != cases.shape[1:]:
        raise ValueError(f"the new case must have the columns of the set, got {new.shape} and {cases.shape}")
    if len(cases) > MOST_CASES:
        raise ValueError(f"one case is compared with at most {MOST_CASES:,} others, got {len(cases):,}")
    deviation = Distances(np.concatenate([cases, new[None]]), kind).single_deviations()
    return float((deviation >= deviation[-1]).mean())


def least_alike_split(
    rows: FloatArray,
    n_second: int,
    *,
    kind: Deviation = "ks",
    splits: int = 199,
    seed: int = 0,
    progress: Callable[[float], None] | None = None,
) -> Split:
    """Find the split of a set of cases whose parts are least alike, among random ones.

    Parameters
    ----------
    rows : ndarray of float with shape (n_cases, n_columns)
        On comparable scales; at most `MOST_CASES`.
    n_second : int
        Cases of the smaller part, from 1 to half of all.
    kind : {"ks", "js", "mmd"}
        How distances are compared (`Distances`).
    splits : int
        Random splits that are tried.
    seed : int
        Of the splits.
    progress : callable, optional
        Told before each split which share of them is done.

    Returns
    -------
    Split
        For a test set that is as unlike its training set as chance alone could make it; Ψ is then
        1 / ``splits`` or more.

    Raises
    ------
    ValueError
        For sizes out of range or missing numbers.
    """
    if len(rows) > MOST_CASES:
        raise ValueError(f"at most {MOST_CASES:,} cases can be split, got {len(rows):,}")
    if not 1 <= n_second <= len(rows) // 2:
        raise ValueError(f"the smaller part must have 1 to {len(rows) // 2} cases, got {n_second}")
    if splits < 1:
        raise ValueError(f"splits must be 1 or more, got {splits}")
    distances = Distances(rows, kind)
    rng = np.random.default_rng(seed)
    seconds = [rng.permutation(len(rows))[:n_second] for _ in range(splits)]
    everyone = np.arange(len(rows))
    deviation = np.empty(splits)
    for split, second in enumerate(seconds):
        if progress is not None:
            progress(split / splits)
        deviation[split] = distances.deviation(np.setdiff1d(everyone, second), second)
    worst = int(deviation.argmax())
    return Split(
        np.sort(seconds[worst]), float(deviation[worst]), float((deviation >= deviation[worst]).mean())
    )
