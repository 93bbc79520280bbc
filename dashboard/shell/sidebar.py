"""The sidebar: study, task, aggregation model and the reliability slider that all pages share."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd
import streamlit as st

from core.analysis.export import format_reliability
from core.analysis.reliability.fit import PREDICTING, best_reliability, predictive_curve
from core.analysis.reliability.words import can_weigh, confidence_words, reliability_words
from core.plausibility.settings import MODELS, Aggregation, models_for
from core.progress import Progress
from core.study.model import Study, Task
from core.study.problems import Problem
from dashboard.charts.figure import Figure
from dashboard.charts.reliability.fit import predictive_strip, strip_place
from dashboard.components.text import element
from dashboard.shell import cache, state, studies, theme, widgets
from dashboard.shell.progress import start, watch


@dataclass(frozen=True, eq=False)
class Chosen:
    """What the sidebar says.

    Attributes
    ----------
    source : Source
        The study that is asked for.
    study : Study or None
        None where it was refused.
    task : Task or None
        None where the study was refused.
    problems : tuple of Problem
        Why it was refused, or what deserves a look.
    """

    source: studies.Source
    study: Study | None
    task: Task | None
    problems: tuple[Problem, ...]


def choose() -> Chosen:
    """Draw the sidebar, without the slider, and open what it says."""
    with st.sidebar:
        source = state.settle_source()
        _choose_study()
        opened = cache.open_source(source)
        if opened.study is None:
            return Chosen(source, None, None, opened.problems)
        task, aggregation = state.settle(opened.study)
        # Each part has a place of its own, also where a study leaves it empty: the browser takes a widget
        # that moves for another, and forgets what a person is doing at it.
        with st.container():
            if len(opened.study.tasks) > 1:
                st.selectbox("Task", **widgets.choice("task", task.name, list(opened.study.tasks)))
        with st.container():
            _choose_model(task, aggregation)
        with st.container():
            _choose_confidence(task, aggregation)
    return Chosen(source, opened.study, task, opened.problems)


def _choose_study() -> None:
    """Offer every study that can be opened."""
    known = studies.sources()
    st.selectbox(
        "Study",
        format_func=lambda key: known[key].title,
        **widgets.choice("study", state.view().study, list(known)),
    )


def _choose_model(task: Task, aggregation: Aggregation) -> None:
    """Offer the aggregation models that suit the task."""
    st.selectbox(
        "How readings are aggregated",
        format_func=lambda name: MODELS[name].title,
        help="Turns a case's readings into plausibilities: label distributions that could be the truth.",
        **widgets.choice("model", aggregation.model, models_for(task)),
    )
    element("p", MODELS[aggregation.model].summary, role="note")


def _choose_confidence(task: Task, aggregation: Aggregation) -> None:
    """Offer to weigh readings by the confidence that came with them, where there is one."""
    if can_weigh(task, aggregation.model):
        st.selectbox(
            "Stated confidences",
            format_func=lambda name: "Weigh the readings" if name == "weights" else "Are not used",
            help="A reading counts as much as the confidence from 0 to 1 that came with it; fully, where "
            "none did; 0 counts as if it had not been given.",
            **widgets.choice("confidence", state.view().confidence, ["ignored", "weights"]),
        )
    said = confidence_words(task, aggregation)
    if said:
        element("p", said, role="note")


def reliability_slider(study: Study, task: Task) -> Aggregation:
    """Draw the reliability slider in the sidebar and return how readings are aggregated now.

    Called from the fragment of a page, so that a step of the slider repaints that fragment alone.
    """
    with st.sidebar:
        now = state.aggregation()
        has_reliability = MODELS[now.model].has_reliability
        steps = state.slider_steps()
        st.select_slider(
            "Reliability γ",
            steps,
            format_func=format_reliability,
            disabled=not has_reliability,
            help="How far the raters are trusted: how often each reading counts or, under PrIRN, how much "
            "all readings of a case together. ∞ takes the point estimate for the truth.",
            **widgets.bind("reliability", now.reliability),
        )
        element("p", reliability_words(now), role="note")
        if now.model in PREDICTING:
            _supported(study, task, now)
    return now


@cache.background
def predicting(progress: Progress, study: Study, task: Task, aggregation: Aggregation) -> pd.DataFrame:
    """Find in the background how well each reliability predicts left-out readings."""
    return predictive_curve(study, task, aggregation, progress=progress)


@cache.cached(16)
def _strip(curve: pd.DataFrame, best: float, steps: list[float], tokens: theme.Tokens) -> Figure:
    return predictive_strip(curve, best, steps=steps, chosen=0.0, tokens=tokens)


def _supported(study: Study, task: Task, now: Aggregation) -> None:
    """Show under the slider which reliability the readings support, or offer to find it."""
    job = predicting(study, task, now.point)
    curve = job.result
    if curve is not None:
        best = best_reliability(curve)
        steps = state.slider_steps()
        figure = _strip(curve, best, steps, theme.tokens()).with_frame(
            "chosen", strip_place(steps, now.reliability)
        )
        words = f"Left-out readings of this study are predicted best at reliability {best:g}"
        st.vega_lite_chart(spec=figure.complete, theme=None, alt=words, key="predictive-strip")
        element("p", f"{words}. Curve: how well, at each step of the slider.", role="note")
    elif job.running:
        watch(job, "Predicting left-out readings", key="find-reliability")
    else:
        st.button(
            "Which do the readings support?",
            key="find-reliability",
            help="Predicts each reading from the others of its case, at every reliability. Takes a while.",
            on_click=start,
            args=(job,),
        )
