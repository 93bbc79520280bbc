"""The model that is right most often."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from core.analysis.models.claims import Judged
from core.analysis.models.look_first import decided, first_alone, look_first

A = Judged("A", 0.8, (0.73, 0.8), 0.72, 0.19, alarms_ends=(0.14, 0.24))
B = Judged("B", 0.8, (0.7, 0.77), 0.77, 0.23, alarms_ends=(0.18, 0.28))
C = Judged("C", 0.8, (0.69, 0.75), 0.31, 0.04, misses=True, alarms_ends=(0.01, 0.08))
RIGHT = "It comes first in 92 of 100 plausible truths (truths that the readings leave possible)."


def _of(best: Mapping[str, float], *claims: Judged) -> list[Judged]:
    """The claims, each with how often it is the best."""
    return [replace(one, best=best[one.model]) for one in claims]


def _why(top: Judged, *others: Judged) -> str:
    """Why one is named that is surely right most often, after that."""
    best = {top.model: 0.92} | {one.model: 0.01 for one in others}
    who, why = look_first(_of(best, *others, top))
    assert who == f"Most often right: {top.model}"
    return why.removeprefix(RIGHT)


def test_one_is_named_where_it_is_sure() -> None:
    """With who misses clearly fewer dangers, at which cost; who misses more, the table of claims says."""
    assert _why(A, B) == ""
    assert _why(A, B, C) == ""
    assert _why(C, B) == " B misses clearly fewer dangers, but a larger share of its warnings is false."


def test_a_cost_is_named_where_it_is_clear() -> None:
    """False alarms whose intervals overlap, or that are not known, are not compared; fewer are said to be."""
    named = " B misses clearly fewer dangers"
    for ends in ((0.02, 0.19), (math.nan, math.nan)):
        assert _why(replace(C, alarms_ends=ends), B) == f"{named}."
    many = replace(C, alarms=0.5, alarms_ends=(0.4, 0.6))
    assert _why(many, B) == f"{named}, and a smaller share of its warnings is false."


def test_two_are_named_where_labels_leave_it_open() -> None:
    """And of these who misses danger."""
    assert look_first(_of({"A": 0.6, "B": 0.4}, A, B)) == (
        "Most often right: A or B",
        "These labels cannot tell which.",
    )
    assert look_first(_of({"A": 0.6, "C": 0.4}, A, C))[1].endswith(" C misses clearly more dangers than A.")


def test_who_would_be_first_by_the_majority_label_is_said_where_it_is_another() -> None:
    """By the percents that are shown: what a normal evaluation would have picked."""
    higher = replace(B, claimed=A.claimed + 0.01)
    said = "By the majority label, B would be first."
    assert said in look_first(_of({"A": 0.9, "B": 0.1}, A, higher))[1]
    assert look_first(_of({"A": 0.6, "B": 0.4}, A, higher))[1].endswith(said)
    for other in (B, replace(B, claimed=A.claimed - 0.01), replace(B, claimed=A.claimed + 0.004)):
        assert "majority label" not in look_first(_of({"A": 0.9, "B": 0.1}, A, other))[1]


def test_nothing_is_named_of_one_model_or_of_none() -> None:
    """Nor where it is not known who is best; without risk levels danger is not spoken of."""
    assert look_first(_of({"A": 1.0}, A)) == ("", "")
    assert look_first([A, B]) == ("", "")
    plain = [Judged(name, 0.7, (0.6, 0.8), math.nan) for name in "XY"]
    assert look_first(_of({"X": 0.92, "Y": 0.0}, *plain))[1] == RIGHT


def test_a_model_is_named_alone_where_it_is_surely_best() -> None:
    """Of one model, and of none, there is nothing to tell."""
    assert first_alone({"A": 0.1, "B": 0.9}) == "B"
    assert first_alone({"A": 0.6, "B": 0.4}) == first_alone({"A": 1.0}) == first_alone({}) == ""


def test_a_sentence_says_what_follows_for_each() -> None:
    """In the order of what to do; of one model, and where it is not known who is best, nothing."""
    ask = replace(B, model="D", claimed=0.9)
    of = {"A": 0.9, "B": 0.01, "C": 0.01, "D": 0.08}
    seldom = replace(B, claimed=0.7)
    said = "Consider A further; ask first about D; do not use C as it is; rarely best: B"
    assert decided(_of(of, C, A, seldom, ask)) == said
    assert decided(_of({"A": 1.0}, A)) == ""
    assert decided([A, B]) == ""
