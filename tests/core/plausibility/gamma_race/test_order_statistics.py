"""Races of gammas against exact recursions, closed forms, brute-force integrals and draws."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb

import numpy as np
import pytest
from scipy import integrate, stats

from core.plausibility.candidates import Candidates, LabelValues
from core.plausibility.gamma_race.order_statistics import GammaRace


def race(shapes: Sequence[Sequence[float]], n_labels: int, other: float | Sequence[float] = 0.0) -> GammaRace:
    """Race whose i-th case has labels 0, 1, … with the given shapes."""
    start = np.cumsum([0, *map(len, shapes)]).astype(np.int64)
    label = np.array([y for case in shapes for y in range(len(case))], np.int32)
    shape = np.array([a for case in shapes for a in case], np.float64)
    return GammaRace(Candidates(start, label, n_labels), shape, np.full(len(shapes), other, np.float64))


def total(values: LabelValues, of: Candidates) -> np.ndarray:
    """Sum over all labels of each case."""
    return np.bincount(of.case, values.candidate, of.n_cases) + of.unmentioned * values.other


@cache
def last_arrivals(counts: tuple[int, ...], j: int) -> dict[frozenset[int], Fraction]:
    """P(top-j set) for whole shapes: running labels are hit alike, and label k is through after a_k hits."""
    running = [k for k, left in enumerate(counts) if left > 0]
    if len(running) == j:
        return {frozenset(running): Fraction(1)}
    sets: dict[frozenset[int], Fraction] = {}
    for k in running:
        after = (*counts[:k], counts[k] - 1, *counts[k + 1 :])
        for members, p in last_arrivals(after, j).items():
            sets[members] = sets.get(members, Fraction(0)) + p / len(running)
    return sets


@pytest.mark.parametrize("j", [1, 2, 3])
@pytest.mark.parametrize("counts", [(1, 2, 3, 4), (5, 5, 1, 2), (9, 3, 3, 3), (2, 1, 1, 1, 1)])
def test_whole_shapes_agree_with_exact_fractions(counts: tuple[int, ...], j: int) -> None:
    """Sets and labels of a race of whole shapes, to rounding error."""
    exact = last_arrivals(counts, j)
    one = race([counts], len(counts))
    for members in combinations(range(len(counts)), j):
        assert one.top_set(np.array([members]))[0] == pytest.approx(
            float(exact[frozenset(members)]), abs=1e-13
        )
    expected = [float(sum(p for s, p in exact.items() if k in s)) for k in range(len(counts))]
    np.testing.assert_allclose(one.in_top(j).candidate, expected, atol=1e-13)


@pytest.mark.parametrize("j", [1, 2, 3])
def test_unmentioned_labels_agree_with_exact_fractions(j: int) -> None:
    """Three labels that share one shape race like labels of their own."""
    exact = last_arrivals((4, 1, 2, 2, 2), j)
    one = race([[4.0, 1.0]], 5, other=2.0)
    expected = [float(sum(p for s, p in exact.items() if k in s)) for k in range(5)]
    found = one.in_top(j)
    np.testing.assert_allclose([*found.candidate, found.other[0]], expected[:3], atol=1e-13)
    for members in combinations(range(5), j):
        assert one.top_set(np.array([members]))[0] == pytest.approx(
            float(exact[frozenset(members)]), abs=1e-13
        )


@pytest.mark.parametrize("n", [2, 3, 10, 300])
@pytest.mark.parametrize("shape", [1e-6, 1e-3, 0.01, 0.5, 1.0, 30.0, 1e3, 1e6])
def test_equal_shapes_are_equally_likely(shape: float, n: int) -> None:
    """Of n equal labels j are at the top, mentioned or not."""
    mixed = race([[shape] * n, [shape] * 2, []], n, other=shape)
    for j in (1, 2, 3):
        found = mixed.in_top(j)
        expected = min(j / n, 1.0)
        np.testing.assert_allclose(found.candidate, expected, rtol=1e-10)
        np.testing.assert_allclose(found.other[2], expected, rtol=1e-10)
        if j <= n:
            sets = np.tile(np.arange(n - j, n), (3, 1))
            np.testing.assert_allclose(mixed.top_set(sets), 1 / comb(n, j), rtol=1e-10)


def test_a_hundred_thousand_labels() -> None:
    """Sums over K = 100,000 labels are right, and K equal labels are equally likely, for any shape."""
    cases = [[30.0, 2.0, 5.0], [0.02], []]
    for other in (1e-5, 1e-3, 0.5, 1.0, 50.0):
        large = race(cases, 100_000, other=other)
        for j in (1, 2, 3):
            found = large.in_top(j)
            np.testing.assert_allclose(total(found, large.candidates), j, rtol=1e-10)
            assert found.other[2] == pytest.approx(j / 100_000, rel=1e-10)
    assert race([[]], 100_000, other=1.0).top_set(np.array([[7, 3]]))[0] == pytest.approx(
        1 / comb(100_000, 2), rel=1e-10
    )


@pytest.mark.parametrize(
    ("a", "b"),
    [(1e-3, 1e-3), (1e-3, 5.0), (0.3, 0.7), (2.0, 9.0), (40.0, 50.0), (1e6, 1e6 + 1500), (0.01, 1e6)],
)
def test_two_labels_have_a_closed_form(a: float, b: float) -> None:
    """λ_a > λ_b where a beta variable exceeds one half, also with a third label that has no mass."""
    expected = stats.beta(a, b).sf(0.5)
    two = race([[a, b, 0.0]], 3)
    np.testing.assert_allclose(two.in_top(1).candidate, [expected, 1 - expected, 0.0], rtol=1e-9, atol=1e-12)
    assert two.precedes(np.array([0]), np.array([1]))[0] == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_precedes_splits_ties_of_labels_without_mass() -> None:
    """A label with mass precedes one without; of two without, each one half of the time."""
    one = race([[0.0, 0.0, 1e-3]], 3)
    first, second = np.array([0, 1, 2, 0]), np.array([1, 0, 0, 2])
    np.testing.assert_array_equal(one.precedes(first, second), [0.5, 0.5, 1.0, 0.0])


@pytest.mark.parametrize("shapes", [(0.05, 0.4, 1.3), (3.3, 2.7, 0.1), (60.0, 55.5, 71.2), (0.9, 25.0, 18.0)])
def test_three_labels_agree_with_adaptive_quadrature(shapes: tuple[float, ...]) -> None:
    """∫ f_k ∏ F_i and its top-2 counterpart, by an adaptive rule in quantiles of label k."""

    def integral(k: int, in_set: bool) -> float:
        others = [stats.gamma(a) for i, a in enumerate(shapes) if i != k]
        own = stats.gamma(shapes[k])

        def decided(u: float) -> float:
            below = [g.cdf(own.ppf(u)) for g in others]
            return 1 - (1 - below[0]) * (1 - below[1]) if in_set else below[0] * below[1]

        return float(integrate.quad(decided, 0, 1, epsabs=1e-9, limit=200)[0])

    one = race([shapes], 3)
    for j, in_set in ((1, False), (2, True)):
        np.testing.assert_allclose(
            one.in_top(j).candidate, [integral(k, in_set) for k in range(3)], atol=2e-8
        )


ASSORTED = [
    ([0.5, 0.5, 0.5], 0.0, 3),
    ([9.0, 8.5, 0.3, 0.3, 2.1], 0.0, 5),
    ([3.0, 1.0], 0.4, 7),
    ([0.05, 0.2], 0.02, 8),
    ([120.0, 118.0, 90.0], 20.0, 6),
]


@pytest.mark.parametrize(("shapes", "other", "n_labels"), ASSORTED)
def test_two_million_draws_agree(shapes: list[float], other: float, n_labels: int) -> None:
    """Labels and best sets within five standard errors of 2·10⁶ draws."""
    rng = np.random.default_rng(20)
    one = race([shapes], n_labels, other=other)
    all_shapes = np.array(shapes + [other] * (n_labels - len(shapes) if other else 0), np.float64)
    n = 2_000_000
    hits, sets = np.zeros((3, len(all_shapes))), np.zeros(3)
    best = [one.best_set(j)[0] for j in (1, 2, 3)]
    for _ in range(n // 100_000):
        log_g = np.log(rng.standard_gamma(all_shapes + 1, (100_000, len(all_shapes))))
        log_g -= rng.standard_exponential(log_g.shape) / all_shapes
        order = np.argpartition(-log_g, [0, 1, 2], axis=1)[:, :3]
        for j in (1, 2, 3):
            hits[j - 1] += np.bincount(order[:, :j].ravel(), minlength=len(all_shapes))
            sets[j - 1] += (np.sort(order[:, :j], axis=1) == np.sort(best[j - 1])).all(axis=1).sum()
    for j in (1, 2, 3):
        found = one.in_top(j)
        exact = np.concatenate([found.candidate, np.repeat(found.other, len(all_shapes) - len(shapes))])
        error = np.sqrt(exact * (1 - exact) / n) + 1e-9
        assert (np.abs(hits[j - 1] / n - exact) < 5 * error).all()
        p = one.top_set(best[j - 1][None])[0]
        assert abs(sets[j - 1] / n - p) < 5 * np.sqrt(p * (1 - p) / n) + 1e-9


@pytest.mark.parametrize("other", [0.0, 0.01, 0.7])
@pytest.mark.parametrize("j", [1, 2, 3, 4, 6])
def test_probabilities_sum_to_the_size_of_the_set(j: int, other: float) -> None:
    """Σ P(label among the top j) is j, or the number of labels with mass, over nine orders of magnitude."""
    rng = np.random.default_rng(3)
    shapes = [10.0 ** rng.uniform(-3, 6, rng.integers(1, 8)) for _ in range(60)]
    shapes[0][0] = 0.0
    many = race([s.tolist() for s in shapes], 9, other=other)
    mass = many.candidates.unmentioned * (other > 0) + [(s > 0).sum() for s in shapes]
    np.testing.assert_allclose(
        total(many.in_top(j), many.candidates)[mass > 0], np.minimum(j, mass)[mass > 0], rtol=1e-11
    )


@pytest.mark.parametrize("j", [1, 2, 3])
def test_all_sets_sum_to_one(j: int) -> None:
    """Enumeration of the top-j sets, mentioned labels and others, and their labels' marginals."""
    one = race([[3.0, 0.2, 0.2]], 6, other=0.15)
    sets = list(combinations(range(6), j))
    p = np.array([one.top_set(np.array([s]))[0] for s in sets])
    assert p.sum() == pytest.approx(1.0, abs=1e-12)
    marginal = [sum(q for s, q in zip(sets, p, strict=True) if k in s) for k in range(4)]
    found = one.in_top(j)
    np.testing.assert_allclose([*found.candidate, found.other[0]], marginal, atol=1e-12)
    assert p.max() == pytest.approx(one.top_set(one.best_set(j))[0], abs=1e-15)


