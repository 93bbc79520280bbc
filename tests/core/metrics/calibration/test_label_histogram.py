"""Label histograms: what is counted, what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from core.analysis.cases.what_if import Reading, readings_that_say
from core.metrics.calibration.label_histogram import label_histograms, task_histograms
from core.study.model import Task


def differentials(*cases: list[list[list[int]]]) -> Task:
    """Ranking task of five labels: cases of readings of blocks."""
    said = [[Reading(tuple(map(tuple, reading))) for reading in case] for case in cases]
    return Task("t", "ranking", tuple("abcde"), readings_that_say(said))


@pytest.mark.parametrize(
    ("counts", "told"),
    [
        ([[0.5, 0.5]], "got 0.5 for label 0 of case 0"),
        ([[1, 2], [3, -1]], "got -1 for label 1 of case 1"),
        ([[np.nan, 1.0]], "got nan"),
        ([[np.inf, 1.0]], "got inf"),
        ([[2**31, 1]], "to 2147483647"),
        ([["2", "1"]], "whole numbers"),
        ([[1j, 1]], "whole numbers"),
        ([1, 2, 3], r"\(n_cases, n_labels\), got \(3,\)"),
        (np.empty((3, 0)), r"got \(3, 0\)"),
    ],
)
def test_what_is_no_histogram_is_refused(counts: object, told: str) -> None:
    """The error says what was allowed and what was given."""
    with pytest.raises(ValueError, match=told):
        label_histograms(counts)


@pytest.mark.parametrize("dtype", [np.uint8, np.int64, np.float32, np.float64, bool])
def test_whole_numbers_of_any_type_are_taken(dtype: type) -> None:
    """A histogram of floats that are whole is a histogram."""
    if dtype is bool:
        with pytest.raises(ValueError, match="got type bool"):
            label_histograms(np.array([[True, False]]))
        return
    histograms = label_histograms(np.array([[2, 0, 1], [0, 0, 0]], dtype))
    assert histograms.per_case.tolist() == [3, 0]
    np.testing.assert_array_equal(histograms.shares(slice(0, 1)), [[2 / 3, 0, 1 / 3]])
    assert np.isnan(histograms.shares(slice(1, 2))).all()
    assert not histograms.counts.flags.writeable


def test_first_labels_of_differentials_are_counted() -> None:
    """A tied first place gives no single label: it is left out and told."""
    task = differentials([[[1], [0]], [[1]], [[0, 1], [2]]], [[[4], [3, 2]]], [], [[[2, 3]]])
    histograms = task_histograms(task)
    assert histograms.counts.tolist() == [[0, 2, 0, 0, 0], [0, 0, 0, 0, 1], [0] * 5, [0] * 5]
    assert histograms.n_tied == 2


def test_scores_count_as_sides_of_the_threshold() -> None:
    """A score at the threshold is on the second side."""
    said = [[Reading(score=s) for s in case] for case in ([1.0, 5.0, 7.0], [4.9])]
    task = Task("t", "score", ("below", "above"), readings_that_say(said), threshold=5.0)
    assert task_histograms(task).counts.tolist() == [[1, 2], [1, 0]]


def test_a_score_task_needs_a_threshold() -> None:
    """Without one there are no sides."""
    task = Task("t", "score", ("below", "above"), readings_that_say([[Reading(score=1.0)]]))
    with pytest.raises(ValueError, match="'t' needs a threshold"):
        task_histograms(task)


def test_counts_add_up_with_many_random_readings() -> None:
    """Counting one reading at a time in Python gives the same."""
    rng = np.random.default_rng(3)
    cases = [[[[int(label)]] for label in rng.integers(0, 5, rng.integers(0, 6))] for _ in range(40)]
    counts = np.zeros((40, 5), int)
    for i, case in enumerate(cases):
        for reading in case:
            counts[i, reading[0][0]] += 1
    histograms = task_histograms(differentials(*cases))
    np.testing.assert_array_equal(histograms.counts, counts)
    assert histograms.n_tied == 0
