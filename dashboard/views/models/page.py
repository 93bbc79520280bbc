"""The page: what was found, what it rests on, and the pictures of it."""

from __future__ import annotations

import streamlit as st

from core.analysis.model_finding import finding, reasons
from core.analysis.model_tables import Measured
from core.study.model import Study, Task
from dashboard import sidebar, state
from dashboard.text import count, element
from dashboard.views import parts
from dashboard.views.models import controls, order, rivals, sureness
from dashboard.views.models.measuring import Comparing, look_ahead
from dashboard.views.models.scene import Scene


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
        on_change=lambda: state.change(task=st.session_state[key]),
        width=320,
    )


@st.fragment
def _page(study: Study, task: Task) -> None:
    """Draw everything that a choice changes: the whole page."""
    aggregation = sidebar.reliability_slider(study, task)
    basis = controls.settle(task, aggregation)
    try:
        comparing = Comparing(study, task, aggregation, basis)
        found = comparing.measured(waiting="Measuring the models …")
    except ValueError as refusal:
        element("p", f"The models cannot be compared: {refusal}.", role="warning")
        controls.show(task, aggregation, basis, None, None)
        state.write_address()
        return
    measure = controls.measure_of(found)
    if measure is None:
        element("p", f"The models cannot be compared. {_refusals(found)}", role="warning")
        controls.show(task, aggregation, basis, found, None)
    else:
        _compared(comparing, found, measure)
    state.write_address()


def _compared(comparing: Comparing, found: Measured, measure: str) -> None:
    """Draw a comparison."""
    top = st.container()
    drawn, refused = None, ""
    try:
        drawn = comparing.drawn(found, measure)
    except ValueError as refusal:
        refused = str(refusal)
    look = controls.look()
    scene = comparing.scene(found, drawn, measure, look)
    with top:
        element("p", scene.kept("finding", lambda: _finding(scene)), role="sentence")
        controls.show(scene.task, scene.aggregation, scene.basis, found, measure)
        parts.note(scene.kept("rests on", lambda: _rests_on(scene)))
    with st.container(key="wide"):
        order.show(scene)
        parts.head("How sure is the order?")
        if drawn is not None:
            rivals.adopt(sureness.show(scene, drawn))
        elif refused:
            parts.note(f"No draws are made of {measure}: {refused}.")
        rivals.show(scene)
    look_ahead(comparing, look)


def _finding(scene: Scene) -> str:
    """State the finding with its uncertainty."""
    return finding(scene.rows, scene.of_source("best"), draws=scene.draws)


def _rests_on(scene: Scene) -> str:
    """Which cases, readings and models the comparison rests on, and what is left out and why."""
    compared = scene.found.compared
    readings = scene.found.labels["n_readings"]
    low, high = int(readings.min()), int(readings.max())
    each = f"{low}" if low == high else f"{low} to {high}"
    words = [
        "A hard metric takes the majority of a case's readings for the truth, its counterpart keeps all.",
        f"Judged: {len(compared.cases):,} of {count(scene.study.n_cases, 'case')}, with {each} readings each",
    ]
    if compared.n_unread:
        words[-1] += f"; {compared.n_unread:,} were not read"
    if compared.n_left_out:
        words[-1] += f"; {compared.n_left_out:,} lack a prediction"
    words[-1] += "."
    if scene.basis.coverage == "own":
        scored = compared.n_scored
        words.append(f"Each model on its own cases: {int(scored.min()):,} to {int(scored.max()):,}.")
    if scene.rows["reason"].ne("").any():
        words.append(f"Left out: {reasons(scene.rows)}.")
    if scene.found.refused:
        words.append(_refusals(scene.found))
    return " ".join(words)


def _refusals(found: Measured) -> str:
    """Which metrics cannot be had, and why."""
    by_reason: dict[str, list[str]] = {}
    for metric, reason in found.refused.items():
        by_reason.setdefault(reason, []).append(metric)
    return " ".join(
        f"Not offered: {', '.join(metrics)} ({reason.rstrip('.')})." for reason, metrics in by_reason.items()
    )
