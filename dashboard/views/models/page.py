"""The page: what was found, what it rests on, and the pictures of it."""

from __future__ import annotations

import streamlit as st

from core.analysis.aggregate import Aggregation
from core.analysis.export import provenance
from core.analysis.model_finding import finding, reasons
from core.analysis.model_tables import N_DRAWS, Measured, Resampled
from core.study.model import Study, Task
from dashboard import sidebar, state
from dashboard.text import count, element
from dashboard.views import parts
from dashboard.views.models import controls, order, rivals, sureness
from dashboard.views.models.controls import Basis, Scene
from dashboard.views.models.measuring import Comparing, look_ahead


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
        found = Comparing(study, task, aggregation, basis).measured(waiting="Measuring the models …")
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
        _compared(study, task, aggregation, basis, found, measure)
    state.write_address()


def _compared(
    study: Study, task: Task, aggregation: Aggregation, basis: Basis, found: Measured, measure: str
) -> None:
    """Draw a comparison."""
    rows = found.metrics[found.metrics["metric"] == measure]
    scene = Scene(
        study,
        task,
        aggregation,
        basis,
        found,
        measure,
        rows["counterpart"].iloc[0],
        rows,
        provenance(study, task, aggregation) | _settings(found, basis, measure),
    )
    top = st.container()
    comparing = Comparing(study, task, aggregation, basis)
    drawn, refused = None, ""
    try:
        drawn = comparing.drawn(found, measure)
    except ValueError as refusal:
        refused = str(refusal)
    with top:
        _say(scene, drawn)
        controls.show(task, aggregation, basis, found, measure)
        _rests_on(scene)
    with st.container(key="wide"):
        order.show(scene)
        parts.head("How sure is the order?")
        if drawn is not None:
            rivals.adopt(sureness.show(scene, drawn))
        elif refused:
            parts.note(f"No draws are made of {measure}: {refused}.")
        rivals.show(scene, drawn)
    look_ahead(comparing)


def _settings(found: Measured, basis: Basis, measure: str) -> dict[str, str]:
    """What goes with every download beside the study and its aggregation."""
    return {
        "label": found.compared.label,
        "hard label": basis.rule,
        "cases": f"{basis.coverage}: {len(found.compared.cases)}",
        "draws of truths": basis.truths,
        "number of draws": str(N_DRAWS),
        "metric": measure,
        "ranked by": f"{controls.ranked_by()} metric",
        "uncertain": controls.unsure(),
    }


def _say(scene: Scene, drawn: Resampled | None) -> None:
    """State the finding with its uncertainty."""
    best = sureness.rows_of(scene, drawn, "best")
    draws = controls.drawn_words(scene.basis, controls.unsure())
    element("p", finding(scene.rows, best, draws=draws), role="sentence")


def _rests_on(scene: Scene) -> None:
    """Say which cases, readings and models the comparison rests on, and what is left out and why."""
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
    parts.note(" ".join(words))


def _refusals(found: Measured) -> str:
    """Which metrics cannot be had, and why."""
    by_reason: dict[str, list[str]] = {}
    for metric, reason in found.refused.items():
        by_reason.setdefault(reason, []).append(metric)
    return " ".join(
        f"Not offered: {', '.join(metrics)} ({reason.rstrip('.')})." for reason, metrics in by_reason.items()
    )
