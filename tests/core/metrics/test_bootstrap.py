"""Resamples of cases."""

from __future__ import annotations

import numpy as np

from core.metrics.bootstrap import case_weights


def test_resamples_have_as_many_cases() -> None:
    """The first column is the cases themselves."""
    weights = case_weights(37, 200, np.random.default_rng(1))
    assert weights.shape == (37, 201)
    assert (weights[:, 0] == 1).all()
    assert (weights.sum(axis=0) == 37).all()
    assert len(np.unique(weights.T, axis=0)) == 201


def test_every_case_is_as_likely() -> None:
    """Numbers of draws have the mean and variance of a binomial."""
    n, resamples = 50, 4000
    weights = case_weights(n, resamples, np.random.default_rng(2))[:, 1:].astype(float)
    assert np.abs(weights.mean(axis=1) - 1).max() < 5 / np.sqrt(resamples)
    assert np.abs(weights.var(axis=1) - (1 - 1 / n)).max() < 0.12


def test_no_case_and_no_resample() -> None:
    """The shapes hold where there is nothing to draw."""
    assert case_weights(0, 5, np.random.default_rng(0)).shape == (0, 6)
    assert case_weights(4, 0, np.random.default_rng(0)).tolist() == [[1]] * 4
