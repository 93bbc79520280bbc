"""What a chart function returns: a Vega-Lite layout and the frames drawn in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import Any, TypeVar

import altair as alt
import pandas as pd
import pyarrow as pa

from dashboard.shell.theme import Tokens, vega_config

C = TypeVar("C")
Spec = dict[str, Any]
"""A Vega-Lite specification, or the layout of one, whose data are named."""
FILLED: dict[str, Any] = {"filled": True, "opacity": 1}
DOT: dict[str, Any] = FILLED | {"shape": "circle"}
CROSS: dict[str, Any] = FILLED | {"shape": "cross", "angle": 45}
"""Marks of any shape, of plausibilities, and of point estimates and other hard values."""
RIM: dict[str, Any] = {"strokeWidth": 9, "strokeJoin": "round"}
"""Of words in the colour of the page, beneath words that lines would run through."""
UNIT = alt.Scale(domain=[0, 1], nice=False)
BAND = alt.Scale(type="band", padding=0)
"""Scales of shares, and of rows that touch."""
SHARES = alt.Axis(format=".0%", tickCount=5)
COUNTS = alt.Axis(tickMinStep=1, tickCount=5)
"""Axes of shares in percent, and of whole numbers."""


@dataclass(frozen=True, eq=False)
class Figure:
    """A picture in two parts: a Vega-Lite specification that names its data, and the frames by those names.

    Building a layout takes some 50 ms and depends on few things, so layouts are cached; and where only the
    data change, the browser replaces them in the picture that stands there and does not draw it anew.
    """

    spec: dict[str, Any]
    data: dict[str, pd.DataFrame]
    narrow: Figure | None = None
    """The same for a place too narrow for it, where it has a width of its own."""

    @property
    def complete(self) -> dict[str, Any]:
        """Specification with its data."""
        return {**self.spec, "datasets": self._tables}

    @cached_property
    def _tables(self) -> dict[str, pa.Table]:
        """The frames as they go to the browser, for a picture that is kept goes there often."""
        return {name: _table(frame) for name, frame in self.data.items()}

    def with_frame(self, name: str, frame: pd.DataFrame) -> Figure:
        """Return the same picture with another frame in place of one; the others are not made ready again."""
        figure = Figure(self.spec, self.data | {name: frame})
        figure.__dict__["_tables"] = self._tables | {name: _table(frame)}
        return figure


def _table(frame: pd.DataFrame) -> pa.Table:
    """A frame as it goes to the browser.

    In this very thread: to start others for a few hundred cells takes longer than their conversion.
    """
    return pa.Table.from_pandas(frame, preserve_index=False, nthreads=1)


def layout(
    chart: alt.LayerChart | alt.FacetChart | alt.ConcatChart | alt.Chart,
    tokens: Tokens,
    *,
    many_marks: bool = False,
) -> dict[str, Any]:
    """Turn a chart over named data into a specification with the configuration that all pictures share.

    With ``many_marks`` it is painted on a canvas: hundreds of page elements take tens of milliseconds.
    """
    spec: dict[str, Any] = chart.to_dict(validate=False)
    spec["config"] = vega_config(tokens)
    if many_marks:
        spec["usermeta"] = {"embedOptions": {"renderer": "canvas"}}
    return spec


_transformers = Lock()
"""Altair's data transformers are global to the process: one session at a time."""


def figure_of(chart: alt.TopLevelMixin, tokens: Tokens) -> Figure:
    """Take apart a chart that carries its frames, for pictures that do not follow the slider.

    Each frame becomes a named dataset, in the order of appearance.
    """
    frames: dict[str, pd.DataFrame] = {}

    def keep(data: Any) -> dict[str, str]:
        name = next((name for name, frame in frames.items() if frame is data), f"frame_{len(frames)}")
        frames[name] = data
        return {"name": name}

    with _transformers:
        alt.data_transformers.register("loupe", keep)
        with alt.data_transformers.enable("loupe"):
            spec: dict[str, Any] = chart.to_dict(validate=False)
    spec["config"] = vega_config(tokens) | spec.get("config", {})
    return Figure(spec, frames)


def named(name: str, *, where: str = "", **channels: Any) -> alt.Chart:
    """Begin a layer over a frame of `Figure.data`, or over its rows for which an expression holds."""
    chart = alt.Chart(alt.NamedData(name=name))
    return (chart.transform_filter(where) if where else chart).encode(**channels)


def span(low: float | alt.ExprRef, high: float | alt.ExprRef) -> alt.Scale:
    """Return a scale with exactly these ends."""
    return alt.Scale(domain=[low, high], nice=False)


def mapped(channel: Callable[..., C], field: str, values: Iterable[Any], shown: Iterable[Any]) -> C:
    """Return a channel, without a legend, that shows each value of a field in its own way."""
    return channel(field, legend=None, scale=alt.Scale(domain=list(values), range=list(shown)))


def tips(*rows: tuple[str, str] | tuple[str, str, str]) -> list[alt.Tooltip]:
    """Return the rows of a tooltip: field with its type, words, and the format of a number."""
    return [
        alt.Tooltip(field, title=words, format=form[0] if form else alt.Undefined)
        for field, words, *form in rows
    ]
