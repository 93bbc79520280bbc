"""Ensembles as distributions over class probabilities."""

from __future__ import annotations

import numpy as np
import pytest

from core.recalibration.ensembles import (
    ensemble_concentration,
    ensemble_disagreement,
    ensemble_epistemic_loss,
    ensemble_posterior,
    ensemble_weights,
)
from core.recalibration.estimates import (
    disagreement_probability,
    posterior_epistemic_loss,
    posterior_probability,
)


@pytest.mark.slow
def test_many_dirichlet_members_are_a_dirichlet() -> None:
    """Disagreement, posterior, epistemic loss and concentration all approach α-calibration's."""
    rng = np.random.default_rng(0)
    f, alpha = np.array([[0.6, 0.3, 0.1], [0.2, 0.2, 0.6]]), np.array([2.0, 8.0])
    members = np.stack([rng.dirichlet(a * p, 100_000) for a, p in zip(alpha, f, strict=True)], axis=1)
    counts = np.array([[0, 1, 2], [3, 1, 0]])
    np.testing.assert_allclose(ensemble_disagreement(members), disagreement_probability(f, alpha), atol=0.005)
    after = posterior_probability(f, alpha, counts)
    np.testing.assert_allclose(ensemble_posterior(members, counts), after, atol=0.01)
    np.testing.assert_allclose(
        ensemble_disagreement(members, counts),
        disagreement_probability(after, alpha + counts.sum(axis=1)),
        atol=0.01,
    )
    np.testing.assert_allclose(
        ensemble_epistemic_loss(members, counts), posterior_epistemic_loss(f, alpha, counts), atol=0.01
    )
    np.testing.assert_allclose(ensemble_concentration(members), alpha, rtol=0.05)


def test_members_of_one_mind_are_a_point() -> None:
    """Nothing that is told changes them, and the concentration is infinite."""
    f = np.array([[0.6, 0.4], [0.1, 0.9]])
    members, counts = np.stack([f, f, f]), np.array([[2, 1], [0, 3]])
    np.testing.assert_allclose(ensemble_posterior(members, counts), f, rtol=1e-14)
    np.testing.assert_allclose(ensemble_disagreement(members), disagreement_probability(f), rtol=1e-14)
    np.testing.assert_allclose(
        ensemble_epistemic_loss(members, counts), posterior_epistemic_loss(f, None, counts), rtol=1e-12
    )
    assert np.isinf(ensemble_concentration(members)).all()


def test_weights_worked_out_by_hand() -> None:
    """Two members who gave the told label 0.9 and 0.1."""
    members = np.array([[[0.9, 0.1]], [[0.1, 0.9]]])
    np.testing.assert_allclose(ensemble_weights(members, np.array([[1, 0]])), [[0.9], [0.1]], rtol=1e-12)
    np.testing.assert_allclose(ensemble_posterior(members, np.array([[1, 0]])), [[0.82, 0.18]], rtol=1e-12)
    np.testing.assert_allclose(ensemble_weights(members, np.array([[1, 1]])), [[0.5], [0.5]], rtol=1e-12)


def test_labels_that_members_excluded() -> None:
    """A member that excluded the label drops out; where all did, none does."""
    members = np.array([[[1.0, 0.0, 0.0]], [[0.4, 0.6, 0.0]]])
    np.testing.assert_array_equal(ensemble_weights(members, np.array([[0, 2, 0]])), [[0], [1]])
    np.testing.assert_array_equal(ensemble_weights(members, np.array([[0, 0, 1]])), [[0.5], [0.5]])


def test_cases_not_predicted_stay_undefined() -> None:
    """A row of NaN gives NaN and touches nothing else."""
    members = np.array([[[0.5, 0.5], [np.nan, np.nan]], [[0.2, 0.8], [np.nan, np.nan]]])
    counts = np.array([[2, 1], [2, 1]])
    for values in (
        ensemble_disagreement(members),
        ensemble_epistemic_loss(members, counts),
        ensemble_posterior(members, counts)[:, 0],
    ):
        assert np.isfinite(values[0])
        assert np.isnan(values[1])


def test_fractions_of_labels_are_refused() -> None:
    """Here as everywhere."""
    with pytest.raises(ValueError, match="whole numbers"):
        ensemble_posterior(np.full((2, 1, 2), 0.5), np.array([[0.5, 1]]))
