"""What is claimed of a model, what the labels support, and the most that they could grant any model."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.analysis.support_words import TRUTHS
from core.analysis.tour_bands import KINDS, LOW, axis_start, bands
from core.analysis.tour_claim import Claim
from dashboard.charts.figure import CROSS, Figure, Spec, layout, named, span
from dashboard.charts.tour.tips import only_words
from dashboard.shell.theme import Tokens

HIGH = 1.0
"""Upper end of the axis of accuracies."""
AXIS = "Accuracy, claimed or supported"
AXIS_HEIGHT = 52
"""What the axis and its title take of the height of a picture, in pixels."""
COLUMN = 98
"""Width of the column of numbers on the right, in pixels: no mark comes there."""
CEILING = 0.45
"""Opacity of the band of the ceiling, over that of what is supported."""
_ROW = 66
"""Height of a row, in pixels."""
_TICK = 0.14
"""Half the height of the mark that repeats the claim in the other rows, in rows."""
_SAID = {
    "claimed": "Claimed: the model names the majority label in {} of the cases",
    "supported": f"Supported: in 95 of 100 {TRUTHS} the model’s accuracy is {{}}",
    "ceiling": f"Ceiling: in 95 of 100 {TRUTHS} the best possible model reaches {{}}",
}
"""What the pointer is told over each."""


def claim_chart(found: Claim, *, tokens: Tokens) -> Figure:
    """Draw rows: a cross for the claim, a band for what is supported, a paler one for any model.

    A fine stroke repeats the claim in the other rows. The axis begins at
    `core.analysis.tour_bands.axis_start`.
    """
    start = axis_start(found)
    drawn = bands(found)
    at = np.arange(len(drawn)) + 0.8
    rows = pd.DataFrame(
        {
            "kind": KINDS,
            **{name: [getattr(one, name) for one in drawn] for name in ("title", "gloss", "low", "high")},
            "row": at,
            "value": [one.said for one in drawn],
            "claim": found.claimed,
            "above": at - _TICK,
            "below": at + _TICK,
            "first": start,
            "last": HIGH,
            "tip": [
                _SAID[kind].format(one.said.replace("–", " to "))
                for kind, one in zip(KINDS, drawn, strict=True)
            ],
        }
    )
    return Figure(_layout(start, tokens), {"rows": rows})


def _beside_numbers(low: float, high: float) -> alt.Scale:
    """Scale with exactly these ends that leaves the column of numbers free."""
    return alt.Scale(domain=[low, high], nice=False, range=[0, {"expr": f"width - {COLUMN}"}])


def accuracy_axis(start: float = LOW) -> alt.Axis:
    """Axis of accuracies, in percent: a tick every ten of them from where it starts."""
    return alt.Axis(
        values=[tens / 10 for tens in range(round(10 * start), 11)],
        labelExpr="format(datum.value, '.0%')",
        grid=False,
        titleAnchor="start",
        titleLimit=420,
    )


@lru_cache(maxsize=4)
def _layout(start: float, tokens: Tokens) -> Spec:
    x = alt.X("low:Q", title=AXIS, scale=_beside_numbers(start, HIGH), axis=accuracy_axis(start))
    y = alt.Y("row:Q", axis=None, scale=span(len(KINDS), 0))
    base = named("rows", y=y)

    def of(kind: str) -> alt.Chart:
        return base.transform_filter(f"datum.kind == '{kind}'").encode(tooltip="tip:N")

    def words(field: str, size: float, colour: str, **style: Any) -> alt.Chart:
        return base.mark_text(fontSize=size, color=colour, **style).encode(text=f"{field}:N")

    begin, end = alt.value(0), alt.value(alt.ExprRef("width"))
    track = alt.X("first:Q", scale=_beside_numbers(start, HIGH))
    ticks = named("rows", where="datum.kind != 'claimed'").mark_rule(color=tokens.hard, strokeWidth=1.5)
    chart = alt.layer(
        base.mark_rule(color=tokens.rule).encode(x=track, x2="last:Q"),
        words("title", 15, tokens.text, align="left", dy=-39, fontWeight=600).encode(x=begin),
        words("gloss", 13, tokens.muted, align="left", dy=-22).encode(x=begin),
        words("value", 20, tokens.text, align="right", baseline="middle", fontWeight=600).encode(x=end),
        of("ceiling")
        .mark_rule(color=tokens.soft, strokeWidth=14, opacity=CEILING)
        .encode(x="low:Q", x2="high:Q"),
        of("supported").mark_rule(color=tokens.soft, strokeWidth=14, opacity=0.75).encode(x=x, x2="high:Q"),
        ticks.encode(x="claim:Q", y=alt.Y("above:Q", axis=None, scale=span(len(KINDS), 0)), y2="below:Q"),
        of("claimed")
        .mark_point(**CROSS, size=170, color=tokens.hard, stroke=tokens.page, strokeWidth=1)
        .encode(x="low:Q"),
    )
    return only_words(layout(chart.properties(height=_ROW * len(KINDS) + AXIS_HEIGHT), tokens))
