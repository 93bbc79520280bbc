"""Ability, leaning and difficulty: recovery of what was simulated, brute force, and invariances."""

from __future__ import annotations

import numpy as np
import pytest
from rater_matrices import choices, knee_matrices, random_matrix
from scipy.optimize import check_grad, minimize
from scipy.stats import spearmanr

from core.plausibility.rater_ability import model as rater_ability
from core.plausibility.rater_ability.likelihood import (
    ABILITY_MEAN,
    ABILITY_SPREAD,
    CLARITY,
    LEANING_SPREAD,
    NODES,
    SPREAD_MEDIAN,
    SPREAD_SPREAD,
)
from core.plausibility.rater_ability.model import RaterAbility, fit_rater_ability


def simulate(
    seed: int,
    *,
    n_cases: int = 1500,
    n_raters: int = 8,
    prevalence: tuple[float, ...] = (0.7, 0.3),
    leaning_spread: float = 2.0,
    missing: float = 0.0,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Readings with shape (n_cases, n_raters), true abilities, true leanings and truths."""
    rng = np.random.default_rng(seed)
    n_labels = len(prevalence)
    ability = np.linspace(0.5, 3.5, n_raters)[rng.permutation(n_raters)]
    leaning = rng.normal(0, leaning_spread, (n_raters, n_labels))
    leaning -= leaning.mean(axis=0)
    leaning -= leaning.mean(axis=1, keepdims=True)
    truth = rng.choice(n_labels, n_cases, p=prevalence)
    clarity = np.exp(0.7 * rng.standard_normal(n_cases))
    true = truth[:, None, None] == np.arange(n_labels)
    logit = leaning + ability[:, None] * clarity[:, None, None] * true
    labels = (logit + rng.gumbel(size=logit.shape)).argmax(axis=2).astype(float)
    labels[rng.random(labels.shape) < missing] = np.nan
    return labels, ability, leaning, truth


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "prevalence", "missing"),
    [(0, (0.7, 0.3), 0.0), (1, (0.9, 0.1), 0.0), (2, (0.7, 0.3), 0.4), (3, (0.5, 0.3, 0.2), 0.0)],
)
def test_ability_and_leaning_are_recovered(seed: int, prevalence: tuple[float, ...], missing: float) -> None:
    """Within four standard errors each, in the true order, and each apart from the other."""
    labels, ability, leaning, truth = simulate(seed, prevalence=prevalence, missing=missing)
    fitted = fit_rater_ability(choices(labels), len(prevalence), 8)
    assert fitted.converged
    assert np.abs((fitted.ability - ability) / fitted.ability_error).max() < 4
    unclear = np.exp(leaning) / np.exp(leaning).sum(axis=1, keepdims=True)
    assert np.abs((fitted.unclear - unclear) / fitted.unclear_error).max() < 4
    assert spearmanr(fitted.ability, ability).statistic > 0.9
    assert spearmanr(fitted.leaning[:, 0], leaning[:, 0]).statistic > 0.9
    assert np.abs(fitted.prevalence - prevalence).max() < 0.06
    said = np.where(np.isnan(labels), np.nan, labels == 1)[truth == 1]
    np.testing.assert_allclose(fitted.recall[:, 1], np.nanmean(said, axis=0), atol=0.08)


@pytest.mark.slow
def test_strong_leaning_does_not_lower_ability() -> None:
    """Equally able raters, one of whom says present far too often and one far too rarely."""
    rng = np.random.default_rng(5)
    leaning = np.array([2.5, -2.5, 0, 0, 0, 0, 0, 0])
    truth = 2 * (rng.random(2000) < 0.3) - 1
    trait = truth * np.exp(0.6 * rng.standard_normal(2000))
    labels = (rng.random((2000, 8)) < 1 / (1 + np.exp(-(leaning + 2 * trait[:, None])))).astype(float)
    fitted = fit_rater_ability(choices(labels), 2, 8)
    others = np.array([np.mean(labels[:, r] == (labels.sum(axis=1) - labels[:, r] > 3.5)) for r in range(8)])
    assert others[:2].max() < others[2:].min() - 0.03, "by the majority both look worse"
    assert np.ptp(fitted.accuracy) < 0.08
    assert (
        np.abs(fitted.accuracy[:2] - fitted.accuracy[2:].mean()).max() < 3 * fitted.accuracy_error[:2].max()
    )
    assert fitted.unclear[0, 1] > 0.8
    assert fitted.unclear[1, 1] < 0.2


@pytest.mark.slow
def test_errors_cover_what_they_say() -> None:
    """Over 10 simulated studies, 160 standardised errors of abilities and leanings have a spread near 1."""
    off = []
    for seed in range(10):
        labels, ability, leaning, _ = simulate(100 + seed, n_cases=400)
        fitted = fit_rater_ability(choices(labels), 2, 8)
        off += [(fitted.ability - ability) / fitted.ability_error]
        unclear = 1 / (1 + np.exp(-2 * leaning[:, 1]))
        off += [(fitted.unclear[:, 1] - unclear) / fitted.unclear_error[:, 1]]
    spread = np.sqrt(np.mean(np.square(off)))
    assert 0.7 < spread < 1.3, spread


def by_hand(fitted: RaterAbility, labels: np.ndarray, n_labels: int) -> tuple[float, float, np.ndarray]:
    """Log-likelihood, log-prior and truths, going through all truths, clarities and readings."""
    weight = np.exp(-0.5 * (NODES / fitted.spread) ** 2)
    weight /= weight.sum()
    likelihood, truths = 0.0, np.zeros((len(labels), n_labels))
    for i, row in enumerate(labels):
        joint = np.outer(fitted.prevalence, weight)
        for r in np.flatnonzero(~np.isnan(row)):
            for k in range(n_labels):
                for q, clarity in enumerate(CLARITY):
                    logit = fitted.leaning[r].copy()
                    logit[k] += fitted.ability[r] * clarity
                    odds = np.exp(logit - logit.max())
                    joint[k, q] *= odds[int(row[r])] / odds.sum()
        if not np.isnan(row).all():
            likelihood += np.log(joint.sum())
            truths[i] = joint.sum(axis=1) / joint.sum()
    prior = (
        np.log(fitted.prevalence).mean()
        - (((fitted.ability - ABILITY_MEAN) / ABILITY_SPREAD) ** 2).sum() / 2
        - ((fitted.leaning / LEANING_SPREAD) ** 2).sum() / 2
        - (np.log(fitted.spread / SPREAD_MEDIAN) / SPREAD_SPREAD) ** 2 / 2
    )
    return float(likelihood), float(prior), truths


@pytest.mark.parametrize("n_labels", [2, 4])
def test_likelihood_and_truths_by_brute_force(n_labels: int) -> None:
    """The log-posterior, its two parts and the truths, at the fit."""
    labels = random_matrix(3, n_cases=40, n_raters=4, n_labels=n_labels)
    fitted = fit_rater_ability(choices(labels), n_labels, 4)
    likelihood, prior, truths = by_hand(fitted, labels, n_labels)
    assert fitted.log_likelihood == pytest.approx(likelihood, abs=1e-8)
    assert fitted.log_posterior == pytest.approx(likelihood + prior, abs=1e-8)
    np.testing.assert_allclose(fitted.truth, truths, atol=1e-10)
    assert np.isnan(fitted.difficulty[0])


def test_gradient_is_that_of_the_objective() -> None:
    """Against differences, at random parameters."""
    labels = random_matrix(1, n_cases=30, n_raters=3, n_labels=3)
    readings = choices(labels)
    seen = {}

    def keep(loss, start, **options):
        seen["loss"], seen["size"] = loss, len(start)
        return minimize(loss, start, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rater_ability, "minimize", keep)
        fit_rater_ability(readings, 3, 3)
    at = np.random.default_rng(0).normal(0.5, 0.5, seen["size"])
    assert check_grad(lambda x: seen["loss"](x)[0], lambda x: seen["loss"](x)[1], at) < 1e-4


def test_order_of_raters_labels_and_cases_does_not_matter() -> None:
    """Abilities follow their raters, leanings their labels too."""
    labels, *_ = simulate(8, n_cases=300, prevalence=(0.5, 0.3, 0.2))
    fitted = fit_rater_ability(choices(labels), 3, 8)
    turned = fit_rater_ability(choices((2 - labels)[::-1, ::-1]), 3, 8)
    np.testing.assert_allclose(turned.ability[::-1], fitted.ability, atol=2e-3)
    np.testing.assert_allclose(turned.leaning[::-1, ::-1], fitted.leaning, atol=2e-3)


def test_leaning_is_against_the_panel() -> None:
    """Zero on average over labels, and over readings."""
    labels, *_ = simulate(9, n_cases=300, missing=0.5)
    fitted = fit_rater_ability(choices(labels), 2, 8)
    np.testing.assert_allclose(fitted.leaning.sum(axis=1), 0, atol=1e-12)
    n_read = (~np.isnan(labels)).sum(axis=0)
    np.testing.assert_allclose(n_read @ fitted.leaning, 0, atol=1e-9)


def test_always_right_never_read_and_never_named() -> None:
    """Raters who always agree have a finite ability; one who reads nothing has none; nor has a label."""
    labels = np.full((40, 4), np.nan)
    labels[:, :3] = np.arange(40)[:, None] % 2
    fitted = fit_rater_ability(choices(labels), 3, 4)
    assert np.isfinite(fitted.ability[:3]).all()
    assert (fitted.accuracy[:3] > 0.9).all()
    assert np.isnan([fitted.ability[3], fitted.accuracy[3], fitted.ability_error[3]]).all()
    assert np.isnan(fitted.recall[:, 2]).all()
    assert fitted.prevalence[2] == 0


def test_disagreement_makes_a_case_unclear() -> None:
    """Among the knee radiologists, split cases are less clear than unanimous ones."""
    labels, _ = knee_matrices()
    fitted = fit_rater_ability(choices(labels), 2, 13)
    votes = labels.mean(axis=1)
    split, unanimous = np.abs(votes - 0.5) < 0.1, np.abs(votes - 0.5) > 0.49
    assert fitted.difficulty[split].min() > fitted.difficulty[unanimous].max() + 0.5


def test_bad_input_is_refused() -> None:
    """Options out of range."""
    readings = choices(np.array([[0.0, 0.0]]))
    with pytest.raises(ValueError, match="n_labels must be 2 or more, got 1"):
        fit_rater_ability(readings, 1, 2)
    with pytest.raises(ValueError, match="max_iterations must be 1 or more, got 0"):
        fit_rater_ability(readings, 2, 2, max_iterations=0)
    with pytest.raises(ValueError, match="at least one reading"):
        fit_rater_ability(choices(np.full((2, 2), np.nan)), 2, 2)
