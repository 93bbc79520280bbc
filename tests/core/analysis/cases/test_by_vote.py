"""What plain accuracy takes for the truth of a case, and whom it counts right."""

from __future__ import annotations

import pytest
from small_study import small_study

from core.analysis.cases.brief import BY_VOTE, ON_RECORD, brief_of
from core.analysis.cases.by_vote import vote_words
from core.analysis.cases.case import Case, open_case
from core.plausibility.settings import Aggregation

COUNTS, DRAWN = Aggregation("label-counts", 1.0), Aggregation("plackett-luce", 1.0)


def _case(said: list[str], models: dict[str, list[float]], kind: str = "choice") -> Case:
    """A case of three labels, its readings and the probabilities of models."""
    predictions = {name: [of] for name, of in models.items()}
    study, task = small_study(kind, "abc", [said], predictions=predictions)
    return open_case(study, task, COUNTS if kind == "choice" else DRAWN, 0)


A, B, C, AB = [0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8], [0.4, 0.4, 0.2]


@pytest.mark.parametrize(
    ("models", "said"),
    [
        ({"X": A}, "the model counts right"),
        ({"X": B}, "the model counts wrong"),
        ({"X": A, "Y": A}, "both models count right"),
        ({"X": B, "Y": C, "Z": B}, "all 3 models count wrong"),
        ({"X": A, "Y": B, "Z": C}, "X counts right, Y and Z wrong"),
        ({"X": A, "Y": A, "Z": AB}, "X and Y count right, Z partly right"),
        (dict(zip("VWXYZ", (A, A, B, B, C), strict=True)), "2 of 5 models count right"),
    ],
)
def test_models_count_by_the_label_with_most_votes(models: dict[str, list[float]], said: str) -> None:
    """Each is named, up to four."""
    words = vote_words(_case(["a", "a", "b"], models))
    assert words == f"It takes a (most votes) for the truth: {said}."


def test_a_tie_of_votes_leaves_it_open_and_shared_votes_are_told() -> None:
    """How a tie is broken decides; tied labels share the vote of a reading."""
    tied = "a and b have equally many votes: how the tie is broken decides which model is right."
    assert vote_words(_case(["a", "b"], {"X": A})) == tied
    case = _case(["ab", "abc", "ab", "c", "c"], {}, "ranking")
    shared = "It takes c (most votes, where tied labels share a vote) for the truth."
    assert vote_words(case) == shared
    assert brief_of(case)[BY_VOTE] == shared
    assert "c" not in brief_of(case).get(ON_RECORD, "")


def test_nothing_is_said_where_it_adds_nothing() -> None:
    """Of a label that is nearly certain, of a point estimate, of scores, and without readings."""
    assert vote_words(_case(["a"] * 12, {"X": A})) == ""
    assert BY_VOTE not in brief_of(_case(["a"] * 12, {"X": A}))
    study, task = small_study("choice", "abc", [["a", "b"], []])
    assert vote_words(open_case(study, task, Aggregation("majority"), 0)) == ""
    assert vote_words(open_case(study, task, COUNTS, 1)) == ""
    study, task = small_study("score", "", [[4.0, 5.0, 6.0]])
    assert vote_words(open_case(study, task, Aggregation("gaussian", 1.0), 0)) == ""
