"""The line above the worklist that says at which reliability it is counted, and at which Study counts."""

from __future__ import annotations

import streamlit as st

from core.analysis.export import format_reliability
from core.plausibility.settings import MODELS, Aggregation
from core.study.model import Study, Task
from dashboard.shell import sidebar, state
from dashboard.views import parts


def show(study: Study, task: Task, aggregation: Aggregation) -> None:
    """Say at which reliability the list is counted, and lead to the one at which Study counts, if others.

    Nothing is begun for it: what the readings support is said once it is known from elsewhere.
    """
    if not MODELS[aggregation.model].has_reliability:
        return
    counted = f"Counted at γ = {format_reliability(aggregation.reliability)}"
    # One place of one height, whatever is known: what stands below is not moved by what comes late.
    with st.container(
        key="counted-at", horizontal=True, wrap=False, vertical_alignment="center", gap="small"
    ):
        if not state.is_reliability_usual():
            parts.note(f"{counted}.")
        elif sidebar.predicting(study, task, aggregation.point).result is None:
            parts.note(f"{counted}. Study moves to the γ that the readings support.")
        else:
            _supported(study, task, aggregation, counted)


def _supported(study: Study, task: Task, aggregation: Aggregation, counted: str) -> None:
    """Say at which reliability Study counts, and offer it here, where nobody has chosen one."""
    # Study has been open by then, or will be: the first page need not wait for what it needs.
    from dashboard.views.study import by_reliability

    known = by_reliability.trust(study, task, aggregation)
    if known.supported is None:
        parts.note(f"{counted}.")
    elif not known.differs:
        parts.note(f"{counted}, as on Study: the readings support it.")
    else:
        gamma = f"γ = {known.supported:g}"
        parts.note(f"{counted}. Study counts at {gamma}, which the readings support.")
        st.button(
            f"Use {gamma} here",
            key="use-supported",
            help="Sets the reliability on the left, for every page.",
            on_click=by_reliability.use,
            args=(study.fingerprint, known.supported, aggregation.reliability),
        )
