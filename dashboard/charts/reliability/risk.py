"""How dangerous cases may be, and how models do where danger is."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import altair as alt
import numpy as np
import pandas as pd

from core.analysis.risk_words import RISK_LETTERS
from core.study.model import RISK_NAMES
from dashboard.charts.figure import DOT, FILLED, SHARES, UNIT, Figure, Spec, layout, named, span, tips
from dashboard.components.text import wrapped
from dashboard.shell.theme import Tokens, risk_scale

MOST_CASES = 90
"""Cases drawn one by one; of more, evenly spaced ones."""
MOST_STEPS = 240
"""Corners of the outline of all cases."""
_LETTERS = RISK_LETTERS | {"unknown": ""}
_HEIGHT = 300
_ROW = 46


def _evenly(n: int, most: int) -> np.ndarray:
    """Positions of at most so many of n, evenly spaced, both ends among them."""
    return np.unique(np.linspace(0, n - 1, min(n, most)).round().astype(int)) if n else np.empty(0, int)


def risk_certainty_chart(table: pd.DataFrame, *, tokens: Tokens) -> Figure:
    """Draw how certain the risk level of each case is: a field a level, as wide as it has cases."""
    fields, names, start = [], [], 0
    for risk, letter in _LETTERS.items():
        known = table[table["risk"] == risk].sort_values("risk_certainty", kind="stable")
        n = len(known)
        if not n:
            continue
        drawn = _evenly(n, max(MOST_STEPS * n // len(table), 2))
        field = pd.DataFrame(
            {
                "place": (start + (drawn + 0.5)) / len(table),
                "certainty": known["risk_certainty"].to_numpy()[drawn],
                "case_id": known.index.to_numpy()[drawn],
                "letter": letter,
                "risk": risk,
            }
        )
        edges = field.iloc[[0, -1]].assign(place=[start / len(table), (start + n) / len(table)])
        fields.append(pd.concat([edges.iloc[[0]], field, edges.iloc[[1]]]))
        words = f"{letter or risk}  {n:,}" if n >= 0.07 * len(table) else letter
        names.append({"place": (start + n / 2) / len(table), "words": words, "top": 1.0})
        start += n
    columns = ["place", "certainty", "case_id", "letter", "risk"]
    cases = pd.concat(fields, ignore_index=True) if fields else pd.DataFrame(columns=columns)
    return Figure(
        _certainty_layout(tokens),
        {"cases": cases.assign(zero=0), "names": pd.DataFrame(names, columns=["place", "words", "top"])},
    )


@lru_cache(maxsize=4)
def _certainty_layout(tokens: Tokens) -> Spec:
    shares = alt.Axis(format=".0%", tickCount=5, grid=False)
    x = alt.X("place:Q", title="Cases, by their leading risk level", scale=UNIT, axis=shares)
    scale = span(0, 1.1)
    axis = alt.Axis(format=".0%", values=[0, 0.25, 0.5, 0.75, 1])
    y = alt.Y("certainty:Q", title="Risk certainty", scale=scale, axis=axis)
    base = named("cases", x=x)
    colour = alt.Color("letter:N", legend=None, scale=risk_scale(tokens.risk))
    areas = base.mark_area(opacity=1, line={"color": tokens.muted, "strokeWidth": 0.8}).encode(
        y=y, y2="zero:Q", color=colour
    )
    hover = base.mark_point(size=60, opacity=0).encode(
        y=y,
        tooltip=tips(
            ("case_id:N", "Case"), ("risk:N", "Leading risk level"), ("certainty:Q", "Risk certainty", ".1%")
        ),
    )
    names = named("names").mark_text(dy=-10, fontSize=12.5, fontWeight=600)
    names = names.encode(x=x, y=alt.Y("top:Q", scale=scale), text="words:N")
    return layout(alt.layer(areas, hover, names).properties(height=_HEIGHT), tokens, many_marks=True)


def expected_risk_chart(table: pd.DataFrame, *, tokens: Tokens) -> Figure:
    """Draw the expected risk of evenly spaced cases in ascending order, with its spread over draws."""
    known = table.dropna(subset=["expected_risk", "median"]).sort_values("expected_risk", kind="stable")
    drawn = _evenly(len(known), MOST_CASES)
    shown = known.iloc[drawn].reset_index()
    return Figure(_expected_layout(tokens), {"cases": shown.assign(place=(drawn + 0.5) / max(len(known), 1))})


@lru_cache(maxsize=4)
def _expected_layout(tokens: Tokens) -> Spec:
    x = alt.X(
        "place:Q",
        title="Cases, from the smallest expected risk",
        scale=UNIT,
        axis=alt.Axis(format=".0%", tickCount=5, grid=False),
    )
    scale = span(0, 2.2)
    axis = alt.Axis(values=[0, 1, 2], labelExpr=f"{list(RISK_NAMES)}[datum.value]")

    def y(field: str) -> alt.Y:
        return alt.Y(f"{field}:Q", title="Risk", scale=scale, axis=axis)

    base = named("cases", x=x)
    extremes = base.mark_rule(color=tokens.other, strokeWidth=1, opacity=0.65)
    wide = base.mark_rule(color=tokens.soft, strokeWidth=2.4, opacity=0.4)
    dots = base.mark_point(**DOT, size=22, color=tokens.soft)
    tooltip = tips(
        ("case_id:N", "Case"),
        ("expected_risk:Q", "Expected risk (0 to 2)", ".2f"),
        ("low:Q", "Low end, 5 % of draws below", ".2f"),
        ("high:Q", "High end, 5 % of draws above", ".2f"),
        ("lowest:Q", "Lowest draw", ".2f"),
        ("highest:Q", "Highest draw", ".2f"),
    )
    chart = alt.layer(
        extremes.encode(y=y("lowest"), y2="highest:Q"),
        wide.encode(y=y("low"), y2="high:Q"),
        dots.encode(y=y("expected_risk"), tooltip=tooltip),
    )
    return layout(chart.properties(height=_HEIGHT), tokens, many_marks=True)


def high_risk_chart(
    table: pd.DataFrame, models: Sequence[str], conditions: tuple[str, str], *, title: str, tokens: Tokens
) -> Figure:
    """Draw each model's accuracy on the high-risk cases, in both senses of the word.

    ``conditions`` are by the point estimate, in the colour of hard values, and expected over plausible
    truths.
    """
    rows = {model: i for i, model in enumerate(models)}
    known = table.dropna(subset=["value"])
    error = 1.96 * known["standard_error"].fillna(0)
    marks = known.assign(
        row=known["model"].map(rows),
        low=(known["value"] - error).clip(0, 1),
        high=(known["value"] + error).clip(0, 1),
        kind=known["condition"].map({conditions[0]: "hard", conditions[1]: "soft"}),
    )
    names = pd.DataFrame(
        {"row": list(rows.values()), "words": [wrapped(name, 24, lines=1) for name in rows], "zero": 0}
    )
    return Figure(_high_layout(len(rows), title, tokens), {"marks": marks, "names": names})


@lru_cache(maxsize=32)
def _high_layout(n_rows: int, title: str, tokens: Tokens) -> Spec:
    band = alt.Scale(type="band", domain=list(range(n_rows)), paddingInner=0.0)
    layers: list[alt.Chart] = []
    row = alt.Y("row:O", axis=None, scale=band)
    for kind, colour, shape, shift in (
        ("hard", tokens.hard, "cross", -8),
        ("soft", tokens.soft, "circle", 8),
    ):
        base = named("marks", where=f"datum.kind == '{kind}'", y=row)
        reach = base.mark_rule(color=colour, strokeWidth=1.2, opacity=0.7, yOffset=shift, y2Offset=shift)
        dot = base.mark_point(**FILLED, shape=shape, size=80, color=colour, yOffset=shift, angle=45)
        layers += [
            reach.encode(x=alt.X("low:Q", title=title, scale=UNIT, axis=SHARES), x2="high:Q"),
            dot.encode(
                x=alt.X("value:Q", scale=UNIT),
                tooltip=tips(
                    ("model:N", "Model"),
                    ("condition:N", "High risk"),
                    ("value:Q", "Accuracy", ".1%"),
                    ("standard_error:Q", "Standard error", ".1%"),
                    ("n_cases:Q", "Cases that enter"),
                    ("weight:Q", "They amount to", ".1f"),
                ),
            ),
        ]
    names = named("names").mark_text(align="right", dx=-10, fontWeight=600)
    layers.append(names.encode(y=row, x=alt.X("zero:Q", scale=UNIT), text="words:N"))
    return layout(alt.layer(*layers).properties(height=_ROW * max(n_rows, 1) + 52), tokens)
