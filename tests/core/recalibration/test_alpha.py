"""α-calibration against a reference optimum, in limits, and on input that is odd."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from shared_data import shared_data

from core.recalibration.alpha import STRENGTHS, fit_alpha, held_out_loss
from core.recalibration.likelihood import HistogramLikelihood


def simulated(
    n_cases: int, seed: int = 0, *, n_raters: int = 6
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Probabilities, histograms and features of a log-linear concentration, and its logarithm."""
    rng = np.random.default_rng(seed)
    features = rng.normal(2, 1, (n_cases, 2))
    log_alpha = 0.8 * features[:, 0] - 0.5 * features[:, 1] + 0.3
    probability = (rng.dirichlet(np.ones(4), n_cases) + 0.01) / 1.04
    truth = np.array([rng.dirichlet(a * p) for a, p in zip(np.exp(log_alpha), probability, strict=True)])
    truth = truth / truth.sum(axis=1, keepdims=True)
    return probability, rng.multinomial(n_raters, truth), features, log_alpha


@pytest.mark.parametrize(
    ("given", "strength", "weight", "bias", "loss"),
    [
        ("z_raw", 0.005, [0.909950, -0.295533, 0.392466, -0.779111], 0.425844, 1.997643),
        ("z_ts", 0.005, [1.192451, -0.298934, 0.408646, -0.785645], 0.078256, 1.687629),
        ("z_ts", 0.0, [1.471183, -0.325116, 0.580634, -1.023508], 0.053199, 1.680355),
    ],
)
def test_optimum_is_that_of_the_reference(
    given: str, strength: float, weight: list[float], bias: float, loss: float
) -> None:
    """Weights, bias and loss of an independent optimiser, with no slope left."""
    inputs = np.load(shared_data("goldens", "mimori_alpha_calibration_inputs.npz"))
    (fit,) = fit_alpha(inputs[given], inputs["y"], inputs["h"], strengths=[strength])
    np.testing.assert_allclose(fit.weight, weight, atol=1e-5)
    assert fit.bias == pytest.approx(bias, abs=1e-5)
    assert fit.loss == pytest.approx(loss, abs=1e-6)
    assert fit.gradient < 1e-6
    stored = inputs[f"alpha0_{'raw' if given == 'z_raw' else 'ts'}_lam{strength:g}_weighted"]
    np.testing.assert_allclose(fit.concentration(inputs["h"]), stored, rtol=2e-5)


def test_single_losses_are_those_of_the_reference() -> None:
    """Negative log-likelihoods of ten cases at α = 2.5 f."""
    path = shared_data("goldens", "mimori_alpha_calibration.json")
    inputs = np.load(path.with_name("mimori_alpha_calibration_inputs.npz"))
    likelihood = HistogramLikelihood(inputs["z_ts"], inputs["y"])
    loss, _ = likelihood.of_cases(np.full(len(inputs["y"]), np.log(2.5)))
    stored = json.loads(path.read_text())["dm_nll_first10_alpha_2p5z"]
    np.testing.assert_allclose(loss[:10], stored, atol=1e-10)


def test_finds_the_concentration_that_made_the_labels() -> None:
    """With many cases the true weights come back."""
    probability, counts, features, _ = simulated(20_000)
    (fit,) = fit_alpha(probability, counts, features, strengths=[0.0])
    np.testing.assert_allclose(fit.weight, [0.8, -0.5], atol=0.06)
    assert fit.bias == pytest.approx(0.3, abs=0.1)


def test_nearby_weights_are_no_better() -> None:
    """The penalised loss, computed from scratch, grows in every direction from the optimum."""
    probability, counts, features, _ = simulated(300, 1)
    (fit,) = fit_alpha(probability, counts, features, strengths=[0.05])
    likelihood = HistogramLikelihood(probability, counts)

    def loss(log_alpha: np.ndarray) -> float:
        return likelihood.mean(log_alpha)[0] + 0.05 * float(np.mean(log_alpha**2))

    best = fit.log_concentration(features)
    assert loss(best) == pytest.approx(fit.loss, abs=1e-12)
    rng = np.random.default_rng(2)
    for _ in range(20):
        step = features @ rng.normal(0, 0.01, 2) + rng.normal(0, 0.01)
        assert loss(best + step) > fit.loss


def test_without_features_one_concentration_for_all() -> None:
    """No columns: the optimum of a search in one dimension."""
    probability, counts, _, _ = simulated(400, 3)
    (fit,) = fit_alpha(probability, counts, np.empty((400, 0)), strengths=[0.0])
    likelihood = HistogramLikelihood(probability, counts)
    searched = minimize_scalar(
        lambda b: likelihood.mean(np.full(400, b))[0], bounds=(-5, 5), method="bounded"
    )
    assert fit.bias == pytest.approx(searched.x, abs=1e-4)


def test_scale_of_features_changes_nothing() -> None:
    """Other units and other zeros give the same concentrations."""
    probability, counts, features, _ = simulated(200, 4)
    (fit,) = fit_alpha(probability, counts, features, strengths=[0.05])
    other = features * [1e6, 1e-6] + [5, -3]
    (again,) = fit_alpha(probability, counts, other, strengths=[0.05])
    np.testing.assert_allclose(again.concentration(other), fit.concentration(features), rtol=1e-5)


