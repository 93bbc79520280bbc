"""Which models name danger in a case: counted from their first labels, and only where there may be some."""

from __future__ import annotations

import pytest
from small_study import small_study

from core.analysis.cases.case import open_case
from core.analysis.cases.named_danger import (
    MOST_SAID,
    answers_in_words,
    models_words,
    named_danger,
    short_names,
    too_sure,
    warns,
)
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
        ([LOW, HIGH], "A says a: no warning of danger. B warns."),
        ([HIGH, LOW, BOTH, LOW], "B and D say a: no warning of danger. A and C warn."),
        ([HIGH], "A warns of danger."),
        ([LOW], "A does not warn of danger; A has b second (30\u00a0%)."),
        ([LOW, [0.6, 0.4]], "No model warns of danger; B has b second (40\u00a0%)."),
        ([[1.0, 0.0]] * 2, "No model warns of danger."),
        ([LOW] * 5 + [HIGH], "A, B, C and 2 more say a: no warning of danger. F warns."),
        ([], ""),
    ],
)
def test_models_are_told_apart_by_what_they_put_first(answers: list[list[float]], words: str) -> None:
    """Labels that share the first place count, if one of them is dangerous."""
    assert said("aab", answers) == words


def test_danger_of_a_model_is_not_said_again_where_its_answer_stands_before() -> None:
    """Only of the model that would be named; where one warns nobody is named so."""
    predictions = {"A": [LOW], "B": [[0.6, 0.4]]}
    study, task = small_study("choice", "ab", [list("aab")], risk="LH", predictions=predictions)
    case = open_case(study, task, COUNTS, 0)
    assert models_words(case) == "No model warns of danger; B has b second (40\u00a0%)."
    assert models_words(case, ["A"]) == models_words(case)
    assert models_words(case, ["A", "B"]) == "No model warns of danger."
    study, task = small_study("choice", "ab", [list("aab")], risk="LH", predictions={"A": [LOW], "B": [HIGH]})
    warned = open_case(study, task, COUNTS, 0)
    assert named_danger(warned) == "A says a: no warning of danger. B warns."
    assert named_danger(warned, ["A"]) == "B warns of danger."
    assert answers_in_words(warned) == {
        "A": "A puts a first (70\u00a0%), b second (30\u00a0%): no warning of danger.",
        "B": "B puts b first (80\u00a0%).",
    }
    of = {"A": [LOW], "B": [LOW], "C": [HIGH]}
    study, task = small_study("choice", "ab", [list("aab")], risk="LH", predictions=of)
    assert (
        named_danger(open_case(study, task, COUNTS, 0), ["A"]) == "B says a: no warning of danger. C warns."
    )


def test_models_that_answer_alike_are_named_together() -> None:
    """Where no danger is spoken of: both, all so many, or the one that there is."""
    for n, who in ((1, "A puts"), (2, "Both models put"), (3, "All 3 models put")):
        assert said("aaa", [LOW] * n, risk="") == f"{who} a first."


def test_each_answer_is_told_with_the_danger_behind_it() -> None:
    """By hand: in its place, where that is second or third; ties, and models without an answer."""
    answers = {
        "A": [[0.7, 0.1, 0.2, 0.0]],
        "B": [[0.2, 0.8, 0.0, 0.0]],
        "C": [[0.4, 0.2, 0.4, 0.0]],
        "D": [[0.5, 0.05, 0.3, 0.15]],
        "E": [[float("nan")] * 4],
    }
    study, task = small_study("choice", "abcd", [list("aab")], risk="LHLL", predictions=answers)
    assert answers_in_words(open_case(study, task, COUNTS, 0)) == {
        "A": "A puts a first (70\u00a0%), b third (10\u00a0%): no warning of danger.",
        "B": "B puts b first (80\u00a0%).",
        "C": "C puts a or c first (40\u00a0%), b third (20\u00a0%): no warning of danger.",
        "D": "D puts a first (50\u00a0%): no warning of danger.",
    }
    plain, of_plain = small_study("choice", "abcd", [list("aab")], predictions=answers)
    assert answers_in_words(open_case(plain, of_plain, COUNTS, 0))["A"] == "A puts a first (70\u00a0%)."


