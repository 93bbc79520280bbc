"""Plausible truths in the triangle of the three leading labels, as it stands on the page.

It is drawn in ordinary coordinates (`dashboard.charts.cases.ternary`): in Plotly's own ternary plot no lasso
and no box chose anything (Plotly 7.1 in Streamlit 1.67, in headless Chromium).
"""

from __future__ import annotations

from functools import lru_cache, partial
from typing import Any

import numpy as np

from core.analysis.cases.simplex import ELSEWHERE, Simplex
from core.study.model import FloatArray
from dashboard.charts.cases import simplex_print as printed
from dashboard.charts.cases import ternary
from dashboard.charts.cases.simplex_words import (
    before_words,
    corner_words,
    draw_words,
    landmark_words,
    leads_words,
)
from dashboard.charts.live import SILENT, SMALL, USUAL, LiveFigure, live_layout, pale, plain, rounded
from dashboard.components.text import wrapped
from dashboard.shell.theme import Tokens

MOST_WIDTH = 440
_ABOVE, _BELOW = 54, 52
"""Pixels for the words above and below the triangle."""
STRENGTH = 0.6
"""Of the colour of a dot: where many lie over each other, it is darker."""
_CHIP = 17
"""Size of a risk letter's square, in pixels."""


def simplex_figure(
    simplex: Simplex, *, tokens: Tokens, chosen: tuple[int, ...] = (), all_marks: bool = True
) -> LiveFigure:
    """Draw a triangle with the labels as corners: the nearer a dot to a corner, the more plausible its label.

    A dot is the smaller, the more plausibility the labels have that are not shown; where one of these leads,
    it is a ring in grey. Where some draws are ``chosen``, by their numbers, the others are faint. Without
    ``all_marks`` the dots are alike, the triangle has no scale and no point estimate, none can be chosen,
    and the mean stands there only beside that of before a change. A point estimate has all of them.
    """
    all_marks = all_marks or len(simplex.share) == 1
    axis = {"visible": False, "fixedrange": False}
    layout = live_layout(
        tokens,
        uirevision=plain(" ".join(simplex.labels)),
        margin={"l": 0, "r": 0, "t": _ABOVE, "b": _BELOW},
        xaxis={**axis, "range": list(ternary.X_RANGE)},
        yaxis={**axis, "range": list(ternary.Y_RANGE), "scaleanchor": "x"},
        shapes=[
            _field(corners, share, tokens)
            for corners, share in zip(ternary.sectors(), simplex.leads, strict=True)
            if all_marks
        ],
        annotations=[*_letters(simplex, tokens), *_names(simplex, tokens), *_said_before(simplex, tokens)],
    )
    traces = [
        *_ground(tokens, all_marks=all_marks),
        _draws(simplex, tokens, all_marks=all_marks),
        *_ghost(simplex, tokens, all_marks=all_marks),
        *_landmarks(simplex, tokens, all_marks=all_marks),
    ]
    ratio = (ternary.Y_RANGE[1] - ternary.Y_RANGE[0]) / (ternary.X_RANGE[1] - ternary.X_RANGE[0])
    choosing = ("lasso", "select") if len(simplex.share) > 1 else ()
    modes = (*choosing, "zoom", "pan") if all_marks else ()
    paper = partial(printed.simplex_print, simplex, tokens=tokens)
    extra = _ABOVE + _BELOW
    return LiveFigure(traces, layout, ratio, extra, MOST_WIDTH, paper, modes, chosen, aside=True)


def draw_marks(simplex: Simplex, tokens: Tokens, *, all_marks: bool = True) -> dict[str, Any]:
    """Look of each plausible truth; the shares, and where they stand, are left to the picture."""
    is_shown = simplex.leader != ELSEWHERE
    soft, grey = pale(tokens.soft, STRENGTH), pale(tokens.other, STRENGTH)
    # One look for all of them is read once and not for each.
    one = bool(is_shown.all())
    return {
        "mode": "markers",
        "marker": {
            "size": rounded(printed.dot_sizes(simplex.share)) if all_marks else printed.FULL_DOT,
            "symbol": "circle" if one else ["circle" if shown else "circle-open" for shown in is_shown],
            # Paint that shines through; dots that do so as a whole take the browser several times as long.
            "color": soft if one else [soft if shown else grey for shown in is_shown],
            "opacity": 1,
            "line": {"width": 0 if one else [0 if shown else 1.2 for shown in is_shown]},
        },
        "text": [plain(words) for words in draw_words(simplex)],
        "hoverinfo": "text",
    }


