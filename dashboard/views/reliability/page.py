"""Reliability: what trust in the raters does to certainty and to every model's score."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.analysis.export import provenance
from core.analysis.methods_text import Paragraph, of_data
from core.analysis.recipe import page_recipe
from core.analysis.reliability.fit import PREDICTING, best_reliability
from core.analysis.reliability.methods import of_certainty
from core.analysis.reliability.settings import AgainstSettings
from core.analysis.reliability.words import aggregation_title
from core.plausibility.settings import MODELS, Aggregation
from core.streamed.aggregates import are_some
from core.study.model import Study, Task
from dashboard.charts.figure import Figure
from dashboard.charts.reliability import fit as predictive
from dashboard.components.picture import picture
from dashboard.components.text import element
from dashboard.shell import cache, sidebar, state, theme, trust
from dashboard.shell.together import together
from dashboard.views import methods_text, parts
from dashboard.views.reliability import curves, over_draws, risk, single_cases, two_aggregations


def show(chosen: sidebar.Chosen) -> None:
    """Draw the page."""
    if chosen.study is None or chosen.task is None:
        parts.refused(chosen)
        return
    element("h1", "Reliability")
    element(
        "p",
        "How far do you trust the raters? The more, the more certain the truth appears, and the closer a "
        "model’s score comes to what taking the leading labels for the truth would give it. These pictures "
        "show what depends on that choice and what does not.",
    )
    _page(chosen.study, chosen.task)


@st.fragment
@together
def _page(study: Study, task: Task) -> None:
    """Draw everything; the slider marks its place in each picture."""
    aggregation = sidebar.reliability_slider(study, task)
    source = provenance(study, task, aggregation)
    table = cache.worklist_at(study, task, aggregation)
    has_reliability = MODELS[aggregation.model].has_reliability
    swept = curves.swept_at(study, task, aggregation) if has_reliability else None
    if not has_reliability:
        st.info(
            f"{MODELS[aggregation.model].title} is a point estimate, so nothing depends on reliability. "
            "Choose a model with a reliability on the left for the curves."
        )
    sampling = "" if swept is None else curves.sampling(swept, aggregation)
    # What is amiss stands on top, what is well where methods are told.
    is_amiss = curves.CARE in sampling
    with st.container():
        if is_amiss:
            parts.note(sampling)
    with st.container(key="wide"):
        # One place, whether the pictures are there, awaited or cannot be.
        with st.container():
            if swept is None and has_reliability:
                curves.keep_places(study, task, aggregation)
            elif swept is not None:
                parts.beside(
                    lambda: curves.certainty(swept, aggregation, source),
                    lambda: curves.models(swept, task, aggregation, source),
                )
        _, other = parts.beside(
            lambda: single_cases.show_sorted(table, source),
            lambda: single_cases.compare(study, task, aggregation, table, source),
        )
        if other is not None:
            two_aggregations.show(study, task, aggregation, other, source)
        if has_reliability and not are_some(study.counted):
            _supported(study, task, aggregation, source)
        over_draws.show(study, task, aggregation, source)
        risk.show(study, task, aggregation, source)
        with st.container():
            if sampling and not is_amiss:
                parts.note(sampling)
        methods_text.show(
            lambda: _methods(study, task, aggregation, other),
            lambda link: page_recipe(
                "evaluate",
                study,
                task,
                [aggregation, AgainstSettings(other.model if other else "")],
                link=link,
                more={"sweep": has_reliability},
            ),
            why_none=methods_text.rounds_count(study),
        )
    cache.steps(study, task, aggregation).compute_ahead(aggregation.reliability)
    state.write_address()


def _methods(
    study: Study, task: Task, aggregation: Aggregation, other: Aggregation | None
) -> tuple[Paragraph, ...]:
    """Say what was done."""
    return (
        of_data(study, task),
        methods_text.aggregated(study, task, aggregation),
        of_certainty(
            has_models=bool(task.predictions),
            has_risk=task.has_risk,
            compared_with="" if other is None else aggregation_title(other),
            is_swept=MODELS[aggregation.model].has_reliability,
        ),
    )


@cache.cached(16)
def _predictive_figure(curve: pd.DataFrame, tokens: theme.Tokens) -> Figure:
    return predictive.predictive_chart(curve, best_reliability(curve), chosen=1.0, tokens=tokens)


def _supported(study: Study, task: Task, aggregation: Aggregation, source: dict[str, str]) -> None:
    """Draw how well each reliability predicts readings that were left out."""
    parts.head("Which reliability do the readings support?")
    if aggregation.model not in PREDICTING:
        parts.note(
            f"{MODELS[aggregation.model].title} gives no probability to a label that other raters did not "
            "name, so it cannot predict a reading.",
            at_screen="Choose another model on the left to see which reliability the readings support.",
        )
        return
    curve = parts.result_of(
        trust.job_of(study, task, aggregation),
        what="Predicting left-out readings",
        key="predictive",
    )
    if curve is None:
        return
    figure = _predictive_figure(curve, theme.tokens())
    picture(
        figure.with_frame("chosen", predictive.place_on(curve, aggregation.reliability)),
        name="predictive",
        alternative="Predictive log-likelihood of left-out readings against reliability",
        caption="Each reading in turn is predicted from the others of its case; higher is better: 0.1 nats "
        "more make a left-out reading 11\u00a0% more probable. Band: standard error. Ring: the reliability "
        "that the readings support best; in brackets, where the best lies in 95\u00a0% of resamples of the "
        "cases, or in how many it is this one. Dotted: the one in force.",
        table=curve,
        provenance=source,
    )
