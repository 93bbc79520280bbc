"""What a case comes to beneath its sentence, a line for each question: models, label on record, what next."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import streamlit as st

from core.analysis.cases.settle import Settle
from dashboard.views.cases.tables import CaseTables

_FIRST, _NEXT = "First choices", "Useful next"


def rows(tables: CaseTables, settle: Settle | None) -> list[tuple[str, str]]:
    """Each question with its answer; none that there is nothing to say of.

    ``settle`` is what `core.analysis.cases.settle.settle` says; None where nobody needs to ask.
    """
    models = " ".join(filter(None, (tables.named, tables.too_sure)))
    other, hangs = tables.other_first, tables.hanging
    firm = ""
    if hangs is not None:
        firm = hangs.head if hangs.rows else f"{hangs.head} {hangs.sentence}".strip()
    found = [
        (_FIRST, other.alone if other is not None and other.is_riskier else ""),
        ("Models", models),
        ("On record", f"{tables.beside}." if tables.beside else ""),
        ("How firm", firm),
        (_NEXT, settle.action if settle is not None else ""),
    ]
    return [(name, f"{words[:1].upper()}{words[1:]}") for name, words in found if words]


def show(said: Sequence[tuple[str, str]]) -> None:
    """Write the lines, the last one as what the case ends in."""
    items = "".join(
        f'<div{_marked(name)}><dt>{escape(name)}</dt><dd dir="auto">{escape(words)}</dd></div>'
        for name, words in said
    )
    # One element in any case: where lines come or go as the slider moves, nothing below is made anew.
    st.html(f'<dl class="loupe-text loupe-brief">{items}</dl>' if items else "<p></p>")


def _marked(name: str) -> str:
    """How a line is marked: a riskier label by first choices, and what would be useful next."""
    return {_FIRST: ' class="loupe-risky"', _NEXT: ' class="loupe-next"'}.get(name, "")
