"""Raters: how good the Diamond standard itself is."""

from __future__ import annotations

import streamlit as st

from core.analysis.export import made_by
from core.analysis.methods_text import Paragraph, of_data
from core.analysis.raters.accuracy import best_standard
from core.analysis.raters.finding import finding
from core.analysis.raters.methods import of_raters, tells_ability
from core.analysis.raters.panel import Panel
from core.analysis.raters.report import panel_notes
from core.analysis.raters.settings import RaterSettings
from core.analysis.recipe import page_recipe
from core.plausibility.settings import error_prior_words
from core.settings import part
from core.study.model import Study, Task
from dashboard.components.text import count, element
from dashboard.shell import sidebar, state
from dashboard.views import methods_text, parts
from dashboard.views.raters import (
    agreement,
    choose,
    concordance,
    confidence,
    confusion,
    fineness,
    groups,
    needed,
    planning,
    profiles,
    representativeness,
    reread,
    tables,
    two_groups,
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
    if not chosen.task.readings.n_readings:
        st.info("None of these cases was read, so nothing can be said of raters.")
        return
    _page(chosen.study, chosen.task)


@st.fragment
def _page(study: Study, task: Task) -> None:
    """Draw everything; another choice of raters or cases changes all of it."""
    sidebar.saved_views(study)
    said = st.container()
    chosen = choose.choose(study, task)
    if chosen is not None:
        source = _provenance(chosen)
        with st.container(key="wide"):
            above = st.container()
            # At once: this is where Study leads to, and what stands above it is long in coming.
            planning.head()
            below = st.container()
        with said:
            _finding(chosen)
        with above:
            agreement.show(chosen, source)
            concordance.show(chosen, source)
            confidence.show(chosen, source)
            profiles.show(chosen, source)
            confusion.show(chosen, source)
            groups.show(chosen, source)
            two_groups.show(chosen, source)
            fineness.show(chosen, source)
            needed.show(chosen, source)
        with below:
            planning.show(chosen, source)
            reread.show(chosen, source)
            representativeness.show(chosen, source)
            methods_text.show(
                lambda: (
                    of_data(chosen.study, chosen.task),
                    *_of_cases(chosen),
                    _measured(chosen),
                ),
                lambda link: page_recipe(
                    "raters", chosen.study, chosen.task, [part(RaterSettings, state.view())], link=link
                ),
                why_none=methods_text.rounds_count(chosen.study) or _why_no_recipe(chosen),
            )
    state.write_address()


def _finding(chosen: Panel) -> None:
    """Say what all of it comes to."""
    coefficients = tables.coefficients(chosen, ordered=state.view().label_order, watched=True)
    steps = concordance.measured(chosen).steps
    parts.sentence(finding(chosen, coefficients, steps))
    notes = panel_notes(chosen)
    if notes:
        parts.note(" ".join(notes))


def _of_cases(chosen: Panel) -> tuple[Paragraph, ...]:
    """Say which cases are looked at, where some are left out."""
    cases = _provenance(chosen)["cases"]
    return () if cases == "all" else (Paragraph("Cases", f"Of them {cases}."),)


def _measured(chosen: Panel) -> Paragraph:
    """Say how they were measured."""
    settings = part(RaterSettings, state.view())
    given = settings.rater_accuracy
    table = tables.profiles(chosen, given)
    has_ability = table is not None and tells_ability(table)
    return of_raters(settings, judged_by=best_standard(chosen, given), has_ability=has_ability)


def _why_no_recipe(chosen: Panel) -> str:
    """Why the command cannot measure what the page shows; empty where it can."""
    few = _provenance(chosen)["cases"] != "all"
    return "cases are left out by filters; a condition on the left can be said to commands too" if few else ""


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
