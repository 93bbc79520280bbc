"""Quantile dot plot: twenty plausible truths, each a dot beside the label that leads in it."""

from __future__ import annotations

from functools import lru_cache

import altair as alt
import pandas as pd

from dashboard.charts.figure import BAND, Figure, Spec, layout, named, span
from dashboard.components.text import wrapped
from dashboard.shell.theme import PADDING, Tokens, risk_scale

ROW = 44
MOST_ROWS = 8
"""Labels that lead in fewer dots than those of the first rows share the last one."""
WIDTH = 310
"""In pixels: the dots of a row touch, so that rows are read like bars."""


def dot_chart(table: pd.DataFrame, *, tokens: Tokens) -> Figure:
    """Draw one row of dots for each label of `case.dot_table` that leads in at least one of twenty.

    The risk letter stands in each dot, so that colour is not the only carrier.
    """
    total = int(table["dots"].sum())
    table = _folded(table)
    labels = list(zip(table["label"], table["risk"], table["dots"], strict=True))
    rows = pd.DataFrame(
        {
            "row": range(len(table)),
            "words": [f"{wrapped(label, 38, lines=1)}: {n} of {total}" for label, _, n in labels],
            "start": 0.0,
        }
    )
    dots = pd.DataFrame(
        [(row, place + 0.5, risk) for row, (_, risk, n) in enumerate(labels) for place in range(n)],
        columns=["row", "place", "risk"],
    )
    known = bool((table["risk"] != "").any())
    return Figure(_layout(len(rows), total, known, tokens), {"rows": rows, "dots": dots})


def _folded(table: pd.DataFrame) -> pd.DataFrame:
    """Put what goes beyond `MOST_ROWS` labels into one last row."""
    if len(table) <= MOST_ROWS:
        return table
    rest = table.iloc[MOST_ROWS - 1 :]
    row = {"label": f"{len(rest)} other labels", "risk": "", "dots": rest["dots"].sum()}
    return pd.concat([table.iloc[: MOST_ROWS - 1], pd.DataFrame([row])], ignore_index=True)


@lru_cache(maxsize=64)
def _layout(n_rows: int, total: int, known: bool, tokens: Tokens) -> Spec:
    y = alt.Y("row:O", axis=None, scale=BAND)
    scale = span(0, max(total, 1))
    place = alt.X("place:Q", axis=None, scale=scale)
    words = named("rows", y=y, x=alt.X("start:Q", axis=None, scale=scale), text="words:N").mark_text(
        align="left", baseline="middle", dy=-12, fontWeight=600, limit=WIDTH
    )
    base = named("dots", y=y, x=place)
    circle = base.mark_circle(size=210, opacity=1, yOffset=8, stroke=tokens.muted, strokeWidth=0.6).encode(
        color=alt.Color("risk:N", legend=None, scale=risk_scale(tokens.risk))
        if known
        else alt.ColorValue(tokens.soft)
    )
    letter = base.mark_text(baseline="middle", fontSize=10.5, fontWeight=700, yOffset=8).encode(
        text="risk:N", color=alt.Color("risk:N", legend=None, scale=risk_scale(tokens.on_risk))
    )
    chart = alt.layer(circle, letter, words).resolve_scale(color="independent")
    return layout(chart.properties(width=WIDTH, height=ROW * max(n_rows, 1) + PADDING), tokens)
