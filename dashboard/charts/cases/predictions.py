"""What each model says of one case, and how often that holds the truth."""

from __future__ import annotations

import math
from functools import lru_cache

import altair as alt
import pandas as pd

from core.analysis.formatting import percent
from dashboard.charts.figure import BAND, FILLED, UNIT, Figure, Spec, layout, named, tips
from dashboard.components.text import wrapped
from dashboard.shell.theme import PADDING, Tokens, model_colour, model_mark

ROW = 84
SAYS = 52
"""Characters a line of a model's labels."""


def predictions_chart(table: pd.DataFrame, models: list[str], *, k: int, tokens: Tokens) -> Figure:
    """Draw one row a model: its name, its first ``k`` labels, and a bar of how often they hold the truth.

    ``models`` are all of the task, in order: they decide colour and mark.
    """
    place = {name: i for i, name in enumerate(models)}
    order = [place[name] for name in table["model"]]
    rows = pd.DataFrame(
        {
            "row": range(len(table)),
            "model": table["model"].to_numpy(),
            "name": [wrapped(name, 34, lines=1) for name in table["model"]],
            "says": [wrapped(text, SAYS, lines=2) for text in table["prediction"]],
            "zero": 0.0,
            "one": 1.0,
            "end": table["right"].notna().astype(float).to_numpy(),
            "right": table["right"].to_numpy(),
            "held": table["holds the truth"].to_numpy(),
            "words": [
                _words(right, held, k)
                for right, held in zip(table["right"], table["holds the truth"], strict=True)
            ],
            "colour": [model_colour(i, tokens) for i in order],
            "mark": [model_mark(i) for i in order],
        }
    )
    return Figure(_layout(len(rows), tokens), {"rows": rows})


def _words(right: float, held: float, k: int) -> str:
    """How often a model holds the truth; empty where it names no label, or the truth is not known."""
    if math.isnan(right):
        return ""
    return f"first right: {percent(right)}" + (f", any of {k}: {percent(held)}" if k > 1 else "")


@lru_cache(maxsize=32)
def _layout(n_rows: int, tokens: Tokens) -> Spec:
    y = alt.Y("row:O", axis=None, scale=BAND)
    zero = alt.X("zero:Q", scale=UNIT, axis=None)
    one = alt.X("one:Q", scale=UNIT, axis=None)
    colour = alt.Color("colour:N", scale=None)
    base = named("rows", y=y)
    mark = base.mark_point(**FILLED, size=70, xOffset=6, yOffset=-30).encode(
        x=zero, color=colour, shape=alt.Shape("mark:N", scale=None)
    )
    name = base.mark_text(align="left", dx=16, dy=-30, fontWeight=600, limit=alt.expr("width - 205")).encode(
        x=zero, text="name:N"
    )
    words = base.mark_text(align="right", dy=-30, color=tokens.muted).encode(x=one, text="words:N")
    says = base.mark_text(
        align="left",
        baseline="top",
        dy=-20,
        fontSize=12.5,
        lineBreak="\n",
        lineHeight=15,
        limit=alt.expr("width"),
    ).encode(x=zero, text="says:N")
    track = base.mark_rule(color=tokens.rule, strokeWidth=9, yOffset=21).encode(x=zero, x2="end:Q")
    bars = base.encode(x=zero, color=colour)
    held = bars.mark_rule(strokeWidth=9, opacity=0.4, yOffset=21).encode(x2="held:Q")
    right = bars.mark_rule(strokeWidth=9, yOffset=21).encode(
        x2="right:Q",
        tooltip=tips(
            ("model:N", "Model"),
            ("right:Q", "First label is the truth", ".1%"),
            ("held:Q", "Truth among those listed", ".1%"),
        ),
    )
    chart = alt.layer(track, held, right, mark, name, words, says)
    return layout(chart.properties(height=ROW * max(n_rows, 1) + PADDING), tokens)
