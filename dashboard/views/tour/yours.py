"""What becomes of a claimed accuracy under labels like the tour's, and what to ask whoever makes one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict

import pandas as pd
import streamlit as st

from core.analysis import tour, tour_claim
from core.analysis.formatting import percent
from core.analysis.tour_proof import ceiling_in_words, range_in_words
from dashboard.charts.tour.claim import claim_chart
from dashboard.components.picture import picture
from dashboard.components.text import element
from dashboard.shell import cache, theme

CLAIMED, READERS = 92, tour.N_RATERS
"""What the fields begin with: percent, and readers a case."""
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
        found, needed = _found(*_asked())
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
        element("p", "Three questions for whoever names an accuracy:")
        for number, question in enumerate(tour_claim.QUESTIONS, 1):
            element("p", f"{number}.\u2002{question}")


def _asked() -> tuple[int, int, int]:
    """Let claim, readers and how often they agree be chosen; percents, but the readers."""
    least, most = (round(100 * end) for end in (tour_claim.LEAST_AGREEMENT, tour_claim.MOST_AGREEMENT))
    with st.container(horizontal=True):
        claimed = st.number_input("Claimed to be right, in %", 0, 100, CLAIMED, width=230, key="tour-claimed")
        n_readers = st.number_input(
            "Readers a case", 1, tour_claim.MOST_READERS, READERS, width=180, key="tour-readers"
        )
        agreement = st.number_input(
            "Two readers agree, in %",
            least,
            most,
            round(100 * tour_claim.AGREEMENT),
            width=230,
            key="tour-agreement",
            help="How often two readers of a case name the same of three labels; 60 % in this tour",
        )
    return int(claimed), int(n_readers), int(agreement)
