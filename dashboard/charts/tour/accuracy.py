"""One model's accuracy against everything that could be called the truth."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.analysis.formatting import percent
from dashboard.charts.figure import CROSS, DOT, Figure, Spec, layout, named, span
from dashboard.shell.theme import Tokens

_WIDE = alt.expr("width < 430 ? 0 : 1")
"""Opacity of explanations that a narrow picture has no room for."""
_ROW = 66
_LOW, _HIGH, _EDGE = 0.5, 1.0, 1.1
"""Ends of the axis, and where the values stand in a column."""


def accuracy_chart(table: pd.DataFrame, words: Mapping[str, tuple[str, str]], *, tokens: Tokens) -> Figure:
    """Draw one row for each truth with its title and explanation, its accuracy as a mark and as a number.

    Hard values are neutral, the adjusted one has the colour of plausibilities, the truth is a ring.
    """
    rows = table.assign(
        row=np.arange(len(table)) + 0.68,
        title=[words[truth][0] for truth in table["truth"]],
        gloss=[words[truth][1] for truth in table["truth"]],
        value=table["accuracy"].map(percent),
        limit=[f"{percent(c)} is the most any model can reach" for c in table["ceiling"].fillna(0)],
        first=_LOW,
        last=_HIGH,
        edge=_EDGE,
    )
    return Figure(_layout(len(rows), tokens), {"rows": rows})


@lru_cache(maxsize=4)
def _layout(n_rows: int, tokens: Tokens) -> Spec:
    scale = span(_LOW, _EDGE)
    axis = alt.Axis(format=".0%", values=[0.5, 0.6, 0.7, 0.8, 0.9, 1.0], grid=False, titleAnchor="start")
    title = "Share of cases in which the model names the right label"
    x = alt.X("accuracy:Q", title=title, scale=scale, axis=axis)
    y = alt.Y("row:Q", axis=None, scale=span(n_rows, 0))
    base = named("rows", y=y)

    def of(*truths: str) -> alt.Chart:
        kinds = " || ".join(f"datum.truth == '{truth}'" for truth in truths)
        return base.transform_filter(kinds)

    def text(size: float, colour: str, **style: Any) -> alt.Chart:
        return base.mark_text(baseline="middle", fontSize=size, color=colour, **style)

    cross = of("one rater", "majority").mark_point(
        **CROSS, size=130, color=tokens.hard, stroke=tokens.page, strokeWidth=1
    )
    dot = of("adjusted").mark_point(**DOT, size=120, color=tokens.soft)
    ring = of("known truth").mark_point(
        shape="circle", filled=False, size=200, opacity=1, stroke=tokens.text, strokeWidth=2.2
    )
    tick = of("adjusted").mark_tick(color=tokens.soft, thickness=2, size=18, opacity=1)
    limit = of("adjusted").encode(x="ceiling:Q", text="limit:N")
    beside: dict[str, Any] = {"align": "left", "baseline": "middle", "dx": 9, "fontSize": 12.5}
    chart = alt.layer(
        base.mark_rule(color=tokens.rule, strokeWidth=1).encode(x=alt.X("first:Q", scale=scale), x2="last:Q"),
        text(14, tokens.text, align="left", dy=-22, fontWeight=600).encode(x="first:Q", text="title:N"),
        text(12.5, tokens.muted, align="right", dy=-22, opacity=_WIDE).encode(x="last:Q", text="gloss:N"),
        text(19, tokens.text, align="right", fontWeight=600).encode(x="edge:Q", text="value:N"),
        of("one rater").mark_rule(color=tokens.hard, strokeWidth=2).encode(x="low:Q", x2="high:Q"),
        of("adjusted")
        .mark_rule(color=tokens.soft, strokeWidth=12, opacity=0.28)
        .encode(x="low:Q", x2="high:Q"),
        cross.encode(x=x),
        dot.encode(x=x),
        ring.encode(x=x),
        tick.encode(x="ceiling:Q"),
        limit.mark_text(**beside, stroke=tokens.page, strokeWidth=6, opacity=_WIDE),
        limit.mark_text(**beside, color=tokens.soft, opacity=_WIDE),
    )
    return layout(chart.properties(height=_ROW * n_rows), tokens)
