"""Plausibilities of one case: draws, interval, mean and point estimate, one row a label."""

from __future__ import annotations

from functools import lru_cache

import altair as alt
import pandas as pd

from core.analysis.formatting import percent
from dashboard.charts.figure import BAND, CROSS, DOT, UNIT, Figure, Spec, layout, named, tips
from dashboard.components.text import wrapped
from dashboard.shell.theme import Tokens

ROW = 46
"""Height of a row in pixels: one line of words and one of marks."""
AXIS = 52
MOST_LABELS = 8
"""Rows shown; the table behind the picture has all."""


def plausibility_chart(table: pd.DataFrame, draws: pd.DataFrame, *, tokens: Tokens) -> Figure:
    """Draw the plausibility of the labels most likely to lead, with ``draws`` of each."""
    shown = table[table["high"] > 0].head(MOST_LABELS)
    rows = pd.DataFrame(
        {
            "row": range(len(shown)),
            "words": [
                (f"({risk})  " if risk else "") + wrapped(label, 38, lines=1)
                for label, risk in zip(shown["label"], shown["risk"], strict=True)
            ],
            "leads": [f"leads in {percent(leads)}" for leads in shown["leads"]],
            "label": shown["label"].to_numpy(),
            "mean": shown["plausibility"].to_numpy(),
            "low": shown["low"].to_numpy(),
            "high": shown["high"].to_numpy(),
            "point": shown["point"].to_numpy(),
            "zero": 0.0,
            "one": 1.0,
        }
    )
    row_of = dict(zip(shown["label"], range(len(shown)), strict=True))
    visible = draws[draws["label"].isin(row_of)]
    ticks = pd.DataFrame(
        {"row": visible["label"].map(row_of).to_numpy(), "plausibility": visible["plausibility"].to_numpy()}
    )
    return Figure(_layout(len(rows), tokens), {"rows": rows, "ticks": ticks})


@lru_cache(maxsize=32)
def _layout(n_rows: int, tokens: Tokens) -> Spec:
    y = alt.Y("row:O", axis=None, scale=BAND)
    zero, one = alt.X("zero:Q", scale=UNIT), alt.X("one:Q", scale=UNIT)
    base = named("rows", y=y)
    track = base.mark_rule(color=tokens.rule, strokeWidth=10, yOffset=9).encode(x=zero, x2="one:Q")
    cloud = named("ticks", y=y, x=alt.X("plausibility:Q", scale=UNIT)).mark_tick(
        color=tokens.soft, opacity=0.28, thickness=1.5, size=14, orient="vertical", yOffset=9
    )
    interval = base.mark_rule(color=tokens.soft, strokeWidth=3, yOffset=9).encode(
        x=alt.X(
            "low:Q",
            scale=UNIT,
            axis=alt.Axis(values=[0, 0.25, 0.5, 0.75, 1], format=".0%"),
            title="Plausibility of the label",
        ),
        x2="high:Q",
    )
    mean = base.mark_point(**DOT, size=75, color=tokens.soft, stroke=tokens.page, yOffset=9).encode(
        x=alt.X("mean:Q", scale=UNIT),
        tooltip=tips(
            ("label:N", "Label"),
            ("mean:Q", "Mean plausibility", ".1%"),
            ("low:Q", "5 % of draws below", ".1%"),
            ("high:Q", "5 % of draws above", ".1%"),
            ("point:Q", "Point estimate", ".1%"),
        ),
    )
    cross = base.mark_point(**CROSS, size=95, color=tokens.hard, yOffset=9).encode(
        x=alt.X("point:Q", scale=UNIT)
    )
    words = base.mark_text(
        align="left", baseline="middle", dy=-11, fontWeight=600, limit=alt.expr("width - 95")
    ).encode(x=zero, text="words:N")
    leads = base.mark_text(align="right", baseline="middle", dy=-11, color=tokens.muted).encode(
        x=one, text="leads:N"
    )
    chart = alt.layer(track, cloud, interval, mean, cross, words, leads)
    return layout(chart.properties(height=ROW * max(n_rows, 1) + AXIS), tokens, many_marks=True)
