"""Which models name danger in a case: counted from their first labels, and only where there may be some."""

from __future__ import annotations

import pytest
from small_study import small_study

from core.analysis.cases.case import open_case
from core.analysis.cases.named_danger import named_danger
from core.plausibility.settings import Aggregation

COUNTS = Aggregation("label-counts", 1.0)
LOW, HIGH, BOTH = [0.7, 0.3], [0.2, 0.8], [0.5, 0.5]


def said(readings: str, answers: list[list[float]], risk: str = "LH") -> str:
    """What is said of a case with these readings of a and b, and one model for each answer."""
    predictions = {name: [answer] for name, answer in zip("ABCDEF", answers, strict=False)}
    study, task = small_study("choice", "ab", [list(readings)], risk=risk, predictions=predictions)
    return named_danger(open_case(study, task, COUNTS, 0))


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        ([LOW, HIGH], "B puts a high-risk label first; A does not."),
        ([HIGH, LOW, BOTH, LOW], "A and C put a high-risk label first; B and D do not."),
        ([HIGH], "A puts a high-risk label first."),
        ([LOW, LOW], "A and B do not put a high-risk label first."),
        ([LOW] * 5 + [HIGH], "F puts a high-risk label first; A, B, C and 2 more do not."),
        ([], ""),
    ],
)
def test_models_are_told_apart_by_what_they_put_first(answers: list[list[float]], words: str) -> None:
    """Labels that share the first place count, if one of them is dangerous."""
    assert said("aab", answers) == words


def test_without_danger_nothing_is_said() -> None:
    """Where all readings say otherwise, nobody read the case, or there are no levels."""
    assert said("a" * 12, [LOW]) == said("", [LOW]) == said("aab", [LOW], risk="") == ""
