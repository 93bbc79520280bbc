"""How stable the order of models is over resamples: rank correlations, and the ranks of each model."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import altair as alt
import numpy as np
import pandas as pd

from dashboard.charts.figure import BAND, FILLED, Figure, Spec, layout, mapped, named, span, tips
from dashboard.charts.models import marks
from dashboard.shell.theme import Tokens

BINS = 25
"""Steps of a distribution of rank correlations over its reach."""
_RIDGE = 56
_ROW = 44
_NAME = 24


def rank_correlation_chart(table: pd.DataFrame, *, coefficient: str, tokens: Tokens) -> Figure:
    """Draw how well the order of models in each resample agrees with the observed one, metric by metric.

    ``table`` has one row a resample and metric, ``correlation`` in [−1, 1], ``kind`` hard or soft. Bars of a
    metric are scaled to its tallest, and the number at its right is the mean.
    """
    correlation = table["correlation"].to_numpy(float)
    low = min(float(np.nanmin(correlation)) if not np.isnan(correlation).all() else 0.0, 0.9)
    edges = np.linspace(max(np.floor(low * 10) / 10, -1.0), 1.0, BINS + 1)
    bars, means = [], []
    groups = list(table.groupby("metric", sort=False))
    names = [metric for metric, _ in groups]
    for row, (metric, rows) in enumerate(groups):
        of = rows["correlation"].to_numpy(float)
        of, kind = of[~np.isnan(of)], rows["kind"].iloc[0]
        n, _ = np.histogram(of, bins=edges)
        top = max(int(n.max()), 1)
        floor = len(names) - 1 - row
        bars.append(
            pd.DataFrame(
                {"low": edges[:-1], "high": edges[1:], "floor": floor, "top": floor + 0.78 * n / top}
            )
            .assign(metric=metric, kind=kind, share=n / max(len(of), 1))
            .loc[n > 0]
        )
        mean = float(of.mean()) if len(of) else np.nan
        words = f"mean {mean:.2f}".replace("-", "−") if len(of) else "undefined"
        means.append((metric, kind, floor, floor + 0.78, mean, edges[0], words))
    columns = ["metric", "kind", "floor", "top", "mean", "left", "words"]
    data = {
        "bars": pd.concat(bars, ignore_index=True),
        "means": pd.DataFrame(means, columns=columns),
        "corners": pd.DataFrame({"low": edges[[0, -1]], "floor": [0, len(names)]}),
    }
    return Figure(_correlation_layout(coefficient, tokens) | {"height": _RIDGE * len(names) + 40}, data)


@lru_cache(maxsize=8)
def _correlation_layout(coefficient: str, tokens: Tokens) -> Spec:
    scale = alt.Scale(zero=False, nice=False)
    colours = alt.Scale(domain=["hard", "soft"], range=[tokens.other, tokens.soft])
    colour = alt.Color("kind:N", legend=None, scale=colours)
    x = alt.X(
        "low:Q",
        title=f"{coefficient} with the observed order",
        scale=scale,
        axis=alt.Axis(format="~g", tickCount=6, labelFlush=False),
    )
    y = alt.Y("floor:Q", axis=None, scale=alt.Scale(nice=False))
    bars = named(
        "bars",
        x=x,
        x2="high:Q",
        y=y,
        y2="top:Q",
        color=colour,
        tooltip=tips(
            ("metric:N", "Metric"),
            ("low:Q", "From", ".2f"),
            ("high:Q", "To", ".2f"),
            ("share:Q", "Resamples", ".1%"),
        ),
    ).mark_rect(stroke=tokens.page, strokeWidth=0.8)
    means = named("means")
    mean = alt.X("mean:Q", scale=scale)
    floor = means.mark_rule(color=tokens.rule).encode(x=alt.XValue(0), x2=alt.X2Value("width"), y=y)
    rule = means.mark_rule(color=tokens.hard, strokeWidth=1.6).encode(x=mean, y=y, y2="top:Q")
    names = means.mark_text(align="right", dx=-10, dy=-22, fontWeight=600).encode(
        x=alt.X("left:Q", scale=scale), y=y, text="metric:N"
    )
    words = means.mark_text(align="right", dx=-10, dy=-6, color=tokens.muted, fontSize=12).encode(
        x=alt.X("left:Q", scale=scale), y=y, text="words:N"
    )
    return layout(alt.layer(marks.corners(x, y), floor, bars, rule, names, words), tokens, many_marks=True)


def rank_distribution_chart(
    table: pd.DataFrame, *, models: Sequence[str], metric: str, counterpart: str, tokens: Tokens
) -> Figure:
    """Draw how often each model has which rank over resamples, by the hard and by the soft metric.

    ``table`` has one row a model, ``kind`` (hard or soft) and ``rank`` (1 for the best), with the ``share``
    of the resamples, in [0, 1]; models are drawn in its order, from the top down.
    """
    order = table.drop_duplicates("model")[["model", "same_as"]]
    rows = marks.joined(order).reset_index(drop=True)
    row = {model: i for i, model in enumerate(rows["model"])}
    shown = table[(table["same_as"] == "") & (table["share"] > 0)]
    dots = shown.assign(
        row=shown["model"].map(row), metric=shown["kind"].map({"hard": metric, "soft": counterpart})
    )
    names = rows.assign(row=rows.index, words=[marks.shortened(name, _NAME) for name in rows["members"]])
    key = pd.DataFrame({"kind": ["hard", "soft"], "words": [metric, counterpart]})
    key = key[key["kind"].isin(table["kind"])]
    return Figure(
        _distribution_layout(tuple(models), tokens)
        | {"height": _ROW * marks.room(len(rows), len(models)) + 72},
        {"dots": dots, "names": names.assign(left=0.3), "key": key},
    )


@lru_cache(maxsize=16)
def _distribution_layout(models: tuple[str, ...], tokens: Tokens) -> Spec:
    scale = span(0.3, len(models) + 0.7)
    ticks = list(range(1, len(models) + 1))
    x = alt.X("rank:Q", title="Rank (1 is best)", scale=scale, axis=alt.Axis(values=ticks, format="d"))
    y = alt.Y("row:O", axis=None, scale=BAND)
    size = mapped(alt.Size, "share:Q", [0, 1], [0, 260])
    tooltip = tips(
        ("model:N", "Model"),
        ("metric:N", "Metric"),
        ("rank:Q", "Rank", "~g"),
        ("share:Q", "Resamples", ".1%"),
    )
    layers: list[alt.Chart] = []
    for kind, mark, colour, offset in (
        ("hard", "square", tokens.other, -8),
        ("soft", "circle", tokens.soft, 8),
    ):
        dots = named("dots", where=f"datum.kind == '{kind}'")
        layers.append(
            dots.mark_point(**FILLED, shape=mark, color=colour, yOffset=offset).encode(
                x=x, y=y, size=size, tooltip=tooltip
            )
        )
        key = named("key", where=f"datum.kind == '{kind}'", y=alt.YValue(-14))
        at = {"hard": 6, "soft": 150}[kind]
        layers += [
            key.mark_point(**FILLED, shape=mark, color=colour, size=110).encode(x=alt.XValue(at)),
            key.mark_text(align="left", dx=10, color=tokens.muted).encode(x=alt.XValue(at), text="words:N"),
        ]
    names = named("names", x=alt.X("left:Q", scale=scale), y=y)
    layers += [
        names.mark_point(**FILLED, size=60, xOffset=-14).encode(
            color=marks.model_colours(models, tokens), shape=marks.model_shapes(models)
        ),
        *marks.name_marks(names, align="right", dx=-26),
    ]
    return layout(alt.layer(*layers), tokens, many_marks=True)
