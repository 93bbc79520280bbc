"""An α-calibrated model as a posterior over plausibilities."""

from __future__ import annotations

import numpy as np
import pytest

from core.recalibration.estimates import disagreement_probability
from core.recalibration.model_posterior import model_posterior

F = np.array([[0.7, 0.2, 0.1], [np.nan] * 3, [0.3, 0.3, 0.4]])
ALPHA = np.array([0.5, np.nan, 4.0])


def test_mean_is_the_class_probability() -> None:
    """The concentration spreads it and does not move it."""
    posterior = model_posterior(F, ALPHA)
    np.testing.assert_allclose(posterior.mean.candidate.reshape(2, 3), F[[0, 2]], rtol=1e-14)
    assert list(posterior.candidates.per_case) == [3, 0, 3]


def test_leading_labels_are_those_of_dirichlet_draws() -> None:
    """P(a label is the most plausible) by drawing."""
    rng = np.random.default_rng(0)
    leads = model_posterior(F, ALPHA).top1.candidate.reshape(2, 3)
    for f, alpha, said in zip(F[[0, 2]], ALPHA[[0, 2]], leads, strict=True):
        drawn = np.bincount(rng.dirichlet(alpha * f, 100_000).argmax(axis=1), minlength=3) / 100_000
        np.testing.assert_allclose(said, drawn, atol=0.01)


def test_draws_disagree_as_expected() -> None:
    """The posterior's own draws have the disagreement that the model is said to expect."""
    draws = model_posterior(F[[0, 2]], ALPHA[[0, 2]]).sample(50_000, np.array([1, 2], np.uint64)).draws
    squares = np.square(draws.value.reshape(2, 3, -1)).sum(axis=1)
    np.testing.assert_allclose(
        1 - squares.mean(axis=1), disagreement_probability(F[[0, 2]], ALPHA[[0, 2]]), atol=0.005
    )


def test_tiny_shares_of_a_tiny_concentration() -> None:
    """With α0 near 0 one label has everything, each as often as its class probability says."""
    posterior = model_posterior(np.array([[0.9, 0.0999, 0.0001]]), np.array([1e-3]))
    np.testing.assert_allclose(posterior.top1.candidate, [0.9, 0.0999, 0.0001], atol=1e-3)
    assert posterior.top1.candidate.sum() == pytest.approx(1, abs=1e-6)


def test_a_label_of_probability_zero_never_leads() -> None:
    """It has no mass."""
    posterior = model_posterior(np.array([[0.0, 0.5, 0.5]]), np.array([2.0]))
    np.testing.assert_allclose(posterior.top1.candidate, [0, 0.5, 0.5], atol=1e-9)


def test_bad_input_is_refused() -> None:
    """Other shapes, and concentrations that are none."""
    with pytest.raises(ValueError, match=r"concentration must have shape \(3,\), got \(2,\)"):
        model_posterior(F, ALPHA[:2])
    with pytest.raises(ValueError, match="finite and above 0"):
        model_posterior(F, np.array([0.0, np.nan, 1.0]))
