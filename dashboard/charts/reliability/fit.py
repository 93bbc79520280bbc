"""How well each reliability predicts a reading that was left out, with the best one marked."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import altair as alt
import numpy as np
import pandas as pd

from core.analysis.formatting import of_hundred
from core.analysis.reliability.fit import best_range
from dashboard.charts.figure import Figure, Spec, layout, named, span, tips
from dashboard.charts.reliability.sweep import axis_place, chosen_place, reliability_axis
from dashboard.shell.theme import Tokens

_STRIP, _WORDS = 66, 20
"""Height of the small curve in pixels, and of the words above it."""


def predictive_chart(curve: pd.DataFrame, best: float, *, chosen: float, tokens: Tokens) -> Figure:
    """Draw the predictive log-likelihood (nats a reading) against reliability, the best one named."""
    table = curve[np.isfinite(curve["log_likelihood"])]
    steps = tuple(sorted(set(table["reliability"])))
    table = table.assign(
        place=axis_place(table["reliability"]),
        low=table["log_likelihood"] - table["standard_error"],
        high=table["log_likelihood"] + table["standard_error"],
    )
    top = table[table["reliability"] == best]
    top = top.assign(words=f"best: γ = {best:g}{_how_surely(curve, top['best_share'])}")
    mark = place_on(curve, chosen)
    return Figure(_layout(steps, tokens), {"curve": table, "best": top, "chosen": mark})


def _how_surely(curve: pd.DataFrame, share: pd.Series) -> str:
    """Where the best lies in most resamples; where that is one reliability, in how many."""
    low, high = best_range(curve)
    if low < high:
        return f" ({low:g} to {high:g})"
    return f" (in {of_hundred(float(share.iloc[0]))} of 100)" if low == high else ""


def place_on(curve: pd.DataFrame, chosen: float) -> pd.DataFrame:
    """Place of the slider on the axis: one row, ``place``."""
    return chosen_place(curve.loc[np.isfinite(curve["log_likelihood"]), "reliability"], chosen)


@lru_cache(maxsize=8)
def _layout(steps: tuple[float, ...], tokens: Tokens) -> Spec:
    x = reliability_axis(pd.Series(steps))
    title, scale = "Nats per left-out reading", alt.Scale(zero=False)
    y = alt.Y("log_likelihood:Q", title=title, scale=scale, axis=alt.Axis(tickCount=5))
    base = named("curve", x=x)
    rule = named("chosen", x=x).mark_rule(color=tokens.muted, strokeDash=[2, 3])
    band = base.mark_area(opacity=0.16, color=tokens.soft).encode(
        y=alt.Y("low:Q", scale=scale, title=title), y2="high:Q"
    )
    line = base.mark_line(color=tokens.soft, strokeWidth=2).encode(y=y)
    dots = base.mark_circle(color=tokens.soft, size=36, opacity=1).encode(
        y=y,
        tooltip=tips(
            ("reliability:Q", "Reliability", "~g"),
            ("log_likelihood:Q", "Nats per reading", ".3f"),
            ("best_share:Q", "Best in resamples of the cases", ".1%"),
        ),
    )
    ring = named("best", x=x, y=y).mark_point(size=150, color=tokens.hard, strokeWidth=2)
    words = named("best", x=x, y=y, text="words:N").mark_text(dy=-16, fontWeight=600)
    return layout(alt.layer(rule, band, line, dots, ring, words).properties(height=220), tokens)


def predictive_strip(
    curve: pd.DataFrame, best: float, *, steps: Sequence[float], chosen: float, tokens: Tokens
) -> Figure:
    """Draw the curve small, each reliability beneath its place among the steps of the slider.

    The best is named above the curve, where no mark of the slider crosses the words.
    """
    table = curve[np.isfinite(curve["log_likelihood"]) & curve["reliability"].isin(steps)]
    table = table.assign(place=[steps.index(gamma) for gamma in table["reliability"]])
    top = table[table["reliability"] == best].assign(words=f"best: {best:g}")
    mark = strip_place(steps, chosen)
    return Figure(_strip_layout(len(steps), tokens), {"curve": table, "best": top, "chosen": mark})


def strip_place(steps: Sequence[float], chosen: float) -> pd.DataFrame:
    """Place of the slider among its steps: one row, ``place``; none where it stands between them."""
    return pd.DataFrame({"place": [steps.index(chosen)] if chosen in steps else []}, dtype=float)


@lru_cache(maxsize=8)
def _strip_layout(n_steps: int, tokens: Tokens) -> Spec:
    x = alt.X("place:Q", axis=None, scale=span(0, n_steps - 1))
    y = alt.Y("log_likelihood:Q", axis=None, scale=alt.Scale(zero=False, range=[_STRIP - 4, _WORDS + 8]))
    top, foot = alt.YValue(_WORDS), alt.Y2Value(_STRIP)
    rule = named("chosen", x=x, y=top, y2=foot).mark_rule(color=tokens.muted, strokeDash=[2, 3])
    line = named("curve", x=x, y=y).mark_line(color=tokens.soft, strokeWidth=2)
    ring = named("best", x=x, y=y).mark_point(size=70, color=tokens.hard, strokeWidth=2)
    # At the ends of the slider the words would be cut.
    side = f"datum.place < {n_steps / 4} ? 'left' : datum.place > {n_steps * 3 / 4} ? 'right' : 'center'"
    words = named("best", x=x, y=alt.YValue(0), text="words:N").mark_text(
        align=alt.expr(side), baseline="top", fontWeight=600, color=tokens.text
    )
    return layout(alt.layer(rule, line, ring, words).properties(height=_STRIP), tokens)
