"""Geometry of a triangle whose corners are three labels: places, sectors, gridlines and ticks."""

from __future__ import annotations

import numpy as np
import pandas as pd

from core.analysis.formatting import rounded_percent
from core.study.model import FloatArray

CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(3) / 2]])
"""Where each of the three labels has all plausibility; all sides have length 1."""
CENTRE = CORNERS.mean(axis=0)
STEPS = (0.2, 0.4, 0.6, 0.8)
"""Shares at which gridlines are drawn."""
X_RANGE, Y_RANGE = (-0.13, 1.13), (-0.09, 0.975)
"""What is in sight at first: the triangle, its numbers, and the letters beyond its corners."""
BEYOND = 0.055
"""How far outside of its corner the letter of a label's risk stands."""
_APART = 0.03
"""How far outside of its edge the number of a gridline stands."""


def places(share: FloatArray) -> FloatArray:
    """Place shares of three labels in the triangle, with shape (n, 2); NaN where none of them has any.

    What the three have together does not move a place: it is that of their parts of it.
    """
    total = share.sum(axis=1, keepdims=True)
    return np.divide(share, total, out=np.full(share.shape, np.nan), where=total > 0) @ CORNERS


def sectors() -> FloatArray:
    """Corners of the field in which each label has the largest share, with shape (3, 4, 2)."""
    fields = []
    for sector in range(3):
        own, after, before = np.roll(CORNERS, -sector, axis=0)
        fields.append([own, (own + after) / 2, CENTRE, (own + before) / 2])
    return np.array(fields)


def gridlines() -> pd.DataFrame:
    """Give the lines on which a label has a share of `STEPS`: ``line``, and ``x`` and ``y`` of both ends.

    The first end of each lies on the edge along which the label's share grows from that of the next one.
    """
    rows: list[tuple[float, ...]] = []
    for label in range(3):
        own, after, before = np.roll(CORNERS, -label, axis=0)
        for step in STEPS:
            line = len(rows) // 2
            rows += [(line, *(step * own + (1 - step) * other), label, step) for other in (after, before)]
    return pd.DataFrame(rows, columns=["line", "x", "y", "label", "step"])


def ticks() -> pd.DataFrame:
    """Give the number of each gridline, ``words``, and where it stands beside its edge, ``x`` and ``y``."""
    ends = gridlines().drop_duplicates("line")
    outward = np.array([(CORNERS[k] + CORNERS[(k + 1) % 3]) / 2 - CENTRE for k in ends["label"]])
    at = ends[["x", "y"]].to_numpy() + outward * (_APART / np.linalg.norm(outward, axis=1, keepdims=True))
    words = [rounded_percent(step) for step in ends["step"]]
    return pd.DataFrame({"x": at[:, 0], "y": at[:, 1], "words": words, "label": ends["label"].to_numpy()})


def beyond() -> FloatArray:
    """Places `BEYOND` each corner, with shape (3, 2)."""
    outward = CORNERS - CENTRE
    return CORNERS + outward * (BEYOND / np.linalg.norm(outward, axis=1, keepdims=True))
