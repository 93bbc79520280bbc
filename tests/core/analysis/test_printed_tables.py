"""Tables for papers: escaped, rounded as their errors allow, with heads that say what an interval is of."""

from __future__ import annotations

import re
from io import BytesIO

import numpy as np
import pandas as pd
import pytest

from core.analysis.column import OTHER_CASES, Column, Table, ends, error, value
from core.analysis.printed_tables import latex_table, markdown_table, parquet_table, rounded

VALUE = value("value", "the value", "here", "standard_error")
OF = Table(
    "test",
    "test",
    "test",
    "a row",
    (
        VALUE,
        error(),
        *ends("value", OTHER_CASES, VALUE, "here"),
        Column("{model}: right", "a pattern"),
    ),
)


@pytest.mark.parametrize(
    ("number", "given", "said"),
    [
        (0.123456, 0.0123, "0.123"),
        (0.123456, 0.00096, "0.12346"),
        (1234.5, 56.7, "1234"),
        (-0.0001, 0.02, "0.000"),
        (0.123456, np.nan, "0.123"),
        (0.123456, 0.0, "0.123"),
        (12345.6, 4321.0, "12300"),
        (np.nan, 0.1, ""),
        (np.inf, 0.1, "∞"),
    ],
)
def test_an_error_says_how_many_digits_mean_anything(number: float, given: float, said: str) -> None:
    """Two significant digits of the error; without one, three of the number."""
    assert rounded(pd.DataFrame({"value": [number], "standard_error": [given]}), OF)[0] == [said]


def test_an_interval_says_it_too_and_others_have_three_digits() -> None:
    """The width over 3.92; whole numbers and truth values stay what they are."""
    table = pd.DataFrame(
        {
            "low_over_cases": [0.1, 0.30123],
            "high_over_cases": [0.3, 0.30321],
            "p": [0.000012345, 0.5],
            "n": [3, 4],
        }
    )
    table["whole"] = [2.0, np.nan]
    table["yes"] = [True, False]
    assert rounded(table, OF) == [
        ["0.100", "0.30123"],
        ["0.300", "0.30321"],
        ["1.23e-05", "0.500"],
        ["3", "4"],
        ["2", ""],
        ["True", "False"],
    ]


def test_latex_is_escaped_and_says_what_an_interval_is_of() -> None:
    """Nothing of a name is a command; a minus is none of words; a row may begin with a bracket."""
    table = pd.DataFrame({"a_b": ["[50 %] & {x}\\y\n^~$#", "κ"], "low_over_cases": [-0.5, 1e-9]})
    text = latex_table(table, OF)
    assert (
        r"{[}50 \%{]} \& \{x\}\textbackslash{}y \textasciicircum{}\textasciitilde{}\$\# & $-0.500$ \\" in text
    )
    assert r"$\kappa$ & $1 \times 10^{-9}$ \\" in text
    head = r"\shortstack{low\_over\_cases\\{\scriptsize 95 \% interval over other}\\{\scriptsize cases}}"
    assert rf"a\_b & {head} \\" in text
    assert text.startswith("% Research use, not for diagnosis.")
    assert r"\footnotesize Research use, not for diagnosis." in text
    assert [text.count(rule) for rule in (r"\toprule", r"\midrule", r"\bottomrule")] == [1, 1, 1]
    assert r"\begin{longtable}{r}" in latex_table(pd.DataFrame({"n": range(41)}))


def test_markdown_is_escaped() -> None:
    """A bar ends no cell, nothing is HTML, a line break no row."""
    text = markdown_table(pd.DataFrame({"x": ["a|b\n<b>&*_`"], "low_over_cases": [0.25]}), OF)
    assert text.splitlines()[0] == r"| x | low\_over\_cases (95 % interval over other cases) |"
    assert text.splitlines()[2] == r"| a\|b &lt;b&gt;&amp;\*\_\` | 0.250 |"
    assert text.endswith("\nResearch use, not for diagnosis.\n")


def test_parquet_has_all_digits_and_text_as_it_was() -> None:
    """A column of several kinds becomes text; nothing is guarded."""
    table = pd.DataFrame(
        {"x": [1 / 3, np.nan], "t": ["=1", None], "mixed": ["a", 1], "n": pd.array([1, None], "Int64")}
    )
    back = pd.read_parquet(BytesIO(parquet_table(table)))
    assert back["x"][0] == 1 / 3
    assert back["t"].isna().tolist() == [False, True]
    assert back["t"][0] == "=1"
    assert back["mixed"].tolist() == ["a", "1"]
    assert back["n"].isna().tolist() == [False, True]
    assert parquet_table(table) == parquet_table(table)


USUAL = [*map(chr, range(0x21, 0x7F)), *"“”‘’–—…·→←↔≈≠≥≤×±−∞½²³°§αβγδεθκλμµρϱστφχΔΦΨ"]


def test_every_usual_letter_is_one_that_default_fonts_have() -> None:
    """Nothing is left that LaTeX reads as more than a letter, or that its default fonts show as another."""
    rows = latex_table(pd.DataFrame({"text": [f"a{letter}b" for letter in USUAL]})).splitlines()
    written = [row.removesuffix(r" \\") for row in rows if row.startswith("a") and row.endswith(r"b \\")]
    assert len(written) == len(USUAL)
    for letter, found in zip(USUAL, written, strict=True):
        assert found.isascii(), letter
        # Words that take a package, or other fonts.
        assert not re.search(r"textquotedbl|textless|textgreater|textbar|textrightarrow", found)
        plain = re.sub(r"\\[$#&%_{}]|\$[^$]*\$|\\[a-zA-Z]+(?:\{\})?|\{[\[\]*]\}", "", found)
        assert not re.search(r'[\\{}$&#^_%~<>|"*\[\]]', plain), letter
