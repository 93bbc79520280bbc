"""Representativeness: whether some cases of a study look like the others, by their numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy.stats import ks_2samp

from core.analysis.raters.case_groups import MOST_GROUPS
from core.analysis.raters.comparable_rows import Rows, comparable_rows
from core.metrics.correspondence.case_distances import Deviation, Distances
from core.metrics.correspondence.correspondence import (
    MOST_CASES,
    Correspondence,
    correspondence,
    least_alike_split,
    subsample,
)
from core.metrics.holm import holm
from core.progress import Progress
from core.study.model import IntArray, Study

MOST_SPLIT = 2_000
"""Cases among which the least alike split is looked for, at most."""
N_BINS = 48
"""Bins of distances that `distance_distributions` counts in."""


def compare_sets(
    rows: Rows,
    second: Sequence[int] | IntArray,
    *,
    kind: Deviation = "ks",
    splits: int = 199,
    seed: int = 0,
    most_cases: int = MOST_CASES,
    progress: Progress | None = None,
) -> Correspondence:
    """Correspondence Ψ of some cases of a study to all others.

    Parameters
    ----------
    rows : Rows
        Of `comparable_rows`.
    second : sequence of int
        Indices of cases in the study; those left out of ``rows`` do not enter.
    kind : {"ks", "js", "mmd"}
        How distances are compared (`core.metrics.correspondence.case_distances.Distances`).
    splits : int
        Random splits of all cases that say what is usual.
    seed : int
        Of splits and subsample.
    most_cases : int
        Where both sets hold more, a random subsample of this many in the same proportion stands for them.
    progress : callable, optional
        Called with the share done and what is being done.

    Raises
    ------
    ValueError
        Where one of the two sets would be empty.
    """
    inside = _inside(rows, second)

    def tell(share: float) -> None:
        if progress is not None:
            progress(share, f"{round(share * splits):,} of {splits:,} random splits")

    return correspondence(
        rows.value[~inside],
        rows.value[inside],
        kind=kind,
        splits=splits,
        seed=seed,
        most_cases=most_cases,
        progress=tell,
    )


def distance_distributions(
    rows: Rows, second: Sequence[int] | IntArray, *, seed: int = 0, most_cases: int = MOST_CASES
) -> pd.DataFrame:
    """Distances between the cases of the larger set before and after the smaller one takes places in it.

    Parameters
    ----------
    rows : Rows
        Of `comparable_rows`.
    second : sequence of int
        Indices of cases in the study; those left out of ``rows`` do not enter.
    seed : int
        Of the subsample.
    most_cases : int
        Where both sets hold more, a random subsample of this many in the same proportion stands for them.

    Returns
    -------
    DataFrame
        A row for each of `N_BINS` equally wide bins: ``low`` and ``high`` distance, in standard deviations of
        the columns; ``before`` and ``after``, the shares of the pairs of cases in it.
    """
    inside = _inside(rows, second)
    parts = [rows.value[~inside], rows.value[inside]]
    kept = subsample(np.random.default_rng(seed), len(parts[0]), len(parts[1]), most_cases)
    taken = [part[chosen] for part, chosen in zip(parts, kept, strict=True)]
    larger, smaller = sorted(taken, key=len, reverse=True)
    distances = Distances(np.concatenate([larger, smaller]))
    here = np.arange(len(larger) + len(smaller))
    before = here[: len(larger)]
    after = distances.replaced(before, here[len(larger) :])
    pairs = np.triu_indices(len(larger), 1)
    found = [distances.matrix[np.ix_(cases, cases)][pairs] for cases in (before, after)]
    edges = np.linspace(0, max(values.max(initial=0) for values in found) or 1.0, N_BINS + 1)
    shares = [np.histogram(values, edges)[0] / max(1, len(values)) for values in found]
    return pd.DataFrame({"low": edges[:-1], "high": edges[1:], "before": shares[0], "after": shares[1]})


def _inside(rows: Rows, second: Sequence[int] | IntArray) -> np.ndarray:
    """Whether each row is in the second set; both sets must have some."""
    inside = np.isin(rows.case, np.asarray(second, np.int64))
    if not 0 < inside.sum() < len(inside):
        raise ValueError(f"both sets must have a case or more, got {inside.sum()} and {(~inside).sum()}")
    return inside


def univariate_tests(rows: Rows, second: Sequence[int] | IntArray) -> pd.DataFrame:
    """Compare two sets of cases column by column.

    Parameters
    ----------
    rows : Rows
        Of `comparable_rows`.
    second : sequence of int
        Indices of cases in the study; all other cases are the first set.

    Returns
    -------
    DataFrame
        A row for each column: ``column``, ``mean_first``, ``mean_second``, ``standardised_difference``
        (second less first, by the standard deviation of all), ``ks`` (two-sample Kolmogorov–Smirnov
        statistic), ``p``, and ``p_holm``, adjusted for the number of columns. Columns that
        differ together, but not one by one, are what these tests miss and Ψ sees.
    """
    inside = _inside(rows, second)
    found = []
    for position, name in enumerate(rows.columns):
        column = rows.raw[name].to_numpy()
        test = ks_2samp(column[~inside], column[inside])
        difference = rows.value[inside, position].mean() - rows.value[~inside, position].mean()
        found.append(
            (name, column[~inside].mean(), column[inside].mean(), difference, test.statistic, test.pvalue)
        )
    names = ["column", "mean_first", "mean_second", "standardised_difference", "ks", "p"]
    table = pd.DataFrame(found, columns=names)
    return table.assign(p_holm=holm(table["p"].to_numpy()))


def correspondence_by_group(
    study: Study,
    column: str,
    *,
    columns: Sequence[str] | None = None,
    kind: Deviation = "ks",
    splits: int = 199,
    most_cases: int = MOST_CASES,
    cases: Sequence[int] | IntArray | None = None,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Correspondence of the cases with each value of a metadata column to all others (Cabitza 2020, fig. 2).

    Parameters
    ----------
    study : Study
        Gives the seed.
    column : str
        Of the cases, with 2 to `MOST_GROUPS` different values: a site, a scanner, a year.
    columns : sequence of str, optional
        The numbers that cases are compared by (`comparable_rows`), without ``column`` itself.
    kind : {"ks", "js", "mmd"}
        How distances are compared (`core.metrics.correspondence.case_distances.Distances`).
    splits : int
        Random splits of all cases that say what is usual.
    most_cases : int
        Where both sets hold more, a random subsample of this many in the same proportion stands for them.
    cases : sequence of int, optional
        Indices of the cases that are looked at; all by default.
    progress : callable, optional
        Called with the share done and what is being done.

    Returns
    -------
    DataFrame
        ``value``, ``n_cases``, ``n_others``, ``psi``, ``deviation``, ``usual_deviation`` (median of the
        random splits), ``smallest_p_holm`` (of `univariate_tests`), ``splits``, ``n_left_out`` (cases
        beyond the subsample). Least corresponding first; cases without a value are among the others.

    Raises
    ------
    ValueError
        For a column that is not there or makes no groups.
    """
    if column not in study.cases:
        raise ValueError(f"column must be one of {', '.join(map(str, study.cases.columns))}, got {column!r}")
    if columns is None:
        rows = comparable_rows(study, cases=cases)
        if column in rows.columns and len(rows.columns) > 1:
            rows = comparable_rows(study, [name for name in rows.columns if name != column], cases=cases)
    else:
        rows = comparable_rows(study, columns, cases=cases)
    given = study.cases[column].iloc[rows.case]
    values = sorted(given[given.notna() & (given.astype(str) != "")].unique().tolist(), key=str)
    if not 2 <= len(values) <= MOST_GROUPS:
        raise ValueError(f"{column} must have 2 to {MOST_GROUPS} different values, got {len(values)}")
    found = []
    for place, value in enumerate(values):
        second = rows.case[(given == value).to_numpy()]
        result = compare_sets(
            rows,
            second,
            kind=kind,
            splits=splits,
            seed=study.seed,
            most_cases=most_cases,
            progress=_part(progress, place, len(values), f"{column} {value}"),
        )
        found.append(
            {
                "value": str(value),
                "n_cases": len(second),
                "n_others": len(rows.case) - len(second),
                "psi": result.psi,
                "deviation": result.deviation,
                "usual_deviation": float(np.median(result.by_chance)),
                "smallest_p_holm": univariate_tests(rows, second)["p_holm"].min(),
                "splits": splits,
                "n_left_out": result.n_left_out,
            }
        )
    return pd.DataFrame(found).sort_values(["psi", "deviation"], ascending=[True, False], ignore_index=True)


