"""What each rater read, and how often the rater agrees with the others."""

from __future__ import annotations

from functools import lru_cache

import altair as alt
import numpy as np
import pandas as pd

from dashboard.charts.figure import COUNTS, DOT, SHARES, Figure, Spec, layout, named, span, tips
from dashboard.components.text import wrapped
from dashboard.shell.theme import Tokens

MOST_RATERS = 20
"""Raters drawn by themselves: those with the most readings."""
_ROW = 15


def most_readings(table: pd.DataFrame) -> pd.DataFrame:
    """The raters that are drawn, the one with the most readings first."""
    return table.sort_values("readings", ascending=False, kind="stable").head(MOST_RATERS)


def workload_chart(table: pd.DataFrame, *, tokens: Tokens) -> Figure:
    """Draw the number of readings of each of up to `MOST_RATERS` raters, the largest first."""
    rows = _rows(most_readings(table)).assign(zero=0)
    return Figure(_workload_layout(len(rows), tokens), {"raters": rows})


def agreement_chart(table: pd.DataFrame, *, tokens: Tokens) -> Figure:
    """Draw how often each rater agrees with the others of the case, in the order of `workload_chart`."""
    rows = _rows(most_readings(table))
    known = rows["agreement"].dropna()
    low = float(np.floor(known.min() * 10) / 10) if len(known) else 0.0
    middle = pd.DataFrame({"agreement": [table["agreement"].median()] if len(known) else []}, dtype=float)
    data = {"raters": rows, "known": rows[rows["agreement"].notna()], "median": middle}
    return Figure(_agreement_layout(len(rows), max(low - 0.05, 0.0), tokens), data)


def _rows(table: pd.DataFrame) -> pd.DataFrame:
    """Rows from the top down, with names that fit beside them."""
    return table.assign(row=range(len(table)), words=[wrapped(name, 18, lines=1) for name in table["rater"]])


def _base(name: str) -> alt.Chart:
    """Begin a layer with a row for each rater."""
    scale = alt.Scale(type="band", paddingInner=0.3, paddingOuter=0.15)
    return named(name, y=alt.Y("row:O", axis=None, scale=scale))


def _height(n_rows: int) -> int:
    """Height in pixels, with room for the axis."""
    return _ROW * max(n_rows, 1) + 52


@lru_cache(maxsize=32)
def _workload_layout(n_rows: int, tokens: Tokens) -> Spec:
    base = _base("raters")
    bars = base.mark_bar(color=tokens.soft).encode(
        x=alt.X("readings:Q", title="Readings", axis=COUNTS),
        tooltip=tips(
            ("rater:N", "Rater"), ("readings:Q", "Readings"), ("cases:Q", "Cases"), ("repeats:Q", "Repeated")
        ),
    )
    names = base.mark_text(align="right", dx=-8, fontSize=12).encode(x="zero:Q", text="words:N")
    return layout(alt.layer(bars, names).properties(height=_height(n_rows)), tokens)


@lru_cache(maxsize=32)
def _agreement_layout(n_rows: int, low: float, tokens: Tokens) -> Spec:
    scale = span(low, 1)
    x = alt.X("agreement:Q", title="Agreement with the others", scale=scale, axis=SHARES)
    dots = _base("known").mark_point(**DOT, color=tokens.soft)
    area = alt.Scale(type="linear", zero=True, range=[14, 90])
    dots = dots.encode(
        x=x,
        size=alt.Size("readings:Q", legend=None, scale=area),
        tooltip=tips(("rater:N", "Rater"), ("agreement:Q", "Agreement", ".1%"), ("readings:Q", "Readings")),
    )
    names = _base("raters").mark_text(align="right", dx=-8, fontSize=12)
    names = names.encode(x=alt.XDatum(low, type="quantitative", scale=scale), text="words:N")
    middle = named("median", x=x).mark_rule(color=tokens.muted, strokeDash=[2, 3])
    return layout(alt.layer(middle, dots, names).properties(height=_height(n_rows)), tokens)
