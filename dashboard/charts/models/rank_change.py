"""Ranks of models by a hard metric beside those by its soft counterpart."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

import altair as alt
import numpy as np
import pandas as pd

from dashboard.charts.figure import FILLED, UNIT, Figure, Spec, layout, named, tips
from dashboard.charts.models import marks
from dashboard.shell.theme import Tokens

ROW = 34
"""Pixels for each model."""
_HEAD = 34
_NAME = 24
"""Letters of a name on one line."""
_SIDES: tuple[tuple[int, Literal["right", "left"], int], ...] = ((0, "right", -1), (1, "left", 1))
"""Hard and soft side, how words stand there, and which way they go from the points."""


def rank_slope_chart(
    table: pd.DataFrame, *, models: Sequence[str], metric: str, counterpart: str, tokens: Tokens
) -> Figure:
    """Draw a line for each model from its rank by the hard metric to its rank by the soft one.

    ``table`` has one row a model: ``model``, ``hard``, ``soft``, ``hard_rank``, ``soft_rank`` (1 for the
    best, equals sharing a rank), ``same_as`` as for `joined`. Models stand in the order of their ranks, one
    row each, and equals at the same height; the numbers are the ranks among all models, joined ones counted
    singly.
    """
    rows = marks.joined(table).dropna(subset=["hard", "soft", "hard_rank", "soft_rank"])
    rows = rows.assign(words=[marks.shortened(name, _NAME) for name in rows["members"]])
    ends = []
    for side, (here, there) in enumerate((("hard", "soft"), ("soft", "hard"))):
        place, name_at = _places(rows[f"{here}_rank"].to_numpy(float), rows[f"{there}_rank"].to_numpy(float))
        shares = rows[f"{here}_rank"].duplicated(keep=False)
        ranks = rows[f"{here}_rank"].astype(float)
        ends.append(
            rows[["model", "members", "words"]].assign(
                side=side,
                metric=(metric, counterpart)[side],
                place=place,
                name_at=name_at,
                value=rows[here].astype(float),
                value_words=[f"{value:.3f}" for value in rows[here].astype(float)],
                rank=ranks,
                number=[f"{rank:g}{'=' if same else ''}" for rank, same in zip(ranks, shares, strict=True)],
            )
        )
    heads = pd.DataFrame({"side": [0, 1], "place": -0.75, "words": [metric, counterpart]})
    reach = pd.DataFrame({"side": [0, 1], "place": [-1, max(len(rows), 1) - 0.5]})
    data = {"ends": pd.concat(ends, ignore_index=True), "heads": heads, "corners": reach}
    return Figure(
        _layout(tuple(models), tokens) | {"height": ROW * marks.room(len(rows), len(models)) + _HEAD}, data
    )


def _places(rank: np.ndarray, other: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Height of each model's point, equals at their middle, and of its name, one row each."""
    row = np.empty(len(rank))
    row[np.lexsort((other, rank))] = np.arange(len(rank))
    _, equals = np.unique(rank, return_inverse=True)
    middle = np.bincount(equals, weights=row) / np.maximum(np.bincount(equals), 1)
    return middle[equals], row


def _off(wide: int, narrow: int) -> alt.ExprRef:
    """Pixels beside a point, by the room that there is."""
    return alt.ExprRef(f"{marks.NARROW} ? {narrow} : {wide}")


@lru_cache(maxsize=32)
def _layout(models: tuple[str, ...], tokens: Tokens) -> Spec:
    colour, shape = marks.model_colours(models, tokens), marks.model_shapes(models)
    x = alt.X("side:Q", axis=None, scale=UNIT)
    scale = alt.Scale(zero=False, nice=False, reverse=True)
    at, name_at = (alt.Y(f"{field}:Q", axis=None, scale=scale) for field in ("place", "name_at"))
    tooltip = tips(
        ("members:N", "Model"), ("metric:N", "Metric"), ("value:Q", "Value", ".3f"), ("rank:Q", "Rank", "~g")
    )
    base = named("ends", x=x)
    lines = base.mark_line(strokeWidth=2.2).encode(
        y=at, color=colour, strokeDash=marks.model_dashes(models, tokens), detail="model:N"
    )
    dots = base.mark_point(**FILLED, size=85).encode(y=at, color=colour, shape=shape, tooltip=tooltip)
    layers = [marks.corners(x, at), lines, dots]
    for side, align, sign in _SIDES:
        half = base.transform_filter(f"datum.side == {side}").encode(y=name_at)
        half = half.transform_calculate(
            value_words=f"{marks.NARROW} ? '' : datum.value_words",
            words=f"{marks.NARROW} && {side} == 1 ? '' : datum.words",
        )
        keys = half.mark_point(**FILLED, size=60, xOffset=_off(sign * 104, sign * 44))
        layers += [
            half.mark_text(align=align, dx=sign * 14, fontWeight=600).encode(text="number:N"),
            half.mark_text(align=align, dx=_off(sign * 48, 0), color=tokens.muted).encode(
                text="value_words:N"
            ),
            keys.encode(color=colour, shape=shape),
            *marks.name_marks(half, align=align, dx=_off(sign * 116, sign * 56)),
        ]
    heads = named("heads", x=x, y=at)
    for side, align, _ in _SIDES:
        layers.append(
            heads.transform_filter(f"datum.side == {side}")
            .mark_text(align=align, fontWeight=600, color=tokens.muted)
            .encode(text="words:N")
        )
    return layout(alt.layer(*layers), tokens)
