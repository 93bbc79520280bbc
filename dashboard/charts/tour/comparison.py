"""Whether labels tell a model from a perfect one: what they support of both, by readings a case."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.analysis.formatting import percent
from core.analysis.tour_proof import MODEL, PERFECT, range_in_words
from dashboard.charts.figure import Figure, Spec, layout, named, span
from dashboard.charts.tour.claim import AXIS_HEIGHT, HIGH, LOW, accuracy_axis
from dashboard.charts.tour.tips import only_words
from dashboard.shell.theme import Tokens

NAMES = {MODEL: "this model", PERFECT: "a perfect one"}
_MOST = 0.999
"""What a share of draws never reaches."""
_HEAD, _ROW = 46, 44
"""Heights of the words over a number of readings, and of each model under them, in pixels."""


def comparison_chart(table: pd.DataFrame, *, tokens: Tokens) -> Figure:
    """Draw for each number of readings a band for each model, and a ring at the known truth.

    ``table`` is that of `core.analysis.tour_proof.proof_table`.
    """
    group = table["readings"].factorize()[0]
    rows = table.assign(
        name=table["model"].map(NAMES),
        first=LOW,
        last=HIGH,
        value=[range_in_words(row, "–") for _, row in table.iterrows()],
        down=_HEAD * (group + 1) + _ROW * (np.arange(len(table)) + 0.74),
        tip=[
            f"{row['readings']} readings a case support {range_in_words(row)} of {NAMES[row['model']]}"
            for _, row in table.iterrows()
        ],
        truth=[
            f"In truth {NAMES[row['model']]} is right in {percent(row['known'])}"
            for _, row in table.iterrows()
        ],
    )
    of_perfect = table["model"] == PERFECT
    heads = pd.DataFrame(
        {
            "title": [f"{n} readings a case" for n in table["readings"].unique()],
            "gloss": [
                f"perfect ahead in {percent(min(share, _MOST))} of truths"
                for share in table.loc[of_perfect, "ahead"]
            ],
            "down": (_HEAD + 2 * _ROW) * np.arange(of_perfect.sum()),
        }
    )
    return Figure(_layout(int(of_perfect.sum()), tokens), {"rows": rows, "heads": heads})


@lru_cache(maxsize=4)
def _layout(n_groups: int, tokens: Tokens) -> Spec:
    height = (_HEAD + 2 * _ROW) * n_groups + 8
    down = alt.Y("down:Q", scale=span(height, 0), axis=None)
    x = accuracy_axis()
    base = named("rows", y=down)
    begin, end = alt.value(0), alt.value(alt.ExprRef("width"))

    def words(name: str, field: str, size: float, colour: str, **style: Any) -> alt.Chart:
        mark = named(name, y=down).mark_text(fontSize=size, color=colour, **style)
        return mark.encode(text=f"{field}:N")

    ring: dict[str, Any] = {"shape": "circle", "filled": False, "size": 130, "opacity": 1}
    truth = base.encode(x="known:Q", tooltip="truth:N")
    chart = alt.layer(
        base.mark_rule(color=tokens.rule).encode(x=alt.X("first:Q", scale=span(LOW, HIGH)), x2="last:Q"),
        words("heads", "title", 15, tokens.text, align="left", dy=26, fontWeight=600).encode(x=begin),
        words("heads", "gloss", 13, tokens.muted, align="right", dy=26).encode(x=end),
        base.mark_rule(color=tokens.soft, strokeWidth=11, opacity=0.75).encode(
            x=x, x2="high:Q", tooltip="tip:N"
        ),
        truth.mark_point(**ring, stroke=tokens.page, strokeWidth=4),
        truth.mark_point(**ring, stroke=tokens.text, strokeWidth=2),
        words("rows", "name", 13, tokens.text, align="left", dy=-14).encode(x=begin),
        words("rows", "value", 14, tokens.soft, align="right", dy=-14, fontWeight=600).encode(x=end),
    )
    return only_words(layout(chart.properties(height=height + AXIS_HEIGHT), tokens))
