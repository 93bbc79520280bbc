"""Ranking metrics against enumeration, printed examples and scipy."""

from itertools import chain, permutations, product

import numpy as np
import pytest
from rankings_by_hand import (
    average_overlap,
    kendall_tau,
    overlap,
    partial_average_overlap,
    spearman_footrule,
)
from scipy.stats import kendalltau

from core.metrics.ranking import top_labels


def test_top_labels_agrees_with_a_stable_sort():
    """Ties, which coarse values make plenty of, go to the first label."""
    probability = np.random.default_rng(0).integers(1, 6, (200, 17)) / 10
    expected = np.argsort(-probability, axis=1, kind="stable")[:, :5]
    assert np.array_equal(top_labels(probability, 5), expected)
    assert np.array_equal(top_labels(probability.astype(np.float32), 5), expected)


def test_top_labels_of_uncovered_and_short_rows():
    """NaN rows are not predicted; labels of probability 0 come last, in label order."""
    probability = np.array([[np.nan, np.nan, np.nan], [0, 1, 0], [0.5, np.nan, 0.5], [0.2, 0.0, 0.8]])
    assert top_labels(probability, 2).tolist() == [[-1, -1], [1, 0], [-1, -1], [2, 0]]
    assert top_labels(np.full((1, 2), 0.5), 4).tolist() == [[0, 1, -1, -1]]
    assert top_labels(np.empty((0, 3)), 2).shape == (0, 2)


def test_top_labels_refuses_an_empty_list():
    """The length is at least 1."""
    with pytest.raises(ValueError, match="1 or more, got 0"):
        top_labels(np.ones((1, 2)), 0)


def test_overlap_by_hand():
    """(0/1 + 1/2 + 3/3 + 4/4 + 5/5) / 5 and its beginnings."""
    a, b = np.array([2, 0, 1, 4, 3]), np.array([1, 0, 2, 4, 3])
    assert [float(overlap(a, b, k)) for k in range(1, 6)] == [0, 0.5, 1, 1, 1]
    assert average_overlap(a, b, 5) == pytest.approx(0.7)
    assert average_overlap(a, b, 4) == pytest.approx(0.625)
    assert average_overlap(a, [0, 1, 2, 4, 3], 3) == pytest.approx(0.5)


def test_overlap_ignores_padding_and_broadcasts():
    """Two paddings are no common label; one list is compared with many."""
    lists = np.array([[0, -1, -1], [0, 1, 2], [3, 4, -1]])
    assert overlap(np.array([0, 1, -1]), lists, 3).tolist() == pytest.approx([1 / 3, 2 / 3, 0])
    assert average_overlap(np.array([0, -1]), np.array([0, -1]), 2) == pytest.approx(0.75)


def test_overlap_refuses_a_depth_beyond_the_lists():
    """The message names what was allowed."""
    with pytest.raises(ValueError, match=r"length of both rankings \(3, 2\), got 3"):
        overlap(np.arange(3), np.arange(2), 3)


def _footrule_by_positions(a, b, length):
    """Sum of position differences, absent labels below the list."""
    place = [{y: i + 1 for i, y in enumerate(x[:length]) if y >= 0} for x in (a, b)]
    labels = place[0].keys() | place[1].keys()
    return sum(abs(place[0].get(y, length + 1) - place[1].get(y, length + 1)) for y in labels)


def test_footrule_equals_the_sum_of_position_differences():
    """All pairs of partial lists of up to three of four labels."""
    lists = [[*chosen, *[-1] * (3 - len(chosen))] for n in range(4) for chosen in permutations(range(4), n)]
    for a, b in product(lists, lists):
        expected = _footrule_by_positions(a, b, 3) / 12
        assert spearman_footrule(np.array(a), np.array(b), 3) == pytest.approx(expected)


def test_footrule_range():
    """0 for equal lists, 1 for lists without a common label."""
    assert spearman_footrule(np.arange(4), np.arange(4), 4) == 0
    assert spearman_footrule(np.arange(4), np.arange(4, 8), 4) == 1


