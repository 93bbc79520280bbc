"""Bars that open the cases which they count."""

from __future__ import annotations

from typing import Any

import altair as alt

OPENS = "opens"
"""Column of a bar's table: what its cases are, as a link writes filters."""
SAID = "said"
"""Column of what a bar says of itself to those who do not see it."""
BAR, WHOLE = "bar", "whole"
"""Selections of a bar or a part of one, and of a whole bar from its foot to the top of the picture."""
SPOKEN = alt.Description(f"{SAID}:N")
TARGET: dict[str, Any] = {"opacity": 0, "cursor": "pointer", "aria": True}
"""A mark that is only there to be pointed at: a bar of two cases among a thousand is a hair high."""


def opens(name: str) -> alt.Parameter:
    """Return the selection by which a click on a mark says what it `OPENS`."""
    return alt.selection_point(name=name, fields=[OPENS], on="click", nearest=False, toggle=False)
