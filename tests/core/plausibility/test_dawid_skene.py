"""Dawid–Skene: recovery of known confusion, a rising objective, and a brute-force posterior."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from rater_matrices import choices, knee_matrices, random_matrix

from core.plausibility.dawid_skene import DawidSkene, dawid_skene, fit_dawid_skene
from core.study.model import Readings


def simulate(seed, *, n_cases, n_raters, n_labels, per_case):
    """Readings with known truth and confusion matrices."""
    rng = np.random.default_rng(seed)
    confusion = np.stack(
        [rng.dirichlet(np.full(n_labels, 0.5) + 6 * np.eye(n_labels)[k], n_raters) for k in range(n_labels)],
        axis=1,
    )
    prevalence = rng.dirichlet(np.full(n_labels, 5.0))
    truth = rng.choice(n_labels, n_cases, p=prevalence)
    labels = np.full((n_cases, n_raters), np.nan)
    for r in range(n_raters):
        cumulative = confusion[r].cumsum(axis=1)[truth]
        labels[:, r] = np.minimum((rng.random((n_cases, 1)) > cumulative).sum(axis=1), n_labels - 1)
    absent = np.argsort(rng.random(labels.shape), axis=1) >= per_case
    labels[absent] = np.nan
    return labels, truth, prevalence, confusion


@pytest.fixture(scope="module")
def known():
    """20,000 cases of 4 labels, 5 of 8 raters each; the truth that they were drawn from, and a fit."""
    labels, truth, prevalence, confusion = simulate(0, n_cases=20_000, n_raters=8, n_labels=4, per_case=5)
    readings = choices(labels)
    return readings, truth, prevalence, confusion, fit_dawid_skene(readings, 4, 8)


def test_known_confusion_is_recovered(known):
    """Every entry of every matrix within .03, prevalence within .01, accuracies within .01."""
    _, _, prevalence, confusion, fitted = known
    assert fitted.converged
    np.testing.assert_allclose(fitted.prevalence, prevalence, atol=0.01)
    for r in range(8):
        np.testing.assert_allclose(fitted.confusion(r), confusion[r], atol=0.03)
    expected = np.einsum("k,rkk->r", prevalence, confusion)
    np.testing.assert_allclose(fitted.accuracy, expected, atol=0.01)


def test_probabilities_are_calibrated_and_beat_the_majority(known):
    """Of cases given a probability, that share is right; the most probable label is right more often."""
    readings, truth, _, _, fitted = known
    posterior = dawid_skene(readings, 4, fitted)
    candidates = posterior.candidates
    right = truth[candidates.case] == candidates.label
    value = posterior.mean.candidate
    for low in np.arange(0, 1, 0.2):
        inside = (value >= low) & (value < low + 0.2 + 1e-9)
        assert right[inside].mean() == pytest.approx(value[inside].mean(), abs=0.03)
    votes = np.zeros((readings.n_cases, 4))
    np.add.at(votes, (readings.case, readings.label), 1)
    best = posterior.best_set(1)[:, 0]
    assert (best == truth).mean() > (votes.argmax(axis=1) == truth).mean() + 0.01


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("prior", [(1.0, 1.0), (0.0, 0.1), (5.0, 3.0)])
def test_log_posterior_never_falls(seed, prior):
    """Small random studies, whatever the prior."""
    readings = choices(random_matrix(seed, n_cases=40, n_labels=3))
    fitted = fit_dawid_skene(readings, 3, 6, diagonal=prior[0], total=prior[1], max_iterations=300)
    assert len(fitted.log_posterior) > 5
    scale = np.abs(fitted.log_posterior).max()
    assert np.diff(fitted.log_posterior).min() > -1e-13 * scale


def brute_force(labels, fitted: DawidSkene, n_labels):
    """Posterior of the truth of each case, and the log-likelihood, from whole confusion matrices."""
    matrices = [fitted.confusion(r) for r in range(labels.shape[1])]
    posterior, log_likelihood = [], 0.0
    for row in labels:
        joint = fitted.prevalence.copy()
        for r, label in enumerate(row):
            if not np.isnan(label):
                joint = joint * matrices[r][:, int(label)]
        posterior.append(joint / joint.sum())
        log_likelihood += np.log(joint.sum()) if not np.isnan(row).all() else 0.0
    return np.array(posterior), log_likelihood


def test_posterior_and_objective_by_brute_force():
    """Whole confusion matrices, labels that a rater never gave and cases that nobody read included."""
    labels = random_matrix(1, n_cases=30, n_raters=4, n_labels=5)
    readings = choices(labels)
    fitted = fit_dawid_skene(readings, 5, 4, diagonal=0.7, total=2.0, max_iterations=7, tolerance=1e-300)
    posterior = dawid_skene(readings, 5, fitted)
    expected, log_likelihood = brute_force(labels, fitted, 5)
    log_prior = 0.4 * np.log(fitted.prevalence).sum()
    for r in range(4):
        matrix = fitted.confusion(r)
        np.testing.assert_allclose(matrix.sum(axis=1), 1)
        log_prior += ((0.4 + 0.7 * np.eye(5)) * np.log(matrix)).sum()
    assert fitted.log_posterior[-1] == pytest.approx(log_likelihood + log_prior, abs=1e-9)
    candidates = posterior.candidates
    np.testing.assert_allclose(
        posterior.mean.candidate, expected[candidates.case, candidates.label], atol=1e-12
    )
    mentioned = np.bincount(candidates.case, expected[candidates.case, candidates.label], 30)
    read = readings.per_case > 0
    others = posterior.mean.other * candidates.unmentioned
    np.testing.assert_allclose(others[read], (1 - mentioned)[read], atol=1e-12)
    assert np.isnan(posterior.certainty(1)[~read]).all()


def test_fit_is_a_maximum():
    """Moving weight between two entries of a row, or between two prevalences, never raises the objective."""
    labels = random_matrix(2, n_cases=40, n_raters=3, n_labels=3, missing=0.1)
    readings = choices(labels)
    fitted = fit_dawid_skene(readings, 3, 3, tolerance=1e-15, max_iterations=20_000)
    matrices = np.stack([fitted.confusion(r) for r in range(3)])

    def objective(prevalence, confusion):
        total = (np.log(prevalence) / 3).sum() + ((1 / 3 + np.eye(3)) * np.log(confusion)).sum()
        for row in labels[1:]:
            joint = prevalence.copy()
            for r, label in enumerate(row):
                if not np.isnan(label):
                    joint = joint * confusion[r][:, int(label)]
            total += np.log(joint.sum())
        return total

    best = objective(fitted.prevalence, matrices)
    assert best == pytest.approx(fitted.log_posterior[-1], abs=1e-9)
    rng = np.random.default_rng(0)
    for _ in range(60):
        step = rng.normal(scale=1e-3, size=(3, 3, 3))
        moved = matrices * np.exp(step)
        moved /= moved.sum(axis=2, keepdims=True)
        prevalence = fitted.prevalence * np.exp(rng.normal(scale=1e-3, size=3))
        assert objective(prevalence / prevalence.sum(), moved) <= best + 1e-9


def test_knee_radiologists_have_accuracies_near_the_majority():
    """Between .83 and .91, in nearly the order of the accuracies against the majority of the others."""
    labels, _ = knee_matrices()
    accuracy = fit_dawid_skene(choices(labels), 2, 13).accuracy
    assert 0.82 < accuracy.min() < accuracy.max() < 0.91
    assert accuracy.argmin() == 6


def test_one_label_takes_all():
    """A task with a single label, and no reading at all."""
    fitted = fit_dawid_skene(choices(np.zeros((3, 2))), 1, 2)
    assert fitted.accuracy.tolist() == [1, 1]
    assert dawid_skene(choices(np.zeros((3, 2))), 1, fitted).mean.candidate.tolist() == [1, 1, 1]
    empty = fit_dawid_skene(choices(np.full((2, 2), np.nan)), 3, 2)
    np.testing.assert_allclose(empty.prevalence, 1 / 3)
    assert np.isnan(dawid_skene(choices(np.full((2, 2), np.nan)), 3, empty).certainty(1)).all()


def test_strangers_count_as_an_average_rater():
    """Where all labels are equally frequent, the word of somebody new is right with the mean accuracy."""
    labels, _, _, _ = simulate(3, n_cases=500, n_raters=4, n_labels=3, per_case=4)
    fitted = replace(fit_dawid_skene(choices(labels), 3, 4), prevalence=np.full(3, 1 / 3))
    alone = replace(choices(np.array([[2.0]])), rater=np.array([99], np.int32))
    posterior = dawid_skene(alone, 3, fitted)
    assert posterior.mean.candidate[0] == pytest.approx(fitted.accuracy.mean(), abs=1e-9)
    assert posterior.mean.other[0] == pytest.approx((1 - fitted.accuracy.mean()) / 2, abs=1e-9)


def test_bad_input_is_refused():
    """Options out of range, differentials, and matrices beyond memory."""
    readings = choices(np.array([[0, 1]]))
    with pytest.raises(ValueError, match="finite and 0 or more, got 1 and -1"):
        fit_dawid_skene(readings, 2, 2, diagonal=1, total=-1)
    with pytest.raises(ValueError, match="max_iterations 1 or more"):
        fit_dawid_skene(readings, 2, 2, max_iterations=0)
    with pytest.raises(ValueError, match="numbers for its confusion matrices"):
        fit_dawid_skene(readings, 100_000, 10_000)
    both = Readings(
        case_start=np.array([0, 1]),
        rater=np.zeros(1, np.int32),
        repeat=np.ones(1, np.int32),
        confidence=np.full(1, np.nan),
        score=np.full(1, np.nan),
        entry_start=np.array([0, 2]),
        label=np.array([0, 1], np.int32),
        block=np.array([0, 1], np.int32),
    )
    with pytest.raises(ValueError, match="readings of one label, got readings of 2 to 2 labels"):
        fit_dawid_skene(both, 2, 1)


def test_no_prior_is_maximum_likelihood():
    """Against iterations written down as Dawid and Skene (1979) have them, eq. 2.3 to 2.5."""
    labels = random_matrix(5, n_cases=120, n_raters=5, n_labels=3)
    fitted = fit_dawid_skene(choices(labels), 3, 5, diagonal=0, total=0, tolerance=1e-12, max_iterations=5000)
    said = np.stack([labels == k for k in range(3)], axis=2).astype(float)
    truth = said.sum(axis=1)
    read = truth.sum(axis=1) > 0
    truth[read] /= truth[read].sum(axis=1, keepdims=True)
    for _ in range(3000):
        prevalence = truth[read].mean(axis=0)
        confusion = np.einsum("ik,irl->rkl", truth, said)
        confusion /= confusion.sum(axis=2, keepdims=True)
        log = np.log(np.maximum(prevalence, 1e-300)) + np.einsum(
            "irl,rkl->ik", said, np.log(np.maximum(confusion, 1e-300))
        )
        truth[read] = np.exp(log - log.max(axis=1, keepdims=True))[read]
        truth[read] /= truth[read].sum(axis=1, keepdims=True)
    np.testing.assert_allclose(fitted.prevalence, prevalence, atol=1e-3)
    for r in range(5):
        np.testing.assert_allclose(fitted.confusion(r), confusion[r], atol=1e-3)
