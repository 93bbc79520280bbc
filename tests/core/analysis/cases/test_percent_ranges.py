"""Shares in whole percent, and in ranges of percent."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.cases.percent_ranges import (
    SETTLED,
    certainty_ranges,
    percent_words,
    whole_percent,
    within_percent,
)


def test_percentages_never_claim_certainty() -> None:
    """Only 0 and 1 are 0 and 100 %."""
    shown = whole_percent(pd.Series([0.0, 0.001, 0.5, 0.999, 1.0]))
    assert shown.tolist() == [0, 1, 50, 99, 100]


@given(st.lists(st.floats(0, 1), min_size=1))
def test_ranges_that_meet_share_no_case_and_leave_none_out(shares: list[float]) -> None:
    """Every share lies in exactly one of the ranges of the bars, and in one that is one percent wide."""
    values = pd.Series(shares)
    for ranges in (certainty_ranges(), [(k, k + 1) for k in range(100)]):
        holds = [within_percent(values, *span) for span in ranges]
        assert np.sum(holds, axis=0).tolist() == [1] * len(values)


@pytest.mark.parametrize("percent", range(101))
def test_what_is_on_an_edge_belongs_above_it(percent: int) -> None:
    """However the share came about: by division, by addition, or with the last digits lost."""
    for share in (percent / 100, sum([0.01] * percent), percent * 0.01, percent / 100 - 1e-12):
        value = pd.Series([share])
        assert within_percent(value, percent, 100)[0]
        assert not within_percent(value, 0, percent)[0] or percent in (0, 100)


def test_the_unknown_lies_in_no_range_and_equal_ends_are_one_percent() -> None:
    """The end of the scale belongs to the range that ends there."""
    values = pd.Series([np.nan, 0.5, 0.505, 0.51, 0.9999, 1.0])
    assert within_percent(values, 0, 100).tolist() == [False, *[True] * 5]
    assert within_percent(values, 50, 50).tolist() == [False, True, True, False, False, False]
    assert within_percent(values, 100, 100).tolist() == [False] * 5 + [True]
    assert within_percent(values, SETTLED, 100).tolist() == [False] * 4 + [True] * 2


@pytest.mark.parametrize(
    ("span", "words"),
    [
        ((80, 85), "80 to under 85\u00a0%"),
        ((0, 5), "under 5\u00a0%"),
        ((99, 100), "99\u00a0% or more"),
        ((50, 50), "50 to under 51\u00a0%"),
        ((100, 100), "100\u00a0%"),
    ],
)
def test_ranges_in_words(span: tuple[int, int], words: str) -> None:
    """They say which end belongs to the range."""
    assert percent_words(*span) == words
