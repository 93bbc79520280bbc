"""The toy problem's three classes over the value that is observed, with one value marked."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.analysis.formatting import percent
from core.analysis.tour import CONDITIONS
from dashboard.charts.figure import DOT, RIM, Figure, Spec, layout, named, span
from dashboard.charts.tour.tips import only_words
from dashboard.shell.theme import Tokens

_LINE = 0.034
"""Height of a line of words, in units of the density."""
_TOP = 0.53
"""Upper end of the density axis: leaves room for a share, and above it the names, over the curves."""

_BEYOND = 0.3
"""How far beyond the middle a value lies where the outer class on the other side is much the rarest."""


def curves_chart(densities: pd.DataFrame, marked: pd.DataFrame, *, tokens: Tokens) -> Figure:
    """Draw how often each class shows each value, and how plausible each class is at the marked one.

    ``marked`` has one row for each of three classes, from left to right, of the same ``x``.
    """
    reach = float(densities["x"].min()), float(densities["x"].max())
    peaks = densities.loc[densities.groupby("label")["density"].idxmax()]
    peaks = peaks.assign(condition=peaks["label"].map(CONDITIONS))
    return Figure(
        _layout(reach, tokens), {"curves": densities, "peaks": peaks, "marked": _with_words(marked)}
    )


def _with_words(marked: pd.DataFrame) -> pd.DataFrame:
    """Shares in words, each on the side of the mark where no other stands at nearly the same height."""
    left, middle, right = marked["label"]
    x = marked["x"].iloc[0]
    # An outer class beyond its middle stands on the far side, off its own curve.
    side = {
        left: "right" if x > _BEYOND else "left",
        middle: "right" if x < 0 else "left",
        right: "left" if x < -_BEYOND else "right",
    }
    words = [
        f"{label} {percent(share)}"
        for label, share in zip(marked["label"], marked["plausibility"], strict=True)
    ]
    tip = [
        f"Of the patients with a skin score of {x:g}, {percent(share)} have {label} ({CONDITIONS[label]})"
        for x, label, share in zip(marked["x"], marked["label"], marked["plausibility"], strict=True)
    ]
    # Above the axis, however small the density, and above its own curve where that falls slowly.
    lifted = np.array([x > _BEYOND, False, x < -_BEYOND]) * _LINE / 2
    marked = marked.assign(
        words=words,
        tip=tip,
        side=marked["label"].map(side),
        at=(marked["density"] + lifted).clip(lower=0.014),
        floor=0,
    )
    # Of words lifted above the axis alike, the likelier class still stands higher.
    for _, beside in marked.sort_values("density").groupby("side"):
        lower = -np.inf
        for row, at in beside["at"].items():
            lower = max(at, lower + _LINE)
            marked.loc[row, "at"] = lower
    return marked


@lru_cache(maxsize=4)
def _layout(reach: tuple[float, float], tokens: Tokens) -> Spec:
    x = alt.X(
        "x:Q",
        title="Skin score (invented)",
        scale=span(*reach),
        axis=alt.Axis(grid=False, tickCount=9),
    )
    height = span(0, _TOP)
    y = alt.Y("density:Q", axis=None, scale=height)
    curves = named("curves", x=x, y=y, detail="label:N")
    names = named("peaks").mark_text(dy=-43, fontSize=16, fontWeight=600, color=tokens.text)
    conditions = named("peaks").mark_text(dy=-27, fontSize=12, color=tokens.muted)
    stem = named("marked").mark_rule(color=tokens.soft, strokeWidth=1.6)
    dots = named("marked").mark_point(**DOT, size=85, color=tokens.soft, stroke=tokens.page, strokeWidth=1.5)
    styles: tuple[dict[str, Any], ...] = (
        {"color": tokens.page, "stroke": tokens.page, **RIM},
        {"color": tokens.soft},
    )
    words = [
        named(
            "marked",
            where=f"datum.side == '{side}'",
            x=x,
            y=alt.Y("at:Q", axis=None, scale=height),
            text="words:N",
        ).mark_text(align="right" if dx < 0 else "left", dx=dx, fontSize=14, fontWeight=600, **style)
        for side, dx in (("left", -11), ("right", 11))
        for style in styles
    ]
    chart = alt.layer(
        curves.mark_area(color=tokens.other, opacity=0.13).encode(
            y=alt.Y("density:Q", axis=None, scale=height, stack=None)
        ),
        curves.mark_line(color=tokens.muted, strokeWidth=1.4),
        names.encode(x=x, y=y, text="label:N"),
        conditions.encode(x=x, y=y, text="condition:N"),
        stem.encode(x=x, y=alt.Y("floor:Q", axis=None, scale=height), y2="density:Q"),
        dots.encode(x=x, y=y, tooltip="tip:N"),
        *words,
    )
    return only_words(layout(chart.properties(height=292), tokens))
