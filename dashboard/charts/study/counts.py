"""How many of what: readings and labels per case, labels and risk levels over the study."""

from __future__ import annotations

from functools import lru_cache

import altair as alt
import numpy as np
import pandas as pd

from core.analysis.cases.bars import CERTAIN, HARDLY_HIGH, PERHAPS_HIGH, UNCERTAIN
from core.analysis.risk_words import RISK_LETTERS
from core.study.model import RISK_NAMES
from dashboard.charts.figure import COUNTS, Figure, Spec, layout, named, tips
from dashboard.charts.study.opening import BAR, SPOKEN, TARGET, WHOLE, opens
from dashboard.components.text import wrapped
from dashboard.shell.theme import Tokens, risk_scale

MOST_LABELS = 12
FULL = 8
"""Bars that fill the width of a picture; fewer stay nearly as narrow, in its middle."""
MOST_VALUES = 41
"""Different scores that have a bar each; more are binned."""
_ROOM = 0.075
"""Least height of a part of a bar that has room for its letter, as a share of the axis."""


def count_histogram(table: pd.DataFrame, *, title: str, tokens: Tokens) -> Figure:
    """Draw how many cases have which whole number of something; ``table`` is as for `spread_chart`."""
    words = tuple(dict.fromkeys(table["number"]))
    return Figure(_count_layout(title, words, tokens), {"bars": table})


@lru_cache(maxsize=32)
def _count_layout(title: str, words: tuple[str, ...], tokens: Tokens) -> Spec:
    bars = named(
        "bars", x=number_axis(title, words), y=alt.Y("cases:Q", title="Cases", axis=COUNTS)
    ).mark_bar(color=tokens.soft)
    return layout(alt.layer(bars, _whole("bars", title, words)).properties(height=200), tokens)


def _whole(name: str, title: str, words: tuple[str, ...]) -> alt.Chart:
    """A place as high as the picture for each whole bar: it says how many cases that has, and opens them."""
    target = named(
        name,
        where="datum.cases > 0",
        x=number_axis(title, words),
        y=alt.YValue(0),
        y2=alt.Y2Value("height"),
        description=SPOKEN,
        tooltip=tips(("number:N", title), ("cases:Q", "Cases")),
    )
    return target.mark_bar(**TARGET).add_params(opens(WHOLE))


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

    ``table`` is that of `core.analysis.cases.bars.number_bars`, with what each bar `opens`.
    """
    parts = table[table["risk"] != ""].drop(columns="words")
    parts = parts.assign(letter=parts["risk"].map(RISK_LETTERS).fillna(""))
    parts["to"] = parts.groupby("place")["cases"].cumsum()
    parts["from"] = parts["to"] - parts["cases"]
    parts["middle"] = (parts["from"] + parts["to"]) / 2
    highest = float(parts["to"].max()) if len(parts) else 0.0
    letters = parts[parts["cases"] >= _ROOM * highest]
    words = tuple(dict.fromkeys(table["number"]))
    shown = {"parts": parts, "letters": letters, "whole": table[table["risk"] == ""].drop(columns="words")}
    return Figure(_spread_layout(title, words, tokens), shown)


@lru_cache(maxsize=32)
def _spread_layout(title: str, words: tuple[str, ...], tokens: Tokens) -> Spec:
    x = number_axis(title, words)
    bars = named(
        "parts",
        x=x,
        y=alt.Y("from:Q", title="Cases", axis=COUNTS),
        y2="to:Q",
        description=SPOKEN,
        color=alt.Color("letter:N", legend=None, scale=risk_scale(tokens.risk)),
        tooltip=tips(("number:N", title), ("risk:N", "Risk of the leading label"), ("cases:Q", "Cases")),
    ).mark_bar(stroke=tokens.muted, strokeWidth=0.4, cursor="pointer", aria=True)
    letters = named(
        "letters",
        x=x,
        y="middle:Q",
        text="letter:N",
        color=alt.Color("letter:N", legend=None, scale=risk_scale(tokens.on_risk)),
    ).mark_text(fontSize=11, fontWeight=700, baseline="middle", tooltip=None)
    chart = alt.layer(_whole("whole", title, words), bars.add_params(opens(BAR)), letters)
    return layout(chart.resolve_scale(color="independent").properties(height=200), tokens)


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
    """Draw how many cases have a leading label of each risk level, and in how many that could change.

    ``table`` is that of `core.analysis.cases.bars.risk_bars`, with what each bar `opens`.
    """
    letter = table["risk"].map(RISK_LETTERS).fillna("")
    parts = table.assign(
        letter=letter.mask(table["part"] == PERHAPS_HIGH, RISK_LETTERS["high"]),
        strength=table["part"].map(_OPACITY).astype(float),
    )
    parts["to"] = parts.groupby("risk")["cases"].cumsum()
    parts["from"] = parts["to"] - parts["cases"]
    levels = [
        (risk, of["cases"].sum(), *_parts_in_words(of)) for risk, of in table.groupby("risk", sort=False)
    ]
    totals = pd.DataFrame(levels, columns=["risk", "total", "words", "danger"])
    return Figure(_risk_layout(len(totals), tokens), {"parts": parts, "levels": totals})


def _parts_in_words(parts: pd.DataFrame) -> tuple[str, str]:
    """How many cases of a bar are certain, uncertain, and perhaps of high risk, if any: they add up to it."""
    cases = dict(zip(parts["part"], parts["cases"], strict=True))
    certain, perhaps = cases.get(CERTAIN, 0), cases.get(PERHAPS_HIGH, 0)
    words = f"{certain:,} {CERTAIN}, {sum(cases.values()) - certain - perhaps:,} {UNCERTAIN}"
    return words, f"and {perhaps:,} perhaps high risk" if perhaps else ""


_OPACITY = {CERTAIN: 1.0, UNCERTAIN: 0.6, HARDLY_HIGH: 0.35, PERHAPS_HIGH: 0.35}
"""What leads with high risk is never paler than what may be of high risk."""


@lru_cache(maxsize=16)
def _risk_layout(n_rows: int, tokens: Tokens) -> Spec:
    axis = alt.Axis(domain=False, ticks=False, labelFontSize=13)
    y = alt.Y("risk:N", sort=[*RISK_NAMES, "unknown"], title=None, axis=axis)
    # Room for the words behind the longest bar.
    scale = alt.Scale(range=[0, alt.expr("width - 150")])
    bars = named(
        "parts",
        y=y,
        # No gridlines: they would cross the words, which say the numbers.
        x=alt.X("from:Q", title="Cases", axis=alt.Axis(tickMinStep=1, tickCount=5, grid=False), scale=scale),
        x2="to:Q",
        description=SPOKEN,
        color=alt.Color("letter:N", legend=None, scale=risk_scale(tokens.risk)),
        fillOpacity=alt.FillOpacity("strength:Q", legend=None, scale=None),
        tooltip=tips(
            ("risk:N", "Risk of the leading label"), ("part:N", "Risk level is"), ("cases:Q", "Cases")
        ),
    ).mark_bar(stroke=tokens.muted, strokeWidth=0.6, height=26, cursor="pointer", aria=True)
    words = [
        named("levels", where=f"datum.danger {given} ''", y=y, x="total:Q", text=f"{field}:N").mark_text(
            align="left", dx=6, dy=shift, color=tokens.muted
        )
        for given, field, shift in (("==", "words", 0), ("!=", "words", -8), ("!=", "danger", 8))
    ]
    chart = alt.layer(bars.add_params(opens(BAR)), *words)
    return layout(chart.properties(height=52 * max(n_rows, 1)), tokens)
