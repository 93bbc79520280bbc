"""Words and numbers as people read them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.formatting import percent
from dashboard.components.text import count, unmarked, wrapped


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