def test_best_set_takes_the_largest_shapes_and_breaks_ties_by_label() -> None:
    """Unmentioned labels enter where no larger shape is left, the first code first; −1 pads."""
    mixed = race([[0.5, 2.0, 2.0, 0.0], [0.1], [], [3.0, 0.2, 0.1]], 6, other=[0.0, 0.1, 0.3, 0.2])
    np.testing.assert_array_equal(
        mixed.best_set(4), [[1, 2, 0, -1], [0, 1, 2, 3], [0, 1, 2, 3], [0, 1, 3, 4]]
    )
    behind = GammaRace(
        Candidates(np.array([0, 2]), np.array([1, 4], np.int32), 6), np.array([0.1, 9.0]), np.array([0.1])
    )
    np.testing.assert_array_equal(behind.best_set(6), [[4, 0, 1, 2, 3, 5]])


def test_fewer_labels_with_mass_than_places() -> None:
    """The top set is then all of them, for certain, and labels without mass are never in it."""
    one = race([[2.0, 0.0, 1.0]], 5)
    np.testing.assert_array_equal(one.in_top(3).candidate, [1.0, 0.0, 1.0])
    assert one.in_top(3).other[0] == 0.0
    for labels, expected in [([0, 2, -1], 1.0), ([0, 1, 2], 0.0), ([0, 2, 4], 0.0), ([0, -1, -1], 0.0)]:
        assert one.top_set(np.array([labels]))[0] == expected
    assert one.top_set(np.array([[0, -1]]))[0] == 0.0


