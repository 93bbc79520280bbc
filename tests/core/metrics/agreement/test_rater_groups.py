"""Groups of raters: which they are, and their fineness and accuracy one group at a time."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from core.metrics.agreement.rater_groups import (
    GroupVotes,
    dependent_group_fineness,
    group_fineness,
    rater_groups,
    weighted_group_fineness,
)
from core.metrics.fineness.difficulty import dependent_fineness
from core.metrics.fineness.majority import majority_fineness
from core.metrics.fineness.weighted import weighted_fineness
from core.study.model import Readings


def test_all_groups_where_there_are_few() -> None:
    """13 raters have 8,191 groups, each there once."""
    groups = [tuple(group) for size in range(1, 14) for group in rater_groups(13, size).tolist()]
    assert len(groups) == len(set(groups)) == 8191
    assert sorted(map(tuple, rater_groups(5, 3).tolist())) == list(combinations(range(5), 3))


def test_groups_are_drawn_where_there_are_many() -> None:
    """Different ones, of different raters, by the seed, every rater about as often."""
    groups = rater_groups(40, 6, most=500, seed=3)
    assert len({tuple(group) for group in groups.tolist()}) == 500
    assert (np.diff(groups, axis=1) > 0).all()
    np.testing.assert_array_equal(groups, rater_groups(40, 6, most=500, seed=3))
    assert (groups != rater_groups(40, 6, most=500, seed=4)).any()
    counts = np.bincount(groups.ravel(), minlength=40)
    assert counts.min() > 40
    assert counts.max() < 110


@pytest.mark.parametrize(("n_raters", "size", "most"), [(3, 4, 10), (3, 0, 10), (3, 2, 0)])
def test_impossible_groups_are_refused(n_raters: int, size: int, most: int) -> None:
    """Sizes from 1 to all raters."""
    with pytest.raises(ValueError, match=r"size of a group|most must"):
        rater_groups(n_raters, size, most=most)


def test_fineness_of_groups_is_that_of_each() -> None:
    """Majority, weighted and dependent."""
    rng = np.random.default_rng(0)
    accuracy, weight = rng.uniform(0.5, 0.95, 8), rng.integers(1, 6, 8) / 5
    for size in (1, 4, 8):
        groups = rater_groups(8, size)
        weighted, error = weighted_group_fineness(accuracy, weight, groups)
        found = group_fineness(accuracy, groups)
        dependent = dependent_group_fineness(accuracy, groups, 1.5)
        assert (error == 0).all()
        for i, group in list(enumerate(groups))[::7]:
            assert found[i] == pytest.approx(majority_fineness(accuracy[group]))
            assert dependent[i] == pytest.approx(dependent_fineness(accuracy[group], 1.5))
            assert weighted[i] == pytest.approx(weighted_fineness(accuracy[group], weight[group]).value)


def test_simulated_groups_have_an_error() -> None:
    """Three labels: near the exact value, within its error."""
    accuracy, weight = np.array([0.5, 0.6, 0.7, 0.55]), np.array([1.0, 0.4, 0.6, 0.8])
    groups = rater_groups(4, 3)
    value, error = weighted_group_fineness(accuracy, weight, groups, n_labels=3, draws=4_000)
    exact = [weighted_fineness(accuracy[g], weight[g], n_labels=3).value for g in groups]
    assert (error > 0).all()
    assert (np.abs(value - exact) < 4.5 * error).all()


def choices(label: list[dict[int, int]]) -> Readings:
    """Readings of cases given as rater to label."""
    rater = [r for case in label for r in case]
    n = len(rater)
    return Readings(
        case_start=np.cumsum([0, *map(len, label)]),
        rater=np.array(rater, np.int32),
        repeat=np.ones(n, np.int32),
        confidence=np.full(n, np.nan),
        score=np.full(n, np.nan),
        entry_start=np.arange(n + 1),
        label=np.array([y for case in label for y in case.values()], np.int32),
        block=np.zeros(n, np.int32),
    )


CASES = [{0: 1, 1: 1, 2: 0}, {0: 2, 1: 0}, {2: 1}, {0: 0, 1: 0, 2: 0}, {}]


def test_accuracy_of_groups_by_hand() -> None:
    """Ties share, cases without truth or without a reading of the group do not count."""
    votes = GroupVotes(choices(CASES), np.array([1, 0, 1, -1, 2]), n_labels=3, n_raters=3)
    assert votes.accuracy(np.array([[0], [1], [2]])).tolist() == [0.5, 1.0, 0.5]
    assert votes.accuracy(np.array([[0, 1], [0, 2]])).tolist() == [0.75, 0.5]
    everybody = np.array([[0, 1, 2]])
    assert votes.accuracy(everybody) == pytest.approx((1 + 0.5 + 1) / 3)
    assert votes.accuracy(everybody, probabilistic=True) == pytest.approx((2 / 3 + 0.5 + 1) / 3)


def test_weights_break_ties() -> None:
    """The surer reading wins."""
    weight = np.array([1.0, 0.5, 1.0, 0.2, 0.9, 1, 1, 1, 1])
    votes = GroupVotes(choices(CASES), np.array([1, 0, 1, -1, 2]), n_labels=3, n_raters=3, weight=weight)
    assert votes.accuracy(np.array([[0, 1]])) == pytest.approx(1.0)


def test_no_truth_at_all() -> None:
    """Nothing can be right."""
    votes = GroupVotes(choices(CASES), np.full(5, -1), n_labels=3, n_raters=3)
    assert np.isnan(votes.accuracy(np.array([[0, 1]]))).all()


def test_many_groups_equal_one_by_one() -> None:
    """Random readings with gaps, against counting."""
    rng = np.random.default_rng(2)
    label = [{r: int(rng.integers(3)) for r in range(6) if rng.random() < 0.7} for _ in range(60)]
    truth = rng.integers(0, 3, 60)
    groups = rater_groups(6, 3)
    found = GroupVotes(choices(label), truth, n_labels=3, n_raters=6).accuracy(groups)
    for group, value in zip(groups, found, strict=True):
        shares = []
        for case, right in zip(label, truth, strict=True):
            counts = np.bincount([case[r] for r in group.tolist() if r in case], minlength=3)
            if counts.sum():
                shares.append((counts[right] == counts.max()) / (counts == counts.max()).sum())
        assert value == pytest.approx(np.mean(shares))
