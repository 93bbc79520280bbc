"""Raters needed for a fineness: published figures, search by hand, and the bound."""

from __future__ import annotations

import numpy as np
import pytest
from fineness_by_hand import equal_fineness

from core.metrics.fineness.difficulty import dependent_fineness
from core.metrics.fineness.majority import majority_fineness
from core.metrics.fineness.raters_needed import (
    equal_fineness_by_size,
    raters_bound,
    raters_needed,
    raters_needed_each,
)


def test_published_figures() -> None:
    """Accuracy .81 and 95 %: 7 raters exactly, 10 by the bound as printed, 22 by the bound that holds."""
    assert raters_needed(0.81, 0.95) == 7
    assert raters_bound(0.81, 0.95, logarithm="decimal") == 10
    assert raters_bound(0.81, 0.95) == 22


@pytest.mark.parametrize("n_labels", [2, 3, 6])
@pytest.mark.parametrize("accuracy", [0.55, 0.7, 0.88])
def test_needed_is_the_first_that_is_enough(accuracy: float, n_labels: int) -> None:
    """Against trying one number after the other with the general fineness."""
    fineness = [float(majority_fineness(np.full(n, accuracy), n_labels=n_labels)) for n in range(1, 60)]
    for wanted in (0.6, 0.8, 0.86):
        enough = [n + 1 for n, value in enumerate(fineness) if value >= wanted]
        if enough:
            assert raters_needed(accuracy, wanted, n_labels=n_labels) == enough[0]


@pytest.mark.parametrize("accuracy", [0.6, 0.81, 0.95])
@pytest.mark.parametrize("wanted", [0.7, 0.95, 0.999])
def test_the_bound_is_safe(accuracy: float, wanted: float) -> None:
    """As many raters as the bound asks for reach the fineness."""
    bound = raters_bound(accuracy, wanted)
    assert bound is not None
    assert equal_fineness(accuracy, bound) >= wanted


def test_equal_fineness_is_the_general_one() -> None:
    """With and without difficulty, even and odd, two labels and more."""
    for n in (1, 2, 7):
        for n_labels in (2, 4):
            for difficulty in (0.0, 2.0):
                expected = dependent_fineness(np.full(n, 0.7), difficulty, n_labels=n_labels)
                found = equal_fineness(0.7, n, difficulty=difficulty, n_labels=n_labels)
                assert found == pytest.approx(expected, abs=1e-12)


def test_no_number_is_enough() -> None:
    """Guessing raters, and raters who err on the same cases."""
    assert raters_needed(0.5, 0.9) is None
    assert raters_bound(0.5, 0.9) is None
    assert raters_needed(0.3, 0.2) == 1
    assert raters_needed(0.81, 0.95, difficulty=2.4) is None
    assert raters_needed(0.81, 0.85, difficulty=2.4) == 7


@pytest.mark.parametrize("wanted", [0.0, 1.0, 95.0, np.nan])
def test_impossible_wishes_are_refused(wanted: float) -> None:
    """A fineness lies between 0 and 1."""
    with pytest.raises(ValueError, match="between 0 and 1"):
        raters_needed(0.8, wanted)
    with pytest.raises(ValueError, match="between 0 and 1"):
        raters_bound(0.8, wanted)


def test_other_arguments_are_refused() -> None:
    """Percent, no rater, another logarithm."""
    with pytest.raises(ValueError, match="got 81"):
        raters_bound(81, 0.95)
    with pytest.raises(ValueError, match="n_raters must be 1 or more"):
        equal_fineness(0.8, 0)
    with pytest.raises(ValueError, match="natural or decimal, got 'binary'"):
        raters_bound(0.8, 0.95, logarithm="binary")  # type: ignore[arg-type]


def test_fineness_by_size_is_that_of_each_group() -> None:
    """Several accuracies and difficulties at once, with two labels and with more."""
    for n_labels in (2, 5):
        found = equal_fineness_by_size([0.5, 0.8], [1, 2, 6], difficulty=[0.0, 1.5], n_labels=n_labels)
        for column, (accuracy, difficulty) in enumerate([(0.5, 0.0), (0.8, 1.5)]):
            for row, n in enumerate([1, 2, 6]):
                alone = dependent_fineness(np.full(n, accuracy), difficulty, n_labels=n_labels)
                assert found[row, column] == pytest.approx(alone, abs=1e-12)


def test_needed_of_each_accuracy_is_that_of_one() -> None:
    """Accuracies together or alone; one rater who is as good as wanted is enough, rounding or not."""
    for n_labels in (2, 4):
        alone = [raters_needed(a, 0.9, difficulty=0.7, n_labels=n_labels) for a in (0.5, 0.8, 0.9)]
        assert raters_needed_each([0.5, 0.8, 0.9], 0.9, difficulty=0.7, n_labels=n_labels) == alone
    wanted = [0.55, 0.7, 0.85, 0.9, 0.95, 0.99]
    assert [raters_needed(a, a) for a in wanted] == [1] * len(wanted)
