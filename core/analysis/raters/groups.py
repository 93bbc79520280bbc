"""Groups of the panel's raters: their concordance and accuracy, as if only they had read."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

import numpy as np
import pandas as pd

from core.analysis.raters.concordance_tables import Weights
from core.analysis.raters.panel import Panel
from core.metrics.group_concordance import group_concordance
from core.metrics.rater_groups import GroupVotes, rater_groups

MOST_GROUPS = 500
"""Groups of one size that are looked at; of more, so many are drawn at random."""
MOST_WORK = 2 * 10**9
"""Pairs of readings that are gone through for all groups together."""


def group_table(
    panel: Panel, weights: Weights, *, sizes: Sequence[int] | None = None, most: int = MOST_GROUPS
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
    for size in chosen:
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


def _sizes(n_raters: int) -> list[int]:
    """Odd sizes from 3 to all raters, few enough to draw: a majority of an odd group does not tie."""
    odd = list(range(3, n_raters + 1, 2))
    if len(odd) > 7:
        odd = sorted({odd[round(i * (len(odd) - 1) / 6)] for i in range(7)})
    return odd or [2] * (n_raters == 2)


def _affordable(panel: Panel, n_sizes: int, most: int) -> int:
    """Groups of a size, so that all of them take no more than `MOST_WORK`."""
    n = panel.readings.per_case.astype(np.float64)
    work = float((n * n).sum()) / 2 + panel.readings.n_readings
    return max(1, min(most, int(MOST_WORK / max(work * n_sizes, 1))))


def _sampled_sentence(sizes: list[int], table: pd.DataFrame) -> str:
    """Say which sizes are sampled."""
    if not sizes:
        return "All groups of each size are shown."
    count = int((table["size"] == sizes[0]).sum())
    listed = ", ".join(map(str, sizes))
    return f"There are too many groups of {listed} raters: {count:,} of each size are drawn at random."
