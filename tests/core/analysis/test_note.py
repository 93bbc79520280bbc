"""A note reads alike as text and as a page to print, and holds no markup but its own."""

from __future__ import annotations

import re

from core.analysis.note import Heading, Items, Note, Rows, Words, as_html, as_text

NOTE = Note(
    "About <A> & B",
    (
        Heading("Tested"),
        Items(("one", "two <script>alert(1)</script>")),
        Words("79\u00a0% is <b>possible</b>.", "strong"),
        Rows("Claims", ("Model", "Claimed", "Claim supported?"), (("<i>X</i>", "80\u00a0%", "✗\u00a0no"),)),
        Items(("first?", "second?"), is_numbered=True),
    ),
    ("Research use, not for diagnosis.",),
)


def test_text_is_plain() -> None:
    """Headings are underlined, a row is a line, and no space keeps a line from breaking."""
    text = as_text(NOTE)
    assert "\u00a0" not in text
    assert text.startswith("About <A> & B\n=============\n")
    assert "Tested\n------\n" in text
    assert "- <i>X</i>. Claimed: 80 %; Claim supported? ✗ no\n" in text
    assert "1. first?\n2. second?\n" in text
    assert text.endswith("\nResearch use, not for diagnosis.\n")


def test_the_page_shows_what_is_written_and_runs_nothing() -> None:
    """Every tag is the note's own, nothing comes from elsewhere, and it is for paper, light."""
    page = as_html(NOTE)
    tags = set(re.findall(r"<(\w+)", page))
    assert not tags & {"script", "b", "i", "A", "img", "link", "a", "iframe"}
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert not re.search(r"https?:|url\(|@import|\bon\w+=", page)
    assert "default-src 'none'" in page
    assert "color-scheme: light" in page
    assert "size: A4" in page
    for words in ("Tested", "first?", "Research use, not for diagnosis."):
        assert words in page
