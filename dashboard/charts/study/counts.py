"""How many of what: readings and labels per case, labels and risk levels over the study."""

from __future__ import annotations

from functools import lru_cache

import altair as alt
import numpy as np
import pandas as pd

from core.study.model import RISK_NAMES
from dashboard.charts.figure import COUNTS, Figure, Spec, layout, named, tips
from dashboard.components.text import wrapped
from dashboard.shell.theme import Tokens, risk_scale

MOST_BARS = 20
MOST_LABELS = 12
FULL = 8
"""Bars that fill the width of a picture; fewer stay nearly as narrow, in its middle."""
MOST_VALUES = 41
"""Different scores that have a bar each; more are binned."""
_LETTERS = {name: name[0].upper() for name in RISK_NAMES}
_ROOM = 0.075
"""Least height of a part of a bar that has room for its letter, as a share of the axis."""


def count_histogram(values: np.ndarray, *, title: str, tokens: Tokens) -> Figure:
    """Draw how many cases have which whole number of something; large numbers share a last bar."""
    values = np.asarray(values)
    first, last = (int(values.min()), int(values.max())) if len(values) else (0, 0)
    folded = np.minimum(values, first + MOST_BARS - 1)
    cases = np.bincount(folded - first, minlength=1)
    words = [str(first + i) for i in range(len(cases))]
    if last > first + len(cases) - 1:
        words[-1] = f"{first + len(cases) - 1}–{last}"
    bars = pd.DataFrame({"place": range(len(words)), "number": words, "cases": cases})
    return Figure(_count_layout(title, tuple(words), tokens), {"bars": bars})


@lru_cache(maxsize=32)
def _count_layout(title: str, words: tuple[str, ...], tokens: Tokens) -> Spec:
    chart = named(
        "bars",
        x=number_axis(title, words),
        y=alt.Y("cases:Q", title="Cases", axis=COUNTS),
        tooltip=tips(("number:N", title), ("cases:Q", "Cases")),
    ).mark_bar(color=tokens.soft)
    return layout(chart.properties(height=200), tokens)


def number_axis(title: str, words: tuple[str, ...]) -> alt.X:
    """Place bars of whole numbers, given in words, side by side."""
    fewer = max(FULL - len(words), 0)
    inner, outer = 0.18 + 0.055 * fewer, min(0.1 + 0.15 * fewer, 1.0)
    return alt.X(
        "number:N",
        title=title,
        axis=alt.Axis(labelAngle=0, labelOverlap="greedy", ticks=False),
        scale=alt.Scale(domain=list(words), paddingInner=inner, paddingOuter=outer),
    )


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
    return Figure(_spread_layout(title, tuple(words), tokens), {"parts": parts, "letters": letters})