def _draws(simplex: Simplex, tokens: Tokens, *, all_marks: bool) -> dict[str, Any]:
    at = ternary.places(simplex.share)
    return {
        "type": "scatter",
        "x": rounded(at[:, 0]),
        "y": rounded(at[:, 1]),
        "customdata": list(range(len(at))),
        "selected": {"marker": {"opacity": 1}},
        "unselected": {"marker": {"opacity": 0.12}},
        **draw_marks(simplex, tokens, all_marks=all_marks),
    }


def _ghost(simplex: Simplex, tokens: Tokens, *, all_marks: bool) -> list[dict[str, Any]]:
    """Draw mean and point estimate before the change, hollow or pale, with the way from mean to mean.

    Without ``all_marks`` that of the mean alone.
    """
    if simplex.before is None:
        return []
    at = ternary.places(np.array([simplex.mean, simplex.before.mean, simplex.before.point]))
    is_point = len(simplex.share) == 1
    now = ternary.places(simplex.point[None, :])[0] if is_point else at[0]
    from_, words = at[2] if is_point else at[1], before_words(simplex)
    way = {
        "type": "scatter",
        **_xy(np.array([from_, now])),
        "line": {"color": pale(tokens.soft, 0.6), "width": 1.4, "dash": "dot"},
        **SILENT,
    }
    # Dots shine through a ring: it is filled, so that it is seen among them.
    mean = {
        "symbol": "circle",
        "size": 12,
        "color": tokens.page,
        "line": {"width": 2.5, "color": tokens.soft},
    }
    point = {"symbol": "x-thin", "size": 8, "line": {"width": 2, "color": pale(tokens.hard, 0.45)}}
    marks = [
        {
            "type": "scatter",
            "mode": "markers",
            **_xy(place[None, :]),
            "marker": mark,
            "text": [plain(words_of)],
            "hoverinfo": "text",
            "unselected": {"marker": {"opacity": 1}},
        }
        for place, mark, words_of in ((at[1], mean, words[0]), (at[2], point, words[1]))
    ]
    return [way, *(marks[is_point:] if all_marks else marks[:1])]


def _said_before(simplex: Simplex, tokens: Tokens) -> list[dict[str, Any]]:
    """Write "before" and "after" at their marks, away from each other; dots shine through behind them."""
    if simplex.before is None:
        return []
    is_point = len(simplex.share) == 1
    stands = [
        simplex.before.point if is_point else simplex.before.mean,
        simplex.point if is_point else simplex.mean,
    ]
    places = ternary.places(np.array(stands)).round(4).tolist()
    shifts = (-16, 15) if places[0][1] < places[1][1] else (15, -16)
    return [
        {
            "x": x,
            "y": y,
            "yshift": shift,
            "text": words,
            "showarrow": False,
            "borderpad": 0,
            "bgcolor": pale(tokens.page, 0.75),
            "font": {"size": SMALL, "color": tokens.text},
        }
        for (x, y), shift, words in zip(places, shifts, ("before", "after"), strict=True)
    ]


def _xy(at: FloatArray) -> dict[str, list[float | None]]:
    """Coordinates of marks, from an array with shape (n, 2)."""
    return {"x": rounded(at[:, 0]), "y": rounded(at[:, 1])}


def _landmarks(simplex: Simplex, tokens: Tokens, *, all_marks: bool) -> list[dict[str, Any]]:
    """Draw the mean as the dot and the point estimate as the cross that they are elsewhere.

    Beside that of before a change the mean is a square on its corner, of another colour. Without
    ``all_marks`` it stands there alone, where there was another.
    """
    wanted = slice(len(simplex.share) == 1, None) if all_marks else slice(int(simplex.before is not None))
    at = ternary.places(np.array([simplex.mean, simplex.point]))
    edge = {"width": 2, "color": tokens.page}
    is_after = simplex.before is not None
    mean = {"symbol": "diamond", "size": 15, "color": tokens.text} if is_after else _mean(tokens)
    marks = (
        {**mean, "line": edge},
        {"symbol": "x-thin", "size": 8, "line": {"width": 2.6, "color": tokens.hard}},
    )
    shown = list(zip(rounded(at[:, 0]), rounded(at[:, 1]), marks, landmark_words(simplex), strict=True))
    return [
        {
            "type": "scatter",
            "mode": "markers",
            "x": [x],
            "y": [y],
            "marker": mark,
            "text": [plain(words)],
            "hoverinfo": "text",
            # They cannot be chosen, and do not fade where others are.
            "unselected": {"marker": {"opacity": 1}},
        }
        for x, y, mark, words in shown[wanted]
    ]


