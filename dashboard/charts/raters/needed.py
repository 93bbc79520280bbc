"""Raters needed for a wanted fineness against the accuracy of a rater (Cabitza 2020, fig. 10)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from dashboard.charts.figure import FILLED, RIM, Figure, Spec, layout, named, tips
from dashboard.charts.models.marks import NARROW
from dashboard.shell.theme import Tokens

COUNTS = {
    "needed": ("exactly, if errors are independent", "soft", (1, 0)),
    "needed_dependent": ("if raters err on the same cases", "soft", (6, 4)),
    "bound": ("Chernoff bound, which is safe", "hard", (1, 0)),
    "bound_printed": ("bound as printed (log10), not safe", "other", (2, 3)),
}
"""Columns of the table: words, colour (name of a token) and dash."""


def raters_needed_chart(table: pd.DataFrame, *, accuracy: float, tokens: Tokens) -> Figure:
    """Draw the raters needed, on a logarithmic axis, with a line at one accuracy."""
    curves = table.melt("accuracy", value_vars=list(COUNTS), var_name="count", value_name="raters").dropna()
    curves = curves.astype({"raters": float})
    drawn = tuple(name for name in COUNTS if table[name].notna().any())
    curves["words"] = [COUNTS[name][0] for name in curves["count"]]
    here = curves[(curves["accuracy"] - accuracy).abs() < 5e-4]
    ends = (float(table["accuracy"].min()), float(table["accuracy"].max()))
    most = max(10.0, float(curves["raters"].max()) if len(curves) else 10.0)
    chosen = pd.DataFrame({"accuracy": [accuracy]})
    return Figure(
        _layout(drawn, ends, most, tokens), {"curves": curves, "here": _apart(here, most), "chosen": chosen}
    )


def _apart(here: pd.DataFrame, most: float) -> pd.DataFrame:
    """Points with the heights of their numbers, moved apart so far that they do not overlap."""
    points = here.sort_values("raters", kind="stable")
    gap = 0.055 * np.log(most / 0.6)
    at = np.log(points["raters"].to_numpy())
    for i in range(1, len(at)):
        at[i] = max(at[i], at[i - 1] + gap)
    return points.assign(label_at=np.exp(at))


@lru_cache(maxsize=32)
def _layout(drawn: tuple[str, ...], ends: tuple[float, float], most: float, tokens: Tokens) -> Spec:
    words = [COUNTS[name][0] for name in drawn]
    key = alt.Legend(
        orient="top", title=None, columns=alt.ExprRef(f"{NARROW} ? 1 : 2"),
        symbolType="stroke", symbolStrokeWidth=2, symbolSize=500,
        labelLimit=0, labelFontSize=12.5, labelColor=tokens.text, columnPadding=28,
    )  # fmt: skip
    colours = alt.Scale(domain=words, range=[getattr(tokens, COUNTS[name][1]) for name in drawn])
    dashes = alt.Scale(domain=words, range=[list(COUNTS[name][2]) for name in drawn])
    colour = alt.Color("words:N", legend=key, scale=colours)
    plain = alt.Color("words:N", legend=None, scale=colours)
    x = alt.X(
        "accuracy:Q",
        title="Accuracy of a rater",
        scale=alt.Scale(domain=list(ends), nice=False),
        axis=alt.Axis(format=".0%", tickCount=8, grid=False),
    )
    scale = alt.Scale(type="log", domain=[0.9, most * 1.5], nice=False)
    ticks = [tick for tick in (1, 3, 10, 30, 100, 300, 1000, 3000, 10_000) if tick <= most * 1.5]
    y = alt.Y("raters:Q", title="Raters needed", scale=scale, axis=alt.Axis(format=",.0f", values=ticks))
    tooltip = tips(
        ("words:N", "Counted"),
        ("accuracy:Q", "Accuracy of a rater", ".0%"),
        ("raters:Q", "Raters needed", ",.0f"),
    )
    curves = named("curves", x=x, y=y)
    here = named("here", x=x)
    numbers = here.encode(y=alt.Y("label_at:Q", scale=scale), text=alt.Text("raters:Q", format=",.0f"))
    place: dict[str, Any] = {"align": "left", "dx": 10, "fontWeight": 600}
    chart = alt.layer(
        named("chosen", x=x).mark_rule(color=tokens.muted, strokeDash=[2, 3], strokeWidth=1.2),
        curves.mark_line(strokeWidth=2).encode(
            color=colour, strokeDash=alt.StrokeDash("words:N", legend=key, scale=dashes)
        ),
        curves.mark_point(size=90, opacity=0).encode(tooltip=tooltip),
        here.mark_point(**FILLED, size=70).encode(y=y, color=plain, tooltip=tooltip),
        numbers.mark_text(**place, stroke=tokens.page, **RIM),
        numbers.mark_text(**place).encode(color=plain),
    )
    return layout(chart.properties(height=340), tokens)
