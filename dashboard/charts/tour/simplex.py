"""The toy problem's plausible truths in a triangle, with the true one and what is usually kept."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.analysis.formatting import percent
from dashboard.charts.figure import Figure, Spec, layout, named
from dashboard.shell.theme import Tokens

SIDE = 286
"""Of the triangle, in pixels."""
MARGINS = (62, 50, 46)
"""Beside, over and under the triangle: room for the names of its corners."""
_KEY_WIDTH = 214
_HEIGHT = np.sqrt(3) / 2
_CORNERS = np.array([[0.0, 0.0], [0.5, _HEIGHT], [1.0, 0.0]])
"""First label left, second on top, third right: neighbours in the problem are neighbours here."""
_KEY = (
    ("draw", "one plausible truth"),
    ("majority", "the single label usually kept:\nall weight in one corner"),
    ("point", "the raters’ votes as shares"),
    ("truth", "the true shares, known only\nbecause this is a toy"),
)


def simplex_chart(
    draws: pd.DataFrame, leads: pd.DataFrame, landmarks: pd.DataFrame, *, tokens: Tokens
) -> Figure:
    """Draw the triangle at one reliability, with a key beside it; the frames are those of `triangle_data`."""
    return Figure(_layout(tokens), {**triangle_data(draws, leads, landmarks), "key": _key_data()})


@lru_cache(maxsize=4)
def _layout(tokens: Tokens) -> Spec:
    chart = triangle(tokens, side=SIDE, beside=_KEY_WIDTH)
    x, y = _axes(SIDE, _KEY_WIDTH)
    key = named("key")
    words = key.mark_text(
        align="left", baseline="middle", dx=17, fontSize=13, lineBreak="\n", lineHeight=17, color=tokens.text
    )
    dot = key.transform_filter("datum.kind == 'draw'").mark_point(
        shape="circle", filled=True, size=34, opacity=0.8, color=tokens.soft
    )
    return layout(
        alt.layer(
            *chart.layer,
            dot.encode(x=x, y=y),
            *_landmark_layers("key", x, y, tokens),
            words.encode(x=x, y=y, text="words:N"),
        ).properties(
            width=chart.width, height=chart.height, autosize=alt.AutoSizeParams(type="none"), padding=0
        ),
        tokens,
    )


def triangle_data(
    draws: pd.DataFrame, leads: pd.DataFrame, landmarks: pd.DataFrame
) -> dict[str, pd.DataFrame]:
    """Return the frames of `triangle`.

    ``draws`` and ``leads`` have ``step``, then one column for each of three labels: shares that sum to 1, and
    the probability that it leads; ``landmarks`` one column a label, and ``kind``: "truth", "point" or
    "majority".
    """
    labels = list(leads.columns[1:])
    return {
        "outline": pd.DataFrame(_CORNERS, columns=["x", "y"]).assign(order=range(3)),
        "sectors": _sectors(leads, labels),
        "draws": _place(draws, labels),
        "landmarks": _place(landmarks, labels),
        "corners": _corner_words(leads, labels),
    }


def triangle(
    tokens: Tokens, *, side: int, beside: int = 0, only: str | None = None
) -> alt.LayerChart | alt.FacetChart:
    """Lay out a triangle with sides in pixels: the nearer a dot to a corner, the larger that label's share.

    ``beside`` are pixels left free on the right; ``only``, in Vega's words, says which draws, sectors and
    names are shown.
    """
    x, y = _axes(side, beside)

    def chosen(name: str) -> alt.Chart:
        return named(name) if only is None else named(name, where=only)

    sectors = chosen("sectors").mark_line(
        interpolate="linear-closed", fill=tokens.soft, strokeWidth=1, stroke=tokens.rule, aria=False
    )
    tint = alt.Scale(domain=[0, 1], range=[0.012, 0.25])
    outline = named("outline").mark_line(interpolate="linear-closed", color=tokens.muted, strokeWidth=1.3)
    draws = chosen("draws").mark_point(
        shape="circle", filled=True, size=22, opacity=0.55, color=tokens.soft, aria=False
    )
    chart = alt.layer(
        sectors.encode(
            x=x,
            y=y,
            detail="label:N",
            order="order:Q",
            fillOpacity=alt.FillOpacity("share:Q", legend=None, scale=tint),
        ),
        outline.encode(x=x, y=y, order="order:Q"),
        draws.encode(x=x, y=y),
        *_landmark_layers("landmarks", x, y, tokens),
        *_corner_layers(chosen("corners"), x, y, tokens),
    )
    width, height = _size(side, beside)
    return chart.properties(width=width, height=height)


def _size(side: int, beside: int) -> tuple[int, int]:
    """Width and height in pixels."""
    across, over, under = MARGINS
    return side + 2 * across + beside, round(side * _HEIGHT) + over + under


def _axes(side: int, beside: int) -> tuple[alt.X, alt.Y]:
    """Axes on which one unit is the side of the triangle both ways."""
    (width, height), (across, _, under) = _size(side, beside), MARGINS
    x = [-across / side, (width - across) / side]
    y = [-under / side, (height - under) / side]
    return (
        alt.X("x:Q", axis=None, scale=alt.Scale(domain=x, nice=False, zero=False)),
        alt.Y("y:Q", axis=None, scale=alt.Scale(domain=y, nice=False, zero=False)),
    )


def _landmark_layers(name: str, x: alt.X, y: alt.Y, tokens: Tokens) -> list[alt.Chart]:
    """Ring for the truth; upright cross for the votes as shares, slanted cross for the majority label."""

    def of(kind: str) -> alt.Chart:
        return named(name, where=f"datum.kind == '{kind}'", x=x, y=y)

    ring: dict[str, Any] = {"shape": "circle", "size": 210, "filled": False, "opacity": 1}
    cross: dict[str, Any] = {
        "shape": "cross",
        "size": 150,
        "filled": True,
        "opacity": 1,
        "color": tokens.hard,
    }
    edge: dict[str, Any] = {"stroke": tokens.page, "strokeWidth": 1.2}
    return [
        of("truth").mark_point(**ring, stroke=tokens.page, strokeWidth=5),
        of("truth").mark_point(**ring, stroke=tokens.text, strokeWidth=2.2),
        of("point").mark_point(**cross, **edge),
        of("majority").mark_point(**cross, **edge, angle=45),
    ]


def _corner_layers(corners: alt.Chart, x: alt.X, y: alt.Y, tokens: Tokens) -> list[alt.Chart]:
    """Each label at its corner, and in how many plausible truths it leads."""
    layers = []
    for top, dy in ((True, -34), (False, 22)):
        base = corners.transform_filter(f"datum.top == {str(top).lower()}").encode(x=x, y=y)
        layers += [
            base.mark_text(dy=dy, fontSize=16, fontWeight=600, color=tokens.text).encode(text="label:N"),
            base.mark_text(dy=dy + 17, fontSize=12.5, color=tokens.muted).encode(text="words:N"),
        ]
    return layers


def _place(shares: pd.DataFrame, labels: list[str]) -> pd.DataFrame:
    """Replace shares by their place in the triangle."""
    at = (shares[labels].to_numpy(float) @ _CORNERS).round(4)
    return shares.drop(columns=labels).assign(x=at[:, 0], y=at[:, 1])


def _sectors(leads: pd.DataFrame, labels: list[str]) -> pd.DataFrame:
    """Where a label has the largest share: its corner, a middle of a side, the centre, the other middle."""
    centre, n = _CORNERS.mean(axis=0), len(leads)
    frames = []
    for k, label in enumerate(labels):
        own, after, before = np.roll(_CORNERS, -k, axis=0)
        path = np.array([own, (own + after) / 2, centre, (own + before) / 2])
        frame = pd.DataFrame(np.tile(path, (n, 1)), columns=["x", "y"])
        share = leads[label].to_numpy().round(4)
        frames.append(
            frame.assign(
                step=np.repeat(leads["step"].to_numpy(), 4),
                label=label,
                share=np.repeat(share, 4),
                order=np.tile(range(4), n),
            )
        )
    return pd.concat(frames, ignore_index=True)


def _corner_words(leads: pd.DataFrame, labels: list[str]) -> pd.DataFrame:
    """Name of each corner and how often its label leads."""
    return pd.concat(
        [
            pd.DataFrame(
                {
                    "step": leads["step"],
                    "label": label,
                    "words": [f"leads in {percent(share)}" for share in leads[label]],
                    "top": k == 1,
                    "x": _CORNERS[k, 0],
                    "y": _CORNERS[k, 1],
                }
            )
            for k, label in enumerate(labels)
        ],
        ignore_index=True,
    )


def _key_data() -> pd.DataFrame:
    """What the marks mean, from the top down on the right of the triangle."""
    key = pd.DataFrame(_KEY, columns=["kind", "words"])
    lines = key["words"].str.count("\n") + 1
    above = (lines * 17 + 17).cumsum().shift(fill_value=0)
    return key.assign(x=(SIDE + MARGINS[0] - 8) / SIDE, y=_HEIGHT - (above + 4) / SIDE)
