"""Agreement of raters two by two, with the number of cases that both read in every cell."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from dashboard.charts.figure import Figure, Spec, layout, mapped, named, tips
from dashboard.charts.models.marks import shortened
from dashboard.shell.theme import Tokens

ROW = 34
"""Height of a row in pixels."""
MOST_ELEMENTS = 8
"""Raters whose cells are drawn as elements of the page; more are painted on a canvas."""
_FULL = 0.55
"""Opacity of the cell with the highest value: the numbers in it stay readable, light and dark."""
_NAME = 20
_LETTER = 6.8
"""Pixels of a letter, on average."""


def agreement_matrix_chart(pairs: pd.DataFrame, *, measure: str, shares: bool, tokens: Tokens) -> Figure:
    """Draw a cell for every two raters, in the order of ``rater``, numbered from 1.

    ``pairs`` are those of `core.analysis.raters.pairs.pair_table` with a column ``value``, NaN where
    undefined.
    """
    raters = list(dict.fromkeys(pairs["rater"]))
    place = {rater: i for i, rater in enumerate(raters)}
    value = pairs["value"].to_numpy(float)
    same = (pairs["rater"] == pairs["other"]).to_numpy()
    known = value[~np.isnan(value) & ~same]
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)
    strength = (
        0.06 + (_FULL - 0.06) * (value - low) / (high - low) if high > low else np.full(len(value), 0.3)
    )
    common = pairs["common"].to_numpy()
    cells = pairs.assign(
        row=pairs["rater"].map(place),
        column=pairs["other"].map(place) + 1,
        strength=np.where(np.isnan(value) | same, 0.0, strength),
        words=[
            "" if itself else _words(v, n, shares) for v, n, itself in zip(value, common, same, strict=True)
        ],
        cases=[f"{n:,}" for n in common],
        below=np.where(same, 0, 8),
    )
    names = pd.DataFrame(
        {
            "row": list(place.values()),
            "column": [i + 1 for i in place.values()],
            "words": [f"{shortened(name, _NAME, lines=1)}  {i + 1}" for i, name in enumerate(raters)],
        }
    )
    has_key = len(raters) > MOST_ELEMENTS
    longest = max((len(words) for words in names["words"]), default=0)
    spec = _layout(measure, shares, len(raters) > MOST_ELEMENTS, tokens) | {
        "height": ROW * len(raters) + 24,
        # The names stand left of the first column: an axis would cut them where it is narrow.
        "padding": {"left": 8 + _LETTER * longest, "right": 4, "top": 4, "bottom": 4 + 14 * has_key},
        "params": [
            {"name": name, "value": 3 + _LETTER * max(map(len, cells[column]), default=0)}
            for name, column in (("of_values", "words"), ("of_cases", "cases"))
        ],
    }
    ends = f"pale: {_words(low, 1, shares)}, dark: {_words(high, 1, shares)}"
    key = pd.DataFrame({"words": [f"{ends}, in percent" if shares else ends] if has_key else []}, dtype=str)
    return Figure(spec, {"cells": cells, "names": names, "key": key})


def _words(value: float, common: int, shares: bool) -> str:
    """Value of a cell; nothing where the two have no case in common."""
    if np.isnan(value):
        return "" if common == 0 else "–"
    text = f"{100 * value:.0f}" if shares else f"{value:.2f}"
    return text.replace("-", "−")


@lru_cache(maxsize=32)
def _layout(measure: str, shares: bool, many_marks: bool, tokens: Tokens) -> Spec:
    band = alt.Scale(type="band", padding=0.04)
    y = alt.Y("row:O", axis=None, scale=band)
    x = alt.X(
        "column:O",
        title=None,
        scale=band,
        axis=alt.Axis(
            orient="top", labelAngle=0, domain=False, ticks=False, labelOverlap="greedy", labelSeparation=3
        ),
    )
    cells = named("cells", x=x, y=y)
    squares = cells.mark_rect(stroke=tokens.rule, strokeWidth=0.6, fill=tokens.soft).encode(
        fillOpacity=mapped(alt.FillOpacity, "strength:Q", [0, 1], [0, 1]),
        tooltip=tips(
            ("rater:N", "Rater"),
            ("other:N", "and"),
            ("value:Q", measure, ".1%" if shares else ".3f"),
            ("cases:N", "Cases in common"),
        ),
    )
    # Where cells are narrow the numbers of cases go first, then the values, and a key says what is left.
    values = cells.mark_text(fontSize=12, fontWeight=600, dy=-6, opacity=_where_wide("of_values")).encode(
        text="words:N"
    )
    key = named("key", x=alt.XValue(0), y=alt.YValue(alt.ExprRef("height + 9")), text="words:N").mark_text(
        align="left", fontSize=11, color=tokens.muted, opacity=_where_wide("of_values", 0, 1)
    )
    # Read once in every cell, on the diagonal in its middle.
    small: dict[str, Any] = {"fontSize": 11, "opacity": _where_wide("of_cases", 0.8)}
    common = cells.transform_filter("datum.below > 0").mark_text(dy=8, **small).encode(text="cases:N")
    read = cells.transform_filter("datum.below == 0").mark_text(**small).encode(text="cases:N")
    names = named("names", x=alt.XValue(0), y=y, text="words:N").mark_text(align="right", dx=-8, fontSize=12)
    return layout(alt.layer(squares, values, common, read, names, key), tokens, many_marks=many_marks)


def _where_wide(width: str, there: float = 1, else_: float = 0) -> alt.ExprRef:
    """Opacity in cells that are as wide as the parameter of this name, and in narrower ones."""
    return alt.ExprRef(f"bandwidth('x') >= {width} ? {there} : {else_}")
