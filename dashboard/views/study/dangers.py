"""In how many cases danger stands behind the label: its parts, and the first to look at, as ways there."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape

import pandas as pd
import streamlit as st

from core.analysis.cases.presets import PRESETS
from core.analysis.danger import Danger, Dangers
from core.analysis.formatting import cases_on_average
from core.analysis.models.danger_by_label import MOST_NAMED
from core.analysis.models.finding import listed
from core.plausibility.settings import Aggregation
from core.study.model import Task
from dashboard.components import text
from dashboard.components.text import element
from dashboard.shell import state
from dashboard.views import parts

CHOOSE = "“Choose what counts as danger”, below, lets you name them."
"""Said where a study names no danger, and so nobody can tell which errors are dangerous."""
_SEEN = "loupe-danger-by-study"
"""What a session has seen of danger as studies say it themselves: what somebody chooses is told beside it."""
_PARTS = tuple(f"finding-high-risk{which}" for which in ("-first", "-tied", "", "-behind"))
"""Keys of the ways to the lists that share no case, in their order."""


def show(danger: Dangers, table: pd.DataFrame, task: Task, aggregation: Aggregation) -> None:
    """Lead to the lists: the first to look at, and the parts, whose numbers add up to that of all."""
    # A place of its own: what comes or goes in it makes nothing below it anew.
    with st.container(key="study-danger", gap=None):
        _before(table, task, aggregation)
        if danger.first is not None:
            _first(danger.first)
        if danger.lists:
            element("p", f"All {danger.total:,}, by the leading label:", role="note")
            st.html(_bar(danger.lists))
            with st.container(key="study-danger-parts", gap=None):
                for key, one in zip(_PARTS, danger.lists, strict=False):
                    if one.case_ids:
                        _lead_to(one, key)
        if danger.note:
            parts.note(danger.note)


def _key_of(table: pd.DataFrame, task: Task, aggregation: Aggregation) -> int:
    """Number of what dangers are counted in: cases of a task, with as many readings counted."""
    return hash((state.view().study, task.name, repr(aggregation), *table.index))


def see(
    danger: Dangers, table: pd.DataFrame, task: Task, aggregation: Aggregation, missed: Mapping[str, float]
) -> None:
    """Keep how it is by the study's own dangers; ``missed`` is how many each model misses, NaN unknown."""
    if task.published_risk is not None:
        return
    said = f"Before this choice: {danger.in_short}."
    told = [f"{model} {cases_on_average(n)}" for model, n in missed.items() if not math.isnan(n)]
    if 0 < len(told) <= MOST_NAMED:
        said += f" Missed by {listed(told)}."
    st.session_state.setdefault(_SEEN, {})[_key_of(table, task, aggregation)] = said


def _before(table: pd.DataFrame, task: Task, aggregation: Aggregation) -> None:
    """Where dangers were chosen, say what was seen before of the very same."""
    before = st.session_state.get(_SEEN, {}).get(_key_of(table, task, aggregation))
    if task.published_risk is not None and before:
        with st.container(key=f"{text.AT_SCREEN}-danger-before"):
            parts.note(before)


def _first(danger: Danger) -> None:
    """Lead to the cases that are worth the first look, of whichever part they are."""
    with st.container(key="study-danger-first", gap=None):
        element("p", "Look first at:", role="note")
        _lead_to(danger, "finding-danger-first")


def _bar(lists: Sequence[Danger]) -> str:
    """Draw the parts as one bar; to whoever listens it is a picture, told in words."""
    told = listed([one.words for one in lists if one.case_ids])
    pieces = "".join(
        f'<i data-part="{place}" style="flex-grow: {len(one.case_ids)}"></i>'
        for place, one in enumerate(lists)
        if one.case_ids
    )
    return f'<div class="loupe-parts" role="img" aria-label="{escape(told)}">{pieces}</div>'


def _lead_to(danger: Danger, key: str) -> None:
    """Say in how many cases danger stands in one way, as the way to them."""
    number, words = danger.words.split(" ", 1)
    # A callback: what is pressed while the page is still drawn is not lost.
    st.button(
        f"**{number}** {words}",
        key=key,
        type="tertiary",
        help=f"Opens these cases. {PRESETS[danger.preset].meaning}",
        on_click=_open,
        args=(danger,),
    )


def _open(danger: Danger) -> None:
    """Open the list of these cases at its first."""
    state.lead_to("cases", **state.ALL_CASES | {"preset": danger.preset, "case": danger.case_ids[0]})
