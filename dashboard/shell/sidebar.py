"""The sidebar: study, task, aggregation model and the reliability slider that all pages share."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.export import format_reliability
from core.analysis.reliability.fit import PREDICTING, best_reliability, range_in_words
from core.analysis.reliability.words import can_weigh, confidence_words, reliability_words, tie_words
from core.plausibility.settings import MODELS, Aggregation, default_aggregation, models_for
from core.reviews.event import StoreError
from core.streamed.aggregates import are_some
from core.study.model import Study, Task
from core.study.problems import Problem
from dashboard.charts.figure import Figure
from dashboard.charts.reliability.fit import predictive_strip, strip_place
from dashboard.components.text import element
from dashboard.shell import (
    cache,
    conditions,
    dangers,
    hand,
    reviews,
    saved_panel,
    settling,
    state,
    studies,
    theme,
    trust,
    widgets,
)
from dashboard.shell.author import author
from dashboard.shell.progress import start, watch

_FOR_RESEARCHERS = ("reliability", "models", "disagreement")
"""Pages, by their paths, that are about how readings are counted: what says it is unfolded there."""


@dataclass(frozen=True, eq=False)
class Chosen:
    """What the sidebar says.

    Attributes
    ----------
    source : Source
        The study that is asked for.
    study : Study or None
        Of the cases that fulfil the condition that is chosen. None where it was refused.
    task : Task or None
        None where the study was refused.
    problems : tuple of Problem
        Why it was refused, or what deserves a look.
    published : Study or None
        The study as it is in its files but for the labels that count as dangers, whatever rounds of reading
        again count in ``study``, and whatever condition its cases fulfil.
    condition_fault : str
        Why the condition that is chosen is not in force; empty where it is, or there is none.
    opened : Opened
        As it was opened.
    """

    source: studies.Source
    study: Study | None
    task: Task | None
    problems: tuple[Problem, ...]
    published: Study | None = None
    condition_fault: str = ""
    opened: cache.Opened | None = None


def choose(*, all_cases: bool = False) -> Chosen:
    """Draw the sidebar, without the slider, and open what it says; ``all_cases`` whatever the condition."""
    with st.sidebar:
        source = settling.settle_source(lambda source: cache.open_source(source).study)
        _choose_study()
        opened = cache.open_source(source)
        if opened.study is None:
            return Chosen(source, None, None, opened.problems, opened=opened)
        published = dangers.counting(opened.study)
        found = _kept(opened, published)
        study = found.whole if all_cases else found.study
        state.keep_counted(study.counted)
        state.keep_published(opened.study.fingerprint)
        task, aggregation = settling.settle(study, found.whole)
        # Every page counts at one reliability from where it is opened.
        trust.begin_visit(study, task)
        state.write_address_early()
        # Each part has a place of its own, also where a study leaves it empty: the browser takes a widget
        # that moves for another, and forgets what a person is doing at it.
        with st.container():
            if len(study.tasks) > 1:
                st.selectbox("Task", **widgets.choice("task", task.name, list(study.tasks)))
        with st.container():
            _choose_rounds(opened.study)
        with st.container():
            conditions.ask(found)
        with st.container():
            dangers.ask(task)
        with _counting(study, task, aggregation):
            with st.container():
                _choose_model(task, aggregation)
            with st.container():
                _choose_confidence(task, aggregation)
    conditions.say(found, all_cases=all_cases)
    dangers.say(task)
    return Chosen(source, study, task, opened.problems, published, found.fault, opened)


def _counting(study: Study, task: Task, aggregation: Aggregation) -> DeltaGenerator:
    """Fold what says how readings are counted, where that is not what a page is for.

    The slider belongs to it and shows and hides with it, by the style of the page: it is drawn by the
    fragment of a page, which can draw into no other part of the sidebar. Unfolded for whoever has chosen, by
    hand or by a link, what would not be taken unasked; on a page it stays as it was drawn there first.
    """
    is_other = aggregation.model != default_aggregation(task).model
    is_taken = aggregation.reliability == trust.known(study, task, aggregation).supported
    is_taken = is_taken or state.is_reliability_usual() or state.taken_reliability() is not None
    is_chosen = is_other or not is_taken
    drawn = widgets.as_first_drawn("counting", is_chosen or widgets.page() in _FOR_RESEARCHERS)
    return st.expander("How readings are counted", expanded=drawn, key="counting")


def _kept(opened: cache.Opened, published: Study) -> conditions.Kept:
    """Cases that fulfil the condition, with the rounds that count; of a study in parts some of them."""
    if opened.in_parts is None:
        return conditions.kept(_with_rounds(published))
    found = conditions.kept_of_parts(opened)
    study, whole = (_with_rounds(dangers.counting(one)) for one in (found.study, found.whole))
    return replace(found, study=study, whole=whole)


def _choose_study() -> None:
    """Offer every study that can be opened."""
    known = studies.listed(state.view().study)
    st.selectbox(
        "Study",
        format_func=lambda key: known[key].title,
        **widgets.choice("study", state.view().study, list(known)),
    )
    if st.button("Open your own", key="open-own", type="tertiary"):
        state.ask_for_another(True)
        state.open_page("study")


def _with_rounds(study: Study) -> Study:
    """The study with the rounds that count; as it was published where they cannot be had."""
    now = state.view()
    if not now.counted and not now.adjudicated:
        return study
    try:
        known = reviews.journal(study).rounds()
        state.keep_known("counted", known)
        state.keep_known("adjudicated", known)
        now = state.view()
        name = author() or ""
        unread = [one for one in (*now.counted, *now.adjudicated) if known[one].is_blind_for(name)]
        if unread:
            state.notes().append(
                f"“{unread[0]}” does not count for you yet: you have still to read some of it blind."
            )
        counted = tuple(one for one in now.counted if one not in unread)
        return reviews.applied(study, counted, tuple(one for one in now.adjudicated if one not in unread))
    except (ValueError, RuntimeError) as error:
        state.notes().append(f"The study is shown as published: {error}.")
        return study


def _choose_rounds(study: Study) -> None:
    """Offer what counts beside the published readings, where something was read again."""
    now = state.view()
    if not reviews.is_anything_kept():
        return
    try:
        known = reviews.journal(study).rounds()
    except (StoreError, RuntimeError):
        return
    options = [("readings", one.name) for one in known.values() if one.readings]
    options += [("outcomes", one.name) for one in known.values() if one.outcomes]
    chosen = [("readings", name) for name in now.counted] + [("outcomes", name) for name in now.adjudicated]
    options += [one for one in chosen if one not in options]
    if not options:
        return

    def take(said: tuple[tuple[str, str], ...]) -> None:
        state.change(
            counted=tuple(name for what, name in said if what == "readings"),
            adjudicated=tuple(name for what, name in said if what == "outcomes"),
        )

    st.multiselect(
        "What counts",
        placeholder="As published",
        help="Readings of a round count as further readings; outcomes count as the reference of their cases. "
        "Nothing counts unless it stands here.",
        **widgets.choices(
            "what-counts",
            chosen,
            options,
            words=lambda one: f"{one[0].capitalize()} of {one[1]}",
            take=take,
        ),
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
        with st.container(key="counting-slider"), st.container(key=hand.key()):
            st.select_slider(
                "Reliability γ",
                steps,
                format_func=format_reliability,
                disabled=not has_reliability,
                help="How far the raters are trusted: how often each reading counts or, under PrIRN, how "
                "much all readings of a case together. ∞ takes the point estimate for the truth.",
                **widgets.bind("reliability", now.reliability),
            )
        with st.container(gap="xxsmall"):
            element("p", reliability_words(now), role="note")
            with st.container(key="counting-words", gap="xxsmall"):
                taken = state.taken_reliability()
                if taken is not None:
                    element(
                        "p",
                        f"It was {format_reliability(taken[0])} until the γ was found at which these "
                        "readings predict one another best. Agreement does not make them right.",
                        role="note",
                    )
                ties = tie_words(task, now)
                if ties:
                    element("p", ties, role="note")
        with st.container(key="counting-curve"):
            # Of the least certain cases alone it would be too small.
            if now.model in PREDICTING and not are_some(study.counted):
                _supported(study, task, now)
        saved_panel.offer(study)
    return now


def saved_views(study: Study) -> None:
    """Offer the saved views on a page that has no slider; called from its fragment, as that is."""
    with st.sidebar:
        saved_panel.offer(study)


@cache.cached(16)
def _strip(curve: pd.DataFrame, best: float, steps: list[float], tokens: theme.Tokens) -> Figure:
    return predictive_strip(curve, best, steps=steps, chosen=0.0, tokens=tokens)


def _supported(study: Study, task: Task, now: Aggregation) -> None:
    """Show under the slider which reliability the readings support, or offer to find it."""
    job = trust.job_of(study, task, now)
    curve = job.result
    if curve is not None:
        best = best_reliability(curve)
        steps = state.slider_steps()
        figure = _strip(curve, best, steps, theme.tokens()).with_frame(
            "chosen", strip_place(steps, now.reliability)
        )
        between = range_in_words(curve)
        words = f"Left-out readings of this study are predicted best at reliability {best:g}{between}"
        st.vega_lite_chart(spec=figure.complete, theme=None, alt=words, key="predictive-strip")
        element("p", f"{words}. Curve: how well, at each step of the slider.", role="note")
    elif job.running:
        watch(job, "Predicting left-out readings", key="find-reliability")
    else:
        if job.failure and not job.stopped:
            element("p", f"Predicting left-out readings failed: {job.failure.rstrip('.')}.", role="note")
        st.button(
            "Which do the readings support?",
            key="find-reliability",
            help="Predicts each reading from the others of its case, at every reliability. Takes a while.",
            on_click=start,
            args=(job,),
        )
