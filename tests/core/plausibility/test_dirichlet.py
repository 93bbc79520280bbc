"""Dirichlet posteriors: limits, identities, draws and the published numbers."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from reading_lists import differentials
from scipy import stats
from shared_data import shared_data

from core.plausibility.candidates import Candidates, candidates_of
from core.plausibility.dirichlet import DirichletPosterior, label_counts, prirn
from core.plausibility.irn import irn
from core.plausibility.posterior import Posterior
from core.study.model import FloatArray, Readings
from core.threads import VARIABLE

CHOICES = [[[[2]], [[2]], [[0]]], [[[1]]], [], [[[3]], [[1]], [[0]], [[3]]]]
RANKED = [
    [[[0], [1, 2]], [[3]], [[0, 3], [4]]],
    [[[5]], [[5], [1]]],
    [],
    [[[4, 2, 1], [0]], [[2], [5]]],
]


def by_case(posterior: Posterior, candidate: FloatArray, other: FloatArray) -> FloatArray:
    """Sum over all labels of each case."""
    of = posterior.candidates
    return np.bincount(of.case, candidate, of.n_cases) + of.unmentioned * other


def seeds(n: int) -> np.ndarray:
    """Seeds as different as those of real cases."""
    return np.random.default_rng(5).integers(0, 2**63, n).astype(np.uint64)


def test_label_counts_are_a_dirichlet_of_the_counts() -> None:
    """The mean is (γ c + α) / (γ n + α K), worked out by hand for K = 5, γ = 2, α = 1/2."""
    posterior = label_counts(differentials(CHOICES), 5, gamma=2.0)
    np.testing.assert_allclose(
        posterior.mean.candidate,
        np.array([2.5 / 8.5, 4.5 / 8.5, 2.5 / 4.5, 2.5 / 10.5, 2.5 / 10.5, 4.5 / 10.5]),
    )
    np.testing.assert_allclose(posterior.mean.other, [0.5 / 8.5, 0.5 / 4.5, 0.2, 0.5 / 10.5])


def test_label_counts_keep_the_candidates_of_the_readings() -> None:
    """Candidates and counts agree with a sort of all entries, for few labels a case and for many."""
    rng = np.random.default_rng(6)
    chosen = [rng.integers(0, 300, n) if n > 9 else rng.integers(0, 4, n) for n in (0, 3, 200, 9, 0, 60)]
    readings = differentials([[[[int(y)]] for y in case] for case in chosen])
    posterior = label_counts(readings, 300, gamma=1.0, alpha=0.0)
    assert isinstance(posterior, DirichletPosterior)
    expected = candidates_of(readings, 300)
    np.testing.assert_array_equal(posterior.candidates.start, expected.start)
    np.testing.assert_array_equal(posterior.candidates.label, expected.label)
    counts = [np.unique(case, return_counts=True)[1] for case in chosen]
    np.testing.assert_array_equal(posterior.shape, np.concatenate(counts))


def test_two_labels_lead_with_a_beta_probability() -> None:
    """Three of four binary choices, Jeffreys prior: P(λ > ½) of Beta(3.5, 1.5), by a sum over its density."""
    posterior = label_counts(differentials([[[[0]], [[0]], [[1]], [[0]]]]), 2, gamma=1.0)
    x = (np.arange(2_000_000) + 0.5) / 2_000_000
    density = x**2.5 * (1 - x) ** 0.5
    assert posterior.top1.candidate[0] == pytest.approx(density[1_000_000:].sum() / density.sum(), abs=1e-8)


@pytest.mark.parametrize("alpha", [0.0, 0.3])
def test_probabilities_of_a_case_sum_up(alpha: float) -> None:
    """Means to 1, top-j probabilities to j, wherever there is anything."""
    posterior = prirn(differentials(RANKED), 9, gamma=7.0, alpha=alpha)
    read = [0, 1, 3]
    mean = posterior.mean
    np.testing.assert_allclose(by_case(posterior, mean.candidate, mean.other)[read], 1.0)
    for j in (1, 2):
        found = posterior.in_top(j)
        np.testing.assert_allclose(by_case(posterior, found.candidate, found.other)[read], j, rtol=1e-12)


def test_cases_without_readings_are_undefined() -> None:
    """Sets are NaN or padding; the prior's marginals stay where it has mass."""
    for alpha, marginal in ((0.0, np.nan), (0.5, 0.2)):
        posterior = prirn(differentials([*RANKED, []]), 10, gamma=3.0, alpha=alpha)
        empty = [2, 4]
        assert np.isnan(posterior.certainty(2)[empty]).all()
        assert (posterior.best_set(2)[empty] == -1).all()
        np.testing.assert_allclose(posterior.in_top(2).other[empty], marginal)
        np.testing.assert_allclose(posterior.mean.other[empty], marginal / 2)
        risk = posterior.grouped(np.arange(10) % 3, 3)
        np.testing.assert_array_equal(np.isnan(risk.certainty(1)), [False, False, True, False, True])
        assert np.isnan(risk.precedes(np.array([6]), np.array([7]))).all()
        assert np.isnan(risk.mean.candidate[6:9]).all()
        drawn = posterior.sample(50, seeds(5))
        assert np.isnan(drawn.certainty(1)[empty]).all()
        np.testing.assert_allclose(drawn.mean.other[empty], marginal / 2)
        assert np.isnan(risk.sample(5, seeds(5)).certainty(1)[empty]).all()


