"""Labels that lead alike, in words."""

from __future__ import annotations

import numpy as np

from core.analysis.tied_labels import (
    labels_in_words,
    labels_named,
    names_label,
    number_tied,
    tied_in_words,
    tied_labels,
)


def test_every_case_has_the_words_of_its_labels() -> None:
    """One, several, or none; as they are put case by case."""
    names = ["A", "B", "C", "D"]
    leads = np.random.default_rng(3).random((200, 4)) < 0.4
    case, label = np.nonzero(leads)
    wanted = [tied_in_words([names[y] for y in np.flatnonzero(row)]) for row in leads]
    assert {"", "A", "A or B (tied)", "A, B, C or D (tied)"} <= set(wanted)
    assert labels_in_words(200, case, label, names).tolist() == wanted
    assert labels_in_words(3, np.array([1]), np.array([2]), names).tolist() == ["", "C", ""]
    assert labels_in_words(0, np.zeros(0, int), np.zeros(0, int), names).tolist() == []


def test_tied_labels_are_counted() -> None:
    """Named or counted, and whatever is in a name; a label alone is not tied."""
    names = ["A", "B or not", "C, late", "5 more", *map(str, range(20))]
    for tied in (names[:2], names[:3], names[1:4], names[:14], names):
        assert number_tied(tied_in_words(tied), names) == len(tied)
    assert number_tied("B or not", names) == 0


def test_a_label_is_not_taken_for_another_that_goes_on_after_a_comma() -> None:
    """“Nevus” is none of those tied where “Nevus, atypical” is, nor “Burn” where “Burn or scald” is."""
    names = ["Nevus", "Nevus, atypical", "Burn", "Burn or scald", "atypical", "scald", "Eczema"]
    tied = ["Nevus, atypical", "Burn or scald", "Eczema"]
    words = tied_in_words(tied)
    assert words == "“Nevus, atypical”, “Burn or scald” or Eczema (tied)"
    assert tied_labels(words) == tuple(tied)
    assert [name for name in names if names_label(words, name)] == tied
    assert labels_named([words, "Burn"], names) == ["Nevus, atypical", "Burn", "Burn or scald", "Eczema"]
    assert number_tied(words, names) == 3
    assert tied_labels("Nevus, atypical") == ("Nevus, atypical",)
    assert tied_labels("") == ()
