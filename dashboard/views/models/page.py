"""The page: what was found, what it rests on, and the pictures of it."""

from __future__ import annotations

import streamlit as st

from core.analysis.models.tables import Measured
from core.study.model import Study, Task
from dashboard.components.text import element
from dashboard.shell import sidebar, state, theme
from dashboard.views import parts
from dashboard.views.models import controls, order, rivals, sureness, words
from dashboard.views.models.ahead import look_ahead
from dashboard.views.models.measuring import Comparing


def show(chosen: sidebar.Chosen) -> None:
    """Draw the page."""
    if chosen.study is None or chosen.task is None:
        parts.refused(chosen)
        return
    element("h1", "Models")
    if not chosen.task.predictions:
        _no_models(chosen.study, chosen.task)
        return
    _page(chosen.study, chosen.task)


def _no_models(study: Study, task: Task) -> None:
    """Say what to do where there is nothing to compare."""
    predicted = [name for name, of in study.tasks.items() if of.predictions]
    if not predicted:
        element(
            "p",
            "This study has no predictions. Add predictions.csv, or a file for each model in a folder "
            "predictions, to compare models here.",
        )
        return
    element("p", f"No model predicts “{task.name}”. Other tasks of this study have predictions.")
    key = "predicted-task"
    st.selectbox(
        "Compare the models of",
        predicted,
        index=None,
        placeholder="Choose a task",
        key=key,
        on_change=lambda: state.change(task=st.session_state.get(key) or task.name),
        width=320,
    )


@st.fragment
def _page(study: Study, task: Task) -> None:
    """Draw everything that a choice changes: the whole page."""
    aggregation = sidebar.reliability_slider(study, task)
    settings = controls.settle(task, aggregation)
    try:
        comparing = Comparing(study, task, aggregation, settings)
        found = comparing.measured(waiting="Measuring the models …")
    except ValueError as refusal:
        parts.warning(f"The models cannot be compared: {refusal}.")
        controls.show(task, aggregation, settings, None, None)
        state.write_address()
        return
    measure = controls.measure_of(found)
    if measure is None:
        parts.warning(f"The models cannot be compared. {words.refusals(found)}")
        controls.show(task, aggregation, settings, found, None)
    else:
        _compared(comparing, found, measure)
    state.write_address()


def _compared(comparing: Comparing, found: Measured, measure: str) -> None:
    """Draw a comparison."""
    top = st.container()
    drawn, refused = None, ""
    try:
        drawn = comparing.resampled(found, measure)
    except ValueError as refusal:
        refused = str(refusal)
    tokens = theme.tokens()
    comparison = comparing.comparison(found, drawn, measure, tokens)
    with top:
        parts.sentence(words.finding(comparison))
        controls.show(comparison.task, comparison.aggregation, comparison.settings, found, measure)
        parts.note(words.rests_on(comparison))
    with st.container(key="wide"):
        order.show(comparison)
        parts.head("How sure is the order?")
        if drawn is not None:
            rivals.adopt(sureness.show(comparison, drawn))
        elif refused:
            parts.note(f"No draws are made of {measure}: {refused}.")
        rivals.show(comparison)
        order.behind(comparison)
    look_ahead(comparing)
