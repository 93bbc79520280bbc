"""How many cases have which soft label, and where the hard label cuts."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Literal

import altair as alt
import numpy as np
import pandas as pd

from dashboard.charts.figure import Figure, layout, named
from dashboard.text import count, wrapped
from dashboard.theme import Tokens

MOST_VALUES = 26
"""Up to so many different soft labels have a bar each; more share `BINS` equal steps."""
BINS = 20
_HEIGHT = 240
_SIDES: tuple[tuple[str, Literal["right", "left"], int], ...] = (("left", "right", -8), ("right", "left", 8))


def soft_label_chart(
    table: pd.DataFrame, *, label: str, threshold: float = 0.5, strict: bool = True, tokens: Tokens
) -> Figure:
    """Draw how many cases have which share of readings, or which plausibility, for the label.

    Parameters
    ----------
    table : DataFrame
        One row a case: ``soft_label``, in [0, 1]; a case without one is left out.
    label : str
        What the share is of.
    threshold : float
        Where the hard label begins.
    strict : bool
        Whether a share of exactly the threshold is still negative.
    tokens : Tokens
        Colours.
    """
    values = np.sort(table["soft_label"].dropna().to_numpy(float))
    positive = values > threshold if strict else values >= threshold
    bars, cut = _value_bars(values, threshold, strict)
    bars = bars.assign(zero=0, kind=np.where(bars["middle"] > cut, "positive", "negative"))
    n = int(positive.sum())
    sides = pd.DataFrame(
        {
            "cut": cut,
            "side": ["left", "right"],
            "words": [f"◂ hard label negative: {count(len(values) - n, 'case')}", f"positive: {n:,} ▸"],
        }
    )
    return Figure(_layout(wrapped(label, 36, lines=1), tokens), {"bars": bars, "sides": sides})


def _value_bars(values: np.ndarray, threshold: float, strict: bool) -> tuple[pd.DataFrame, float]:
    """Bars with their ends and counts; where the cut is drawn: beside a bar that stands on the threshold."""
    distinct, cases = np.unique(np.round(values, 12), return_counts=True)
    if len(distinct) > MOST_VALUES:
        cases, edges = np.histogram(values, bins=np.linspace(0, 1, BINS + 1))
        low, high = edges[:-1], edges[1:]
        middle, cut = (low + high) / 2, threshold
        words = [f"{a:.0%} to {b:.0%}" for a, b in zip(low, high, strict=True)]
    else:
        gap = float(np.diff(distinct).min()) if len(distinct) > 1 else 0.1
        low, high, middle = distinct - gap * 0.42, distinct + gap * 0.42, distinct
        on = bool(np.isclose(distinct, threshold).any())
        cut = threshold + (gap / 2 if strict else -gap / 2) * on
        words = [f"{value:.1%}" for value in distinct]
    return pd.DataFrame({"low": low, "high": high, "middle": middle, "cases": cases, "range": words}), cut


@lru_cache(maxsize=32)
def _layout(label: str, tokens: Tokens) -> dict[str, Any]:
    scale = alt.Scale(domain=[-0.06, 1.06], nice=False)
    axis = alt.Axis(format=".0%", values=[0, 0.25, 0.5, 0.75, 1], grid=False)
    x = alt.X("low:Q", title=f"Soft label: share for “{label}”", scale=scale, axis=axis)
    y = alt.Y("cases:Q", title="Cases", axis=alt.Axis(tickMinStep=1, tickCount=5))
    base = named("bars")
    bars = base.mark_rect(color=tokens.soft, stroke=tokens.soft, strokeWidth=1).encode(
        x=x,
        x2=alt.X2("high:Q"),
        y=y,
        y2=alt.Y2("zero:Q"),
        fillOpacity=alt.FillOpacityValue(0.35, condition={"test": "datum.kind == 'positive'", "value": 1}),
        tooltip=[
            alt.Tooltip("range:N", title="Soft label"),
            alt.Tooltip("cases:Q", title="Cases"),
            alt.Tooltip("kind:N", title="Hard label"),
        ],
    )
    numbers = base.transform_filter("datum.cases > 0").mark_text(dy=-8, fontSize=11.5, color=tokens.muted)
    cut = alt.X("cut:Q", scale=scale)
    sides = named("sides")
    rule = sides.mark_rule(color=tokens.hard, strokeDash=[4, 4]).encode(x=cut)
    layers = [bars, numbers.encode(x=alt.X("middle:Q", scale=scale), y=y, text=alt.Text("cases:Q")), rule]
    for side, align, dx in _SIDES:
        words = sides.transform_filter(f"datum.side == '{side}'").mark_text(
            align=align, dx=dx, color=tokens.text, fontSize=12
        )
        layers.append(words.encode(x=cut, y=alt.YValue(-10), text=alt.Text("words:N")))
    return layout(alt.layer(*layers).properties(height=_HEIGHT), tokens)
