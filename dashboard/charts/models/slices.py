"""A metric in every slice of the cases: a row each, with its intervals (a forest plot)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import altair as alt
import numpy as np
import pandas as pd

from dashboard.charts.figure import FILLED, RIM, Figure, Spec, layout, mapped, named, span, tips
from dashboard.components.text import wrapped
from dashboard.shell.theme import Tokens

SLICE = "slice"
"""Selection of a row: the slice of cases."""
_HEAD, _APART, _FOOT = 26, 13, 6
"""Pixels of a row's name, between its marks, and beneath them."""
_AXIS, _ABOVE = 46, 30
_MOST_LETTERS = 40
_MARKS = ("square", "circle")
_FAINT = 0.38
_MANY = 60


def forest_chart(table: pd.DataFrame, *, metrics: Sequence[str], title: str, tokens: Tokens) -> Figure:
    """Draw one metric, or a hard one and its counterpart, in every slice, and that of all cases dashed.

    ``table`` has rows of `core.analysis.models.slices.slice_metrics`, of these metrics and one model. Small
    slices are faint; their intervals may leave the picture, which is as wide as the others need.
    """
    of_slices = table[table["slice"] != ""]
    names = list(dict.fromkeys(of_slices["slice"]))
    height = _HEAD + _APART * len(metrics) + _FOOT
    place = {metric: _HEAD + _APART * (i + 0.5) for i, metric in enumerate(metrics)}
    known = of_slices.dropna(subset=["value"])
    marks = known.assign(
        at=known["slice"].map(names.index) * height + known["metric"].map(place),
        words=[_interval(*of) for of in known[["value", "low", "high"]].to_numpy(float)],
        strength=np.where(known["small"] == "", 1.0, _FAINT),
    )
    last = of_slices[of_slices["metric"] == metrics[-1]].set_index("slice").loc[names]
    rows = pd.DataFrame(
        {
            "slice": names,
            "edge": [i * height for i in range(len(names))],
            "end": [(i + 1) * height for i in range(len(names))],
            "top": [i * height + _HEAD / 2 for i in range(len(names))],
            "name": [wrapped(name, _MOST_LETTERS, lines=1) for name in names],
            "says": [_says(*of) for of in zip(last["value"], last["n_cases"], last["small"], strict=True)],
        }
    )
    whole = table[(table["slice"] == "") & table["value"].notna()][["metric", "value"]]
    sure = marks[marks["small"] == ""]
    ends = [*marks["value"], *sure["low"].dropna(), *sure["high"].dropna(), *whole["value"]] or [0.0, 1.0]
    room = 0.04 * (max(ends) - min(ends)) or 0.05
    spec = _layout(tuple(metrics), title, len(marks) > _MANY, tokens)
    params = {"left": min(ends) - room, "right": max(ends) + room, "rows": float(height * len(rows))}
    spec = spec | {
        "params": [
            *spec["params"],
            *({"name": name, "value": float(value)} for name, value in params.items()),
        ],
        "height": height * len(rows) + _AXIS,
        "padding": {"left": 8, "right": 14, "top": _ABOVE, "bottom": 4},
    }
    return Figure(spec, {"marks": marks, "rows": rows, "whole": whole})


def _interval(value: float, low: float, high: float) -> str:
    """A value with its interval, where there is one."""
    return f"{value:.3f}" + ("" if np.isnan(low) else f" ({low:.3f} to {high:.3f})")


def _says(value: float, n_cases: int, small: str) -> str:
    """What stands at the right of a row."""
    if small:
        return f"too few to say, n = {n_cases:,}"
    return f"n = {n_cases:,}" if np.isnan(value) else f"{value:.3f}, n = {n_cases:,}"


@lru_cache(maxsize=32)
def _layout(metrics: tuple[str, ...], title: str, many_marks: bool, tokens: Tokens) -> Spec:
    scale = span(alt.ExprRef("left"), alt.ExprRef("right"))
    places = alt.Scale(domain=[0, alt.ExprRef("rows")], reverse=True, nice=False)
    at, top, edge = (alt.Y(field, axis=None, scale=places) for field in ("at:Q", "top:Q", "edge:Q"))
    colours = [tokens.hard, tokens.soft][-len(metrics) :]
    shapes = _MARKS[-len(metrics) :]
    colour = mapped(alt.Color, "metric:N", metrics, colours)
    opacity = alt.Opacity("strength:Q", scale=None, legend=None)
    x = alt.X("value:Q", title=title, scale=scale, axis=alt.Axis(format=".2f", tickCount=5))
    tooltip = tips(
        ("slice:N", "Slice"),
        ("metric:N", "Metric"),
        ("words:N", "Value (95 % interval)"),
        ("n_cases:Q", "Cases"),
        ("small:N", "Note"),
    )
    marks, rows = named("marks", y=at, color=colour), named("rows", y=top)
    click = alt.selection_point(name=SLICE, fields=["slice"], on="click", nearest=False, empty=False)
    numbers = {"x": alt.XValue("width"), "text": alt.Text("says:N")}
    layers = [
        named("rows", y=edge)
        .mark_rect(color=tokens.page, fillOpacity=0.01, cursor="pointer", aria=False)
        .encode(x=alt.XValue(0), x2=alt.X2Value("width"), y2="end:Q")
        .add_params(click),
        named("rows", where="datum.edge > 0", y=edge).mark_rule(color=tokens.rule, aria=False),
        named("whole")
        .mark_rule(strokeDash=[4, 4], strokeWidth=1.2, aria=False)
        .encode(x=alt.X("value:Q", scale=scale, title=title), color=colour),
        marks.transform_filter("isValid(datum.low)")
        .mark_rule(strokeWidth=2.2, clip=True)
        .encode(x=alt.X("low:Q", scale=scale, title=title), x2="high:Q", opacity=opacity, tooltip=tooltip),
        marks.mark_point(filled=True, size=64, clip=True).encode(
            x=x, shape=mapped(alt.Shape, "metric:N", metrics, list(shapes)), opacity=opacity, tooltip=tooltip
        ),
        rows.mark_text(align="left", fontWeight=600, limit=alt.expr("width - 150"), aria=False).encode(
            x=alt.XValue(0), text="name:N"
        ),
        # A rim of the page's colour: the dashed lines do not run through the numbers.
        rows.mark_text(align="right", stroke=tokens.page, **RIM, aria=False).encode(**numbers),
        rows.mark_text(align="right", color=tokens.muted, aria=False).encode(**numbers),
    ]
    left = 6.0
    for name, shade, mark in zip(metrics, colours, shapes, strict=True):
        one = named("rows").transform_aggregate(n="count()").encode(y=alt.YValue(-14), x=alt.XValue(left))
        layers += [
            one.mark_point(**FILLED, shape=mark, color=shade, size=64, aria=False),
            one.mark_text(align="left", dx=8, color=tokens.muted, fontSize=12, text=name),
        ]
        left += 26 + 7.6 * len(name)
    return layout(alt.layer(*layers), tokens, many_marks=many_marks)
