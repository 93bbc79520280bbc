"""Groups of cases: which columns of the cases part them, and who is in a group."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from core.study.model import IntArray, Study

TRUTH_PREFIX = "true_"
"""Columns of simulated studies that no real one has; they are no features."""
MOST_GROUPS = 20
"""Metadata columns with more different values than this make no groups."""


def grouping_columns(study: Study, cases: Sequence[int] | IntArray | None = None) -> dict[str, list[str]]:
    """Columns of the cases that part them into groups: name to its values, as text, most cases first.

    A column has 2 to `MOST_GROUPS` different values among ``cases`` (indices; all by default); images and
    what only simulated studies know are none.
    """
    found = {}
    for column in study.cases.columns:
        if str(column).startswith(TRUTH_PREFIX) or column == "image":
            continue
        counts = _group_names(study, str(column), cases).value_counts()
        if 2 <= len(counts) <= MOST_GROUPS:
            found[str(column)] = [str(value) for value in counts.index]
    return found


def cases_of_group(study: Study, column: str, value: str) -> IntArray:
    """Indices of the cases whose ``column`` says ``value``, as text."""
    names = study.cases[column]
    return np.flatnonzero((names.notna() & (names.astype(str) == value)).to_numpy())


def _group_names(study: Study, column: str, cases: Sequence[int] | IntArray | None) -> pd.Series:
    """Values of a column, as text, where there is one."""
    given = study.cases[column] if cases is None else study.cases[column].iloc[np.asarray(cases, np.int64)]
    given = given[given.notna()].astype(str)
    return given[given != ""]
