"""The three rows of the answer to a claim, as the page draws them and the note prints them."""

from __future__ import annotations

import math

from core.analysis.formatting import percent_as_said
from core.analysis.note import Band
from core.analysis.tour_claim import Claim
from core.analysis.tour_proof import ceiling_in_words, range_in_words

KINDS = ("claimed", "supported", "ceiling")
LOW = 0.5
"""Where the axis of accuracies begins, unless something lies below."""


def axis_start(found: Claim) -> float:
    """Where the axis begins: at `LOW`, or at tens of percents below it where something lies there."""
    return min(LOW, math.floor(10 * min(found.claimed, found.low)) / 10)


def bands(found: Claim) -> tuple[Band, ...]:
    """Return a row for each of `KINDS`: its title, what it is, its number, and where it begins and ends."""
    return (
        Band(
            "Claimed",
            "measured against the majority label",
            percent_as_said(found.claimed),
            found.claimed,
            found.claimed,
        ),
        Band(
            "Supported",
            "what these labels can prove of this model",
            range_in_words(found.row, "–"),
            found.low,
            found.high,
        ),
        Band(
            "Ceiling",
            "the most, for one that repeats the majority",
            ceiling_in_words(found.row, "–"),
            found.ceiling_low,
            found.ceiling_high,
        ),
    )