def test_names_that_begin_alike_are_whole_once() -> None:
    """Then their letters do; a number alone is no name, and who is too sure is named in full."""
    answers = {"Model A": [LOW], "Model B": [HIGH], "Model C": [LOW]}
    of = {name: [*answer, *answer] for name, answer in answers.items()}
    study, task = small_study("choice", "ab", [list("aab"), list("a" * 12)], risk="LH", predictions=of)
    danger, safe = (named_danger(open_case(study, task, COUNTS, index)) for index in range(2))
    assert danger == "Models\u00a0A\u00a0and\u00a0C say a: no warning of danger. B warns."
    assert safe == "Model B puts b first; A\u00a0and\u00a0C put a first."
    assert short_names(["Net 18", "Net 50"]) == {"Net 18": "Net 18", "Net 50": "Net 50"}


def test_each_model_warns_or_does_not() -> None:
    """As the sentence has it, of every model that has an answer; of none where there is no danger."""
    answers = {"A": [LOW], "B": [BOTH]}
    for readings, found in (("aab", {"A": False, "B": True}), ("a" * 12, {}), ("", {})):
        study, task = small_study("choice", "ab", [list(readings)], risk="LH", predictions=answers)
        assert warns(open_case(study, task, COUNTS, 0)) == found


def test_without_danger_nothing_is_said_of_it() -> None:
    """Where all readings say otherwise, or there are no levels; nothing at all where nobody read the case."""
    assert said("a" * 12, [LOW]) == said("aab", [LOW], risk="") == "A puts a first."
    assert said("", [LOW]) == said("a" * 12, []) == ""


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        ([[0.8, 0.1, 0.1]] * 4, "All 4 models put a first."),
        ([[0.1, 0.8, 0.1]], "A puts b first."),
        (
            [[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.7, 0.2, 0.1], [0.1, 0.45, 0.45]],
            "B puts b first; D puts b or c first; A and C put a first.",
        ),
        (
            [[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8], [0.1, 0.45, 0.45]],
            "B puts b first; C puts c first; D puts b or c first; others put other labels.",
        ),
        ([], ""),
    ],
)
def test_without_danger_it_is_said_what_models_put_first(answers: list[list[float]], words: str) -> None:
    """Those that differ from the answer stand first, of many different ones only some."""
    predictions = {name: [answer] for name, answer in zip("ABCD", answers, strict=False)}
    study, task = small_study("choice", "abc", [list("a" * 12)], risk="LLH", predictions=predictions)
    case = open_case(study, task, COUNTS, 0)
    assert warns(case) == {}
    assert named_danger(case) == words
    assert words.count(";") <= MOST_SAID


@pytest.mark.parametrize(
    ("readings", "answers", "words"),
    [
        ("ab", [[0.9, 0.1]], "A is 90\u00a0% sure of a, which leads in 50 of 100."),
        (
            "bb",
            [[0.9, 0.1], [0.8, 0.2]],
            "A is 90\u00a0% sure of a, which leads in none of 100; B is overconfident too.",
        ),
        ("ab", [[0.69, 0.31]], ""),
        ("aaaaaa", [[0.9, 0.1]], ""),
        ("", [[0.9, 0.1]], ""),
    ],
)
def test_a_model_that_is_surer_than_the_readings_is_named(
    readings: str, answers: list[list[float]], words: str
) -> None:
    """By how often its first label leads, which is what it is sure of."""
    predictions = {name: [answer] for name, answer in zip("AB", answers, strict=False)}
    study, task = small_study("choice", "ab", [list(readings)], risk="LH", predictions=predictions)
    case = open_case(study, task, COUNTS, 0)
    assert too_sure(case) == words
    told = words.replace("A is 90\u00a0% sure of a, which leads", "A is too sure: a leads")
    assert too_sure(case, ["A"]) == told
    assert too_sure(case, ["B"]) == words


def test_the_point_estimate_calls_no_model_too_sure() -> None:
    """Without doubt there is nothing to compare with."""
    study, task = small_study("choice", "ab", [["b"]], risk="LH", predictions={"A": [[0.9, 0.1]]})
    assert too_sure(open_case(study, task, Aggregation("label-counts", float("inf")), 0)) == ""