def test_a_race_of_nobody_has_no_answer() -> None:
    """A case where no label has mass is NaN, and leaves the others alone."""
    pair = race([[0.0], [1.0, 1.0], []], 3)
    found = pair.in_top(1)
    np.testing.assert_array_equal(np.isnan(found.candidate), [True, False, False])
    np.testing.assert_array_equal(np.isnan(found.other), [True, False, True])
    np.testing.assert_array_equal(np.isnan(pair.top_set(pair.best_set(1))), [True, False, True])


def test_order_of_labels_and_cases_changes_nothing() -> None:
    """Relabelling permutes the answers exactly, and so does another order of the cases."""
    rng = np.random.default_rng(8)
    shapes = [rng.choice([0.2, 1.0, 1.7, 6.0, 30.0], rng.integers(1, 7)) for _ in range(200)]
    there = race([s.tolist() for s in shapes], 8, other=0.1)
    back = race([s[::-1].tolist() for s in shapes[::-1]], 8, other=0.1)
    for j in (1, 2):
        np.testing.assert_array_equal(there.in_top(j).candidate, back.in_top(j).candidate[::-1])
        np.testing.assert_array_equal(there.in_top(j).other, back.in_top(j).other[::-1])
    equal = race([[1.7, 0.3, 1.7, 6.0, 1.7]], 5).in_top(2).candidate
    assert len(np.unique(equal)) == 3


