"""One metric of one model over plausible truths, with its adjusted value and that of the point estimate."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import altair as alt
import pandas as pd

from core.analysis.formatting import percent
from dashboard.charts.figure import RIM, Figure, Spec, layout, named, span, tips
from dashboard.shell.theme import Tokens

ADJUSTED, POINT = "adjusted", "point estimate"
"""Marks of `core.analysis.reliability.over_draws.marks` that are drawn."""
_HEADROOM = 1.32
"""Height of the axis over the highest bar: room for the words of the two marks."""
_LINE = 17


def over_draws_chart(bars: pd.DataFrame, marks: pd.DataFrame, *, title: str, tokens: Tokens) -> Figure:
    """Draw a histogram over draws with its marks, as `core.analysis.reliability.over_draws` gives both."""
    shown = marks[marks["mark"].isin([ADJUSTED, POINT]) & marks["value"].notna()]
    ends = [*bars["low"], *bars["high"], *shown["value"]]
    low, high = (min(ends), max(ends)) if ends else (0.0, 1.0)
    margin = 0.03 * (high - low) or 0.01
    shares = low >= 0 and high <= 1 and "τ" not in title
    middle = (low + high) / 2
    top = _HEADROOM * float(bars["draws"].max()) if len(bars) else 1.0
    shown = shown.assign(
        top=top,
        words=[
            f"{mark} {percent(value) if shares else f'{value:.2f}'}"
            for mark, value in zip(shown["mark"], shown["value"], strict=True)
        ],
        left=shown["value"] <= middle,
    )
    bars = bars.assign(zero=0)
    domain = (round(low - margin, 6), round(high + margin, 6))
    return Figure(_layout(domain, round(top, 6), title, shares, tokens), {"bars": bars, "marks": shown})


@lru_cache(maxsize=64)
def _layout(domain: tuple[float, float], top: float, title: str, shares: bool, tokens: Tokens) -> Spec:
    form = ".0%" if shares and domain[1] - domain[0] > 0.06 else ".1%" if shares else ".2f"
    scale = alt.Scale(domain=list(domain), nice=False, zero=False)
    x = alt.X("low:Q", title=title, scale=scale, axis=alt.Axis(format=form, tickCount=6, grid=False))
    height = span(0, top)
    y = alt.Y("draws:Q", title="Plausible truths", scale=height, axis=alt.Axis(tickCount=4, tickMinStep=1))
    bars = named(
        "bars",
        x=x,
        x2="high:Q",
        y=y,
        y2="zero:Q",
        tooltip=tips(
            ("low:Q", "From", ".1%" if shares else ".3f"),
            ("high:Q", "To", ".1%" if shares else ".3f"),
            ("draws:Q", "Plausible truths"),
        ),
    ).mark_rect(color=tokens.soft, opacity=0.45, stroke=tokens.page, strokeWidth=0.6)
    layers: list[alt.Chart] = [bars]
    for row, (mark, colour, dash) in enumerate(
        ((ADJUSTED, tokens.soft, [1, 0]), (POINT, tokens.hard, [5, 3]))
    ):
        base = named("marks", where=f"datum.mark == '{mark}'")
        at = alt.X("value:Q", scale=scale)
        layers.append(base.mark_rule(color=colour, strokeWidth=2, strokeDash=dash).encode(x=at))
        for is_left in (True, False):
            look: dict[str, Any] = {
                "align": "left" if is_left else "right",
                "baseline": "top",
                "dx": 7 if is_left else -7,
                "dy": 1 + row * _LINE,
                "fontSize": 12.5,
                "fontWeight": 600,
            }
            words = base.transform_filter(f"datum.left == {str(is_left).lower()}").encode(
                x=at, y=alt.Y("top:Q", scale=height), text="words:N"
            )
            # A rim of the page's colour: the line of the other mark does not run through the words.
            rim = words.mark_text(**look, stroke=tokens.page, **RIM)
            layers += [rim, words.mark_text(**look, color=colour)]
    return layout(alt.layer(*layers).properties(height=280), tokens)