def _mean(tokens: Tokens) -> dict[str, Any]:
    """The mean where it was never another."""
    return {"symbol": "circle", "size": 14, "color": tokens.soft}


def _letters(simplex: Simplex, tokens: Tokens) -> list[dict[str, Any]]:
    """Draw the risk of each label outside of its corner: a letter in the colour of its level."""
    shown = zip(ternary.beyond().round(4).tolist(), simplex.risk, corner_words(simplex), strict=True)
    return [
        {
            "x": x,
            "y": y,
            "text": f"<b>{letter}</b>",
            "hovertext": plain(words),
            "showarrow": False,
            "width": _CHIP,
            "height": _CHIP,
            "borderpad": 0,
            "bgcolor": tokens.risk[letter],
            "font": {"size": SMALL, "color": tokens.on_risk[letter]},
        }
        for (x, y), letter, words in shown
        if letter
    ]


@lru_cache(maxsize=4)
def _ground(tokens: Tokens, *, all_marks: bool) -> tuple[dict[str, Any], ...]:
    """What is the same in all triangles: gridlines, outline and numbers; or the outline alone."""
    return (_grid(tokens), _outline(tokens), _numbers(tokens)) if all_marks else (_outline(tokens),)


def _grid(tokens: Tokens) -> dict[str, Any]:
    """All gridlines as one line with gaps."""
    ends = ternary.gridlines()
    x, y = ([*np.insert(ends[axis].to_numpy(), range(2, len(ends) + 1, 2), np.nan)] for axis in "xy")
    return {
        "type": "scatter",
        "x": rounded(x),
        "y": rounded(y),
        "line": {"color": tokens.rule, "width": 1},
        **SILENT,
    }


def _outline(tokens: Tokens) -> dict[str, Any]:
    """The triangle, and the lines on which two labels lead together."""
    meet = [point for corners in ternary.sectors() for point in (corners[1], corners[2])]
    gap = np.full(2, np.nan)
    line = [*ternary.CORNERS, ternary.CORNERS[0], gap]
    for edge, centre in zip(meet[::2], meet[1::2], strict=True):
        line += [edge, centre, gap]
    x, y = np.array(line).T
    return {
        "type": "scatter",
        "x": rounded(x),
        "y": rounded(y),
        "line": {"color": tokens.other, "width": 1.2},
        **SILENT,
    }


def _field(corners: FloatArray, share: float, tokens: Tokens) -> dict[str, Any]:
    """Tint the field of a label by how often it leads."""
    path = "L".join(f"{x:.4f},{y:.4f}" for x, y in corners)
    colour = pale(tokens.soft, printed.LEAST_TINT + (printed.FULL_TINT - printed.LEAST_TINT) * float(share))
    return {"type": "path", "path": f"M{path}Z", "fillcolor": colour, "line": {"width": 0}, "layer": "below"}


def _numbers(tokens: Tokens) -> dict[str, Any]:
    """Write the shares outside of the edges."""
    ticks = ternary.ticks()
    sides = ("bottom center", "middle right", "middle left")
    return {
        "type": "scatter",
        "x": rounded(ticks["x"]),
        "y": rounded(ticks["y"]),
        "mode": "text",
        "text": ticks["words"].tolist(),
        "textposition": [sides[label] for label in ticks["label"]],
        "textfont": {"size": SMALL, "color": tokens.muted},
        "cliponaxis": False,
        "unselected": {"textfont": {"color": tokens.muted}},
        "hoverinfo": "skip",
    }


def _names(simplex: Simplex, tokens: Tokens) -> list[dict[str, Any]]:
    """Write each label and how often it leads at its corner: above the top one, in the corners below."""
    quiet = f"<span style='color:{tokens.muted}'>"
    sides = (("left", 0), ("right", 1), ("center", 0.5))
    return [
        {
            "x": x,
            "y": 1 if side == "center" else 0,
            "xref": "paper",
            "yref": "paper",
            "xanchor": side,
            "yanchor": "bottom" if side == "center" else "top",
            "align": side,
            "text": f"<b>{plain(wrapped(label, 20, lines=2))}</b><br>{quiet}{leads}</span>",
            "showarrow": False,
            "borderpad": 0,
            "font": {"size": USUAL},
        }
        for (side, x), label, leads in zip(sides, simplex.labels, leads_words(simplex), strict=True)
    ]
