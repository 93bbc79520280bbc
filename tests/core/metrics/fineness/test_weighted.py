"""Fineness of weighted majorities: all outcomes, exact ties, and simulation beside exact values."""

from __future__ import annotations

import numpy as np
import pytest
from fineness_by_hand import by_brute_force

from core.metrics.fineness.majority import majority_fineness
from core.metrics.fineness.weighted import Fineness, simulated_fineness, weighted_fineness, whole_weights


@pytest.mark.parametrize(("n_raters", "n_labels"), [(1, 2), (6, 2), (9, 2), (4, 3), (6, 3), (4, 5)])
def test_weighted_fineness_equals_all_outcomes(n_raters: int, n_labels: int) -> None:
    """Weights in fifths, so that sums tie."""
    rng = np.random.default_rng(n_raters + n_labels)
    accuracy, weight = rng.uniform(0.2, 0.95, n_raters), rng.integers(1, 6, n_raters) / 5
    found = weighted_fineness(accuracy, weight, n_labels=n_labels)
    assert found.exact
    assert found.value == pytest.approx(by_brute_force(accuracy, weight, n_labels), abs=1e-12)


@pytest.mark.parametrize("n_labels", [2, 4])
def test_equal_weights_are_the_majority(n_labels: int) -> None:
    """Whatever the weight; .1 + .2 ties with .3 as written."""
    accuracy = np.random.default_rng(0).uniform(0.3, 0.9, 8)
    expected = majority_fineness(accuracy, n_labels=n_labels)
    assert weighted_fineness(accuracy, np.full(8, 0.3), n_labels=n_labels).value == pytest.approx(expected)
    tied = weighted_fineness(np.array([1.0, 1.0, 0.0]), np.array([0.1, 0.2, 0.3]))
    assert tied == Fineness(0.5)


def test_a_heavier_rater_decides_alone() -> None:
    """Who weighs more than all others together is all that counts."""
    found = weighted_fineness(np.array([0.7, 0.9, 0.95]), np.array([1.0, 0.4, 0.5]))
    assert found.value == pytest.approx(0.7)


def test_many_raters_on_a_coarse_grid_are_exact() -> None:
    """60 raters with confidences in fifths have few sums: against simulation."""
    rng = np.random.default_rng(3)
    accuracy, weight = rng.uniform(0.4, 0.65, 60), rng.integers(1, 6, 60) / 5
    exact = weighted_fineness(accuracy, weight)
    simulated = simulated_fineness(
        accuracy, whole_weights(weight, 60), n_labels=2, draws=40_000, rng=np.random.default_rng(4)
    )
    assert exact.exact
    assert abs(simulated.value - exact.value) < 4 * simulated.standard_error


def test_too_many_outcomes_are_simulated_with_their_error() -> None:
    """The error is about that of a share; the same seed gives the same number."""
    rng = np.random.default_rng(5)
    accuracy, weight = rng.uniform(0.5, 0.6, 40), rng.random(40)
    found = weighted_fineness(accuracy, weight, draws=5_000, seed=1)
    assert not found.exact
    assert found.standard_error == pytest.approx(np.sqrt(found.value * (1 - found.value) / 5_000), rel=0.02)
    assert weighted_fineness(accuracy, weight, draws=5_000, seed=1) == found


def test_a_simulation_without_an_error_still_is_none() -> None:
    """Raters who are never wrong: the value is 1, and it is not called exact."""
    votes = whole_weights(np.ones(3), 3)
    found = simulated_fineness(np.ones(3), votes, n_labels=3, draws=100, rng=np.random.default_rng(0))
    assert found.value == 1
    assert not found.exact


def test_nobody_votes() -> None:
    """With all weights 0 there is no answer."""
    assert np.isnan(weighted_fineness(np.array([0.8, 0.9]), np.zeros(2)).value)


@pytest.mark.parametrize("weight", [[1.0], [1.0, -1.0], [np.nan, 1.0], [np.inf, 1.0]])
def test_impossible_weights_are_refused(weight: list[float]) -> None:
    """Another number, negative, unknown or infinite ones."""
    with pytest.raises(ValueError, match="weight must"):
        weighted_fineness(np.array([0.8, 0.9]), np.array(weight))
