"""Scalings drawn towards a temperature: the limits of the penalty, and what few cases do."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import softmax

from core.recalibration.scaling import Method, fit_scaling
from core.recalibration.tempered import STRENGTHS, fit_tempered

METHODS: tuple[Method, ...] = ("vector", "matrix", "Dirichlet")


def overconfident(n_cases: int, n_labels: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Sharpened probabilities with one label pushed down, the true ones, and histograms of four labels."""
    rng = np.random.default_rng(seed)
    logits = rng.normal(0, 1, (n_cases, n_labels))
    truth = softmax(logits, axis=1)
    pushed = np.where(np.arange(n_labels) == 0, -1.5, 0)
    return softmax(3 * logits + pushed, axis=1), truth, rng.multinomial(4, truth)


@pytest.mark.parametrize("method", METHODS)
def test_a_strong_penalty_leaves_temperature_scaling(method: Method) -> None:
    """Not the model as it was given, which is too sure of itself."""
    given, _, counts = overconfident(80, 4, 0)
    (fit,) = fit_tempered(given, counts, method=method, strengths=[1e8])
    tempered = fit_scaling(given, counts).apply(given)
    np.testing.assert_allclose(fit.apply(given), tempered, atol=1e-6)
    assert np.abs(tempered - given).max() > 0.1


@pytest.mark.parametrize("method", METHODS)
def test_starting_from_a_stronger_penalty_changes_nothing(method: Method) -> None:
    """The last of a path of fits is the fit that begins at the identity."""
    given, _, counts = overconfident(200, 4, 1)
    path = fit_tempered(given, counts, method=method)
    assert [fit.strength for fit in path] == list(STRENGTHS)
    (alone,) = fit_tempered(given, counts, method=method, strengths=STRENGTHS[-1:])
    assert path[-1].scaling.loss == pytest.approx(alone.scaling.loss, abs=1e-9)
    np.testing.assert_allclose(path[-1].apply(given), alone.apply(given), atol=1e-4)


@pytest.mark.parametrize("method", METHODS)
def test_many_cases_mend_what_a_temperature_cannot(method: Method) -> None:
    """A label that the model neglects comes back."""
    given, truth, counts = overconfident(4000, 4, 2)
    fit = fit_tempered(given, counts, method=method)[-1]
    tempered = fit_scaling(given, counts).apply(given)
    assert np.abs(fit.apply(given) - truth).mean() < 0.3 * np.abs(tempered - truth).mean()


@pytest.mark.parametrize("method", METHODS)
def test_few_cases_do_not_ruin_the_strongly_penalised_fit(method: Method) -> None:
    """On new cases the strongest penalty loses next to nothing, the weakest more."""
    given, _, counts = overconfident(12, 10, 3)
    new, _, labels = overconfident(2000, 10, 4)
    path = fit_tempered(given, counts, method=method)
    (temperature,) = fit_tempered(given, counts, method=method, strengths=[1e8])
    base = temperature.loss(new, labels)
    assert path[0].loss(new, labels) < base + 0.02
    assert path[-1].loss(new, labels) > path[0].loss(new, labels)


def test_loss_is_that_of_a_label_by_hand() -> None:
    """Two cases, three labels given: the mean of three logarithms."""
    given, counts = np.array([[0.8, 0.2], [0.4, 0.6]]), np.array([[1, 1], [0, 1]])
    (fit,) = fit_tempered(given, counts, method="vector", strengths=[1.0])
    p = fit.apply(given)
    expected = -(np.log(p[0, 0]) + np.log(p[0, 1]) + np.log(p[1, 1])) / 3
    assert fit.loss(given, counts) == pytest.approx(expected, abs=1e-14)
