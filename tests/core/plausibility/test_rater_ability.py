"""Ability and difficulty: recovery of what was simulated, brute force, and a rising objective."""

from __future__ import annotations

import numpy as np
import pytest
from rater_matrices import choices, knee_matrices, random_matrix

from core.plausibility.rater_ability import (
    ABILITY_MEAN,
    ABILITY_SPREAD,
    NODES,
    fit_rater_ability,
)


@pytest.fixture(scope="module")
def simulated():
    """6,000 cases of 3 labels, half of 12 raters each, difficulties with a standard deviation of 1.3."""
    rng = np.random.default_rng(1)
    ability, difficulty = rng.normal(1, 1, 12), rng.normal(0, 1.3, 6000)
    truth = rng.integers(0, 3, 6000)
    right = rng.random((6000, 12)) < 1 / (1 + np.exp(difficulty[:, None] - ability))
    labels = np.where(right, truth[:, None], (truth[:, None] + rng.integers(1, 3, right.shape)) % 3)
    labels = np.where(rng.random(right.shape) < 0.5, np.nan, labels)
    return labels, ability, difficulty, truth, right, fit_rater_ability(choices(labels), 3, 12)


def test_abilities_and_spread_are_recovered(simulated):
    """Within four standard errors, and the spread of difficulty within .1."""
    _, ability, difficulty, _, right, fitted = simulated
    assert fitted.converged
    assert np.abs((fitted.ability - ability) / fitted.standard_error).max() < 4
    assert fitted.spread == pytest.approx(1.3, abs=0.1)
    assert np.corrcoef(fitted.difficulty, difficulty)[0, 1] > 0.6
    np.testing.assert_allclose(fitted.accuracy, right.mean(axis=0), atol=0.025)


def test_truths_are_calibrated(simulated):
    """Labels given a probability are the truth that often."""
    _, _, _, truth, _, fitted = simulated
    candidates = fitted.candidates
    right = truth[candidates.case] == candidates.label
    for low in np.arange(0, 1, 0.25):
        inside = (fitted.truth >= low) & (fitted.truth < low + 0.25 + 1e-9)
        assert right[inside].mean() == pytest.approx(fitted.truth[inside].mean(), abs=0.03)


@pytest.mark.parametrize("seed", range(4))
def test_log_posterior_never_falls(seed):
    """Small random studies."""
    fitted = fit_rater_ability(choices(random_matrix(seed, n_cases=50)), 4, 6, max_iterations=400)
    scale = np.abs(fitted.log_posterior).max()
    assert np.diff(fitted.log_posterior).min() > -1e-13 * scale


def test_objective_and_expectations_by_brute_force():
    """The last log-posterior, truths and difficulties, going through all truths and nodes."""
    labels = random_matrix(3, n_cases=25, n_raters=4, n_labels=5)
    fitted = fit_rater_ability(choices(labels), 5, 4, max_iterations=5, tolerance=1e-300)
    weight = np.exp(-0.5 * (NODES / fitted.spread) ** 2)
    weight /= weight.sum()
    objective = -((fitted.ability - ABILITY_MEAN) ** 2).sum() / (2 * ABILITY_SPREAD**2)
    slot = 0
    for i, row in enumerate(labels):
        joint = np.tile(weight / 5, (5, 1))
        for r, label in enumerate(row):
            if np.isnan(label):
                continue
            right = 1 / (1 + np.exp(NODES - fitted.ability[r]))
            for k in range(5):
                joint[k] *= right if k == label else (1 - right) / 4
        if np.isnan(row).all():
            assert np.isnan(fitted.difficulty[i])
            continue
        objective += np.log(joint.sum())
        joint /= joint.sum()
        assert fitted.difficulty[i] == pytest.approx(joint.sum(axis=0) @ NODES, abs=1e-9)
        for k in np.unique(row[~np.isnan(row)]).astype(int):
            assert fitted.truth[slot] == pytest.approx(joint[k].sum(), abs=1e-9)
            slot += 1
    assert fitted.log_posterior[-1] == pytest.approx(objective, abs=1e-9)


def test_always_right_and_never_read():
    """Raters who always agree have a finite ability; one who reads nothing has none."""
    labels = np.full((40, 3), np.nan)
    labels[:, :2] = np.arange(40)[:, None] % 2
    fitted = fit_rater_ability(choices(labels), 2, 3)
    assert np.isfinite(fitted.ability[:2]).all()
    assert (fitted.accuracy[:2] > 0.9).all()
    assert np.isnan([fitted.ability[2], fitted.accuracy[2], fitted.standard_error[2]]).all()


def test_disagreement_makes_a_case_hard():
    """Among the knee radiologists, split cases are harder than unanimous ones."""
    labels, _ = knee_matrices()
    fitted = fit_rater_ability(choices(labels), 2, 13)
    votes = labels.mean(axis=1)
    split, unanimous = np.abs(votes - 0.5) < 0.1, np.abs(votes - 0.5) > 0.49
    assert fitted.difficulty[split].min() > fitted.difficulty[unanimous].max() + 1


def test_bad_input_is_refused():
    """Options out of range."""
    readings = choices(np.array([[0, 0]]))
    with pytest.raises(ValueError, match="n_labels must be 2 or more, got 1"):
        fit_rater_ability(readings, 1, 2)
    with pytest.raises(ValueError, match="tolerance must be above 0"):
        fit_rater_ability(readings, 2, 2, tolerance=0)
