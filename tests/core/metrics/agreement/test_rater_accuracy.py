"""Accuracy of raters against the published numbers and a plain loop."""

from __future__ import annotations

import numpy as np
import pytest
from rater_matrices import choices, knee_matrices, random_matrix

from core.metrics.agreement.rater_accuracy import (
    mean_by_rater,
    right_by_majority,
    right_by_reference,
    severity,
)
from core.metrics.agreement.rating_counts import first_labels


def by_loop(labels, *, positive=None):
    """Every reading against the votes of the other columns."""
    out = np.full(labels.shape, np.nan)
    for i, row in enumerate(labels):
        for r, own in enumerate(row):
            others = np.delete(row, r)
            others = others[~np.isnan(others)]
            if np.isnan(own) or len(others) == 0:
                continue
            votes = np.bincount(others.astype(int))
            leaders = np.flatnonzero(votes == votes.max())
            if positive is not None and len(leaders) > 1 and positive in leaders:
                leaders = [positive]
            out[i, r] = (own in leaders) / len(leaders)
    return out


@pytest.mark.parametrize(
    ("ties", "mean", "third"),
    [("split", 0.8714, 0.8618266978922716), ("positive", 0.8676, 0.8571428571428571)],
)
def test_knee_radiologists(ties, mean, third):
    """.8714 with half for a tie, .8676 with the positive label (Cabitza 2020's data)."""
    readings = choices(knee_matrices()[0])
    right = right_by_majority(readings, first_labels(readings), ties=ties, positive=1)
    accuracy = [e.value for e in mean_by_rater(readings, right, 13)]
    assert np.mean(accuracy) == pytest.approx(mean, abs=5e-5)
    assert accuracy[2] == pytest.approx(third, abs=1e-12)


@pytest.mark.parametrize("positive", [None, 0, 2])
@pytest.mark.parametrize("seed", range(3))
def test_majority_equals_the_loop(seed, positive):
    """Three labels, missing readings, ties of two and of three."""
    labels = random_matrix(seed, n_cases=300, n_raters=5, n_labels=3)
    readings = choices(labels)
    ties = "split" if positive is None else "positive"
    found = right_by_majority(readings, first_labels(readings), ties=ties, positive=positive)
    np.testing.assert_allclose(found, by_loop(labels, positive=positive)[~np.isnan(labels)])


def test_reference_by_hand():
    """Cases without a reference do not judge."""
    readings = choices(np.array([[0, 1], [1, np.nan], [2, 2]]))
    found = right_by_reference(readings, first_labels(readings), np.array([0, -1, 2]))
    np.testing.assert_array_equal(found, [1, 0, np.nan, 1, 1])


def test_means_by_rater():
    """Mean, standard error and number; nothing for a rater who is never judged."""
    readings = choices(np.array([[0, 1, 0], [1, 1, np.nan], [0, 0, np.nan]]))
    found = mean_by_rater(readings, np.array([1, 0, np.nan, 0, 0, 1, np.nan]), 4)
    assert (found[0].value, found[0].n_cases) == (pytest.approx(2 / 3), 3)
    assert found[0].standard_error == pytest.approx(np.std([1, 0, 1], ddof=1) / np.sqrt(3))
    assert (found[1].value, found[1].n_cases) == (0, 2)
    assert np.isnan(found[2].value)
    assert found[3].n_cases == 0


def test_severity_is_the_distance_to_the_others():
    """A rater one above two equal ones; a single reading has nobody to compare with."""
    readings = choices(np.array([[1, 0, 0], [1, np.nan, np.nan]]))
    np.testing.assert_array_equal(severity(readings, np.array([1.0, 0, 0, 1])), [1, -0.5, -0.5, np.nan])


def test_bad_ties_are_refused():
    """Unknown rule; positive rule without a positive label."""
    readings = choices(np.array([[0, 1]]))
    with pytest.raises(ValueError, match="ties must be one of split, positive, got 'drop'"):
        right_by_majority(readings, first_labels(readings), ties="drop")
    with pytest.raises(ValueError, match="needs the code of the positive label"):
        right_by_majority(readings, first_labels(readings), ties="positive")
