"""Dependent errors by case difficulty: means, limits, independent quadrature, and simulated readers."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.special import expit
from scipy.stats import binom

from core.metrics.fineness.difficulty import (
    LARGEST_DIFFICULTY,
    WEIGHTS,
    accuracy_by_difficulty,
    dependent_fineness,
    difficulty_from_agreement,
    expected_agreement,
)
from core.metrics.fineness.majority import majority_fineness


@pytest.mark.parametrize("difficulty", [0.0, 0.3, 2.4, 10.0, LARGEST_DIFFICULTY])
def test_mean_accuracy_is_kept(difficulty: float) -> None:
    """The abilities give back the accuracy over all cases; raters always right or wrong stay so."""
    accuracy = np.array([0.0, 0.02, 0.5, 0.81, 0.999, 1.0])
    at = accuracy_by_difficulty(accuracy, difficulty)
    np.testing.assert_allclose(WEIGHTS @ at, accuracy, atol=1e-9)
    assert (np.diff(at, axis=0) <= 1e-12).all()


def test_without_difficulty_errors_are_independent() -> None:
    """S = 0 is the ordinary fineness."""
    accuracy = np.array([0.6, 0.7, 0.9])
    assert dependent_fineness(accuracy, 0.0) == pytest.approx(majority_fineness(accuracy))
    found = dependent_fineness(accuracy, 0.0, n_labels=4)
    assert found == pytest.approx(majority_fineness(accuracy, n_labels=4))


def test_with_all_difficulty_a_majority_is_as_good_as_one() -> None:
    """Where raters are right and wrong together, more of them change nothing."""
    accuracy = np.full(9, 0.81)
    assert dependent_fineness(accuracy, LARGEST_DIFFICULTY) == pytest.approx(0.81, abs=0.01)


@pytest.mark.parametrize("difficulty", [0.5, 2.4, 8.0])
def test_fineness_equals_adaptive_quadrature(difficulty: float) -> None:
    """Seven raters of accuracy .81, by an independent integral."""

    def mean(function):
        edges = np.linspace(-9, 9, 31).tolist()
        parts = [quad(lambda z: np.exp(-z * z / 2) * function(z), a, b)[0] for a, b in pairwise(edges)]
        return sum(parts) / np.sqrt(2 * np.pi)

    ability = brentq(lambda b: mean(lambda z: expit(b - difficulty * z)) - 0.81, -30, 30)
    expected = mean(lambda z: binom.sf(3, 7, expit(ability - difficulty * z)))
    assert dependent_fineness(np.full(7, 0.81), difficulty) == pytest.approx(expected, abs=1e-6)


def test_agreement_is_inverted() -> None:
    """Spread to agreement and back, with equal and unequal raters, two labels and more."""
    for n_labels, accuracy in ((2, np.full(5, 0.8)), (2, np.linspace(0.6, 0.95, 13)), (5, np.full(3, 0.5))):
        agreement = expected_agreement(accuracy, 1.7, n_labels=n_labels)
        assert difficulty_from_agreement(accuracy, agreement, n_labels=n_labels) == pytest.approx(
            1.7, abs=1e-4
        )


def test_agreement_of_independent_raters_by_hand() -> None:
    """Two labels: both right or both wrong."""
    assert expected_agreement(np.array([0.9, 0.6]), 0.0) == pytest.approx(0.9 * 0.6 + 0.1 * 0.4)
    assert expected_agreement(np.array([0.9, 0.6]), 0.0, n_labels=5) == pytest.approx(0.54 + 0.01)


def test_agreement_beyond_the_model_goes_to_its_ends() -> None:
    """Less than independent raters agree: 0. Always agreeing: the largest spread."""
    accuracy = np.full(4, 0.8)
    assert difficulty_from_agreement(accuracy, 0.5) == 0
    assert difficulty_from_agreement(accuracy, 1.0) == LARGEST_DIFFICULTY


def test_figures_of_the_docstring() -> None:
    """Accuracy .81 and agreement .818: 7 raters .850 and not .972, and no number reaches .87."""
    difficulty = difficulty_from_agreement(np.full(13, 0.81), 0.8184)
    assert dependent_fineness(np.full(7, 0.81), difficulty) == pytest.approx(0.850, abs=5e-4)
    assert dependent_fineness(np.full(1001, 0.81), difficulty) < 0.87


def test_fitted_difficulty_foretells_the_majority_of_simulated_readers() -> None:
    """Readers drawn with a common difficulty: fitted from agreement alone, fineness meets their accuracy."""
    rng = np.random.default_rng(6)
    at = accuracy_by_difficulty(np.linspace(0.7, 0.9, 7), 2.0)
    right = rng.random((40_000, 7)) < at[rng.choice(len(at), 40_000, p=WEIGHTS)]
    n = right.sum(axis=1)
    agreement = ((n * (n - 1) + (7 - n) * (6 - n)) / 42).mean()
    difficulty = difficulty_from_agreement(right.mean(axis=0), float(agreement))
    assert difficulty == pytest.approx(2.0, abs=0.1)
    assert dependent_fineness(right.mean(axis=0), difficulty) == pytest.approx((n > 3).mean(), abs=0.006)
    assert majority_fineness(right.mean(axis=0)) > (n > 3).mean() + 0.05


@pytest.mark.parametrize("difficulty", [-1.0, np.nan, LARGEST_DIFFICULTY + 1])
def test_impossible_difficulties_are_refused(difficulty: float) -> None:
    """The range is named."""
    with pytest.raises(ValueError, match="difficulty must be from 0 to 30"):
        accuracy_by_difficulty(np.array([0.8]), difficulty)


def test_agreement_of_one_rater_or_beyond_one_is_refused() -> None:
    """Nobody agrees with themselves."""
    with pytest.raises(ValueError, match="2 raters or more, got 1"):
        difficulty_from_agreement(np.array([0.8]), 0.9)
    with pytest.raises(ValueError, match="agreement must be in"):
        difficulty_from_agreement(np.full(3, 0.8), 82.0)
