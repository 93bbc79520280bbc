"""How certain all cases of a study in parts are, as a histogram."""

from __future__ import annotations

from functools import lru_cache

import altair as alt
import pandas as pd

from dashboard.charts.figure import COUNTS, Figure, Spec, layout, named, span, tips
from dashboard.shell.theme import Tokens


def certainty_of_all(table: pd.DataFrame, *, tokens: Tokens) -> Figure:
    """Draw how many cases have which certainty.

    ``table`` has the columns ``low``, ``high`` (shares) and ``cases``.
    """
    return Figure(_of_all_layout(tokens), {"bars": table.assign(zero=0, words=_words(table))})


def _words(table: pd.DataFrame) -> list[str]:
    return [
        f"{100 * low:.0f} to {100 * high:.0f}\u00a0%"
        for low, high in zip(table["low"], table["high"], strict=True)
    ]


@lru_cache(maxsize=4)
def _of_all_layout(tokens: Tokens) -> Spec:
    axis = alt.Axis(format=".0%", values=[0, 0.25, 0.5, 0.75, 1], grid=False)
    bars = named(
        "bars",
        x=alt.X("low:Q", title="Certainty of the leading label", scale=span(0, 1), axis=axis),
        x2="high:Q",
        y=alt.Y("cases:Q", title="Cases", axis=COUNTS),
        y2="zero:Q",
        tooltip=tips(("words:N", "Certainty"), ("cases:Q", "Cases", ",")),
    ).mark_rect(color=tokens.soft, stroke=tokens.page, strokeWidth=1)
    return layout(bars.properties(height=200), tokens)
