"""The source that models are not judged by: the study's own reference beside readings, or the readings."""

from __future__ import annotations

from html import escape

import pandas as pd
import streamlit as st

from core.analysis.models.by_reference import ByReference
from core.analysis.models.claims import judged_claims, table_of
from core.analysis.models.reference_words import (
    BY_READINGS,
    NAME,
    READINGS_NAME,
    decide_by,
    is_for_most,
    lead,
    why,
)
from core.analysis.models.reference_words import table_of as by_both
from dashboard.components.text import table_html
from dashboard.views import parts
from dashboard.views.study.by_reliability import ranges_of

HEAD = "What does the study’s own reference say?"
READINGS_HEAD = "What do the readings alone say?"
_DECIDES = "Where both judge a claim differently, the reference decides."


def show(found: ByReference, judged: pd.DataFrame, *, is_point: bool) -> None:
    """Show each model by the source that does not decide.

    Where readings decide, that is the reference, with the readings of the same cases beneath in each cell;
    nothing without one. Where the reference does, these are the readings, as ``judged`` has them. A point
    estimate supports nothing, and has no doubt that would explain why both differ.
    """
    if found.table.empty:
        return
    if found.decides and not is_point:
        parts.head(READINGS_HEAD)
        with st.container(key="study-reference"):
            st.html(_read(judged))
        parts.note(f"{why(found)} {_DECIDES}")
        return
    parts.head(HEAD)
    by = decide_by(found.standards) if is_for_most(found) and not is_point else ""
    parts.note(f"{lead(found)} {by}".strip())
    with st.container(key="study-reference"):
        st.html(markup(found))
    if not is_point:
        parts.note(why(found))


def markup(found: ByReference) -> str:
    """Write the table of what the reference says."""
    heads, rows, read = by_both(found)
    drawn = [
        {place: f"<small>{BY_READINGS} {escape(cell)}</small>" for place, cell in enumerate(cells, 1)}
        for cells in read
    ]
    return table_html(heads, rows, name=NAME, drawn=drawn)


def _read(judged: pd.DataFrame) -> str:
    """Write the table of what the readings support."""
    claimed = dict(zip(judged["names"], judged["hard"], strict=True))
    claims = judged_claims(claimed, ranges_of(judged), judged.drop(columns="best"))
    return table_html(*table_of(claims), name=READINGS_NAME)
