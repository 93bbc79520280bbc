"""Groups of raters: their concordance against the accuracy of their majority (Cabitza 2020, fig. 4 and 8)."""

from __future__ import annotations

from functools import lru_cache

import altair as alt
import pandas as pd

from dashboard.charts.figure import Figure, Spec, layout, named, span, tips
from dashboard.charts.reliability.certainty import evenly
from dashboard.shell.theme import Tokens

MOST_POINTS = 600
"""Groups drawn as dots; of more, evenly chosen ones."""
_NAMES = 160
"""Letters of the names of a group in a tooltip."""


def groups_chart(groups: pd.DataFrame, *, size: int, accuracy: str, rule: float, tokens: Tokens) -> Figure:
    """Draw each group as a dot, those of one size in colour; all known, in ascending order of size.

    ``accuracy`` says what accuracy is; ``rule`` is the concordance from which on annotations suffice.
    """
    dots = evenly(groups, MOST_POINTS)
    weighted, right = groups["concordance"].to_numpy(float), groups["accuracy"].to_numpy(float)
    x = _reach(min(weighted.min(), rule), max(weighted.max(), rule))
    y = _reach(right.min(), right.max())
    # Names as they fit a tooltip.
    short = dots["raters"].where(dots["raters"].str.len() <= _NAMES, dots["raters"].str[: _NAMES - 1] + "…")
    dots = dots.assign(raters=short)
    data = {
        "others": dots[dots["size"] != size],
        "chosen": dots[dots["size"] == size],
        "rule": pd.DataFrame({"concordance": [rule], "accuracy": [y[1]], "words": ["two thirds"]}),
    }
    ends = {"left": x[0], "right": x[1], "low": y[0], "high": y[1]}
    spec = _layout(accuracy, tokens) | {
        "params": [{"name": name, "value": value} for name, value in ends.items()]
    }
    return Figure(spec, data)


def _reach(low: float, high: float) -> tuple[float, float]:
    """Ends of an axis with room around the values, within [0, 1]."""
    room = 0.08 * max(high - low, 0.05)
    return round(max(low - room, 0.0), 4), round(min(high + room, 1.0), 4)


@lru_cache(maxsize=16)
def _layout(accuracy: str, tokens: Tokens) -> Spec:
    x_scale = span(alt.ExprRef("left"), alt.ExprRef("right"))
    y_scale = span(alt.ExprRef("low"), alt.ExprRef("high"))
    x = alt.X(
        "concordance:Q",
        title="Weighted concordance of the group",
        scale=x_scale,
        axis=alt.Axis(format=".2f", tickCount=6, labelFlush=False),
    )
    y = alt.Y(
        "accuracy:Q",
        title=accuracy,
        scale=y_scale,
        axis=alt.Axis(format=".0%", tickCount=5, tickMinStep=0.01),
    )
    tooltip = tips(
        ("size:Q", "Raters"),
        ("raters:N", "Who"),
        ("concordance:Q", "Weighted concordance ϱ", ".2f"),
        ("accuracy:Q", accuracy, ".1%"),
    )
    rule, others, chosen = (named(name, x=x, y=y) for name in ("rule", "others", "chosen"))
    chart = alt.layer(
        named("rule", x=x).mark_rule(color=tokens.hard, strokeDash=[6, 4], strokeWidth=1.2),
        rule.mark_text(align="right", dx=-6, dy=8, color=tokens.text, fontSize=12).encode(text="words:N"),
        others.mark_circle(size=24, opacity=0.35, color=tokens.other).encode(tooltip=tooltip),
        chosen.mark_circle(size=34, opacity=0.7, color=tokens.soft).encode(tooltip=tooltip),
    )
    return layout(chart.properties(height=360), tokens, many_marks=True)
