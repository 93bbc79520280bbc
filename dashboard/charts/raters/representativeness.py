"""Whether some cases look like the others: Ψ, deviations by chance, distances, columns, single cases."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from dashboard.charts.figure import BAND, COUNTS, FILLED, UNIT, Figure, Spec, layout, mapped, named, tips
from dashboard.charts.reliability.certainty import brush_and_click
from dashboard.components.text import wrapped
from dashboard.shell.theme import Tokens

UNUSUAL = 0.05
"""A Ψ below this is called unusual."""
MOST_COLUMNS = 24
"""Columns that are drawn: those that differ most."""
MOST_POINTS = 400
"""Cases drawn singly: those that deviate most."""
_ROW = 26


def psi_chart(groups: pd.DataFrame, *, chosen: str, tokens: Tokens) -> Figure:
    """Draw Ψ of each group, least corresponding first; the ``chosen`` one is ringed."""
    rows = groups.assign(
        row=range(len(groups)),
        words=[
            f"{wrapped(value, 22, lines=1)} ({n:,})"
            for value, n in zip(groups["value"], groups["n_cases"], strict=True)
        ],
        chosen=groups["value"] == chosen,
        zero=0.0,
    )
    return Figure(_psi_layout(len(rows), tokens), {"rows": rows, "limit": pd.DataFrame({"psi": [UNUSUAL]})})


@lru_cache(maxsize=32)
def _psi_layout(n: int, tokens: Tokens) -> Spec:
    x = alt.X("psi:Q", title="Ψ: share of random splits that deviate as much", scale=UNIT)
    y = alt.Y("row:O", axis=None, scale=BAND)
    rows = named("rows", y=y)
    tooltip = tips(
        ("value:N", "Group"),
        ("n_cases:Q", "Cases", ","),
        ("psi:Q", "Ψ", ".3f"),
        ("deviation:Q", "Deviation", ".4f"),
        ("usual_deviation:Q", "Usual by chance", ".4f"),
    )
    ring = alt.StrokeValue(tokens.soft, condition={"test": "datum.chosen", "value": tokens.hard})
    chart = alt.layer(
        named("limit", x=x).mark_rule(color=tokens.muted, strokeDash=[2, 3]),
        rows.mark_rule(color=tokens.rule, strokeWidth=6).encode(x=alt.X("zero:Q", scale=UNIT), x2="psi:Q"),
        rows.mark_point(**FILLED, size=110, color=tokens.soft, strokeWidth=2).encode(
            x=x, stroke=ring, tooltip=tooltip
        ),
        rows.mark_text(align="right", dx=-10).encode(x=alt.XValue(0), text="words:N"),
    )
    return layout(chart.properties(height=_ROW * max(n, 1) + 44), tokens)


def chance_chart(by_chance: np.ndarray, deviation: float, *, tokens: Tokens) -> Figure:
    """Draw the deviations of random splits as a histogram, with that of the two sets."""
    last = max(float(by_chance.max()), deviation) or 1.0
    counts, edges = np.histogram(by_chance, np.linspace(0, last * 1.02, 31))
    bars = pd.DataFrame({"low": edges[:-1], "high": edges[1:], "splits": counts, "zero": 0})
    here = pd.DataFrame({"low": [deviation], "words": ["these sets"]})
    return Figure(_chance_layout(deviation > last / 2, tokens), {"bars": bars, "here": here})


@lru_cache(maxsize=8)
def _chance_layout(to_the_left: bool, tokens: Tokens) -> Spec:
    x = alt.X(
        "low:Q", title="Deviation of the distances", axis=alt.Axis(format="~g", tickCount=6, grid=False)
    )
    y = alt.Y("splits:Q", title="Random splits", axis=COUNTS)
    bars = named("bars", x=x, x2="high:Q", y=y, y2="zero:Q")
    here = named("here", x=x)
    side: dict[str, Any] = {"align": "right", "dx": -7} if to_the_left else {"align": "left", "dx": 7}
    chart = alt.layer(
        bars.mark_rect(color=tokens.other, opacity=0.75, stroke=tokens.page, strokeWidth=1).encode(
            tooltip=tips(
                ("low:Q", "Deviation from", ".4f"), ("high:Q", "to", ".4f"), ("splits:Q", "Random splits")
            )
        ),
        here.mark_rule(color=tokens.soft, strokeWidth=2.5),
        here.mark_text(fontWeight=600, color=tokens.soft, **side).encode(y=alt.YValue(10), text="words:N"),
    )
    return layout(chart.properties(height=220), tokens)


def distances_chart(table: pd.DataFrame, *, tokens: Tokens) -> Figure:
    """Draw how far cases lie from each other, before and after other cases took places."""
    long = table.melt(["low", "high"], value_vars=["before", "after"], var_name="kind", value_name="share")
    middle = (table["low"] + table["high"]) / 2
    centre = float((middle * table["before"]).sum())
    top = float(long["share"].max())
    right = centre < float(table["high"].max()) / 2
    end = float(table["high"].max()) if right else 0.0
    key = pd.DataFrame(
        {"kind": ["before", "after"], "low": end, "share": [0.97 * top, 0.87 * top],
         "words": ["——\u2002the larger set", "– –\u2002with the other in it"]}
    )  # fmt: skip
    return Figure(_distances_layout(right, tokens), {"bins": long, "key": key})


@lru_cache(maxsize=8)
def _distances_layout(right: bool, tokens: Tokens) -> Spec:
    kinds = ["before", "after"]
    colour = mapped(alt.Color, "kind:N", kinds, [tokens.hard, tokens.soft])
    dash = mapped(alt.StrokeDash, "kind:N", kinds, [[1, 0], [5, 3]])
    x = alt.X("low:Q", title="Distance of two cases, in standard deviations", axis=alt.Axis(grid=False))
    y = alt.Y("share:Q", title="Share of the pairs", axis=alt.Axis(format=".1~%", tickCount=5))
    bins = named("bins", x=x, y=y, color=colour)
    chart = alt.layer(
        bins.mark_line(interpolate="step-after", strokeWidth=1.8).encode(strokeDash=dash),
        bins.mark_point(size=60, opacity=0).encode(
            tooltip=tips(
                ("low:Q", "Distance from", ".2f"),
                ("high:Q", "to", ".2f"),
                ("share:Q", "Share of the pairs", ".2%"),
            )
        ),
        named("key", x=x, y=y, color=colour, text="words:N").mark_text(
            align="right" if right else "left", dx=-4 if right else 8, fontWeight=600, fontSize=12.5
        ),
    )
    return layout(chart.properties(height=220), tokens)


def columns_chart(tests: pd.DataFrame, *, tokens: Tokens) -> Figure:
    """Draw how far the two sets differ column by column."""
    order = tests["standardised_difference"].abs().sort_values(ascending=False, kind="stable").index
    shown = tests.loc[order].head(MOST_COLUMNS)
    rows = shown.assign(
        row=range(len(shown)),
        words=[wrapped(name, 24, lines=1) for name in shown["column"]],
        differs=shown["p_holm"] < UNUSUAL,
        zero=0.0,
    )
    return Figure(_columns_layout(len(rows), tokens), {"rows": rows})


@lru_cache(maxsize=32)
def _columns_layout(n: int, tokens: Tokens) -> Spec:
    y = alt.Y("row:O", axis=None, scale=BAND)
    x = alt.X("standardised_difference:Q", title="Difference of the means (SD)")
    rows = named("rows", y=y)
    fill = alt.FillValue(tokens.page, condition={"test": "datum.differs", "value": tokens.soft})
    chart = alt.layer(
        rows.mark_rule(color=tokens.rule, strokeWidth=6).encode(x="zero:Q", x2="standardised_difference:Q"),
        rows.mark_point(**FILLED, size=110, stroke=tokens.soft, strokeWidth=2).encode(
            x=x,
            fill=fill,
            tooltip=tips(
                ("column:N", "Column"),
                ("mean_first:Q", "Mean of the others", ".4~g"),
                ("mean_second:Q", "Mean of these cases", ".4~g"),
                ("ks:Q", "Kolmogorov–Smirnov", ".3f"),
                ("p_holm:Q", "p, adjusted (Holm)", ".2~g"),
            ),
        ),
        rows.mark_text(align="right", dx=-10).encode(x=alt.XValue(0), text="words:N"),
    )
    return layout(chart.properties(height=_ROW * max(n, 1) + 44), tokens)


def unusual_chart(cases: pd.DataFrame, *, tokens: Tokens) -> Figure:
    """Draw the cases that are least like the others, each a dot that can be clicked or brushed."""
    return Figure(_unusual_layout(tokens), {"cases": cases.head(MOST_POINTS)})


@lru_cache(maxsize=4)
def _unusual_layout(tokens: Tokens) -> Spec:
    chart = (
        named(
            "cases",
            x=alt.X("place:Q", title="Cases, the least like the others first", scale=alt.Scale(zero=False)),
            y=alt.Y("deviation:Q", title="Deviation of one case", axis=alt.Axis(format=".2~g", tickCount=5)),
            tooltip=tips(("case_id:N", "Case"), ("deviation:Q", "Deviation", ".4f"), ("psi:Q", "Ψ", ".3f")),
        )
        .mark_circle(size=45, opacity=0.7, color=tokens.soft)
        .add_params(*brush_and_click(["x"], tokens))
    )
    return layout(chart.properties(height=220), tokens, many_marks=True)
