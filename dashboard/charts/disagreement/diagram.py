"""Reliability diagrams: what was predicted against what was seen, and how many predictions are where."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import altair as alt
import numpy as np
import pandas as pd

from dashboard.charts.figure import UNIT, Figure, Spec, layout, mapped, named, span, tips
from dashboard.components.text import wrapped
from dashboard.shell.theme import Tokens, model_colour, model_mark

BEFORE, AFTER = "before", "after"
_SQUARE = 300
"""Height of the diagram in pixels; the unit of the vertical scale."""
_AXIS = 46
"""Height of the horizontal axis beneath, which a picture's height holds too."""
_ROW = 72
"""Height of a row of bars with its heading."""
_BAR = 30 / _SQUARE
"""Tallest bar, as a share of the diagram's height."""
_HEADING = 54 / _SQUARE
"""From the foot of the bars to the middle of the heading, above the numbers."""
_WIDTH = 430
"""Narrowest that a diagram is drawn, in pixels, for deciding which numbers fit above their bars."""
_DIGIT = 6.5
_MOST_NAME = 60
_TICKS = [0, 0.2, 0.4, 0.6, 0.8, 1]


def reliability_diagram_chart(
    tables: Sequence[pd.DataFrame],
    counts: Sequence[pd.DataFrame],
    names: Sequence[str],
    *,
    model: int,
    titles: tuple[str, str],
    unit: str,
    tokens: Tokens,
) -> Figure:
    """Draw a model's reliability diagram, before and after a recalibration, with the predictions beneath.

    ``tables`` are one or two diagrams of `core.analysis.disagreement.diagram`; ``counts`` as many, of bins of
    equal width, for the bars; ``model`` is its place in the study's order; ``unit`` is what ``n`` counts.
    """
    series = (BEFORE, AFTER) if len(tables) > 1 else (AFTER,)
    points = pd.concat(
        [_dots(table, key) for table, key in zip(tables, series, strict=True)], ignore_index=True
    )
    bars = pd.concat(
        [_bars(table, key, row) for row, (table, key) in enumerate(zip(counts, series, strict=True))],
        ignore_index=True,
    )
    keys = pd.DataFrame(
        {
            "series": series,
            "x": 0.0,
            "y": [_base(row) + _HEADING for row in range(len(series))],
            "words": [wrapped(name, _MOST_NAME, lines=1) for name in names],
        }
    )
    return Figure(
        _layout(len(series), model, titles, unit, tokens),
        {
            "points": points,
            "bands": points.dropna(subset=["low", "high"]),
            "bars": bars,
            "numbers": bars[bars["words"] != ""],
            "keys": keys,
            "diagonal": pd.DataFrame({"x": [0.0, 1.0], "y": [0.0, 1.0]}),
        },
    )


def _base(row: int) -> float:
    """Height on which the bars of a row stand, below the diagram."""
    return -(row + 1) * _ROW / _SQUARE


def _dots(table: pd.DataFrame, key: str) -> pd.DataFrame:
    """Bins that hold anything, with the size of their dots and their words."""
    filled = table.loc[table["n"] > 0, ["lower", "upper", "n", "predicted", "observed", "low", "high"]]
    return filled.assign(
        series=key,
        weight=np.sqrt(filled["n"] / filled["n"].max()),
        range=_ranges(filled),
        band=[
            "too few to say" if np.isnan(low) else f"{100 * low:.1f} to {100 * high:.1f} %"
            for low, high in zip(filled["low"], filled["high"], strict=True)
        ],
    )


def _bars(table: pd.DataFrame, key: str, row: int) -> pd.DataFrame:
    """Bins that hold anything, with the places of their bars and of the numbers above them."""
    filled = table.loc[table["n"] > 0, ["lower", "upper", "n"]]
    # A bin that holds anything has a bar that can be seen.
    height = np.maximum(filled["n"] / filled["n"].max(), 0.04) * _BAR
    room = (filled["upper"] - filled["lower"]) * _WIDTH
    words = [_short(int(number)) for number in filled["n"]]
    return filled.assign(
        series=key,
        middle=(filled["lower"] + filled["upper"]) / 2,
        base=_base(row),
        top=_base(row) + height,
        words=[text if len(text) * _DIGIT <= width else "" for text, width in zip(words, room, strict=True)],
        range=_ranges(filled),
    )