def test_large_reliability_gives_the_point_estimate() -> None:
    """At γ = 10⁹ everything agrees with the point mass at γ = ∞ where that has no ties."""
    cases = [[[[0], [1], [2]]], [[[3]], [[3], [1]], [[2], [4]]]]
    readings = differentials(cases)
    close, limit = prirn(readings, 6, gamma=1e9), prirn(readings, 6, gamma=np.inf)
    np.testing.assert_allclose(close.mean.candidate, limit.mean.candidate)
    for j in (1, 2):
        np.testing.assert_allclose(close.in_top(j).candidate, limit.in_top(j).candidate, atol=1e-12)
        np.testing.assert_allclose(close.certainty(j), limit.certainty(j), atol=1e-12)
        np.testing.assert_array_equal(close.best_set(j), limit.best_set(j))


def test_infinite_reliability_is_a_point_mass() -> None:
    """PrIRN becomes IRN, and label counts become frequencies; the prior is without influence."""
    readings = differentials(RANKED)
    np.testing.assert_array_equal(
        prirn(readings, 9, gamma=np.inf, alpha=0.1, ties="full").mean.candidate,
        irn(readings, 9, ties="full").mean.candidate,
    )
    frequency = label_counts(differentials(CHOICES), 5, gamma=np.inf)
    np.testing.assert_allclose(frequency.mean.candidate, [1 / 3, 2 / 3, 1.0, 0.25, 0.25, 0.5])


def test_groups_are_sums_of_plausibilities() -> None:
    """Certainty and leading groups agree with sums over full Dirichlet draws."""
    rng = np.random.default_rng(4)
    of = Candidates(np.array([0, 3]), np.array([0, 2, 5], np.int32), 8)
    posterior = DirichletPosterior(of, np.array([3.0, 1.2, 2.0]), 0.4)
    group = np.array([0, 1, 2, 2, 0, 1, 1, 3])
    full = np.full(8, 0.4)
    full[[0, 2, 5]] = [3.0, 1.2, 2.0]
    draws = rng.dirichlet(full, 400_000)
    sums = np.stack([draws[:, group == g].sum(axis=1) for g in range(4)], axis=1)
    grouped = posterior.grouped(group, 4)
    leader = np.bincount(sums.argmax(axis=1), minlength=4) / len(sums)
    np.testing.assert_allclose(grouped.top1.candidate, leader, atol=5e-3)
    np.testing.assert_allclose(grouped.mean.candidate, sums.mean(axis=0), atol=2e-3)
    each = posterior.grouped(np.arange(8), 8)
    np.testing.assert_allclose(each.in_top(2).candidate[[0, 2, 5]], posterior.in_top(2).candidate, rtol=1e-11)
    np.testing.assert_allclose(each.in_top(2).candidate[[1, 7]], posterior.in_top(2).other[0], rtol=1e-11)


@pytest.mark.parametrize(("gamma", "alpha"), [(0.05, 0.0), (1.0, 0.0), (5.0, 0.02), (30.0, 0.5)])
def test_draws_agree_with_the_exact_answers(gamma: float, alpha: float) -> None:
    """Means, top-j probabilities and sets, also where most plausibilities are too small for a float."""
    exact = prirn(differentials(RANKED), 9, gamma=gamma, alpha=alpha)
    drawn = exact.sample(20_000, seeds(4))
    read = [0, 1, 3]
    np.testing.assert_allclose(drawn.mean.candidate, exact.mean.candidate, atol=0.015)
    for j in (1, 2, 3):
        np.testing.assert_allclose(drawn.in_top(j).candidate, exact.in_top(j).candidate, atol=0.02)
        np.testing.assert_allclose(drawn.in_top(j).other[read], exact.in_top(j).other[read], atol=0.02)
        best = exact.best_set(j)
        np.testing.assert_allclose(drawn.top_set(best)[read], exact.top_set(best)[read], atol=0.02)
    first, second = np.array([0, 1, 5]), np.array([1, 2, 6])
    np.testing.assert_allclose(drawn.precedes(first, second), exact.precedes(first, second), atol=0.02)


