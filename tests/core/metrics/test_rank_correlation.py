"""Shared ranks and correlations: equal to SciPy, row by row."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from core.metrics import rank_correlation
from core.metrics.rank_correlation import kendall, pearson, shared_ranks, spearman


def test_equals_share_the_best_rank_and_missing_has_none():
    """Values equal on paper are equal."""
    values = np.array([0.3, 0.1 + 0.2, 0.9, np.nan, 0.1])
    np.testing.assert_array_equal(shared_ranks(values), [2, 2, 1, np.nan, 4])
    np.testing.assert_array_equal(shared_ranks(values, larger_is_better=False), [2, 2, 4, np.nan, 1])


def test_equal_to_scipy_with_ties(monkeypatch):
    """Many orders against one, in small blocks."""
    monkeypatch.setattr(rank_correlation, "PAIRS_AT_ONCE", 100)
    rng = np.random.default_rng(0)
    orders, original = rng.integers(0, 6, (50, 8)) / 7, rng.integers(0, 6, 8) / 7
    np.testing.assert_allclose(
        spearman(orders, original), [stats.spearmanr(row, original).statistic for row in orders], atol=1e-12
    )
    np.testing.assert_allclose(
        kendall(orders, original), [stats.kendalltau(row, original).statistic for row in orders], atol=1e-12
    )
    np.testing.assert_allclose(
        pearson(orders, original), [stats.pearsonr(row, original).statistic for row in orders], atol=1e-12
    )


@pytest.mark.parametrize("correlation", [pearson, spearman, kendall])
def test_undefined_without_variation_or_with_a_missing_value(correlation):
    """NaN, not 0 and not an error; one row does not spoil another."""
    original = np.array([1.0, 2.0, 3.0])
    rows = np.array([[5.0, 5.0, 5.0], [1.0, np.nan, 2.0], [3.0, 2.0, 1.0]])
    np.testing.assert_allclose(correlation(rows, original), [np.nan, np.nan, -1])
    assert np.isnan(correlation(original[:1], original[:1]))
