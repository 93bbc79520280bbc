"""What is claimed of a model, what the labels support, and the most that they could grant any model."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import altair as alt
import pandas as pd

from core.analysis.formatting import percent
from core.analysis.tour_proof import ceiling_in_words, range_in_words
from dashboard.charts.figure import CROSS, Figure, Spec, layout, named, span
from dashboard.charts.tour.tips import only_words
from dashboard.shell.theme import Tokens

LOW, HIGH = 0.5, 1.0
"""Ends of the axis of accuracies."""
AXIS = "Share of cases in which the model names the right label"
AXIS_HEIGHT = 52
"""What the axis and its title take of the height of a picture, in pixels."""
CEILING = 0.45
"""Opacity of the band of the ceiling, over that of what is supported."""
_ROW = 64
"""Height of a row, in pixels."""
HEIGHT = 3 * _ROW + AXIS_HEIGHT
"""Of the whole picture, in pixels."""
_KINDS = (
    ("claimed", "Claimed", "the majority label taken for the truth"),
    ("supported", "Supported by the labels", "in 95 of 100 plausible truths"),
    ("ceiling", "Ceiling", "the same of the best possible model"),
)


def claim_chart(row: pd.Series, *, tokens: Tokens) -> Figure:
    """Draw three rows: a cross for the claim, a band for what is supported, a paler one for any model.

    A dotted line carries the claim down to the band. ``row`` is of `core.analysis.tour_proof.proof_table`.
    The axis begins at `LOW`, or at tens of percents below it where something lies there.
    """
    start = min(LOW, math.floor(10 * min(row["claimed"], row["low"])) / 10)
    rows = pd.DataFrame(_KINDS, columns=["kind", "title", "gloss"]).assign(
        row=[0.86, 1.86, 2.86],
        value=[percent(row["claimed"]), range_in_words(row, "–"), ceiling_in_words(row, "–")],
        low=[row["claimed"], row["low"], row["ceiling_low"]],
        high=[row["claimed"], row["high"], row["ceiling_high"]],
        next=[1.86, 2.86, 3.86],
        first=start,
        last=HIGH,
        tip=[
            f"Claimed: the model names the majority label in {percent(row['claimed'])} of the cases",
            f"Supported: in 95 of 100 plausible truths the model is right in {range_in_words(row)}",
            "Ceiling: in 95 of 100 plausible truths the best possible model is right in "
            f"{ceiling_in_words(row)}",
        ],
    )
    return Figure(_layout(len(rows), start, tokens), {"rows": rows})


def accuracy_axis(start: float = LOW) -> alt.X:
    """Axis of accuracies, in percent."""
    axis = alt.Axis(
        values=[tens / 10 for tens in range(round(10 * start), 11)],
        labelExpr="format(datum.value, '.0%')",
        grid=False,
        titleAnchor="start",
        titleLimit=360,
    )
    return alt.X("low:Q", title=AXIS, scale=span(start, HIGH), axis=axis)


@lru_cache(maxsize=4)
def _layout(n_rows: int, start: float, tokens: Tokens) -> Spec:
    x = accuracy_axis(start)
    base = named("rows", y=alt.Y("row:Q", axis=None, scale=span(n_rows, 0)))

    def of(kind: str) -> alt.Chart:
        return base.transform_filter(f"datum.kind == '{kind}'").encode(tooltip="tip:N")

    def words(field: str, size: float, colour: str, **style: Any) -> alt.Chart:
        mark = base.mark_text(baseline="alphabetic", fontSize=size, color=colour, **style)
        return mark.encode(text=f"{field}:N")

    begin, end = alt.value(0), alt.value(alt.ExprRef("width"))
    value: dict[str, Any] = {"align": "right", "dy": -32, "fontWeight": 600}
    chart = alt.layer(
        base.mark_rule(color=tokens.rule).encode(x=alt.X("first:Q", scale=span(start, HIGH)), x2="last:Q"),
        words("title", 15, tokens.text, align="left", dy=-38, fontWeight=600).encode(x=begin),
        words("gloss", 13, tokens.muted, align="left", dy=-20).encode(x=begin),
        of("ceiling")
        .mark_rule(color=tokens.soft, strokeWidth=14, opacity=CEILING)
        .encode(x="low:Q", x2="high:Q"),
        of("claimed").mark_rule(color=tokens.muted, strokeDash=[3, 3]).encode(x="low:Q", y2="next:Q"),
        # On a rim of the page's colour: a claim's line may pass behind.
        words("value", 21, tokens.page, **value, stroke=tokens.page, strokeWidth=5).encode(x=end),
        words("value", 21, tokens.text, **value).encode(x=end),
        of("supported").mark_rule(color=tokens.soft, strokeWidth=14, opacity=0.75).encode(x=x, x2="high:Q"),
        of("claimed")
        .mark_point(**CROSS, size=170, color=tokens.hard, stroke=tokens.page, strokeWidth=1)
        .encode(x="low:Q"),
    )
    return only_words(layout(chart.properties(height=_ROW * n_rows + AXIS_HEIGHT), tokens))
