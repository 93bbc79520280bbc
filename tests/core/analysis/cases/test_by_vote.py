"""What plain accuracy takes for the truth of a case, and whom it counts right."""

from __future__ import annotations

import pytest
from small_study import small_study

from core.analysis.cases.brief import BY_VOTE, FIRST, ON_RECORD, brief_of
from core.analysis.cases.by_vote import vote_of
from core.analysis.cases.case import Case, open_case
from core.plausibility.settings import Aggregation

COUNTS, DRAWN = Aggregation("label-counts", 1.0), Aggregation("plackett-luce", 1.0)


def _case(said: list[str], models: dict[str, list[float]], kind: str = "choice") -> Case:
    """A case of three labels, its readings and the probabilities of models."""
    predictions = {name: [of] for name, of in models.items()}
    study, task = small_study(kind, "abc", [said], predictions=predictions)
    return open_case(study, task, COUNTS if kind == "choice" else DRAWN, 0)


def vote_words(case: Case) -> str:
    """What is said of the label with most votes; empty where nothing is."""
    of = vote_of(case)
    return "" if of is None else of.sentence


A, B, C, AB = [0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8], [0.4, 0.4, 0.2]


@pytest.mark.parametrize(
    ("models", "said"),
    [
        ({"X": A}, "X as right"),
        ({"X": B}, "X as wrong"),
        ({"X": A, "Y": A}, "both models as right"),
        ({"X": B, "Y": C, "Z": B}, "all 3 models as wrong"),
        ({"X": A, "Y": B, "Z": C}, "X as right, Y and Z as wrong"),
        ({"X": A, "Y": A, "Z": AB}, "X and Y as right, Z as partly right"),
        (dict(zip("VWXYZ", (A, A, B, B, C), strict=True)), "2 of 5 models as right"),
        ({"Model A": A, "Model B": B, "Model C": A}, "Models\u00a0A\u00a0and\u00a0C as right, B as wrong"),
        ({"X": A, "Y": B, "Z": C, "W": B}, "X as right; Y, Z and W as wrong"),
        ({"Net 18": A, "Net 50": B}, "Net 18 as right, Net 50 as wrong"),
        ({"Old model": A, "Old net": B}, "Old model as right, Old net as wrong"),
        ({"Net A": A, "Model B": B}, "Net A as right, Model B as wrong"),
    ],
)
def test_models_count_by_the_label_with_most_votes(models: dict[str, list[float]], said: str) -> None:
    """Each is named, up to four, and by its letter alone where all names begin alike."""
    assert vote_words(_case(["a", "a", "b"], models)) == f"a, so plain accuracy counts {said}."


def test_a_tie_of_votes_leaves_it_open_and_shared_votes_are_told() -> None:
    """How a tie is broken decides, unless no model names one of these; tied labels share a vote."""
    depends = "a and b are tied, so accuracy depends on how the tie is broken."
    assert vote_words(_case(["a", "b"], {"X": A, "Y": C})) == depends
    wrong = "a and b are tied, so plain accuracy counts both models as wrong, whichever is taken."
    assert vote_words(_case(["a", "b"], {"X": C, "Y": C})) == wrong
    assert vote_words(_case(["a", "b"], {})) == "a and b are tied."
    case = _case(["ab", "abc", "ab", "c", "c"], {}, "ranking")
    shared = "c, if tied labels share a vote."
    assert vote_words(case) == shared
    assert brief_of(case)[BY_VOTE] == f"C{shared[1:]}"
    assert "c" not in brief_of(case).get(ON_RECORD, "")


def test_a_label_that_is_nearly_certain_is_told_in_full_alone() -> None:
    """It stands in no brief."""
    case = _case(["a"] * 12, {"X": A})
    assert not vote_of(case).is_open
    assert vote_words(case) == "a, so plain accuracy counts X as right."
    assert BY_VOTE not in brief_of(case)
    assert vote_of(_case(["a", "a", "b"], {})).is_open


def test_first_choices_that_have_a_line_say_what_accuracy_makes_of_them() -> None:
    """The label is not named twice."""
    study, task = small_study(
        "ranking",
        "abc",
        [["b", "b", "a", "a c", "c a", "b a"]],
        risk="LHL",
        predictions={"X": [AB], "Y": [C]},
    )
    said = brief_of(open_case(study, task, DRAWN, 0))
    assert BY_VOTE not in said
    assert (
        said[FIRST]
        == "By first choices alone, b (high risk) would lead: plain accuracy counts X as partly right, "
        "Y as wrong."
    )


def test_nothing_is_said_where_it_adds_nothing() -> None:
    """Of a point estimate, of scores, and without readings."""
    study, task = small_study("choice", "abc", [["a", "b"], []])
    assert vote_words(open_case(study, task, Aggregation("majority"), 0)) == ""
    assert vote_words(open_case(study, task, COUNTS, 1)) == ""
    study, task = small_study("score", "", [[4.0, 5.0, 6.0]])
    assert vote_words(open_case(study, task, Aggregation("gaussian", 1.0), 0)) == ""
