"""The readings of a case, as they were given."""

from __future__ import annotations

import re

import pandas as pd
import streamlit as st

from core.analysis.formatting import percent
from core.study.model import Task
from dashboard.components import text
from dashboard.components.text import count
from dashboard.shell.derived import Derived
from dashboard.views import parts

FEWEST_READINGS, MOST_READINGS, MOST_CHARACTERS = 4, 12, 1000
"""Readings that are shown at once; the others are folded."""
FEWEST_FOLDED = 3
_PLACED = r"^1\. |, tied(?:;|$)"
"""What readings with several labels say."""
_SHOWN: Derived[tuple[pd.DataFrame, int, bool]] = Derived()
_NUMBER = re.compile(r"(\d+\.) ")
"""The place of a label within a reading."""


def show(table: pd.DataFrame, task: Task, ties: str = "") -> None:
    """List the readings as they were given; a great many are folded. ``ties`` says how tied labels count."""
    shown, first, has_places = _SHOWN.of(table, task.kind, lambda: _as_shown(table, task))
    _reading_rows(shown.head(first))
    if len(shown) > first:
        with st.expander(f"{count(len(shown) - first, 'more reading')} of {len(shown):,}"):
            _reading_rows(shown.iloc[first:])
    if has_places:
        parts.note("1. is the reader's first choice. Labels that share a place are tied.")
    with st.container():
        if ties:
            parts.folded_note("How ties count", ties)


def _as_shown(table: pd.DataFrame, task: Task) -> tuple[pd.DataFrame, int, bool]:
    """The readings in words, how many of them stand open, and whether their labels have places."""
    shown = table.copy()
    if "confidence" in shown:
        shown["confidence"] = ["" if pd.isna(value) else percent(value) for value in shown["confidence"]]
    if "score" in shown:
        shown["score"] = [f"{value:g}" for value in shown["score"]]
    if "reading" in shown:  # A place stays with its label.
        shown["reading"] = [_NUMBER.sub("\\1\u00a0", str(said)) for said in shown["reading"]]
    shown.columns = [name.capitalize() for name in shown.columns]
    has_places = task.kind == "ranking" and table["reading"].astype(str).str.contains(_PLACED).any()
    return shown, _unfolded(shown), bool(has_places)


def _unfolded(shown: pd.DataFrame) -> int:
    """How many readings stand open: fewer where the names of the labels are long."""
    length = shown.astype(str).map(len).sum(axis=1).cumsum().to_numpy()
    fitting = int((length <= MOST_CHARACTERS).sum())
    fitting = min(max(fitting, FEWEST_READINGS), MOST_READINGS)
    return fitting if len(shown) - fitting >= FEWEST_FOLDED else len(shown)


def _reading_rows(shown: pd.DataFrame) -> None:
    """Show readings as a table."""
    rows = [[str(cell) for cell in row] for row in shown.itertuples(index=False, name=None)]
    text.table(list(shown.columns), rows, name="Readings of the case")