def _part(progress: Progress | None, place: int, of: int, what: str) -> Progress | None:
    """Progress of one part of the work, told as progress of the whole."""
    if progress is None:
        return None
    return lambda share, doing: progress((place + share) / of, f"{what}: {doing}")


def unusual_cases(rows: Rows, *, kind: Deviation = "ks") -> pd.DataFrame:
    """Correspondence of every single case to all others: which ones are unlike the rest.

    Parameters
    ----------
    rows : Rows
        Of `comparable_rows`, at most `core.metrics.correspondence.correspondence.MOST_CASES`.
    kind : {"ks", "js", "mmd"}
        How distances are compared.

    Returns
    -------
    DataFrame
        ``case_id``, ``case`` (index in the study), ``deviation`` and ``psi``, the share of the cases that
        deviate as much or more; least corresponding first. Some case always is the least: look at the
        deviation.
    """
    if len(rows.case) > MOST_CASES:
        raise ValueError(f"at most {MOST_CASES:,} cases can be compared one by one, got {len(rows.case):,}")
    deviation = Distances(rows.value, kind).single_deviations()
    at_least = len(deviation) - np.searchsorted(np.sort(deviation), deviation)
    table = pd.DataFrame(
        {
            "case_id": rows.raw.index.to_numpy(),
            "case": rows.case,
            "deviation": deviation,
            "psi": at_least / len(deviation),
        }
    )
    return table.sort_values("deviation", ascending=False, kind="stable", ignore_index=True)


