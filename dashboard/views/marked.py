"""Cases marked in a picture, and the way to them in Cases."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
import streamlit as st

from core.analysis.cases.brushed import brushed
from dashboard.charts.reliability.certainty import BRUSH, CLICK
from dashboard.components.text import count
from dashboard.shell import state
from dashboard.shell.address import fit_for_address

HOW = "Drag over cases, or click one, to open them."
"""What a picture says whose cases can be marked."""


def offer(cases: pd.DataFrame, selected: Mapping[str, Any], *, key: str) -> None:
    """Offer to open the cases that are marked by brush or click, as many as a link can name.

    ``cases`` have ``case_id``, and the columns by which the picture is brushed.
    """
    ranges = {name: span for name, span in selected.get(BRUSH, {}).items() if name in cases}
    clicked = [row["case_id"] for row in selected.get(CLICK, []) if "case_id" in row]
    ids = brushed(cases, ranges, clicked)
    if not ids:
        return
    named = fit_for_address(ids)
    which = count(len(ids), "case")
    if len(named) < len(ids):
        which = f"the first {len(named)} of {which}"
    if st.button(f"Open {which} in Cases", key=f"open-{key}"):
        state.change(**state.ALL_CASES | {"only": named, "case": named[0]})
        state.open_page("cases")
