"""How much of what Study says depends on the reliability: a small table beside its first sentence."""

from __future__ import annotations

import math

import pandas as pd
import streamlit as st

from core.analysis.models import by_reliability
from core.analysis.models.settings import COVERAGES, Coverage
from core.analysis.reliability.fit import PREDICTING, best_in_words, best_reliability
from core.plausibility.settings import MODELS, Aggregation
from core.progress import Progress
from core.study.model import Study, Task
from dashboard.components import text
from dashboard.shell import cache, sidebar, state
from dashboard.shell.jobs import Job
from dashboard.shell.progress import start, watch
from dashboard.shell.steps import Steps
from dashboard.views import parts

MOST_CASES_RECKONED = 5000
"""Studies with more cases show no table: each of its rows aggregates them all."""
MOST_READINGS_PREDICTED, MOST_READINGS_DRAWN = 50_000, 3000
"""Readings up to which the reliability that they support is found unasked: exactly, and by draws."""
PATIENCE = 1.0
"""Seconds that the end of the page waits for what mostly takes less, before it shows a bar."""


def coverage_of(task: Task) -> Coverage:
    """Cases that models are judged on: what is chosen, where that makes a difference."""
    from core.analysis.models.tables import differ_in_cases

    return state.view().coverage if differ_in_cases(task) else COVERAGES[0]


@cache.background
def reckoning(
    progress: Progress,
    study: Study,
    task: Task,
    aggregation: Aggregation,
    steps: Steps,
    reliabilities: tuple[float, ...],
    coverage: Coverage,
) -> dict[float, by_reliability.Reckoned]:
    """Find in the background what the study comes to at some reliabilities."""
    from core.analysis.models.supported import leader_in_words, supported

    found = {}
    for number, gamma in enumerate(reliabilities):
        progress(number / len(reliabilities), f"at reliability {gamma:g}")
        best = ""
        if task.probability_models:
            best = leader_in_words(supported(study, task, aggregation.at(gamma), coverage=coverage).table)
        found[gamma] = by_reliability.reckoned(steps.at(gamma)["certainty"], best, is_point=math.isinf(gamma))
    return found


def show(study: Study, task: Task, aggregation: Aggregation, leader: str) -> None:
    """Show the table, and which of its rows the readings support.

    ``leader`` is the best supported model at the reliability in force; empty while it is not known.
    """
    model = MODELS[aggregation.model]
    if not model.has_reliability or not task.readings.n_readings:
        return
    predicting = _predicting(study, task, aggregation)
    curve = None if predicting is None else predicting.result
    best = None if curve is None else best_reliability(curve)
    if study.n_cases <= MOST_CASES_RECKONED:
        _table(study, task, aggregation, leader, best)
    if predicting is None:
        return
    # Its place stays, whatever stands in it.
    with st.container():
        if curve is None:
            _offer(predicting)
        elif best == aggregation.reliability:
            parts.note(f"The readings themselves support γ = {best_in_words(curve)} best: it is in use.")
        else:
            st.button(
                f"Use γ = {best:g}, which the readings themselves support",
                key="anchor-use-reliability",
                type="tertiary",
                help="Left-out readings are predicted best from the others of their cases at this reliability"
                f" ({best_in_words(curve)})",
                on_click=state.change,
                kwargs={"reliability": best},
            )


def _table(study: Study, task: Task, aggregation: Aggregation, leader: str, best: float | None) -> None:
    """Show what the study comes to at the usual reliabilities, at what is in force, and what is supported."""
    steps, now = cache.steps(study, task, aggregation), aggregation.reliability
    wanted = by_reliability.shown_reliabilities(now, best)
    known: dict[float, by_reliability.Reckoned] = {}
    if leader or not task.probability_models:
        known[now] = by_reliability.reckoned(steps.at(now)["certainty"], leader, is_point=math.isinf(now))
    others = () if best is None or best in (now, *by_reliability.USUAL) else (best,)
    for asked in (by_reliability.USUAL, others):
        if not asked or not known:
            continue
        job = reckoning(study, task, aggregation.at(1.0), steps, asked, coverage_of(task))
        parts.wait_shortly(job, PATIENCE)
        found = parts.result_of(job, what="At other reliabilities", key=f"reckoned-{len(asked)}")
        known = (found or {}) | known
    heads, rows = by_reliability.in_words(
        {gamma: known.get(gamma) for gamma in wanted},
        aggregation,
        best=best,
        has_models=bool(task.probability_models),
    )
    with st.container(key="by-reliability"):
        text.table(heads, rows, name="How much depends on the reliability")


def _predicting(study: Study, task: Task, aggregation: Aggregation) -> Job[pd.DataFrame] | None:
    """Find the reliability that the readings support, unasked where that is quick; None where none can be."""
    readings = task.readings
    if aggregation.model not in PREDICTING or not (readings.per_case >= 2).any():
        return None
    job = sidebar.predicting(study, task, aggregation.point)
    if MODELS[aggregation.model].answer == "exact":
        if readings.n_readings <= MOST_READINGS_PREDICTED:
            parts.wait_shortly(job, PATIENCE)
        return job
    is_quick = readings.n_readings <= MOST_READINGS_DRAWN
    # After what the slider needs.
    if is_quick and not job.begun and cache.steps(study, task, aggregation).are_ahead:
        job.start()
    return job


def _offer(job: Job[pd.DataFrame]) -> None:
    """Say how far the search for the reliability is, or offer it."""
    if job.running:
        watch(job, "Which γ the readings support", key="supported-reliability")
        return
    st.button(
        "Which γ do the readings themselves support?",
        key="anchor-reliability",
        type="tertiary",
        help="Predicts each reading from the others of its case, at every reliability. Takes a while.",
        on_click=start,
        args=(job,),
    )
