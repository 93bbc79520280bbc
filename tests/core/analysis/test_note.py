"""A note reads alike as text and as a page to print, and holds no markup but its own."""

from __future__ import annotations

import re

from core.analysis.note import Band, Bands, Heading, Items, Note, Rows, Words, as_html, as_text

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


def test_a_picture_is_rows_of_words_as_text_and_drawn_on_paper() -> None:
    """The first row is a cross, repeated by a stroke in the others, which are bars of their own length."""
    bands = (
        Band("Claimed", "by <votes>", "92\u00a0%", 0.92, 0.92),
        Band("Shown", "by these", "70–80\u00a0%", 0.7, 0.8),
    )
    note = Note("Title", (Bands("Both", bands, 0.5),), ())
    assert "- Claimed: 92 % (by <votes>)\n- Shown: 70–80 % (by these)\n" in as_text(note)
    page = as_html(note)
    assert 'role="img" aria-label="Both. Claimed: 92\u00a0% (by &lt;votes&gt;); Shown: ' in page
    assert "by &lt;votes&gt;</tspan>" in page
    (bar,) = re.findall(r'd="M([\d.]+) \d+H([\d.]+)" stroke="#0072b2"', page)
    ticks = [float(x) for x in re.findall(r'class="tick" x="([\d.]+)"', page)]
    assert [float(end) for end in bar] == [ticks[2], ticks[3]], "from 70 to 80 %"
    assert len(ticks) == 6
