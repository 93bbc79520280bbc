"""How models look in every picture that compares them: colour, mark and dash, and names that keep apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import altair as alt
import numpy as np
import pandas as pd

from dashboard.charts.figure import mapped, named
from dashboard.components.text import wrapped
from dashboard.shell.theme import Tokens, model_colour, model_mark

SAME = " = "
"""Between the names of models that predict the very same."""
NARROW = "containerSize()[0] < 520"
"""Whether a picture has room for the least alone, in Vega's expressions; asked when it is built."""
_LINE = 14
"""Pixels from one line of a name to the next."""
DASHES = ((1, 0), (6, 3), (2, 2), (8, 3, 2, 3))
"""Dashes of lines of one colour, in their order."""


def model_colours(models: Sequence[str], tokens: Tokens) -> alt.Color:
    """Colour by the field ``model``, as on every page."""
    colours = [model_colour(i, tokens) for i in range(len(models))]
    return mapped(alt.Color, "model:N", models, colours)


def model_shapes(models: Sequence[str]) -> alt.Shape:
    """Mark by the field ``model``."""
    marks = [model_mark(i) for i in range(len(models))]
    return mapped(alt.Shape, "model:N", models, marks)


def model_dashes(models: Sequence[str], tokens: Tokens) -> alt.StrokeDash:
    """Dash by the field ``model``: it changes where the colours repeat."""
    dashes = [list(DASHES[i // len(tokens.models) % len(DASHES)]) for i in range(len(models))]
    return mapped(alt.StrokeDash, "model:N", models, dashes)


def corners(x: alt.X, y: alt.Y) -> alt.Chart:
    """Make the axes reach over the frame ``corners``, unseen.

    The ends of an axis are then data like the rest, and other values need no other layout.
    """
    return named("corners", x=x, y=y).mark_point(opacity=0)


_MANY = 0.6
"""Share of the models that makes a picture as high as all of them."""


def room(n_rows: int, n_models: int) -> int:
    """Number of rows for which a picture is high enough, at least one.

    That of all models, unless far fewer are shown. Where a metric leaves out a model, or some predict the
    same, the rows are farther apart, the height stays, and the browser changes what is in a picture and does
    not build it anew.
    """
    return max(n_rows, n_models if n_rows >= _MANY * n_models else 0, 1)


def joined(table: pd.DataFrame) -> pd.DataFrame:
    """Fold models that predict the very same into one row, with all names, joined by `SAME`, in ``members``.

    ``same_as`` is the first model with the same predictions, empty for that one itself.
    """
    members: dict[str, list[str]] = {}
    for model, same_as in zip(table["model"], table["same_as"], strict=True):
        members.setdefault(same_as or model, []).append(model)
    first = table[(table["same_as"] == "").to_numpy()]
    return first.assign(members=[SAME.join(members[model]) for model in first["model"]])


def shortened(name: str, width: int, *, lines: int = 2) -> str:
    """Name on few short lines; of many joined ones as many as fit, and how many more there are."""
    names = name.split(SAME)
    for n in range(len(names), 0, -1):
        more = f" + {len(names) - n} more" if n < len(names) else ""
        text = wrapped(SAME.join(names[:n]) + more, width, lines=lines)
        if "…" not in text:
            return text
    return wrapped(names[0], width - len(more), lines=lines) + more


def name_marks(base: alt.Chart, *, align: Literal["left", "right"], dx: int | alt.ExprRef) -> list[alt.Chart]:
    """Write the field ``words``, of one line or two, in the middle of its height."""
    return [
        base.transform_filter(f"(indexof(datum.words, '\\n') >= 0) == {is_two}")
        .mark_text(align=align, dx=dx, dy=dy, lineBreak="\n", lineHeight=_LINE)
        .encode(text="words:N")
        for is_two, dy in (("false", 0), ("true", -_LINE // 2))
    ]


def apart(place: Sequence[float] | np.ndarray, gap: float) -> np.ndarray:
    """Return the places moved as little as needed to be ``gap`` apart, in the order given by their values.

    Neighbours that are too close form a block with ``gap`` between its members, centred on their mean; blocks
    that touch are joined (pool adjacent violators).
    """
    value = np.asarray(place, float)
    order = np.argsort(value, kind="stable")
    blocks: list[tuple[float, int]] = []
    for target in value[order] - gap * np.arange(len(value)):
        mean, size = float(target), 1
        while blocks and blocks[-1][0] > mean:
            earlier, n = blocks.pop()
            mean, size = (earlier * n + mean * size) / (n + size), n + size
        blocks.append((mean, size))
    moved = np.repeat([mean for mean, _ in blocks], [size for _, size in blocks]) + gap * np.arange(
        len(value)
    )
    found = np.empty(len(value))
    found[order] = moved
    return found
