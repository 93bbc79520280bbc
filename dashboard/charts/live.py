"""Pictures that answer the pointer, as Plotly draws them: plain lists and numbers in Loupe's own colours.

Figures are written as the dictionaries that go to the browser. Building them by Plotly's own classes, which
check every value, takes some 100 ms; the tests check them with these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import Any

from dashboard.charts.figure import Figure
from dashboard.shell.theme import FONT, Tokens

SMALL, USUAL = 11, 12.5
"""Sizes of words in pixels, whatever the width of the picture."""
CLEAR = "rgba(0,0,0,0)"
SILENT: dict[str, Any] = {"hoverinfo": "skip", "mode": "lines"}
"""Lines that say nothing when they are pointed at."""


@dataclass(frozen=True, eq=False)
class LiveFigure:
    """A picture that stands on a page, and answers there.

    Attributes
    ----------
    traces : list of dict
        Plotly's traces. Only marks with ``customdata``, their numbers, can be chosen.
    layout : dict
        Plotly's layout, without width and height.
    ratio, extra : float, int
        Height as a part of the width, and the pixels added for words, whose size is the same at any width.
    most : int
        Width that it takes at most, in pixels.
    draw_printed : callable
        Gives the same picture as it is saved, for it takes a browser to draw this one.
    modes : tuple of str
        What dragging can do, of "lasso", "select", "zoom" and "pan"; the first is in force.
    chosen : tuple of int
        Numbers of marks that are chosen otherwise than in the picture.
    aside : bool
        Whether what a mark says stands in an upper corner of the picture, where no marks are.
    """

    traces: list[dict[str, Any]]
    layout: dict[str, Any]
    ratio: float
    extra: int
    most: int
    draw_printed: Callable[[], Figure]
    modes: tuple[str, ...] = ()
    chosen: tuple[int, ...] = ()
    aside: bool = False

    @cached_property
    def printed(self) -> Figure:
        """The picture as it is saved, drawn when it is asked for first: few are saved."""
        return self.draw_printed()


def live_layout(tokens: Tokens, **more: Any) -> dict[str, Any]:
    """Layout that all live pictures share; while ``uirevision`` is the same, a zoom stays."""
    return {
        "font": {"family": FONT, "size": USUAL, "color": tokens.text},
        "paper_bgcolor": CLEAR,
        "plot_bgcolor": CLEAR,
        "showlegend": False,
        "hovermode": "closest",
        "hoverdistance": 12,
        "uirevision": "kept",
        "margin": {"l": 0, "r": 0, "t": 0, "b": 0},
        "hoverlabel": {
            "bgcolor": tokens.panel,
            "bordercolor": tokens.muted,
            "font": {"family": FONT, "size": USUAL, "color": tokens.text},
            "align": "left",
        },
        "newselection": {"line": {"color": tokens.text, "width": 1.2, "dash": "dot"}},
        **more,
    }


def plain(text: str) -> str:
    """Text that Plotly shows as it is written: no markup in it counts, and lines break where they did."""
    return escape(text, quote=False).replace("\n", "<br>")


def pale(colour: str, strength: float) -> str:
    """Colour of the tokens as it shines through, by a strength in [0, 1]."""
    red, green, blue = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return f"rgba({red},{green},{blue},{strength:.3g})"


def mixed(first: str, second: str, part: float) -> str:
    """Opaque colour between two of the tokens, by the part of the second in [0, 1]."""
    pairs = ((int(first[at : at + 2], 16), int(second[at : at + 2], 16)) for at in (1, 3, 5))
    return "#" + "".join(f"{round(a + (b - a) * part):02X}" for a, b in pairs)


def rounded(numbers: Iterable[float]) -> list[float | None]:
    """Numbers as precise as a picture shows; None where there is none, as a gap in a line."""
    return [None if number != number else round(float(number), 4) for number in numbers]
