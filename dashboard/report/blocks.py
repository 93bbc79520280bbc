"""What a report is made of, and how it is read off a page that was drawn without a browser."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import unescape
from typing import Any

import pandas as pd

from core.analysis.formatting import readable
from dashboard.charts.figure import Figure
from dashboard.components.picture import SAID
from dashboard.components.text import AT_SCREEN


@dataclass(frozen=True)
class Heading:
    """Heading of a panel."""

    text: str


@dataclass(frozen=True)
class Text:
    """A paragraph; ``role`` is "p", "sentence" (what a panel comes to), "note" or "warning"."""

    text: str
    role: str = "p"


@dataclass(frozen=True)
class Facts:
    """Numbers, each with what it counts."""

    pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True, eq=False)
class Table:
    """Numbers in rows; cells are words already. One that is ``folded`` is opened by who wants it."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    folded: bool = False


@dataclass(frozen=True, eq=False)
class Picture:
    """A picture with how to read it, its numbers and what made them.

    One that is not ``live`` is shown as it looks and no more; one whose table is empty shows no numbers.
    """

    name: str
    title: str
    caption: str
    figure: Figure
    table: pd.DataFrame
    provenance: Mapping[str, str]
    live: bool = True


@dataclass(frozen=True, eq=False)
class Pair:
    """A picture of two reports, side by side."""

    first: Picture
    second: Picture


@dataclass(frozen=True)
class Methods:
    """Methods of a section for a paper, or the works that it rests on as BibTeX."""

    text: str


@dataclass(frozen=True)
class Thumbnail:
    """A small image of a case: what it is of, an address that holds it, and its size in pixels."""

    of: str
    address: str = field(repr=False)
    width: int
    height: int


@dataclass(frozen=True)
class Gallery:
    """Images of cases, and how many more there are that are not among them."""

    images: tuple[Thumbnail, ...]
    left_out: int


Block = Heading | Text | Facts | Table | Picture | Pair | Methods | Gallery
_PARAGRAPH = re.compile(
    r'<(h1|h2|p)(?: dir="auto")? class="loupe-text loupe-([a-z0-9]+)[^"]*">(.*?)</\1>', re.S
)
_FACT = re.compile(r"<dd>(.*?)</dd><dt>(.*?)</dt>", re.S)
_TABLE = re.compile(r'<table class="loupe-table" aria-label="(.*?)">(.*?)</table>', re.S)
_CELL = re.compile(r"<t[hd][^>]*>(.*?)</t[hd]>", re.S)
_ROW = re.compile(r"<tr[^>]*>(.*?)</tr>", re.S)
_TAG, _SPACES = re.compile(r"<[^>]*>"), re.compile(r" {2,}|\n+")
_AT_SCREEN = re.compile(rf'<(span|tr) class="{AT_SCREEN}">.*?</\1>', re.S)
"""What is said to those at the screen, as a container is with this in its key: in no report."""
_ROLES = ("p", "sentence", "note", "warning")
_MARKED = re.compile(r"\\([!-/:-@\[-`{-~])")
"""What `dashboard.components.text.unmarked` makes of a mark."""
_BOLD = re.compile(r"(?<!\\)\*\*")
"""Marks of bold letters that are Loupe's own: none of a file is left unmarked."""
FINDING = "finding-"
"""What keys of buttons begin with whose words are findings."""
_NOT_OF_A_REPORT = ("Open another study",)
"""Titles of panels that serve those who are at the screen."""


def blocks_of(part: Any, pictures: Mapping[str, tuple[Any, ...]]) -> Iterator[Block]:
    """Read what a drawn page says, in its order.

    Parameters
    ----------
    part : streamlit.testing block
        The page or a part of it.
    pictures : mapping of str to tuple
        The pictures it shows by name: figure, title, table and provenance (`dashboard.components.picture`).
    """
    caption = ""
    for child in part.children.values():
        if hasattr(child, "children"):
            if AT_SCREEN in _key(child):
                continue
            name = _picture_of(child, pictures)
            if name:
                figure, title, table, said = pictures[name]
                made = {key: value for key, value in said.items() if key not in SAID}
                yield Picture(name, title, caption, figure, table, made)
            elif child.type == "expander" and child.label not in _NOT_OF_A_REPORT:
                yield from _unfolded(child, pictures)
            elif child.type != "expander":
                yield from _with_captions(blocks_of(child, pictures))
        elif child.type == "html":
            yield from (found := [*_of_html(child.proto.body)])
            caption = found[-1].text if found and isinstance(found[-1], Text) else ""
        elif child.type == "button" and str(child.key).startswith(FINDING):
            words = _MARKED.sub(r"\1", _BOLD.sub("", child.label))
            yield Text(words.replace("\u2060", ""), "sentence")
        elif child.type == "code":
            yield Methods(child.value)
        elif child.type == "dataframe":
            yield _of_frame(child.value)


def _with_captions(found: Iterator[Block]) -> Iterator[Block]:
    """Leave out the note that is the caption of the picture right after it."""
    before: Block | None = None
    for block in found:
        is_caption = isinstance(block, Picture) and isinstance(before, Text) and before.text == block.caption
        if before is not None and not is_caption:
            yield before
        before = block
    if before is not None:
        yield before


def _unfolded(panel: Any, pictures: Mapping[str, tuple[Any, ...]]) -> Iterator[Block]:
    """What stands in a panel, under its title."""
    found = [*blocks_of(panel, pictures)]
    if any(not isinstance(block, Text | Heading) for block in found):
        first = found[0]
        if not (isinstance(first, Heading) and first.text == panel.label):
            yield Heading(panel.label)
        yield from found


def _of_frame(frame: pd.DataFrame) -> Table:
    """A table that can be sorted at the screen."""
    shown = readable(frame.reset_index() if frame.index.name is not None else frame)
    rows = tuple(tuple(cell(value) for value in row) for row in shown.itertuples(index=False))
    return Table("", tuple(map(str, shown.columns)), rows)


def cell(value: object) -> str:
    """A value as people read it; nothing where it is not known."""
    if value is None or value is pd.NaT or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, float):
        return f"{value:g}".replace("inf", "∞").replace("-∞", "−∞")
    return str(value)


def _picture_of(part: Any, pictures: Mapping[str, tuple[Any, ...]]) -> str:
    """Name of the picture whose numbers a popover holds; empty where this is none."""
    if part.type != "popover":
        return ""
    key = _key(part)
    return next((name for name in pictures if key.endswith(f"-data-{name}")), "")


def _key(part: Any) -> str:
    """Key of a part of a page, with what Streamlit writes before it."""
    return str(getattr(part.proto, "id", ""))


def _of_html(body: str) -> Iterator[Block]:
    """Read what `dashboard.components.text` has written."""
    body = _AT_SCREEN.sub("", body)
    if body.startswith('<dl class="loupe-facts">'):
        yield Facts(tuple((_plain(value), _plain(words)) for value, words in _FACT.findall(body)))
    for title, inner in _TABLE.findall(body):
        head, *rows = [tuple(map(_plain, _CELL.findall(row))) for row in _ROW.findall(inner)]
        yield Table(unescape(title), head, tuple(rows))
    for tag, role, inner in _PARAGRAPH.findall(body):
        text = _plain(inner)
        if tag == "h2":
            yield Heading(text)
        elif tag == "p" and text:
            yield Text(text, role if role in _ROLES else "p")


def _plain(markup: str) -> str:
    """Words of what was escaped."""
    return _SPACES.sub(" ", unescape(_TAG.sub(" ", markup))).strip()
