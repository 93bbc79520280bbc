"""Ties of plausibilities and of predictions, against every way of breaking them."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from all_at_once import spread_over_draws

from core.metrics.adjusted.metrics import RankedLabels, adjusted_metrics
from core.metrics.adjusted.predicted_order import order_of_blocks, order_of_lists, order_of_probabilities
from core.metrics.adjusted.selected import mean_of_selected
from core.plausibility.candidates import Candidates
from core.plausibility.dirichlet import DirichletPosterior, label_counts, prirn
from core.plausibility.point import PointPosterior, point_mass
from core.plausibility.posterior import SampledPosterior
from core.study.model import Predictions, Readings

K = 5


def orders(values: np.ndarray, *, massless: bool = False) -> list[list[int]]:
    """Every order of the labels by falling value, equal ones in all orders; zeros left out unless wanted."""
    found = []
    for turn in permutations(range(len(values))):
        order = sorted(turn, key=lambda y: -values[y])
        found.append([y for y in order if massless or values[y] > 0])
    return found


def hard(name: str, truth: list[int], predicted: list[int]) -> float:
    """Ordinary metric of one order of labels against another."""
    if name.startswith("top"):
        return float(truth[0] in predicted[: int(name[4])])
    k = int(name[-1])
    shared = [len(set(truth[:j]) & set(predicted[:j])) for j in range(1, k + 1)]
    match name.split()[0]:
        case "set":
            return float(set(truth[:k]) == set(predicted[:k]))
        case "overlap":
            return shared[-1] / k
        case "average":
            return float(np.mean([s / (j + 1) for j, s in enumerate(shared)]))
    sizes = [min(j, len(truth)) + min(j, len(predicted)) for j in range(1, k + 1)]
    return (sum(sizes) - 2 * sum(shared)) / (k * (k + 1))


def expected(name: str, plausibility: np.ndarray, probability: np.ndarray) -> float:
    """Mean over all ways of breaking the ties of both sides."""
    truths, lists = orders(plausibility), orders(probability, massless=True)
    sample = {(tuple(t[:3]), tuple(p[:3])): 0 for t in truths for p in lists}
    for t in truths:
        for p in lists:
            sample[tuple(t[:3]), tuple(p[:3])] += 1
    total = sum(n * hard(name, list(t), list(p)) for (t, p), n in sample.items())
    return total / (len(truths) * len(lists))


PLAUSIBILITY = (
    np.array([[4, 4, 1, 1, 0], [2, 2, 2, 2, 2], [5, 3, 1, 1, 0], [5, 0, 5, 0, 0], [1, 2, 2, 2, 3]], float)
    / 10
)
PROBABILITY = np.array(
    [[0.3, 0.3, 0.2, 0.1, 0.1], [0.2] * 5, [1, 0, 0, 0, 0], [0.5, 0.4, 0.1, 0, 0], [0, 0.4, 0.3, 0.3, 0]]
)


def point(plausibility: np.ndarray) -> PointPosterior:
    """Labels with mass as candidates."""
    case, label = np.nonzero(plausibility)
    start = np.concatenate([[0], np.cumsum((plausibility > 0).sum(axis=1))])
    candidates = Candidates(start, label.astype(np.int32), plausibility.shape[1])
    posterior = point_mass(candidates, plausibility[case, label])
    assert isinstance(posterior, PointPosterior)
    return posterior


def test_point_estimate_and_model_are_split_everywhere() -> None:
    """Every adjusted metric is the mean over all orders of tied plausibilities and tied predictions."""
    metrics = adjusted_metrics(point(PLAUSIBILITY), Predictions("m", PROBABILITY))
    tau = metrics.pop("Kendall's τ")
    assert len(metrics) == 9
    for name, values in metrics.items():
        by_hand = [expected(name, q, p) for q, p in zip(PLAUSIBILITY, PROBABILITY, strict=True)]
        assert values == pytest.approx(by_hand), name
    for case, (q, p) in enumerate(zip(PLAUSIBILITY, PROBABILITY, strict=True)):
        mentioned = np.flatnonzero(q)
        pairs = [(a, b) for a in mentioned for b in mentioned if a < b]
        assert tau[case] == pytest.approx(np.mean([np.sign((q[a] - q[b]) * (p[a] - p[b])) for a, b in pairs]))


def test_spread_of_a_point_estimate_is_its_value() -> None:
    """One draw, the mean over the ways of breaking ties: a cross lies in its own band."""
    posterior, model = point(PLAUSIBILITY), Predictions("m", PROBABILITY)
    for name, values in spread_over_draws(posterior, model).items():
        assert values == pytest.approx([np.nanmean(adjusted_metrics(posterior, model)[name])]), name


@pytest.mark.slow
def test_tied_predictions_are_split_over_draws(sampled: SampledPosterior) -> None:
    """Draw by draw and over all draws, a model's equal probabilities count in every order."""
    probability = np.tile(PROBABILITY, (2, 1))[: sampled.candidates.n_cases]
    lists = [orders(row, massless=True) for row in probability]
    whole = [
        np.array([lists[case][turn % len(lists[case])] for case in range(len(lists))]) for turn in range(120)
    ]
    exact, drawn = (f(sampled, Predictions("m", probability)) for f in (adjusted_metrics, spread_over_draws))
    for name in set(exact) - {"Kendall's τ"}:
        mean = np.mean([adjusted_metrics(sampled, order)[name] for order in whole], axis=0)
        assert exact[name] == pytest.approx(mean), name
        mean = np.mean([spread_over_draws(sampled, order)[name] for order in whole], axis=0)
        assert drawn[name] == pytest.approx(mean), name


