"""How often sets of labels hold the truth: names above, a mark and an interval for each series."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import altair as alt
import numpy as np
import pandas as pd

from core.analysis.formatting import percent
from dashboard.charts.figure import FILLED, RIM, Figure, Spec, layout, mapped, named, span, tips
from dashboard.components.text import wrapped
from dashboard.shell.theme import Tokens

_HEAD, _APART, _FOOT = 26, 13, 6
"""Pixels of a row's name, between the series of a row, and beneath them."""
_AXIS = 46
_MOST_LETTERS = 46
_MARKS = ("circle", "diamond", "square")


def held_chart(
    table: pd.DataFrame,
    *,
    series: Sequence[str],
    neutral: Sequence[str],
    title: str,
    guide: float,
    tokens: Tokens,
) -> Figure:
    """Draw shares with their intervals in the rows of a table, and a dashed line where they should be.

    ``table`` has ``row`` (its name), ``says`` (what stands at its right), ``series``, ``value``, ``low`` and
    ``high`` in [0, 1], the last two NaN where unknown; ``neutral`` series are black, the others blue;
    ``guide`` is what was asked for.
    """
    rows = list(dict.fromkeys(table["row"]))
    height = _HEAD + _APART * len(series) + _FOOT
    place = {name: _HEAD + _APART * (i + 0.5) for i, name in enumerate(series)}
    marks = table.dropna(subset=["value"]).assign(
        at=lambda frame: frame["row"].map(rows.index) * height + frame["series"].map(place),
        words=[
            percent(value) + ("" if np.isnan(low) else f" ({percent(low)} to {percent(high)})")
            for value, low, high in table.dropna(subset=["value"])[["value", "low", "high"]].to_numpy(float)
        ],
    )
    says = table.drop_duplicates("row")["says"].tolist()
    names = pd.DataFrame(
        {
            "top": [i * height + _HEAD / 2 for i in range(len(rows))],
            "edge": [i * height for i in range(len(rows))],
            "name": [wrapped(name, _MOST_LETTERS, lines=1) for name in rows],
            "says": says,
        }
    )
    low = float(np.nanmin([*marks["value"], *marks["low"], guide])) if len(marks) else 0.0
    spec = _layout(tuple(series), tuple(neutral), title, guide, len(marks) > 40, tokens)
    ends = {"left": max(0.05 * np.floor(20 * low - 0.2), 0.0), "rows": height * max(len(rows), 1)}
    spec = spec | {
        "params": [{"name": name, "value": float(value)} for name, value in ends.items()],
        "height": height * max(len(rows), 1) + _AXIS,
        "padding": {"left": 8, "right": 14, "top": 26, "bottom": 4},
    }
    return Figure(spec, {"marks": marks, "names": names})


@lru_cache(maxsize=32)
def _layout(
    series: tuple[str, ...],
    neutral: tuple[str, ...],
    title: str,
    guide: float,
    many_marks: bool,
    tokens: Tokens,
) -> Spec:
    scale = span(alt.ExprRef("left"), 1.0)
    x = alt.X("value:Q", title=title, scale=scale, axis=alt.Axis(format=".0%", tickCount=5))
    rows = alt.Scale(domain=[0, alt.ExprRef("rows")], reverse=True, nice=False)
    at, top = (alt.Y(field, axis=None, scale=rows) for field in ("at:Q", "top:Q"))
    colours = [tokens.hard if name in neutral else tokens.soft for name in series]
    shapes = [_MARKS[i % len(_MARKS)] for i in range(len(series))]
    colour = mapped(alt.Color, "series:N", series, colours)
    tooltip = tips(("row:N", "Row"), ("series:N", "What"), ("words:N", "Held (95 % interval)"))
    marks, names = named("marks", y=at, color=colour), named("names", y=top)
    layers = [
        named("names", where="datum.edge > 0", y=alt.Y("edge:Q", axis=None, scale=rows)).mark_rule(
            color=tokens.rule
        ),
        named("names")
        .transform_aggregate(n="count()")
        .mark_rule(color=tokens.hard, strokeDash=[4, 4], strokeWidth=1, aria=False)
        .encode(x=alt.X(datum=guide, scale=scale)),
        marks.transform_filter("isValid(datum.low)")
        .mark_rule(strokeWidth=2.2)
        .encode(x=alt.X("low:Q", scale=scale, title=title), x2="high:Q", tooltip=tooltip),
        marks.mark_point(**FILLED, size=64).encode(
            x=x, shape=mapped(alt.Shape, "series:N", series, shapes), tooltip=tooltip
        ),
        names.mark_text(align="left", fontWeight=600, limit=alt.expr("width - 130")).encode(
            x=alt.XValue(0), text="name:N"
        ),
        # A rim of the page's colour: the dashed line does not run through the numbers.
        *(
            names.mark_text(align="right", **look).encode(x=alt.XValue("width"), text="says:N")
            for look in ({"stroke": tokens.page, **RIM}, {"color": tokens.muted})
        ),
    ]
    left = 6.0
    for name, shade, mark in zip(series, colours, shapes, strict=True):
        one = named("names").transform_aggregate(n="count()").encode(y=alt.YValue(-12), x=alt.XValue(left))
        layers += [
            one.mark_point(**FILLED, shape=mark, color=shade, size=64, aria=False),
            one.mark_text(align="left", dx=8, color=tokens.muted, fontSize=12, text=name),
        ]
        left += 24 + 6.1 * len(name)
    return layout(alt.layer(*layers), tokens, many_marks=many_marks)
