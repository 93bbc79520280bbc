"""Which models name dangerous truths is said only as far as they can be told apart."""

from __future__ import annotations

import math

import pandas as pd

from core.analysis.models.danger_words import alarms_in_words, danger_figure, danger_in_words


def table(values: list[float], alike: list[bool]) -> pd.DataFrame:
    """Models A, B and so on."""
    names = list("ABC")[: len(values)]
    false = [0.25, math.nan, 0.5][: len(values)]
    return pd.DataFrame(
        {"names": names, "high_risk": values, "high_risk_alike": alike, "false_alarms": false}
    )


def words(values: list[float], alike: list[bool]) -> str:
    """What is said of them."""
    return danger_in_words(table(values, alike))


def test_the_best_and_the_worst_are_named_where_they_differ() -> None:
    """By the value, whichever comes first; without a real difference no second number is said."""
    start = "Of dangerous truths B names 70\u00a0%"
    assert words([0.29, 0.7, 0.5], [False, True, False]) == f"{start}; A only 29\u00a0%."
    assert words([0.29, 0.7, 0.6], [False, True, True]) == (
        f"{start}, and C does not clearly differ; A only 29\u00a0%."
    )
    assert words([0.6, 0.7], [True, True]) == (
        "Of dangerous truths B names 70\u00a0%; no model clearly differs from it."
    )


def test_false_alarms_are_those_of_the_model_that_names_danger_best() -> None:
    """And nothing is said of a model that raises none."""
    assert alarms_in_words(table([0.7, 0.29], [True, False])) == (
        "Of the cases that A calls high risk, 25\u00a0% are false alarms."
    )
    assert alarms_in_words(table([0.29, 0.7], [False, True])) == ""
    assert alarms_in_words(table([math.nan], [False])) == ""


def test_nothing_is_said_of_one_model_and_without_danger() -> None:
    """There is nothing to compare."""
    assert words([0.7], [True]) == words([math.nan, 0.7], [False, True]) == ""
    assert words([math.nan] * 2, [False, False]) == ""


def test_the_figure_is_that_of_the_words() -> None:
    """The best, and the worst where it can be told from that; none where nothing is said."""
    best = "of dangerous truths are named by the best model"
    assert danger_figure(table([0.29, 0.7, 0.5], [False, True, False])) == (
        "70\u00a0%",
        f"{best}, 29\u00a0% by the worst",
    )
    assert danger_figure(table([0.6, 0.7], [True, True])) == ("70\u00a0%", best)
    assert danger_figure(table([math.nan, 0.7], [False, True])) == ("", "")
