"""Words of the files as plain text, and numbers as people write them.

Whatever comes from a file goes through `element` or `table`, which escape it: neither HTML nor Markdown in it
is rendered, and no address in it becomes a link.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence
from html import escape
from types import MappingProxyType
from typing import Literal

import streamlit as st

_SPACES = re.compile(r"[ \t\r\n]+")
"""Where lines may break: not at a no-break space."""

_MARK, _JOINED = re.compile(r"[!-/:-@\[-`{-~]"), re.compile(r"[:.@]|www", re.I)

Tag = Literal["h1", "h2", "p"]
AT_SCREEN = "loupe-at-screen"
"""Class of words that speak of what is done at the screen."""


def element(tag: Tag, text: str, *, role: str = "", at_screen: str = "") -> None:
    """Show text as it is written, as a heading or a paragraph; ``role`` is its class in the style sheet.

    What is said ``at_screen`` stands behind it: it is for those who can point there, and in no report.
    """
    said = [escape(text)] if text else []
    said += [f'<span class="{AT_SCREEN}">{escape(at_screen)}</span>'] if at_screen else []
    st.html(f'<{tag} dir="auto" class="loupe-text loupe-{role or tag}">{" ".join(said)}</{tag}>')


def blank(height: int) -> None:
    """Keep a place of so many pixels for what comes later, so that nothing below moves."""
    st.html(f'<div aria-hidden="true" style="height: {height}px"></div>')


def quoted(text: str, *, by: str = "", most: int) -> None:
    """Show what somebody wrote as it is written; of more than ``most`` characters the rest unfolds."""
    shown = escape(text)
    if len(text) > most:
        head = f"<summary>All {len(text):,} characters</summary>"
        shown = f"{escape(text[:most])} …<details>{head}{shown}</details>"
    foot = f"\n— {escape(by)}" if by else ""
    st.html(f'<div dir="auto" class="loupe-text loupe-quoted">{shown}{foot}</div>')


def unmarked(text: str) -> str:
    """Text for a widget that reads Markdown, which shows it as it is written: no mark, link or icon in it.

    A mark with a backslash is the mark itself; an address or the name of an icon is none any more once a
    joiner without width stands after its colons and full stops.
    """
    return _JOINED.sub("\\g<0>\u2060", _MARK.sub(r"\\\g<0>", _SPACES.sub(" ", text)))


def table(
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    name: str,
    scrolls: bool = False,
    at_screen: Sequence[Sequence[str]] = (),
) -> None:
    """Show a small table whose cells wrap, each as it is written.

    One that ``scrolls`` breaks no word, and is moved sideways where there is no room. Rows ``at_screen``
    stand below the others: they are for those who sit at this computer, and in no report.
    """
    html = table_html(columns, rows, name=name, at_screen=at_screen)
    if scrolls:
        html = (
            f'<div class="loupe-scroll" tabindex="0" role="region" aria-label="{escape(name)}">{html}</div>'
        )
    st.html(html)


def fold_html(title: str, inside: str, *, role: str = "note") -> str:
    """Write a line that unfolds what is ``inside``, HTML, as HTML."""
    return f'<details class="loupe-text loupe-{role}"><summary>{escape(title)}</summary>{inside}</details>'


def table_html(
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    name: str,
    at_screen: Sequence[Sequence[str]] = (),
    meanings: Mapping[str, str] = MappingProxyType({}),
    marks: Sequence[str] = (),
    drawn: Sequence[Mapping[int, str]] = (),
    drawn_heads: Mapping[int, str] = MappingProxyType({}),
) -> str:
    """Write what `table` shows, each cell escaped.

    The pointer is told ``meanings`` of heads. Rows bear ``marks``, one each or none at all, by which a style
    can tell them; an empty one is none. Behind the words of a row's cells stands what is ``drawn``, HTML by
    the place of the cell, and so behind those of heads (``drawn_heads``).
    """
    head = "".join(
        f'<th scope="col">{_head(column, meanings.get(column, ""))}{drawn_heads.get(place, "")}</th>'
        for place, column in enumerate(columns)
    )
    marked = [f' data-mark="{escape(mark)}"' * bool(mark) for mark in marks] or [""] * len(rows)
    pictures = drawn or [{}] * len(rows)
    body = "".join(_row(*one) for one in zip(rows, marked, pictures, strict=True))
    body += "".join(_row(row, f' class="{AT_SCREEN}"') for row in at_screen)
    return (
        f'<table class="loupe-table" aria-label="{escape(name)}"><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table>"
    )


def _head(words: str, meaning: str) -> str:
    """Write a head, and what it means for the pointer."""
    return f'<span title="{escape(meaning)}">{escape(words)}</span>' if meaning else escape(words)


def _row(cells: Sequence[str], attributes: str = "", drawn: Mapping[int, str] = MappingProxyType({})) -> str:
    """A row of a table."""
    told = (f"<td>{escape(cell)}{drawn.get(place, '')}</td>" for place, cell in enumerate(cells))
    return f"<tr{attributes}>{''.join(told)}</tr>"


def wrapped(text: str, width: int, *, lines: int = 2) -> str:
    """Break text into at most so many lines of at most so many characters; an ellipsis marks what is cut.

    Words longer than a line are broken.
    """
    rows = textwrap.wrap(_SPACES.sub(" ", text).strip(), width) or [""]
    if len(rows) > lines:
        rows = [*rows[: lines - 1], rows[lines - 1][: width - 1].rstrip() + "…"]
    return "\n".join(rows)


def count(number: int, one: str, many: str | None = None) -> str:
    """Write a number with its noun: 1 case, 1,947 cases."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
