"""Posteriors known by draws, against explicit enumeration on small problems."""

from __future__ import annotations

from itertools import combinations, permutations
from math import factorial

import numpy as np
import pytest
from scipy import stats

from core.plausibility.candidates import Candidates
from core.plausibility.draws import LARGEST, Draws
from core.plausibility.point import point_mass
from core.plausibility.posterior import NO_LABEL, SampledPosterior

K = 6


def make_candidates(mentioned: list[list[int]], n_labels: int = K) -> Candidates:
    """Candidates from the mentioned labels of each case."""
    start = np.cumsum([0] + [len(labels) for labels in mentioned])
    label = np.array([label for labels in mentioned for label in labels], np.int32)
    return Candidates(start.astype(np.int64), label, n_labels)


def make_posterior(
    mentioned: list[list[int]], *, n_draws: int = 40, levels: int | None = None, seed: int = 0
) -> SampledPosterior:
    """Random draws; with ``levels`` the values are small whole numbers, so that many are tied or 0."""
    rng = np.random.default_rng(seed)
    candidates = make_candidates(mentioned)
    n_slots = len(candidates.label)
    if levels is None:
        value = rng.random((n_slots, n_draws))
        rest = 3 * rng.random((candidates.n_cases, n_draws))
    else:
        value = rng.integers(0, levels, (n_slots, n_draws)).astype(float)
        rest = 4.0 * rng.integers(0, levels, (candidates.n_cases, n_draws))
    rest[candidates.unmentioned == 0] = 0
    sizes, size = np.unique(candidates.unmentioned, return_inverse=True)
    shares = np.zeros((len(sizes), n_draws, LARGEST))
    for i, m in enumerate(sizes):
        drawn = rng.integers(0, 3, (n_draws, m)) / 4 if levels else rng.dirichlet(np.ones(max(m, 1)), n_draws)
        shares[i, :, :m] = -np.sort(-drawn[:, :m], axis=1)
    return SampledPosterior(Draws(candidates, value, rest, shares, size.astype(np.int64), share_seed=seed))


MENTIONED = [[0, 1, 2, 3, 4, 5], [1, 4], [0, 2, 5], [3], [0, 1, 3, 4, 5], [2, 3]]


def ordered_labels(posterior: SampledPosterior, case: int, draw: int) -> list[list[int]]:
    """Labels with mass, largest first, for each way to hand the shares out to the unmentioned labels."""
    draws, candidates = posterior.draws, posterior.candidates
    slots = candidates.of_case(case)
    mentioned = candidates.label[slots].tolist()
    others = [label for label in range(candidates.n_labels) if label not in mentioned]
    parts = draws.rest[case, draw] * draws.shares[draws.size[case], draw, : len(others)]
    orders = []
    for shuffled in permutations(others):
        rows = [(-value, 0, label) for label, value in zip(mentioned, draws.value[slots, draw], strict=True)]
        rows += [
            (-part, 1, place, label) for place, (label, part) in enumerate(zip(shuffled, parts, strict=True))
        ]
        orders.append([row[-1] for row in sorted(rows) if row[0] < 0])
    return orders


def set_probabilities(posterior: SampledPosterior, case: int, j: int) -> dict[tuple[int, ...], float]:
    """P(top-j set), by enumeration."""
    found: dict[tuple[int, ...], float] = {}
    for draw in range(posterior.draws.n_draws):
        orders = ordered_labels(posterior, case, draw)
        for order in orders:
            top = tuple(sorted(order[:j]))
            found[top] = found.get(top, 0.0) + 1 / len(orders) / posterior.draws.n_draws
    return found


@pytest.fixture(params=[None, 3], ids=["continuous", "tied"])
def posterior(request: pytest.FixtureRequest) -> SampledPosterior:
    """Six cases with 0 to 5 unmentioned labels, without and with ties."""
    return make_posterior(MENTIONED, n_draws=15, levels=request.param)


