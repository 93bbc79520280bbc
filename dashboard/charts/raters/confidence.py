"""How sure each rater says to be: a ridge of stated confidences for each (Cabitza 2020, fig. 3)."""

from __future__ import annotations

from functools import lru_cache

import altair as alt
import numpy as np
import pandas as pd

from dashboard.charts.figure import UNIT, Figure, Spec, layout, mapped, named, tips
from dashboard.charts.models.marks import shortened
from dashboard.shell.theme import Tokens

ROW = 26
"""Pixels from one ridge to the next."""
_TALLEST = 1.7
"""Height of the tallest ridge, in rows."""
_NAME = 22


def confidence_ridges_chart(table: pd.DataFrame, *, everybody: str, tokens: Tokens) -> Figure:
    """Draw the share of each rater's readings with each confidence; ``everybody`` together last and neutral.

    All ridges have one scale, so that heights compare; between stated values the outline is straight.
    """
    raters = list(dict.fromkeys(table["rater"]))
    floor = {rater: i + 1 for i, rater in enumerate(raters)}
    tallest = max(float(table["share"].max()), 1e-9)
    base = table["rater"].map(floor)
    ridges = table.assign(
        floor=base,
        top=base - _TALLEST * table["share"] / tallest,
        kind=np.where(table["rater"] == everybody, "all", "one"),
    )
    mean = (table["confidence"] * table["share"]).groupby(table["rater"]).sum()
    names = pd.DataFrame(
        {
            "floor": list(floor.values()),
            "words": [shortened(name, _NAME, lines=1) for name in raters],
            "mean": [float(mean[name]) for name in raters],
        }
    )
    longest = max((len(words) for words in names["words"]), default=0)
    spec = _layout(tokens) | {
        "params": [{"name": "rows", "value": len(raters)}],
        "height": ROW * (len(raters) + _TALLEST) + 40,
        "padding": {"left": 12 + 6.9 * longest, "right": 12, "top": 2, "bottom": 4},
    }
    return Figure(spec, {"ridges": ridges, "names": names})


@lru_cache(maxsize=16)
def _layout(tokens: Tokens) -> Spec:
    axis = alt.Axis(format=".0%", tickCount=5, labelFlush=False)
    x = alt.X("confidence:Q", title="Stated confidence", scale=UNIT, axis=axis)
    rows = alt.Scale(domain=[1 - _TALLEST, alt.ExprRef("rows + 0.15")], reverse=True, nice=False)
    y = alt.Y("floor:Q", axis=None, scale=rows)
    colour = mapped(alt.Color, "kind:N", ["one", "all"], [tokens.soft, tokens.other])
    tooltip = tips(
        ("rater:N", "Rater"),
        ("low:Q", "Confidence from", ".0%"),
        ("high:Q", "to", ".0%"),
        ("share:Q", "Share of the readings", ".1%"),
        ("readings:Q", "Readings", ",d"),
    )
    ridges = named("ridges", x=x, color=colour, detail="rater:N")
    layers = [
        named("names", y=y).mark_rule(color=tokens.rule),
        ridges.mark_area(opacity=0.55).encode(y=y, y2="top:Q"),
        ridges.mark_line(strokeWidth=1.4).encode(y=alt.Y("top:Q", axis=None, scale=rows)),
        ridges.mark_point(size=120, opacity=0, filled=True).encode(
            y=alt.Y("top:Q", axis=None, scale=rows), tooltip=tooltip
        ),
        named("names", x=alt.X("mean:Q", scale=UNIT), y=y).mark_tick(
            color=tokens.hard, thickness=2, size=9, yOffset=-5
        ),
        named("names", x=alt.XValue(0), y=y, text="words:N").mark_text(
            align="right", dx=-8, dy=-5, fontSize=12
        ),
    ]
    return layout(alt.layer(*layers), tokens, many_marks=True)
