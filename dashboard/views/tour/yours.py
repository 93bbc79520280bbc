"""What becomes of a claimed accuracy under labels like the tour's, and what to ask whoever makes one."""

from __future__ import annotations

import streamlit as st

from core.analysis import tour, tour_claim
from dashboard.components.text import element
from dashboard.shell import cache

CLAIMED, READERS = 92, tour.N_RATERS
"""What the fields begin with: percent, and readers a case."""


@cache.cached(64)
def _found(claimed: int, n_readers: int) -> tour_claim.Claim:
    return tour_claim.claim(tour.toy_study(), claimed / 100, n_readers)


@st.fragment
def show() -> None:
    """Offer fields for a claim and its readers, and say what such labels can support."""
    with st.container(key="tour-yours"):
        st.header("And the model that you are offered?", anchor=False)
        with st.container(horizontal=True):
            claimed = st.number_input(
                "Claimed to be right, in %", 0, 100, CLAIMED, width=230, key="tour-claimed"
            )
            n_readers = st.number_input(
                "Readers a case", 1, tour_claim.MOST_READERS, READERS, width=180, key="tour-readers"
            )
        found = _found(int(claimed), int(n_readers))
        element("p", tour_claim.in_words(found), role="sentence")
        element("p", tour_claim.of_whom(found), role="note")
        element("p", "Three questions for whoever names an accuracy:")
        for number, question in enumerate(tour_claim.QUESTIONS, 1):
            element("p", f"{number}.\u2002{question}")
