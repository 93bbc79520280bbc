"""Convergence of draws whose autocorrelation is known."""

from __future__ import annotations

import numpy as np
import pytest
from arviz_stats.base import array_stats

from core.plausibility.candidates import Candidates
from core.plausibility.convergence import RHAT_LIMIT, convergence, convergence_summary
from core.plausibility.draws import LARGEST, Draws
from core.plausibility.point import point_mass
from core.plausibility.posterior import SampledPosterior


def two_label_posterior(series, n_chains=1):
    """Cases with two labels, the first with the given plausibility in each draw, shape (n_cases, n_draws)."""
    series = np.asarray(series)
    n_cases, n_draws = series.shape
    candidates = Candidates(
        2 * np.arange(n_cases + 1), np.tile(np.arange(2, dtype=np.int32), n_cases), n_labels=2
    )
    value = np.stack([series, 1 - series], axis=1).reshape(-1, n_draws)
    return SampledPosterior(
        Draws(
            candidates,
            value,
            np.zeros((n_cases, n_draws)),
            np.zeros((1, n_draws, LARGEST)),
            np.zeros(n_cases, np.int64),
            n_chains=n_chains,
        )
    )


def autoregressive(rng, correlation, shape):
    """Stationary series x_t = ρ x_{t−1} + noise of variance 1 along the last axis."""
    noise = rng.standard_normal(shape)
    x = np.empty(shape)
    x[..., 0] = noise[..., 0]
    for t in range(1, shape[-1]):
        x[..., t] = correlation * x[..., t - 1] + np.sqrt(1 - correlation**2) * noise[..., t]
    return x


def test_independent_draws_are_worth_their_number():
    """R-hat near 1 and as many effective draws as draws."""
    rng = np.random.default_rng(0)
    table = convergence(two_label_posterior(0.5 + 0.4 * rng.random((50, 1000))))
    assert table["rhat"].median() == pytest.approx(1, abs=0.005)
    assert table["ess"].median() == pytest.approx(1000, rel=0.1)


def test_autocorrelated_draws_are_worth_fewer():
    """An autoregressive series of correlation ρ has n (1 − ρ)/(1 + ρ) effective draws."""
    x = autoregressive(np.random.default_rng(1), 0.6, (40, 2000))
    ess = convergence(two_label_posterior(1 / (1 + np.exp(-x))))["ess"]
    assert ess.mean() == pytest.approx(2000 * 0.4 / 1.6, rel=0.12)


def test_drift_and_separate_chains_show():
    """A series that wanders off, and chains in different places, have a large R-hat."""
    rng = np.random.default_rng(2)
    noise = 0.02 * rng.random(1000)
    drift = noise + np.linspace(0.6, 0.9, 1000)
    apart = noise + np.repeat([0.6, 0.9], 500)
    assert convergence(two_label_posterior([drift]))["rhat"][0] > 1.5
    assert convergence(two_label_posterior([apart], n_chains=2))["rhat"][0] > 1.5
    assert convergence(two_label_posterior([noise + 0.6], n_chains=2))["rhat"][0] < RHAT_LIMIT + 0.01


@pytest.mark.parametrize("n_draws", [200, 202])
def test_several_chains_equal_arviz(n_draws):
    """With two chains or more both numbers are those of arviz-stats' own rank-normalised methods."""
    rng = np.random.default_rng(6)
    series = 0.75 + 0.05 * np.tanh(autoregressive(rng, 0.8, (5, 2, n_draws // 2)))
    table = convergence(two_label_posterior(series.reshape(5, -1), n_chains=2))
    np.testing.assert_allclose(table["rhat"], array_stats.rhat(series))
    np.testing.assert_allclose(table["ess"], array_stats.ess(series))


def test_some_cases_in_their_own_order():
    """Rows asked for are the rows of the whole table."""
    rng = np.random.default_rng(3)
    posterior = two_label_posterior(rng.random((6, 200)))
    whole = convergence(posterior)
    some = convergence(posterior, cases=[4, 1])
    assert some["case"].tolist() == [4, 1]
    assert some["rhat"].tolist() == whole["rhat"][[4, 1]].tolist()


def test_leading_label_may_be_unmentioned():
    """Where an unmentioned label leads, the mass of all unmentioned labels is diagnosed."""
    rng = np.random.default_rng(4)
    candidates = Candidates(np.array([0, 1]), np.array([0], np.int32), 2)
    rest = np.linspace(0.7, 0.9, 400) + 0.01 * rng.random(400)
    shares = np.zeros((1, 400, LARGEST))
    shares[..., 0] = 1
    draws = Draws(candidates, 0.01 * rng.random((1, 400)), rest[None], shares, np.zeros(1, np.int64))
    assert convergence(SampledPosterior(draws))["rhat"][0] > 1.5


def test_draws_of_zero_and_one():
    """Draws of two values have a diagnosis too, also with exactly half of them 1."""
    rng = np.random.default_rng(7)
    table = convergence(two_label_posterior(rng.permuted(np.tile([0.0, 1.0], (3, 200)), axis=1)))
    assert table["rhat"].between(0.99, 1.02).all()
    assert (table["ess"] > 200).all()


def test_nothing_sampled_is_nan():
    """Point masses, constant draws and cases without readings have no diagnosis, and the summary says so."""
    candidates = Candidates(np.array([0, 0, 2]), np.array([0, 1], np.int32), 3)
    posterior = point_mass(candidates, np.array([0.6, 0.4]))
    assert convergence(posterior)[["rhat", "ess"]].isna().to_numpy().all()
    repeated = posterior.sample(100, np.zeros(2, np.uint64))
    table = convergence(repeated)
    assert table[["rhat", "ess"]].isna().to_numpy().all()
    assert np.isnan(convergence_summary(table)["worst_rhat"])


def test_summary_names_the_worst():
    """Worst R-hat, smallest effective size and the share above the limit, of the diagnosed cases."""
    rng = np.random.default_rng(5)
    series = 0.6 + 0.3 * rng.random((4, 1000))
    series[2] = np.linspace(0.6, 0.9, 1000)
    series[3] = 0.7
    table = convergence(two_label_posterior(series))
    summary = convergence_summary(table)
    assert summary["worst_rhat"] == table["rhat"][2]
    assert summary["smallest_ess"] == table["ess"][2]
    assert summary["share_above_limit"] == pytest.approx(1 / 3)
