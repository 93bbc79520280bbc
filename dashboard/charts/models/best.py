"""How probable it is that each model is the best, by what is uncertain."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import altair as alt
import pandas as pd

from core.analysis.formatting import percent
from dashboard.charts.figure import FILLED, Figure, Spec, layout, named, span, tips
from dashboard.charts.models import marks
from dashboard.shell.theme import Tokens

ROW = 30
"""Pixels for each model."""
_MARGINS = 46
"""Pixels above and below the bars, for headings and the axis."""
_STEP = 2.0
"""From one panel to the next, in lengths of a full bar: between them stands a percentage."""
_LAST = 1.7
"""Length of the last panel, with the percentage beside its bars."""
_NAME = 24
_TICKS = (0.0, 0.5, 1.0)


def best_bars_chart(
    table: pd.DataFrame, *, models: Sequence[str], titles: dict[str, str], tokens: Tokens
) -> Figure:
    """Draw P(best) of each model as a bar, in one panel for each source of uncertainty.

    ``table`` has one row a model and source: ``model``, ``same_as``, ``source``, ``probability`` in [0, 1].
    Models that predict the same are one, with the sum of their values: they share whatever place they have.
    """
    rows = marks.joined(table.drop_duplicates("model")[["model", "same_as"]]).reset_index(drop=True)
    row = {model: i for i, model in enumerate(rows["model"])}
    panel = {source: i * _STEP for i, source in enumerate(titles)}
    first = table["same_as"].where(table["same_as"] != "", table["model"])
    total = table["probability"].groupby([first, table["source"]]).transform("sum", min_count=1)
    shown = table.assign(probability=total)[(table["same_as"] == "") & table["source"].isin(panel)]
    shown = shown.dropna(subset=["probability"])
    start = shown["source"].map(panel)
    bars = shown.assign(
        row=shown["model"].map(row),
        start=start,
        end=start + shown["probability"],
        what=shown["source"].map(titles),
        words=[percent(p) for p in shown["probability"]],
    )
    ticks = pd.DataFrame(
        [(place + tick, percent(tick)) for place in panel.values() for tick in _TICKS],
        columns=["place", "words"],
    )
    heads = pd.DataFrame({"place": list(panel.values()), "words": list(titles.values())})
    names = rows.assign(
        row=rows.index, words=[marks.shortened(name, _NAME) for name in rows["members"]], place=0.0
    )
    data = {"bars": bars, "ticks": ticks, "heads": heads, "names": names}
    height = ROW * marks.room(len(rows), len(models)) + _MARGINS
    return Figure(_layout(tuple(models), len(panel), tokens) | {"height": height}, data)


@lru_cache(maxsize=16)
def _layout(models: tuple[str, ...], n_panels: int, tokens: Tokens) -> Spec:
    colour, shape = marks.model_colours(models, tokens), marks.model_shapes(models)
    scale = span(0, _STEP * (n_panels - 1) + _LAST)
    band = alt.Scale(type="band", padding=0.28)
    y = alt.Y("row:O", axis=None, scale=band)
    place = alt.X("place:Q", axis=None, scale=scale)
    grid = named("ticks", x=place).mark_rule(color=tokens.rule)
    labelled = named("ticks", where=f"!({marks.NARROW}) || datum.words != '{percent(_TICKS[1])}'")
    numbers = labelled.mark_text(color=tokens.muted, fontSize=12, baseline="top", dy=6)
    heads = named("heads").mark_text(align="left", fontWeight=600, dy=-12)
    base = named("bars", y=y)
    bars = base.mark_bar(stroke=tokens.muted, strokeWidth=0.5).encode(
        x=alt.X("start:Q", axis=None, scale=scale),
        x2="end:Q",
        color=colour,
        tooltip=tips(("model:N", "Model"), ("what:N", "Uncertain"), ("probability:Q", "P(best)", ".1%")),
    )
    values = base.mark_text(align="left", dx=5, fontSize=12).encode(
        x=alt.X("end:Q", axis=None, scale=scale), text="words:N"
    )
    names = named("names", x=place, y=y)
    keys = names.mark_point(**FILLED, size=60, xOffset=-14).encode(color=colour, shape=shape)
    chart = alt.layer(
        grid,
        bars,
        values,
        numbers.encode(x=place, y=alt.YValue("height"), text="words:N"),
        heads.encode(x=place, y=alt.YValue(0), text="words:N"),
        keys,
        *marks.name_marks(names, align="right", dx=-26),
    )
    return layout(chart, tokens)
