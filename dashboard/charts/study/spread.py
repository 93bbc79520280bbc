"""Cases by how much was said about them, each bar split by the risk of the leading label."""

from __future__ import annotations

from functools import lru_cache

import altair as alt
import pandas as pd

from core.study.model import RISK_NAMES
from dashboard.charts.figure import Figure, Spec, layout, named, tips
from dashboard.charts.study.counts import MOST_BARS, number_axis
from dashboard.shell.theme import Tokens, risk_scale

_LETTERS = {name: name[0].upper() for name in RISK_NAMES}
_ROOM = 0.075
"""Least height of a part that has room for its letter, as a share of the axis."""


def spread_chart(table: pd.DataFrame, *, title: str, tokens: Tokens) -> Figure:
    """Draw how many cases have which whole number of something, low risk at the foot of each bar.

    ``table`` is `core.analysis.overview.spread_per_case` of one quantity; large numbers share a last bar.
    """
    numbers = table["number"].astype(int)
    first, last = (int(numbers.min()), int(numbers.max())) if len(table) else (0, 0)
    end = min(last, first + MOST_BARS - 1)
    words = [str(number) for number in range(first, end + 1)]
    if last > end:
        words[-1] = f"{end}–{last}"
    folded = table.assign(
        place=numbers.clip(upper=end) - first, letter=table["risk"].map(_LETTERS).fillna("")
    )
    folded["level"] = folded["letter"].map({letter: i for i, letter in enumerate("LMH")}).fillna(3)
    parts = folded.groupby(["place", "level", "letter"])["cases"].sum().reset_index()
    parts["to"] = parts.groupby("place")["cases"].cumsum()
    parts["from"] = parts["to"] - parts["cases"]
    parts["middle"] = (parts["from"] + parts["to"]) / 2
    parts["number"] = [words[place] for place in parts["place"]]
    parts["risk"] = parts["letter"].map({v: k for k, v in _LETTERS.items()}).fillna("unknown")
    highest = float(parts["to"].max()) if len(parts) else 0.0
    letters = parts[parts["cases"] >= _ROOM * highest]
    return Figure(_layout(title, tuple(words), tokens), {"parts": parts, "letters": letters})


@lru_cache(maxsize=32)
def _layout(title: str, words: tuple[str, ...], tokens: Tokens) -> Spec:
    x = number_axis(title, words)
    bars = named(
        "parts",
        x=x,
        y=alt.Y("from:Q", title="Cases", axis=alt.Axis(tickMinStep=1, tickCount=5)),
        y2="to:Q",
        color=alt.Color("letter:N", legend=None, scale=risk_scale(tokens.risk)),
        tooltip=tips(("number:N", title), ("risk:N", "Risk of the leading label"), ("cases:Q", "Cases")),
    ).mark_bar(stroke=tokens.muted, strokeWidth=0.4)
    letters = named(
        "letters",
        x=x,
        y="middle:Q",
        text="letter:N",
        color=alt.Color("letter:N", legend=None, scale=risk_scale(tokens.on_risk)),
    ).mark_text(fontSize=11, fontWeight=700, baseline="middle")
    chart = alt.layer(bars, letters).resolve_scale(color="independent")
    return layout(chart.properties(height=200), tokens)
