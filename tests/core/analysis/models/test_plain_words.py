"""Every model in plain words: of a hundred cases, of ten dangers and of ten warnings."""

from __future__ import annotations

import math
from dataclasses import replace

import pandas as pd
import pytest

from core.analysis.models.basis import basis_of
from core.analysis.models.by_reference import ByReference
from core.analysis.models.claims import Judged
from core.analysis.models.plain_words import plain_words, why_several

A = Judged("A", 0.79, (0.73, 0.8), danger=0.82, alarms=0.19, dangers=50.0, n_alarms=50.0)
NONE = ByReference()


def _found(standard: str, n: int = 300) -> ByReference:
    row = {"names": "A", "n": n, "right": 0.92, "right_read": 0.77}
    return ByReference(pd.DataFrame([row]), n, 301, {standard: n})


def _said(one: Judged, found: ByReference = NONE) -> str:
    ((model, words),) = plain_words([one], found, basis_of(found))
    assert model == one.model
    return words


def test_a_model_is_told_in_natural_frequencies_with_each_of_its_accuracies() -> None:
    """By readings unless a reference decides; what the other gives stands behind it."""
    danger = "Misses about 2 of 10 dangers. About 2 of 10 warnings are false."
    assert _said(A) == f"Right in 73 to 80 of 100 cases by these readings (claimed 79). {danger}"
    assert "cases by these readings (claimed 79, reference 92)." in _said(A, _found("readers"))
    firm = replace(A, ends=(0.92, 0.92))
    assert _said(firm, _found("histology")).startswith(
        "Right in 92 of 100 cases by the study’s reference (claimed 79, readings 77)."
    )
    few = _found("readers", n=40)
    assert _said(A, few) == _said(A), "a reference of few cases says nothing of all"


@pytest.mark.parametrize(
    ("caught", "words"),
    [
        (1.0, "none"),
        (0.97, "fewer than 1"),
        (0.949, "about 1"),
        (0.32, "about 7"),
        (0.04, "more than 9"),
        (0, "10"),
    ],
)
def test_of_ten_never_claims_none_or_all_of_what_is_in_between(caught: float, words: str) -> None:
    """A danger that is missed is never rounded away."""
    assert f"Misses {words} of 10 dangers." in _said(replace(A, danger=caught))


def test_few_dangers_and_few_warnings_are_not_blown_up_to_ten() -> None:
    """Of three dangers it is said how many of three; of few or no warnings nothing is."""
    few = replace(A, dangers=3.0, danger=0.6)
    assert "Misses about 1 of 3 dangers." in _said(few)
    for warnings in (4.0, math.nan):
        assert "of 10 warnings" not in _said(replace(A, n_alarms=warnings))
    assert _said(replace(A, alarms=0.1)).endswith("About 1 of 10 warnings is false.")
    assert _said(replace(A, alarms=0.0)).endswith("None of 10 warnings are false.")
    plain = Judged("A", 0.79, (0.73, 0.8))
    assert _said(plain) == "Right in 73 to 80 of 100 cases by these readings (claimed 79)."


def test_why_one_model_has_several_accuracies_names_each_and_by_which_to_decide() -> None:
    """A reference that nobody gave is not spoken of; by readers alone it decides nothing."""
    assert "reference" not in why_several(NONE)
    assert why_several(NONE).endswith("Decide by what is supported.")
    by_readers = _found("readers")
    assert "The study’s reference: one answer per case" in why_several(by_readers)
    assert why_several(by_readers).endswith("The readings keep all: decide by what the readings support.")
    firm = _found("histology")
    assert why_several(firm, basis_of(firm)).endswith("Where a case has one, it outweighs the readings.")
    assert "By readings: every answer" in why_several(firm, basis_of(firm))
