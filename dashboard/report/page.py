"""Write a report as one HTML file that needs nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from typing import Any

import pandas as pd
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from core.analysis.export import NOTICE
from core.analysis.formatting import readable
from dashboard.report import paint
from dashboard.report.blocks import Block, Gallery, Pair, Picture, Table, Text, cell
from dashboard.report.collect import Content, Section
from dashboard.report.settings import MOST_BYTES

MARKUP = 400
"""Bytes that stand around an image, and more than that."""
MOST_ROWS = 60
"""Rows of the table of a picture; the file of its numbers has all of them."""
_NOT_A_NAME = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True)
class _Painted:
    """A picture as it stands in the file."""

    name: str
    title: str
    caption: str
    still: Markup
    live: bool
    table: Table | None
    left_out: int


@dataclass(frozen=True)
class _Pair:
    """Two of them side by side, called A and B."""

    sides: tuple[_Painted, _Painted]


def html(content: Content) -> str:
    """Write a report.

    Parameters
    ----------
    content : Content
        From `dashboard.report.collect.collect`.

    Returns
    -------
    str
        A page that asks nothing of any host: the same text for the same content.
    """
    specs: dict[str, dict[str, Any]] = {}
    sections = [_painted(section, specs) for section in content.sections]
    said = {"content": content, "live": paint.live(specs), "notice": NOTICE}
    template = _environment().get_template("report.html.j2")
    if not any(isinstance(block, Gallery) for section in content.sections for block in section.blocks):
        return template.render(said, sections=sections)
    without = template.render(said, sections=_with_images(sections, 0))
    return template.render(said, sections=_with_images(sections, MOST_BYTES - len(without.encode())))


def _with_images(sections: Sequence[dict[str, Any]], room: int) -> list[dict[str, Any]]:
    """Sections with as many of their images as there is room for, in bytes, the first ones first."""
    found = []
    for section in sections:
        blocks = []
        for name, block in section["blocks"]:
            kept = block
            if isinstance(block, Gallery):
                sizes = [len(one.address) + len(one.of.encode()) * 2 + MARKUP for one in block.images]
                n_kept = sum(total <= room for total in accumulate(sizes))
                room -= sum(sizes[:n_kept])
                kept = Gallery(block.images[:n_kept], block.left_out + len(sizes) - n_kept)
            blocks.append((name, kept))
        found.append(section | {"blocks": blocks})
    return found


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("dashboard.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["kind"] = lambda block: type(block).__name__.strip("_")
    return environment


def _painted(section: Section, specs: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """A section as the template takes it; specifications of its live pictures join the others."""
    blocks: list[tuple[str, object]] = []
    for name, block in _with_anchors(section):
        if isinstance(block, Picture):
            blocks.append((name, _paint(block, name, specs)))
        elif isinstance(block, Pair):
            sides = (_paint(block.first, f"{name}-a", specs), _paint(block.second, f"{name}-b", specs))
            blocks.append((name, _Pair(sides)))
        else:
            blocks.append((name, block))
    # A sentence does not need a page of its own.
    short = len(blocks) == 1 and isinstance(blocks[0][1], Text)
    of = {"name": section.name, "title": section.title, "settings": section.settings}
    return of | {"blocks": blocks, "short": short}


def _with_anchors(section: Section) -> Iterator[tuple[str, Block]]:
    """Each block with the name of the place where it stands."""
    taken: set[str] = set()
    for block in section.blocks:
        of = block.first if isinstance(block, Pair) else block
        words = of.name if isinstance(of, Picture) else getattr(of, "text", "")[:60]
        name = stem = f"{section.name}-{_NOT_A_NAME.sub('-', words.lower()).strip('-')}"
        number = 1
        while name in taken:
            number += 1
            name = f"{stem}-{number}"
        taken.add(name)
        yield name, block


def _paint(picture: Picture, name: str, specs: dict[str, dict[str, Any]]) -> _Painted:
    """Paint a picture and make its table ready; what a live one is drawn from joins the others."""
    spec = paint.spec_of(picture.figure)
    if picture.live:
        specs[name] = spec
    return _Painted(
        name,
        picture.title,
        picture.caption,
        # Ours: Vega has escaped every word in it.
        Markup(paint.still(spec, name)),  # noqa: S704
        picture.live,
        _table_of(picture.table),
        max(0, len(picture.table) - MOST_ROWS),
    )


def _table_of(frame: pd.DataFrame) -> Table | None:
    """The first rows of the numbers of a picture; None where they are left out."""
    if frame.empty:
        return None
    shown = readable((frame if frame.index.name is None else frame.reset_index()).head(MOST_ROWS))
    rows = tuple(tuple(cell(value) for value in row) for row in shown.itertuples(index=False))
    return Table("", tuple(str(one) for one in shown.columns), rows)
