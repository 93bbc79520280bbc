"""Differences with their intervals against a margin, and what a variance comes from."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import altair as alt
import pandas as pd

from core.analysis.formatting import percent
from dashboard.charts.figure import FILLED, Figure, Spec, layout, mapped, named, span, tips
from dashboard.components.text import wrapped
from dashboard.shell.theme import Tokens

_ROW, _BAR = 58, 22
"""Pixels of a row, and of a bar in it."""
_NAME, _MIDDLE = 16, 38
"""Pixels from the top of a row to its name, and to its mark."""
_AXIS, _FRAME = 48, 38
"""Pixels of the axis below, and of what stands above and around the rows."""
_MOST_LETTERS = 52
_LEAST_SHARE = 0.07
"""Of the width, that a percentage within a bar needs."""


def margin_chart(table: pd.DataFrame, *, margin: float, metric: str, tokens: Tokens) -> Figure:
    """Draw differences with their intervals, a line at no difference, and the margin with what lies beyond.

    ``table`` has ``first``, ``second``, ``difference``, ``low``, ``high`` and ``says`` (what stands at the
    right of a row); without a margin, 0, only no difference is marked.
    """
    rows = table.reset_index(drop=True).assign(
        top=lambda frame: frame.index * _ROW + _NAME,
        middle=lambda frame: frame.index * _ROW + _MIDDLE,
        name=[
            wrapped(f"{a} \u2212 {b}", _MOST_LETTERS, lines=1)
            for a, b in table[["first", "second"]].to_numpy()
        ],
    )
    furthest = max(*table["low"].abs(), *table["high"].abs(), 1.25 * margin, 0.01)
    far = 1.06 * float(furthest)
    zone = pd.DataFrame({"from": [-far], "edge": [-margin]}, dtype=float).head(1 if margin else 0)
    spec = _margin_layout(metric, tokens)
    ends = {"far": far, "rows": float(_ROW * len(rows))}
    spec = spec | {
        "params": [{"name": name, "value": value} for name, value in ends.items()],
        "height": _ROW * len(rows) + _AXIS + _FRAME,
        "padding": {"left": 8, "right": 14, "top": 34, "bottom": 4},
    }
    return Figure(spec, {"rows": rows, "zone": zone})


@lru_cache(maxsize=16)
def _margin_layout(metric: str, tokens: Tokens) -> Spec:
    scale = span(alt.ExprRef("-far"), alt.ExprRef("far"))
    title = f"Difference in {metric}: the first less the second"
    x = alt.X("difference:Q", title=title, scale=scale, axis=alt.Axis(format="+.2f", tickCount=7))
    places = alt.Scale(domain=[0, alt.ExprRef("rows")], reverse=True, nice=False)
    middle, top = (alt.Y(field, axis=None, scale=places) for field in ("middle:Q", "top:Q"))
    tooltip = tips(("name:N", "Difference"), ("says:N", "95 % interval"))
    once = named("rows").transform_aggregate(n="count()")
    marks = named("rows", y=middle)
    chart = alt.layer(
        named("zone")
        .mark_rect(color=tokens.other, opacity=0.22, aria=False)
        .encode(
            x=alt.X("from:Q", scale=scale, title=title), x2="edge:Q", y=alt.YValue(0), y2=alt.YValue("height")
        ),
        once.mark_rule(color=tokens.muted, strokeWidth=1, aria=False).encode(x=alt.X(datum=0, scale=scale)),
        named("zone")
        .mark_rule(color=tokens.hard, strokeDash=[5, 4], strokeWidth=1.4, aria=False)
        .encode(x=alt.X("edge:Q", scale=scale, title=title)),
        named("zone")
        .mark_text(color=tokens.muted, fontSize=12, align="center", text="margin")
        .encode(x=alt.X("edge:Q", scale=scale, title=title), y=alt.YValue(-9)),
        once.mark_text(
            color=tokens.muted, fontSize=12, align="right", dx=-2, text="the first is worse"
        ).encode(x=alt.XValue(alt.expr("width / 2 - 8")), y=alt.YValue(-22)),
        once.mark_text(
            color=tokens.muted, fontSize=12, align="left", dx=2, text="the first is better"
        ).encode(x=alt.XValue(alt.expr("width / 2 + 8")), y=alt.YValue(-22)),
        marks.mark_rule(strokeWidth=2.4, color=tokens.hard).encode(
            x=alt.X("low:Q", scale=scale, title=title), x2="high:Q", tooltip=tooltip
        ),
        marks.mark_point(**FILLED, size=80, shape="square", color=tokens.hard).encode(x=x, tooltip=tooltip),
        named("rows", y=top)
        .mark_text(align="left", fontWeight=600, limit=alt.expr("width * 0.5"))
        .encode(x=alt.XValue(0), text="name:N"),
        named("rows", y=top)
        .mark_text(align="right", color=tokens.muted)
        .encode(x=alt.XValue("width"), text="says:N"),
    )
    return layout(chart, tokens)


def variance_shares_chart(table: pd.DataFrame, *, names: Mapping[str, str], tokens: Tokens) -> Figure:
    """Draw what each variance comes from as one bar of the same length.

    ``table`` has ``row`` (its name), ``says`` (what stands at the right of it), and a share in [0, 1] for
    each of ``names``; a row whose shares are unknown has no bar.
    """
    parts = []
    for at, row in enumerate(table.to_dict("records")):
        start = 0.0
        for share, name in names.items():
            value = row[share]
            if not value > 0:
                continue
            words = percent(value) if value >= _LEAST_SHARE else ""
            parts.append(
                {
                    "part": name,
                    "row": row["row"],
                    "top": at * _ROW + _MIDDLE - _BAR / 2,
                    "bottom": at * _ROW + _MIDDLE + _BAR / 2,
                    "middle": at * _ROW + _MIDDLE,
                    "start": start,
                    "end": start + value,
                    "centre": start + value / 2,
                    "words": words,
                    "told": percent(value),
                }
            )
            start += value
    columns = ["part", "row", "top", "bottom", "middle", "start", "end", "centre", "words", "told"]
    bars = pd.DataFrame(parts, columns=columns)
    rows = pd.DataFrame(
        {
            "top": [at * _ROW + _NAME for at in range(len(table))],
            "name": [wrapped(name, _MOST_LETTERS, lines=1) for name in table["row"]],
            "says": table["says"].tolist(),
        }
    )
    spec = _shares_layout(tuple(names.values()), tokens) | {
        "params": [{"name": "rows", "value": float(_ROW * len(table))}],
        "height": _ROW * len(table) + _FRAME - 8,
        "padding": {"left": 8, "right": 14, "top": 26, "bottom": 4},
    }
    return Figure(spec, {"bars": bars, "rows": rows})


def _shades(tokens: Tokens) -> tuple[list[str], list[str]]:
    """Colours of readers, cases, both and truth, blue as plausibilities are; and of words on them."""
    fills = [tokens.hard, tokens.muted, tokens.rule, tokens.soft]
    return fills, [tokens.page, tokens.page, tokens.text, tokens.page]


@lru_cache(maxsize=8)
def _shares_layout(names: tuple[str, ...], tokens: Tokens) -> Spec:
    places = alt.Scale(domain=[0, alt.ExprRef("rows")], reverse=True, nice=False)
    fills, inks = _shades(tokens)
    scale = span(0, 1)
    bars = named("bars")
    top = alt.Y("top:Q", axis=None, scale=places)
    rows = named("rows", y=top)
    layers = [
        bars.mark_rect(stroke=tokens.muted, strokeWidth=0.8).encode(
            x=alt.X("start:Q", axis=None, scale=scale),
            x2="end:Q",
            y=top,
            y2="bottom:Q",
            color=mapped(alt.Color, "part:N", names, fills),
            tooltip=tips(("row:N", "Variance of"), ("part:N", "Comes from"), ("told:N", "Share")),
        ),
        bars.mark_text(fontSize=12).encode(
            x=alt.X("centre:Q", axis=None, scale=scale),
            y=alt.Y("middle:Q", axis=None, scale=places),
            text="words:N",
            color=mapped(alt.Color, "part:N", names, inks),
        ),
        rows.mark_text(align="left", fontWeight=600, limit=alt.expr("width * 0.5")).encode(
            x=alt.XValue(0), text="name:N"
        ),
        rows.mark_text(align="right", color=tokens.muted).encode(x=alt.XValue("width"), text="says:N"),
    ]
    left = 6.0
    for name, fill in zip(names, fills, strict=True):
        one = named("rows").transform_aggregate(n="count()").encode(y=alt.YValue(-14), x=alt.XValue(left))
        key = one.mark_point(
            filled=True, opacity=1, shape="square", size=90, color=fill, stroke=tokens.muted, aria=False
        )
        layers += [key, one.mark_text(align="left", dx=9, color=tokens.muted, fontSize=12, text=name)]
        left += 24 + 6.1 * len(name)
    chart = alt.layer(*layers).resolve_scale(color="independent")
    return layout(chart, tokens)
