"""Plausible truths in the tetrahedron of the four leading labels, turned to be seen from all sides."""

from __future__ import annotations

from functools import partial
from itertools import combinations
from typing import Any

import numpy as np

from core.analysis.cases.simplex import ELSEWHERE, Simplex
from core.study.model import FloatArray
from dashboard.charts.cases.simplex import draw_marks
from dashboard.charts.cases.simplex_print import faces_print
from dashboard.charts.cases.simplex_words import before_words, corner_words, landmark_words
from dashboard.charts.live import SILENT, SMALL, LiveFigure, live_layout, mixed, pale, plain, rounded
from dashboard.components.text import wrapped
from dashboard.shell.theme import Tokens

CORNERS = np.array(
    [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [0.5, np.sqrt(3) / 2, 0.0],
        [0.5, np.sqrt(3) / 6, np.sqrt(2 / 3)],
    ]
)
"""Where each of the four labels has all plausibility; all edges have length 1."""
MOST_WIDTH = 440
_CAMERA = {
    "eye": {"x": 1.34, "y": -1.15, "z": 0.98},
    "center": {"x": 0, "y": 0, "z": -0.1},
    "up": {"x": 0, "y": 0, "z": 1},
    "projection": {"type": "perspective"},
}
"""From across two opposite edges: all four corners lie on the outline, their names outside of the dots."""
_ROOM = 0.14
"""Beyond the corners, for their names."""


def places(share: FloatArray) -> FloatArray:
    """Place shares of four labels in the tetrahedron, with shape (n, 3); NaN where none of them has any."""
    total = share.sum(axis=1, keepdims=True)
    return np.divide(share, total, out=np.full(share.shape, np.nan), where=total > 0) @ CORNERS


def tetrahedron_figure(simplex: Simplex, *, tokens: Tokens, chosen: tuple[int, ...] = ()) -> LiveFigure:
    """Draw a tetrahedron with the labels as corners; marks as in `dashboard.charts.cases.simplex`.

    Where some draws are chosen, by their numbers, the others are faint.
    """
    low, high = CORNERS.min(axis=0) - _ROOM, CORNERS.max(axis=0) + _ROOM
    axes = {
        f"{name}axis": {"visible": False, "showspikes": False, "range": rounded(ends)}
        for name, *ends in zip("xyz", low, high, strict=True)
    }
    layout = live_layout(
        tokens,
        uirevision=plain(" ".join(simplex.labels)),
        scene={
            **axes,
            "aspectmode": "data",
            "camera": _CAMERA,
            "annotations": [
                *_names(simplex, tokens),
                *_letters(simplex, tokens),
                _point(simplex, tokens),
                *_said_before(simplex, tokens),
            ],
        },
    )
    traces = [_edges(tokens)]
    if len(simplex.share) > 1:
        traces += [_draws(simplex, tokens, chosen), *_ghost(simplex, tokens), _mean(simplex, tokens)]
    paper = partial(faces_print, simplex, tokens=tokens)
    return LiveFigure(traces, layout, 0.95, 0, MOST_WIDTH, paper, ("turn",))


def _at(place: FloatArray) -> dict[str, Any]:
    """Coordinates of marks, from an array with shape (n, 3)."""
    return {name: rounded(place[:, axis]) for axis, name in enumerate("xyz")}


def _edges(tokens: Tokens) -> dict[str, Any]:
    """All six edges as one line with gaps."""
    gap = np.full(3, np.nan)
    line = [point for a, b in combinations(CORNERS, 2) for point in (a, b, gap)]
    return {
        "type": "scatter3d",
        **_at(np.array(line)),
        "line": {"color": tokens.other, "width": 2.5},
        **SILENT,
    }


