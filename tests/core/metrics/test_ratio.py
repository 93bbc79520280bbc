"""Ratios over cases: the mean where all count alike, and intervals that cover."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from core.metrics.ratio import ratio_over_cases


def test_where_all_count_alike_it_is_the_mean_with_its_error() -> None:
    """And a case that does not count changes nothing."""
    values = np.array([0.1, 0.4, 0.9, 0.3])
    found = ratio_over_cases(values, np.ones(4))
    assert (found.value, found.n_cases) == (pytest.approx(values.mean()), 4)
    assert found.standard_error == pytest.approx(stats.sem(values))
    same = ratio_over_cases(np.append(values, 5.0), np.array([1.0, 1, 1, 1, 0]))
    assert same == found


def test_the_error_is_that_of_resampled_cases() -> None:
    """The linearised error beside a bootstrap's."""
    rng = np.random.default_rng(2)
    whole = rng.random(200)
    part = whole * rng.random(200) ** 2
    draws = rng.integers(200, size=(4000, 200))
    resampled = part[draws].sum(axis=1) / whole[draws].sum(axis=1)
    assert ratio_over_cases(part, whole).standard_error == pytest.approx(resampled.std(), rel=0.06)


def test_a_share_of_yes_and_no_has_wilsons_interval() -> None:
    """The textbook's; of cases that all agree, not of no width."""
    found = ratio_over_cases(np.repeat([1.0, 0.0], [27, 3]), np.ones(30))
    low, high = found.share_interval()
    expected = stats.binomtest(27, 30).proportion_ci(method="wilson")
    np.testing.assert_allclose([low, high], expected)
    all_of_them = ratio_over_cases(np.ones(30), np.ones(30)).share_interval()
    np.testing.assert_allclose(all_of_them, stats.binomtest(30, 30).proportion_ci(method="wilson"))


def test_without_cases_there_is_a_reason_in_place_of_an_interval() -> None:
    """None, and one."""
    nothing, one = ratio_over_cases(np.zeros(2), np.zeros(2)), ratio_over_cases(np.ones(1), np.ones(1))
    assert math.isnan(nothing.value)
    assert nothing.why_no_interval == "no case"
    assert all(map(math.isnan, one.share_interval()))
    assert one.why_no_interval