def test_portions_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many small portions of cases, none of whose tables is kept, give the same answers."""
    rng = np.random.default_rng(9)
    shapes = [rng.gamma(1.0, 3.0, rng.integers(0, 6)).tolist() for _ in range(80)]
    whole = race(shapes, 7, other=0.2)
    sets = np.tile([1, 6], (80, 1))
    expected = whole.in_top(2), whole.top_set(sets)
    monkeypatch.setattr("core.plausibility.gamma_race.order_statistics.SLOTS_AT_ONCE", 5)
    monkeypatch.setattr("core.plausibility.gamma_race.order_statistics.KEPT_NODES", 0)
    monkeypatch.setattr("core.plausibility.gamma_race.order_statistics.SCRATCH", 50)
    parts = race(shapes, 7, other=0.2)
    np.testing.assert_allclose(parts.in_top(2).candidate, expected[0].candidate, rtol=1e-13)
    np.testing.assert_allclose(parts.in_top(2).other, expected[0].other, rtol=1e-13)
    np.testing.assert_allclose(parts.top_set(sets), expected[1], rtol=1e-13)


def test_sets_without_places_are_refused() -> None:
    """A top set has one place or more."""
    one = race([[1.0, 2.0]], 2)
    with pytest.raises(ValueError, match="1 or more, got 0"):
        one.in_top(0)
    with pytest.raises(ValueError, match="1 or more, got 0"):
        one.best_set(0)
    with pytest.raises(ValueError, match="1 or more, got 0"):
        one.top_set(np.empty((1, 0), np.int64))