@lru_cache(maxsize=32)
def _spread_layout(title: str, words: tuple[str, ...], tokens: Tokens) -> Spec:
    x = number_axis(title, words)
    bars = named(
        "parts",
        x=x,
        y=alt.Y("from:Q", title="Cases", axis=COUNTS),
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


def score_histogram(scores: np.ndarray, threshold: float | None, *, tokens: Tokens) -> Figure:
    """Draw how often the raters gave which score, with the threshold if there is one."""
    counts, edges = np.histogram(scores, bins=_score_bins(scores))
    bars = pd.DataFrame({"from": edges[:-1], "to": edges[1:], "readings": counts, "zero": 0})
    mark = pd.DataFrame({"score": [] if threshold is None else [threshold]}, dtype=float)
    return Figure(_score_layout(tokens), {"bars": bars, "threshold": mark.assign(words="threshold")})


def _score_bins(scores: np.ndarray) -> np.ndarray:
    """Edges of the bars: one for each step where scores are given in steps, else thirty."""
    steps = np.diff(np.unique(scores))
    if len(steps) and np.ptp(scores) / steps.min() < MOST_VALUES:
        half = steps.min() / 2
        return np.arange(scores.min() - half, scores.max() + 1.5 * half, 2 * half)
    return np.histogram_bin_edges(scores, bins=30)


@lru_cache(maxsize=4)
def _score_layout(tokens: Tokens) -> Spec:
    scale = alt.Scale(zero=False, nice=False)
    bars = named(
        "bars",
        x=alt.X("from:Q", title="Score", scale=scale, axis=alt.Axis(grid=False)),
        x2="to:Q",
        y=alt.Y("readings:Q", title="Readings", axis=COUNTS),
        y2="zero:Q",
    ).mark_rect(color=tokens.soft, stroke=tokens.page, strokeWidth=1)
    at = alt.X("score:Q", scale=scale)
    rule = named("threshold", x=at).mark_rule(color=tokens.hard, strokeDash=[4, 4])
    words = named("threshold", x=at, y=alt.YValue(8), text="words:N").mark_text(
        align="left", dx=5, color=tokens.muted
    )
    return layout(alt.layer(bars, rule, words).properties(height=200), tokens)


def label_chart(table: pd.DataFrame, *, tokens: Tokens) -> Figure:
    """Draw the first `MOST_LABELS` labels, most named first, with their risk letter."""
    shown = table.head(MOST_LABELS)
    bars = shown.assign(
        row=range(len(shown)), zero=0, words=[wrapped(label, 34, lines=1) for label in shown["label"]]
    )
    known = bool((shown["risk"] != "").any())
    return Figure(_label_layout(len(shown), known, tokens), {"bars": bars})


@lru_cache(maxsize=32)
def _label_layout(n_rows: int, known: bool, tokens: Tokens) -> Spec:
    base = named("bars", y=alt.Y("row:O", axis=None, scale=alt.Scale(type="band", paddingInner=0.25)))
    bar = base.mark_bar(stroke=tokens.muted, strokeWidth=0.4).encode(
        x=alt.X("readings:Q", title="Readings that name it", axis=COUNTS),
        color=alt.Color("risk:N", legend=None, scale=risk_scale(tokens.risk))
        if known
        else alt.ColorValue(tokens.soft),
        tooltip=tips(("label:N", "Label"), ("readings:Q", "Readings")),
    )
    words = base.mark_text(align="right", dx=-22 if known else -8).encode(x="zero:Q", text="words:N")
    letter = base.mark_text(align="center", dx=-11, fontWeight=700, color=tokens.muted, fontSize=11).encode(
        x="zero:Q", text="risk:N"
    )
    return layout(alt.layer(bar, words, letter).properties(height=19 * max(n_rows, 1) + 52), tokens)


def risk_chart(table: pd.DataFrame, *, tokens: Tokens) -> Figure:
    """Draw how many cases have a leading label of each risk level, and in how many that could change."""
    rows = table.assign(
        letter=["" if risk == "unknown" else risk[0].upper() for risk in table["risk"]],
        zero=0,
        total=table["settled"] + table["open"],
        words=[
            f"{settled:,} settled, {n:,} open"
            for settled, n in zip(table["settled"], table["open"], strict=True)
        ],
    )
    return Figure(_risk_layout(len(rows), tokens), {"levels": rows})


@lru_cache(maxsize=16)
def _risk_layout(n_rows: int, tokens: Tokens) -> Spec:
    axis = alt.Axis(domain=False, ticks=False, labelFontSize=13)
    base = named("levels", y=alt.Y("risk:N", sort=[*RISK_NAMES, "unknown"], title=None, axis=axis))
    colour = alt.Color("letter:N", legend=None, scale=risk_scale(tokens.risk))
    # Room for the words behind the longest bar.
    scale = alt.Scale(range=[0, alt.expr("width - 150")])
    settled = base.mark_bar(stroke=tokens.muted, strokeWidth=0.6, height=26).encode(
        x=alt.X("zero:Q", title="Cases", axis=COUNTS, scale=scale), x2="settled:Q", color=colour
    )
    still_open = base.mark_bar(stroke=tokens.muted, strokeWidth=0.6, height=26, fillOpacity=0.35).encode(
        x=alt.X("settled:Q", title="Cases"), x2="total:Q", color=colour
    )
    words = base.mark_text(align="left", dx=6, color=tokens.muted).encode(x="total:Q", text="words:N")
    return layout(alt.layer(still_open, settled, words).properties(height=52 * max(n_rows, 1)), tokens)
