"""Which raters and which cases the page looks at."""

from __future__ import annotations

import numpy as np
import streamlit as st

from core.analysis.cases.select import Filters
from core.analysis.raters.panel import Panel, busiest, panel
from core.study.model import IntArray, Study, Task
from dashboard.components.text import count
from dashboard.shell import cache, state, theme, widgets
from dashboard.views import parts
from dashboard.views.cases import filters

MOST_CHIPS = 40
"""Raters that stand in the field one by one where all are looked at; of more it says how many."""
MOST_LETTERS = 700
"""Letters that their names may have together."""
MOST_OFFERED = 500
"""Raters that can be picked: those with most cases."""


def choose(study: Study, task: Task) -> Panel | None:
    """Draw the chooser and return the panel; None where no case is left, which the page then says."""
    everybody = _panel(study, task, (), None)
    with st.container(key="raters-picked"):
        # A field full of the accent colour shouts, and is pale by night.
        quiet = theme.tokens()
        st.html(
            f"<style>.st-key-raters-picked [data-tag] {{ background: {quiet.page}; color: {quiet.text}; "
            f"border: 1px solid {quiet.other}; }}</style>"
        )
        raters = _choose_raters(everybody)
    cases = _choose_cases(study, task)
    if cases is not None and len(cases) == 0:
        parts.note(
            "No case passes the filters of the page Cases. Choose all cases here, or take a filter off there."
        )
        return None
    if not raters and cases is None:
        return everybody
    return _panel(study, task, raters, cases)


@cache.cached()
def _panel(study: Study, task: Task, raters: tuple[str, ...], cases: IntArray | None) -> Panel:
    return panel(study, task, raters=raters or None, cases=cases)


def _choose_raters(everybody: Panel) -> tuple[str, ...]:
    """Offer the raters; return those picked, in the study's order, none for all."""
    ids = everybody.rater_ids
    asked = set(state.view().raters)
    picked = tuple(rater for rater in ids if rater in asked)
    picked = () if len(picked) == len(ids) else picked
    many = len(ids) > MOST_CHIPS or sum(map(len, ids)) > MOST_LETTERS
    offered = list(busiest(everybody, MOST_OFFERED).rater_ids)
    known = set(offered)
    offered += [rater for rater in picked if rater not in known]
    shown = list(picked) if picked or many else list(ids)
    if asked and not asked & set(ids):
        parts.note("The raters that were chosen read nothing for this task; all who did are looked at.")
    st.multiselect(
        f"Raters: {'all ' if not picked else ''}{len(picked) or len(ids):,}"
        + (f" of {len(ids):,}" if picked else ""),
        placeholder=f"All {count(len(ids), 'rater')}; pick some to look at them alone",
        help="Everything on this page is computed from these raters. With none picked, all are looked at."
        + (f" Offered are the {MOST_OFFERED} who read most cases." if len(offered) < len(ids) else ""),
        **widgets.choices("raters", shown, offered, take=lambda said: _take(ids, said)),
    )
    return picked


def _take(ids: tuple[str, ...], said: tuple[str, ...]) -> None:
    """Take over which raters are picked; all of them is the same as none."""
    picked = set(said)
    state.change(raters=() if len(picked) == len(ids) else tuple(rater for rater in ids if rater in picked))


def _choose_cases(study: Study, task: Task) -> IntArray | None:
    """Offer all cases or those that the filters keep; return their indices, None for all."""
    if state.filters() == Filters():
        parts.note(
            f"Cases: all {study.n_cases:,}.",
            at_screen="A filter on the page Cases lets you look at some of them alone.",
        )
        return None
    rows = cache.worklist_at(study, task, state.aggregation())
    kept = np.flatnonzero(rows.index.isin(filters.passing(study, task, rows).index))
    words_of = {
        False: f"all {study.n_cases:,}",
        True: f"the {len(kept):,} that the filters of the page Cases keep",
    }
    st.radio(
        "Cases",
        horizontal=True,
        **widgets.choice("filtered", state.view().filtered, list(words_of), words=words_of.__getitem__),
    )
    parts.note(f"The filters: {'; '.join(filter_words())}.")
    return kept if state.view().filtered else None


def filter_words() -> list[str]:
    """Name each filter of the worklist that is on, the search included."""
    text = state.view().search.strip()
    search = [f"“{text}” in a reading, the id or the metadata"] if text else []
    return [*filters.active_filters(), *search]
