"""Draws on the simplex of the three leading labels, with the sectors in which each leads."""

from __future__ import annotations

from functools import lru_cache

import altair as alt
import numpy as np
import pandas as pd

from core.analysis.formatting import percent
from dashboard.charts.figure import CROSS, Figure, Spec, layout, named, span
from dashboard.components.text import wrapped
from dashboard.shell.theme import Tokens

WIDTH, HEIGHT = 330, 286
"""In pixels, so that the triangle has equal sides."""
CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(3) / 2]])
"""Where each of the three labels has all plausibility."""
_LINE = 15


def simplex_chart(table: pd.DataFrame, leads: tuple[float, float, float], *, tokens: Tokens) -> Figure:
    """Draw a triangle with the labels as corners: the nearer a dot to a corner, the more plausible its label.

    ``table`` is that of `core.analysis.cases.case.simplex_table`; ``leads`` are probabilities, in [0, 1].
    """
    at = table.iloc[:, :3].to_numpy(float) @ CORNERS
    marks = pd.DataFrame({"x": at[:, 0], "y": at[:, 1]})
    drawn = (table["kind"] == "draw").to_numpy()
    words = [
        wrapped(name, 17, lines=2) + f"\nleads in {percent(share)}"
        for name, share in zip(table.columns[:3], leads, strict=True)
    ]
    corners = pd.DataFrame({"x": CORNERS[:, 0], "y": CORNERS[:, 1], "words": words})
    lines_above = words[2].count("\n") + 1
    return Figure(
        _layout(lines_above, tokens),
        {
            "outline": pd.DataFrame(
                {"x": CORNERS[[0, 1, 2, 0], 0], "y": CORNERS[[0, 1, 2, 0], 1], "order": range(4)}
            ),
            "sectors": sectors(leads),
            "draws": marks[drawn],
            "point": marks[~drawn],
            "below": corners.iloc[:2],
            "above": corners.iloc[2:],
        },
    )


def sectors(leads: tuple[float, float, float]) -> pd.DataFrame:
    """Return the corners of the field in which each label has the largest share, and how often it leads."""
    centre = CORNERS.mean(axis=0)
    frames = []
    for sector, share in enumerate(leads):
        own, after, before = np.roll(CORNERS, -sector, axis=0)
        frame = pd.DataFrame([own, (own + after) / 2, centre, (own + before) / 2], columns=["x", "y"])
        frames.append(frame.assign(sector=sector, order=range(4), share=round(share, 4)))
    return pd.concat(frames, ignore_index=True)


@lru_cache(maxsize=8)
def _layout(lines_above: int, tokens: Tokens) -> Spec:
    x = alt.X("x:Q", axis=None, scale=span(-0.28, 1.28))
    y = alt.Y("y:Q", axis=None, scale=span(-0.2, 1.152))
    outline = named("outline", x=x, y=y, order="order:Q").mark_line(color=tokens.muted, strokeWidth=1.2)
    tint = alt.Scale(domain=[0, 1], range=[0.015, 0.3])
    fields = named(
        "sectors",
        x=x,
        y=y,
        order="order:Q",
        detail="sector:N",
        fillOpacity=alt.FillOpacity("share:Q", legend=None, scale=tint),
    ).mark_line(interpolate="linear-closed", fill=tokens.soft, stroke=tokens.other, strokeWidth=0.8)
    draws = named("draws", x=x, y=y).mark_point(
        shape="circle", filled=True, size=16, color=tokens.soft, opacity=0.4
    )
    point = named("point", x=x, y=y).mark_point(**CROSS, size=110, color=tokens.hard)
    below = named("below", x=x, y=y, text="words:N").mark_text(
        lineBreak="\n", baseline="top", dy=8, fontSize=12.5, lineHeight=_LINE
    )
    above = named("above", x=x, y=y, text="words:N").mark_text(
        lineBreak="\n", baseline="top", dy=-8 - _LINE * lines_above, fontSize=12.5, lineHeight=_LINE
    )
    chart = alt.layer(fields, outline, draws, point, below, above)
    return layout(
        chart.properties(width=WIDTH, height=HEIGHT, autosize=alt.AutoSizeParams(type="none"), padding=0),
        tokens,
        many_marks=True,
    )
