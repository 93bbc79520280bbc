"""What is searched for in the worklist, and what is said of where it is."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from core.analysis.cases.presets import PRESETS, list_name
from core.analysis.cases.reviewed import notes_of
from core.analysis.cases.search import Found, holds, meant, search, where_words, with_notes
from core.study.model import Study, Task
from dashboard.components import text
from dashboard.components.text import count
from dashboard.shell import cache, reviews, state
from dashboard.views import parts

_search = cache.cached()(search)


def found(study: Study, task: Task) -> Found:
    """Which cases hold the words that are searched for, in the study itself or in what was noted of it.

    The study is searched once, whatever the reliability.
    """
    written = reviews.listing(study, task.name).reviews
    notes = {case_id: notes_of(review) for case_id, review in written.items() if review.notes}
    return with_notes(_search(study, task, state.view().search), notes)


def show(study: Study, task: Task, left: int, *, is_filtered: bool) -> None:
    """Say where the words are, and how many of these cases filters and preset leave (``left``)."""
    of_words, preset = found(study, task), state.view().preset
    words, n = where_words(of_words), int(holds(of_words).sum())
    if not n:
        _nowhere(words, meant(of_words, task))
        return
    if left == n:
        parts.note(words)
        return
    others = [f"“{list_name(preset)}”"] if preset in PRESETS else []
    others += ["the filters"] * is_filtered
    with st.container(horizontal=True, wrap=False, vertical_alignment="center", gap="small"):
        parts.note(f"{words} {left:,} of these {count(n, 'case')} are listed under {' and '.join(others)}.")
        st.button("Search all", key="search-all", type="tertiary", on_click=_search_all)


def _nowhere(words: str, instead: Mapping[str, str]) -> None:
    """Say that nothing is found, and offer to search for labels that may be meant."""
    with st.container(key="searched-nowhere", horizontal=True, vertical_alignment="center", gap="small"):
        parts.note(f"{words} Did you mean:" if instead else words)
        for number, (label, search_for) in enumerate(instead.items()):
            st.button(
                text.unmarked(label),
                key=f"search-{number}",
                on_click=state.change,
                kwargs={"search": search_for},
            )


def _search_all() -> None:
    """Take off the preset and all filters but the search."""
    state.change(**{**state.NO_FILTER, "search": state.view().search, "preset": ""})
