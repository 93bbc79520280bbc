"""Probabilities of exactly 0."""

from __future__ import annotations

import numpy as np

from core.recalibration.probabilities import LARGEST_FLOOR, without_zeros


def test_nothing_changes_where_nothing_is_zero() -> None:
    """Positive rows and rows of NaN stay as they are, to the bit."""
    given = np.array([[0.2, 0.8], [np.nan, np.nan]])
    np.testing.assert_array_equal(without_zeros(given), given)


def test_a_zero_becomes_half_of_the_smallest_probability() -> None:
    """A 0 written with four digits stands for less than 0.0001; only its row is divided again."""
    given = np.array([[0.0, 0.25, 0.75], [0.0001, 0.4999, 0.5], [np.nan] * 3])
    raised = without_zeros(given)
    np.testing.assert_allclose(raised[0], np.array([0.00005, 0.25, 0.75]) / 1.00005, rtol=1e-14)
    np.testing.assert_array_equal(raised[1:], given[1:])


def test_certain_models_stay_nearly_certain() -> None:
    """Where nothing is between 0 and 1, a 0 becomes the largest floor."""
    raised = without_zeros(np.eye(2))
    np.testing.assert_allclose(raised[0, 1], LARGEST_FLOOR / (1 + LARGEST_FLOOR), rtol=1e-14)
    np.testing.assert_allclose(raised.sum(axis=1), 1, rtol=1e-15)
