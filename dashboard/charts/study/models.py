"""What is claimed of each model, what the labels support, and how it does where risk is high."""

from __future__ import annotations

from functools import lru_cache

import altair as alt
import numpy as np
import pandas as pd

from core.analysis.formatting import percent, percent_range
from core.analysis.models.claims import false_of
from dashboard.charts.figure import CROSS, DOT, SHARES, Figure, Spec, layout, named, span, tips
from dashboard.components.text import wrapped
from dashboard.shell.theme import Tokens

MOST_MODELS = 12
"""Models that have a row; of more, those on top of the table."""
_ROW, _FOOT, _ROOM, _ALARMS = 36, 46, 118, 140
_CLEAR = -2
"""Pixels from the edge of the picture, which would cut the last digit."""
_NUMBERS = ("hard", "low", "high", "value", "ceiling", "ceiling_low", "ceiling_high")
_AXIS = alt.Axis(format=".0%", tickCount=5, grid=False)


def height(n_models: int) -> int:
    """Height of either picture in pixels, for so many models."""
    return _ROW * min(n_models, MOST_MODELS) + _FOOT


def claimed_chart(table: pd.DataFrame, *, tokens: Tokens) -> Figure:
    """Draw a row for each model: a cross for the claim, a band for what is supported, a pale one for any.

    ``table`` is that of `core.analysis.models.supported.Supported`.
    """
    shown = table.head(MOST_MODELS)
    least = np.floor(10 * shown[["hard", "low"]].to_numpy(float).min()) / 10
    most = np.ceil(10 * shown[["hard", "high", "ceiling_high"]].to_numpy(float).max()) / 10
    least = min(least, most - 0.1)
    supported = [_range(low, high) for low, high in zip(shown["low"], shown["high"], strict=True)]
    rows = _named_rows(shown[list(_NUMBERS)].copy(), shown["names"]).assign(
        words=[f"{percent(hard)} → {said}" for hard, said in zip(shown["hard"], supported, strict=True)],
        supported=supported,
        most=[_range(*ends) for ends in zip(shown["ceiling_low"], shown["ceiling_high"], strict=True)],
        begin=least,
        end=most,
    )
    return Figure(_claimed_layout(len(rows), float(least), float(most), tokens), {"rows": rows})


def high_risk_chart(table: pd.DataFrame, *, tokens: Tokens) -> Figure:
    """Draw a bar for each model: how often it warns of a high-risk truth; its false warnings stand behind."""
    shown = table.dropna(subset="caught").head(MOST_MODELS)
    columns = shown[["caught", "caught_low", "caught_high", "false_alarms"]]
    ranges = zip(shown["caught_low"], shown["caught_high"], strict=True)
    rows = _named_rows(columns.copy(), shown["names"]).assign(
        zero=0.0,
        words=[percent(value) for value in shown["caught"]],
        false=shown["false_alarms"].map(false_of),
        interval=["" if np.isnan(low) else _range(low, high) for low, high in ranges],
    )
    return Figure(_high_risk_layout(len(rows), tokens), {"rows": rows})


def _named_rows(rows: pd.DataFrame, names: pd.Series) -> pd.DataFrame:
    """Number the rows, from the top, and name them."""
    return rows.reset_index(drop=True).assign(
        row=np.arange(len(rows)) + 0.5,
        model=names.tolist(),
        title=[wrapped(name, 22, lines=1) for name in names],
    )


def _range(low: float, high: float) -> str:
    return percent_range(low, high, "–")


def _place(n_rows: int) -> alt.Y:
    return alt.Y("row:Q", axis=None, scale=span(max(n_rows, 1), 0))


def _rows(n_rows: int, tokens: Tokens) -> tuple[alt.Chart, alt.Chart, alt.Chart]:
    """Begin the rows, and write the model before each and its numbers behind it."""
    base = named("rows", y=_place(n_rows))
    title = base.mark_text(align="right", dx=-10, color=tokens.text).encode(x=alt.value(0), text="title:N")
    numbers = base.mark_text(align="right", dx=_CLEAR, color=tokens.text, fontWeight=600, fontSize=13).encode(
        x=alt.value(alt.ExprRef("width")), text="words:N"
    )
    return base, title, numbers


