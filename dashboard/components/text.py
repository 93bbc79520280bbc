"""Words of the files as plain text, and numbers as people write them.

Whatever comes from a file goes through `element` or `table`, which escape it: neither HTML nor Markdown in it
is rendered, and no address in it becomes a link.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from html import escape
from typing import Literal

import streamlit as st

_SPACES = re.compile(r"[ \t\r\n]+")
"""Where lines may break: not at a no-break space."""

Tag = Literal["h1", "h2", "p"]


def element(tag: Tag, text: str, *, role: str = "") -> None:
    """Show text as it is written, as a heading or a paragraph; ``role`` is its class in the style sheet."""
    st.html(f'<{tag} class="loupe-text loupe-{role or tag}">{escape(text)}</{tag}>')


def table(columns: Sequence[str], rows: Sequence[Sequence[str]], *, name: str, scrolls: bool = False) -> None:
    """Show a small table whose cells wrap, each as it is written.

    One that ``scrolls`` breaks no word, and is moved sideways where there is no room.
    """
    head = "".join(f'<th scope="col">{escape(column)}</th>' for column in columns)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    html = (
        f'<table class="loupe-table" aria-label="{escape(name)}"><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table>"
    )
    if scrolls:
        html = (
            f'<div class="loupe-scroll" tabindex="0" role="region" aria-label="{escape(name)}">{html}</div>'
        )
    st.html(html)


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
