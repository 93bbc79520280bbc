"""Risk of cases against counting and by hand."""

import numpy as np
import pytest

from core.metrics.adjusted.metrics import RankedLabels
from core.metrics.adjusted.predicted_order import order_of_probabilities
from core.metrics.adjusted.selected import mean_of_selected
from core.metrics.certainty import leading_risk
from core.metrics.estimate import Estimate
from core.metrics.risk import (
    HIGH,
    by_risk,
    expected_false_alarms,
    expected_high_risk_hits,
    expected_risk,
    ratio_over_cases,
    risk_draws,
    risk_quantiles,
)
from core.plausibility.candidates import Candidates
from core.plausibility.dirichlet import label_counts
from core.plausibility.point import point_mass

RISK = np.array([0, 2, 1, 2])
SEEDS = np.arange(4, dtype=np.uint64)


def _point(plausibility):
    """Point mass with every label mentioned."""
    n_cases, n_labels = plausibility.shape
    label = np.tile(np.arange(n_labels, dtype=np.int32), n_cases)
    return point_mass(Candidates(np.arange(n_cases + 1) * n_labels, label, n_labels), plausibility.ravel())


def high_risk_accuracy(posterior, reference, predicted, k) -> Estimate:
    """Adjusted accuracy over the cases whose point estimate is of high risk."""
    accuracy = RankedLabels(posterior, predicted).top_k_accuracy(k)
    return mean_of_selected(accuracy, leading_risk(reference, RISK)[:, HIGH])


def expected_high_risk_accuracy(posterior, predicted, k) -> Estimate:
    """Accuracy given that the true leading label is of high risk."""
    return ratio_over_cases(*expected_high_risk_hits(posterior, predicted, RISK, k))


def test_expected_risk_by_hand():
    """0.5 · 0 + 0.25 · 2 + 0.25 · 1, and the same with the medium label unknown."""
    posterior = _point(np.array([[0.5, 0.25, 0.25, 0.0]]))
    assert expected_risk(posterior, RISK) == pytest.approx([0.75])
    assert expected_risk(posterior, np.array([0, 2, -1, 2])) == pytest.approx([0.5 / 0.75])


def test_mean_of_the_draws_is_the_expected_risk(builder):
    """All risks known: the draws average to it; which unmentioned label has which share is random."""
    posterior = builder(([0, 1], [2], [0, 1, 2, 3], [3]), 4, 4000, 3)
    drawn = risk_draws(posterior, RISK, 4000, SEEDS)
    assert drawn.mean(axis=1) == pytest.approx(expected_risk(posterior, RISK), abs=0.02)
    assert drawn[2].mean() == pytest.approx(expected_risk(posterior, RISK)[2])
    full = posterior.draws.value[posterior.candidates.of_case(2)]
    assert drawn[2] == pytest.approx(RISK @ full)


def test_draws_of_an_exact_posterior_scatter_around_its_mean(readings_of):
    """Grouped Dirichlet: 20,000 drawn risks average to the closed form, all labels' prior included."""
    cases = [[[[0]], [[0]], [[1]]], [[[2]], [[3]]], [[[1]]], [[[1]], [[1]], [[2]]]]
    posterior = label_counts(readings_of(cases), 4, gamma=1.5)
    for risk in (RISK, np.array([0, 2, -1, 1])):
        drawn = risk_draws(posterior, risk, 20_000, SEEDS)
        error = drawn.std(axis=1) / np.sqrt(20_000)
        assert (np.abs(drawn.mean(axis=1) - expected_risk(posterior, risk)) < 5 * error).all()


def test_quantiles_hold_the_extremes(builder):
    """First and last quantile are the smallest and largest draw; unread cases stay undefined."""
    posterior = builder(([0, 1], [], [0, 1, 2, 3], [3]), 4, 30, 3)
    drawn = risk_draws(posterior, RISK, 30, SEEDS)
    quantiles = risk_quantiles(drawn)
    assert quantiles.shape == (4, 7)
    assert np.isnan(quantiles[1]).all()
    read = [0, 2, 3]
    assert quantiles[read, 0] == pytest.approx(drawn[read].min(axis=1))
    assert quantiles[read, -1] == pytest.approx(drawn[read].max(axis=1))
    assert np.isnan(expected_risk(posterior, RISK)).tolist() == [False, True, False, False]


def test_no_known_risk_is_nan():
    """Only labels of unknown risk have mass."""
    posterior = _point(np.array([[0.5, 0.5, 0, 0]]))
    risk = np.array([-1, -1, 0, 2])
    assert np.isnan(expected_risk(posterior, risk)).all()
    assert np.isnan(risk_draws(posterior, risk, 1, SEEDS[:1])).all()


