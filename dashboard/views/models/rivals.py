"""The cases that decide between two models."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import streamlit as st

from dashboard.charts.models.better import PAIR
from dashboard.components.case_list import case_list
from dashboard.components.picture import data_button
from dashboard.components.text import element
from dashboard.shell import state, widgets
from dashboard.views import parts
from dashboard.views.models import deciding
from dashboard.views.models.model_comparison import ModelComparison

_HEIGHT = 420
"""Pixels of the list at most."""
_CLICKED = "loupe-clicked-pair"


def adopt(selected: Mapping[str, Any]) -> None:
    """Take over a pair that was clicked in the matrix, once."""
    clicked = [(row["model"], row["other"]) for row in selected.get(PAIR, []) if "other" in row]
    if clicked and clicked[0] != st.session_state.get(_CLICKED):
        state.change(rivals=clicked[0])
    st.session_state[_CLICKED] = clicked[0] if clicked else None


def show(comparison: ModelComparison) -> None:
    """Let two models be chosen, and list the cases that decide between them."""
    if not comparison.ranks:
        return
    parts.head("Which cases decide between two models?")
    if not deciding.can_decide(comparison):
        parts.note(
            f"{comparison.ranked_by} is an average over labels: choose a metric of one label, or accuracy."
        )
        return
    a, b = deciding.leaders(comparison, state.view().rivals)
    try:
        words = deciding.verdict(comparison, a, b)
    except ValueError as refusal:
        _pair_in_words(
            comparison, f"{a} and {b} cannot be compared by {comparison.ranked_by}: {refusal}.", a, b
        )
        return
    _pair_in_words(comparison, words, a, b)
    _table(comparison, a, b)


def _pair_in_words(comparison: ModelComparison, words: str, a: str, b: str) -> None:
    """Say which models these are and what is known of them; beside it others can be chosen."""
    with st.container(horizontal=True, wrap=False, vertical_alignment="center", gap="small"):
        element("p", words)
        # Two fields that follow every change of metric are slow, and seldom wanted: they wait folded.
        popover = st.popover("Choose models", key="rivals", on_change="rerun")
    if popover.open:
        with popover:
            _choose(comparison, a, b)


def _choose(comparison: ModelComparison, a: str, b: str) -> None:
    """Offer the models that differ."""
    names = dict(zip(comparison.distinct["model"], comparison.distinct["names"], strict=True))
    before = state.view().rivals

    def take(place: int, said: str) -> None:
        """Keep both models, the other as it is now: both fields may be left at once."""
        chosen = [a, b] if state.view().rivals == before else list(state.view().rivals)
        chosen[place] = said
        state.change(rivals=tuple(chosen))

    for place, (letter, value, other) in enumerate((("A", a, b), ("B", b, a))):
        st.selectbox(
            f"Model {letter}",
            width=270,
            **widgets.choice(
                f"rival-{letter.lower()}",
                value,
                [model for model in names if model != other],
                words=names.__getitem__,
                take=partial(take, place),
            ),
        )


def _table(comparison: ModelComparison, a: str, b: str) -> None:
    """List the cases; a click opens one."""
    columns, rows, shares = deciding.listed(comparison, a, b)
    if not rows:
        parts.note("No case decides: both say the same of all, as far as this metric sees.")
        return
    name = "Cases that decide between two models"
    opened = case_list(columns, rows, name=name, key="deciding", height=_HEIGHT, shares=shares)
    cases = deciding.cases_between(comparison, a, b)
    with st.container(horizontal=True, wrap=False, vertical_alignment="center"):
        parts.note(
            f"The most decisive first, {len(rows):,} of {len(cases):,} cases.",
            at_screen="Click a row, or mark one with ↓ and ↑ and press Enter, to open the case in Cases.",
        )
        data_button(
            name="deciding-cases",
            table=cases,
            provenance=dict(comparison.source) | {"model A": a, "model B": b, "metric": comparison.ranked_by},
        )
    if opened is not None:
        state.choose_case(opened)
        state.open_page("cases")
