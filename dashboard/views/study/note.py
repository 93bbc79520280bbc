"""The note of the open study for whoever decides: what was tested, the verdict, and what to ask a vendor."""

from __future__ import annotations

from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.export import provenance
from core.analysis.file_names import file_stem
from core.study.model import Study, Task
from dashboard.components import text
from dashboard.components.note import made_on, taken_away
from dashboard.views.study.found import Found, reached

TITLE = "What to ask a vendor: a note of one page"


def panel() -> Any:
    """Draw the panel, open or not; what it holds comes once the verdict is known."""
    # Who reads a report has the verdict already.
    with st.container(key=f"{text.AT_SCREEN}-study-note"):
        return st.expander(TITLE, key="study-note", on_change="rerun")


def show(place: DeltaGenerator, study: Study, task: Task, found: Found, ceiling: tuple[float, float]) -> None:
    """Write the note where its panel is open; while the verdict is awaited, that it is."""
    if not getattr(place, "open", False):
        return
    # It takes time to import, which the first page need not wait for.
    from core.analysis.models.decision_note import awaited_note, decision_note

    if found.is_awaited:
        note = awaited_note(study)
    else:
        verdict = reached(found, ceiling, task)
        note = decision_note(study, task, found.trust, verdict, made_on=made_on())
    source = provenance(study, task, found.trust.aggregation)
    with place:
        taken_away(note, key="study", stem=file_stem("study", "note", source))