def least_alike(
    rows: Rows,
    share: float,
    *,
    kind: Deviation = "ks",
    splits: int = 199,
    seed: int = 0,
    progress: Progress | None = None,
) -> tuple[pd.DataFrame, float]:
    """Find the split of a study whose parts are least alike: a hard test set.

    Parameters
    ----------
    rows : Rows
        Of `comparable_rows`.
    share : float
        Of the cases that go into the smaller part, in (0, ½].
    kind : {"ks", "js", "mmd"}
        How distances are compared (`core.metrics.correspondence.case_distances.Distances`).
    splits : int
        Random splits that are tried.
    seed : int
        Of the splits.
    progress : callable, optional
        Called with the share done and what is being done.

    Returns
    -------
    DataFrame
        ``case_id``, ``case`` and ``part`` (``"first"`` or ``"second"``), in the order of the study.
    float
        The deviation of the parts.
    """
    if not 0 < share <= 0.5:
        raise ValueError(f"share must lie above 0 and at most at 0.5, got {share}")
    n_second = max(1, int(share * len(rows.case)))

    def tell(done: float) -> None:
        if progress is not None:
            progress(done, f"{round(done * splits):,} of {splits:,} random splits")

    split = least_alike_split(rows.value, n_second, kind=kind, splits=splits, seed=seed, progress=tell)
    part = np.full(len(rows.case), "first", dtype=object)
    part[split.second] = "second"
    table = pd.DataFrame({"case_id": rows.raw.index.to_numpy(), "case": rows.case, "part": part})
    return table, split.deviation