@pytest.mark.parametrize("j", [1, 2, 3, 5])
def test_top_sets_equal_enumeration(posterior, j):
    """in_top, top_set and the probability of the best set agree with all orders of all draws."""
    presence = posterior.in_top(j)
    sets = [(*c, *[-1] * (j - n)) for n in range(j + 1) for c in combinations(range(K), n)]
    asked = {s: posterior.top_set(np.tile(s, (len(MENTIONED), 1))) for s in sets}
    best = posterior.best_set(j)
    for case, mentioned in enumerate(MENTIONED):
        expected = set_probabilities(posterior, case, j)
        for s, probability in asked.items():
            assert probability[case] == pytest.approx(expected.get(tuple(x for x in s if x >= 0), 0.0))
        for label in range(K):
            among = sum(p for s, p in expected.items() if label in s)
            slot = posterior.candidates.locate(np.full((len(MENTIONED), 1), label))[case, 0]
            got = presence.candidate[slot] if label in mentioned else presence.other[case]
            assert got == pytest.approx(among)
        assert posterior.certainty(j)[case] == pytest.approx(max(expected.values()))
        tied = [s for s, p in expected.items() if p == pytest.approx(max(expected.values()))]
        first = min(tied, key=lambda s: (*s, *[K] * (j - len(s))))
        assert sorted(x for x in best[case] if x >= 0) == list(first)


def test_leaders_equal_a_stable_argsort():
    """With every label mentioned the leaders are a stable argsort, ties in label order."""
    posterior = make_posterior([list(range(K))] * 5, n_draws=200, levels=4)
    value = posterior.draws.value.reshape(5, K, 200).transpose(0, 2, 1)
    order = np.argsort(-value, axis=2, kind="stable")
    order[np.take_along_axis(value, order, axis=2) == 0] = NO_LABEL
    np.testing.assert_array_equal(posterior.leaders(4), order[:, :, :4])


@pytest.mark.parametrize("levels", [None, 3])
def test_leaders_with_unmentioned_labels_equal_a_full_sort(levels):
    """Candidates and shares sorted together, candidates first among equals."""
    posterior = make_posterior(MENTIONED, n_draws=60, levels=levels)
    draws, j = posterior.draws, 4
    leaders = posterior.leaders(j)
    for case, mentioned in enumerate(MENTIONED):
        unmentioned = draws.rest[case][:, None] * draws.shares[draws.size[case]]
        value = np.hstack([draws.value[posterior.candidates.of_case(case)].T, unmentioned])
        codes = np.concatenate([np.arange(len(mentioned)), -1 - np.arange(LARGEST)])
        order = np.argsort(-value, axis=1, kind="stable")[:, :j]
        expected = np.where(np.take_along_axis(value, order, axis=1) > 0, codes[order], NO_LABEL)
        np.testing.assert_array_equal(leaders[case], expected)


def test_asking_for_more_leaders_keeps_the_first(posterior):
    """The answers for small j do not depend on a larger j asked before or later."""
    fresh = make_posterior(MENTIONED, n_draws=15, levels=3)
    other = make_posterior(MENTIONED, n_draws=15, levels=3)
    two = fresh.leaders(2).copy()
    other.leaders(LARGEST)
    np.testing.assert_array_equal(other.leaders(2), two)
    np.testing.assert_array_equal(other.best_set(2), fresh.best_set(2))
    np.testing.assert_array_equal(other.in_top(2).candidate, fresh.in_top(2).candidate)


def test_in_top_sums_to_j():
    """Where at least j labels have mass, P(in top j) over all labels sums to j."""
    posterior = make_posterior(MENTIONED)
    for j in range(1, K + 1):
        presence = posterior.in_top(j)
        total = np.bincount(posterior.candidates.case, presence.candidate)
        np.testing.assert_allclose(total + posterior.candidates.unmentioned * presence.other, j)


def test_mean_sums_to_the_total_mass():
    """The mean over all labels is the mean of candidates and rest."""
    posterior = make_posterior(MENTIONED)
    total = np.add.reduceat(posterior.draws.value, posterior.candidates.start[:-1]) + posterior.draws.rest
    mean = posterior.mean
    got = np.bincount(posterior.candidates.case, mean.candidate)
    np.testing.assert_allclose(got + posterior.candidates.unmentioned * mean.other, total.mean(axis=1))