def test_strong_penalty_pulls_the_concentration_to_one() -> None:
    """(log α0)² is what is penalised."""
    probability, counts, features, _ = simulated(200, 5)
    (fit,) = fit_alpha(probability, counts, features, strengths=[1e7])
    np.testing.assert_allclose(fit.concentration(features), 1, atol=1e-5)


def test_fits_of_a_path_are_those_of_single_fits() -> None:
    """Starting from another strength's optimum does not move the optimum."""
    probability, counts, features, _ = simulated(200, 6)
    path = fit_alpha(probability, counts, features, strengths=STRENGTHS)
    for fit in path:
        (alone,) = fit_alpha(probability, counts, features, strengths=[fit.strength])
        np.testing.assert_allclose(fit.weight, alone.weight, atol=1e-4)


def test_constant_and_repeated_features_do_no_harm() -> None:
    """A constant gets no weight; a feature given twice shares its own."""
    probability, counts, features, _ = simulated(200, 7)
    (fit,) = fit_alpha(probability, counts, features, strengths=[0.05])
    odd = np.column_stack([features, features[:, 0], np.full(200, 3.0), np.zeros(200)])
    (again,) = fit_alpha(probability, counts, odd, strengths=[0.05])
    np.testing.assert_allclose(again.concentration(odd), fit.concentration(features), rtol=1e-5)
    np.testing.assert_array_equal(again.weight[3:], 0)
    np.testing.assert_allclose(again.weight[0], again.weight[2], rtol=1e-6)


def test_fewer_cases_than_features() -> None:
    """The fit is finite, and the same after the features are rotated: no direction is favoured."""
    probability, counts, _, _ = simulated(8, 8)
    rng = np.random.default_rng(9)
    features = rng.normal(size=(8, 30))
    (fit,) = fit_alpha(probability, counts, features, strengths=[0.5])
    assert np.isfinite(fit.weight).all()
    assert fit.gradient < 1e-5
    likelihood = HistogramLikelihood(probability, counts)
    assert fit.loss < likelihood.mean(np.zeros(8))[0]


def test_a_label_that_nobody_chose_and_unanimous_cases() -> None:
    """All raters of one mind: the concentration sinks as far as the penalty lets it, and stays finite."""
    rng = np.random.default_rng(10)
    probability = (rng.dirichlet(np.ones(3), 60) + 0.1) / 1.3
    counts = np.eye(3, dtype=int)[rng.integers(0, 2, 60)] * 4
    free, held = fit_alpha(probability, counts, rng.normal(size=(60, 2)), strengths=[0.0, 0.5])
    assert np.isfinite(free.loss)
    assert held.bias < 0
    assert held.gradient < 1e-5


def test_held_out_loss_has_no_penalty() -> None:
    """At the fitted cases it is the penalised loss less the penalty."""
    probability, counts, features, _ = simulated(100, 11)
    (fit,) = fit_alpha(probability, counts, features, strengths=[0.5])
    penalty = 0.5 * float(np.mean(fit.log_concentration(features) ** 2))
    assert held_out_loss(fit, probability, counts, features) == pytest.approx(fit.loss - penalty, abs=1e-12)


def test_bad_input_is_refused() -> None:
    """Single labels, wrong shapes, NaN and negative strengths."""
    probability, counts, features, _ = simulated(10, 12)
    with pytest.raises(ValueError, match="cases with two labels or more, got none"):
        fit_alpha(probability, np.minimum(counts, np.eye(4, dtype=int)[[0] * 10]), features)
    with pytest.raises(ValueError, match=r"features must have shape \(10, n_features\), got \(9, 2\)"):
        fit_alpha(probability, counts, features[:9])
    with pytest.raises(ValueError, match="features must be finite, got nan"):
        fit_alpha(probability, counts, np.where(features == features[3, 1], np.nan, features))
    with pytest.raises(ValueError, match=r"strengths must be finite and 0 or more, got \[-1.0\]"):
        fit_alpha(probability, counts, features, strengths=[-1.0])


def test_more_features_than_cases_are_as_good_as_a_basis_of_them() -> None:
    """Only where the cases lie matters, not how many features say so; 3,000 of them take no time."""
    rng = np.random.default_rng(21)
    probability = rng.dirichlet(np.ones(3), 25)
    counts = rng.multinomial(4, probability)
    features = rng.normal(size=(25, 3000)) * rng.uniform(0.1, 10, 3000)
    scaled = (features - features.mean(axis=0)) / features.std(axis=0)
    basis = scaled @ np.linalg.svd(scaled, full_matrices=False)[2][:24].T
    wide, narrow = (
        fit_alpha(probability, counts, columns, strengths=[0.05])[0] for columns in (features, basis)
    )
    assert wide.loss == pytest.approx(narrow.loss, abs=1e-9)
    np.testing.assert_allclose(wide.log_concentration(features), narrow.log_concentration(basis), atol=1e-4)
