"""Which dangers each model names, as a table with a bar in each cell: what is short is missed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

NAME = "Which dangers each model names"
_PERCENT = re.compile(r"\d+")


def markup(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Write the table; behind two cells of words come shares, as they are written."""
    head = "".join(f'<th scope="col">{escape(words)}</th>' for words in heads)
    body = "".join(
        "<tr>"
        + "".join(f"<td>{escape(words)}</td>" for words in row[:2])
        + "".join(map(_share, row[2:]))
        + "</tr>"
        for row in rows
    )
    return (
        f'<table class="loupe-table" aria-label="{NAME}"><thead><tr>{head}</tr></thead><tbody>{body}</tbody>'
        "</table>"
    )


def _share(words: str) -> str:
    """A cell with a share, and a bar as long as that; none where it is not told."""
    found = _PERCENT.search(words)
    bar = f'<i aria-hidden="true"><b style="width: {found[0]}%"></b></i>' if found else ""
    return f"<td><span>{escape(words)}</span>{bar}</td>"