def test_relabelling_relabels_the_answers():
    """Another label order changes nothing but the codes, where nothing is tied."""
    posterior = make_posterior(MENTIONED)
    code = np.array([3, 5, 0, 1, 4, 2])
    draws = posterior.draws
    order = [np.argsort(code[labels]) for labels in MENTIONED]
    slots = np.concatenate([posterior.candidates.start[i] + o for i, o in enumerate(order)])
    renamed = make_candidates([sorted(code[labels].tolist()) for labels in MENTIONED])
    other = SampledPosterior(Draws(renamed, draws.value[slots], draws.rest, draws.shares, draws.size))
    for j in (1, 2, 3):
        np.testing.assert_array_equal(other.in_top(j).candidate, posterior.in_top(j).candidate[slots])
        np.testing.assert_allclose(other.certainty(j), posterior.certainty(j))
        np.testing.assert_allclose(other.top_set(code[posterior.best_set(j)]), posterior.certainty(j))


def test_sets_are_counted_the_same_in_float32():
    """Single precision draws give the same leaders as their own values in double precision."""
    posterior = make_posterior(MENTIONED)
    draws = posterior.draws
    single = SampledPosterior(
        Draws(
            draws.candidates,
            draws.value.astype(np.float32),
            draws.rest.astype(np.float32),
            draws.shares,
            draws.size,
        )
    )
    double = SampledPosterior(
        Draws(
            draws.candidates,
            single.draws.value.astype(np.float64),
            single.draws.rest.astype(np.float64),
            draws.shares,
            draws.size,
        )
    )
    np.testing.assert_array_equal(single.leaders(3), double.leaders(3))


def test_best_set_counts_many_different_sets():
    """The hash table of sets agrees with NumPy's unique rows for sets of ten among thirty labels."""
    rng = np.random.default_rng(4)
    candidates = make_candidates([list(range(30))] * 3, 30)
    value = rng.random((90, 500)) + np.repeat(np.tile(np.arange(30) > 17, 3)[:, None] * 0.7, 500, axis=1)
    posterior = SampledPosterior(
        Draws(candidates, value, np.zeros((3, 500)), np.zeros((1, 500, LARGEST)), np.zeros(3, np.int64))
    )
    best = posterior.best_set(10)
    for case in range(3):
        sets, counts = np.unique(np.sort(posterior.leaders(10)[case], axis=1), axis=0, return_counts=True)
        np.testing.assert_array_equal(np.sort(best[case]), sets[counts == counts.max()][0])
        assert posterior.certainty(10)[case] == counts.max() / 500


def test_best_set_is_ordered_by_mean():
    """The most plausible label comes first, padding last."""
    posterior = point_mass(make_candidates([[0, 2, 5], [4]]), np.array([0.2, 0.5, 0.3, 1.0]))
    np.testing.assert_array_equal(posterior.best_set(3), [[2, 5, 0], [4, -1, -1]])
    np.testing.assert_array_equal(posterior.best_set(2), [[2, 5], [4, -1]])


def test_point_mass_set_of_all_labels_with_mass():
    """Where fewer than j labels have mass, the top-j set is all of them and nothing else."""
    posterior = point_mass(make_candidates([[0, 2, 5]]), np.array([0.6, 0.0, 0.4]))
    assert posterior.certainty(3).tolist() == [1.0]
    assert posterior.top_set(np.array([[5, 0, -1]])).tolist() == [1.0]
    assert posterior.top_set(np.array([[0, 2, 5]])).tolist() == [0.0]
    assert posterior.in_top(3).candidate.tolist() == [1.0, 0.0, 1.0]
    assert posterior.in_top(3).other.tolist() == [0.0]


