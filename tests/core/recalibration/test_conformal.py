"""Conformal calibration: ordinary where the truth is certain, and as often right as it promises where not."""

from __future__ import annotations

import numpy as np
import pytest

from core.recalibration.conformal import (
    corrected_limit,
    cross_limits,
    draw_labels,
    fewest_cases,
    mean_limit,
    region_labels,
    region_leaders,
    score_limit,
)
from core.recalibration.conformal_scores import nonconformity
from core.recalibration.crossfit import deal_folds
from core.study.seeds import case_seeds

MISS = 0.1
STUDIES, CALIBRATED, JUDGED, LABELS = 500, 119, 40, 4
"""With 119 cases, 40 + 79, α(n + 1) is a whole number, and coverage is 1 − α but for ties."""


def one_hot(labels: np.ndarray, n_labels: int) -> np.ndarray:
    """Certain truths."""
    return np.eye(n_labels)[labels]


@pytest.mark.parametrize("n", [9, 10, 57, 199])
@pytest.mark.parametrize("miss", [0.1, 0.3])
def test_a_certain_truth_gives_the_order_statistic_of_split_conformal_prediction(n: int, miss: float) -> None:
    """The limit is the ⌈(n + 1)(1 − α)⌉-th smallest score of the true labels."""
    rng = np.random.default_rng(n)
    scores, labels = rng.random((n, 5)), rng.integers(5, size=n)
    place = int(np.ceil((n + 1) * (1 - miss) - 1e-9))
    expected = np.sort(scores[np.arange(n), labels])[place - 1]
    assert score_limit(scores, one_hot(labels, 5), miss=miss) == expected
    assert mean_limit(scores[np.arange(n), labels], miss=miss) == expected


def test_too_few_cases_leave_no_label_out() -> None:
    """Eight cases cannot promise 90 %; nine can."""
    assert [fewest_cases(miss) for miss in (0.1, 0.05, 0.5, 0.001)] == [9, 19, 1, 999]
    scores, truth = np.random.default_rng(0).random((8, 3)), np.full((8, 3), 1 / 3)
    assert score_limit(scores, truth, miss=MISS) == np.inf
    drawn = np.zeros(8, int)
    assert corrected_limit(scores, truth, scores, drawn, miss=MISS) == np.inf


def test_plausible_labels_are_those_of_many_monte_carlo_labels() -> None:
    """The mean of the p-values that drawn labels give is above α for the labels within the limit."""
    rng = np.random.default_rng(3)
    scores, truth = rng.random((40, 3)), rng.dirichlet(np.ones(3), 40)
    limit = score_limit(scores, truth, miss=MISS)
    tried = np.linspace(0, 1, 401)
    p_values = np.zeros(len(tried))
    repeats = 4000
    for _ in range(repeats):
        drawn = (rng.random(40)[:, None] > np.cumsum(truth, axis=1)).sum(axis=1)
        own = np.sort(scores[np.arange(40), drawn])
        p_values += (1 + 40 - np.searchsorted(own, tried)) / 41
    p_values /= repeats
    clear = np.abs(p_values - MISS) > 0.002
    np.testing.assert_array_equal((p_values > MISS)[clear], (tried <= limit)[clear])


