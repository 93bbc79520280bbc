"""What each model says of one case, and how often that holds the truth."""

from __future__ import annotations

import math
from functools import lru_cache

import altair as alt
import pandas as pd

from core.analysis.formatting import percent
from core.analysis.models.finding import ordinal
from dashboard.charts.figure import BAND, FILLED, UNIT, Figure, Spec, layout, named, tips
from dashboard.components.text import wrapped
from dashboard.shell.theme import PADDING, Tokens, model_colour, model_mark

ROW, GHOST = 98, 16
"""Height of a row in pixels, and of the line of how it was before."""
SAYS = 52
"""Characters a line of a model's labels."""

_BEFORE_TIPS = (
    ("right_before:Q", "Before the change, first answer vouched for", ".1%"),
    ("held_before:Q", "Before the change, one of those listed", ".1%"),
)


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
            "reference": [
                "" if math.isnan(place) else f"reference is its {ordinal(int(place))}"
                for place in table.get("reference place", pd.Series(math.nan, table.index))
            ],
            "words": [
                _words(right, held, k)
                for right, held in zip(table["right"], table["holds the truth"], strict=True)
            ],
            "colour": [model_colour(i, tokens) for i in order],
            "mark": [model_mark(i) for i in order],
        }
    )
    rows["said"] = [
        f"{model} says {text}" + (f"; {words}" if words else "")
        for model, text, words in zip(table["model"], table["prediction"], rows["words"], strict=True)
    ]
    has_before = "right before" in table
    if has_before:
        right, held = table["right before"], table["holds the truth before"]
        rows["right_before"], rows["held_before"] = right.to_numpy(), held.to_numpy()
        rows["was"] = [
            f"before: {words}" if (words := _words(*shares, k)) else ""
            for shares in zip(right, held, strict=True)
        ]
    return Figure(_layout(len(rows), has_before, tokens), {"rows": rows})


def _words(right: float, held: float, k: int) -> str:
    """In how many plausible truths a first answer leads; empty where there is none, or nothing is known."""
    if math.isnan(right):
        return ""
    return f"vouched for in {percent(right)} of truths" + (
        f", one of {k} in {percent(held)}" if k > 1 else ""
    )


@lru_cache(maxsize=32)
def _layout(n_rows: int, has_before: bool, tokens: Tokens) -> Spec:
    y = alt.Y("row:O", axis=None, scale=BAND, bandPosition=0.5 * ROW / (ROW + 2 * GHOST * has_before))
    zero = alt.X("zero:Q", scale=UNIT, axis=None)
    one = alt.X("one:Q", scale=UNIT, axis=None)
    colour = alt.Color("colour:N", scale=None)
    base = named("rows", y=y)
    mark = base.mark_point(**FILLED, size=70, xOffset=6, yOffset=-37).encode(
        x=zero, color=colour, shape=alt.Shape("mark:N", scale=None)
    )
    name = base.mark_text(align="left", dx=16, dy=-37, fontWeight=600, limit=alt.expr("width - 130")).encode(
        x=zero, text="name:N"
    )
    reference = base.mark_text(align="right", dy=-37, color=tokens.muted).encode(x=one, text="reference:N")
    words = base.mark_text(align="left", dy=29, color=tokens.text, limit=alt.expr("width")).encode(
        x=zero, text="words:N"
    )
    says = base.mark_text(
        align="left",
        baseline="top",
        dy=-27,
        fontSize=12.5,
        lineBreak="\n",
        lineHeight=15,
        limit=alt.expr("width"),
    ).encode(x=zero, text="says:N")
    track = base.mark_rule(
        color=tokens.rule, strokeWidth=9, yOffset=14, aria=True, ariaRoleDescription="model"
    ).encode(x=zero, x2="end:Q", description="said:N")
    bars = base.encode(x=zero, color=colour)
    held = bars.mark_rule(strokeWidth=9, opacity=0.4, yOffset=14).encode(x2="held:Q")
    right = bars.mark_rule(strokeWidth=9, yOffset=14).encode(
        x2="right:Q",
        tooltip=tips(
            ("model:N", "Model"),
            ("right:Q", "First answer vouched for", ".1%"),
            ("held:Q", "One of those listed", ".1%"),
            *_BEFORE_TIPS[: 2 * has_before],
        ),
    )
    layers = [track, held, right, mark, name, reference, words, says]
    if has_before:
        hollow = base.encode(color=colour, tooltip=tips(("model:N", "Model"), *_BEFORE_TIPS))
        layers += [
            hollow.mark_point(
                shape="circle", filled=False, size=55, strokeWidth=1.6, yOffset=28 + GHOST, opacity=strength
            ).encode(x=alt.X(f"{which}_before:Q", scale=UNIT, axis=None))
            for which, strength in (("held", 0.45), ("right", 0.9))
        ]
        layers.append(
            base.mark_text(align="right", dy=28 + 2 * GHOST, fontSize=11.5, color=tokens.muted).encode(
                x=one, text="was:N"
            )
        )
    height = (ROW + 2 * GHOST * has_before) * max(n_rows, 1) + PADDING
    return layout(alt.layer(*layers).properties(height=height), tokens)
