"""Whether labels tell a model from a perfect one: what they support of both, by readings a case."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.analysis.formatting import percent
from core.analysis.tour_proof import CONVINCING, MODEL, PERFECT, ahead_in_words, convinces, range_in_words
from dashboard.charts.figure import CROSS, Figure, Spec, layout, named, span
from dashboard.charts.tour.claim import AXIS_HEIGHT, HIGH, LOW, accuracy_axis, beside_numbers
from dashboard.charts.tour.tips import only_words
from dashboard.shell.theme import Tokens

NAMES = {MODEL: "this model", PERFECT: "a perfect one"}
_HEAD, _ROW = 62, 56
"""Heights of the words over a number of readings, and of each model, in pixels."""
_LINE = 26
"""From the top of a model's row to its line, in pixels."""
_APART = 26
"""Between two numbers of readings, in pixels."""
_GROUP = _HEAD + 2 * _ROW + _APART


def comparison_chart(table: pd.DataFrame, *, tokens: Tokens) -> Figure:
    """Draw for each number of readings and model a band, a cross and a ring.

    The cross is the claim, the ring the known truth.
    The claim stands beneath each cross; the marks of the first number of readings are named. ``table`` is
    that of `core.analysis.tour_proof.proof_table`.
    """
    group = table["readings"].factorize()[0]
    of_perfect, place = table["model"] == PERFECT, np.arange(len(table))
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
        truth=[
            f"In truth {NAMES[row['model']]} is right in {percent(row['known'])}"
            for _, row in table.iterrows()
        ],
        claim=[
            f"By the majority of {row['readings']} readings {NAMES[row['model']]} claims "
            f"{percent(row['claimed'])}"
            for _, row in table.iterrows()
        ],
        claimed_words=np.where(group == 0, "claimed: ", "") + table["claimed"].map(percent),
        truth_words="really right: " + table["known"].map(percent),
        explained=group == 0,
        at_end=table["known"] == HIGH,
    )
    heads = pd.DataFrame(
        {
            "title": [f"{n} readings a case" for n in table["readings"].unique()],
            "gloss": table.loc[of_perfect, "ahead"].map(_ahead_in_words).to_numpy(),
            "down": _GROUP * np.arange(of_perfect.sum()),
        }
    )
    return Figure(_layout(int(of_perfect.sum()), tokens), {"rows": rows, "heads": heads})


def _ahead_in_words(share: float) -> str:
    """In how many plausible truths the perfect model is better, and how many would be enough."""
    words = f"the perfect one is better in {ahead_in_words(share)} of 100 truths"
    return words if convinces(share) else f"{words}; {CONVINCING} would convince"


@lru_cache(maxsize=4)
def _layout(n_groups: int, tokens: Tokens) -> Spec:
    height = _GROUP * n_groups - _APART + 8
    down = alt.Y("down:Q", scale=span(height, 0), axis=None)
    x = accuracy_axis()
    base = named("rows", y=down)
    begin, end = alt.value(0), alt.value(alt.ExprRef("width"))

    def words(name: str, field: str, size: float, colour: str, **style: Any) -> alt.Chart:
        return named(name, y=down).mark_text(fontSize=size, color=colour, **style).encode(text=f"{field}:N")

    def beneath(field: str, where: str, align: Any) -> alt.Chart:
        mark = named("rows", where=where, y=down)
        return mark.mark_text(align=align, dy=19, fontSize=12, color=tokens.muted).encode(
            x=field.replace("_words", ":Q").replace("truth", "known"), text=f"{field}:N"
        )

    ring: dict[str, Any] = {"shape": "circle", "filled": False, "size": 130, "opacity": 1}
    truth = base.encode(x="known:Q", tooltip="truth:N")
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
        truth.mark_point(**ring, stroke=tokens.page, strokeWidth=4),
        truth.mark_point(**ring, stroke=tokens.text, strokeWidth=2),
        beneath("claimed_words", "datum.explained", "right"),
        beneath("claimed_words", "!datum.explained", "center"),
        beneath("truth_words", "datum.explained && !datum.at_end", "center"),
        beneath("truth_words", "datum.explained && datum.at_end", "right"),
        words("rows", "name", 13, tokens.text, align="left", baseline="middle", dy=-17).encode(x=begin),
        words("rows", "value", 15, tokens.text, align="right", baseline="middle", fontWeight=600).encode(
            x=end
        ),
    )
    return only_words(layout(chart.properties(height=height + AXIS_HEIGHT), tokens))
