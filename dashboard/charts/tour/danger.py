"""Two models alike on average, and how often each names a dangerous truth: two bars."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.analysis.formatting import percent, percent_range
from core.analysis.tour_proof import range_in_words
from dashboard.charts.figure import Figure, Spec, layout, named, span
from dashboard.charts.tour.claim import AXIS_HEIGHT
from dashboard.charts.tour.tips import only_words
from dashboard.shell.theme import Tokens

_ROW = 66
"""Height of a model and its bar, in pixels."""
_BAR = 20
_GLOSS = "width < 300 ? 62 : 92"
"""Where what is supported begins, right of the model's name: nearer where its number is near, too."""
HEIGHT = 2 * _ROW + AXIS_HEIGHT
"""Of the whole picture, in pixels."""


def danger_chart(table: pd.DataFrame, *, tokens: Tokens) -> Figure:
    """Draw a bar for each of two models, with its interval and its number.

    ``table`` is that of `core.analysis.tour_danger.danger_table`.
    """
    named_in = table["caught"].map(percent)
    rows = table.assign(
        down=_ROW * np.arange(len(table)) + 48,
        none=0.0,
        full=1.0,
        title=table["model"],
        gloss=[f"labels support {range_in_words(row)}" for _, row in table.iterrows()],
        value=named_in,
        tip=[
            f"{row['model']} puts a high-risk label first in {percent(row['caught'])} of the cases whose "
            "truth is one (95\u00a0% interval over cases: "
            f"{percent_range(row['caught_low'], row['caught_high'])})"
            for _, row in table.iterrows()
        ],
    )
    return Figure(_layout(tokens), {"rows": rows})


@lru_cache(maxsize=4)
def _layout(tokens: Tokens) -> Spec:
    down = alt.Y("down:Q", scale=span(2 * _ROW, 0), axis=None)
    axis = alt.Axis(
        values=[tens / 10 for tens in range(0, 11, 2)],
        labelExpr="format(datum.value, '.0%')",
        grid=False,
        titleAnchor="start",
        titleLimit=360,
    )
    x = alt.X("none:Q", title="Share of dangerous cases that the model warns of", scale=span(0, 1), axis=axis)
    base = named("rows", y=down)
    begin, end = alt.value(0), alt.value(alt.ExprRef("width"))

    def words(field: str, size: float, colour: str, **style: Any) -> alt.Chart:
        return base.mark_text(fontSize=size, color=colour, baseline="alphabetic", **style).encode(
            text=f"{field}:N"
        )

    bar = base.encode(x=x, x2="caught:Q", tooltip="tip:N")
    chart = alt.layer(
        base.mark_rule(color=tokens.rule, strokeWidth=_BAR, opacity=0.5).encode(
            x=alt.X("none:Q", scale=span(0, 1)), x2="full:Q"
        ),
        bar.mark_rule(color=tokens.soft, strokeWidth=_BAR, opacity=0.75),
        *(
            base.mark_rule(color=colour, strokeWidth=width).encode(x="caught_low:Q", x2="caught_high:Q")
            for colour, width in ((tokens.page, 5), (tokens.text, 2))
        ),
        words("title", 15, tokens.text, align="left", dy=-20, fontWeight=600).encode(x=begin),
        words("gloss", 13, tokens.muted, align="left", dy=-20, dx=alt.ExprRef(_GLOSS)).encode(x=begin),
        words("value", 21, tokens.text, align="right", dy=-17, fontWeight=600).encode(x=end),
    )
    return only_words(layout(chart.properties(height=HEIGHT), tokens))