def test_threads_change_no_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same bytes from one thread, two and three; cases without readings too."""
    posterior = prirn(differentials(RANKED * 20), 6, gamma=3)

    def draws(threads: int) -> tuple[bytes, bytes]:
        monkeypatch.setenv(VARIABLE, str(threads))
        found = posterior.sample(1000, seeds(80)).draws
        return found.value.tobytes(), found.rest.tobytes()

    assert draws(1) == draws(2) == draws(3)


def test_a_case_draws_the_same_in_any_company() -> None:
    """Values depend on the case's seed, not on the other cases."""
    readings, seed = differentials(RANKED), seeds(4)
    every = prirn(readings, 9, gamma=3.0, alpha=0.2).sample(30, seed).draws
    alone = prirn(readings.take_cases([3]), 9, gamma=3.0, alpha=0.2).sample(30, seed[3:]).draws
    np.testing.assert_array_equal(alone.value, every.value[every.candidates.of_case(3)])
    np.testing.assert_array_equal(alone.rest[0], every.rest[3])
    np.testing.assert_array_equal(alone.shares[alone.size[0]], every.shares[every.size[3]])


def test_order_of_labels_changes_nothing() -> None:
    """Relabelled readings give relabelled answers."""
    new = np.array([3, 7, 0, 8, 1, 5, 2, 4, 6])
    relabelled = [[[[int(new[y]) for y in b] for b in reading] for reading in case] for case in RANKED]
    there = prirn(differentials(RANKED), 9, gamma=4.0, alpha=0.1)
    back = prirn(differentials(relabelled), 9, gamma=4.0, alpha=0.1)
    names = np.tile(np.arange(9), (4, 1))
    for j in (1, 2):
        found = back.in_top(j).at(back.candidates.locate(np.tile(new, (4, 1))))
        np.testing.assert_allclose(found, there.in_top(j).at(there.candidates.locate(names)), rtol=1e-13)
    np.testing.assert_allclose(there.certainty(1), back.certainty(1), rtol=1e-13)


@pytest.mark.parametrize("gamma", [1e-200, 1e-9, 1e12])
def test_extreme_reliabilities_stay_right(gamma: float) -> None:
    """Probabilities still sum up; with almost no mass the leader is drawn in proportion to its weight."""
    posterior = prirn(differentials(RANKED), 9, gamma=gamma)
    read = [0, 1, 3]
    for j in (1, 2):
        found = posterior.in_top(j)
        np.testing.assert_allclose(by_case(posterior, found.candidate, found.other)[read], j, rtol=1e-9)
    if gamma < 1:
        np.testing.assert_allclose(posterior.top1.candidate, posterior.mean.candidate, rtol=1e-8)


@pytest.mark.parametrize("model", [label_counts, prirn])
def test_parameters_out_of_range_are_refused(model: type) -> None:
    """Messages say what is allowed and what was given."""
    readings = differentials(CHOICES)
    for gamma in (0.0, -1.0, np.nan, 1e13):
        allowed = re.escape(f"gamma must be above 0 and at most 1e+12, or infinity, got {gamma}")
        with pytest.raises(ValueError, match=allowed):
            model(readings, 5, gamma=gamma)
    for alpha in (-0.5, np.inf, np.nan):
        with pytest.raises(ValueError, match=f"alpha must be finite and at least 0, got {alpha}"):
            model(readings, 5, gamma=1.0, alpha=alpha)


