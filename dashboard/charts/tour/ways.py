"""The ways in which all cases could be labelled: a dot each, at the accuracy of the model, and the claim."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, Literal

import altair as alt
import pandas as pd

from core.analysis.formatting import percent, percent_as_said
from core.analysis.support_words import TRUTHS
from core.analysis.tour_bands import LOW
from core.analysis.tour_claim import Claim
from core.analysis.tour_proof import range_in_words
from core.analysis.tour_ways import ways_table
from dashboard.charts.figure import CROSS, DOT, Figure, Spec, layout, named, span
from dashboard.charts.tour.claim import AXIS_HEIGHT, HIGH, accuracy_axis
from dashboard.charts.tour.tips import only_words
from dashboard.shell.theme import Tokens

Side = Literal["left", "center", "right"]
_SIDES: tuple[Side, ...] = ("left", "center", "right")
"""Where words begin, have their middle, or end."""
AXIS = "Accuracy of the model if the cases are labelled this way"
_BRACKET, _BASE, _LANE, _INNER = 30, 216, 240, 256
"""How far down the bracket of the range, the feet of the dots, the claim and the axis lie, in pixels."""
_ROOM = _BASE - _BRACKET - 8
"""Height that the dots have, in pixels."""
_LARGEST, _SMALLEST = 14.0, 2.5
"""Of a dot, in pixels across."""
_FULL = 40
"""A column at the middle of a normal distribution holds so many of 100 dots for each standard deviation."""
_MARGIN = 8
"""Beside the ends of the axis, in pixels, so that no dot is cut."""
_FAINT = 0.35
"""Opacity of a dot beyond what is supported."""
_EDGE = 0.12
"""Share of all accuracies beside an end of the axis where words have no room on both sides."""


def ways_chart(found: Claim, *, tokens: Tokens) -> Figure:
    """Draw a dot for each plausible truth, in columns, faint beyond what is supported, and the claim."""
    table = ways_table(found)
    start = min(LOW, math.floor(10 * min(found.claimed, found.truths[0])) / 10)
    middle = (found.low + found.high) / 2
    return Figure(
        _layout(start, tokens),
        {
            "dots": table.assign(
                cases=table["accuracy"] * found.n_cases,
                lowest=found.low * found.n_cases,
                n_cases=found.n_cases,
                spread=table["accuracy"].std(),
                tip=[f"In this plausible truth the model is right in {percent(a)}" for a in found.truths],
            ),
            "range": pd.DataFrame(
                {
                    "low": [found.low],
                    "high": [found.high],
                    "at": [_within(found, middle, start)[0]],
                    "side": [_within(found, middle, start)[1]],
                    "down": [_BRACKET],
                    "words": [f"Supported {range_in_words(found.row, '–')}"],
                    "tip": [f"Supported: in 95 of 100 {TRUTHS} accuracy is {range_in_words(found.row)}"],
                }
            ),
            "claim": pd.DataFrame(
                {
                    "claimed": [found.claimed],
                    "first": [start],
                    "last": [HIGH],
                    "down": [_LANE],
                    "top": [_BRACKET],
                    "side": ["right" if found.claimed > (start + HIGH) / 2 else "left"],
                    "words": [f"Claimed {percent_as_said(found.claimed)}"],
                    "tip": [f"Claimed: {percent_as_said(found.claimed)}"],
                }
            ),
        },
    )


def _within(found: Claim, middle: float, start: float) -> tuple[float, str]:
    """Where the words over a range stand, and on which side of that place, so that none is cut."""
    if middle < start + _EDGE:
        return found.low, "left"
    return (found.high, "right") if middle > HIGH - _EDGE else (middle, "center")


def _columns(start: float) -> alt.Chart:
    """Begin the dots, each with its column and its place in it, as wide as the picture is."""
    wide = f"((width - {2 * _MARGIN}) / {HIGH - start})"
    return (
        named("dots")
        .transform_calculate(
            dot=f"clamp(sqrt({_ROOM} * datum.spread * {wide} / {_FULL}), {_SMALLEST}, {_LARGEST})"
        )
        .transform_calculate(step=f"max(1, round(datum.dot * datum.n_cases / {wide}))")
        .transform_calculate(column="floor((datum.cases - datum.lowest) / datum.step + 1e-6)")
        .transform_calculate(
            at="(datum.lowest + datum.column * datum.step + (datum.step - 1) / 2) / datum.n_cases"
        )
        .transform_window(place="row_number()", groupby=["column"], sort=[alt.SortField("accuracy")])
        .transform_joinaggregate(highest="max(place)")
        .transform_calculate(pitch=f"min(datum.dot, {_ROOM} / datum.highest)")
        .transform_calculate(down=f"{_BASE} - (datum.place - 0.5) * datum.pitch")
        .transform_calculate(area="0.6 * pow(min(datum.dot, datum.pitch), 2)")
    )


@lru_cache(maxsize=8)
def _layout(start: float, tokens: Tokens) -> Spec:
    across = alt.Scale(domain=[start, HIGH], nice=False, range=[_MARGIN, {"expr": f"width - {_MARGIN}"}])
    down = alt.Y("down:Q", axis=None, scale=span(_INNER, 0))

    def x(field: str) -> alt.X:
        return alt.X(f"{field}:Q", title=AXIS, scale=across, axis=accuracy_axis(start))

    def words(name: str, at: str, side: Side, **style: Any) -> alt.Chart:
        text = named(name, where=f"datum.side == '{side}'", y=down).mark_text(align=side, **style)
        return text.encode(x=x(at), text="words:N")

    supported = named("range", y=down).encode(x=x("low"), x2="high:Q", tooltip="tip:N")
    claim = named("claim", y=down)
    over, beside = {"fontSize": 15, "fontWeight": 600, "dy": -14}, {"fontSize": 15, "fontWeight": 600}
    chart = alt.layer(
        claim.mark_rule(color=tokens.rule).encode(x=x("first"), x2="last:Q"),
        claim.mark_rule(color=tokens.hard, strokeWidth=1, strokeDash=[3, 3], opacity=0.6).encode(
            x=x("claimed"), y2="top:Q"
        ),
        supported.mark_rule(color=tokens.soft, strokeWidth=4),
        *(words("range", "at", side, color=tokens.text, **over) for side in _SIDES),
        _columns(start)
        .mark_point(**DOT, color=tokens.soft)
        .encode(
            x=x("at"),
            y=down,
            size=alt.Size("area:Q", scale=None),
            opacity=alt.condition("datum.is_supported", alt.value(0.9), alt.value(_FAINT)),
            tooltip="tip:N",
        ),
        claim.mark_point(**CROSS, size=170, color=tokens.hard, stroke=tokens.page, strokeWidth=1).encode(
            x=x("claimed"), tooltip="tip:N"
        ),
        *(
            words("claim", "claimed", side, color=tokens.hard, dx=dx, baseline="middle", **beside)
            for side, dx in zip(_SIDES, (14, 0, -14), strict=True)
        ),
    )
    return only_words(layout(chart.properties(height=_INNER + AXIS_HEIGHT), tokens))
