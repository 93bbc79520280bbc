"""Every model in plain words: of a hundred cases, of its dangers and of its warnings."""

from __future__ import annotations

import math
from dataclasses import replace

import pandas as pd

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


def test_a_model_is_told_in_counts_with_each_of_its_accuracies() -> None:
    """By readings unless a reference decides; what the other gives stands behind it."""
    danger = "Misses about 9 of 50 dangers. About 10 of 50 warnings are false."
    assert _said(A) == f"Right in 73 to 80 of 100 cases by these readings (claimed 79). {danger}"
    assert "cases by these readings (claimed 79, reference 92)." in _said(A, _found("readers"))
    firm = replace(A, ends=(0.92, 0.92))
    assert _said(firm, _found("histology")).startswith(
        "Right in 92 of 100 cases by the study’s reference (claimed 79, readings 77)."
    )
    few = _found("readers", n=40)
    assert _said(A, few) == _said(A), "a reference of few cases says nothing of all"


def test_some_are_never_none_and_what_a_reference_counts_is_not_about() -> None:
    """A danger that is missed is never rounded away; without risk levels nothing is said of any."""
    assert "Misses fewer than 1 of 50 dangers." in _said(replace(A, danger=0.999))
    assert "Misses none of 50 dangers." in _said(replace(A, danger=1.0))
    assert _said(replace(A, alarms=0.0)).endswith("None of 50 warnings are false.")
    assert _said(replace(A, alarms=0.001)).endswith("Fewer than 1 of 50 warnings is false.")
    assert _said(replace(A, alarms=0.02)).endswith("About 1 of 50 warnings is false.")
    firm = replace(A, ends=(0.92, 0.92), alarms=0.2)
    assert _said(firm, _found("histology")).endswith("Misses 9 of 50 dangers. 10 of 50 warnings are false.")
    tied = replace(firm, alarms=0.21)
    assert _said(tied, _found("histology")).endswith("About 11 of 50 warnings are false."), "a tie is a part"
    for warnings in (0.2, math.nan):
        assert "warnings" not in _said(replace(A, n_alarms=warnings))
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
