"""The model to look at first."""

from __future__ import annotations

import math

from core.analysis.models.claims import Judged
from core.analysis.models.look_first import look_first

A = Judged("A", 0.79, (0.73, 0.8), 0.72)
B = Judged("B", 0.8, (0.7, 0.77), 0.77)
C = Judged("C", 0.74, (0.69, 0.75), 0.31, misses=True)


def test_one_is_named_where_it_is_sure() -> None:
    """With how many dangers it names, who names the most, and by how much its claim is too high."""
    who, why = look_first([B, C, A], {"A": 0.92, "B": 0.08, "C": 0.0})
    assert who == "Look first at A"
    assert why == (
        "the most accurate in 92 of 100 plausible truths; it names 72\u00a0% of the dangerous truths, B "
        "77\u00a0%"
    )
    assert look_first([A, B], {"A": 0.1, "B": 0.9})[1].endswith(
        "it names 77\u00a0% of the dangerous truths, none more; its claim is 3 points too high"
    )
    assert (
        "it names only 31\u00a0% of the dangerous truths, B 77" in look_first([B, C], {"B": 0.1, "C": 0.9})[1]
    )


def test_two_are_named_where_labels_leave_it_open() -> None:
    """And of these who misses danger."""
    assert look_first([A, B], {"A": 0.6, "B": 0.4}) == (
        "Look first at A and B",
        "which is more accurate, these labels leave open",
    )
    assert look_first([A, C], {"A": 0.6, "C": 0.4})[1].endswith(
        "; C names only 31\u00a0% of the dangerous truths, A 72\u00a0%"
    )


def test_nothing_is_named_of_one_model_or_of_none() -> None:
    """Nor where it is not known who is best; without risk levels danger is not spoken of."""
    assert look_first([A], {"A": 1.0}) == ("", "")
    assert look_first([A, B], {}) == ("", "")
    plain = [Judged(name, 0.7, (0.6, 0.8), math.nan) for name in "XY"]
    assert look_first(plain, {"X": 1.0, "Y": 0.0})[1] == "the most accurate in 100 of 100 plausible truths"
