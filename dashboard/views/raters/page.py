"""Raters: how good the Diamond standard itself is."""

from __future__ import annotations

import streamlit as st

from core.analysis.export import made_by
from core.analysis.raters.finding import finding
from core.analysis.raters.panel import Panel
from core.analysis.raters.report import panel_notes
from core.plausibility.settings import error_prior_words
from core.study.model import Study, Task
from dashboard.components.text import count, element
from dashboard.shell import sidebar, state
from dashboard.views import parts
from dashboard.views.raters import (
    agreement,
    choose,
    concordance,
    confidence,
    fineness,
    groups,
    needed,
    planning,
    profiles,
    representativeness,
    tables,
)


def show(chosen: sidebar.Chosen) -> None:
    """Draw the page."""
    if chosen.study is None or chosen.task is None:
        parts.refused(chosen)
        return
    element("h1", "Raters")
    element(
        "p",
        "Models are judged by what the raters say. How good is that standard itself: do raters agree, are "
        "they sure and right, and how many of them does it take? A rater reads cases; a reading is what one "
        "rater says of one case.",
    )
    _page(chosen.study, chosen.task)


@st.fragment
def _page(study: Study, task: Task) -> None:
    """Draw everything; another choice of raters or cases changes all of it."""
    said = st.container()
    chosen = choose.choose(study, task)
    if chosen is not None:
        source = _provenance(chosen)
        with said:
            _finding(chosen)
        with st.container(key="wide"):
            agreement.show(chosen, source)
            concordance.show(chosen, source)
            confidence.show(chosen, source)
            profiles.show(chosen, source)
            groups.show(chosen, source)
            fineness.show(chosen, source)
            needed.show(chosen, source)
            planning.show(chosen, source)
            representativeness.show(chosen, source)
    state.write_address()


def _finding(chosen: Panel) -> None:
    """Say what all of it comes to."""
    coefficients = tables.coefficients(chosen, ordered=state.view().label_order, watched=True)
    steps = concordance.measured(chosen).steps
    parts.sentence(finding(chosen, coefficients, steps))
    notes = panel_notes(chosen)
    if notes:
        parts.note(" ".join(notes))


def _provenance(chosen: Panel) -> dict[str, str]:
    """Say what made the tables of this page."""
    n = len(chosen.case_ids)
    cases = "all"
    if n < chosen.study.n_cases:
        cases = f"{n:,} of {count(chosen.study.n_cases, 'case')}: {'; '.join(choose.filter_words())}"
    return {
        **made_by(chosen.study, chosen.task),
        "raters": ", ".join(state.view().raters) or "all",
        "cases": cases,
        "prior of Dawid–Skene": error_prior_words(1.0),
    }
