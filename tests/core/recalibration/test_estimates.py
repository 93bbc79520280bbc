"""Disagreement, posterior class probabilities and their losses, by simulation and enumeration."""

from __future__ import annotations

import numpy as np
import pytest
from calibration_by_hand import best_concentrations, true_epistemic_loss

from core.metrics.calibration.label_histogram import label_histograms
from core.metrics.calibration.losses import EPISTEMIC, calibration_losses
from core.recalibration.estimates import (
    disagreement_probability,
    posterior_epistemic_loss,
    posterior_probability,
)

F = np.array([[0.7, 0.2, 0.1], [0.3, 0.3, 0.4]])
ALPHA = np.array([0.5, 4.0])


def test_disagreement_is_that_of_dirichlet_draws() -> None:
    """Two raters who draw from a drawn label distribution disagree as often as the formula says."""
    rng = np.random.default_rng(0)
    expected = disagreement_probability(F, ALPHA)
    for f, alpha, said in zip(F, ALPHA, expected, strict=True):
        per_draw = 1 - np.square(rng.dirichlet(alpha * f, 200_000)).sum(axis=1)
        assert abs(per_draw.mean() - said) < 4 * per_draw.std() / np.sqrt(len(per_draw))


def test_disagreement_in_the_limits() -> None:
    """Infinite concentration is none at all; concentration near 0 makes raters agree."""
    np.testing.assert_allclose(disagreement_probability(F, np.full(2, 1e12)), disagreement_probability(F))
    np.testing.assert_allclose(disagreement_probability(F, np.full(2, 1e-12)), 0, atol=1e-11)


def test_posterior_is_bayes_rule() -> None:
    """Prior draws weighted by how well they expected the labels have the posterior as their mean."""
    rng = np.random.default_rng(1)
    counts = np.array([[0, 2, 1], [1, 0, 0]])
    posterior = posterior_probability(F, ALPHA, counts)
    for f, alpha, told, said in zip(F, ALPHA, counts, posterior, strict=True):
        draws = rng.dirichlet(alpha * f, 400_000)
        weight = np.prod(draws**told, axis=1)
        np.testing.assert_allclose((weight[:, None] * draws).sum(axis=0) / weight.sum(), said, atol=0.01)


def test_labels_told_one_after_the_other_or_together() -> None:
    """The order does not matter, and no label changes nothing."""
    first, second = np.array([[1, 0, 0]] * 2), np.array([[0, 1, 0]] * 2)
    after_first = posterior_probability(F, ALPHA, first)
    np.testing.assert_allclose(
        posterior_probability(after_first, ALPHA + 1, second),
        posterior_probability(F, ALPHA, first + second),
        rtol=1e-14,
    )
    np.testing.assert_allclose(posterior_probability(F, ALPHA, 0 * first), F, rtol=1e-14)
    np.testing.assert_array_equal(posterior_probability(F, None, first), F)


def test_a_label_of_probability_zero_can_be_told() -> None:
    """It is then possible after all."""
    told = posterior_probability(np.array([[1.0, 0.0]]), np.array([3.0]), np.array([[0, 1]]))
    np.testing.assert_allclose(told, [[0.75, 0.25]])


def brute_force(f: np.ndarray, alpha: float, counts: np.ndarray) -> float:
    """Tell each label in turn, and judge by the unbiased epistemic loss on the others."""
    total = 0.0
    for label in np.repeat(np.arange(len(f)), counts):
        told = np.eye(len(f), dtype=int)[label]
        after = (alpha * f + told) / (alpha + 1)
        losses = calibration_losses(label_histograms((counts - told)[None]), after[None])
        total += losses[EPISTEMIC].debiased.total
    return total / counts.sum()


def test_epistemic_loss_after_a_label_is_the_mean_over_labels_told() -> None:
    """The closed form against every single label told, judged by the library's own unbiased loss."""
    rng = np.random.default_rng(2)
    f = rng.dirichlet(np.ones(4), 20)
    counts = rng.multinomial(rng.integers(3, 8, 20), rng.dirichlet(np.ones(4), 20))
    alpha = np.exp(rng.normal(size=20))
    expected = [brute_force(*case) for case in zip(f, alpha, counts, strict=True)]
    np.testing.assert_allclose(posterior_epistemic_loss(f, alpha, counts), expected, rtol=1e-10, atol=1e-12)