def simulated(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Scores of a model that is too sure of itself, and plausibilities, of n cases."""
    truth = rng.dirichlet(np.full(LABELS, 0.7), n)
    said = truth**2 * rng.gamma(4.0, size=truth.shape)
    return nonconformity(said / said.sum(axis=1, keepdims=True), "aps"), truth


@pytest.fixture(scope="module")
def coverages() -> dict[str, float]:
    """Mean coverage of plausible labels over 500 studies, by what the sets were calibrated on."""
    rng = np.random.default_rng(17)
    found: dict[str, list[float]] = {"leading": [], "plausible": [], "corrected": [], "region": []}
    for study in range(STUDIES):
        scores, truth = simulated(rng, CALIBRATED)
        new, true = simulated(rng, JUDGED)
        drawn = draw_labels(truth, case_seeds(study, [str(i) for i in range(CALIBRATED)], "labels"))
        first = np.arange(CALIBRATED) % 3 == 0
        limits = {
            "leading": score_limit(scores, one_hot(truth.argmax(axis=1), LABELS), miss=MISS),
            "plausible": score_limit(scores, truth, miss=MISS),
            "corrected": corrected_limit(
                scores[first], truth[first], scores[~first], drawn[~first], miss=MISS
            ),
        }
        for name, limit in limits.items():
            found[name].append(float((true * (new <= limit)).sum(axis=1).mean()))
        limit = mean_limit((scores * truth).sum(axis=1), miss=MISS)
        found["region"].append(float(((new * true).sum(axis=1) <= limit).mean()))
    return {name: float(np.mean(values)) for name, values in found.items()}


@pytest.mark.parametrize("calibrated", ["plausible", "corrected", "region"])
def test_500_studies_are_covered_as_promised(coverages: dict[str, float], calibrated: str) -> None:
    """Plausible labels, and plausibilities in their regions, are held in 90 % of cases, to one point."""
    assert abs(coverages[calibrated] - (1 - MISS)) < 0.01


def test_leading_labels_promise_what_plausible_ones_do_not_keep(coverages: dict[str, float]) -> None:
    """Calibrated on one label a case, the sets lack the truth far more often than they say."""
    assert coverages["leading"] < 0.8


def test_a_region_led_is_every_label_that_a_search_finds_leading() -> None:
    """Random plausibilities within a region are led by labels of the set alone, and by each of them."""
    rng = np.random.default_rng(5)
    scores = np.sort(rng.random((6, 4)), axis=1)
    limit = scores.min(axis=1) + 0.1 + 0.3 * rng.random(6)
    held = region_leaders(scores, limit)
    drawn = np.concatenate([rng.dirichlet(np.full(4, a), 40_000) for a in (0.2, 1.0, 20.0)])
    for case in range(6):
        inside = drawn[drawn @ scores[case] <= limit[case]]
        led = np.bincount(inside.argmax(axis=1), minlength=4) > 0
        assert not (led & ~held[case]).any()
        near = np.abs(scores[case] - (limit[case] + np.maximum(limit[case] - scores[case], 0).sum())) < 0.05
        assert (led | near | ~held[case]).all()


def test_labels_outside_of_a_region_have_no_more_than_the_share() -> None:
    """No plausibility of a region has more than δ outside of its set; without one label, some has."""
    rng = np.random.default_rng(6)
    scores = np.array([[0.1, 0.3, 0.5, 0.9], [0.2, 0.25, 0.4, 0.8]])
    limit, outside = np.array([0.15, 0.3]), 0.2
    held = region_labels(scores, limit, outside=outside)
    assert held.tolist() == [[True, True, False, False], [True, True, True, False]]
    drawn = np.concatenate([rng.dirichlet(np.full(4, a), 50_000) for a in (0.1, 0.5)])
    for case in range(2):
        inside = drawn[drawn @ scores[case] <= limit[case]]
        assert (inside[:, ~held[case]].sum(axis=1) <= outside).all()
        fewer = held[case].copy()
        fewer[np.flatnonzero(held[case])[-1]] = False
        assert (inside[:, ~fewer].sum(axis=1) > outside).any()


def test_an_empty_region_holds_nothing() -> None:
    """A limit below every score leaves no plausibility, hence no label."""
    scores = np.array([[0.4, 0.6]])
    assert not region_leaders(scores, np.array([0.3])).any()
    assert not region_labels(scores, np.array([0.3]), outside=0.1).any()


def test_no_case_has_a_part_in_its_own_limit() -> None:
    """Changing one case leaves the limit of its fold as it was."""
    rng = np.random.default_rng(1)
    scores, truth = rng.random((60, 3)), rng.dirichlet(np.ones(3), 60)
    folds = deal_folds(0, [f"c{i}" for i in range(60)], np.zeros(60, int))

    def limits(of: np.ndarray) -> np.ndarray:
        return cross_limits(folds, lambda cases: score_limit(of[cases], truth[cases], miss=MISS))

    changed = scores.copy()
    changed[7] = 0.999
    before, after = limits(scores), limits(changed)
    same = folds.fold == folds.fold[7]
    np.testing.assert_array_equal(before[same], after[same])
    assert (before != after).any()


def test_labels_are_drawn_by_their_shares() -> None:
    """Frequencies are the shares; a case keeps its label whoever is drawn with it."""
    truth = np.tile([0.2, 0.0, 0.5, 0.3], (20_000, 1))
    seeds = case_seeds(4, [str(i) for i in range(20_000)], "labels")
    drawn = draw_labels(truth, seeds)
    np.testing.assert_allclose(np.bincount(drawn, minlength=4) / 20_000, truth[0], atol=0.012)
    np.testing.assert_array_equal(draw_labels(truth[5:9], seeds[5:9]), drawn[5:9])
