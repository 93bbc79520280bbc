"""Plausible truths in the tetrahedron of the four leading labels, turned to be seen from all sides."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from core.analysis.cases.simplex import ELSEWHERE, Simplex
from core.study.model import FloatArray
from dashboard.charts.cases.simplex_print import FULL_TINT, LEAST_TINT, dot_sizes, faces_print
from dashboard.charts.cases.simplex_words import (
    before_words,
    corner_words,
    draw_words,
    landmark_words,
    leads_words,
)
from dashboard.charts.solid import SolidFigure
from dashboard.components.text import wrapped
from dashboard.shell.theme import Tokens

CORNERS = np.array(
    [
        [np.sqrt(6) / 3, -np.sqrt(2) / 3, -1 / 3],
        [-np.sqrt(6) / 3, -np.sqrt(2) / 3, -1 / 3],
        [0.0, 2 * np.sqrt(2) / 3, -1 / 3],
        [0.0, 0.0, 1.0],
    ]
)
"""Where each of the four labels has all plausibility: 1 from the middle, all equally far from one another."""
MOST_WIDTH = 440
VIEW = (0.18, 0.46)
"""From a little above, beside the nearest corner: all four lie on the outline, their names off the dots."""


def places(share: FloatArray) -> FloatArray:
    """Place shares of four labels in the tetrahedron, with shape (n, 3); NaN where none of them has any."""
    total = share.sum(axis=1, keepdims=True)
    return np.divide(share, total, out=np.full(share.shape, np.nan), where=total > 0) @ CORNERS


def tetrahedron_figure(simplex: Simplex, *, tokens: Tokens, chosen: tuple[int, ...] = ()) -> SolidFigure:
    """Draw a tetrahedron with the labels as corners; marks as in `dashboard.charts.cases.simplex`.

    Where some draws are chosen, by their numbers, the others are faint.
    """
    colours = ("page", "text", "muted", "soft", "hard", "other")
    return SolidFigure(
        corners=_corners(simplex, tokens),
        dots=_dots(simplex, chosen) if len(simplex.share) > 1 else [],
        marks=_marks(simplex),
        colours={name: getattr(tokens, name) for name in colours},
        view=VIEW,
        most=MOST_WIDTH,
        draw_printed=partial(faces_print, simplex, tokens=tokens),
    )


def _corners(simplex: Simplex, tokens: Tokens) -> list[dict[str, Any]]:
    """The labels: name, risk, and how often each leads, by which its part of the faces is tinted."""
    said = zip(simplex.labels, simplex.risk, simplex.leads.tolist(), leads_words(simplex), strict=True)
    return [
        {
            "at": at,
            "lines": wrapped(label, 15, lines=2).split("\n"),
            "risk": [letter, tokens.risk[letter], tokens.on_risk[letter]] if letter else None,
            "tint": round(LEAST_TINT + (FULL_TINT - LEAST_TINT) * share, 3),
            "leads": leads,
            "says": words,
        }
        for at, (label, letter, share, leads), words in zip(
            CORNERS.round(4).tolist(), said, corner_words(simplex), strict=True
        )
    ]


def _dots(simplex: Simplex, chosen: tuple[int, ...]) -> list[dict[str, Any]]:
    """Plausible truths, but for those in which no label that is shown has a share: they have no place."""
    at, across = places(simplex.share), dot_sizes(simplex.share)
    lit = set(chosen) or set(range(len(at)))
    return [
        {
            "at": at[number].round(4).tolist(),
            "across": round(float(across[number]), 2),
            "ring": leader == ELSEWHERE,
            "corner": leader,
            "lit": number in lit,
            "says": words,
        }
        for number, (leader, words) in enumerate(
            zip(simplex.leader.tolist(), draw_words(simplex), strict=True)
        )
        if np.isfinite(at[number]).all()
    ]


def _marks(simplex: Simplex) -> list[dict[str, Any]]:
    """Mean and point estimate, now and before a change; the last is drawn above all."""
    is_point, (mean, point) = len(simplex.share) == 1, landmark_words(simplex)
    marks = [("point", simplex.point, point)] if is_point else []
    if not is_point:
        marks = [("mean", simplex.mean, mean), ("point", simplex.point, point)]
    found = [
        {"kind": kind, "at": _place(share), "says": words} for kind, share, words in marks if share.sum() > 0
    ]
    was = simplex.before
    if was is None or is_point or was.mean.sum() == 0 or simplex.mean.sum() == 0:
        return found
    says = before_words(simplex)[0]
    return [{"kind": "before", "at": _place(was.mean), "to": _place(simplex.mean), "says": says}, *found]


def _place(share: FloatArray) -> list[float]:
    """Place of one mark."""
    at: list[float] = places(share[None, :])[0].round(4).tolist()
    return at
