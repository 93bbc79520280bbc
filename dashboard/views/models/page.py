"""The page: what was found, what it rests on, and the pictures of it."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from core.analysis.methods_text import of_data
from core.analysis.models.methods import of_comparison, of_slices
from core.analysis.models.settings import SliceSettings
from core.analysis.models.tables import Measured
from core.analysis.recipe import page_recipe
from core.study.model import Study, Task
from dashboard.components.text import element
from dashboard.shell import sidebar, state, theme
from dashboard.shell.together import together
from dashboard.views import methods_text, no_models, parts
from dashboard.views.models import (
    all_tasks,
    before_after,
    controls,
    order,
    other_readers,
    rivals,
    slices,
    support,
    sureness,
    words,
)
from dashboard.views.models.ahead import look_ahead
from dashboard.views.models.measuring import Comparing, ModelComparison

ANSWERS = (
    "Which model is best, and does the order change when every reading is kept?",
    "How sure is that order, had these or other cases been read again?",
    "Which cases decide between two models?",
)
"""What the page says of models, for who has none yet."""


def show(chosen: sidebar.Chosen) -> None:
    """Draw the page."""
    if chosen.study is None or chosen.task is None:
        parts.refused(chosen)
        return
    element("h1", "Models")
    if not chosen.task.predictions and not chosen.task.reader_predictions:
        no_models.show(chosen, chosen.study, chosen.task, answers=ANSWERS, like="chest_xrays")
        return
    if not chosen.task.predictions:
        _only_readers(chosen.study, chosen.task)
        return
    _page(chosen.study, chosen.task, chosen.published or chosen.study)


@st.fragment
@together
def _only_readers(study: Study, task: Task) -> None:
    """Show modalities that readers read where no model stands by itself."""
    sidebar.reliability_slider(study, task)
    names = ", ".join(task.reader_predictions)
    element("p", f"No model stands by itself here, so there is none to rank: readers read with {names}.")
    other_readers.show(study, task)
    state.write_address()


@st.fragment
@together
def _page(study: Study, task: Task, published: Study) -> None:
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
    measure = controls.measure_of(task, found)
    if measure is None:
        parts.warning(f"The models cannot be compared. {words.refusals(found)}")
        controls.show(task, aggregation, settings, found, None)
    else:
        _compared(comparing, found, measure, published)
    state.write_address()


def _recipe(comparison: ModelComparison, found: Measured, link: str) -> str:
    """Recipe of what is compared, and of the page at its address."""
    settings = replace(comparison.settings, positive=found.compared.label)
    chosen = [comparison.aggregation, settings, SliceSettings(by=state.view().slice_by)]
    without = ["draws"]
    return page_recipe("compare", comparison.study, comparison.task, chosen, link=link, without=without)


def _compared(comparing: Comparing, found: Measured, measure: str, published: Study) -> None:
    """Draw a comparison."""
    top = st.container()
    comparing = comparing.with_what_can_be_drawn(found, measure)
    drawn, refused = None, ""
    try:
        drawn = comparing.resampled(found, measure)
    except ValueError as refusal:
        refused = str(refusal)
    tokens = theme.tokens()
    comparison = comparing.comparison(found, drawn, measure, tokens)
    with top:
        support.show(comparison)
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
        slices.show(comparison)
        before_after.show(comparison, published)
        all_tasks.show(comparison)
        order.behind(comparison)
        other_readers.show(comparison.study, comparison.task)
        methods_text.show(
            lambda: (
                of_data(comparison.study, comparison.task),
                methods_text.aggregated(comparison.study, comparison.task, comparison.aggregation),
                of_comparison(replace(comparison.settings, measure=measure, positive=found.compared.label)),
                of_slices(SliceSettings(by=state.view().slice_by)),
            ),
            lambda link: _recipe(comparison, found, link),
            why_none=methods_text.rounds_count(comparison.study),
        )
    look_ahead(comparing)
    support.look_ahead(comparison)