def test_kendall_tau_agrees_with_scipy():
    """Positions are what scipy compares."""
    generator = np.random.default_rng(1)
    for n in (2, 3, 8, 30):
        a, b = generator.permutation(n), generator.permutation(n)
        assert kendall_tau(a, b) == pytest.approx(kendalltau(np.argsort(a), np.argsort(b)).statistic)
    assert kendall_tau([7, 3, 5], [5, 3, 7]) == -1
    assert np.isnan(kendall_tau([4], [4]))


def test_kendall_tau_refuses_different_labels():
    """Both rankings hold the same labels, each once."""
    for a, b in (([0, 1], [0, 2]), ([0, 0], [0, 0]), ([0, 1], [0, 1, 2])):
        with pytest.raises(ValueError, match="same distinct labels"):
            kendall_tau(np.array(a), np.array(b))


def _linear_extensions(blocks, n_labels):
    """All full rankings that a partial ranking allows."""
    unranked = [y for y in range(n_labels) if y not in set(chain(*blocks))]
    parts = [permutations(block) for block in [*blocks, unranked]]
    return [list(chain(*order)) for order in product(*parts)]


PARTIAL = ([[0], [1, 2]], [[3, 1]], [[2], [0], [1], [3]], [[0, 1, 2, 3]], [[1]], [[3], [0, 1, 2]])


@pytest.mark.parametrize("length", [1, 2, 3, 4])
def test_partial_average_overlap_averages_over_full_rankings(length):
    """Without normalisation: the mean average overlap over all ways to break ties on either side."""
    for a, b in product(PARTIAL, PARTIAL):
        expected = np.mean(
            [
                average_overlap(np.array(x), np.array(y), length)
                for x in _linear_extensions(a, 4)
                for y in _linear_extensions(b, 4)
            ]
        )
        assert partial_average_overlap(a, b, 4, length, normalized=False) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("a", "b", "length", "plain", "normalized"),
    [
        ([[0], [1, 2]], [[0], [1, 2]], 4, 0.9375, 1.0),
        ([[0], [1], [2]], [[2, 0], [1], [3]], 2, 0.5, 0.5773503),
        ([[0], [1], [2]], [[2], [0, 1], [3]], 3, 0.5, 0.5222330),
        ([[0], [1], [2]], [[2, 0, 1], [3]], 3, 0.6666667, 0.8164966),
        ([[2], [0, 1], [3]], [[0], [1]], 3, 0.4444445, 0.4776652),
    ],
)
def test_partial_average_overlap_published_values(a, b, length, plain, normalized):
    """Values published with the metric's reference implementation, four labels."""
    assert partial_average_overlap(a, b, 4, length, normalized=False) == pytest.approx(plain, abs=1e-6)
    assert partial_average_overlap(a, b, 4, length) == pytest.approx(normalized, abs=1e-6)


def test_partial_average_overlap_is_one_with_itself_and_symmetric():
    """Also among ten thousand labels, of which three are named."""
    for blocks in PARTIAL:
        assert partial_average_overlap(blocks, blocks, 4, 3) == pytest.approx(1)
    a, b = [[17], [4000, 23]], [[23], [9999]]
    assert partial_average_overlap(a, a, 10_000, 5) == pytest.approx(1)
    assert partial_average_overlap(a, b, 10_000, 5) == pytest.approx(partial_average_overlap(b, a, 10_000, 5))


def test_partial_average_overlap_bounds():
    """An empty ranking gives 0; lengths and repeated labels are checked."""
    assert partial_average_overlap([], [[0]], 4, 2) == 0
    assert partial_average_overlap([[0]], [], 4, 2, normalized=False) == 0
    with pytest.raises(ValueError, match=r"number of labels \(4\), got 5"):
        partial_average_overlap([[0]], [[0]], 4, 5)
    with pytest.raises(ValueError, match="no label twice"):
        partial_average_overlap([[0], [0]], [[0]], 4, 2)