def test_point_mass_ties_go_to_the_first_label_and_to_mentioned_ones_where_asked():
    """Two labels of .25 each beside four unmentioned ones of .125: exact ties throughout."""
    of, value, rest = make_candidates([[1, 4]]), np.array([0.25, 0.25]), np.array([0.5])
    posterior = point_mass(of, value, rest, tie_rule="first label")
    assert posterior.top1.candidate.tolist() == [1.0, 0.0]
    tied = point_mass(make_candidates([[4]], 5), np.array([0.2]), np.array([0.8]), tie_rule="first label")
    assert tied.top1.candidate.tolist() == [1.0]
    assert posterior.in_top(3).other[0] == pytest.approx(1 / 4)
    assert posterior.top_set(np.array([[0, 1, 4]]))[0] == pytest.approx(1 / 4)
    np.testing.assert_array_equal(posterior.best_set(4), [[1, 4, 0, 2]])
    assert posterior.certainty(4)[0] == pytest.approx(1 / 6)


def test_case_without_readings_is_undefined():
    """A case without a reading has no top set, whatever the prior says, and no mass has no probabilities."""
    candidates = make_candidates([[], [2]])
    empty = point_mass(candidates, np.array([1.0]))
    assert np.isnan(empty.certainty(1)).tolist() == [True, False]
    assert np.isnan(empty.mean.other).tolist() == [True, False]
    assert np.isnan(empty.in_top(2).other).tolist() == [True, False]
    assert empty.best_set(2).tolist() == [[-1, -1], [2, -1]]
    prior = point_mass(candidates, np.array([1.0]), np.array([1.0, 0.0]))
    assert prior.mean.other[0] == pytest.approx(1 / K)
    assert prior.in_top(2).other[0] == pytest.approx(2 / K)
    assert np.isnan(prior.certainty(2)[0])
    assert (
        np.isnan(prior.grouped(np.array([0, 0, 0, 1, 1, 1]), 2).top1.candidate).tolist()
        == [True] * 2 + [False] * 2
    )


def test_no_cases_at_all():
    """Empty input gives empty answers."""
    posterior = point_mass(make_candidates([]), np.empty(0))
    assert posterior.certainty(2).shape == (0,)
    assert posterior.mean.candidate.shape == (0,)
    assert posterior.grouped(np.zeros(K, np.int64), 2).top1.candidate.shape == (0,)


