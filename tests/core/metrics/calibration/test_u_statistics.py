"""Unbiased estimates of what happens among several raters."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from core.metrics.calibration import u_statistics
from core.metrics.calibration.label_histogram import LabelHistograms, label_histograms
from core.metrics.calibration.u_statistics import pair_disagreement, u_statistic


def random_histograms(n_cases: int, n_labels: int, most: int) -> LabelHistograms:
    """Cases of 0 to ``most`` labels."""
    rng = np.random.default_rng(n_labels)
    n = rng.integers(0, most + 1, n_cases)
    return label_histograms(rng.multinomial(n, rng.dirichlet(np.ones(n_labels), n_cases)))


def over_groups(histograms: LabelHistograms, statistic: u_statistics.Statistic, n_raters: int) -> np.ndarray:
    """Mean over all groups of raters, one by one."""
    values = []
    for counts in histograms.counts:
        labels = np.repeat(np.arange(histograms.n_labels), counts)
        groups = list(combinations(labels, n_raters))
        of_group = [
            float(statistic(np.bincount(group, minlength=histograms.n_labels)[None])[0]) for group in groups
        ]
        values.append(np.mean(of_group) if groups else np.nan)
    return np.array(values)


def all_differ(h: np.ndarray) -> np.ndarray:
    """Whether no label is given twice."""
    return (h <= 1).all(axis=1)


def first_has_majority(h: np.ndarray) -> np.ndarray:
    """Whether more than half give label 0: labels are not exchangeable."""
    return 2 * h[:, 0] > h.sum(axis=1)


@pytest.mark.parametrize("statistic", [all_differ, first_has_majority])
@pytest.mark.parametrize("n_raters", [1, 2, 3, 5])
@pytest.mark.parametrize("n_labels", [1, 2, 4])
def test_equals_the_mean_over_all_groups(
    statistic: u_statistics.Statistic, n_raters: int, n_labels: int
) -> None:
    """Brute force over every group of raters."""
    histograms = random_histograms(40, n_labels, 7)
    got = u_statistic(histograms, statistic, n_raters=n_raters)
    np.testing.assert_allclose(got, over_groups(histograms, statistic, n_raters), atol=1e-12)


def test_a_pair_is_the_group_of_two() -> None:
    """The closed form for pairs equals the general one; a single label tells nothing."""
    histograms = random_histograms(200, 6, 9)
    pair = pair_disagreement(histograms)
    np.testing.assert_allclose(pair, u_statistic(histograms, all_differ, n_raters=2), atol=1e-12)
    np.testing.assert_array_equal(np.isnan(pair), histograms.per_case < 2)


def test_memory_bound_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few cases at a time give the same numbers."""
    histograms = random_histograms(60, 3, 6)
    whole = u_statistic(histograms, first_has_majority, n_raters=3)
    monkeypatch.setattr(u_statistics, "NUMBERS_AT_ONCE", 1)
    np.testing.assert_array_equal(u_statistic(histograms, first_has_majority, n_raters=3), whole)


def test_a_hundred_labels_cost_what_is_given() -> None:
    """Only labels that were given are taken apart."""
    counts = np.zeros((1, 100), int)
    counts[0, [3, 70, 99]] = 2, 1, 1
    assert u_statistic(label_histograms(counts), all_differ, n_raters=3) == pytest.approx(2 / 4)


def test_counts_beyond_32_bits_of_pairs() -> None:
    """A hundred thousand labels a case have more pairs than 32 bits can count."""
    counts = np.array([[60_000, 40_000]])
    expected = 2 * 60_000 * 40_000 / (100_000 * 99_999)
    assert pair_disagreement(label_histograms(counts)) == pytest.approx(expected, rel=1e-12)


def test_bad_questions_are_refused() -> None:
    """No rater, a statistic of the wrong shape, too many outcomes."""
    histograms = random_histograms(5, 3, 6)
    with pytest.raises(ValueError, match="n_raters must be 1 or more, got 0"):
        u_statistic(histograms, all_differ, n_raters=0)
    with pytest.raises(ValueError, match="statistic must give"):
        u_statistic(histograms, lambda h: np.ones((len(h), 2)), n_raters=2)
    with pytest.raises(ValueError, match="outcomes or fewer"):
        u_statistic(label_histograms(np.full((1, 40), 3)), all_differ, n_raters=10)


def test_nobody_has_enough_labels() -> None:
    """All NaN, and the statistic is never asked."""
    histograms = label_histograms(np.array([[1, 0], [0, 0]]))
    assert np.isnan(u_statistic(histograms, all_differ, n_raters=2)).all()
    assert np.isnan(pair_disagreement(histograms)).all()
