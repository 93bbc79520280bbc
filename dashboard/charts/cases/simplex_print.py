"""The simplex of the leading labels as it is saved: triangles that say what the live picture says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Literal

import altair as alt
import numpy as np
import pandas as pd

from core.analysis.cases.simplex import ELSEWHERE, Simplex
from core.study.model import FloatArray
from dashboard.charts.cases import ternary
from dashboard.charts.cases.simplex_words import leads_words
from dashboard.charts.figure import CROSS, DOT, Figure, Spec, layout, mapped, named, span
from dashboard.components.text import wrapped
from dashboard.shell.theme import Tokens, risk_scale

WIDTH = 360
X_RANGE, Y_RANGE = (-0.27, 1.27), (-0.25, 1.2)
"""Room for the triangle and the names of its corners."""
HEIGHT = round(WIDTH * (Y_RANGE[1] - Y_RANGE[0]) / (X_RANGE[1] - X_RANGE[0]))
"""Of a triangle with its words, in pixels; so its sides are equally long."""
SMALL_SIDE = 136
"""Width of a small triangle."""
FACES = ((0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3))
"""Corners of a tetrahedron that each of its faces has."""
AFTER = "mean after"
"""Kind of the mean where it stands beside that of before a change."""
DIAMOND: dict[str, Any] = {"shape": "diamond", "filled": True, "opacity": 1}
LEAST_DOT, FULL_DOT = 3.0, 8.0
"""Across, in pixels: where the labels shown have no plausibility, and where they have all of it."""
LEAST_TINT, FULL_TINT = 0.015, 0.3
_LINE = 15
_BESIDE: tuple[dict[str, Any], ...] = (
    {"align": "center", "baseline": "top"},
    {"align": "left", "baseline": "middle"},
    {"align": "right", "baseline": "middle"},
)
"""How a number stands below the lower edge, right of the right one, and left of the left one."""
_LEADS = ("one of these", "another label")
"""Who leads in a draw."""
_KEY: dict[str, Callable[[Tokens], dict[str, Any]]] = {
    "plausible truth": lambda tokens: DOT | {"size": 40, "color": tokens.soft, "opacity": 0.55},
    "another label leads": lambda tokens: {"size": 30, "color": tokens.other, "strokeWidth": 1.2},
    "mean": lambda tokens: DOT | {"size": 110, "color": tokens.soft},
    "mean after the change": lambda tokens: DIAMOND | {"size": 110, "color": tokens.text},
    "point estimate": lambda tokens: CROSS | {"size": 60, "color": tokens.hard},
    "before the change": lambda tokens: {"size": 90, "color": tokens.soft, "strokeWidth": 1.8},
}
"""Marks by their words, as the key beside the upper corner shows them."""
_X, _Y = alt.X("x:Q", axis=None, scale=span(*X_RANGE)), alt.Y("y:Q", axis=None, scale=span(*Y_RANGE))


def dot_sizes(share: FloatArray) -> FloatArray:
    """Diameter of each dot in pixels, by what the labels that are shown have together."""
    return LEAST_DOT + (FULL_DOT - LEAST_DOT) * np.clip(share.sum(axis=1), 0, 1)


def simplex_print(simplex: Simplex, *, tokens: Tokens) -> Figure:
    """Draw the triangle of three labels."""
    return Figure(
        _layout(1, any(simplex.risk), tokens, key=_key_words(simplex)), _face(simplex, (0, 1, 2), 0)
    )


def faces_print(simplex: Simplex, *, tokens: Tokens, small: bool = False) -> Figure:
    """Draw the four faces of the tetrahedron of four labels, each as the triangle of three of them.

    ``small`` ones have their place beside other pictures, and no numbers.

    Seen on a face, a draw stands where the parts of its three labels put it, whatever the fourth has; where
    that one leads it is a ring, as where a label leads that no corner has.
    """
    frames = [_face(simplex, shown, number, small=small) for number, shown in enumerate(FACES)]
    data = {name: frame for face in frames for name, frame in face.items()}
    key = () if small else _key_words(simplex)
    narrow = None if small else faces_print(simplex, tokens=tokens, small=True)
    return Figure(_layout(len(FACES), any(simplex.risk), tokens, small, key), data, narrow)


def _key_words(simplex: Simplex) -> tuple[str, ...]:
    """Marks that the picture has, of `_KEY`."""
    is_point, is_solid = len(simplex.share) == 1, len(simplex.labels) > 3
    drawn = {
        "plausible truth": not is_point,
        "another label leads": not is_point and (is_solid or bool((simplex.leader == ELSEWHERE).any())),
        "mean": not is_point and not _is_apart(simplex),
        "mean after the change": not is_point and _is_apart(simplex),
        "point estimate": True,
        "before the change": simplex.before is not None,
    }
    return tuple(words for words in _KEY if drawn[words])


def _is_apart(simplex: Simplex) -> bool:
    """Whether the mean is told apart by its shape from that of before a change: so it is in a triangle."""
    return simplex.before is not None and len(simplex.labels) == len(ternary.CORNERS)


def _face(
    simplex: Simplex, shown: Sequence[int], number: int, *, small: bool = False
) -> dict[str, pd.DataFrame]:
    """Frames of the triangle of three of the labels, by names that end in a number."""
    labels = list(shown)
    share = simplex.share[:, labels]
    at = ternary.places(share)
    marks = pd.DataFrame(
        {
            "x": at[:, 0],
            "y": at[:, 1],
            "area": np.pi / 4 * (dot_sizes(share) * (0.6 if small else 1)) ** 2,
            "leads": np.where(np.isin(simplex.leader, labels), *_LEADS),
        }
    )
    landmarks = {AFTER if _is_apart(simplex) else "mean": simplex.mean, "point": simplex.point}
    if simplex.before is not None:
        landmarks |= {"mean before": simplex.before.mean, "point before": simplex.before.point}
    stand = ternary.places(np.array(list(landmarks.values()))[:, labels])
    beyond = ternary.beyond()
    fields = pd.DataFrame(ternary.sectors().reshape(-1, 2), columns=["x", "y"])
    fields = fields.assign(
        sector=np.repeat(range(3), 4), order=list(range(4)) * 3, share=np.repeat(simplex.leads[labels], 4)
    )
    leads = leads_words(simplex)
    names = [
        wrapped(simplex.labels[k], 12) if small else wrapped(simplex.labels[k], 17) + f"\n{leads[k]}"
        for k in shown
    ]
    outline = pd.DataFrame(ternary.CORNERS[[0, 1, 2, 0]], columns=["x", "y"]).assign(order=range(4))
    frames = {
        "fields": fields,
        "lines": ternary.gridlines()[["line", "x", "y"]],
        "outline": outline,
        "numbers": ternary.ticks().head(0 if small else 12),
        "draws": marks.dropna(subset=["x"]),
        "landmarks": pd.DataFrame(stand, columns=["x", "y"]).assign(kind=list(landmarks)),
        "letters": pd.DataFrame(beyond, columns=["x", "y"]).assign(risk=[simplex.risk[k] for k in shown]),
        "names": pd.DataFrame(
            {
                # In a small place a name begins, or ends, where the place does.
                "x": [*X_RANGE, beyond[2, 0]] if small else beyond[:, 0],
                "y": beyond[:, 1],
                "words": names,
                "above": [0, 0, names[2].count("\n") + 1],
                "side": ["left", "right", "center"] if small else ["center"] * 3,
            }
        ),
    }
    return {f"{name}_{number}": frame for name, frame in frames.items()}


@lru_cache(maxsize=8)
def _layout(
    n_faces: int, has_risk: bool, tokens: Tokens, small: bool = False, key: tuple[str, ...] = ()
) -> Spec:
    """One triangle, or those of four faces, two beside each other; the first has the key."""
    faces = [_triangle(number, has_risk, tokens, small, () if number else key) for number in range(n_faces)]
    if n_faces == 1:
        chart = faces[0].properties(autosize=alt.AutoSizeParams(type="none"), padding=0)
        return layout(chart, tokens, many_marks=True)
    # What is fitted into its place is a single picture; several keep their size.
    several = alt.concat(*faces, columns=2, spacing=16, autosize=alt.AutoSizeParams(type="pad"))
    return layout(several, tokens, many_marks=True)


def _triangle(
    number: int, has_risk: bool, tokens: Tokens, small: bool, key: tuple[str, ...]
) -> alt.LayerChart:
    """One triangle with all that lies in it and stands beside it."""
    layers = [
        *_ground(number, tokens),
        *_truths(number, tokens, small),
        *_names(number, has_risk, small),
        *(_risks(number, tokens, small) if has_risk else []),
        *_key(number, key, tokens),
    ]
    chart = alt.layer(*layers).resolve_scale(color="independent", fill="independent", stroke="independent")
    part = SMALL_SIDE / WIDTH if small else 1
    return chart.properties(width=round(WIDTH * part), height=round(HEIGHT * part))


def _over(name: str, number: int, **more: Any) -> alt.Chart:
    return named(f"{name}_{number}", x=_X, y=_Y, **more)


def _ground(number: int, tokens: Tokens) -> list[alt.Chart]:
    """Sectors, grid, outline and the numbers along it."""
    tint = alt.Scale(domain=[0, 1], range=[LEAST_TINT, FULL_TINT])
    fields = _over(
        "fields",
        number,
        order="order:Q",
        detail="sector:N",
        fillOpacity=alt.FillOpacity("share:Q", legend=None, scale=tint),
    ).mark_line(interpolate="linear-closed", fill=tokens.soft, stroke=tokens.other, strokeWidth=0.8)
    grid = _over("lines", number, detail="line:N").mark_line(color=tokens.rule, strokeWidth=1)
    outline = _over("outline", number, order="order:Q").mark_line(color=tokens.other, strokeWidth=1.2)
    numbers = [
        _over("numbers", number, where=f"datum.label == {side}", text="words:N").mark_text(
            fontSize=11, color=tokens.muted, **beside
        )
        for side, beside in enumerate(_BESIDE)
    ]
    return [fields, grid, outline, *numbers]


def _truths(number: int, tokens: Tokens, small: bool) -> list[alt.Chart]:
    """Plausible truths, and their mean and point estimate, now and before a change."""
    draws = _over(
        "draws",
        number,
        size=alt.Size("area:Q", legend=None, scale=None),
        fill=mapped(alt.Fill, "leads:N", _LEADS, (tokens.soft, "transparent")),
        stroke=mapped(alt.Stroke, "leads:N", _LEADS, ("transparent", tokens.other)),
    ).mark_point(shape="circle", opacity=0.55, strokeWidth=1.2)
    mean, after, point, mean_before, point_before = (
        _over("landmarks", number, where=f"datum.kind == '{kind}'")
        for kind in ("mean", AFTER, "point", "mean before", "point before")
    )
    cross = {"size": 36 if small else 60, "color": tokens.hard}
    small_words: dict[str, Any] = {"fontSize": 11, "color": tokens.muted}
    said = [mean_before.mark_text(dy=-13, text="before", **small_words)]
    said += [after.mark_text(dy=15, text="after", **small_words)]
    return [
        draws,
        mean_before.mark_point(
            shape="circle",
            filled=False,
            size=70 if small else 150,
            stroke=tokens.soft,
            strokeWidth=1.8,
            opacity=0.75,
        ),
        point_before.mark_point(**(CROSS | {"opacity": 0.4} | cross)),
        *([] if small else said),
        after.mark_point(**DIAMOND, size=160, color=tokens.text, stroke=tokens.page, strokeWidth=1.5),
        mean.mark_point(
            **DOT, size=90 if small else 190, color=tokens.soft, stroke=tokens.page, strokeWidth=2
        ),
        point.mark_point(**(CROSS | cross)),
    ]


def _names(number: int, has_risk: bool, small: bool) -> list[alt.Chart]:
    """Names of the corners, above and below."""
    away, line = (10 if has_risk else 3), (12 if small else _LINE)
    sides: tuple[Literal["left", "right", "center"], ...] = ("left", "right") if small else ("center",)
    below = [(0, side, away if small else away + 6) for side in sides]
    return [
        _over(
            "names", number, where=f"datum.above == {lines} && datum.side == '{side}'", text="words:N"
        ).mark_text(
            align=side,
            lineBreak="\n",
            baseline="top",
            dy=shift,
            fontSize=11 if small else 12.5,
            lineHeight=line,
        )
        for lines, side, shift in (*below, *((n, "center", -away - n * line) for n in (1, 2, 3)))
    ]


def _key(number: int, key: Sequence[str], tokens: Tokens) -> list[alt.Chart]:
    """What each mark is, in the free place left of the upper corner."""
    one = named(f"outline_{number}").transform_aggregate(n="count()")
    layers = []
    for row, words in enumerate(key):
        at = one.encode(x=alt.XValue(8), y=alt.YValue(8 + _LINE * row))
        look = {"filled": False, "opacity": 1} | _KEY[words](tokens)
        layers += [
            at.mark_point(**look),
            at.mark_text(align="left", dx=10, fontSize=11, color=tokens.muted, text=words),
        ]
    return layers


def _risks(number: int, tokens: Tokens, small: bool) -> list[alt.Chart]:
    """Letters of risk at the corners."""
    chip = _over("letters", number, color=alt.Color("risk:N", legend=None, scale=risk_scale(tokens.risk)))
    letter = _over(
        "letters",
        number,
        text="risk:N",
        color=alt.Color("risk:N", legend=None, scale=risk_scale(tokens.on_risk)),
    )
    return [
        chip.mark_point(shape="square", filled=True, size=150 if small else 280, opacity=1),
        letter.mark_text(fontSize=11, fontWeight=700, baseline="middle"),
    ]
