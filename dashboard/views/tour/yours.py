"""What becomes of a claimed accuracy under labels like the tour's, and what to ask whoever makes one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict

import pandas as pd
import streamlit as st

from core.analysis import tour, tour_claim
from core.analysis.formatting import percent
from core.analysis.tour_proof import ceiling_in_words, range_in_words
from dashboard.charts.tour.claim import HEIGHT, claim_chart
from dashboard.components import text
from dashboard.components.picture import picture
from dashboard.components.text import element
from dashboard.shell import cache, theme

CLAIMED, READERS = 92, tour.N_RATERS
"""What the fields begin with: percent, and readers a case."""
MOST = "85\u00a0%"
"""What they answer at first as the most for any model; on top before it is computed."""
PLACE = "your-number"
"""Where the fields stand, for links on the page."""


@cache.cached(64)
def _found(claimed: int, n_readers: int, agreement: int) -> tuple[tour_claim.Claim, int | None]:
    asked, alike = claimed / 100, agreement / 100
    return tour_claim.claim(asked, n_readers, alike), tour_claim.readers_needed(asked, alike)


@st.fragment
def show(source: Mapping[str, str]) -> None:
    """Offer fields for a claim and its readers, and say and draw what such labels support."""
    with st.container(key="tour-yours"):
        st.header("And the model that you are offered?", anchor=PLACE)
        claimed, n_readers, agreement = _asked()
        outside = tour_claim.out_of_range(claimed / 100, n_readers, agreement / 100)
        if outside:
            # Nothing stands here that belongs to other numbers; what is below keeps its place.
            element("p", outside, role="sentence")
            text.blank(HEIGHT)
            _questions()
            return
        found, needed = _found(claimed, n_readers, agreement)
        element("p", tour_claim.in_words(found, needed), role="sentence")
        picture(
            claim_chart(found.row, tokens=theme.tokens()),
            name="tour-your-claim",
            alternative=f"Claimed {percent(found.claimed)}, supported {range_in_words(found.row)}, "
            f"ceiling {ceiling_in_words(found.row)}.",
            caption=tour_claim.of_what(),
            table=pd.DataFrame([asdict(found) | {"readers_needed": needed}]).round(6),
            provenance=source,
        )
        _questions()


def _questions() -> None:
    """Say what to ask."""
    element("p", "Three questions for whoever names an accuracy:")
    for number, question in enumerate(tour_claim.QUESTIONS, 1):
        element("p", f"{number}.\u2002{question}")


def _asked() -> tuple[int, int, int]:
    """Let claim, readers and how often they agree be chosen, any of them; percents, but the readers."""
    with st.container(horizontal=True):
        claimed = st.number_input(
            "Claimed to be right, 0 to 100\u00a0%", value=CLAIMED, width=250, key="tour-claimed"
        )
        n_readers = st.number_input(
            f"Readers a case, 1 to {tour_claim.MOST_READERS}", value=READERS, width=220, key="tour-readers"
        )
        least, most = (round(100 * end) for end in (tour_claim.LEAST_AGREEMENT, tour_claim.MOST_AGREEMENT))
        agreement = st.number_input(
            f"Two readers agree, {least} to {most}\u00a0%",
            value=round(100 * tour_claim.AGREEMENT),
            width=250,
            key="tour-agreement",
            help="How often two readers of a case name the same of three labels; 60 % in this tour",
        )
    return int(claimed), int(n_readers), int(agreement)