def test_a_level_leads_a_draw_when_the_sum_of_its_labels_does(builder):
    """Over the levels, the probabilities sum to 1; an unknown risk is a level of its own."""
    posterior = builder(([0, 1, 2, 3],) * 3, 4, 25, 8)
    values = by_risk(posterior, RISK).top1.candidate.reshape(3, 3)
    assert values.sum(axis=1) == pytest.approx(1)
    drawn = posterior.draws.value[posterior.candidates.of_case(1)]
    level = np.array([drawn[0], drawn[2], drawn[1] + drawn[3]]).argmax(axis=0)
    assert values[1] == pytest.approx(np.bincount(level, minlength=3) / 25)
    assert by_risk(posterior, np.array([0, 2, 1, -1])).candidates.n_labels == 4


def test_high_risk_accuracy_by_hand():
    """Cases 0 and 2 lead with a high-risk label; case 0 is predicted rightly."""
    posterior = _point(np.array([[0.1, 0.9, 0, 0], [0.8, 0.2, 0, 0], [0, 0, 0.3, 0.7]]))
    predicted = np.array([[1, 0], [0, 1], [2, 3]])
    for k, value in ((1, 0.5), (2, 1.0)):
        conditioned = high_risk_accuracy(posterior, posterior, predicted, k)
        assert (conditioned.value, conditioned.n_cases) == (value, 2)
        assert expected_high_risk_accuracy(posterior, predicted, k).value == value


def test_expected_high_risk_accuracy_pools_draws(builder):
    """Over all draws of all cases led by a high-risk label, the share whose leader is predicted."""
    posterior = builder(([0, 1, 2, 3],) * 6, 4, 40, 5)
    predicted = np.random.default_rng(0).permuted(np.tile(np.arange(4), (6, 1)), axis=1)
    leader = posterior.draws.value.reshape(6, 4, 40).argmax(axis=1)
    high = RISK[leader] == 2
    for k in (1, 2):
        held = (leader[:, None, :] == predicted[:, :k, None]).any(axis=1)
        estimate = expected_high_risk_accuracy(posterior, predicted, k)
        assert estimate.value == pytest.approx(held[high].mean())
        assert estimate.n_cases == 6


def test_expected_high_risk_accuracy_counts_unmentioned_labels(builder, brute_force):
    """Labels that nobody mentioned may lead, and may be of high risk."""
    posterior = builder(([0], [2], [0, 2], [1]), 4, 10, 5)
    predicted = np.array([[1, 0], [2, 3], [3, 1], [1, 2]])
    high = brute_force(posterior, lambda case, full: float(RISK[full.argmax()] == 2))
    held = brute_force(
        posterior, lambda case, full: float(RISK[full.argmax()] == 2 and full.argmax() in predicted[case])
    )
    estimate = expected_high_risk_accuracy(posterior, predicted, 2)
    assert estimate.value == pytest.approx(held.sum() / high.sum())


def test_false_alarms_pool_draws(builder):
    """Of all draws of the cases that a model gives a high-risk label first, those led by another.

    Two of three labels that share the first place are of high risk: two thirds of an alarm.
    """
    posterior = builder(([0, 1, 2, 3],) * 4, 4, 40, 5)
    probability = np.array([[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1], [0, 1, 1, 1]]) / [[1], [1], [1], [3]]
    false, alarms = expected_false_alarms(posterior, order_of_probabilities(probability, 1), RISK)
    assert alarms == pytest.approx([1, 0, 1, 2 / 3])
    leader = posterior.draws.value.reshape(4, 4, 40).argmax(axis=1)
    assert false == pytest.approx(alarms * (RISK[leader] != 2).mean(axis=1))


def test_no_alarm_is_raised_about_a_case_that_nobody_read(readings_of):
    """Nothing is known of it; nor of one that was not predicted."""
    posterior = label_counts(readings_of([[], [[[1]]]]), 4, gamma=1.0)
    probability = np.array([[0, 1, 0, 0], [np.nan] * 4])
    false, alarms = expected_false_alarms(posterior, order_of_probabilities(probability, 1), RISK)
    assert false.tolist() == alarms.tolist() == [0, 0]


def test_ratio_standard_error_agrees_with_the_bootstrap(builder):
    """Resampled cases scatter as the first-order error says."""
    posterior = builder(tuple([0, 1, 2, 3] for _ in range(400)), 4, 8, 5)
    generator = np.random.default_rng(0)
    predicted = generator.permuted(np.tile(np.arange(4), (400, 1)), axis=1)
    leader = posterior.draws.value.reshape(400, 4, 8).argmax(axis=1)
    high = RISK[leader] == 2
    held = high & (leader == predicted[:, :1])
    cases = generator.integers(0, 400, (4000, 400))
    resampled = held.sum(axis=1)[cases].sum(axis=1) / high.sum(axis=1)[cases].sum(axis=1)
    estimate = expected_high_risk_accuracy(posterior, predicted, 1)
    assert estimate.standard_error == pytest.approx(resampled.std(), rel=0.06)


def test_no_high_risk_case_is_nan():
    """Nothing to condition on."""
    posterior = _point(np.array([[0.9, 0.1, 0, 0]]))
    for estimate in (
        high_risk_accuracy(posterior, posterior, np.array([[0]]), 1),
        expected_high_risk_accuracy(posterior, np.array([[0]]), 1),
    ):
        assert np.isnan(estimate.value)
        assert estimate.n_cases == 0
