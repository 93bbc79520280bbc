"""Whether labels tell a model from a perfect one: what they support of both, by readings a case."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.analysis.formatting import percent
from core.analysis.tour_proof import MODEL, PERFECT, are_apart, range_in_words
from dashboard.charts.figure import CROSS, Figure, Spec, layout, named, span
from dashboard.charts.tour.claim import AXIS_HEIGHT, HIGH, LOW, accuracy_axis, beside_numbers
from dashboard.charts.tour.tips import only_words
from dashboard.shell.theme import Tokens

NAMES = {MODEL: "this model", PERFECT: "a perfect one"}
OVERLAP, APART = (
    "the ranges overlap: no telling which is better",
    "the ranges lie apart: the perfect one is better",
)
"""What a number of readings comes to."""
_HEAD, _ROW = 62, 56
"""Heights of the words over a number of readings, and of each model, in pixels."""
_LINE = 26
"""From the top of a model's row to its line, in pixels."""
_APART = 26
"""Between two numbers of readings, in pixels."""
_GROUP = _HEAD + 2 * _ROW + _APART


def comparison_chart(table: pd.DataFrame, *, tokens: Tokens) -> Figure:
    """Draw for each number of readings and model a band for what is supported, and a cross for the claim.

    The claim stands beneath each cross, and is named as one for the first number of readings. ``table`` is
    that of `core.analysis.tour_proof.proof_table`.
    """
    group, numbers = table["readings"].factorize()
    place = np.arange(len(table))
    rows = table.assign(
        name=table["model"].map(NAMES),
        first=LOW,
        last=HIGH,
        value=[range_in_words(row, "–") for _, row in table.iterrows()],
        down=_GROUP * group + _HEAD + _ROW * (place % 2) + _LINE,
        tip=[
            f"Of {NAMES[row['model']]} {row['readings']} readings a case support {range_in_words(row)}"
            for _, row in table.iterrows()
        ],
        claim=[
            f"By the majority of {row['readings']} readings {NAMES[row['model']]} claims "
            f"{percent(row['claimed'])}"
            for _, row in table.iterrows()
        ],
        claimed_words=np.where(group == 0, "claimed: ", "") + table["claimed"].map(percent),
    )
    heads = pd.DataFrame(
        {
            "title": [f"{n} readings a case" for n in numbers],
            "gloss": [APART if are_apart(table, n) else OVERLAP for n in numbers],
            "down": _GROUP * np.arange(len(numbers)),
        }
    )
    return Figure(_layout(len(numbers), tokens), {"rows": rows, "heads": heads})


@lru_cache(maxsize=4)
def _layout(n_groups: int, tokens: Tokens) -> Spec:
    height = _GROUP * n_groups - _APART + 8
    down = alt.Y("down:Q", scale=span(height, 0), axis=None)
    x = accuracy_axis()
    base = named("rows", y=down)
    begin, end = alt.value(0), alt.value(alt.ExprRef("width"))

    def words(name: str, field: str, size: float, colour: str, **style: Any) -> alt.Chart:
        return named(name, y=down).mark_text(fontSize=size, color=colour, **style).encode(text=f"{field}:N")

    cross = base.mark_point(**CROSS, size=95, color=tokens.hard, stroke=tokens.page, strokeWidth=1)
    track = alt.X("first:Q", scale=beside_numbers(LOW, HIGH))
    chart = alt.layer(
        base.mark_rule(color=tokens.rule).encode(x=track, x2="last:Q"),
        words("heads", "title", 15, tokens.text, align="left", dy=16, fontWeight=600).encode(x=begin),
        words("heads", "gloss", 13, tokens.muted, align="left", dy=35).encode(x=begin),
        base.mark_rule(color=tokens.soft, strokeWidth=12, opacity=0.75).encode(
            x=x, x2="high:Q", tooltip="tip:N"
        ),
        cross.encode(x="claimed:Q", tooltip="claim:N"),
        words("rows", "claimed_words", 12, tokens.muted, dy=19).encode(x="claimed:Q"),
        words("rows", "name", 13, tokens.text, align="left", baseline="middle", dy=-17).encode(x=begin),
        words("rows", "value", 15, tokens.text, align="right", baseline="middle", fontWeight=600).encode(
            x=end
        ),
    )
    return only_words(layout(chart.properties(height=height + AXIS_HEIGHT), tokens))
