"""Certainty of all cases: in order, as a histogram, and of two aggregation models against each other."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import altair as alt
import numpy as np
import pandas as pd

from dashboard.charts.figure import SHARES, UNIT, Figure, Spec, layout, mapped, named, tips
from dashboard.shell.theme import Tokens

MOST_POINTS = 400
BRUSH, CLICK = "brush", "click"
"""Selections of a range and of a single case."""
_SERIES = {"certainty": "Label", "risk_certainty": "Risk level"}
_STROKES = {"Label": "——", "Risk level": "– –"}
"""How each curve is drawn, for the key."""


def sorted_certainty_chart(table: pd.DataFrame, *, tokens: Tokens) -> Figure:
    """Draw the certainty of all cases in ascending order; of more than `MOST_POINTS`, evenly spaced ones."""
    curves = [
        evenly(places(table.set_index("case_id")[column])).reset_index(drop=True).assign(series=words)
        for column, words in _SERIES.items()
        if column in table
    ]
    return Figure(
        _sorted_layout(tokens),
        {"cases": pd.concat(curves), "names": _key(curves)},
    )


@lru_cache(maxsize=4)
def _sorted_layout(tokens: Tokens) -> Spec:
    series = list(_SERIES.values())
    colour = mapped(alt.Color, "series:N", series, [tokens.soft, tokens.hard])
    dash = mapped(alt.StrokeDash, "series:N", series, [[1, 0], [5, 3]])
    x = alt.X("share:Q", title="Cases, from the least certain", scale=UNIT, axis=SHARES)
    y = alt.Y("certainty:Q", title="Certainty", scale=UNIT, axis=SHARES)
    base = named("cases", x=x, y=y)
    lines = base.mark_line(strokeWidth=2).encode(color=colour, strokeDash=dash)
    hover = base.mark_point(size=70, opacity=0).encode(
        tooltip=tips(("case_id:N", "Case"), ("series:N", "Certainty of"), ("certainty:Q", "Certainty", ".1%"))
    )
    hover = hover.add_params(*brush_and_click(["x"], tokens))
    names = named("names", x=x, y=y, text="words:N", color=colour).mark_text(
        align="right", dx=-8, fontWeight=600
    )
    return layout(alt.layer(lines, hover, names).properties(height=360), tokens, many_marks=True)


def brush_and_click(encodings: list[Literal["x", "y"]], tokens: Tokens) -> tuple[alt.Parameter, ...]:
    """Return the selections of a range of cases by dragging, and of one case."""
    mark = alt.BrushConfig(fill=tokens.soft, fillOpacity=0.15, stroke=tokens.soft)
    brush = alt.selection_interval(name=BRUSH, encodings=encodings, mark=mark)
    return brush, alt.selection_point(name=CLICK, fields=["case_id"], on="click", nearest=False)


def places(certainty: pd.Series) -> pd.DataFrame:
    """Known certainties in ascending order: ``share`` of cases up to each, ``certainty``, ``case_id``."""
    known = certainty.dropna().sort_values(kind="stable")
    share = (np.arange(len(known)) + 0.5) / max(len(known), 1)
    return pd.DataFrame({"share": share, "certainty": known.to_numpy(), "case_id": known.index.to_numpy()})


def evenly(table: pd.DataFrame, most: int = MOST_POINTS) -> pd.DataFrame:
    """Return at most so many rows, evenly spaced, both ends among them."""
    n = len(table)
    return table.iloc[np.unique(np.linspace(0, n - 1, min(n, most)).astype(int))] if n else table


def _key(curves: list[pd.DataFrame]) -> pd.DataFrame:
    """Name of each curve in the lower right corner, which ascending curves leave free."""
    series = [curve["series"].iloc[0] for curve in curves if len(curve)]
    height = [0.05 + 0.08 * (len(series) - 1 - place) for place in range(len(series))]
    words = [f"{_STROKES[name]}\u2002{name}" for name in series]
    return pd.DataFrame({"share": 1.0, "certainty": height, "series": series, "words": words})


def comparison_chart(table: pd.DataFrame, titles: tuple[str, str], *, tokens: Tokens) -> Figure:
    """Draw each case's certainty under two aggregation models against each other."""
    diagonal = pd.DataFrame({"certainty_a": [0.0, 1.0], "certainty_b": [0.0, 1.0]})
    return Figure(_comparison_layout(titles, tokens), {"cases": evenly(table), "diagonal": diagonal})


@lru_cache(maxsize=64)
def _comparison_layout(titles: tuple[str, str], tokens: Tokens) -> Spec:
    x = alt.X("certainty_a:Q", title=f"Certainty, {titles[0]}", scale=UNIT, axis=SHARES)
    y = alt.Y("certainty_b:Q", title=f"Certainty, {titles[1]}", scale=UNIT, axis=SHARES)
    line = named("diagonal", x=x, y=y).mark_line(color=tokens.hard, strokeWidth=1, strokeDash=[4, 4])
    dots = (
        named(
            "cases",
            x=x,
            y=y,
            tooltip=tips(
                ("case_id:N", "Case"),
                ("certainty_a:Q", titles[0], ".1%"),
                ("certainty_b:Q", titles[1], ".1%"),
            ),
        )
        .mark_circle(size=20, opacity=0.35, color=tokens.soft)
        .add_params(*brush_and_click(["x", "y"], tokens))
    )
    return layout(alt.layer(line, dots).properties(height=360), tokens, many_marks=True)
