"""Triangle, twenty dots and certainty at every reliability, driven by one slider inside the browser."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.analysis.formatting import percent
from core.analysis.tied_labels import names_label
from dashboard.charts.figure import DOT, Figure, Spec, layout, named, span
from dashboard.charts.tour.simplex import triangle, triangle_data
from dashboard.shell.theme import Tokens

STEP, PLAYING = "reliability_step", "reliability_playing"
"""Signals of the picture: position on the slider, and whether it moves by itself."""
_MILLISECONDS = 650
"""Between two steps while playing."""
_SHOWN = f"datum.step == {STEP}"
_SIDE, _RIGHT = 240, 270
_TICKS = ("0.25", "1", "3", "10", "30", "∞")
_FLOOR = 0.2
"""Under the least certainty that three labels allow: room for the value below its mark."""


def reliability_chart(
    draws: pd.DataFrame,
    certainty: pd.DataFrame,
    dots: pd.DataFrame,
    landmarks: pd.DataFrame,
    *,
    start: int,
    tokens: Tokens,
) -> Figure:
    """Draw three views of the same plausible truths, and a slider that moves all of them.

    ``draws`` have ``step``, then one column for each of three labels: shares that sum to 1; ``certainty`` has
    one row a step, ``dots`` one a step and label, both in order; ``landmarks`` are as for `triangle_data`.
    """
    labels = [column for column in draws.columns if column != "step"]
    curve = certainty[["step", "certainty"]].assign(words=certainty["certainty"].map(percent), floor=_FLOOR)
    single, heading = _dots(dots, certainty)
    return Figure(
        _layout(tuple(certainty["reliability"]), start, int(dots["dots"].sum() / len(certainty)), tokens),
        {
            **triangle_data(draws, certainty[["step", *labels]], landmarks),
            "dots": single,
            "heading": heading,
            "rows": pd.DataFrame({"label": labels, "row": np.arange(len(labels)), "place": -1.5}),
            "curve": curve,
        },
    )


def _dots(dots: pd.DataFrame, certainty: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Single dots in rows by label, those of the leader marked; and a heading for each step."""
    table = dots.merge(certainty[["step", "leader"]], on="step")
    rows = {label: row for row, label in enumerate(dict.fromkeys(table["label"]))}
    total = int(table["dots"].sum() / len(certainty))
    table["leads"] = [
        names_label(words, label) for words, label in zip(table["leader"], table["label"], strict=True)
    ]
    table["row"] = table["label"].map(rows)
    single = table.loc[table.index.repeat(table["dots"]), ["step", "row", "leads"]].reset_index(drop=True)
    single["place"] = single.groupby(["step", "row"]).cumcount()
    words = {}
    for step, leading in table[table["leads"]].groupby("step"):
        labels, n = leading["label"], leading["dots"].iloc[0]
        words[step] = f"{labels.iloc[0]} leads in {n} of {total}"
        if len(labels) > 1:
            words[step] = f"{', '.join(labels[:-1])} and {labels.iloc[-1]} lead alike"
    heading = pd.DataFrame({"step": list(words), "words": list(words.values()), "row": -1.0, "place": -2.0})
    return single, heading


@lru_cache(maxsize=4)
def _layout(reliability: tuple[float, ...], start: int, n_dots: int, tokens: Tokens) -> Spec:
    words = ", ".join(f"'{_reliability_words(gamma)}'" for gamma in reliability)
    title = alt.TitleParams(text=alt.ExprRef(f"[{words}][{STEP}]"), **_title_style(tokens))
    left = triangle(tokens, side=_SIDE, only=_SHOWN).properties(title=title)
    right = alt.vconcat(_dot_view(n_dots, tokens), _curve_view(reliability, tokens), spacing=24)
    chart: Any = alt.hconcat(left, right, spacing=10, autosize="pad")
    return {**layout(chart, tokens), "params": _controls(len(reliability), start)}


