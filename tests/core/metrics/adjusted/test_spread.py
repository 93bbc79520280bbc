"""The spread over draws against enumeration and the marginal path."""

import numpy as np
import pytest
from all_at_once import spread_over_draws
from rankings_by_hand import average_overlap, spearman_footrule

from core.metrics.adjusted.metrics import adjusted_metrics
from core.metrics.adjusted.spread import SpreadOverDraws
from core.metrics.estimate import mean_over_cases
from core.plausibility.candidates import Candidates
from core.plausibility.dirichlet import label_counts
from core.plausibility.point import point_mass
from core.study.model import Predictions


def _model(n_cases, n_labels):
    """Random predictions, of which the second case lacks one."""
    probability = np.random.default_rng(4).dirichlet(np.ones(n_labels), n_cases)
    probability[1] = np.nan
    return Predictions("m", probability)


@pytest.mark.parametrize("max_k", [1, 3, 5])
def test_mean_over_draws_is_the_marginal_value(builder, max_k):
    """Both paths average the same numbers, in another order."""
    posterior = builder(([0, 2, 4], [1, 2], [3], [], [0, 1, 2, 3, 4, 5, 6], [6, 3]), 7, 50, 9)
    for predictions in (_model(6, 7), np.array([[0, 5, -1]] * 3 + [[6, 3, 1]] * 2 + [[-1] * 3])):
        spread = spread_over_draws(posterior, predictions, max_k=max_k)
        expected = adjusted_metrics(posterior, predictions, max_k=max_k)
        assert list(spread) == list(expected)
        for name, values in spread.items():
            assert values.shape == (50,)
            assert values.mean() == pytest.approx(mean_over_cases(expected[name]).value, rel=1e-12), name


def test_draws_of_an_exact_posterior_scatter_around_its_values(readings_of):
    """Quadrature against 20,000 joint draws, labels that nobody mentioned included; within 5 errors."""
    cases = [[[[0]], [[0]], [[1]]], [[[2]], [[3]]], [[[4]]], [[[1]], [[1]], [[1]], [[5]], [[0]]]]
    posterior = label_counts(readings_of(cases), 6, gamma=1.5)
    model = Predictions("m", np.random.default_rng(3).dirichlet(np.ones(6), 4))
    expected = adjusted_metrics(posterior, model)
    spread = spread_over_draws(posterior.sample(20_000, np.arange(4, dtype=np.uint64)), model)
    for name, values in spread.items():
        error = values.std() / np.sqrt(20_000)
        assert values.mean() == pytest.approx(mean_over_cases(expected[name]).value, abs=5 * error), name


def test_every_draw_by_enumeration(sampled, brute_force):
    """Draw by draw, over all that the unmentioned labels may be."""
    lists = np.random.default_rng(8).permuted(np.tile(np.arange(5), (6, 1)), axis=1)[:, :3]
    lists[0, 2] = -1
    spread = spread_over_draws(sampled, lists)

    def top(full):
        order = np.argsort(-full, kind="stable")[:3]
        return np.where(full[order] > 0, order, -1)

    hard = {
        "top-2 accuracy": lambda case, full: float(top(full)[0] in lists[case, :2]),
        "set accuracy @3": lambda case, full: float(set(top(full)) == set(lists[case])),
        "average overlap @3": lambda case, full: float(average_overlap(top(full), lists[case], 3)),
        "footrule @3": lambda case, full: float(spearman_footrule(top(full), lists[case], 3)),
    }
    for name, metric in hard.items():
        assert spread[name] == pytest.approx(brute_force(sampled, metric).mean(axis=0)), name


def test_set_accuracy_when_a_draw_lacks_labels():
    """Two labels with mass: the top-3 set is those two, and a third predicted label makes it wrong."""
    posterior = point_mass(Candidates(np.array([0, 2]), np.array([0, 1], np.int32), 4), np.array([0.6, 0.4]))
    right = spread_over_draws(posterior, np.array([[1, 0, -1]]))
    wrong = spread_over_draws(posterior, np.array([[1, 0, 2]]))
    assert right["set accuracy @3"].tolist() == [1]
    assert wrong["set accuracy @3"].tolist() == [0]
    assert wrong["set accuracy @2"].tolist() == [1]


def test_nothing_defined_is_nan(builder):
    """A model that predicts no case has no spread."""
    posterior = builder(([0, 1], [1, 2]), 4, 5, 0)
    for values in spread_over_draws(posterior, Predictions("m", np.full((2, 4), np.nan))).values():
        assert np.isnan(values).all()


def test_cases_scatter_independently(readings_of):
    """The mean over 400 cases scatters as 400 independent cases do, whatever rows of shares they have."""
    rng = np.random.default_rng(5)
    named = rng.integers(0, 8, (400, 3))
    posterior = label_counts(readings_of([[[[y]] for y in case] for case in named]), 8, gamma=1)
    model = Predictions("m", np.eye(8)[named[:, 0]] * 0.9 + 0.1 / 8)
    right = adjusted_metrics(posterior, model)["top-1 accuracy"]
    expected = np.sqrt((right * (1 - right)).sum()) / 400
    spread = SpreadOverDraws()
    spread.add(posterior.sample(1000, rng.integers(0, 2**63, 400).astype(np.uint64)), model)
    assert spread.by_draw()["top-1 accuracy"].std() == pytest.approx(expected, rel=0.1)
    assert spread.deviation()["top-1 accuracy"] == pytest.approx(expected, rel=0.01)
    for name, values in spread.by_draw().items():
        assert spread.deviation()[name] == pytest.approx(values.std(), rel=0.1), name


def test_portions_of_cases_add_up(readings_of):
    """Two portions, added one after the other, are all cases."""
    cases = [[[[0]], [[0]], [[1]]], [[[2]], [[3]]], [[[4]]], [[[1]], [[1]], [[1]], [[5]], [[0]]]]
    seeds = np.arange(4, dtype=np.uint64)
    model = np.random.default_rng(3).dirichlet(np.ones(6), 4)
    whole, parts = SpreadOverDraws(), SpreadOverDraws()
    whole.add(label_counts(readings_of(cases), 6, gamma=1).sample(200, seeds), Predictions("m", model))
    for part in (slice(0, 1), slice(1, 4)):
        posterior = label_counts(readings_of(cases[part]), 6, gamma=1)
        parts.add(posterior.sample(200, seeds[part]), Predictions("m", model[part]))
    for name, values in whole.by_draw().items():
        np.testing.assert_allclose(parts.by_draw()[name], values, rtol=1e-12, err_msg=name)
        assert parts.deviation()[name] == pytest.approx(whole.deviation()[name], rel=1e-12)
