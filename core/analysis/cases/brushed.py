"""Which cases somebody has marked in a picture, by ranges of what it shows or one by one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd


def brushed(
    cases: pd.DataFrame, ranges: Mapping[str, Sequence[float]], clicked: Sequence[str] = ()
) -> list[str]:
    """Ids of the cases that somebody has marked in a picture.

    Parameters
    ----------
    cases : DataFrame
        With a column ``case_id``.
    ranges : mapping of str to (low, high)
        Columns and what their values have to lie in; all must hold. Without any, none is marked so.
    clicked : sequence of str
        Cases marked one by one.

    Returns
    -------
    list of str
        In ascending order of the first column of the ranges; without ranges in the order of the table.
    """
    keep = cases["case_id"].isin(clicked).to_numpy()
    order = np.arange(len(cases))
    if ranges:
        within = [cases[column].between(min(span), max(span)) for column, span in ranges.items()]
        keep = keep | np.all(within, axis=0)
        order = np.argsort(cases[next(iter(ranges))].to_numpy(), kind="stable")
    ids: list[str] = cases["case_id"].iloc[order[keep[order]]].tolist()
    return ids