def test_misfits_are_refused() -> None:
    """Differentials are not choices; groups, draws and seeds must fit."""
    with pytest.raises(ValueError, match="one label, got 3 in reading 0"):
        label_counts(differentials(RANKED), 9, gamma=1.0)
    posterior = prirn(differentials(RANKED), 9, gamma=1.0)
    with pytest.raises(ValueError, match=r"shape \(9,\), got \(8,\)"):
        posterior.grouped(np.zeros(8, int), 1)
    with pytest.raises(ValueError, match="groups must be 0 to 1, got 0 to 2"):
        posterior.grouped(np.arange(9) % 3, 2)
    with pytest.raises(ValueError, match="n must be 1 or more, got 0"):
        posterior.sample(0, seeds(4))
    with pytest.raises(ValueError, match=r"seeds must have shape \(4,\), got \(3,\)"):
        posterior.sample(1, seeds(3))


def release() -> Readings:
    """All differentials of the public dermatology release."""
    path = shared_data("data", "dermatology_ddx", "dermatology_selectors.json")
    return differentials(json.loads(path.read_text()))


def risk_levels() -> np.ndarray:
    """Risk level of each of the 419 conditions of the release."""
    path = shared_data("data", "dermatology_ddx", "dermatology_risks.txt")
    return np.array([int(line) for line in path.read_text().split()])


@pytest.mark.parametrize(
    ("ties", "alpha", "gamma", "top", "below"),
    [
        ("full", 0.0, 30, (0.8473, 0.7255, 0.7314), 0.5819),
        ("full", 0.0, 3, (0.6574, 0.5701, 0.6463), 0.9327),
        ("split", 0.0, 30, (0.8640, 0.7454, 0.7501), 0.5455),
        ("full", 0.01, 10, (0.7518, 0.4212, 0.1842), 0.83),
        ("full", 0.01, 30, (0.8478, 0.6386, 0.4330), 0.5824),
    ],
)
def test_certainty_of_the_release(
    ties: str, alpha: float, gamma: float, top: tuple[float, ...], below: float
) -> None:
    """Mean top-j certainty, and share of the cases that 1,000 draws, as in the reference, put below .99."""
    posterior = prirn(release(), 419, gamma=gamma, alpha=alpha, ties=ties)  # type: ignore[arg-type]
    tolerance = 0.005 if alpha == 0 else 0.008
    for j, expected in enumerate(top, 1):
        assert posterior.certainty(j).mean() == pytest.approx(expected, abs=tolerance)
    assert stats.binom(1000, posterior.certainty(1)).cdf(989).mean() == pytest.approx(below, abs=0.005)


@pytest.mark.parametrize(("gamma", "unmentioned"), [(1, 0.7322), (3, 0.331), (10, 0.0205), (30, 0.0001)])
def test_unmentioned_conditions_lead_as_often_as_in_the_reference(gamma: float, unmentioned: float) -> None:
    """Mean probability that the arg max was named by nobody, α = 0.01 for each of 419 conditions."""
    posterior = prirn(release(), 419, gamma=gamma, alpha=0.01, ties="full")
    other = posterior.top1.other * posterior.candidates.unmentioned
    assert other.mean() == pytest.approx(unmentioned, abs=0.001)


@pytest.mark.parametrize(
    ("gamma", "mean", "below"), [(30, 0.9287, 0.3641), (1, 0.8164, 0.6831), (100, 0.9542, 0.2044)]
)
def test_risk_of_the_leading_condition_in_the_release(gamma: float, mean: float, below: float) -> None:
    """The reference asks for the risk of the leading condition, not for the leading sum over a level."""
    posterior = prirn(release(), 419, gamma=gamma, ties="full")
    of = posterior.candidates
    cell = of.case * 3 + risk_levels()[of.label]
    certainty = np.bincount(cell, posterior.top1.candidate, of.n_cases * 3).reshape(-1, 3).max(axis=1)
    assert certainty.mean() == pytest.approx(mean, abs=0.005)
    assert (certainty < 0.99).mean() == pytest.approx(below, abs=0.005)


def test_prediction_sets_of_the_published_example() -> None:
    """Case 1026, PrIRN at γ = 30: P(arg max in the set) of the sets A and B."""
    posterior = prirn(release(), 419, gamma=30, ties="full")
    path = shared_data("data", "dermatology_ddx", "dermatology_conditions.txt")
    names = path.read_text().splitlines()
    set_a = ["Atypical Nevus", "Hemangioma", "Melanocytic Nevus"]
    set_b = ["Hemangioma", "Melanocytic Nevus", "Melanoma"]
    for members, expected in ((set_a, 0.534), (set_b, 0.982)):
        labels = np.tile([names.index(name) for name in members], (1947, 1))
        found = posterior.top1.at(posterior.candidates.locate(labels))[1026]
        assert found.sum() == pytest.approx(expected, abs=5e-4)
