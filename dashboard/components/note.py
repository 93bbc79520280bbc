"""A note to hand on: shown as it reads, with two ways to save it."""

from __future__ import annotations

from datetime import date
from html import escape

import streamlit as st

from core.analysis.note import Bands, Heading, Items, Note, Part, Words, as_html, as_text
from dashboard.components import text
from dashboard.components.picture import KEPT
from dashboard.components.text import element

_CSS = """<style>
[class*=st-key-note-] { max-width: 58rem; }
[class*=st-key-note-] .loupe-h2 { font-size: 1.3rem; }
[class*=st-key-note-] .loupe-h3 {
  font-size: 1.03rem; font-weight: 650; line-height: 1.3; padding-top: 0.5rem;
}
[class*=st-key-note-] :is(ul, ol) { margin: 0; padding-left: 1.3rem; }
[class*=st-key-note-] li { margin: 0 0 0.3rem; padding-left: 0.2rem; line-height: 1.45; }
[class*=st-key-note-] .loupe-table td:first-child { color: inherit; overflow-wrap: anywhere; }
[class*=st-key-note-] .loupe-table :is(th, td) { overflow-wrap: break-word; padding-right: 0.8rem; }
[class*=st-key-note-] .loupe-table :is(td, th):first-child { min-width: 4rem; }
@media (max-width: 640px) {
  [class*=st-key-note-] .loupe-table :is(th, td) { padding-right: 0.3rem; font-size: 0.82rem; }
}
</style>"""


def shown(note: Note, *, key: str) -> None:
    """Show a note as it reads; ``key`` is that of this part of the page."""
    st.html(_CSS)
    with st.container(key=f"note-{key}", gap="xsmall"):
        element("h2", note.title)
        for part in note.parts:
            _show(part)
        for words in note.foot:
            element("p", words, role="note")


def offered(note: Note, *, key: str, stem: str, paper: str = "One page of A4.") -> None:
    """Offer a note as a page to print and as text, in files named ``stem``, and say on what ``paper``.

    One without a foot is not finished, and cannot be saved.
    """
    with st.container(horizontal=True, key=f"save-note-{key}"):
        st.download_button(
            "Save to print (HTML)",
            as_html(note),
            file_name=f"{stem}.html",
            mime="text/html",
            on_click="ignore",
            key=f"{key}-html",
            disabled=not note.foot,
            help=f"{paper} It needs nothing else, and opens in any browser.",
        )
        st.download_button(
            "Save as text",
            as_text(note),
            file_name=f"{stem}.txt",
            mime="text/plain",
            on_click="ignore",
            key=f"{key}-text",
            disabled=not note.foot,
        )


def made_on() -> str:
    """The date as a note has it: 3 May 2026; none in a report, which is the same whenever it is made."""
    today = date.today()
    return "" if KEPT in st.session_state else f"{today.day} {today:%B %Y}"


def _show(part: Part) -> None:
    """Show a part of a note."""
    if isinstance(part, Bands):
        _show(part.in_words)
    elif isinstance(part, Heading):
        st.html(f'<h3 dir="auto" class="loupe-text loupe-h3">{escape(part.text)}</h3>')
    elif isinstance(part, Words):
        element("p", part.text, role=part.role)
    elif isinstance(part, Items):
        tag = "ol" if part.is_numbered else "ul"
        items = "".join(f'<li dir="auto" class="loupe-text">{escape(words)}</li>' for words in part.lines)
        st.html(f'<{tag} class="loupe-items">{items}</{tag}>')
    else:
        text.table(part.heads, part.rows, name=part.name)
