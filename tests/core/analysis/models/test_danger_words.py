"""Which models name dangerous truths is said only as far as they can be told apart."""

from __future__ import annotations

import math

import pandas as pd

from core.analysis.models.danger_words import danger_figure, danger_in_words


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
    start = "B names the most"
    assert words([0.29, 0.7, 0.5], [False, True, False]) == (f"{start}. A names only 29\u00a0%, C 50\u00a0%.")
    assert words([0.29, 0.7, 0.6], [False, True, True]) == (
        f"{start}; C (60\u00a0%) cannot be told from it. A names only 29\u00a0%."
    )
    assert words([0.6, 0.7], [True, True]) == f"{start}; no model clearly differs from it."
    many = pd.concat(
        [table([0.29, 0.7, 0.5], [False, True, False]), table([0.69, 0.68, 0.4], [True, True, False])]
    )
    assert danger_in_words(many) == (
        f"{start}; 2 others cannot be told from it. A names only 29\u00a0%; 2 others clearly fewer, too."
    )


def test_nothing_is_said_of_one_model_and_without_danger() -> None:
    """There is nothing to compare."""
    assert words([0.7], [True]) == words([math.nan, 0.7], [False, True]) == ""
    assert words([math.nan] * 2, [False, False]) == ""


def test_the_figure_is_that_of_the_words() -> None:
    """From the worst to the best where these can be told apart, else the best; none where nothing is said."""
    of = "of dangers are named,"
    assert danger_figure(table([0.29, 0.7, 0.5], [False, True, False])) == (
        "29 to 70\u00a0%",
        f"{of} least by A, most by B",
    )
    assert danger_figure(table([0.6, 0.7], [True, True])) == ("70\u00a0%", f"{of} most by B")
    assert danger_figure(table([math.nan, 0.7], [False, True])) == ("", "")
