"""Which models name dangerous truths is said only as far as they can be told apart."""

from __future__ import annotations

import math

import pandas as pd

from core.analysis.models.danger_words import danger_in_words, danger_range


def table(values: list[float], alike: list[bool]) -> pd.DataFrame:
    """Models A, B and so on."""
    return pd.DataFrame({"names": list("ABC")[: len(values)], "high_risk": values, "high_risk_alike": alike})


def words(values: list[float], alike: list[bool]) -> str:
    """What is said of them."""
    return danger_in_words(table(values, alike))


def test_the_best_and_the_worst_are_named_where_they_differ() -> None:
    """By the value, whichever comes first; without a real difference no second number is said."""
    assert (
        words([0.29, 0.7, 0.5], [False, True, False]) == "Of dangerous truths B names 70\u00a0%, A 29\u00a0%."
    )
    assert words([0.6, 0.7], [True, True]) == (
        "Of dangerous truths B names 70\u00a0%; no model can be told from it."
    )


def test_nothing_is_said_of_one_model_and_without_danger() -> None:
    """There is nothing to compare."""
    assert words([0.7], [True]) == words([math.nan, 0.7], [False, True]) == ""
    assert words([math.nan] * 2, [False, False]) == ""


def test_the_range_is_that_of_the_words() -> None:
    """From the worst to the best, one number where they cannot be told apart, none where none is said."""
    assert danger_range(table([0.29, 0.7, 0.5], [False, True, False])) == "29 to 70\u00a0%"
    assert danger_range(table([0.6, 0.7], [True, True])) == "70\u00a0%"
    assert danger_range(table([math.nan, 0.7], [False, True])) == ""
