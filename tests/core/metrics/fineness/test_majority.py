"""Fineness of a majority: published figures, brute force over all outcomes, limits, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from fineness_by_hand import by_brute_force, chernoff_bound
from shared_data import shared_data

from core.metrics.fineness.majority import (
    MOST_RATERS,
    MOST_TABLED,
    _plurality,
    majority_fineness,
    probabilistic_fineness,
    right_counts,
    winning,
)


@pytest.mark.parametrize(("n_raters", "published"), [(1, 0.81), (3, 0.9054), (5, 0.9495), (7, 0.9721)])
def test_fineness_of_equal_raters_is_as_published(n_raters: int, published: float) -> None:
    """Raters of accuracy .81 (Cabitza 2020, fig. 5)."""
    assert majority_fineness(np.full(n_raters, 0.81)) == pytest.approx(published, abs=5e-5)


def test_fineness_of_unequal_raters_equals_the_reference() -> None:
    """13 raters with accuracies .70 to .92, kept to four decimals as in the reference computation."""
    accuracy = np.linspace(0.70, 0.92, 13).round(4)
    assert majority_fineness(accuracy) == pytest.approx(0.9955427984067603, abs=1e-13)
    assert majority_fineness(accuracy[:5]) == pytest.approx(0.882380953378478, abs=1e-13)


def test_fineness_of_the_radiologists_equals_the_reference() -> None:
    """13 radiologists with their accuracy against the majority of the others."""
    accuracy = np.load(shared_data("goldens", "cabitza_inputs.npz"))["acc_majority_pos"]
    assert majority_fineness(accuracy) == pytest.approx(0.9994327004452627, abs=1e-13)


@pytest.mark.parametrize(
    ("n_raters", "n_labels"), [(1, 2), (2, 2), (6, 2), (7, 2), (4, 3), (6, 3), (5, 4), (4, 6)]
)
def test_fineness_equals_all_outcomes(n_raters: int, n_labels: int) -> None:
    """Ties of two, three and more labels included."""
    accuracy = np.random.default_rng(n_raters).uniform(0.1, 0.95, n_raters)
    expected = by_brute_force(accuracy, np.ones(n_raters), n_labels)
    assert majority_fineness(accuracy, n_labels=n_labels) == pytest.approx(expected, abs=1e-12)


def test_guessing_raters_guess_together() -> None:
    """Raters who name every label equally often leave every label equally likely to win, in any number."""
    for n_labels in (2, 3, 7):
        for n_raters in (1, 2, 5, 40):
            found = majority_fineness(np.full(n_raters, 1 / n_labels), n_labels=n_labels)
            assert found == pytest.approx(1 / n_labels, abs=1e-12)


@pytest.mark.parametrize("n_labels", [3, 10, 419])
def test_what_is_tabled_is_what_is_worked_out_for_one_group(n_labels: int) -> None:
    """Of small groups and of the largest, where so many votes are right that others could still win."""
    for n_raters in (4, 31, MOST_TABLED):
        found = winning(n_raters, n_labels)
        for right in range(-(-n_raters // n_labels), n_raters // 2 + 1):
            expected = _plurality(right, n_raters - right, n_labels - 1)
            assert found[right] == pytest.approx(expected, abs=1e-12), (n_raters, right)


def test_a_second_rater_adds_nothing_to_one_of_equals() -> None:
    """With ties by lot an even group is as good as one rater fewer."""
    for odd in (1, 3, 9):
        assert majority_fineness(np.full(odd, 0.7)) == pytest.approx(majority_fineness(np.full(odd + 1, 0.7)))


def test_fineness_takes_many_groups_at_once() -> None:
    """Leading axes are groups of their own."""
    accuracy = np.random.default_rng(0).uniform(0.3, 1, (4, 3, 5))
    together = majority_fineness(accuracy, n_labels=3)
    assert together.shape == (4, 3)
    assert together[2, 1] == pytest.approx(majority_fineness(accuracy[2, 1], n_labels=3))


def test_right_counts_are_a_distribution_with_the_right_mean() -> None:
    """Sum 1, mean Σ a, variance Σ a (1 − a), certain raters included."""
    accuracy = np.array([0.0, 1.0, 0.3, 0.85, 0.5])
    counts = right_counts(accuracy)
    number = np.arange(6)
    mean = counts @ number
    assert counts.sum() == pytest.approx(1)
    assert mean == pytest.approx(accuracy.sum())
    assert counts @ (number - mean) ** 2 == pytest.approx((accuracy * (1 - accuracy)).sum())


def test_ten_thousand_raters_are_computed() -> None:
    """The largest group: the central limit theorem says the same."""
    found = majority_fineness(np.full(MOST_RATERS, 0.51))
    assert found == pytest.approx(0.97725, abs=1e-4)
    assert majority_fineness(np.full(1000, 0.4), n_labels=3) > 0.97


def test_probabilistic_fineness_is_the_mean_accuracy() -> None:
    """A label drawn from the readings' shares is a reading drawn at random, whatever the number of raters."""
    rng = np.random.default_rng(1)
    accuracy = np.array([0.9, 0.6, 0.75])
    right = rng.random((200_000, 3)) < accuracy
    drawn = right[np.arange(len(right)), rng.integers(0, 3, len(right))]
    assert probabilistic_fineness(accuracy) == pytest.approx(drawn.mean(), abs=0.005)
    assert probabilistic_fineness(np.full(13, 0.81)) == pytest.approx(0.81)


def test_chernoff_bound_bounds() -> None:
    """Never below the exact error, equal raters or not; one of its factors alone is (eq. 11)."""
    rng = np.random.default_rng(2)
    for n_raters in (1, 2, 3, 8, 13, 40):
        for accuracy in [*rng.uniform(0.5, 1, (20, n_raters)), np.full(n_raters, 0.81), np.ones(n_raters)]:
            assert chernoff_bound(accuracy) >= 1 - majority_fineness(accuracy) - 1e-12
    assert chernoff_bound(np.full(13, 0.81)) == pytest.approx(0.0199, abs=5e-5)
    assert 1 - majority_fineness(np.full(13, 0.81)) == pytest.approx(0.0052, abs=5e-5)
    assert 1 - majority_fineness(np.full(13, 0.81)) > (0.19 * 13 / 7) ** 7
    assert chernoff_bound(np.full(5, 0.4)) == 1


@pytest.mark.parametrize(
    "accuracy", [[], [0.5, 1.2], [-0.1], [np.nan, 0.9], 0.7, np.full(MOST_RATERS + 1, 0.6)]
)
def test_impossible_raters_are_refused(accuracy: object) -> None:
    """No rater, too many, and accuracies that are no probabilities."""
    with pytest.raises(ValueError, match=r"raters|in \[0, 1\]"):
        majority_fineness(np.asarray(accuracy))


def test_one_label_is_refused() -> None:
    """With one label nobody can be wrong."""
    with pytest.raises(ValueError, match="n_labels must be 2 or more, got 1"):
        majority_fineness(np.array([0.9]), n_labels=1)
