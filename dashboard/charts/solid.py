"""A body that is turned on the page, as plain lists and numbers for `dashboard.components.solid_chart`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from dashboard.charts.figure import Figure


@dataclass(frozen=True, eq=False)
class SolidFigure:
    """Marks in a tetrahedron.

    Places are lists of three numbers, the middle being 0, 0, 0; corners are 1 away. Words are plain text.

    Attributes
    ----------
    corners : list of dict
        Of each corner: ``at``, ``lines`` of its name, ``leads``, what it ``says``, its ``tint`` in [0, 1],
        and ``risk``, a letter with its two colours, or None.
    dots : list of dict
        Of each: ``at``, ``across`` in pixels, whether it is a ``ring``, its ``corner`` (-1 for none), whether
        it is ``lit``, and what it ``says``.
    marks : list of dict
        What stands above the dots: ``kind``, ``at``, what it ``says``, for "before" also ``to``.
    colours : dict of str to str
        Of the tokens, by their names.
    view : tuple of float
        Angles from which it is seen first, around and from above, in radians.
    most : int
        Width that it takes at most, in pixels.
    draw_printed : callable
        Gives the same picture as it is saved.
    """

    corners: list[dict[str, Any]]
    dots: list[dict[str, Any]]
    marks: list[dict[str, Any]]
    colours: dict[str, str]
    view: tuple[float, float]
    most: int
    draw_printed: Callable[[], Figure]

    @cached_property
    def printed(self) -> Figure:
        """The picture as it is saved, drawn when it is asked for first: few are saved."""
        return self.draw_printed()
