"""Reductions of the readings to one answer, worked by hand."""

from __future__ import annotations

import numpy as np
import pytest
from reading_lists import differentials

from core.plausibility.reductions import (
    accuracy_weighted_majority,
    confidence_weighted_majority,
    majority,
    mean_frequency,
)


def choices(*cases, **options):
    """Readings of a choice task: a list of label codes a case."""
    return differentials([[[[label]] for label in case] for case in cases], **options)


def winners(posterior):
    """Label with all plausibility in each case."""
    return posterior.best_set(1)[:, 0].tolist()


def test_majority_takes_the_most_chosen_label():
    """Most votes win; equals share the case, unless the first in the label order is asked for."""
    readings = choices([2, 1, 2], [3, 0, 3, 0], [1])
    posterior = majority(readings, 4)
    assert posterior.mean.candidate.tolist() == [0, 1, 0.5, 0.5, 1]
    assert posterior.top_set(np.array([[2], [3], [1]])).tolist() == [1, 0.5, 1]
    assert posterior.top_set(np.array([[2, -1], [0, 3], [1, -1]])).tolist() == [1, 0, 1]
    first = majority(readings, 4, tie_rule="first label")
    assert winners(first) == [2, 0, 1]
    assert first.mean.candidate.tolist() == [0, 1, 1, 0, 1]
    assert posterior.mean.other.tolist() == [0, 0, 0]


def test_mean_frequency_is_the_share_of_votes():
    """Two of three and one of three."""
    posterior = mean_frequency(choices([2, 1, 2], [0]), 4)
    np.testing.assert_allclose(posterior.mean.candidate, [1 / 3, 2 / 3, 1])


def test_differentials_vote_with_their_first_block():
    """A first block of two gives each half a vote; later blocks give none."""
    readings = differentials([[[[0, 1], [2]], [[1], [2]], [[2], [0]]]])
    np.testing.assert_allclose(mean_frequency(readings, 3).mean.candidate, [0.5 / 3, 1.5 / 3, 1 / 3])
    assert winners(majority(readings, 3)) == [1]


def test_thirds_of_votes_tie_with_a_whole_vote():
    """Three thirds of a vote equal one vote exactly, so the first label wins."""
    readings = differentials([[[[0, 2, 3]], [[0, 4, 5]], [[0, 6, 7]], [[1]]]])
    assert winners(majority(readings, 8)) == [0]
    frequency = mean_frequency(readings, 8).mean.candidate
    assert frequency[0] == frequency[1] == pytest.approx(0.25, abs=1e-12)


def test_confidence_outweighs_numbers():
    """One sure vote of .9 against two of .4; a missing confidence counts 1."""
    readings = choices([0, 0, 1], [0, 0, 1], confidence=[0.4, 0.4, 0.9, 0.4, np.nan, 0.9])
    assert winners(confidence_weighted_majority(readings, 2)) == [1, 0]


def test_equal_confidences_are_the_majority():
    """With one confidence throughout the weighted majority is the majority."""
    rng = np.random.default_rng(0)
    cases = [rng.integers(0, 4, rng.integers(1, 8)).tolist() for _ in range(50)]
    n = sum(map(len, cases))
    sure, same = choices(*cases), choices(*cases, confidence=[0.3] * n)
    assert winners(confidence_weighted_majority(same, 4)) == winners(majority(sure, 4))
    assert winners(confidence_weighted_majority(sure, 4)) == winners(majority(sure, 4))
    np.testing.assert_array_equal(
        accuracy_weighted_majority(sure, 4, accuracy=np.full(8, 0.7)).mean.candidate,
        majority(sure, 4).mean.candidate,
    )


def test_no_confidence_at_all_is_undefined():
    """A case whose votes all have confidence 0 has no winner."""
    posterior = confidence_weighted_majority(choices([0, 1], [1], confidence=[0, 0, 0.5]), 2)
    assert np.isnan(posterior.mean.candidate).tolist() == [True, True, False]
    assert np.isnan(posterior.certainty(1)).tolist() == [True, False]


def test_accuracy_outweighs_numbers():
    """A rater of accuracy .95 against two of .45, and unknown accuracy as the mean of the others."""
    readings = choices([0, 0, 1])
    assert winners(accuracy_weighted_majority(readings, 2, accuracy=np.array([0.45, 0.45, 0.95]))) == [1]
    assert winners(accuracy_weighted_majority(readings, 2, accuracy=np.array([0.45, np.nan, 0.95]))) == [0]
    assert winners(accuracy_weighted_majority(readings, 2, accuracy=np.full(3, np.nan))) == [0]


def test_accuracy_follows_the_rater_not_the_place():
    """The same votes by other raters weigh otherwise."""
    accuracy = np.array([0.9, 0.3, 0.4])
    readings = choices([0, 1, 1], [1, 0, 0], rater=[0, 1, 2, 0, 1, 2])
    assert winners(accuracy_weighted_majority(readings, 2, accuracy=accuracy)) == [0, 1]


def test_order_of_readings_does_not_matter():
    """Reversing the readings of a case changes nothing."""
    rng = np.random.default_rng(1)
    cases = [rng.integers(0, 3, 6).tolist() for _ in range(30)]
    confidence = rng.random((30, 6))
    forth = choices(*cases, confidence=confidence.ravel())
    back = choices(*(case[::-1] for case in cases), confidence=confidence[:, ::-1].ravel())
    for reduction in (majority, mean_frequency, confidence_weighted_majority):
        np.testing.assert_array_equal(reduction(forth, 3).mean.candidate, reduction(back, 3).mean.candidate)


def test_cases_without_readings():
    """They have no candidates and no certainty, and disturb nothing."""
    readings = choices([], [1, 1], [])
    for reduction in (majority, mean_frequency, confidence_weighted_majority):
        assert np.isnan(reduction(readings, 2).certainty(1)).tolist() == [True, False, True]


@pytest.mark.parametrize(("accuracy", "message"), [([0.5], "3 raters"), ([0.5, 1.2, 0.5], r"in \[0, 1\]")])
def test_bad_accuracies_are_refused(accuracy, message):
    """Too few or outside [0, 1]."""
    with pytest.raises(ValueError, match=message):
        accuracy_weighted_majority(choices([0, 0, 1]), 2, accuracy=np.array(accuracy))
