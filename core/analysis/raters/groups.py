"""Groups of the panel's raters: their concordance and accuracy, as if only they had read."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

import numpy as np
import pandas as pd

from core.analysis.raters.concordance import Weights
from core.analysis.raters.panel import Panel
from core.metrics.agreement.group_concordance import group_concordance
from core.metrics.agreement.rater_groups import GroupVotes, rater_groups
from core.progress import Progress

MOST_GROUPS = 500
"""Groups of one size that are looked at; of more, so many are drawn at random."""
FEWEST_GROUPS = 5
"""Groups of which a correlation is said."""
MOST_WORK = 2 * 10**9
"""Pairs of readings that are gone through for all groups together."""


def group_table(
    panel: Panel,
    weights: Weights,
    *,
    sizes: Sequence[int] | None = None,
    most: int = MOST_GROUPS,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Concordance and accuracy of groups of the panel's raters, as if only they had read.

    Parameters
    ----------
    panel : Panel
        Raters and cases.
    weights : Weights
        From `concordance_weights`.
    sizes : sequence of int, optional
        Raters in a group; 3, 5, 7 … up to all by default, or 2 where there are two.
    most : int
        Groups of each size; of more, so many are drawn at random.
    progress : callable, optional
        Told before each size the share of the work done and what is being done.

    Returns
    -------
    DataFrame
        One row a group: ``size``, ``raters`` (ids, separated by ", "), ``agreement`` (σ), ``concordance``
        (ϱ), ``mean_accuracy`` (of its members), ``majority_accuracy`` (share of the cases with a reference
        that its majority gets right, a tie of m counting 1/m; NaN without references) and ``sampled``
        (whether there are more groups of the size). Empty where raters are not identified or fewer than two.
        ``attrs["sentence"]`` says what was sampled.

    Raises
    ------
    ValueError
        If a size is not from 2 to the number of raters, or ``most`` is below 1.
    """
    n = panel.n_raters
    columns = ["size", "raters", "agreement", "concordance", "mean_accuracy", "majority_accuracy", "sampled"]
    chosen = _sizes(n) if sizes is None else list(sizes)
    if any(not 2 <= size <= n for size in chosen):
        raise ValueError(f"sizes of groups must be from 2 to {n}, got {chosen}")
    if not panel.identified or n < 2:
        table = pd.DataFrame(columns=columns)
        table.attrs["sentence"] = "Groups of raters need at least two raters who are the same in every case."
        return table
    accuracy = np.ones(n) if weights.accuracy is None else weights.accuracy
    mean = np.nanmean(accuracy)
    accuracy = np.where(np.isnan(accuracy), mean, accuracy)
    votes = None
    if panel.has_reference:
        votes = GroupVotes(panel.readings, panel.reference, n_labels=panel.n_labels, n_raters=n)
    tables, sampled_sizes = [], []
    for place, size in enumerate(chosen):
        if progress is not None:
            progress(place / len(chosen), f"groups of {size} raters")
        groups = rater_groups(n, size, most=_affordable(panel, len(chosen), most), seed=panel.study.seed)
        same, weighted = group_concordance(
            panel.readings, panel.code, panel.n_labels, groups, accuracy=weights.accuracy
        )
        sampled = len(groups) < comb(n, size)
        sampled_sizes += [size] * sampled
        tables.append(
            pd.DataFrame(
                {
                    "size": size,
                    "raters": [", ".join(panel.rater_ids[r] for r in group) for group in groups],
                    "agreement": same,
                    "concordance": weighted,
                    "mean_accuracy": accuracy[groups].mean(axis=1),
                    "majority_accuracy": np.nan if votes is None else votes.accuracy(groups),
                    "sampled": sampled,
                }
            )
        )
    table = pd.concat(tables, ignore_index=True)
    table.attrs["sentence"] = _sampled_sentence(sampled_sizes, table)
    return table


def group_work(panel: Panel, *, most: int = MOST_GROUPS) -> float:
    """Pairs of readings that `group_table` goes through, about."""
    sizes = _sizes(panel.n_raters)
    groups = _affordable(panel, max(len(sizes), 1), most)
    return _pairs(panel) * sum(min(groups, comb(panel.n_raters, size)) for size in sizes)


def _sizes(n_raters: int) -> list[int]:
    """Odd sizes from 3 to all raters, few enough to draw: a majority of an odd group does not tie."""
    odd = list(range(3, n_raters + 1, 2))
    if len(odd) > 7:
        odd = sorted({odd[round(i * (len(odd) - 1) / 6)] for i in range(7)})
    return odd or [2] * (n_raters == 2)


def _affordable(panel: Panel, n_sizes: int, most: int) -> int:
    """Groups of a size, so that all of them take no more than `MOST_WORK`."""
    return max(1, min(most, int(MOST_WORK / max(_pairs(panel) * n_sizes, 1))))


def _pairs(panel: Panel) -> float:
    """Readings and pairs of readings of the same case."""
    n = panel.readings.per_case.astype(np.float64)
    return float((n * n).sum()) / 2 + panel.readings.n_readings


def group_summary(table: pd.DataFrame, accuracy: str) -> pd.DataFrame:
    """Sum up the groups of each size.

    Parameters
    ----------
    table : DataFrame
        From `group_table`.
    accuracy : str
        The column of accuracies.

    Returns
    -------
    DataFrame
        One row a size, ascending, of the groups of which both are known: ``size``, ``groups`` (how many);
        ``concordance`` and ``accuracy`` (means), each with ``…_low`` and ``…_high`` (smallest and largest);
        ``correlation`` of the two (Pearson), NaN with fewer than `FEWEST_GROUPS` groups or where one of them
        does not vary.
    """
    rows = []
    for size, of in table.dropna(subset=["concordance", accuracy]).groupby("size"):
        weighted, right = of["concordance"].to_numpy(float), of[accuracy].to_numpy(float)
        varies = len(of) >= FEWEST_GROUPS and min(np.ptp(weighted), np.ptp(right)) > 0
        correlation = float(np.corrcoef(weighted, right)[0, 1]) if varies else np.nan
        ends = [(value.mean(), value.min(), value.max()) for value in (weighted, right)]
        rows.append((size, len(of), *ends[0], *ends[1], correlation))
    names = [f"{name}{end}" for name in ("concordance", "accuracy") for end in ("", "_low", "_high")]
    return pd.DataFrame(rows, columns=["size", "groups", *names, "correlation"])


def _sampled_sentence(sizes: list[int], table: pd.DataFrame) -> str:
    """Say which sizes are sampled."""
    if not sizes:
        return "All groups of each size are shown."
    count = int((table["size"] == sizes[0]).sum())
    listed = ", ".join(map(str, sizes))
    return f"There are too many groups of {listed} raters: {count:,} of each size are drawn at random."
