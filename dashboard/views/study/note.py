"""The note of the open study for whoever decides: what was tested, the verdict, and what to ask a vendor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.export import provenance
from core.analysis.file_names import file_stem
from core.study.model import Study, Task
from dashboard.components import text
from dashboard.components.note import made_on, offered, shown
from dashboard.components.text import element
from dashboard.shell import widgets
from dashboard.views.study.found import Found, reached

TITLE = "What the note for a vendor or a board says"
ALL, _OF = "all models", "study-note-of"
_SEVERAL = 2


class Places(NamedTuple):
    """Where the note is saved, and where it is read, in a panel that is open or not."""

    save: DeltaGenerator
    read: Any


def places() -> Places:
    """Keep the places of the note; what they hold comes once the verdict is known."""
    # Who reads a report has the verdict already.
    with st.container(key=f"{text.AT_SCREEN}-study-note", gap="xsmall"):
        save = st.container(key="study-note-save", horizontal=True, vertical_alignment="center", gap="small")
        with save:
            text.blank(1)  # One that holds nothing is not drawn; this takes no room.
        return Places(save, st.expander(TITLE, key="study-note", on_change="rerun"))


def show(at: Places, study: Study, task: Task, found: Found, ceiling: tuple[float, float]) -> None:
    """Offer the note, and write it where its panel is open; while the verdict is awaited, that it is."""
    # It takes time to import, which the first page need not wait for.
    from core.analysis.models.decision_note import awaited_note, decision_note

    with at.save:
        # In the order of their claims, the best first, once these are known.
        known = () if found.judged is None else tuple(found.judged["names"])
        models = task.probability_models if found.is_awaited else known
        is_choice = len(models) >= _SEVERAL
        element("p", f"Note for a vendor or a board{', about' * is_choice}")
        of = _of(models) if is_choice else ""
        if found.is_awaited:
            note = awaited_note(study)
        else:
            verdict = reached(found, ceiling, task, of)
            note = decision_note(study, task, found.trust, verdict, of=of, made_on=made_on())
        source = provenance(study, task, found.trust.aggregation)
        offered(note, key="study", stem=file_stem("study", f"note {of}".rstrip(), source))
    if getattr(at.read, "open", False):
        with at.read:
            shown(note, key="study")


def _of(models: Sequence[str]) -> str:
    """Let it be chosen whose note it is: no vendor need read of another's model; empty for all of them."""
    offered = ["", *models]
    of: str = widgets.own(_OF, offered)
    st.selectbox(
        "The note is about",
        width=200,
        label_visibility="collapsed",
        **widgets.choice(_OF, of, offered, words=lambda model: model or ALL),
    )
    return of
