"""Which examination comes first is what the study says of the labels; Loupe adds no medicine of its own."""

from __future__ import annotations

import pandas as pd
import pytest

from core.analysis.cases.firmer import FIRMER, FIRST, REFERENCE, firmer_words, first_words

Labels = list[tuple[str, int, str]]


def frame(labels: Labels) -> pd.DataFrame:
    """Plausible labels, the truths of a hundred in which each leads, and what settles it."""
    return pd.DataFrame(labels, columns=["label", "leads", "settled_by"])


@pytest.mark.parametrize(
    ("labels", "danger", "words"),
    [
        ([("A", 31, ""), ("B", 12, "")], 0.43, f"{FIRST}, to settle A (31 of 100) and B (12)"),
        ([("A", 31, "")], 0.4, f"{FIRST}, to settle A (31 of 100) and other high risk (9)"),
        ([], 0.3, f"{FIRST}, to settle other high risk (30 of 100)"),
        ([("A", 31, "biopsy"), ("B", 12, "biopsy")], 0.43, "biopsy first, for A (31 of 100) and B (12)"),
        (
            [("A", 31, "biopsy"), ("C", 21, "swab and culture"), ("B", 12, "biopsy")],
            0.64,
            "biopsy first, for A (31 of 100) and B (12); swab and culture for C (21)",
        ),
        # What settles most comes first, though another label leads more often.
        (
            [("C", 21, "swab"), ("A", 20, "biopsy"), ("B", 12, "Biopsy.")],
            0.53,
            "biopsy first, for A (20 of 100) and B (12); swab for C (21)",
        ),
        # Where nothing is said the general words are for these labels alone.
        (
            [("A", 31, "biopsy"), ("C", 21, "")],
            0.6,
            f"biopsy first, for A (31 of 100); {REFERENCE} for C (21) and other high risk (8)",
        ),
        (
            [("C", 31, ""), ("A", 21, "biopsy")],
            0.52,
            f"{REFERENCE} first, for C (31 of 100); biopsy for A (21)",
        ),
        (
            [("A", 31, "biopsy"), ("C", 21, "swab")],
            0.6,
            "biopsy first, for A (31 of 100); swab for C (21); also possible: other high risk (8)",
        ),
        # Of many the most frequent have their names.
        (
            [("A", 20, "u"), ("B", 15, "v"), ("C", 10, "w"), ("D", 5, "x")],
            0.5,
            "u first, for A (20 of 100); v for B (15); w for C (10); also possible: other high risk (5)",
        ),
        ([("7", 31, "14")], 0.31, "“14” first, for “7” (31 of 100)"),
        ([("<i>A</i>", 31, "<b>x</b>")], 0.31, "<b>x</b> first, for <i>A</i> (31 of 100)"),
        ([("A", 31, "...")], 0.31, "... first, for A (31 of 100)"),
    ],
)
def test_what_comes_first(labels: Labels, danger: float, words: str) -> None:
    """Each examination once, with its labels and their numbers, as text."""
    assert first_words(frame(labels), danger) == words


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        ([], FIRMER),
        ([("A", 9, "")], FIRMER),
        ([("A", 9, "biopsy")], "Readings alone may not settle it; biopsy would."),
        (
            [(name, 6, "biopsy") for name in "ABCDE"],
            "Readings alone may not settle it; biopsy would.",
        ),
        (
            [("C", 8, "swab"), ("A", 6, "biopsy"), ("B", 5, "biopsy")],
            "Readings alone may not settle it. What would: biopsy for A and B; swab for C.",
        ),
        (
            [("A", 9, "biopsy"), ("B", 6, "")],
            f"Readings alone may not settle it. What would: biopsy for A; {REFERENCE} for B.",
        ),
    ],
)
def test_what_settles_more_than_readings(labels: Labels, words: str) -> None:
    """In general where nothing is said; with the labels where there is more than one examination."""
    assert firmer_words(frame(labels)) == words
