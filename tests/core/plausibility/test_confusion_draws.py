"""Known truths in Dawid–Skene, and how far confusion matrices are known."""

from __future__ import annotations

import numpy as np
import pytest
from rater_matrices import choices, random_matrix
from scipy import stats

from core.plausibility.confusion_draws import confusion_draws, too_large
from core.plausibility.dawid_skene import fit_dawid_skene


def simulated(
    seed: int, n_cases: int, confusion: np.ndarray, prevalence: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Labels with shape (n_cases, n_raters) and the truth that they were drawn from."""
    rng = np.random.default_rng(seed)
    truth = rng.choice(len(prevalence), n_cases, p=prevalence)
    cumulative = confusion.cumsum(axis=2)[:, truth]
    labels = (rng.random((len(confusion), n_cases, 1)) > cumulative[..., :-1]).sum(axis=2)
    return labels.T.astype(float), truth


def test_all_truths_known_give_counts_with_the_prior() -> None:
    """The point by hand, the intervals as quantiles of beta distributions."""
    labels = random_matrix(3, n_cases=60, n_raters=3, n_labels=3)
    readings = choices(labels)
    truth = np.random.default_rng(0).integers(3, size=60)
    fitted = fit_dawid_skene(readings, 3, 3, known=truth)
    draws = confusion_draws(readings, fitted, np.random.default_rng(1), known=truth, n_draws=10_000, warmup=0)
    for rater in range(3):
        given = np.array(
            [[np.sum((labels[:, rater] == said) & (truth == k)) for said in range(3)] for k in range(3)]
        )
        parameters = given + 1 / 3 + np.eye(3)
        total = parameters.sum(axis=1, keepdims=True)
        np.testing.assert_allclose(fitted.confusion(rater), parameters / total, rtol=1e-9)
        expected = stats.beta.ppf(np.array([0.025, 0.975])[:, None, None], parameters, total - parameters)
        found = np.quantile(draws[:, rater], [0.025, 0.975], axis=0)
        np.testing.assert_allclose(found, expected, atol=0.015)
    read = ~np.isnan(labels).all(axis=1)
    np.testing.assert_allclose(
        fitted.prevalence, (np.bincount(truth[read], minlength=3) + 1 / 3) / (read.sum() + 1)
    )


def test_a_few_known_truths_mend_what_a_wrong_majority_says() -> None:
    """Two raters share an error and outvote the right one, until a third of the truths is known."""
    wrong, right = np.array([[0.4, 0.6], [0.05, 0.95]]), np.array([[0.95, 0.05], [0.05, 0.95]])
    labels, truth = simulated(1, 300, np.stack([wrong, wrong, right]), np.array([0.5, 0.5]))
    readings = choices(labels)
    known = np.where(np.arange(300) % 3 == 0, truth, -1)
    alone, told = (fit_dawid_skene(readings, 2, 3, known=of) for of in (None, known))
    assert abs(told.confusion(2)[0, 0] - 0.95) < 0.06
    assert abs(told.confusion(0)[0, 0] - 0.4) < 0.1
    assert abs(told.confusion(0)[0, 0] - 0.4) < abs(alone.confusion(0)[0, 0] - 0.4) + 0.01
    assert np.diff(told.log_posterior).min() > -1e-10


def test_unknown_truths_alone_change_nothing() -> None:
    """−1 throughout is no knowledge; codes that do not exist are refused."""
    readings = choices(random_matrix(4, n_cases=40, n_raters=3, n_labels=3))
    nothing = fit_dawid_skene(readings, 3, 3, known=np.full(40, -1))
    np.testing.assert_array_equal(nothing.confusion(1), fit_dawid_skene(readings, 3, 3).confusion(1))
    for known in (np.full(40, 3), np.full(39, 0), np.full(40, -2)):
        with pytest.raises(ValueError, match="known must have a label code below 3"):
            fit_dawid_skene(readings, 3, 3, known=known)


@pytest.mark.parametrize("share_known", [0.0, 0.3])
def test_intervals_hold_the_truth_as_often_as_they_say(share_known: float) -> None:
    """60 studies of four raters, whose matrices are drawn around being right."""
    rng = np.random.default_rng(8)
    held = []
    for seed in range(60):
        correct = rng.beta(8, 2, size=(4, 2))
        confusion = np.stack([[[a, 1 - a], [1 - b, b]] for a, b in correct])
        labels, truth = simulated(seed, 120, confusion, np.array([0.6, 0.4]))
        readings = choices(labels)
        known = np.where(rng.random(120) < share_known, truth, -1)
        fitted = fit_dawid_skene(readings, 2, 4, known=known)
        draws = confusion_draws(readings, fitted, rng, known=known, n_draws=200, warmup=30)
        low, high = np.quantile(draws, [0.025, 0.975], axis=0)[:, :, [0, 1], [0, 1]]
        held.append((low <= correct) & (correct <= high))
    assert 0.91 <= np.mean(held) <= 0.98


def test_what_cannot_be_drawn_is_refused() -> None:
    """No prior, too many numbers."""
    readings = choices(random_matrix(5, n_cases=20, n_raters=3, n_labels=3))
    fitted = fit_dawid_skene(readings, 3, 3)
    with pytest.raises(ValueError, match="under a prior only"):
        confusion_draws(readings, fitted, np.random.default_rng(0), total=0)
    assert "more than 20,000 entries" in too_large(readings, 100, 3)
    assert too_large(readings, 3, 3) == ""
