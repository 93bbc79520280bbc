"""Coefficients of agreement against the share of the commonest label: why one survives."""

from __future__ import annotations

from functools import lru_cache

import altair as alt
import pandas as pd

from dashboard.charts.figure import FILLED, Figure, Spec, layout, mapped, named, span, tips
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
def _layout(coefficients: tuple[str, str], title: str, left: float, low: float, tokens: Tokens) -> Spec:
    x_scale = span(left, 1)
    x = alt.X(
        "share:Q", title=title, scale=x_scale, axis=alt.Axis(format=".0%", tickCount=5, labelFlush=False)
    )
    y = alt.Y("value:Q", title="Value", scale=span(low, 1), axis=alt.Axis(format=".1f", tickCount=5))
    colour = mapped(alt.Color, "coefficient:N", coefficients, [tokens.hard, tokens.soft])
    dash = mapped(alt.StrokeDash, "coefficient:N", coefficients, [[6, 3], [1, 0]])
    tooltip = tips(
        ("coefficient:N", "Coefficient"),
        ("share:Q", "Share of the label", ".0%"),
        ("value:Q", "Value", ".2f"),
    )
    rule = named("here", x=alt.X("share:Q", scale=x_scale, title=title)).mark_rule(
        color=tokens.muted, strokeDash=[2, 3], strokeWidth=1.2
    )
    lines = named("curves", x=x, y=y, color=colour, strokeDash=dash).mark_line(strokeWidth=2)
    dots = named("here", x=x, y=y, color=colour, tooltip=tooltip).mark_point(**FILLED, size=64)
    names = named("ends", x=x, y=y, color=colour, text="words:N").mark_text(
        align="left", dx=6, fontWeight=600, fontSize=12.5
    )
    spec = layout(alt.layer(rule, lines, dots, names).properties(height=_HEIGHT), tokens)
    spec["padding"] = {"left": 2, "right": 40, "top": 6, "bottom": 4}
    return spec
