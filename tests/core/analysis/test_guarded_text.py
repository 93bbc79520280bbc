"""The guard against formulas: nothing computes, and the text can be had back."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.guarded_text import guarded, unguarded

PIECES = st.sampled_from("=+-@＝＋－＠﹦'\" \u00a0\ufeff\u200b\x00;,\t\n\r\x85\u2028a1ü")
TEXTS = st.one_of(st.text(), st.lists(PIECES).map("".join))


@pytest.mark.slow
@given(TEXTS)
def test_the_text_can_be_had_back(text: str) -> None:
    """Whatever it is, apostrophes and guarded text included."""
    assert unguarded(guarded(text)) == text
    assert unguarded(unguarded(guarded(guarded(text)))) == text


@given(TEXTS)
def test_no_part_begins_with_a_formula(text: str) -> None:
    """Split at every separator, no part starts with a sign that computes, blanks and quotes dropped."""
    for part in re.split("[;,\t\n\r]", guarded(text)):
        assert not part.lstrip(' "\u00a0').startswith(tuple("=+-@＝＋－＠"))
    assert not guarded(text).startswith(("\t", "\r"))


@pytest.mark.parametrize(
    "text", ["", "Psoriasis", "'tis", "a-b", "1 - 2", "x = y", "A, B", "e; f", "−1", "a'=b"]
)
def test_what_cannot_compute_is_left_alone(text: str) -> None:
    """No apostrophe where none is needed."""
    assert guarded(text) == text


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("=1+1", "'=1+1"),
        ("  @x", "'  @x"),
        ("＝1", "'＝1"),
        ("a;=1+1", "a;'=1+1"),
        ("a; -1", "a;' -1"),
        ('a,"+1"', 'a,\'"+1"'),
        ("\t=x", "'\t'=x"),
        ("'=1", "''=1"),
    ],
)
def test_an_apostrophe_stands_before_each_start(text: str, wanted: str) -> None:
    """At the beginning, and after each separator in the cell."""
    assert guarded(text) == wanted
