"""What a study comes to, in sentences: how certain it is, where danger lies, which model it supports."""

from __future__ import annotations

from typing import NamedTuple

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis import overview
from core.analysis.cases.percent_ranges import SETTLED, within_percent
from core.analysis.danger import danger_behind
from core.analysis.export import format_reliability
from core.analysis.models.settings import COVERAGES, Coverage
from core.analysis.reliability.fit import PREDICTING, best_in_words, best_reliability
from core.plausibility.settings import MODELS, Aggregation
from core.progress import Progress
from core.study.model import Study, Task
from dashboard.components import text
from dashboard.components.text import element
from dashboard.shell import cache, sidebar, state
from dashboard.shell.progress import start
from dashboard.views import parts

_CERTAIN = 0.995
"""Mean certainty from which on there is no ceiling to speak of."""
MOST_CASES_JUDGED = 5000
"""Studies with more cases judge their models when somebody asks."""
MOST_READINGS_PREDICTED = 50_000
"""Readings up to which the reliability that they support is found unasked, where that needs no draws."""
PATIENCE = 1.0
"""Seconds that the end of the page waits for what mostly takes less, before it shows a bar."""


class Places(NamedTuple):
    """Where stands what is found once the rest of the page is there."""

    support: DeltaGenerator
    models: DeltaGenerator


def task_words(study: Study, task: Task) -> str:
    """Name the task where the study has more than one."""
    return f"Task {task.name}, one of {len(study.tasks)}" if len(study.tasks) > 1 else ""


def show(study: Study, task: Task, table: pd.DataFrame, aggregation: Aggregation) -> Places:
    """Say what the worklist tells at once, and return places for the rest."""
    known = table["certainty"].dropna()
    if known.empty:
        parts.note("No case has a reading yet.")
    else:
        _headline(study, task, known, aggregation)
    support = st.container()
    if not known.empty:
        _danger(table, aggregation)
    return Places(support, st.container())


def show_later(study: Study, task: Task, aggregation: Aggregation, places: Places) -> None:
    """Say what takes a moment to find; to be called at the end of the page, which it must not keep back."""
    with places.support:
        _support(study, task, aggregation)
    with places.models:
        _models(study, task, aggregation)


def _headline(study: Study, task: Task, known: pd.Series, aggregation: Aggregation) -> None:
    """Say in a sentence how much of the study is settled."""
    is_open = within_percent(known, 0, SETTLED).astype(float)
    words = (
        f"In {overview.share_with_range(is_open)} of the cases the leading label is less than "
        f"{SETTLED}\u00a0% certain."
    )
    of_task = task_words(study, task)
    parts.sentence(f"{of_task}: i{words[1:]}" if of_task else words)
    counted = ""
    if MODELS[aggregation.model].has_reliability:
        counted = (
            f" with reliability γ = {format_reliability(aggregation.reliability)}: the more a reading is "
            "trusted, the more certain the truth"
        )
    # Its place stays where it has nothing to say: what stands below would be made anew.
    with st.container():
        if known.mean() < _CERTAIN:
            element(
                "p",
                "On these labels no model, however good, can be granted more than "
                f"{overview.share_with_range(known.to_numpy())} right answers, on average over plausible "
                "truths.",
            )
    by = f"Reckoned by {MODELS[aggregation.model].title}{counted}."
    ranges = " In brackets: 95\u00a0% intervals for other cases of this kind." if len(known) > 1 else ""
    parts.note(by + ranges)


def _support(study: Study, task: Task, aggregation: Aggregation) -> None:
    """Say which reliability the readings support, and offer to use it; or lead to where it is found."""
    model, readings = MODELS[aggregation.model], task.readings
    if aggregation.model not in PREDICTING or not (readings.per_case >= 2).any():
        return
    job = sidebar.predicting(study, task, aggregation.point)
    if model.answer == "exact" and readings.n_readings <= MOST_READINGS_PREDICTED:
        parts.wait_shortly(job, PATIENCE)
    if job.result is None:
        if not job.failure and st.button(
            "Which reliability do the readings support?",
            key="anchor-reliability",
            type="tertiary",
            help="Opens Reliability, which predicts each reading from the others of its case",
        ):
            state.open_page("reliability")
        return
    best, words = best_reliability(job.result), best_in_words(job.result)
    if best == aggregation.reliability:
        parts.note(f"The readings themselves support γ = {words} best: it is in use.")
    else:
        st.button(
            f"The readings themselves support γ = {words}: use {best:g}",
            key="anchor-use-reliability",
            type="tertiary",
            help="Left-out readings are predicted best from the others of their cases at this reliability",
            on_click=state.change,
            kwargs={"reliability": best},
        )


def _danger(table: pd.DataFrame, aggregation: Aggregation) -> None:
    """Say in how many cases danger stands behind the leading label, and lead to them."""
    danger = danger_behind(table, aggregation)
    if danger is None:
        return
    # Places of their own: a line that comes or goes makes nothing below it anew.
    with st.container():
        if not danger.case_ids:
            element("p", danger.words)
        elif st.button(danger.words, key="finding-high-risk", type="tertiary", help="Opens these cases"):
            reset = {"case": danger.case_ids[0], "preset": "", "sort": "", "what_if": ""}
            state.change(**state.NO_FILTER | reset | danger.choices)
            state.open_page("cases")
    with st.container():
        if danger.note:
            parts.note(danger.note)


class _Said(NamedTuple):
    """What is found of the models."""

    headline: str
    danger: str
    details: str


@cache.background
def judging(
    progress: Progress, study: Study, task: Task, aggregation: Aggregation, coverage: Coverage
) -> _Said:
    """Find in the background which model the labels support best."""
    # It takes time to import, which the first page need not wait for.
    from core.analysis.models import supported

    found = supported.supported(study, task, aggregation, coverage=coverage, progress=progress)
    return _Said(supported.headline(found), supported.where_danger_is(found), supported.details(found))


def _models(study: Study, task: Task, aggregation: Aggregation) -> None:
    """Say which model the labels support best, and lead to the page that compares them."""
    if not task.probability_models:
        return
    from core.analysis.models.tables import differ_in_cases

    coverage = state.view().coverage if differ_in_cases(task) else COVERAGES[0]
    job = judging(study, task, aggregation, coverage)
    if study.n_cases > MOST_CASES_JUDGED and not job.begun:
        st.button(
            "Which model do the labels support best?",
            key="find-supported",
            help="Judges every model against plausible truths. Takes a while.",
            on_click=start,
            args=(job,),
        )
        return
    parts.wait_shortly(job, PATIENCE)
    said = parts.result_of(job, what="Judging the models against plausible truths", key="supported")
    if said is None:
        return
    if st.button(
        text.unmarked(said.headline), key="finding-models", type="tertiary", help="Opens Models, by accuracy"
    ):
        state.change(measure="accuracy")
        state.open_page("models")
    if said.danger:
        element("p", said.danger)
    parts.note(said.details)
