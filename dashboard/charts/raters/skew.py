"""Coefficients of agreement against the share of the commonest label: why one survives."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import altair as alt
import pandas as pd

from dashboard.charts.figure import Figure, layout, named
from dashboard.components.text import wrapped
from dashboard.shell.theme import Tokens

_HEIGHT = 210


def skew_chart(table: pd.DataFrame, *, coefficients: tuple[str, str], label: str, tokens: Tokens) -> Figure:
    """Draw two coefficients at one observed agreement against the share of the commonest label.

    The first falls where the label is common, and is dashed; the second survives.
    """
    ends = table.groupby("coefficient", sort=False).tail(1).assign(words=lambda rows: rows["coefficient"])
    here = table[table["here"]]
    title = f"Share of readings that say {wrapped(label, 30, lines=1)}"
    low = min(0.0, float(table["value"].min()))
    spec = _layout(coefficients, title, float(table["share"].min()), round(low, 2), tokens)
    return Figure(spec, {"curves": table, "ends": ends, "here": here})


@lru_cache(maxsize=16)
def _layout(
    coefficients: tuple[str, str], title: str, left: float, low: float, tokens: Tokens
) -> dict[str, Any]:
    x_scale = alt.Scale(domain=[left, 1], nice=False)
    x = alt.X(
        "share:Q", title=title, scale=x_scale, axis=alt.Axis(format=".0%", tickCount=5, labelFlush=False)
    )
    y = alt.Y(
        "value:Q",
        title="Value",
        scale=alt.Scale(domain=[low, 1], nice=False),
        axis=alt.Axis(format=".1f", tickCount=5),
    )
    colour = alt.Color(
        "coefficient:N",
        legend=None,
        scale=alt.Scale(domain=list(coefficients), range=[tokens.hard, tokens.soft]),
    )
    dash = alt.StrokeDash(
        "coefficient:N", legend=None, scale=alt.Scale(domain=list(coefficients), range=[[6, 3], [1, 0]])
    )
    tooltip = [
        alt.Tooltip("coefficient:N", title="Coefficient"),
        alt.Tooltip("share:Q", title="Share of the label", format=".0%"),
        alt.Tooltip("value:Q", title="Value", format=".2f"),
    ]
    rule = (
        named("here")
        .mark_rule(color=tokens.muted, strokeDash=[2, 3], strokeWidth=1.2)
        .encode(x=alt.X("share:Q", scale=x_scale, title=title))
    )
    lines = named("curves").mark_line(strokeWidth=2).encode(x=x, y=y, color=colour, strokeDash=dash)
    dots = (
        named("here")
        .mark_point(filled=True, size=64, opacity=1)
        .encode(x=x, y=y, color=colour, tooltip=tooltip)
    )
    names = (
        named("ends")
        .mark_text(align="left", dx=6, fontWeight=600, fontSize=12.5)
        .encode(x=x, y=y, color=colour, text=alt.Text("words:N"))
    )
    spec = layout(alt.layer(rule, lines, dots, names).properties(height=_HEIGHT), tokens)
    spec["padding"] = {"left": 2, "right": 40, "top": 6, "bottom": 4}
    return spec
