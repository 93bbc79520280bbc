"""Correspondence Ψ: subsets, the null distribution, shifts, and independent computation."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from scipy.spatial.distance import cdist, pdist
from scipy.stats import ks_2samp, kstest

from core.metrics.correspondence.case_distances import Deviation, Distances, standardised
from core.metrics.correspondence.correspondence import case_correspondence, correspondence, least_alike_split

KINDS: tuple[Deviation, ...] = ("ks", "js", "mmd")


def cloud(seed: int, n: int, shift: float = 0.0) -> np.ndarray:
    """Normal points in three dimensions."""
    return np.random.default_rng(seed).normal(size=(n, 3)) + shift


@pytest.mark.parametrize("kind", KINDS)
def test_a_subset_corresponds_fully(kind: Deviation) -> None:
    """Ψ = 1 and nothing deviates: every case of the subset takes its own place; either way round."""
    whole = cloud(0, 60)
    part = whole[::3]
    for first, second in ((whole, part), (part, whole)):
        found = correspondence(first, second, kind=kind, splits=19)
        assert (found.psi, found.deviation) == (1.0, 0.0)


def test_deviation_equals_an_independent_computation() -> None:
    """Best of all assignments by trying every one; the KS statistic by scipy."""
    first, second = cloud(1, 7), cloud(2, 3, 0.5)
    cost = cdist(first, second)
    place = min(permutations(range(7), 3), key=lambda places: cost[list(places), range(3)].sum())
    after = first.copy()
    after[list(place)] = second
    expected = ks_2samp(pdist(first), pdist(after)).statistic
    distances = Distances(np.concatenate([first, second]))
    assert distances.deviation(np.arange(7), np.arange(7, 10)) == pytest.approx(expected, abs=1e-12)


def test_binned_deviations_by_hand() -> None:
    """Three cases on a line, one replaced: distances 1, 2, 3 become 1, 9, 10."""
    points = np.array([[0.0], [1.0], [3.0], [10.0]])
    expected = {
        "ks": 2 / 3,
        "js": np.sqrt(2 / 3),
        "mmd": np.nan,
    }
    pooled = pdist(points)
    kernel = np.exp(
        -((np.array([1, 2, 3, 9, 10])[:, None] - np.array([1, 2, 3, 9, 10])) ** 2)
        / (2 * np.median(pooled) ** 2)
    )
    change = np.array([0, -1, -1, 1, 1]) / 3
    expected["mmd"] = np.sqrt(change @ kernel @ change)
    for kind in KINDS:
        distances = Distances(points, kind)
        found = distances.deviation(np.array([0, 1, 2]), np.array([3]))
        assert found == pytest.approx(expected[kind], abs=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_psi_is_uniform_under_one_population(kind: Deviation) -> None:
    """1,000 simulated splits: Ψ less a uniform number of one step is uniform."""
    rng = np.random.default_rng(7)
    psi = []
    for seed in range(1000 if kind == "ks" else 300):
        both = rng.normal(size=(36, 2))
        psi.append(correspondence(both[:26], both[26:], kind=kind, splits=19, seed=seed).psi)
    assert kstest(np.array(psi) - rng.random(len(psi)) / 20, "uniform").pvalue > 0.01


@pytest.mark.parametrize("kind", KINDS)
def test_psi_falls_with_a_shift(kind: Deviation) -> None:
    """Ψ of one pair of sets is random: its mean over 15 pairs falls, to the smallest possible."""

    def mean(shift: float) -> float:
        pairs = ((cloud(seed, 40), cloud(seed + 100, 20, shift)) for seed in range(15))
        return float(np.mean([correspondence(*pair, kind=kind, splits=19).psi for pair in pairs]))

    psi = [mean(shift) for shift in (0.0, 0.5, 0.8, 3.0)]
    assert psi[0] > psi[1] > psi[2] > psi[3]
    assert psi[3] == pytest.approx(0.05)
    assert psi[0] == pytest.approx(0.5, abs=0.2)


def test_psi_is_never_zero_and_counts_itself() -> None:
    """The smallest is 1 / (splits + 1)."""
    assert correspondence(cloud(0, 20), cloud(1, 10, 9), splits=9).psi == 0.1


def test_single_deviations_equal_the_general_ones() -> None:
    """The short way for one case against all others."""
    for kind in KINDS:
        distances = Distances(cloud(5, 25), kind)
        everyone = np.arange(25)
        one_by_one = [distances.deviation(np.delete(everyone, i), everyone[i : i + 1]) for i in everyone]
        np.testing.assert_allclose(distances.single_deviations(), one_by_one, atol=1e-12)


def test_one_new_case() -> None:
    """A case of the set corresponds fully, one far away as little as can be."""
    cases = cloud(6, 49)
    assert case_correspondence(cases, cases[7]) == 1
    assert case_correspondence(cases, np.full(3, 8.0)) == pytest.approx(1 / 50)


def test_a_new_case_of_the_population_is_uniform() -> None:
    """Ψ of one more draw: never too often small."""
    rng = np.random.default_rng(8)
    psi = [case_correspondence(draw[:-1], draw[-1], kind="mmd") for draw in rng.normal(size=(300, 25, 2))]
    assert kstest(np.array(psi) - rng.random(300) / 25, "uniform").pvalue > 0.01


def test_least_alike_split_is_the_worst_of_those_tried() -> None:
    """Its parts deviate more than those of any of a few random splits with the same seed."""
    rows = cloud(9, 30)
    worst = least_alike_split(rows, 8, splits=40, seed=2)
    fewer = least_alike_split(rows, 8, splits=10, seed=2)
    assert len(set(worst.second.tolist())) == 8
    assert worst.deviation >= fewer.deviation
    first = np.setdiff1d(np.arange(30), worst.second)
    assert Distances(rows).deviation(first, worst.second) == worst.deviation
    assert worst.psi == 1 / 40


def test_large_sets_are_subsampled_and_say_so() -> None:
    """In the proportion of the two sets."""
    found = correspondence(cloud(0, 90), cloud(1, 30), splits=3, most_cases=40)
    assert (found.n_first, found.n_second, found.n_left_out) == (30, 10, 80)


def test_the_same_seed_gives_the_same_numbers() -> None:
    """And another seed others."""
    a, b, c = (correspondence(cloud(0, 30), cloud(1, 20), splits=50, seed=seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(a.by_chance, b.by_chance)
    assert (a.by_chance != c.by_chance).any()


def test_standardised_columns() -> None:
    """Mean 0, standard deviation 1; a constant column stays finite."""
    rows = standardised(np.column_stack([cloud(0, 20)[:, 0] * 50 + 3, np.full(20, 7.0)]))
    np.testing.assert_allclose(rows.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(rows.std(axis=0), [1, 0], atol=1e-12)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: correspondence(cloud(0, 5), cloud(0, 5)[:, :2]), "same columns"),
        (lambda: correspondence(cloud(0, 5), cloud(0, 5)[:0]), "a case or more"),
        (lambda: correspondence(cloud(0, 5), cloud(0, 5) * np.nan), "known and finite"),
        (lambda: correspondence(cloud(0, 5), cloud(0, 5), splits=0), "splits must be"),
        (lambda: correspondence(cloud(0, 5), cloud(0, 5), kind="x"), "kind must be one of ks, js, mmd"),  # type: ignore[arg-type]
        (lambda: correspondence(cloud(0, 5), cloud(0, 5), most_cases=2), "most_cases"),
        (lambda: case_correspondence(cloud(0, 5), np.zeros(2)), "columns of the set"),
        (lambda: case_correspondence(np.zeros((5001, 1)), np.zeros(1)), "at most 5,000"),
        (lambda: least_alike_split(cloud(0, 9), 5), "1 to 4"),
        (lambda: least_alike_split(cloud(0, 9), 2, splits=0), "splits must be"),
        (lambda: least_alike_split(np.zeros((5001, 1)), 2), "at most 5,000"),
    ],
)
def test_impossible_comparisons_are_refused(call, said: str) -> None:
    """In words that name what is allowed."""
    with pytest.raises(ValueError, match=said):
        call()


def test_identical_cases_do_not_deviate() -> None:
    """All distances 0: nothing can deviate, and nothing divides by 0."""
    for kind in KINDS:
        assert correspondence(np.zeros((6, 2)), np.zeros((3, 2)), kind=kind, splits=5).psi == 1
