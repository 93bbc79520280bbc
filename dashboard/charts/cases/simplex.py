"""Plausible truths in the triangle of the three leading labels, as it stands on the page.

It is drawn in ordinary coordinates (`dashboard.charts.cases.ternary`): in Plotly's own ternary plot no lasso
and no box chose anything (Plotly 7.1 in Streamlit 1.67, in headless Chromium).
"""

from __future__ import annotations

from functools import lru_cache, partial
from typing import Any

import numpy as np

from core.analysis.cases.simplex import ELSEWHERE, OTHER_LABELS, RISK_WORDS, Simplex, others
from core.analysis.formatting import in_sentence, percent
from core.study.model import FloatArray
from dashboard.charts.cases import simplex_print as printed
from dashboard.charts.cases import ternary
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


def simplex_figure(simplex: Simplex, *, tokens: Tokens) -> LiveFigure:
    """Draw a triangle with the labels as corners: the nearer a dot to a corner, the more plausible its label.

    A dot is the smaller, the more plausibility the labels have that are not shown; where one of these leads,
    it is a ring in grey.
    """
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
        ],
        annotations=[*_letters(simplex, tokens), *_names(simplex, tokens)],
    )
    traces = [*_ground(tokens), _draws(simplex, tokens), *_landmarks(simplex, tokens)]
    ratio = (ternary.Y_RANGE[1] - ternary.Y_RANGE[0]) / (ternary.X_RANGE[1] - ternary.X_RANGE[0])
    modes = ("lasso", "select", "zoom", "pan") if len(simplex.share) > 1 else ("zoom", "pan")
    paper = partial(printed.simplex_print, simplex, tokens=tokens)
    return LiveFigure(traces, layout, ratio, _ABOVE + _BELOW, MOST_WIDTH, paper, modes)


def said(labels: tuple[str, ...], share: FloatArray) -> list[str]:
    """Say of each row of shares, with shape (n, n_labels), what is plausible how much: a label a line."""
    rest, names = others(share), [in_sentence(wrapped(label, 26, lines=2)) for label in labels]
    lines = []
    for row, other in zip(share, rest, strict=True):
        words = [f"{name} {percent(value)}" for name, value in zip(names, row, strict=True)]
        if other > 1e-9:
            words.append(f"{OTHER_LABELS} {percent(other)}")
        lines.append(plain(",\n".join(words)))
    return lines


def draw_words(simplex: Simplex) -> list[str]:
    """What each plausible truth says when it is pointed at."""
    return [
        words + ("<br>Here one of the other labels leads." if leader == ELSEWHERE else "")
        for words, leader in zip(said(simplex.labels, simplex.share), simplex.leader, strict=True)
    ]


def draw_marks(simplex: Simplex, tokens: Tokens) -> dict[str, Any]:
    """Look of each plausible truth; the shares, and where they stand, are left to the picture."""
    is_shown = simplex.leader != ELSEWHERE
    colours = {True: pale(tokens.soft, STRENGTH), False: pale(tokens.other, STRENGTH)}
    return {
        "mode": "markers",
        "marker": {
            "size": rounded(printed.dot_sizes(simplex.share)),
            "symbol": ["circle" if shown else "circle-open" for shown in is_shown],
            # Paint that shines through; dots that do so as a whole take the browser several times as long.
            "color": [colours[shown] for shown in is_shown.tolist()],
            "opacity": 1,
            "line": {"width": 0 if is_shown.all() else [0 if shown else 1.2 for shown in is_shown]},
        },
        "text": draw_words(simplex),
        "hoverinfo": "text",
    }


def landmark_words(simplex: Simplex) -> tuple[str, str]:
    """What the mean of the plausible truths and the point estimate say."""
    mean, point = said(simplex.labels, np.array([simplex.mean, simplex.point]))
    return f"Mean of the plausible truths:<br>{mean}", f"Point estimate:<br>{point}"


def corner_words(simplex: Simplex) -> list[str]:
    """What each label's corner says when it is pointed at."""
    return [
        plain(f"{label}{', ' + RISK_WORDS[letter] if letter else ''}:\nleads in {percent(share)}\n")
        + "of plausible truths"
        for label, letter, share in zip(simplex.labels, simplex.risk, simplex.leads, strict=True)
    ]


def _draws(simplex: Simplex, tokens: Tokens) -> dict[str, Any]:
    at = ternary.places(simplex.share)
    return {
        "type": "scatter",
        "x": rounded(at[:, 0]),
        "y": rounded(at[:, 1]),
        "customdata": list(range(len(at))),
        "selected": {"marker": {"opacity": 1}},
        "unselected": {"marker": {"opacity": 0.12}},
        **draw_marks(simplex, tokens),
    }


def _landmarks(simplex: Simplex, tokens: Tokens) -> list[dict[str, Any]]:
    """Draw the mean as the dot and the point estimate as the cross that they are elsewhere."""
    at = ternary.places(np.array([simplex.mean, simplex.point]))
    marks = (
        {"symbol": "circle", "size": 14, "color": tokens.soft, "line": {"width": 2, "color": tokens.page}},
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
            "text": [words],
            "hoverinfo": "text",
            # They cannot be chosen, and do not fade where others are.
            "unselected": {"marker": {"opacity": 1}},
        }
        for x, y, mark, words in shown[len(simplex.share) == 1 :]
    ]


def _letters(simplex: Simplex, tokens: Tokens) -> list[dict[str, Any]]:
    """Draw the risk of each label outside of its corner: a letter in the colour of its level."""
    shown = zip(ternary.beyond().round(4).tolist(), simplex.risk, corner_words(simplex), strict=True)
    return [
        {
            "x": x,
            "y": y,
            "text": f"<b>{letter}</b>",
            "hovertext": words,
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


@lru_cache(maxsize=2)
def _ground(tokens: Tokens) -> tuple[dict[str, Any], ...]:
    """What is the same in all triangles: gridlines, outline and numbers."""
    return _grid(tokens), _outline(tokens), _numbers(tokens)


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
            "text": f"<b>{plain(wrapped(label, 20, lines=2))}</b><br>{quiet}leads in {percent(share)}</span>",
            "showarrow": False,
            "borderpad": 0,
            "font": {"size": USUAL},
        }
        for (side, x), label, share in zip(sides, simplex.labels, simplex.leads, strict=True)
    ]
