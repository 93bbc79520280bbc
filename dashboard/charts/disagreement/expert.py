"""What one more expert's label does to a model, and the model's plausibilities beside the raters'."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.analysis.formatting import percent
from dashboard.charts.figure import BAND, FILLED, UNIT, Figure, Spec, layout, named, tips
from dashboard.components.text import count, wrapped
from dashboard.shell.theme import Tokens, model_colour, model_mark

ROW = 58
"""Height of a row in pixels, the same in both pictures: side by side their rows stand beside each other."""
AXIS = 52
MOST_ROWS = 8
"""Labels shown; the table behind the picture has all. What an expert said is always among them."""
FEWEST_ROWS, SMALLEST = 3, 0.02
"""Labels of which model and raters together make less are left out, beyond the first few."""
MOST_LETTERS = 44


def shown_labels(table: pd.DataFrame) -> list[int]:
    """Return the rows of `after_expert_labels` that are worth drawing: those first that most is made of.

    None moves while experts speak.
    """
    size = table[["before", "observed"]].sum(axis=1).to_numpy()
    told = table["told"].to_numpy() > 0
    order = np.lexsort((np.arange(len(size)), -size))
    large = [
        k for rank, k in enumerate(order.tolist()) if rank < FEWEST_ROWS or size[k] >= SMALLEST or told[k]
    ]
    kept = [k for k in large if told[k]]
    room = max(MOST_ROWS - len(kept), 0)
    kept += [k for k in large if not told[k]][:room]
    return sorted(kept, key=order.tolist().index)


def after_experts_chart(table: pd.DataFrame, *, model: int, tokens: Tokens) -> Figure:
    """Draw each label's probability before and after experts spoke, and the share of the raters who gave it.

    ``table`` is that of `core.analysis.disagreement.recalibrated_tables.after_expert_labels`, not all NaN;
    ``model`` is the model's place in the study's order.
    """
    shown = table.iloc[shown_labels(table)]
    rows = pd.DataFrame(
        {
            "row": range(len(shown)),
            "words": [wrapped(label, MOST_LETTERS, lines=1) for label in shown["label"]],
            "change": [_change(*pair) for pair in zip(shown["before"], shown["after"], strict=True)],
            "said": [f"said by {count(n, 'expert')}" if n else "" for n in shown["told"].tolist()],
            "label": shown["label"].to_numpy(),
            "before": shown["before"].to_numpy(),
            "after": shown["after"].to_numpy(),
            "observed": shown["observed"].to_numpy(),
            "zero": 0.0,
            "one": 1.0,
        }
    )
    return Figure(_change_layout(len(rows), model, tokens), {"rows": rows})


def _change(before: float, after: float) -> str:
    """'32 % → 61 %', or one number where it stays."""
    start, end = percent(before), percent(after)
    return end if start == end else f"{start} → {end}"


@lru_cache(maxsize=64)
def _change_layout(n_rows: int, model: int, tokens: Tokens) -> Spec:
    colour, mark = model_colour(model, tokens), model_mark(model)
    base = named("rows", y=alt.Y("row:O", axis=None, scale=BAND))
    tooltip = tips(
        ("label:N", "Label"),
        ("before:Q", "Before", ".1%"),
        ("after:Q", "After", ".1%"),
        ("observed:Q", "Share of the raters", ".1%"),
    )
    axis = alt.Axis(values=[0, 0.25, 0.5, 0.75, 1], format=".0%")
    track = base.mark_rule(color=tokens.rule, strokeWidth=10, yOffset=10).encode(
        x=alt.X("zero:Q", scale=UNIT), x2="one:Q"
    )
    way = base.mark_rule(color=colour, strokeWidth=3, yOffset=10).encode(
        x=alt.X("before:Q", scale=UNIT, axis=axis, title="Probability of the label"), x2="after:Q"
    )
    raters = base.mark_tick(
        color=tokens.soft, thickness=4, size=24, orient="vertical", opacity=1, yOffset=10
    ).encode(x=alt.X("observed:Q", scale=UNIT), tooltip=tooltip)
    point: dict[str, Any] = {"shape": mark, "opacity": 1, "yOffset": 10, "strokeWidth": 2}
    before = base.mark_point(**point, filled=True, fill=tokens.page, stroke=colour, size=90).encode(
        x=alt.X("before:Q", scale=UNIT), tooltip=tooltip
    )
    after = base.mark_point(**point, filled=True, fill=colour, stroke=colour, size=90).encode(
        x=alt.X("after:Q", scale=UNIT), tooltip=tooltip
    )
    said = base.mark_text(align="right", baseline="middle", dy=24, color=tokens.muted, fontSize=12).encode(
        x=alt.X("one:Q", scale=UNIT), text="said:N"
    )
    words = [_name(base), _beyond(base, "change", 10, tokens), said]
    return _finished([track, way, raters, before, after, *words], n_rows, tokens)


def beside_raters_chart(table: pd.DataFrame, labels: list[str], *, model: int, tokens: Tokens) -> Figure:
    """Draw the model's distribution over plausibilities beneath the raters', for these labels in this order.

    ``table`` is that of `core.analysis.disagreement.recalibrated_tables.beside_raters`.
    """
    by_source = {source: rows.set_index("label").loc[labels] for source, rows in table.groupby("source")}
    raters, predicted = by_source["raters"], by_source["model"]
    rows = pd.DataFrame(
        {
            "row": range(len(labels)),
            "words": [wrapped(label, MOST_LETTERS, lines=1) for label in labels],
            "label": labels,
            "zero": 0.0,
            "one": 1.0,
        }
    )
    for name, source in (("raters", raters), ("model", predicted)):
        for column in ("low", "mean", "high"):
            rows[f"{name}_{column}"] = source[column].to_numpy()
        rows[f"{name}_leads"] = ["" if np.isnan(x) else f"leads {percent(x)}" for x in source["leads"]]
    return Figure(_beside_layout(len(rows), model, tokens), {"rows": rows})


@lru_cache(maxsize=64)
def _beside_layout(n_rows: int, model: int, tokens: Tokens) -> Spec:
    base = named("rows", y=alt.Y("row:O", axis=None, scale=BAND))
    axis = alt.Axis(values=[0, 0.25, 0.5, 0.75, 1], format=".0%")
    layers = []
    for name, title, offset, colour, shape in (
        ("raters", "Raters", 3, tokens.soft, "circle"),
        ("model", "Model", 17, model_colour(model, tokens), model_mark(model)),
    ):
        tooltip = tips(
            ("label:N", "Label"),
            (f"{name}_mean:Q", f"{title}: mean", ".1%"),
            (f"{name}_low:Q", "5 % below", ".1%"),
            (f"{name}_high:Q", "5 % above", ".1%"),
        )
        track = base.mark_rule(color=tokens.rule, strokeWidth=10, yOffset=offset).encode(
            x=alt.X("zero:Q", scale=UNIT, axis=axis, title="Plausibility of the label"), x2="one:Q"
        )
        interval = base.mark_rule(color=colour, strokeWidth=3, yOffset=offset).encode(
            x=alt.X(f"{name}_low:Q", scale=UNIT), x2=f"{name}_high:Q"
        )
        mean = base.mark_point(
            **FILLED, shape=shape, size=70, fill=colour, stroke=tokens.page, yOffset=offset
        ).encode(x=alt.X(f"{name}_mean:Q", scale=UNIT), tooltip=tooltip)
        layers += [track, interval, mean, _beyond(base, f"{name}_leads", offset, tokens)]
    return _finished([*layers, _name(base)], n_rows, tokens)


def _name(base: alt.Chart) -> alt.Chart:
    """Label above each row's tracks."""
    return base.mark_text(
        align="left", baseline="middle", dy=-15, fontWeight=600, limit=alt.expr("width")
    ).encode(x=alt.X("zero:Q", scale=UNIT), text="words:N")


def _beyond(base: alt.Chart, field: str, offset: int, tokens: Tokens) -> alt.Chart:
    """Words at the right of a track."""
    return base.mark_text(
        align="left", baseline="middle", dx=8, dy=offset, fontSize=12, color=tokens.muted
    ).encode(x=alt.X("one:Q", scale=UNIT), text=f"{field}:N")


def _finished(layers: list[alt.Chart], n_rows: int, tokens: Tokens) -> Spec:
    chart = alt.layer(*layers).properties(height=ROW * max(n_rows, 1) + AXIS)
    return layout(chart, tokens, many_marks=True)