def _draws(simplex: Simplex, tokens: Tokens, chosen: tuple[int, ...]) -> dict[str, Any]:
    marks = draw_marks(simplex, tokens)
    kept = set(chosen) or set(range(len(simplex.share)))
    # In depth, what is transparent adds up to glaring colours; a rim parts dots that lie over each other.
    marks["marker"] = marks["marker"] | {
        "color": [
            colour if number in kept else mixed(tokens.page, colour, 0.15)
            for number, colour in enumerate(
                tokens.other if leader == ELSEWHERE else tokens.soft for leader in simplex.leader
            )
        ],
        "line": {"width": 1, "color": tokens.page},
    }
    return {"type": "scatter3d", **_at(places(simplex.share)), **marks}


def _mean(simplex: Simplex, tokens: Tokens) -> dict[str, Any]:
    """Draw the mean of the plausible truths."""
    return {
        "type": "scatter3d",
        "mode": "markers",
        **_at(places(simplex.mean[None, :])),
        "marker": {
            "symbol": "circle",
            "size": 12,
            "color": tokens.soft,
            "opacity": 1,
            "line": {"width": 2, "color": tokens.page},
        },
        "text": [landmark_words(simplex)[0]],
        "hoverinfo": "text",
    }


def _ghost(simplex: Simplex, tokens: Tokens) -> list[dict[str, Any]]:
    """Draw the mean before a change, hollow and pale, with the way from there."""
    if simplex.before is None:
        return []
    was, now = places(np.array([simplex.before.mean, simplex.mean]))
    return [
        {
            "type": "scatter3d",
            **_at(np.array([was, now])),
            "line": {"color": tokens.soft, "width": 2, "dash": "dot"},
            **SILENT,
        },
        {
            "type": "scatter3d",
            "mode": "markers",
            **_at(was[None, :]),
            "marker": {"symbol": "circle-open", "size": 11, "color": tokens.soft, "opacity": 0.75},
            "text": [before_words(simplex)[0]],
            "hoverinfo": "text",
        },
    ]


def _point(simplex: Simplex, tokens: Tokens) -> dict[str, Any]:
    """Write the point estimate as a cross, which no dot before it hides."""
    return _word(places(simplex.point[None, :])[0]) | {
        "text": "<b>✕</b>",
        "hovertext": landmark_words(simplex)[1],
        "font": {"size": 15, "color": tokens.hard},
    }


def _said_before(simplex: Simplex, tokens: Tokens) -> list[dict[str, Any]]:
    """Write "before" above the mark of how it was."""
    if simplex.before is None or len(simplex.share) == 1:
        return []
    words = {"text": "before", "yshift": 14, "bgcolor": pale(tokens.page, 0.75), "font": {"size": SMALL}}
    return [_word(places(simplex.before.mean[None, :])[0]) | words]


def _word(place: FloatArray) -> dict[str, Any]:
    """Where a word stands, and turns with the picture."""
    return dict(zip("xyz", rounded(place), strict=True)) | {"showarrow": False, "borderpad": 0}


def _beyond() -> FloatArray:
    """Places of the letters, outside of the corners."""
    return CORNERS + (CORNERS - CORNERS.mean(axis=0)) * 0.13


def _names(simplex: Simplex, tokens: Tokens) -> list[dict[str, Any]]:
    """Write each label: above the top corner, below the others; dots shine through behind it."""
    return [
        _word(place)
        | {
            "text": f"<b>{plain(wrapped(label, 15, lines=2))}</b>",
            "font": {"size": SMALL},
            "bgcolor": pale(tokens.page, 0.7),
            "yanchor": "bottom" if corner == 3 else "top",
            "yshift": 11 if corner == 3 else -11,
        }
        for corner, (place, label) in enumerate(zip(_beyond(), simplex.labels, strict=True))
    ]


def _letters(simplex: Simplex, tokens: Tokens) -> list[dict[str, Any]]:
    """Write the risk of each label at its corner: a letter in the colour of its level."""
    return [
        _word(place)
        | {
            "text": f"<b>{letter}</b>",
            "hovertext": words,
            "width": 17,
            "height": 17,
            "bgcolor": tokens.risk[letter],
            "font": {"size": SMALL, "color": tokens.on_risk[letter]},
        }
        for place, letter, words in zip(_beyond(), simplex.risk, corner_words(simplex), strict=True)
        if letter
    ]