def test_undefined_plausibility_is_undefined_everywhere():
    """NaN values of a candidate stay NaN in every answer."""
    posterior = point_mass(make_candidates([[1, 2], [0]]), np.array([np.nan, np.nan, 1.0]))
    assert np.isnan(posterior.top1.candidate).tolist() == [True, True, False]
    assert np.isnan(posterior.certainty(1)).tolist() == [True, False]
    assert np.isnan(posterior.precedes(np.array([0]), np.array([1]))).all()
    assert np.isnan(posterior.grouped(np.arange(K) // 3, 2).mean.candidate).tolist() == [
        True,
        True,
        False,
        False,
    ]


def test_precedes_counts_ties_half(posterior):
    """P(a before b) + P(b before a) = 1, and each is a count over draws."""
    first, second = np.array([0, 3, 6, 9]), np.array([1, 5, 7, 8])
    value = posterior.draws.value
    forth = posterior.precedes(first, second)
    np.testing.assert_allclose(forth + posterior.precedes(second, first), 1)
    half = [
        ((value[a] >= value[b]).mean() + (value[a] > value[b]).mean()) / 2
        for a, b in zip(first, second, strict=True)
    ]
    np.testing.assert_allclose(forth, half)


def flat_posterior(
    m: int, n_draws: int = 4000, n_labels: int = 8, concentration: float = 1.0
) -> SampledPosterior:
    """One case whose m unmentioned labels share half of the mass, the first label having the other half."""
    candidates = make_candidates([list(range(n_labels - m))], n_labels)
    value = np.full((n_labels - m, n_draws), 0.5 / (n_labels - m))
    return SampledPosterior(
        Draws(
            candidates,
            value,
            np.full((1, n_draws), 0.5),
            np.zeros((1, n_draws, LARGEST)),
            np.zeros(1, np.int64),
            concentration=concentration,
        )
    )


@pytest.mark.parametrize("concentration", [1.0, 0.2])
def test_group_of_unmentioned_labels_is_beta(concentration):
    """A Dirichlet's share of n of m labels is Beta(c n, c (m − n))."""
    posterior = flat_posterior(5, concentration=concentration)
    grouped = posterior.grouped(np.array([2, 2, 2, 0, 0, 1, 1, 1]), 3)
    share = grouped.draws.value[0] / 0.5
    assert stats.kstest(share, stats.beta(2 * concentration, 3 * concentration).cdf).pvalue > 0.01
    np.testing.assert_allclose(grouped.draws.value.sum(axis=0), 1)
    np.testing.assert_allclose(grouped.draws.value[2], 0.5)


def test_tiny_concentration_leaves_all_to_one_group():
    """Gammas of a shape near 0 do not underflow: the group is chosen in proportion to its labels."""
    posterior = flat_posterior(5, concentration=1e-9)
    value = posterior.grouped(np.array([2, 2, 2, 0, 0, 1, 1, 1]), 3).draws.value
    np.testing.assert_allclose(value.sum(axis=0), 1)
    assert value[0].mean() / 0.5 == pytest.approx(0.4, abs=0.03)


def test_groups_of_mentioned_labels_are_sums():
    """With every label mentioned the groups are plain sums, draw by draw."""
    posterior = make_posterior([list(range(K))] * 2, n_draws=30)
    group = np.array([1, 0, 1, 2, 0, 2])
    value = posterior.grouped(group, 4).draws.value.reshape(2, 4, 30)
    full = posterior.draws.value.reshape(2, K, 30)
    for g in range(4):
        np.testing.assert_allclose(value[:, g], full[:, group == g].sum(axis=1), atol=1e-15)


def test_groups_of_a_point_mass_divide_the_rest_equally_and_tie_exactly():
    """1/2 against 1/3 + 1/6, which differ in floating point, are a tie; the first group is an option."""
    candidates = make_candidates([[1, 2, 3]], 4)
    weight = np.array([1.1 + 2.2, 3.3, 0.0])
    posterior = point_mass(candidates, weight / 6.6)
    group = np.array([0, 1, 0, 0])
    assert posterior.grouped(group, 2).top1.candidate.tolist() == [0.5, 0.5]
    first = point_mass(candidates, weight / 6.6, tie_rule="first label")
    assert first.grouped(group, 2).top1.candidate.tolist() == [1.0, 0.0]
    spread = point_mass(make_candidates([[1]], 4), np.array([0.4]), np.array([0.6]))
    np.testing.assert_allclose(spread.grouped(np.array([0, 1, 1, 1]), 2).mean.candidate, [0.2, 0.8])


def test_groups_do_not_depend_on_the_other_cases():
    """A case alone and the same case among others have the same draws, twice the same."""
    group = np.array([0, 1, 1, 0, 2, 2])
    many = make_posterior([[0, 1], [2], [0, 1]], n_draws=50)
    draws = many.draws
    shared = SampledPosterior(
        Draws(draws.candidates, draws.value, draws.rest, draws.shares, draws.size, concentration=1.0)
    )
    alone = SampledPosterior(
        Draws(
            make_candidates([[0, 1]]),
            draws.value[3:],
            draws.rest[2:],
            draws.shares,
            draws.size[2:],
            concentration=1.0,
        )
    )
    np.testing.assert_array_equal(
        shared.grouped(group, 3).draws.value[6:], alone.grouped(group, 3).draws.value
    )


def test_grouped_sums_equal_sums_of_full_draws():
    """P(group is the largest) equals that of explicit sums over full Dirichlet draws, within their error."""
    n = 20_000
    rng = np.random.default_rng(1)
    mentioned = rng.gamma(1.0, size=(2, n))
    rest = rng.gamma(1.0, size=n)
    everything = rest * rng.dirichlet(np.ones(4), n).T
    group = np.array([0, 1, 2, 2, 0, 1])
    posterior = SampledPosterior(
        Draws(
            make_candidates([[1, 4]]),
            mentioned,
            rest[None],
            np.zeros((1, n, LARGEST)),
            np.zeros(1, np.int64),
            concentration=1.0,
        )
    )
    full = np.insert(everything, [1, 3], mentioned, axis=0)
    winner = np.argmax([full[group == g].sum(axis=0) for g in range(3)], axis=0)
    expected = np.bincount(winner, minlength=3) / n
    np.testing.assert_allclose(
        posterior.grouped(group, 3).top1.candidate, expected, atol=4 * np.sqrt(0.5 / n)
    )


def test_sample_takes_repeats_or_is_the_posterior():
    """Fewer draws are thinned, as many are the posterior itself, more come round again."""
    posterior = make_posterior(MENTIONED, n_draws=12)
    seeds = np.arange(len(MENTIONED), dtype=np.uint64)
    assert posterior.sample(12, seeds) is posterior
    np.testing.assert_array_equal(posterior.sample(4, seeds).draws.value, posterior.draws.value[:, ::3])
    more = posterior.sample(30, seeds).draws
    np.testing.assert_array_equal(more.value[:, 12:24], posterior.draws.value)
    again = posterior.sample(30, seeds).leaders(3)
    np.testing.assert_array_equal(again[:, 24:30], posterior.leaders(3)[:, :6])
    certain = point_mass(make_candidates([[0, 1]]), np.array([0.7, 0.3])).sample(5, seeds[:1])
    np.testing.assert_array_equal(certain.draws.value, np.repeat([[0.7], [0.3]], 5, axis=1))


@pytest.mark.slow
def test_many_candidates_need_wider_codes():
    """Slots beyond 16 bits are told apart."""
    n = 40_000
    value = np.zeros(n)
    value[[39_000, 3]] = 0.75, 0.25
    posterior = point_mass(make_candidates([list(range(n))], n), value)
    np.testing.assert_array_equal(posterior.leaders(3)[0, 0], [39_000, 3, NO_LABEL])
    np.testing.assert_array_equal(posterior.best_set(2), [[39_000, 3]])


@pytest.mark.parametrize("j", [0, LARGEST + 1])
def test_j_out_of_range_is_refused(j):
    """The error names what is allowed."""
    posterior = make_posterior(MENTIONED)
    for question in (posterior.in_top, posterior.best_set, posterior.leaders):
        with pytest.raises(ValueError, match=f"between 1 and {LARGEST}, got {j}"):
            question(j)


def test_wrong_shapes_are_refused():
    """Sets, groups and point masses of a wrong shape or range do not pass."""
    posterior = make_posterior(MENTIONED)
    with pytest.raises(ValueError, match="labels must have shape"):
        posterior.top_set(np.array([0, 1]))
    with pytest.raises(ValueError, match="below 6, got 6"):
        posterior.top_set(np.full((len(MENTIONED), 1), 6))
    with pytest.raises(ValueError, match="group must have shape"):
        posterior.grouped(np.array([0, 1]), 2)
    with pytest.raises(ValueError, match="groups must be 0 to 1"):
        posterior.grouped(np.arange(K), 2)
    with pytest.raises(ValueError, match="value must have shape"):
        point_mass(posterior.candidates, np.ones(2))
    with pytest.raises(ValueError, match="n must be 1 or more"):
        posterior.sample(0, np.zeros(6, np.uint64))


def test_answers_are_read_only():
    """What is cached cannot be changed by who asks."""
    posterior = make_posterior(MENTIONED)
    for array in (
        posterior.mean.candidate,
        posterior.in_top(2).other,
        posterior.best_set(2),
        posterior.leaders(2),
    ):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0


def test_factorials_of_unmentioned_labels_match_counting():
    """With nothing mentioned worth anything, all sets of j unmentioned labels are equally probable."""
    candidates = make_candidates([[0]], 6)
    posterior = point_mass(candidates, np.array([0.0]), np.array([1.0]))
    ways = factorial(5) / factorial(3) / factorial(2)
    assert posterior.top_set(np.array([[2, 4]]))[0] == pytest.approx(1 / ways)
