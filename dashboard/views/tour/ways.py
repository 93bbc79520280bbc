"""The second step: in which ways all cases of the claim could be labelled, and what they make of it."""

from __future__ import annotations

from collections.abc import Mapping

from core.analysis.formatting import percent_as_said
from core.analysis.tour_claim import N_TRUTHS, Claim
from core.analysis.tour_proof import range_in_words
from core.analysis.tour_ways import ways_in_words, ways_table
from dashboard.charts.tour.ways import ways_chart
from dashboard.components.picture import picture
from dashboard.shell import theme
from dashboard.views.tour.steps import step


def show(found: Claim, source: Mapping[str, str]) -> None:
    """Draw the ways of labelling all cases from which the range of a claim comes."""
    with step(2, "All cases: where the range comes from", ways_in_words(found)):
        picture(
            ways_chart(found, tokens=theme.tokens()),
            name="tour-ways",
            alternative=f"{N_TRUTHS} dots, one for each plausible truth, placed by the model’s accuracy in "
            f"it. Supported {range_in_words(found.row)}, claimed {percent_as_said(found.claimed)}.",
            caption="Faint: the few lowest and highest. Cross: the claim.",
            table=ways_table(found).round(6),
            provenance=source,
        )
