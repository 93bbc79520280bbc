"""What a study comes to at several reliabilities: the numbers of each, and how they are written."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from core.analysis.models.by_reliability import (
    Reckoned,
    also_dangerous_in_words,
    also_uncertain_in_words,
    assumed_in_words,
    dangerous_once_in_words,
    in_words,
    reckoned,
    shown_reliabilities,
    uncertain_in_words,
)
from core.plausibility.settings import Aggregation

ONCE = Aggregation("label-counts", 1.0)


def test_how_many_cases_may_be_dangerous_depends_on_reliability() -> None:
    """What the readings support is said where it is another than that in force, and is known."""
    one, two = (Reckoned(0.5, (0.7, 0.8), dangerous=n) for n in (1465, 337))
    assert also_dangerous_in_words({1.0: one, 5.0: two}, 5.0) == (
        "Counted as the readings support, 337 cases may be of high risk."
    )
    assert also_dangerous_in_words({1.0: one}, 5.0) == also_dangerous_in_words({1.0: one}, None) == ""
    assert also_dangerous_in_words({1.0: Reckoned(0.5, (0.7, 0.8))}, 1.0) == ""
    heads, rows = in_words({1.0: one, 5.0: two}, ONCE, best=None, has_models=False)
    assert heads[2] == "Cases that may be of high risk"
    assert [row[2] for row in rows] == ["1,465", "337"]


def test_cases_below_the_line_are_counted_and_the_ceiling_is_a_range() -> None:
    """80 % itself is not below it; who was not read does not count."""
    found = reckoned(pd.Series([0.5, 0.789, 0.8, 1.0, np.nan]), "A, 60 to 70 %")
    assert found.uncertain == 0.5
    assert found.ceiling == (0.5, 1.0)
    assert found.best == "A, 60 to 70 %"
    sure = reckoned(pd.Series([0.5, 1.0, 1.0, np.nan]), is_point=True)
    assert sure.ceiling == (pytest.approx(5 / 6), pytest.approx(5 / 6))
    with pytest.raises(ValueError, match="no case has a reading"):
        reckoned(pd.Series([np.nan]))


def test_what_is_in_force_and_what_is_supported_are_among_those_shown() -> None:
    """Each once, in ascending order."""
    assert shown_reliabilities(1.0, None) == (1.0, 5.0)
    assert shown_reliabilities(math.inf, 2.0) == (1.0, 2.0, 5.0, math.inf)
    assert shown_reliabilities(5.0, 5.0) == (1.0, 5.0)


def test_rows_say_which_is_in_use_and_which_the_readings_support() -> None:
    """What is not known yet has a place; without models there is nothing to say of any."""
    rows = {1.0: Reckoned(0.91, (0.73, 0.81), "A, 67 %"), 2.0: None}
    heads, written = in_words(rows, ONCE, best=2.0, has_models=True)
    assert heads[0] == "Each reading counts"
    assert written == [
        ["once (γ\u00a0=\u00a01): in use", "91\u00a0%", "73\u00a0to\u00a081\u00a0%", "A, 67 %"],
        ["twice (γ\u00a0=\u00a02): the readings support it", "…", "…", "…"],
    ]
    assert in_words({1.0: rows[1.0]}, ONCE, best=1.0, has_models=False)[1] == [
        ["once (γ\u00a0=\u00a01): in use, the readings support it", "91\u00a0%"]
    ]
    assert (
        "that a case counts as" in in_words(rows, Aggregation("prirn", 1.0), best=None, has_models=True)[0][0]
    )


def test_who_trusts_readers_less_is_told_how_many_cases_may_be_dangerous() -> None:
    """Where each reading counts more than once, and the number is another; nothing where it is not known."""
    rows = {1.0: Reckoned(0.5, (0.7, 0.8), dangerous=99)}
    said = "With each reading counted once, 99 cases may be of high risk, not 81."
    twice = ONCE.at(2.0)
    assert dangerous_once_in_words(rows, 81, twice) == said
    together = Aggregation("prirn", 2.0)
    for known, count, now in (
        (rows, 81, ONCE),
        (rows, 99, twice),
        (rows, None, twice),
        ({}, 81, twice),
        (rows, 81, together),
    ):
        assert dangerous_once_in_words(known, count, now) == ""
    one = {1.0: Reckoned(0.5, (0.7, 0.8), dangerous=1)}
    assert dangerous_once_in_words(one, 0, twice) == (
        "With each reading counted once, 1 case may be of high risk, not 0."
    )


def test_what_stands_on_top_says_how_sure_the_labels_are() -> None:
    """As they are in force, and as the readings support; a point estimate leaves it out."""
    certainty = pd.Series([0.3, 0.6, 0.9, 0.97, 0.995, np.nan])
    assert uncertain_in_words(certainty) == (
        "40\u00a0%",
        "of the leading labels are less than 80\u00a0% certain",
    )
    rows = {5.0: Reckoned(0.45, (0.7, 0.8))}
    assert also_uncertain_in_words(rows, 5.0) == (
        "Counted as the readings support, 45\u00a0% of the leading labels are less than 80\u00a0% certain."
    )
    assert also_uncertain_in_words(rows, 2.0) == also_uncertain_in_words(rows, None) == ""
    left_out = "A point estimate leaves doubt out, which does not mean that there is none."
    assert assumed_in_words(0) == left_out
    assert assumed_in_words(0.03) == f"{left_out} In 3\u00a0% of the cases labels tie for the lead."
