"""Coefficients of agreement side by side, with their intervals; of the raters, or of each label."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from dashboard.charts.figure import FILLED, Figure, Spec, layout, mapped, named, span, tips
from dashboard.charts.models.marks import name_marks
from dashboard.components.text import wrapped
from dashboard.shell.theme import Tokens

_ROW = 34
_APART = 8
"""Pixels between the series of a row."""
_NAME = 26
_LETTER = 6.9
"""Pixels of a letter, on average."""
MOST_ELEMENTS = 15
"""Rows that are drawn as elements of the page; more are painted on a canvas."""
_MARKS = ("circle", "diamond", "square", "triangle-up")


def intervals_chart(
    table: pd.DataFrame,
    *,
    series: Sequence[str],
    title: str,
    tokens: Tokens,
    neutral: Sequence[str] = (),
    domain: tuple[float, float] | None = None,
    shares: bool = False,
    guide: float | None = None,
) -> Figure:
    """Draw values with intervals on one axis, in the rows and series of a table.

    ``table`` has ``row`` (its name), ``series``, ``value``, ``low``, ``high``, NaN where unknown. Of the
    ``neutral`` series the first is black, the others are grey; ``domain`` are the ends of the axis, by
    default those of what is shown; ``guide`` is where a dashed line stands, such as chance.
    """
    rows = list(dict.fromkeys(table["row"]))
    place = {name: i for i, name in enumerate(rows)}
    height = max(_ROW, _APART * (len(series) + 1))
    offset = {name: 0.5 + (i - (len(series) - 1) / 2) * _APART / height for i, name in enumerate(series)}
    format_ = ".0%" if shares else ".2f"
    marks = table.dropna(subset=["value"]).assign(
        at=lambda frame: frame["row"].map(place) + frame["series"].map(offset)
    )
    marks["words"] = [
        _words(v, lo, hi, format_) for v, lo, hi in marks[["value", "low", "high"]].to_numpy(float)
    ]
    names = pd.DataFrame({"middle": np.arange(len(rows)) + 0.5})
    names["words"] = [wrapped(name, _NAME) for name in rows]
    lines = pd.DataFrame({"edge": np.arange(1, len(rows))})
    longest = max((len(part) for words in names["words"] for part in words.split("\n")), default=0)
    low, high = domain or _reach(marks, guide)
    digits = ".0%" if shares else ".1f" if high - low > 0.5 else ".2f"
    several = len(series) > 1
    spec = _layout(tuple(series), tuple(neutral), digits, title, guide, len(rows) > MOST_ELEMENTS, tokens)
    # What changes with the data stays out of the layout, which takes a while to build.
    margin = 12 + _LETTER * longest
    ends = {"low": low, "high": high, "rows": max(len(rows), 1), "margin": margin}
    spec = spec | {
        "params": [{"name": name, "value": value} for name, value in ends.items()],
        "height": height * max(len(rows), 1) + 40,
        "padding": {"left": 8, "right": 12, "top": 26 if several else 6, "bottom": 4},
    }
    return Figure(spec, {"marks": marks, "names": names, "lines": lines})


def _words(value: float, low: float, high: float, format_: str) -> str:
    """Value and interval, for the tooltip."""
    words = f"{value:{format_}}" + ("" if np.isnan(low) else f" ({low:{format_}} to {high:{format_}})")
    return words.replace("-", "−")


def _reach(marks: pd.DataFrame, guide: float | None) -> tuple[float, float]:
    """Ends of an axis that shows every mark and the guide, and has room around them."""
    values = np.append(marks[["value", "low", "high"]].to_numpy(float), np.nan if guide is None else guide)
    if not np.isfinite(values).any():
        return 0.0, 1.0
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    room = 0.06 * max(high - low, 0.1)
    return low - room, high + room


@lru_cache(maxsize=48)
def _layout(
    series: tuple[str, ...],
    neutral: tuple[str, ...],
    digits: str,
    title: str,
    guide: float | None,
    many_marks: bool,
    tokens: Tokens,
) -> Spec:
    scale = span(alt.ExprRef("low"), alt.ExprRef("high"))
    axis = alt.Axis(format=digits, tickCount=5, labelFlush=False)
    x = alt.X("value:Q", title=title, scale=scale, axis=axis)
    rows = alt.Scale(domain=[0, alt.ExprRef("rows")], reverse=True, nice=False)
    y = alt.Y("at:Q", axis=None, scale=rows)
    greys = [tokens.hard, tokens.other, tokens.muted]
    colours = [greys[neutral.index(name) % 3] if name in neutral else tokens.soft for name in series]
    colour = mapped(alt.Color, "series:N", series, colours)
    shapes = [_MARKS[i % len(_MARKS)] for i in range(len(series))]
    shape = mapped(alt.Shape, "series:N", series, shapes)
    tooltip = tips(("row:N", "Of"), ("series:N", "What"), ("words:N", "Value (95 % interval)"))
    marks = named("marks", y=y, color=colour)
    layers: list[alt.Chart] = [
        named("lines", y=alt.Y("edge:Q", axis=None, scale=rows)).mark_rule(color=tokens.rule, opacity=0.7)
    ]
    if guide is not None:
        dashed: dict[str, Any] = {"color": tokens.hard, "strokeDash": [4, 4], "strokeWidth": 1, "aria": False}
        layers.append(
            named("names")
            .transform_aggregate(n="count()")
            .mark_rule(**dashed)
            .encode(x=alt.X(datum=guide, scale=scale))
        )
    layers += [
        marks.transform_filter("isValid(datum.low)")
        .mark_rule(strokeWidth=2.2)
        .encode(x=alt.X("low:Q", scale=scale, title=title), x2="high:Q", tooltip=tooltip),
        marks.mark_point(**FILLED, size=64).encode(x=x, shape=shape, tooltip=tooltip),
        *name_marks(
            named("names", x=alt.XValue(0), y=alt.Y("middle:Q", axis=None, scale=rows)), align="right", dx=-10
        ),
    ]
    if len(series) > 1:
        layers += _key(series, colours, shapes, tokens)
    return layout(alt.layer(*layers), tokens, many_marks=many_marks)


def _key(
    series: Sequence[str], colours: Sequence[str], shapes: Sequence[str], tokens: Tokens
) -> list[alt.Chart]:
    """Marks of the series with their names, above names and plot: a narrow page has room for four there."""
    layers, left = [], 6.0
    for name, colour, mark in zip(series, colours, shapes, strict=True):
        one = named("names").transform_aggregate(n="count()").encode(y=alt.YValue(-12))
        x = alt.XValue(alt.ExprRef(f"{left:g} - margin"))
        layers += [
            one.mark_point(**FILLED, shape=mark, color=colour, size=64).encode(x=x),
            one.mark_text(align="left", dx=8, color=tokens.muted, fontSize=12, text=name).encode(x=x),
        ]
        left += 24 + 6.1 * len(name)
    return layers
