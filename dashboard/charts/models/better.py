"""How probable it is that one model is better than another, for every pair."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import altair as alt
import numpy as np
import pandas as pd

from core.analysis.formatting import percent
from dashboard.charts.figure import Figure, Spec, layout, mapped, named, tips
from dashboard.charts.models.marks import joined, room, shortened
from dashboard.shell.theme import Tokens

PAIR = "pair"
"""Selection of a cell: the models of its row and of its column."""
CELL = 32
"""Height of a cell in pixels; its width is what is left beside the names."""
_LETTER = 6.6
"""Pixels of a letter, on average."""
_NAME = 22
_FULL = 0.55
"""Opacity of a certain cell: the number in it stays readable, light and dark."""


def better_matrix_chart(table: pd.DataFrame, *, models: Sequence[str], tokens: Tokens) -> Figure:
    """Draw a cell for every pair of models, with P(row better than column) in percent.

    ``table`` has one row an ordered pair: ``model`` (row), its ``same_as``, ``other`` (column),
    ``probability`` in [0, 1], NaN where undefined. Models are drawn in the order of ``model``, those that
    predict the same as one.
    """
    rows = joined(table.drop_duplicates("model")[["model", "same_as"]])
    order = {model: i for i, model in enumerate(rows["model"])}
    shown = table[table["model"].isin(order) & table["other"].isin(order)]
    probability = shown["probability"].to_numpy(float)
    sure = np.nan_to_num(np.abs(2 * probability - 1))
    cells = shown.assign(
        row=shown["model"].map(order),
        column=shown["other"].map(order),
        kind=np.select([probability > 0.5, probability < 0.5], ["better", "worse"], default="even"),
        strength=_FULL * sure,
        words=[_words(p) for p in probability.tolist()],
        said=[
            f"{model} is better than {other}" + ("" if np.isnan(p) else f": {percent(p)}")
            for model, other, p in zip(shown["model"], shown["other"], probability.tolist(), strict=True)
        ],
    )
    words = [shortened(name, _NAME, lines=1) for name in rows["members"]]
    names = pd.DataFrame({"row": list(order.values()), "words": words})
    longest = max((len(name) for name in words), default=0)
    # Names of columns stand slanted above the cells.
    height = CELL * room(len(order), len(models)) + 0.75 * _LETTER * longest + 30
    padding = {
        "left": 2,
        "right": 10 + 0.4 * _LETTER * len(words[-1] if words else ""),
        "top": 6,
        "bottom": 4,
    }
    return Figure(_layout(tokens) | {"height": height, "padding": padding}, {"cells": cells, "names": names})


def _words(probability: float) -> str:
    """Percentage without its sign, never 0 or 100 for what is in between."""
    if np.isnan(probability):
        return "–"
    if 0 < probability < 0.005:
        return "<1"
    if 0.995 < probability < 1:
        return ">99"
    return f"{probability * 100:.0f}"


@lru_cache(maxsize=4)
def _layout(tokens: Tokens) -> Spec:
    band = alt.Scale(type="band", padding=0.06)
    row = alt.Y("row:O", axis=None, scale=band)
    colour = mapped(
        alt.Color, "kind:N", ["better", "even", "worse"], [tokens.soft, tokens.page, tokens.other]
    )
    cells = named("cells", y=row, x=alt.X("column:O", axis=None, scale=band))
    click = alt.selection_point(name=PAIR, fields=["model", "other"], on="click", nearest=False, empty=False)
    squares = (
        cells.mark_rect(aria=True)
        .encode(
            description="said:N",
            color=colour,
            fillOpacity=mapped(alt.FillOpacity, "strength:Q", [0, 1], [0, 1]),
            stroke=alt.StrokeValue(
                tokens.rule, condition={"param": PAIR, "empty": False, "value": tokens.hard}
            ),
            strokeWidth=alt.StrokeWidthValue(0.6, condition={"param": PAIR, "empty": False, "value": 2}),
            tooltip=tips(
                ("model:N", "Model"),
                ("other:N", "is better than"),
                ("probability:Q", "with probability", ".1%"),
            ),
        )
        .properties(name="squares")
        .add_params(click)
    )
    numbers = cells.mark_text(fontSize=12, fontWeight=600).encode(text="words:N")
    names = named("names")
    rows = names.mark_text(align="right", dx=-8).encode(y=row, x=alt.XValue(0), text="words:N")
    columns = names.mark_text(align="left", dx=8, angle=315).encode(
        x=alt.X("row:O", axis=None, scale=band), y=alt.YValue(0), text="words:N"
    )
    return layout(alt.layer(squares, numbers, rows, columns), tokens)
