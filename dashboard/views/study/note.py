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
from dashboard.shell import widgets
from dashboard.views.study.found import Found, reached

TITLE = "Note for a vendor or a board, on one page: verdict and questions"
ALL, _OF = "all models, to decide between them", "study-note-of"
_SEVERAL = 2


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

    with place:
        of = "" if found.is_awaited else _of(found)
        if found.is_awaited:
            note = awaited_note(study)
        else:
            verdict = reached(found, ceiling, task, of)
            note = decision_note(study, task, found.trust, verdict, of=of, made_on=made_on())
        source = provenance(study, task, found.trust.aggregation)
        taken_away(note, key="study", stem=file_stem("study", f"note {of}".rstrip(), source))


def _of(found: Found) -> str:
    """Let it be chosen whose note it is: no vendor need read of another's model; empty for all of them."""
    models = [] if found.judged is None else found.judged["names"].tolist()
    if len(models) < _SEVERAL:
        return ""
    offered = ["", *models]
    of: str = widgets.own(_OF, offered)
    st.selectbox(
        "The note is about",
        width=320,
        **widgets.choice(_OF, of, offered, words=lambda model: model or ALL),
    )
    return of
