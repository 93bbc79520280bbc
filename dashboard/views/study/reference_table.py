"""How models do by the study's own reference, beside what the readings say of the same cases."""

from __future__ import annotations

from html import escape

import streamlit as st

from core.analysis.models.by_reference import ByReference
from core.analysis.models.reference_words import (
    BY_READINGS,
    NAME,
    SAME_CASES,
    WHY,
    is_for_most,
    lead,
    table_of,
)
from dashboard.components.text import table_html
from dashboard.views import parts

HEAD = "What does the study’s own reference say?"


def show(found: ByReference, *, is_point: bool) -> None:
    """Show each model by the reference and, beneath in each cell, by the readings of the same cases.

    Nothing without one; and where most cases have one, what it says stands among the claims. A point estimate
    has no claims beside which it could stand, and no doubt that would explain why both differ.
    """
    if found.table.empty or (is_for_most(found) and not is_point):
        return
    parts.head(HEAD)
    parts.note(lead(found))
    with st.container(key="study-reference"):
        st.html(markup(found))
    parts.note(SAME_CASES if is_point else f"{SAME_CASES} {WHY}")


def markup(found: ByReference) -> str:
    """Write the table."""
    heads, rows, read = table_of(found)
    drawn = [
        {place: f"<small>{BY_READINGS} {escape(cell)}</small>" for place, cell in enumerate(cells, 1)}
        for cells in read
    ]
    return table_html(heads, rows, name=NAME, drawn=drawn)