@pytest.mark.slow
def test_tied_predictions_are_split_under_an_exact_posterior(readings_of) -> None:
    """The same for label counts, unmentioned labels among the tied ones."""
    readings = readings_of([[[[0]], [[1]]], [[[2]]], [[[0]], [[0]], [[3]]], [[[1]], [[2]], [[4]]], [[[4]]]])
    posterior = label_counts(readings, K, gamma=2.0)
    lists = [orders(row, massless=True) for row in PROBABILITY]
    whole = [np.array([of[turn] for of in lists]) for turn in range(120)]
    found = adjusted_metrics(posterior, Predictions("m", PROBABILITY))
    for name in set(found) - {"Kendall's τ"}:
        mean = np.mean([adjusted_metrics(posterior, order)[name] for order in whole], axis=0)
        assert found[name] == pytest.approx(mean), name


def test_more_sets_than_are_listed_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the limit the mean over sets is estimated, near to what it is."""
    posterior = point(np.array([[3, 3, 2, 1, 1]]) / 10)
    probability = np.full((1, K), 0.2)
    exact = RankedLabels(posterior, order_of_probabilities(probability, 3)).set_accuracy(2)
    assert exact == pytest.approx([1 / 10])
    monkeypatch.setattr("core.metrics.adjusted.predicted_sets.MOST_SETS", 9)
    few = RankedLabels(posterior, order_of_probabilities(probability, 3)).set_accuracy(2)
    assert 0 <= few[0] <= 4 / 9


def test_orders_of_blocks_and_lists() -> None:
    """Places of tied labels, and of lists that are shorter."""
    blocks = order_of_blocks(
        3, np.array([0, 0, 0, 2]), np.array([4, 1, 2, 0]), np.array([1, 0, 1, 0]), length=2
    )
    assert blocks.label.tolist() == [1, 2, 4, 0]
    assert blocks.places.before.tolist() == [0, 1, 1, 0]
    assert blocks.places.tied.tolist() == [1, 2, 2, 1]
    assert blocks.covered.tolist() == [True, False, True]
    assert blocks.named(2).tolist() == [2, 0, 1]
    assert order_of_lists(np.array([[3, 1, -1], [-1, -1, -1]])).places.before.tolist() == [0, 1]


@pytest.mark.parametrize("model", ["label-counts", "prirn"])
def test_the_point_estimate_is_the_limit_of_the_exact_posterior(readings_of, model: str) -> None:
    """As γ grows every answer comes to the split one, for ties of two, three and more labels."""
    if model == "prirn":
        cases = [
            [[[0], [1]], [[1], [0]]],
            [[[0, 1, 2]], [[3]]],
            [[[0], [1, 2]], [[0], [3]]],
            [[[1]], [[2]], [[3]]],
        ]

        def at(gamma: float):
            return prirn(readings_of(cases), K, gamma=gamma)
    else:
        cases = [
            [[[0]], [[1]]],
            [[[0]], [[1]], [[2]], [[3]]],
            [[[1]], [[1]], [[2]], [[3]]],
            [[[4]], [[0]], [[2]]],
        ]

        def at(gamma: float):
            return label_counts(readings_of(cases), K, gamma=gamma)

    close, limit = at(1e9), at(np.inf)
    assert isinstance(close, DirichletPosterior)
    probability = Predictions("m", PROBABILITY[:4])
    for j in (1, 2):
        assert limit.in_top(j).candidate == pytest.approx(close.in_top(j).candidate, abs=1e-4)
        assert limit.certainty(j) == pytest.approx(close.certainty(j), abs=1e-4)
    near, far = adjusted_metrics(close, probability, max_k=2), adjusted_metrics(limit, probability, max_k=2)
    for name, values in far.items():
        assert values == pytest.approx(near[name], abs=1e-4), name


def test_the_point_estimate_lies_within_the_plausible_truths(readings_of) -> None:
    """Over 100 studies of even splits, the cross lies in the range of 500 truths at a large γ."""
    generator = np.random.default_rng(3)
    for _ in range(100):
        cases = [[[[int(y)]] for y in generator.permutation([0, 0, 1, 1])] for _ in range(40)]
        readings: Readings = readings_of(cases)
        model = Predictions("m", np.tile(generator.dirichlet(np.ones(2), 40), 1))
        cross = np.nanmean(adjusted_metrics(label_counts(readings, 2, gamma=np.inf), model)["top-1 accuracy"])
        drawn = label_counts(readings, 2, gamma=1e6).sample(500, np.arange(40, dtype=np.uint64))
        values = spread_over_draws(drawn, model)["top-1 accuracy"]
        assert values.min() <= cross <= values.max()
        assert cross == pytest.approx(0.5)


def test_mean_over_selected_cases_by_enumeration() -> None:
    """Every subset of the doubtful cases, weighted by its probability."""
    value = np.array([0.9, 0.1, 0.5, np.nan, 0.7, 0.3])
    p = np.array([1, 0.5, 0.5, 0.5, 1 / 3, 0])
    total = weight = 0.0
    for chosen in np.ndindex(2, 2, 2, 2, 2):
        selected = np.array([*chosen[:3], 0, *chosen[3:]], bool)
        chance = np.prod(np.where(selected, p, 1 - p)[[0, 1, 2, 4, 5]])
        if selected.any() and chance > 0:
            total, weight = total + chance * value[selected].mean(), weight + chance
    assert mean_of_selected(value, p).value == pytest.approx(total / weight)
    assert mean_of_selected(value, p).n_cases == 4
    assert np.isnan(mean_of_selected(value, np.zeros(6)).value)
