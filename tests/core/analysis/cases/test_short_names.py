"""What abbreviated labels of a case stand for."""

from __future__ import annotations

from dataclasses import replace

import pytest
from small_study import small_study

from core.analysis.cases.case import open_case
from core.analysis.cases.short_names import MOST_SPELLED, spelled_words
from core.plausibility.settings import Aggregation

COUNTS = Aggregation("label-counts", 1.0)
LABELS = ("SCC/SCCIS", "Acne", "BCC", "Eczema, NOS", "MM")
DESCRIBED = ("Squamous cell carcinoma.", "Pimples", "BCC is one", "Not otherwise specified", "")


def _spelled(*readings: str, labels: tuple[str, ...] = LABELS) -> str:
    study, task = small_study("choice", "abcde", [list(readings)])
    task = replace(task, labels=labels, description=DESCRIBED)
    return spelled_words(open_case(replace(study, tasks={task.name: task}), task, COUNTS, 0))


@pytest.mark.parametrize(
    ("readings", "said"),
    [
        ("aab", "SCC/SCCIS: squamous cell carcinoma"),
        ("cca", "BCC: BCC is one. SCC/SCCIS: squamous cell carcinoma"),
        ("dd", "Eczema, NOS: not otherwise specified"),
        ("be", ""),
    ],
)
def test_abbreviations_that_readings_name_are_spelled_out(readings: str, said: str) -> None:
    """Those of the case alone, in its order; a word is none, and what nothing is said of is left out."""
    assert _spelled(*readings) == said


def test_of_many_the_first_are_told_and_scores_have_none() -> None:
    """A line stays a line."""
    many = tuple(f"A{letter}" for letter in "BCDEF")
    assert _spelled(*"abcd", labels=many).count(": ") == min(MOST_SPELLED, 4)
    scores, task = small_study("score", "", [[4.0, 5.0]])
    assert spelled_words(open_case(scores, task, Aggregation("gaussian", 1.0), 0)) == ""
