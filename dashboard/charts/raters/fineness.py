"""Fineness and accuracy against the number of readings (Cabitza 2020, fig. 5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from dashboard.charts.figure import FILLED, Figure, Spec, layout, mapped, named, span, tips
from dashboard.components.text import wrapped
from dashboard.shell.theme import MARKS, Tokens

HEIGHT = 300
MOST_LINEAR = 30
"""Beyond so many readings their axis is logarithmic."""
_NAME = 0.075
"""Height of a name as a share of the vertical axis."""
_NEAR_END = 0.7
"""Part of the horizontal axis from which on words would run into the names at its end."""
_DASHES = {"solid": (1, 0), "dashed": (6, 4), "dotted": (2, 3)}


@dataclass(frozen=True)
class Style:
    """How one curve is drawn: the token of its colour, and the dash, the second carrier beside colour."""

    colour: str
    dash: str


PROMISES = {
    "if independent": Style("soft", "solid"),
    "if dependent": Style("soft", "dashed"),
    "reached": Style("hard", "solid"),
}
"""What readings promise under two assumptions, and what they reach."""
REDUCTION_STYLES = {
    "majority": Style("hard", "solid"),
    "probabilistic": Style("other", "dotted"),
    "confidence-weighted": Style("soft", "solid"),
    "accuracy-weighted": Style("soft", "dashed"),
}


def promise_chart(table: pd.DataFrame, *, tokens: Tokens) -> Figure:
    """Draw what one reduction promises, under two assumptions, and what it reaches."""
    curves = [
        _curve(table, "if independent", "n_raters", "fineness"),
        _curve(table, "if dependent", "n_raters", "fineness_dependent"),
        _curve(table, "reached", "readings_per_case", "accuracy"),
    ]
    drawn = pd.concat(curves, ignore_index=True)
    error = _error(table).assign(series="if independent")
    return curves_chart(drawn, PROMISES, title="Cases that are right", tokens=tokens, error=error)


def reductions_chart(table: pd.DataFrame, *, reached: bool, tokens: Tokens) -> Figure:
    """Draw all reductions: the accuracy that each reaches, or the fineness of independent readers."""
    place, value = ("readings_per_case", "accuracy") if reached else ("n_raters", "fineness")
    curves = [_curve(part, str(name), place, value) for name, part in table.groupby("reduction", sort=False)]
    drawn = pd.concat(curves, ignore_index=True).assign(low=np.nan, high=np.nan)
    error = None if reached else _error(table)
    return curves_chart(drawn, REDUCTION_STYLES, title="Cases that are right", tokens=tokens, error=error)


def _error(table: pd.DataFrame) -> pd.DataFrame:
    """Bands (95 %) of the error of a simulation, where there is any."""
    simulated = table[table["fineness_error"] > 0]
    error = 1.96 * simulated["fineness_error"]
    ends = {"low": simulated["fineness"] - error, "high": simulated["fineness"] + error}
    return pd.DataFrame({"series": simulated["reduction"], "place": simulated["n_raters"], **ends})


def _curve(table: pd.DataFrame, series: str, place: str, value: str) -> pd.DataFrame:
    """One curve with its band, where it has one."""
    ends = {end: table.get(f"{value}_{end}", np.nan) for end in ("low", "high")}
    frame = pd.DataFrame({"place": table[place], "value": table[value], **ends}).assign(series=series)
    return frame.dropna(subset=["place", "value"])


def curves_chart(  # noqa: PLR0913 - parts of a picture, by name
    curves: pd.DataFrame,
    styles: Mapping[str, Style],
    *,
    title: str,
    tokens: Tokens,
    x_title: str = "Readings of a case",
    error: pd.DataFrame | None = None,
    answer: pd.DataFrame | None = None,
    wanted: float | None = None,
    shares: bool = True,
    linear: bool = False,
) -> Figure:
    """Draw curves against the number of readings, each named at its end.

    ``curves`` have ``series``, ``place`` (readings), ``value``, ``low``, ``high``, the last two NaN where
    there is no band; ``error`` of a simulation is a narrower, darker band; points of the ``answer`` are
    ringed and named. Values are shares in [0, 1]; if not, their axis is logarithmic, as that of many readings
    is unless it is to be ``linear``.
    """
    empty = curves.iloc[:0]
    drawn = curves["series"].unique()
    names = tuple(name for name in styles if name in drawn)
    last = float(curves["place"].max()) if len(curves) else 1.0
    first = float(curves["place"].min()) if len(curves) else 1.0
    logarithmic = last > MOST_LINEAR and not linear
    fields = ["value", "low", "high"]
    spread = np.append(curves[fields].to_numpy(float), np.nan if wanted is None else wanted)
    low, high = _reach(spread[np.isfinite(spread)], shares)
    target = pd.DataFrame({"value": [] if wanted is None else [wanted]}, dtype=float)
    return Figure(
        _layout(
            tuple((name, styles[name]) for name in names),
            (first if logarithmic else min(first, 1.0), max(last, first + 1)),
            (logarithmic, linear),
            (low, high),
            title,
            x_title,
            shares,
            tokens,
        ),
        {
            "curves": curves,
            "bands": curves.dropna(subset=["low", "high"]),
            "errors": empty if error is None else error,
            "names": _ends(curves, (low, high), shares),
            "answer": empty.assign(words="") if answer is None else answer,
            "wanted": target,
        },
    )


def _reach(values: np.ndarray, shares: bool) -> tuple[float, float]:
    """Ends of the vertical axis with some room around the values."""
    if len(values) == 0:
        return (0.0, 1.0) if shares else (1.0, 10.0)
    low, high = float(values.min()), float(values.max())
    if not shares:
        return max(low, 1.0) / 1.3, max(high, 1.0) * 1.6
    room = 0.06 * max(high - low, 0.05)
    return max(round(low - room, 4), 0.0), min(round(high + room, 4), 1.0)


def _ends(curves: pd.DataFrame, reach: tuple[float, float], shares: bool) -> pd.DataFrame:
    """Last point of each curve with its name, moved apart so far that names do not overlap."""
    ends = curves.sort_values("place", kind="stable").groupby("series", sort=False).tail(1)
    ends = ends.sort_values("value", kind="stable")
    height = ends["value"].to_numpy(float) if shares else np.log(ends["value"].to_numpy(float))
    low, high = reach if shares else (np.log(reach[0]), np.log(reach[1]))
    gap = _NAME * (high - low)
    at = height.copy()
    for i in range(1, len(at)):
        at[i] = max(at[i], at[i - 1] + gap)
    if len(at):
        at -= max(0.0, at[-1] - high)
    for i in range(len(at) - 2, -1, -1):
        at[i] = min(at[i], at[i + 1] - gap)
    words = [wrapped(name, 24, lines=1) for name in ends["series"]]
    return ends.assign(label_at=at if shares else np.exp(at), words=words)


@lru_cache(maxsize=64)
def _layout(  # readable: a picture layer by layer
    styles: tuple[tuple[str, Style], ...],
    reach: tuple[float, float],
    across: tuple[bool, bool],
    heights: tuple[float, float],
    title: str,
    x_title: str,
    shares: bool,
    tokens: Tokens,
) -> Spec:
    names = [name for name, _ in styles]
    colours = [getattr(tokens, style.colour) for _, style in styles]
    colour = mapped(alt.Color, "series:N", names, colours)
    dashes = [list(_DASHES[style.dash]) for _, style in styles]
    dash = mapped(alt.StrokeDash, "series:N", names, dashes)
    shape = mapped(alt.Shape, "series:N", names, list(MARKS[: len(names)]))
    logarithmic, linear = across
    kind: Any = "log" if logarithmic else "linear"
    readings = alt.Scale(type=kind, domain=list(reach), nice=False)
    x = alt.X(
        "place:Q",
        title=x_title,
        scale=readings,
        axis=alt.Axis(grid=False, tickMinStep=1, format="~r", tickCount=8),
    )
    scale = span(*heights) if shares else alt.Scale(type="log", domain=list(heights), nice=False)
    step, form = ((0.001, ".1%") if linear else (0.01, ".0%")) if shares else (1, ",.0f")
    axis = alt.Axis(format=form, tickCount=6, tickMinStep=step)
    y = alt.Y("value:Q", title=title, scale=scale, axis=axis)
    y_low, y_high = alt.Y("low:Q", scale=scale, title=title), alt.Y2("high:Q")
    tooltip = tips(
        ("series:N", "Curve"), ("place:Q", x_title, ".3~r"), ("value:Q", title, ".1%" if shares else ",.0f")
    )
    lines = named("curves", x=x, y=y, color=colour)
    ends = named(
        "names",
        x=alt.X("place:Q", scale=readings),
        y=alt.Y("label_at:Q", scale=scale, title=title),
        color=colour,
    )
    answer = named("answer", x=x, y=y)
    # What may be empty says nothing to a screen reader: a group of marks without a mark has no name.
    chart = alt.layer(
        named("wanted", y=y).mark_rule(color=tokens.muted, strokeDash=[2, 3], strokeWidth=1.2),
        named("bands", x=x, y=y_low, y2=y_high, color=colour).mark_area(opacity=0.12, clip=True),
        named("errors", x=x, y=y_low, y2=y_high, color=colour).mark_area(opacity=0.35, clip=True),
        lines.mark_line(strokeWidth=2).encode(strokeDash=dash),
        lines.mark_point(**FILLED, size=38).encode(shape=shape, tooltip=tooltip),
        ends.mark_text(align="left", dx=9, fontWeight=600, fontSize=12.5).encode(text="words:N"),
        answer.mark_point(size=170, color=tokens.hard, strokeWidth=2, opacity=1),
        *(words.encode(text="words:N") for words in _answers(answer, reach[1], linear, tokens)),
    )
    padding = {"left": 2, "right": 12, "top": 8, "bottom": 4}
    return layout(chart.properties(height=HEIGHT, padding=padding), tokens)


def _answers(answer: alt.Chart, last: float, linear: bool, tokens: Tokens) -> Iterator[alt.Chart]:
    """Words beside the ring of the answer: below the name of the curve where that is near."""
    look: dict[str, Any] = {"fontWeight": 600, "color": tokens.text}
    near_end = f"datum.place > {_NEAR_END * last:g}"
    yield answer.transform_filter(f"!({near_end})").mark_text(
        align="left", dx=8, dy=18 if linear else -14, **look
    )
    yield answer.transform_filter(near_end).mark_text(align="left", dx=9, dy=17, **look)
