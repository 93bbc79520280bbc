"""Models by a hard metric against its soft counterpart."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from dashboard.charts.figure import FILLED, Figure, Spec, layout, named, tips
from dashboard.charts.models.marks import apart, corners, joined, model_colours, model_shapes, shortened
from dashboard.shell.theme import Tokens

HEIGHT = 400
_GAP = 17
"""Pixels between two names."""
_NAME = 30
_CORNERS: dict[str, dict[str, Any]] = {
    "upper left": {"align": "left", "baseline": "top", "dx": 8, "dy": 6},
    "lower right": {"align": "right", "baseline": "bottom", "dx": -8, "dy": -6},
}
"""Where words stand in the picture, and how."""
_LEAST = 0.004
"""Length of the axes where all models have the same values."""


def model_scatter_chart(
    table: pd.DataFrame,
    *,
    models: Sequence[str],
    metric: str,
    counterpart: str,
    r_squared: float,
    tokens: Tokens,
) -> Figure:
    """Draw each model's hard value against its soft value, with the line on which they are equal.

    Both axes have the same length in units of the metrics, so a step up is as much as a step to the right;
    they begin where the values do, and the line of equality may be out of view (`Figure.data` has it under
    ``equal``, then without a row). Names stand in a column to the right, in the order of the soft values,
    each tied to its point by a thin line. ``r_squared`` is that over models; NaN where there is none.
    """
    rows = joined(table).dropna(subset=["hard", "soft"])
    hard, soft = rows["hard"].to_numpy(float), rows["soft"].to_numpy(float)
    (x_low, y_low), length = _corner(hard, soft)
    points = rows.assign(
        words=[shortened(name, _NAME, lines=1) for name in rows["members"]],
        edge=x_low + length,
        name_at=_within(apart(soft, _GAP * length / HEIGHT), y_low, y_low + length),
    )
    low, high = max(x_low, y_low), min(x_low, y_low) + length
    ends = [low, high] if low < high else []
    lower = y_low < x_low
    # Where the line of equality does not pass.
    note = pd.DataFrame(
        {
            "hard": [x_low + length if lower else x_low],
            "soft": [y_low if lower else y_low + length],
            "corner": ["lower right" if lower else "upper left"],
            "words": ["" if np.isnan(r_squared) else f"R² = {r_squared:.2f} ({len(points)} models)"],
        }
    )
    data = {
        "points": points,
        "equal": pd.DataFrame({"hard": ends, "soft": ends}, dtype=float),
        "note": note,
        "corners": pd.DataFrame({"hard": [x_low, x_low + length], "soft": [y_low, y_low + length]}),
        "titles": pd.DataFrame(
            {
                "axis": ["x", "y"],
                "words": [f"{metric} (hard)", f"{counterpart} (every reading kept)"],
                "hard": x_low + length / 2,
                "soft": y_low + length / 2,
            }
        ),
    }
    return Figure(_layout(tuple(models), tokens), data)


def _corner(hard: np.ndarray, soft: np.ndarray) -> tuple[tuple[float, float], float]:
    """Lower left corner of the picture, and the length of its sides in units of the metrics."""
    if not len(hard):
        return (0.0, 0.0), 1.0
    length = 1.25 * max(float(np.ptp(hard)), float(np.ptp(soft)), _LEAST)
    middle = [(float(of.min()) + float(of.max())) / 2 for of in (hard, soft)]
    return (middle[0] - length / 2, middle[1] - length / 2), length


def _within(place: np.ndarray, low: float, high: float) -> np.ndarray:
    """Places moved together so that they stay inside, as far as they fit."""
    if not len(place):
        return place
    return place - max(place.max() - high, 0) + max(low - place.min(), 0)


@lru_cache(maxsize=32)
def _layout(models: tuple[str, ...], tokens: Tokens) -> Spec:
    colour, shape = model_colours(models, tokens), model_shapes(models)
    across = up = alt.Scale(zero=False, nice=False)
    axis = alt.Axis(format="~g", tickCount=6)
    x = alt.X("hard:Q", title=None, scale=across, axis=axis)
    y = alt.Y("soft:Q", title=None, scale=up, axis=axis)
    edge, name_at = alt.X("edge:Q", scale=across), alt.Y("name_at:Q", scale=up)
    equal = named("equal", x=x, y=y).mark_line(color=tokens.hard, strokeWidth=1, strokeDash=[4, 4])
    notes = [
        named("note", where=f"datum.corner == '{corner}'", x=x, y=y, text="words:N").mark_text(
            color=tokens.muted, **place
        )
        for corner, place in _CORNERS.items()
    ]
    points = named("points")
    leaders = points.mark_rule(color=tokens.other, strokeWidth=0.8, opacity=0.8, x2Offset=14).encode(
        x=x, x2="edge:Q", y=y, y2="name_at:Q"
    )
    dots = points.mark_point(**FILLED, size=95, stroke=tokens.page, strokeWidth=1).encode(
        x=x,
        y=y,
        color=colour,
        shape=shape,
        tooltip=tips(
            ("members:N", "Model"), ("hard:Q", "Hard", ".3f"), ("soft:Q", "Every reading kept", ".3f")
        ),
    )
    keys = points.mark_point(**FILLED, size=60, xOffset=22).encode(
        x=edge, y=name_at, color=colour, shape=shape
    )
    names = points.mark_text(align="left", dx=32).encode(x=edge, y=name_at, text="words:N")
    x_title, y_title = (named("titles", where=f"datum.axis == '{of}'", text="words:N") for of in "xy")
    titles = [
        x_title.mark_text(color=tokens.muted, fontSize=12, dy=36).encode(x=x, y=alt.YValue("height")),
        y_title.mark_text(color=tokens.muted, fontSize=12, dy=-52, angle=270).encode(x=alt.XValue(0), y=y),
    ]
    chart = alt.layer(corners(x, y), equal, leaders, dots, keys, names, *notes, *titles)
    return layout(chart.properties(height=HEIGHT), tokens)
