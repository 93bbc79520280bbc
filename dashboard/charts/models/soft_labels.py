"""How many cases have which soft label, and where the hard label cuts."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import altair as alt
import numpy as np
import pandas as pd

from dashboard.charts.figure import COUNTS, Figure, Spec, layout, mapped, named, span, tips
from dashboard.charts.models.marks import NARROW
from dashboard.components.text import count, wrapped
from dashboard.shell.theme import Tokens

MOST_VALUES = 26
"""Up to so many different soft labels have a bar each; more share `BINS` equal steps."""
BINS = 20
_HEIGHT = 240
_KINDS = {0.0: "negative", 0.5: "tied", 1.0: "positive"}
"""Where the hard label of a case stands; any part of a tie counts as tied."""
_WORDS: tuple[tuple[float, Literal["left", "center", "right"]], ...] = (
    (0.0, "left"),
    (0.5, "center"),
    (1.0, "right"),
)


def soft_label_chart(table: pd.DataFrame, *, label: str, tokens: Tokens) -> Figure:
    """Draw how many cases have which share of readings, or which plausibility, for the label.

    ``hard_share`` is how far the label is a case's hard label: 1, 0, or between where it is tied.
    """
    known = table.dropna(subset=["soft_label"])
    share = known["hard_share"].to_numpy(float)
    kind = np.where(share >= 1, 1.0, np.where(share <= 0, 0.0, 0.5))
    bars = _value_bars(known["soft_label"].to_numpy(float), kind)
    number = [int((kind == one).sum()) for one in _KINDS]
    others = [f"tied: {number[1]:,}" if number[1] else "", f"positive: {number[2]:,}"]
    words = [f"hard label negative: {count(number[0], 'case')}", *others]
    short = [f"negative: {number[0]:,}", *others]
    sides = pd.DataFrame({"at": list(_KINDS), "words": words, "short": short})
    return Figure(_layout(wrapped(label, 36, lines=1), tokens), {"bars": bars, "sides": sides})


def _value_bars(values: np.ndarray, kind: np.ndarray) -> pd.DataFrame:
    """Bars with their ends and counts, cases of one value stacked by where their hard label stands."""
    distinct = np.unique(np.round(values, 12))
    if len(distinct) > MOST_VALUES:
        edges = np.linspace(0, 1, BINS + 1)
        low, high = edges[:-1], edges[1:]
        middle = (low + high) / 2
        of = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, BINS - 1)
        words = [f"{a:.0%} to {b:.0%}" for a, b in zip(low, high, strict=True)]
    else:
        gap = float(np.diff(distinct).min()) if len(distinct) > 1 else 0.1
        low, high, middle = distinct - gap * 0.42, distinct + gap * 0.42, distinct
        of = np.searchsorted(distinct, np.round(values, 12))
        words = [f"{value:.1%}" for value in distinct]
    parts, base = [], np.zeros(len(low), np.int64)
    for one, name in _KINDS.items():
        cases = np.bincount(of[kind == one], minlength=len(low))
        ends = {"low": low, "high": high, "middle": middle, "base": base, "top": base + cases}
        parts.append(pd.DataFrame(ends | {"cases": cases, "range": words, "kind": name}))
        base = base + cases
    bars = pd.concat(parts, ignore_index=True)
    bars["all"] = np.tile(base, len(_KINDS))
    return bars[(bars["cases"] > 0) | ((bars["all"] == 0) & (bars["kind"] == "negative"))]


@lru_cache(maxsize=32)
def _layout(label: str, tokens: Tokens) -> Spec:
    scale = span(-0.06, 1.06)
    axis = alt.Axis(format=".0%", values=[0, 0.25, 0.5, 0.75, 1], grid=False)
    x = alt.X("low:Q", title=f"Soft label: share for “{label}”", scale=scale, axis=axis)
    y = alt.Y("top:Q", title="Cases", axis=COUNTS)
    base = named("bars")
    bars = base.mark_rect(color=tokens.soft, stroke=tokens.soft, strokeWidth=1).encode(
        x=x,
        x2="high:Q",
        y=y,
        y2="base:Q",
        fillOpacity=mapped(alt.FillOpacity, "kind:N", list(_KINDS.values()), [0.25, 0.6, 1]),
        tooltip=tips(("range:N", "Soft label"), ("cases:Q", "Cases"), ("kind:N", "Hard label")),
    )
    numbers = base.transform_filter("datum.top == datum.all && datum.all > 0").mark_text(
        dy=-8, fontSize=11.5, color=tokens.muted
    )
    sides = named("sides")
    layers = [bars, numbers.encode(x=alt.X("middle:Q", scale=scale), y=y, text="all:Q")]
    for at, align in _WORDS:
        words = (
            sides.transform_filter(f"datum.at == {at}")
            .transform_calculate(words=f"{NARROW} ? datum.short : datum.words")
            .mark_text(align=align, color=tokens.text, fontSize=12)
        )
        place = alt.X("at:Q", scale=scale)
        layers.append(words.encode(x=place, y=alt.YValue(-26), text="words:N"))
    return layout(alt.layer(*layers).properties(height=_HEIGHT), tokens)
