"""All tasks at a glance: a row each, in which every model goes from its hard place down to its soft one."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache

import altair as alt
import pandas as pd

from dashboard.charts.figure import FILLED, Figure, Spec, layout, named, span, tips
from dashboard.charts.models import marks
from dashboard.components.text import wrapped
from dashboard.shell.theme import Tokens, model_colour, model_mark

TASK = "task"
"""Selection of a row: the task."""
_HEAD, _DROP, _FOOT = 30, 42, 16
"""Pixels of a row's name, from hard marks to soft ones, and beneath these."""
_ROW = _HEAD + _DROP + _FOOT
_AXIS, _ABOVE = 46, 8
_NAME, _KEY = 34, 26
"""Letters of a task's and of a model's name."""
_MANY = 60
_LETTER, _MARK = 7, 34
"""Pixels of a letter in the key, and of a mark with the room about it."""


def all_tasks_chart(
    table: pd.DataFrame,
    *,
    models: Sequence[str],
    names: Mapping[str, str],
    metric: str,
    counterpart: str,
    tokens: Tokens,
) -> Figure:
    """Draw a line for each model and task, from the hard value above to the soft one below.

    Each value stands as far from the middle as it is from the mean of the models of its task: how far that
    differs between hard and soft values, and between tasks, would hide how far models do.

    ``table`` has one row a task and model, tasks in order: ``task``, ``title`` (what the row is called),
    ``first`` (at its right, after the means where there is room), ``model``, ``hard``, ``soft``; without both
    values a model has no line. All ``models`` decide colours and marks; those that ``names`` has are drawn,
    under these names.
    """
    of_task = table.drop_duplicates("task")
    place = {task: i * _ROW for i, task in enumerate(of_task["task"])}
    known = table[table["model"].isin(list(names))].dropna(subset=["hard", "soft"])
    words = [f"{hard:.3f} \u2192 {soft:.3f}" for hard, soft in known[["hard", "soft"]].to_numpy(float)]
    means = known.groupby("task")[["hard", "soft"]].mean()
    ends = pd.concat(
        [
            known[["task", "title", "model"]].assign(
                name=known["model"].map(names),
                value=known[side].astype(float) - known["task"].map(means[side]),
                at=known["task"].map(place) + _HEAD + drop,
                side=side,
                words=words,
            )
            for side, drop in (("hard", 0), ("soft", _DROP))
        ],
        ignore_index=True,
    )
    edges = [place[task] for task in of_task["task"]]
    rows = pd.DataFrame(
        {
            "task": of_task["task"].tolist(),
            "edge": edges,
            "end": [edge + _ROW for edge in edges],
            "top": [edge + _HEAD / 2 - 1 for edge in edges],
            "name": [wrapped(title, _NAME, lines=1) for title in of_task["title"]],
            "first": of_task["first"].tolist(),
            "mean": [
                f"mean {means.loc[task, 'hard']:.3f} \u2192 {means.loc[task, 'soft']:.3f}, "
                if task in means.index
                else ""
                for task in of_task["task"]
            ],
        }
    )
    low, high = (ends["value"].min(), ends["value"].max()) if len(ends) else (0.0, 0.0)
    room = 0.03 * (high - low) or 0.01
    shown = tuple((model, marks.shortened(name, _KEY, lines=1)) for model, name in names.items())
    spec = _layout(tuple(models), shown, metric, counterpart, len(ends) > _MANY, tokens)
    params = {"left": low - room, "right": high + room, "rows": float(_ROW * len(rows))}
    spec = spec | {
        "params": [
            *spec["params"],
            *({"name": name, "value": float(value)} for name, value in params.items()),
        ],
        "height": _ROW * len(rows) + _AXIS,
        "padding": {"left": 8, "right": 14, "top": _ABOVE, "bottom": 4},
    }
    return Figure(spec, {"ends": ends, "rows": rows})


@lru_cache(maxsize=32)
def _layout(
    models: tuple[str, ...],
    names: tuple[tuple[str, str], ...],
    metric: str,
    counterpart: str,
    many_marks: bool,
    tokens: Tokens,
) -> Spec:
    key = _key(names, tokens)
    colours = alt.Scale(domain=list(models), range=[model_colour(i, tokens) for i in range(len(models))])
    shapes = alt.Scale(domain=list(models), range=[model_mark(i) for i in range(len(models))])
    scale = span(alt.ExprRef("left"), alt.ExprRef("right"))
    places = alt.Scale(domain=[0, alt.ExprRef("rows")], reverse=True, nice=False)
    at, top, edge = (alt.Y(field, axis=None, scale=places) for field in ("at:Q", "top:Q", "edge:Q"))
    title = f"{metric}, and beneath it {counterpart}, less the mean of the models"
    axis = alt.Axis(format="+.3~f", tickCount=5, labelExpr="datum.value == 0 ? '0' : datum.label")
    x = alt.X("value:Q", title=title, scale=scale, axis=axis)
    tooltip = tips(("title:N", "Task"), ("name:N", "Model"), ("words:N", f"{metric} \u2192 {counterpart}"))
    click = alt.selection_point(name=TASK, fields=["task"], on="click", nearest=False, empty=False)
    ends, rows = named("ends", x=x, y=at), named("rows", y=top)
    soft = named("ends", where="datum.side == 'soft'", x=x, y=at)
    hard = named("ends", where="datum.side == 'hard'", x=x, y=at)
    colour = alt.Color("model:N", legend=key, scale=colours)
    shape = alt.Shape("model:N", legend=key, scale=shapes)
    layers = [
        named("rows", y=edge)
        .mark_rect(color=tokens.page, fillOpacity=0.01, cursor="pointer", aria=False)
        .encode(x=alt.XValue(0), x2=alt.X2Value("width"), y2="end:Q")
        .add_params(click),
        named("rows", where="datum.edge > 0", y=edge).mark_rule(color=tokens.rule, aria=False),
        ends.mark_line(strokeWidth=1.8, aria=False).encode(
            color=colour,
            strokeDash=marks.model_dashes(models, tokens),
            detail=["task:N", "model:N"],
        ),
        hard.mark_tick(thickness=2.4, size=11).encode(color=colour, tooltip=tooltip),
        soft.mark_point(**FILLED, size=70, stroke=tokens.page, strokeWidth=0.8).encode(
            color=colour, shape=shape, tooltip=tooltip
        ),
        rows.mark_text(align="left", fontWeight=600, limit=alt.expr("width * 0.38"), aria=False).encode(
            x=alt.XValue(0), text="name:N"
        ),
        rows.transform_calculate(says=f"({marks.NARROW} ? '' : datum.mean) + datum.first")
        .mark_text(align="right", color=tokens.muted, limit=alt.expr("width * 0.6"), aria=False)
        .encode(x=alt.XValue("width"), text="says:N"),
    ]
    return layout(alt.layer(*layers), tokens, many_marks=many_marks)


def _key(names: tuple[tuple[str, str], ...], tokens: Tokens) -> alt.Legend:
    """Say which colour and mark is which model, in as many columns as there is room for."""
    width = _LETTER * max((len(name) for _, name in names), default=1) + _MARK
    return alt.Legend(
        orient="top",
        title=None,
        values=[model for model, _ in names],
        columns=alt.ExprRef(f"max(1, floor(width / {width}))"),
        labelExpr=f"({json.dumps(dict(names))})[datum.label]",
        labelLimit=0,
        labelFontSize=12.5,
        labelColor=tokens.text,
        symbolSize=70,
        symbolDash=[1, 0],
        symbolStrokeColor=tokens.page,
        symbolStrokeWidth=0.8,
        columnPadding=14,
    )
