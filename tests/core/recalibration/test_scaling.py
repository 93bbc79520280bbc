"""Temperature, vector, matrix and Dirichlet scaling: reference optimum, what they can undo, odd input."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import log_softmax, softmax
from shared_data import shared_data

from core.recalibration.scaling import HOTTEST, METHODS, Method, fit_scaling


def labelled(n_cases: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Logits, the probabilities that they stand for, and histograms of five labels drawn from these."""
    rng = np.random.default_rng(seed)
    logits = rng.normal(0, 1.5, (n_cases, 3))
    truth = softmax(logits, axis=1)
    return logits, truth, rng.multinomial(5, truth)


def loss(probability: np.ndarray, counts: np.ndarray) -> float:
    """Mean negative log-likelihood of a label."""
    return float(-(counts * np.log(probability)).sum() / counts.sum())


def test_temperature_is_that_of_the_reference() -> None:
    """Temperature, loss and scaled probabilities of an independent optimiser."""
    inputs = np.load(shared_data("goldens", "mimori_alpha_calibration_inputs.npz"))
    fit = fit_scaling(inputs["z_raw"], inputs["y"])
    assert fit.temperature == pytest.approx(2.11536, abs=1e-5)
    assert fit.loss == pytest.approx(0.5329058, abs=1e-7)
    np.testing.assert_allclose(fit.apply(inputs["z_raw"]), inputs["z_ts"], atol=1e-6)


def test_temperature_divides_the_logits() -> None:
    """Applying it is softmax(logits / T), whatever constant the logits lack."""
    logits, _, counts = labelled(300, 0)
    fit = fit_scaling(softmax(3 * logits, axis=1), counts)
    expected = softmax((3 * logits + 7) / fit.temperature, axis=1)
    np.testing.assert_allclose(fit.apply(softmax(3 * logits, axis=1)), expected, atol=1e-12)


def test_temperature_is_the_best_on_a_grid() -> None:
    """No other temperature has a smaller loss."""
    logits, _, counts = labelled(200, 1)
    fit = fit_scaling(softmax(2 * logits, axis=1), counts)
    for other in np.geomspace(0.1, 10, 60):
        assert -(counts * log_softmax(2 * logits / other, axis=1)).sum() / counts.sum() >= fit.loss - 1e-12


@pytest.mark.parametrize("method", METHODS)
def test_undoes_too_much_confidence(method: Method) -> None:
    """Probabilities sharpened threefold come back, with every method."""
    logits, truth, counts = labelled(5000, 2)
    fit = fit_scaling(softmax(3 * logits, axis=1), counts, method=method, strength=1e-6)
    assert np.abs(fit.apply(softmax(3 * logits, axis=1)) - truth).max() < 0.05


def test_vector_scaling_mends_a_neglected_label() -> None:
    """A label whose logits are pushed down is out of a temperature's reach, not of a bias's."""
    logits, truth, counts = labelled(5000, 3)
    given = softmax(logits - [2, 0, 0], axis=1)
    by_temperature = fit_scaling(given, counts).apply(given)
    by_vector = fit_scaling(given, counts, method="vector", strength=1e-6).apply(given)
    assert np.abs(by_vector - truth).mean() < 0.1 * np.abs(by_temperature - truth).mean()


@pytest.mark.parametrize("method", ["matrix", "Dirichlet"])
def test_matrix_scaling_mends_confused_labels(method: Method) -> None:
    """Mixed-up logits are out of reach of anything diagonal."""
    logits, truth, counts = labelled(5000, 4)
    mixing = np.array([[1, 0.5, 0], [-0.3, 0.5, 0.2], [0.3, 0, 0.8]])
    given = softmax(logits @ mixing, axis=1)
    by_vector = fit_scaling(given, counts, method="vector", strength=1e-6).apply(given)
    by_matrix = fit_scaling(given, counts, method=method, strength=1e-6).apply(given)
    assert np.abs(by_matrix - truth).mean() < 0.5 * np.abs(by_vector - truth).mean()
    assert np.abs(by_matrix - truth).mean() < 0.02


@pytest.mark.parametrize("method", METHODS[1:])
def test_optimum_has_no_slope(method: Method) -> None:
    """Small steps of W and b from the optimum do not lower the penalised loss, computed from scratch."""
    logits, _, counts = labelled(60, 5)
    given = softmax(2 * logits, axis=1)
    fit = fit_scaling(given, counts, method=method, strength=0.1)
    z = np.log(given)
    z = z if method == "Dirichlet" else z - z.mean(axis=1, keepdims=True)
    neutral = np.ones(3) if method == "vector" else np.eye(3)

    def penalised(weight: np.ndarray, bias: np.ndarray) -> float:
        scaled = (z * weight if method == "vector" else z @ weight.T) + bias
        penalty = 0.1 * (np.mean((weight - neutral) ** 2) + np.mean(bias**2))
        return loss(softmax(scaled, axis=1), counts) + penalty

    assert penalised(fit.weight, fit.bias) == pytest.approx(fit.loss, abs=1e-12)
    rng = np.random.default_rng(6)
    for _ in range(30):
        step = 1e-3 * rng.normal(size=fit.weight.shape), 1e-3 * rng.normal(size=3)
        assert penalised(fit.weight + step[0], fit.bias + step[1]) > fit.loss


@pytest.mark.parametrize("method", METHODS)
def test_strong_penalty_leaves_the_probabilities(method: Method) -> None:
    """Only a temperature has no penalty."""
    logits, _, counts = labelled(50, 7)
    given = softmax(2 * logits, axis=1)
    moved = np.abs(fit_scaling(given, counts, method=method, strength=1e8).apply(given) - given).max()
    assert (moved < 1e-6) == (method != "temperature")


@pytest.mark.parametrize("method", METHODS)
def test_a_label_that_nobody_chose_stays_finite(method: Method) -> None:
    """Its bias is held by the penalty."""
    logits, _, counts = labelled(100, 8)
    counts[:, 0] = 0
    given = softmax(logits, axis=1)
    scaled = fit_scaling(given, counts, method=method).apply(given)
    assert np.isfinite(scaled).all()
    np.testing.assert_allclose(scaled.sum(axis=1), 1, atol=1e-12)


def test_a_model_that_is_always_right_meets_the_limit() -> None:
    """Its temperature would be 0."""
    given = np.array([[0.8, 0.2], [0.3, 0.7]])
    assert fit_scaling(given, np.array([[3, 0], [0, 2]])).temperature == pytest.approx(1 / HOTTEST)


def test_bad_input_is_refused() -> None:
    """Unknown methods, no penalty, and a temperature where there is none."""
    given, counts = np.full((4, 2), 0.5), np.ones((4, 2), int)
    with pytest.raises(
        ValueError, match="method must be one of temperature, vector, matrix, Dirichlet, got 'x'"
    ):
        fit_scaling(given, counts, method="x")
    with pytest.raises(ValueError, match="strength must be finite and above 0, got 0"):
        fit_scaling(given, counts, method="vector", strength=0)
    with pytest.raises(ValueError, match="above 0"):
        fit_scaling(np.array([[0.0, 1.0]] * 4), counts)
    with pytest.raises(ValueError, match="only temperature scaling has a temperature, got vector scaling"):
        _ = fit_scaling(given, counts, method="vector").temperature
