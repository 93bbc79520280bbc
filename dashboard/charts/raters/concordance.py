"""Weighted concordance of each case, in order, against the rule of thumb."""

from __future__ import annotations

from functools import lru_cache

import altair as alt
import pandas as pd

from dashboard.charts.figure import SHARES, UNIT, Figure, Spec, layout, named, tips
from dashboard.charts.reliability.certainty import brush_and_click, evenly
from dashboard.shell.theme import Tokens


def concordance_chart(cases: pd.DataFrame, *, rule: float, mean: float, tokens: Tokens) -> Figure:
    """Draw ϱ of all cases in ascending order, with its band, against a threshold and their mean.

    ``cases`` are those of `core.analysis.raters.concordance.ordered_cases`; of many, evenly spaced ones are
    drawn.
    """
    drawn = evenly(cases)
    words = [("rule", rule, "two thirds: rule of thumb", 0.0), ("mean", mean, f"mean {mean:.2f}", 1.0)]
    lines = pd.DataFrame(words, columns=["kind", "concordance", "words", "share"])
    # Where the two lie close together, one name goes below its line.
    near = abs(rule - mean) < 0.08
    lines["below"] = [near and rule < mean, near and mean <= rule]
    banded = bool(len(cases)) and bool((cases["high"] - cases["low"]).abs().max() > 0)
    data = {"cases": drawn, "lines": lines}
    if banded:
        data["band"] = drawn
    return Figure(_layout(banded, tokens), data)


@lru_cache(maxsize=8)
def _layout(banded: bool, tokens: Tokens) -> Spec:
    x = alt.X("share:Q", title="Cases, from the least concordant", scale=UNIT, axis=SHARES)
    y_axis = alt.Axis(format=".1f", tickCount=6)
    y = alt.Y("concordance:Q", title="Weighted concordance", scale=UNIT, axis=y_axis)
    low = alt.Y("low:Q", scale=UNIT, title="Weighted concordance", axis=y_axis)
    band = named("band", x=x, y=low, y2="high:Q").mark_area(opacity=0.18, color=tokens.soft, line=False)
    layers = [band] if banded else []
    line = named("cases", x=x, y=y).mark_line(strokeWidth=2, color=tokens.soft)
    tooltip = tips(
        ("case_id:N", "Case"),
        ("concordance:Q", "Weighted concordance ϱ", ".2f"),
        ("agreement:Q", "Agreement σ", ".2f"),
        ("readings:Q", "Raters"),
        ("leading:N", "Most say"),
    )
    hover = named("cases", x=x, y=y, tooltip=tooltip).mark_point(size=80, opacity=0)
    hover = hover.add_params(*brush_and_click(["x"], tokens))
    for kind, dash, align, dx in (("rule", [6, 4], "left", 6), ("mean", [2, 3], "right", -6)):
        of = named("lines", where=f"datum.kind == '{kind}'")
        layers.append(of.mark_rule(color=tokens.hard, strokeDash=dash, strokeWidth=1.2).encode(y=y))
        for test, dy in (("!datum.below", -8), ("datum.below", 10)):
            layers.append(
                of.transform_filter(test)
                .mark_text(align=align, dx=dx, dy=dy, color=tokens.text, fontSize=12)  # type: ignore[arg-type]
                .encode(x=x, y=y, text="words:N")
            )
    return layout(alt.layer(*layers, line, hover).properties(height=340), tokens, many_marks=True)
