"""The Dirichlet-multinomial likelihood against log-gamma functions, enumeration and differences."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.special import gammaln

from core.recalibration.likelihood import LARGEST_LOG, HistogramLikelihood


def by_log_gamma(probability: np.ndarray, counts: np.ndarray, alpha: np.ndarray) -> np.ndarray:
    """Negative log-likelihood of each case as a textbook has it."""
    prior = alpha[:, None] * probability
    together = gammaln(alpha) - gammaln(alpha + counts.sum(axis=1))
    return -(together + (gammaln(prior + counts) - gammaln(prior)).sum(axis=1))


def example(seed: int, n_cases: int = 200) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Probabilities, histograms of 0 to 40 labels, and concentrations from e⁻³ to e³."""
    rng = np.random.default_rng(seed)
    probability = rng.dirichlet(np.full(5, 0.5), n_cases)
    probability = (probability + 1e-6) / (1 + 5e-6)
    counts = rng.multinomial(rng.integers(0, 41, n_cases), rng.dirichlet(np.ones(5), n_cases))
    return probability, counts, np.exp(rng.uniform(-3, 3, n_cases))


def test_equals_log_gamma_functions() -> None:
    """Sums of logarithms of single factors are the same as differences of log Γ."""
    probability, counts, alpha = example(0)
    loss, _ = HistogramLikelihood(probability, counts).of_cases(np.log(alpha))
    np.testing.assert_allclose(loss, by_log_gamma(probability, counts, alpha), rtol=1e-10, atol=1e-9)


def test_long_products_neither_overflow_nor_vanish() -> None:
    """A thousand labels and a tiny concentration stay exact."""
    probability, counts = np.array([[1e-9, 1 - 1e-9]]), np.array([[400, 600]])
    for alpha in (1e-6, 1.0, 1e4):
        loss, _ = HistogramLikelihood(probability, counts).of_cases(np.log([alpha]))
        np.testing.assert_allclose(loss, by_log_gamma(probability, counts, np.array([alpha])), rtol=1e-9)


def test_sequences_of_labels_have_probability_one() -> None:
    """The probabilities of all sequences of four labels add up to 1."""
    probability = np.array([[0.2, 0.5, 0.3]])
    total = 0.0
    for labels in itertools.product(range(3), repeat=4):
        counts = np.bincount(labels, minlength=3)[None]
        total += np.exp(-HistogramLikelihood(probability, counts).of_cases(np.array([0.4]))[0][0])
    assert total == pytest.approx(1, abs=1e-12)


def test_large_concentrations_give_the_multinomial() -> None:
    """At α0 = ∞ labels are independent draws from the class probabilities."""
    probability, counts, _ = example(1)
    loss, slope = HistogramLikelihood(probability, counts).of_cases(np.full(len(counts), LARGEST_LOG))
    np.testing.assert_allclose(loss, -(counts * np.log(probability)).sum(axis=1), atol=1e-5)
    assert np.abs(slope).max() < 1e-5


def test_slope_is_the_derivative() -> None:
    """Central differences of the weighted mean agree with its gradient."""
    probability, counts, alpha = example(2, 30)
    likelihood, x = HistogramLikelihood(probability, counts), np.log(alpha)
    _, gradient = likelihood.mean(x)
    step = 1e-5
    for i in range(len(x)):
        up, down = x.copy(), x.copy()
        up[i] += step
        down[i] -= step
        slope = (likelihood.mean(up)[0] - likelihood.mean(down)[0]) / (2 * step)
        assert gradient[i] == pytest.approx(slope, abs=1e-8)


def test_cases_with_fewer_than_two_labels_say_nothing_of_the_concentration() -> None:
    """Their slope is 0 everywhere."""
    probability = np.full((2, 3), 1 / 3)
    likelihood = HistogramLikelihood(probability, np.array([[0, 0, 0], [0, 1, 0]]))
    for x in (-5.0, 0.0, 5.0):
        loss, slope = likelihood.of_cases(np.full(2, x))
        np.testing.assert_allclose(loss, [0, np.log(3)], atol=1e-15)
        np.testing.assert_array_equal(slope, 0)


def test_far_out_nothing_changes() -> None:
    """Beyond the largest concentration the likelihood is flat and finite."""
    probability, counts, _ = example(3, 10)
    likelihood = HistogramLikelihood(probability, counts)
    for sign in (-1, 1):
        near, _ = likelihood.of_cases(np.full(10, sign * LARGEST_LOG))
        far, slope = likelihood.of_cases(np.full(10, sign * 1e6))
        np.testing.assert_array_equal(near, far)
        np.testing.assert_array_equal(slope, 0)


@pytest.mark.parametrize(
    ("probability", "counts", "message"),
    [
        ([[0.0, 1.0]], [[1, 2]], "probabilities must be finite and above 0 .* got 0.0 for label 0 of case 0"),
        ([[np.nan, 1.0]], [[1, 2]], "got nan"),
        ([[0.5, 0.5]], [[0.5, 2]], "whole numbers"),
        ([[0.5, 0.5]], [[-1, 2]], "whole numbers"),
        ([[0.5, 0.5]], [[1, 2, 3]], r"shape \(1, 3\) like the counts, got \(1, 2\)"),
        ([[0.5, 0.5]], [[0, 0]], "must hold a label"),
    ],
)
def test_bad_input_is_refused(probability: list, counts: list, message: str) -> None:
    """Zeros, NaN, fractions, negative counts, other shapes and no label at all."""
    with pytest.raises(ValueError, match=message):
        HistogramLikelihood(np.array(probability), np.array(counts))