def _controls(n_steps: int, start: int) -> list[dict[str, Any]]:
    """Slider over the steps, and a switch that moves it until it reaches the end.

    Written out, because Vega-Lite hands event handlers of parameters on to Vega, but its schema, which Altair
    enforces, does not name them.
    """
    last = n_steps - 1
    onward = f"{PLAYING} ? ({STEP} >= {last} ? 0 : {STEP} + 1) : {STEP}"
    return [
        {
            "name": PLAYING,
            "value": False,
            "bind": {"input": "checkbox", "name": "Play"},
            "on": [{"events": {"signal": STEP}, "update": f"{STEP} >= {last} ? false : {PLAYING}"}],
        },
        {
            "name": STEP,
            "value": start,
            "bind": {"input": "range", "min": 0, "max": last, "step": 1, "name": "Reliability γ"},
            "on": [{"events": {"type": "timer", "throttle": _MILLISECONDS}, "update": onward}],
        },
    ]


def _title_style(tokens: Tokens) -> Spec:
    """Titles of the three views."""
    return {
        "anchor": "start",
        "frame": "group",
        "fontSize": 13.5,
        "fontWeight": 600,
        "color": tokens.text,
        "offset": 8,
    }


def _reliability_words(gamma: float) -> str:
    """What a step of the slider means."""
    if np.isinf(gamma):
        return "γ = ∞: the votes are taken for the truth"
    return f"γ = {gamma:g}: each reading counts " + ("once" if gamma == 1 else f"{gamma:g} times")


def _dot_view(n_dots: int, tokens: Tokens) -> alt.LayerChart | alt.FacetChart:
    """Lay out a row of dots for each label, the leader's filled."""
    x = alt.X("place:Q", axis=None, scale=span(-2, n_dots))
    y = alt.Y("row:Q", axis=None, scale=span(2.5, -1.4))
    fill = alt.Scale(domain=[True, False], range=[tokens.soft, tokens.page])
    dots = named("dots", where=_SHOWN)
    dots = dots.mark_point(shape="circle", size=72, opacity=1, stroke=tokens.soft, strokeWidth=1.3)
    names = named("rows").mark_text(fontSize=14, fontWeight=600, color=tokens.text)
    heading = named("heading", where=_SHOWN)
    heading = heading.mark_text(
        align="left", baseline="middle", fontSize=13.5, fontWeight=600, color=tokens.text
    )
    return alt.layer(
        names.encode(x=x, y=y, text="label:N"),
        dots.encode(x=x, y=y, fill=alt.Fill("leads:N", legend=None, scale=fill)),
        heading.encode(x=x, y=y, text="words:N"),
    ).properties(width=_RIGHT, height=102)


def _curve_view(reliability: tuple[float, ...], tokens: Tokens) -> alt.LayerChart | alt.FacetChart:
    """Lay out certainty against reliability, with the slider's place marked."""
    names = ["∞" if np.isinf(gamma) else f"{gamma:g}" for gamma in reliability]
    x = alt.X(
        "step:Q",
        title="Reliability γ",
        scale=span(0, len(names) - 0.7),
        axis=alt.Axis(
            values=[step for step, name in enumerate(names) if name in _TICKS],
            labelExpr=f"{names}[datum.value]",
            grid=False,
        ),
    )
    scale = span(_FLOOR, 1.0)
    axis = alt.Axis(format=".0%", values=[0.4, 0.6, 0.8, 1.0])
    y, floor = (alt.Y(f"{field}:Q", title=None, scale=scale, axis=axis) for field in ("certainty", "floor"))
    line = named("curve").mark_line(color=tokens.soft, strokeWidth=2)
    here = named("curve", where=_SHOWN, x=x)
    rule = here.mark_rule(color=tokens.muted, strokeDash=[2, 3])
    dot = here.mark_point(**DOT, size=120, color=tokens.soft, stroke=tokens.page, strokeWidth=1.5)
    value = here.mark_text(dy=18, dx=3, align="left", fontSize=14, fontWeight=600, color=tokens.soft)
    return alt.layer(
        line.encode(x=x, y=y),
        rule.encode(y=floor, y2="certainty:Q"),
        dot.encode(y=y),
        value.encode(y=y, text="words:N"),
    ).properties(
        width=_RIGHT - 38,
        height=116,
        title=alt.TitleParams(text="Certainty of the leading label", **_title_style(tokens)),
    )