@lru_cache(maxsize=32)
def _claimed_layout(n_rows: int, begin: float, end: float, tokens: Tokens) -> Spec:
    base, *words = _rows(n_rows, tokens)
    scale = alt.Scale(domain=[begin, end], nice=False, range=[0, alt.expr(f"width - {_ROOM}")])
    base = base.encode(
        tooltip=tips(
            ("model:N", "Model"),
            ("hard:Q", "Claimed, against the majority label", ".1%"),
            ("supported:N", "Supported, in 95 of 100 plausible truths"),
            ("value:Q", "Supported, on average", ".1%"),
            ("most:N", "Ceiling for any model"),
            ("ceiling:Q", "Ceiling, on average", ".1%"),
        )
    )
    x = alt.X("low:Q", title="Accuracy, claimed or supported", scale=scale, axis=_AXIS)
    ground = base.mark_rule(color=tokens.rule).encode(x=alt.X("begin:Q", scale=scale), x2="end:Q")
    band = base.mark_rule(color=tokens.soft, strokeWidth=12, opacity=0.75).encode(x=x, x2="high:Q")
    # What is one number has no band.
    single = named("rows", where="datum.low == datum.high", y=_place(n_rows))
    single = single.mark_point(**DOT, size=130, color=tokens.soft).encode(x=alt.X("low:Q", scale=scale))
    ceiling = base.mark_rule(color=tokens.soft, strokeWidth=26, opacity=0.25).encode(
        x=alt.X("ceiling_low:Q", scale=scale), x2="ceiling_high:Q"
    )
    # Of one number there is no band either.
    limit = named("rows", where="datum.ceiling_low == datum.ceiling_high", y=_place(n_rows))
    limit = limit.mark_tick(color=tokens.text, thickness=2, size=26, opacity=1).encode(
        x=alt.X("ceiling:Q", scale=scale)
    )
    claim = base.mark_point(**CROSS, size=120, color=tokens.hard, stroke=tokens.page, strokeWidth=1).encode(
        x=alt.X("hard:Q", scale=scale)
    )
    chart = alt.layer(ground, ceiling, band, single, limit, claim, *words)
    return layout(chart.properties(height=height(max(n_rows, 1))), tokens)


@lru_cache(maxsize=32)
def _high_risk_layout(n_rows: int, tokens: Tokens) -> Spec:
    base, *words = _rows(n_rows, tokens)
    scale = alt.Scale(domain=[0, 1], nice=False, range=[0, alt.expr(f"width - {_ALARMS}")])
    numbers = words[1].encode(x=alt.value(alt.ExprRef(f"width - {_ALARMS - 40}")))
    false = (
        words[1].mark_text(align="right", dx=_CLEAR, color=tokens.muted, fontSize=13).encode(text="false:N")
    )
    heads = [
        named("rows", where="datum.row < 1", y=alt.value(-4))
        .mark_text(align="right", dx=_CLEAR, baseline="bottom", color=tokens.muted, fontSize=12)
        .encode(x=alt.value(alt.ExprRef(at)), text=alt.value(said))
        for at, said in ((f"width - {_ALARMS - 40}", "warned of"), ("width", "false warnings"))
    ]
    base = base.encode(
        tooltip=tips(
            ("model:N", "Model"),
            ("caught:Q", "Warns of a high-risk truth in", ".1%"),
            ("interval:N", "Interval (95 %), other cases of this kind"),
            ("false:N", "False warnings"),
        )
    )
    x = alt.X("zero:Q", title="High-risk truths that the model warns of", scale=scale, axis=SHARES)
    bar = base.mark_rule(color=tokens.soft, strokeWidth=14, opacity=0.75).encode(x=x, x2="caught:Q")
    interval = base.mark_rule(color=tokens.text, strokeWidth=1.4).encode(
        x=alt.X("caught_low:Q", scale=scale), x2="caught_high:Q"
    )
    chart = alt.layer(bar, interval, words[0], numbers, false, *heads)
    return layout(chart.properties(height=height(max(n_rows, 1))), tokens)
