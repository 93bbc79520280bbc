"""Certainty of the leading label over the number of readings and their reliability."""

from __future__ import annotations

from functools import partial
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.analysis.formatting import percent
from core.analysis.planning.certainty_grid import CertaintyGrid
from dashboard.charts.figure import CROSS, Figure, layout, named
from dashboard.charts.live import SMALL, USUAL, LiveFigure, live_layout, mixed, pale, rounded
from dashboard.shell.theme import Tokens

MOST_WIDTH = 720
READINGS, RELIABILITY = "Readings a case", "Reliability γ"
_ROOM = 1.12
"""By how much the axes go beyond the grid."""


def certainty_contour(grid: CertaintyGrid, *, wanted: float, tokens: Tokens) -> LiveFigure:
    """Draw lines of equal certainty, that of the ``wanted`` one dotted, and the study's own place."""
    table = grid.table.pivot_table(index="reliability", columns="n_readings", values="certainty")
    x, y, z = table.columns.to_numpy(float), table.index.to_numpy(float), table.to_numpy()
    field = {"type": "contour", "x": x.tolist(), "y": y.tolist(), "z": np.round(z, 4).tolist()}
    lines = {
        **field,
        "colorscale": [list(pair) for pair in enumerate(_tints(tokens))],
        "zmin": 0,
        "zmax": 1,
        "showscale": False,
        "contours": {
            "start": 0.05,
            "end": 0.95,
            "size": 0.05,
            "showlabels": True,
            "labelformat": ".0%",
            "labelfont": {"size": SMALL, "color": tokens.text},
        },
        "line": {"color": tokens.muted, "width": 1},
        "text": [
            [cell_words(n, gamma, value) for n, value in zip(x, row, strict=True)]
            for gamma, row in zip(y, z, strict=True)
        ],
        "hoverinfo": "text",
    }
    goal = {
        **field,
        "contours": {"start": wanted, "end": wanted, "size": 1, "coloring": "none"},
        "line": {"color": tokens.hard, "width": 2.2, "dash": "dot"},
        "showscale": False,
        "hoverinfo": "skip",
    }
    layout = live_layout(
        tokens,
        margin={"l": 58, "r": 12, "t": 8, "b": 48},
        xaxis=_axis(READINGS, x, grid.readings, tokens),
        yaxis=_axis(RELIABILITY, y, grid.reliability, tokens),
        annotations=[_own_words(grid, tokens)],
    )
    paper = partial(certainty_print, grid, tokens=tokens)
    return LiveFigure([lines, goal, _own(grid, tokens)], layout, 0.5, 56, MOST_WIDTH, paper, ("zoom", "pan"))


def _tints(tokens: Tokens) -> list[str]:
    """Colours of no certainty and of all; words on either can be read."""
    return [mixed(tokens.page, tokens.soft, part) for part in (0.03, 0.5)]


def cell_words(readings: float, reliability: float, certainty: float) -> str:
    """Say how certain cases are at a place of the grid."""
    many = "reading" if readings == 1 else "readings"
    return f"{readings:g} {many} a case, γ = {reliability:g}:<br>{percent(certainty)} certain on average"


def own_words(grid: CertaintyGrid) -> str:
    """Say where the study itself stands."""
    return (
        f"This study: {grid.readings:.3g} readings a case, γ = {grid.reliability:g}:<br>"
        f"{percent(grid.certainty)} certain on average"
    )


def _axis(title: str, values: np.ndarray, own: float, tokens: Tokens) -> dict[str, Any]:
    """A logarithmic axis with a number at each place of the grid; the study's own lies on it too."""
    ends = np.log10([min(values[0], own) / _ROOM, max(values[-1], own) * _ROOM])
    return {
        "type": "log",
        "range": rounded(ends),
        "tickvals": values.tolist(),
        "ticktext": [f"{value:g}" for value in values],
        "title": {"text": title, "font": {"size": USUAL, "color": tokens.muted}, "standoff": 8},
        "tickfont": {"size": SMALL, "color": tokens.muted},
        "linecolor": tokens.rule,
        "ticks": "outside",
        "ticklen": 4,
        "tickcolor": tokens.rule,
        "showgrid": False,
        "zeroline": False,
    }


def _own(grid: CertaintyGrid, tokens: Tokens) -> dict[str, Any]:
    """Mark the study's own place."""
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [round(grid.readings, 4)],
        "y": [grid.reliability],
        "marker": {
            "symbol": "diamond",
            "size": 14,
            "color": tokens.hard,
            "line": {"width": 2, "color": tokens.page},
        },
        "text": [own_words(grid)],
        "hoverinfo": "text",
    }


def _own_words(grid: CertaintyGrid, tokens: Tokens) -> dict[str, Any]:
    """Name the study's own place."""
    return {
        "x": round(float(np.log10(grid.readings)), 4),
        "y": round(float(np.log10(grid.reliability)), 4),
        "text": f"<b>this study: {percent(grid.certainty)}</b>",
        "showarrow": False,
        "yshift": 18,
        "borderpad": 2,
        "bgcolor": pale(tokens.page, 0.8),
        "font": {"size": USUAL, "color": tokens.text},
    }


def certainty_print(grid: CertaintyGrid, *, tokens: Tokens) -> Figure:
    """Draw the grid as a table of tinted cells, with the study's place as a cross at the nearest cell."""
    cells = grid.table[["n_readings", "reliability", "certainty"]].assign(
        words=[percent(value) for value in grid.table["certainty"]]
    )
    own = pd.DataFrame(
        {
            "n_readings": [_nearest(cells["n_readings"], grid.readings)],
            "reliability": [_nearest(cells["reliability"], grid.reliability)],
            "words": [f"× this study: {percent(grid.certainty)}"],
        }
    )
    x = alt.X("n_readings:O", title=READINGS, axis=alt.Axis(labelAngle=0))
    y = alt.Y("reliability:O", title=RELIABILITY, sort="descending")
    tint = alt.Scale(domain=[0, 1], range=_tints(tokens))
    field = named("cells", x=x, y=y, color=alt.Color("certainty:Q", legend=None, scale=tint)).mark_rect()
    words = named("cells", x=x, y=y, text="words:N").mark_text(fontSize=12, dy=-6)
    mark = named("own", x=x, y=y).mark_point(**CROSS, size=70, color=tokens.hard, yOffset=9, xOffset=0)
    chart = alt.layer(field, words, mark)
    return Figure(layout(chart.properties(height=240), tokens), {"cells": cells, "own": own})


def _nearest(values: pd.Series, to: float) -> float:
    """The value of the grid that is nearest, by their ratio."""
    known = np.unique(values)
    return float(known[np.abs(np.log(known / to)).argmin()])