def _ranges(table: pd.DataFrame) -> list[str]:
    """Edges of each bin in words."""
    edges = zip(table["lower"], table["upper"], strict=True)
    return [f"{100 * low:.3g} to {100 * high:.3g} %" for low, high in edges]


def _short(number: int) -> str:
    """Number in at most four characters: 999, 1.2k, 12k, 3.4M."""
    for size, letter in ((1_000_000, "M"), (1_000, "k")):
        if number >= size:
            text = f"{number / size:.1f}" if number < 9.95 * size else f"{number / size:.0f}"
            return text + letter
    return f"{number}"


@lru_cache(maxsize=64)
def _layout(  # readable: a picture layer by layer
    n_series: int, model: int, titles: tuple[str, str], unit: str, tokens: Tokens
) -> Spec:
    height = _SQUARE + n_series * _ROW + _AXIS
    y_scale = span(_base(n_series - 1), 1)
    x = alt.X(
        "predicted:Q", title=titles[0], scale=UNIT, axis=alt.Axis(format=".0%", values=_TICKS, grid=True)
    )
    y_axis = alt.Axis(format=".0%", values=_TICKS, domain=False, titleY=_SQUARE / 2)
    y = alt.Y("observed:Q", title=titles[1], scale=y_scale, axis=y_axis)
    domain = [BEFORE, AFTER]
    own = model_colour(model, tokens)
    colour = mapped(alt.Color, "series:N", domain, [tokens.muted, own])
    fill = mapped(alt.Fill, "series:N", domain, [tokens.page, own])
    shape = mapped(alt.Shape, "series:N", domain, ["circle", model_mark(model)])
    dash = mapped(alt.StrokeDash, "series:N", domain, [[4, 3], [1, 0]])
    place_x, place_y = alt.X("x:Q", scale=UNIT), alt.Y("y:Q", scale=y_scale)
    where, how_many = tips(("range:N", "Bin"), ("n:Q", unit[:1].upper() + unit[1:], ","))
    seen = tips(
        ("predicted:Q", "Said, on average", ".1%"), ("observed:Q", "Seen", ".1%"), ("band:N", "95 % band")
    )
    tooltip = [where, *seen, how_many]
    size = mapped(alt.Size, "weight:Q", [0, 1], [18, 110])
    diagonal = named("diagonal", x=place_x, y=place_y).mark_line(color=tokens.muted, strokeWidth=1)
    bands = named(
        "bands", x=x, y=alt.Y("low:Q", scale=y_scale, title=titles[1]), y2="high:Q", color=colour
    ).mark_area(opacity=0.15)
    spans = named(
        "bands", x=x, y=alt.Y("low:Q", scale=y_scale, title=titles[1]), y2="high:Q", color=colour
    ).mark_rule(strokeWidth=1.2, opacity=0.7)
    lines = named("points", x=x, y=y, color=colour, strokeDash=dash).mark_line(strokeWidth=1.5)
    dots = named(
        "points", x=x, y=y, color=colour, fill=fill, shape=shape, size=size, tooltip=tooltip
    ).mark_point(opacity=1, strokeWidth=1.6)
    bars = named(
        "bars",
        x=alt.X("lower:Q", scale=UNIT, title=titles[0]),
        x2="upper:Q",
        y=alt.Y("base:Q", scale=y_scale, title=titles[1]),
        y2="top:Q",
        color=colour,
        tooltip=[where, how_many],
    ).mark_rect(stroke=tokens.page, strokeWidth=0.8)
    numbers = named(
        "numbers", x=alt.X("middle:Q", scale=UNIT), y=alt.Y("top:Q", scale=y_scale), text="words:N"
    ).mark_text(dy=-7, fontSize=11, color=tokens.muted)
    keys = named("keys", x=place_x, y=place_y, color=colour)
    marks = keys.mark_point(size=60, opacity=1, strokeWidth=1.6, xOffset=6).encode(shape=shape, fill=fill)
    words = keys.mark_text(align="left", dx=16, fontSize=12, fontWeight=600).encode(text="words:N")
    chart = alt.layer(diagonal, bands, spans, lines, dots, bars, numbers, marks, words)
    return layout(chart.properties(height=height), tokens)
