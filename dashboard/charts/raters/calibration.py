"""Accuracy against confidence (Cabitza 2020, fig. 7): by what readings state, by the mean of raters."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import altair as alt
import numpy as np
import pandas as pd

from dashboard.charts.figure import FILLED, Figure, Spec, layout, named, span, tips
from dashboard.charts.models.marks import apart, shortened
from dashboard.shell.theme import Tokens

MOST_NAMED = 15
"""Raters whose names are written beside their marks."""
_NAME = 0.045
"""Height of a name as a share of the axis."""
_SIDES: tuple[tuple[Literal["left", "right"], int], ...] = (("left", 9), ("right", -9))
_HEIGHT = 340


def calibration_chart(table: pd.DataFrame, *, everybody: str, judged: str, tokens: Tokens) -> Figure:
    """Draw how often readings of each stated confidence are right: of all raters, and faintly of each.

    ``everybody`` is the name among ``rater`` that stands for all of them; ``judged`` says what right means.
    """
    known = table.dropna(subset=["accuracy"])
    one = known["rater"] != everybody
    low = _floor(known["confidence"]), _floor(known.loc[~one, "accuracy_low"])
    data = {"each": known[one], "all": known[~one], "diagonal": _diagonal(*low)}
    return Figure(_calibration_layout(judged, *low, tokens), data)


def _floor(values: pd.Series) -> float:
    """A round number below, for the start of an axis of shares."""
    lowest = float(values.min()) if values.notna().any() else 0.0
    return max(0.0, int(lowest * 10 - 0.5) / 10)


def _diagonal(left: float, low: float) -> pd.DataFrame:
    """Ends of the line on which confidence is accuracy, on axes that begin at these places."""
    ends = [max(left, low), 1.0]
    return pd.DataFrame({"confidence": ends, "accuracy": ends})


def _axes(left: float, low: float, names: tuple[str, str]) -> tuple[alt.X, alt.Y, alt.Scale]:
    """Axes of confidence and accuracy, and the scale of the latter."""
    scale = span(low, 1.02)
    axis = alt.Axis(format=".0%", tickCount=5, labelFlush=False)
    x = alt.X("confidence:Q", title=names[0], scale=span(left, 1.02), axis=axis)
    return x, alt.Y("accuracy:Q", title=names[1], scale=scale, axis=axis), scale


@lru_cache(maxsize=16)
def _calibration_layout(judged: str, left: float, low: float, tokens: Tokens) -> Spec:
    title = f"Readings that are right ({judged})"
    x, y, scale = _axes(left, low, ("Stated confidence", title))
    tooltip = tips(
        ("rater:N", "Rater"),
        ("confidence:Q", "Confidence", ".0%"),
        ("accuracy:Q", "Right", ".1%"),
        ("judged:Q", "Readings judged", ",d"),
    )
    chart = alt.layer(
        named("diagonal", x=x, y=y).mark_line(color=tokens.hard, strokeWidth=1, strokeDash=[4, 4]),
        named("each", x=x, y=y, detail="rater:N").mark_line(
            color=tokens.other, opacity=0.35, strokeWidth=1, clip=True
        ),
        named("each", x=x, y=y, tooltip=tooltip).mark_point(size=60, opacity=0, clip=True),
        named(
            "all", x=x, y=alt.Y("accuracy_low:Q", scale=scale, title=title), y2="accuracy_high:Q"
        ).mark_rule(color=tokens.soft, strokeWidth=2),
        named("all", x=x, y=y).mark_line(color=tokens.soft, strokeWidth=2),
        named("all", x=x, y=y, tooltip=tooltip).mark_point(**FILLED, color=tokens.soft, size=70),
    )
    return layout(chart.properties(height=_HEIGHT), tokens, many_marks=True)


def rater_confidence_chart(table: pd.DataFrame, *, judged: str, tokens: Tokens) -> Figure:
    """Draw each rater's accuracy against the mean confidence stated; few with a verdict are named."""
    low = _floor(table["confidence"]), _floor(table["low"].fillna(table["accuracy"]))
    off = table[table["verdict"] != ""]
    off = off.head(0) if len(off) > MOST_NAMED else off
    names = pd.DataFrame(
        {
            "words": [shortened(name, 18, lines=1) for name in off["rater"]],
            "confidence": off["confidence"].to_numpy(),
            "accuracy": apart(off["accuracy"].to_numpy(float), _NAME * (1.02 - low[1])),
            # There is room on the side that is away from the diagonal.
            "side": np.where(off["verdict"] == "too sure", "left", "right"),
        }
    )
    data = {"raters": table, "names": names, "diagonal": _diagonal(*low)}
    return Figure(_rater_layout(judged, *low, tokens), data)


@lru_cache(maxsize=16)
def _rater_layout(judged: str, left: float, low: float, tokens: Tokens) -> Spec:
    title = f"Accuracy ({judged})"
    x, y, scale = _axes(left, low, ("Mean stated confidence", title))
    raters = named("raters")
    chart = alt.layer(
        named("diagonal", x=x, y=y).mark_line(color=tokens.hard, strokeWidth=1, strokeDash=[4, 4]),
        raters.mark_rule(color=tokens.soft, opacity=0.5, strokeWidth=1.4).encode(
            x=x, y=alt.Y("low:Q", scale=scale, title=title), y2="high:Q"
        ),
        raters.mark_point(**FILLED, color=tokens.soft, size=70).encode(
            x=x,
            y=y,
            tooltip=tips(
                ("rater:N", "Rater"),
                ("confidence:Q", "Mean confidence", ".1%"),
                ("accuracy:Q", "Accuracy", ".1%"),
                ("low:Q", "95 % interval from", ".1%"),
                ("high:Q", "to", ".1%"),
            ),
        ),
        *(
            named("names", where=f"datum.side == '{align}'", x=x, y=y, text="words:N").mark_text(
                align=align, dx=dx, fontSize=11.5
            )
            for align, dx in _SIDES
        ),
    )
    spec = layout(chart.properties(height=_HEIGHT), tokens, many_marks=True)
    # Names of raters who are very sure stand beyond the end of the axis.
    spec["padding"] = {"left": 2, "right": 54, "top": 6, "bottom": 4}
    return spec
