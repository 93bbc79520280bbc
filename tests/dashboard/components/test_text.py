"""Words and numbers as people read them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.formatting import percent
from dashboard.components.text import count, table_html, unmarked, wrapped


@pytest.mark.parametrize(
    ("share", "words"), [(0, "0 %"), (0.001, "< 1 %"), (0.3, "30 %"), (0.999, "> 99 %"), (1, "100 %")]
)
def test_percent_never_overclaims(share: float, words: str) -> None:
    """0 and 100 % are kept for what is exactly that."""
    assert percent(share).replace("\u00a0", " ") == words


@given(st.text(max_size=200), st.integers(4, 40), st.integers(1, 3))
def test_wrapped_keeps_its_bounds(text: str, width: int, lines: int) -> None:
    """Never more lines, nor longer ones, than asked for."""
    rows = wrapped(text, width, lines=lines).split("\n")
    assert len(rows) <= lines
    assert all(len(row) <= width for row in rows)


def test_count_has_its_noun() -> None:
    """One case, two cases."""
    assert (count(1, "case"), count(1947, "case")) == ("1 case", "1,947 cases")


def test_unmarked_text_holds_no_mark() -> None:
    """Every mark of Markdown has a backslash; an address, an icon and a colour are broken by a joiner."""
    assert unmarked("a *b* [c](d)") == r"a \*b\* \[c\]\(d\)"
    assert unmarked("http://x.y") == "http\\:\u2060\\/\\/x\\.\u2060y"
    assert unmarked("www.x :red[y]\nz") == "www\u2060\\.\u2060x \\:\u2060red\\[y\\] z"
    assert unmarked("Naevus 2") == "Naevus 2"


def test_a_table_says_what_heads_mean_and_marks_rows() -> None:
    """For the pointer, and for a style; whatever is written, it is text."""
    html = table_html(
        ["<b>", "Plain"],
        [["1", "2"], ["3", "<i>"]],
        name="A & B",
        meanings={"<b>": 'how "often"'},
        marks=["", "a<b"],
    )
    assert '<th scope="col"><span title="how &quot;often&quot;">&lt;b&gt;</span></th>' in html
    assert '<th scope="col">Plain</th>' in html
    assert "<tr><td>1</td>" in html
    assert '<tr data-mark="a&lt;b"><td>3</td><td>&lt;i&gt;</td></tr>' in html
    assert 'aria-label="A &amp; B"' in html
    with pytest.raises(ValueError, match="zip"):
        table_html(["A"], [["1"], ["2"]], name="", marks=["one"])
