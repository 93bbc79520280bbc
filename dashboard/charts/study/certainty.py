"""How certain the cases of a study are, as a histogram."""

from __future__ import annotations

from functools import lru_cache

import altair as alt
import pandas as pd

from core.analysis.cases.percent_ranges import SETTLED
from dashboard.charts.figure import COUNTS, Figure, Spec, layout, named, span, tips
from dashboard.charts.study.opening import SPOKEN, TARGET, WHOLE, opens
from dashboard.shell.theme import Tokens

_GAP = 0.004
_APART = 1.012, 1.054
"""Where the bar of the settled cases stands: beyond 100 %, as it is narrower than all others."""


def certainty_histogram(table: pd.DataFrame, *, tokens: Tokens) -> Figure:
    """Draw how many cases have which certainty; the settled cases apart.

    ``table`` is that of `core.analysis.cases.bars.certainty_bars`, with what each bar opens.
    """
    settled = table["low"] >= SETTLED
    bars = table.assign(
        zero=0,
        kind=settled.map({True: "settled", False: "open"}),
        **{
            "from": (table["low"] / 100 + _GAP).mask(settled, _APART[0]),
            "to": (table["high"].where(table["high"] != SETTLED, 100) / 100 - _GAP).mask(settled, _APART[1]),
        },
    )
    note = pd.DataFrame({"at": [sum(_APART) / 2], "words": [f"≥ {SETTLED} %"]})
    return Figure(_histogram_layout(tokens), {"bars": bars, "note": note})


@lru_cache(maxsize=4)
def _histogram_layout(tokens: Tokens) -> Spec:
    scale = span(0, 1.07)
    axis = alt.Axis(format=".0%", values=[0, 0.25, 0.5, 0.75], grid=False)
    colours = alt.Scale(domain=["open", "settled"], range=[tokens.soft, tokens.other])
    x = alt.X("from:Q", title="Certainty of the leading label", scale=scale, axis=axis)
    bars = named(
        "bars",
        x=x,
        x2="to:Q",
        y=alt.Y("cases:Q", title="Cases", axis=COUNTS),
        y2="zero:Q",
        color=alt.Color("kind:N", legend=None, scale=colours),
    ).mark_rect()
    note = named("note", x=alt.X("at:Q", scale=scale), y=alt.YValue("height"), text="words:N").mark_text(
        baseline="top", dy=7, color=tokens.muted, fontSize=12
    )
    target = named(
        "bars",
        where="datum.cases > 0",
        x=x,
        x2="to:Q",
        y=alt.YValue(0),
        y2=alt.Y2Value("height"),
        description=SPOKEN,
        tooltip=tips(("words:N", "Certainty"), ("cases:Q", "Cases")),
    ).mark_rect(**TARGET)
    chart = alt.layer(bars, note, target.add_params(opens(WHOLE)))
    return layout(chart.properties(height=200), tokens)
