"""Which cases hold a text, and where: in their id, their readings or what the files say of them."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pandas.api.types import is_numeric_dtype

from core.study.model import Study, Task

ID, READING, METADATA = "id", "reading", "metadata"
"""Columns of `search`: where a text was found."""
_NOT_TEXT = "image"
"""Column of the cases that names a file."""
_WORDS = {READING: "in the readings of {}", ID: "in the id of {}", METADATA: "in the metadata of {}"}


def search(study: Study, task: Task, text: str) -> pd.DataFrame:
    """Find a text, in whatever case of its letters, in all that is known of each case.

    Parameters
    ----------
    study : Study
        Its case ids and the columns of its cases.
    task : Task
        Its readings: every label that a rater names counts, whatever its rank; of a score, the side of the
        threshold that it is on. So a leading label or a runner-up is always found.
    text : str
        Blanks around it do not count. An empty one is found everywhere.

    Returns
    -------
    DataFrame
        Indexed by case id in the study's order, with the columns `ID`, `READING` and `METADATA` of booleans.
        A column of numbers holds a text that is the same number; any other column one that is part of it.

    Notes
    -----
    Labels and the values of a column are looked at once each, so the cost grows with the annotations.
    """
    wanted = text.strip().casefold()
    found = {
        ID: np.array([wanted in case_id.casefold() for case_id in study.case_ids], bool),
        READING: _in_readings(study, task, wanted),
        METADATA: np.zeros(study.n_cases, bool),
    }
    for name, column in study.cases.items():
        if name != _NOT_TEXT:
            found[METADATA] |= _in_column(column, wanted)
    return pd.DataFrame(found, index=pd.Index(study.case_ids, name="case_id"))


def holds(found: pd.DataFrame) -> NDArray[np.bool_]:
    """Whether the text of a `search` is anywhere in each case, with shape (n_cases,)."""
    return found.any(axis=1).to_numpy(bool)


def places(found: pd.DataFrame) -> str:
    """Say in how many cases the text of a `search` is where; empty where it is in none."""
    n = {place: int(found[place].sum()) for place in _WORDS}
    cases = {place: f"{n[place]:,} case{'' if n[place] == 1 else 's'}" for place in n}
    return ", ".join(words.format(cases[place]) for place, words in _WORDS.items() if n[place])


def _in_readings(study: Study, task: Task, wanted: str) -> NDArray[np.bool_]:
    """Whether a rater names a label that holds the text, for each case."""
    readings = task.readings
    named = np.array([wanted in label.casefold() for label in task.labels], bool)
    found = np.zeros(study.n_cases, bool)
    if not named.any():
        return found
    if task.kind == "score":
        if task.threshold is not None:
            side = (readings.score >= task.threshold).astype(int)
            found[readings.case[named[side] & ~np.isnan(readings.score)]] = True
    else:
        found[readings.case[readings.entry_reading[named[readings.label]]]] = True
    return found


def _in_column(column: pd.Series, wanted: str) -> NDArray[np.bool_]:
    """Whether each value of a column of the cases holds the text."""
    if is_numeric_dtype(column) and column.dtype != bool:
        try:
            return (column == float(wanted)).to_numpy(bool)
        except ValueError:
            return np.zeros(len(column), bool)
    codes, values = pd.factorize(column.astype(str).where(column.notna(), ""))
    return np.array([wanted in value.casefold() for value in values], bool)[codes]