def test_epistemic_loss_before_is_the_unbiased_one() -> None:
    """Without a concentration its mean is the debiased epistemic loss of the metrics."""
    rng = np.random.default_rng(3)
    f = rng.dirichlet(np.ones(4), 50)
    counts = rng.multinomial(5, rng.dirichlet(np.ones(4), 50))
    loss = calibration_losses(label_histograms(counts), f)[EPISTEMIC].debiased.total
    assert posterior_epistemic_loss(f, None, counts).mean() == pytest.approx(loss, abs=1e-12)


def test_too_few_labels_to_tell_and_to_judge() -> None:
    """Two labels are one too few."""
    loss = posterior_epistemic_loss(F, ALPHA, np.array([[1, 1, 0], [1, 1, 1]]))
    assert np.isnan(loss[0])
    assert np.isfinite(loss[1])


def test_estimates_cover_the_true_loss() -> None:
    """Over 2,000 studies of 20 cases with 3 to 6 labels, the mean is within three standard errors."""
    rng = np.random.default_rng(4)
    f, q = rng.dirichlet(np.ones(3), 20), rng.dirichlet(np.ones(3), 20)
    alpha = np.exp(rng.normal(size=20))
    n = rng.integers(3, 7, 20)
    for concentration in (None, alpha):
        truth = true_epistemic_loss(f, concentration, q, n_told=1).mean()
        means = np.array(
            [posterior_epistemic_loss(f, concentration, rng.multinomial(n, q)).mean() for _ in range(2000)]
        )
        assert abs(means.mean() - truth) < 3 * means.std() / np.sqrt(len(means))


def test_true_loss_is_the_mean_over_labels_drawn() -> None:
    """By drawing two labels of each case many times."""
    rng = np.random.default_rng(5)
    q = np.array([[0.5, 0.5, 0.0], [0.1, 0.2, 0.7]])
    expected = true_epistemic_loss(F, ALPHA, q, n_told=2)
    drawn = np.array(
        [
            np.square(posterior_probability(F, ALPHA, rng.multinomial(2, q)) - q).sum(axis=1)
            for _ in range(20_000)
        ]
    )
    assert (np.abs(drawn.mean(axis=0) - expected) < 4 * drawn.std(axis=0) / np.sqrt(len(drawn))).all()
    np.testing.assert_allclose(
        true_epistemic_loss(F, ALPHA, q, n_told=0), true_epistemic_loss(F, None, q, n_told=1)
    )


def test_best_concentrations_are_the_minima_of_theorem_1() -> None:
    """On a fine grid no concentration does better, for one label told or for five."""
    rng = np.random.default_rng(6)
    f, q = rng.dirichlet(np.full(3, 0.4), 40), rng.dirichlet(np.ones(3), 40)
    for_disagreement, for_posterior = best_concentrations(f, q)
    too_sure = np.square(q).sum(axis=1) > np.square(f).sum(axis=1)
    assert 5 < too_sure.sum() < 35
    truth = 1 - np.square(q).sum(axis=1)
    assert np.isinf(for_disagreement[~too_sure]).all()
    estimate = disagreement_probability(f[too_sure], for_disagreement[too_sure])
    np.testing.assert_allclose(estimate, truth[too_sure], rtol=1e-12)
    for n_told in (1, 5):
        best = true_epistemic_loss(f, for_posterior, q, n_told=n_told)
        for other in np.geomspace(1e-3, 1e3, 200):
            loss = true_epistemic_loss(f, np.full(40, other), q, n_told=n_told)
            assert (loss >= best - 1e-12).all()


def test_a_perfect_model_needs_no_labels() -> None:
    """Its best concentrations are infinite."""
    assert np.isinf(np.concatenate(best_concentrations(F, F))).all()


def test_fractions_of_labels_are_refused() -> None:
    """Here as everywhere."""
    with pytest.raises(ValueError, match="whole numbers"):
        posterior_probability(F, ALPHA, np.full((2, 3), 0.5))
