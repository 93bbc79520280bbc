"""The case that the tour begins with: what six readers wrote, and what becomes of it."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import streamlit as st

from core.analysis import tour_case, tour_danger
from core.analysis.tour import same_case
from dashboard.components.text import element
from dashboard.shell import cache, state, studies
from dashboard.views.tour import danger, onward


def show() -> None:
    """Show the lists beside what they leave open, say what a vote makes of them, and offer the case."""
    study = danger.sample()
    with st.container(key="tour-case"):
        with st.container(key="tour-case-head", horizontal=True, vertical_alignment="center"):
            element("h2", tour_case.HEAD, role="tour-case")
            onward.button(
                "Open the case",
                open_case,
                first=False,
                is_how="In the study that is open where that has it, with the model and the reliability that "
                "are chosen there; else in the sample. Search and filters are taken off.",
            )
        st.html(
            f'<div class="loupe-text tour-case">{_lists(tour_case.lists_of(study))}'
            f"{_left_open(tour_case.leads_of(study))}"
            f'<p class="tour-errs">{escape(tour_danger.danger_in_brief(danger.found()))}</p></div>'
        )


def _lists(lists: Sequence[Sequence[Sequence[tuple[str, bool]]]]) -> str:
    """What each reader names, in order, and where it was published; ties stand in one place."""
    items = "".join(f"<li>{_list(one)}</li>" for one in lists)
    source = f'<p class="loupe-note">{escape(tour_case.SOURCE)}</p>'
    return f'<div><ol class="tour-lists">{items}</ol>{source}</div>'


def _list(places: Sequence[Sequence[tuple[str, bool]]]) -> str:
    """A list, place by place; a danger is marked."""
    said = (
        [f"<b>{escape(label)}</b>" if is_danger else escape(label) for label, is_danger in place]
        for place in places
    )
    return " ".join(
        f'<span class="tour-place"><i>{number}.</i>\u00a0{", ".join(labels)}'
        f"{'<i>, tied</i>' if len(labels) > 1 else ''}</span>"
        for number, labels in enumerate(said, start=1)
    )


def _left_open(leads: Sequence[tuple[str, str, int, str]]) -> str:
    """Which label leads how often, as bars."""
    bars = "".join(
        f"<li><span>{_letter(letter)}{escape(label)}</span>"
        f'<span class="tour-bar" aria-hidden="true"><i data-level="{letter}" style="width: {often}%"></i>'
        f"</span><strong>{escape(words)}</strong></li>"
        for label, letter, often, words in leads
    )
    return (
        f'<div><p>{escape(tour_case.LEFT_OPEN)}</p><ul class="tour-open">{bars}</ul>'
        f"<p>{escape(tour_case.COUNTED_WRONG)}</p></div>"
    )


def _letter(letter: str) -> str:
    """Letter of a level in its colour; nothing where there is none."""
    return f'<b data-level="{letter}" aria-hidden="true">{letter}</b> ' if letter else ""


def open_case() -> None:
    """Open the case in the study that is loaded where that has it, else in the sample.

    Model and reliability stay as they are chosen where the study does. What would keep the case out of the
    list, and another reading of it, are taken back.
    """
    known = danger.sample()
    source = onward.loaded()
    loaded = cache.open_source(source).study
    found = None if loaded is None else same_case(loaded, known, tour_case.CASE)
    if found is None:
        source, found = studies.sources()[studies.SAMPLE], (next(iter(known.tasks)), tour_case.CASE)
    task, case_id = found
    chosen = {**state.NO_FILTER, **state.reset_by("case"), "preset": "", "where": "", "case": case_id}
    if source.key != onward.loaded().key or task != onward.task_name(loaded):
        chosen |= {"study": source.key, "task": task}
    state.lead_to("cases", **chosen)
