"""What brings cases back where search, filters or the choice of a list leave none."""

from __future__ import annotations

import streamlit as st

from core.analysis.cases.presets import PRESETS
from dashboard.shell import state
from dashboard.views.cases import filters


def offer() -> None:
    """Offer to take off whatever leaves no case in the list, one thing a button."""
    now, offered = state.view(), []
    if now.search.strip():
        offered.append(("search", "Clear the search", {"search": ""}))
    if filters.active_filters():
        offered.append(("filters", "Clear all filters", state.NO_FILTER | {"search": now.search}))
    if len(offered) != 1 or now.preset in PRESETS:
        offered.append(("all", "Show all cases", state.NO_FILTER | {"preset": ""}))
    with st.container(key="bring-back", horizontal=True, gap="small"):
        for name, words, then in offered:
            st.button(words, key=f"bring-back-{name}", on_click=state.change, kwargs=then)
