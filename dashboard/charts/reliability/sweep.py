"""Metrics against reliability: lines with bands over draws, crosses at the point estimate."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from dashboard.charts.figure import CROSS, FILLED, Figure, Spec, layout, mapped, named, tips
from dashboard.charts.models.marks import DASHES
from dashboard.components.text import wrapped
from dashboard.shell.theme import Tokens, model_colour, model_mark

INFINITY_FACTOR = 2.0
"""The point estimate stands this factor to the right of the largest finite reliability."""
_TICKS = (0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)
_HEIGHT = 300
_NAME = 0.09
"""Height of a name as a share of the vertical axis."""


def axis_place(reliability: pd.Series) -> pd.Series:
    """Where each reliability stands on the log axis: ∞ one step beyond the largest finite one."""
    finite = reliability[np.isfinite(reliability)]
    return reliability.replace(math.inf, INFINITY_FACTOR * float(finite.max()) if len(finite) else 1.0)


def reliability_axis(reliability: pd.Series, *, title: str = "Reliability γ (trust in the raters)") -> alt.X:
    """Log axis over these reliabilities, with ∞ at its end."""
    finite = reliability[np.isfinite(reliability)]
    low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.5, 0.5)
    end = INFINITY_FACTOR * high
    return alt.X(
        "place:Q",
        title=title,
        scale=alt.Scale(type="log", nice=False, domain=[low, end * 1.06]),
        axis=alt.Axis(
            values=[*(tick for tick in _TICKS if low <= tick <= high), end],
            labelExpr=f"datum.value == {end} ? '∞' : format(datum.value, '~g')",
            grid=False,
        ),
    )


def chosen_place(reliability: pd.Series, chosen: float) -> pd.DataFrame:
    """Place of the slider on the axis over these reliabilities, within its ends: one row, ``place``."""
    places = axis_place(reliability)
    place = axis_place(pd.Series([*reliability, chosen])).iloc[-1]
    return pd.DataFrame({"place": [float(np.clip(place, places.min(), places.max()))]})


def sweep_chart(
    table: pd.DataFrame,
    *,
    subjects: Sequence[str],
    tokens: Tokens,
    title: str,
    chosen: float,
    shares: bool = True,
) -> Figure:
    """Draw one metric of several subjects, or several metrics of one, against reliability.

    ``series`` is what each line is, ``low`` and ``high`` are NaN where there is no band. A series among the
    ``subjects``, all models of the study in order, has its model's colour and mark; the held-out reader is
    neutral; anything else has the colour of plausibilities.
    """
    placed = table.assign(place=axis_place(table["reliability"]))
    steps = tuple(sorted(set(table["reliability"])))
    finite = np.isfinite(table["reliability"])
    models = {name: i for i, name in enumerate(subjects)}
    series = tuple(dict.fromkeys(table["series"]))
    colours = tuple(_colour(name, models, tokens) for name in series)
    marks = tuple(model_mark(models.get(name, i)) for i, name in enumerate(series))
    # Lines of one colour differ in their dashes; a model's is the same in every picture.
    rounds = (
        models[name] // len(tokens.models) if name in models else colours[:i].count(colours[i])
        for i, name in enumerate(series)
    )
    dashes = tuple(DASHES[number % len(DASHES)] for number in rounds)
    return Figure(
        _layout(steps, series, tuple(zip(colours, marks, dashes, strict=True)), title, shares, tokens),
        {
            "curve": placed[finite],
            "bands": placed[finite].dropna(subset=["low", "high"]),
            "crosses": placed[~finite],
            "ties": pd.concat([_last(placed[finite]), placed[~finite]]),
            "names": _line_ends(placed),
            "chosen": chosen_place(table["reliability"], chosen),
        },
    )


@lru_cache(maxsize=64)
def _layout(
    steps: tuple[float, ...],
    series: tuple[str, ...],
    looks: tuple[tuple[str, str, tuple[int, ...]], ...],
    title: str,
    shares: bool,
    tokens: Tokens,
) -> Spec:
    colours, marks, dashes = zip(*looks, strict=True) if looks else ((), (), ())
    colour = mapped(alt.Color, "series:N", series, colours)
    shape = mapped(alt.Shape, "series:N", series, marks)
    x = reliability_axis(pd.Series(steps))
    scale = alt.Scale(zero=False)
    y = alt.Y("value:Q", title=title, scale=scale, axis=alt.Axis(**_form(shares), tickCount=6))
    what, where, how_much = tips(
        ("series:N", "Of"),
        ("reliability:Q", "Reliability", "~g"),
        ("value:Q", title, ".1%" if shares else ".3f"),
    )
    rule = named("chosen", x=x).mark_rule(color=tokens.muted, strokeDash=[2, 3], strokeWidth=1.2)
    band = named(
        "bands", x=x, color=colour, y=alt.Y("low:Q", scale=scale, title=title), y2="high:Q"
    ).mark_area(opacity=0.14)
    lines = named("curve", x=x, y=y, color=colour)
    line = lines.mark_line(strokeWidth=2).encode(
        strokeDash=mapped(alt.StrokeDash, "series:N", series, dashes)
    )
    # Each cross hangs on its line: crosses look alike.
    tie = named("ties", x=x, y=y, color=colour, detail="series:N").mark_line(
        strokeWidth=1, strokeDash=[1, 3], opacity=0.8
    )
    dots = lines.mark_point(**FILLED, size=42).encode(shape=shape, tooltip=[what, where, how_much])
    cross = named("crosses", x=x, y=y, color=colour, tooltip=[what, how_much]).mark_point(**CROSS, size=85)
    ends = named("names", x=x, y=alt.Y("label_at:Q", scale=scale, title=title), color=colour)
    keys = ends.mark_point(**FILLED, size=42, xOffset=17).encode(shape=shape)
    names = ends.mark_text(align="left", dx=25, fontWeight=600, fontSize=12.5).encode(text="words:N")
    chart = alt.layer(rule, band, tie, line, dots, cross, keys, names)
    # The names stand to the right of the plot, where the axis ends.
    return layout(
        chart.properties(height=_HEIGHT, padding={"left": 2, "right": 12, "top": 8, "bottom": 4}), tokens
    )


def _form(shares: bool) -> dict[str, Any]:
    """How the vertical axis says its values: names above a line at 100 % make it reach higher."""
    if not shares:
        return {"format": ".2f"}
    return {"format": ".0%", "labelExpr": "datum.value > 1.0001 ? '' : datum.label"}


def _colour(name: str, models: dict[str, int], tokens: Tokens) -> str:
    """A model's colour, neutral for the held-out reader, the plausibilities' colour for the rest."""
    if name in models:
        return model_colour(models[name], tokens)
    return tokens.hard if name == "held-out reader" else tokens.soft


def _last(placed: pd.DataFrame) -> pd.DataFrame:
    """Last value of each series."""
    known = placed.dropna(subset=["value"]).sort_values("place", kind="stable")
    return known.groupby("series", sort=False).tail(1)


def _line_ends(placed: pd.DataFrame) -> pd.DataFrame:
    """Names at the height at which the lines end, moved apart so far that they do not overlap.

    A line ends before ∞, where its cross may stand in another order.
    """
    ends = _last(placed)
    before = _last(placed[np.isfinite(placed["reliability"])]).set_index("series")["value"]
    ends["value"] = ends["series"].map(before).fillna(ends["value"])
    ends = ends.sort_values("value", kind="stable")
    reach = placed[["value", "low", "high"]].to_numpy(float)
    span = float(np.nanmax(reach) - np.nanmin(reach)) if np.isfinite(reach).any() else 1.0
    gap = _NAME * max(span, 1e-9)
    value = ends["value"].to_numpy(float)
    at = value.copy()
    for i in range(1, len(at)):
        at[i] = max(at[i], at[i - 1] + gap)
    if len(at):
        at -= (
            at[-1] - value[-1]
            if at[-1] - value[-1] > 0 and (value == value[-1]).all()
            else (at - value).mean()
        )
    return ends.assign(label_at=at, words=[wrapped(name, 20, lines=1) for name in ends["series"]])
