"""P(two models are ranked rightly): against simulation, limits, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from core.metrics.fineness.difficulty import WEIGHTS, accuracy_by_difficulty
from core.metrics.fineness.model_ranking import ScoreDifference, Truth, score_difference


@pytest.mark.parametrize("n_labels", [2, 4])
@pytest.mark.parametrize("truth", ["majority", "shares"])
def test_probability_equals_simulation(truth: Truth, n_labels: int) -> None:
    """Raters and models that err on the same cases, 4 readings a case (ties), studies of 30 cases."""
    rng = np.random.default_rng(n_labels)
    at = accuracy_by_difficulty(np.array([0.85, 0.7, 0.65]), 1.5)
    shape = (8_000, 30)
    node = rng.choice(len(at), shape, p=WEIGHTS)

    def answers(who: int) -> np.ndarray:
        wrong = rng.random(shape) >= at[node, who]
        return np.where(wrong, rng.integers(1, n_labels, shape), 0)

    better, worse = answers(0), answers(1)
    read = np.stack([answers(2) for _ in range(4)])
    counts = np.stack([(read == k).sum(axis=0) for k in range(n_labels)], axis=-1)
    if truth == "majority":
        leader = (counts + 0.5 * rng.random(counts.shape)).argmax(axis=-1)
        gain = (better == leader) * 1.0 - (worse == leader)
    else:
        score = [np.take_along_axis(counts, y[..., None], axis=-1)[..., 0] for y in (better, worse)]
        gain = (score[0] - score[1]) / 4
    found = score_difference(0.85, 0.7, 0.65, 4, truth=truth, difficulty=1.5, n_labels=n_labels)
    assert found.probability.sum() == pytest.approx(1)
    assert found.mean == pytest.approx(gain.mean(), abs=0.004)
    total = gain.sum(axis=1).round(9)
    right = (total > 0).mean() + (total == 0).mean() / 2
    assert found.ranked_rightly(30) == pytest.approx(right, abs=0.02)


def test_perfect_raters_show_the_true_difference() -> None:
    """The expected difference is that of the accuracies; with one rater it shrinks by 2a − 1."""
    assert score_difference(0.9, 0.8, 1.0, 3).mean == pytest.approx(0.1)
    assert score_difference(0.9, 0.8, 0.7, 1).mean == pytest.approx(0.1 * 0.4)
    assert score_difference(0.9, 0.8, 0.7, 5, truth="shares").mean == pytest.approx(0.1 * 0.4)


def test_one_case_by_hand() -> None:
    """A trinomial in one case and in two."""
    difference = ScoreDifference(np.array([0.2, 0.3, 0.5]))
    assert difference.ranked_rightly(1) == pytest.approx(0.5 + 0.15)
    right = 0.5 * 0.5 + 2 * 0.5 * 0.3 + (0.3 * 0.3 + 2 * 0.5 * 0.2) / 2
    assert difference.ranked_rightly(2) == pytest.approx(right)


def test_cases_needed_are_enough_and_hardly_fewer_would_be() -> None:
    """To within half a percent."""
    difference = score_difference(0.9, 0.85, 0.81, 3)
    needed = difference.cases_needed(0.95)
    assert needed is not None
    assert difference.ranked_rightly(needed) >= 0.95
    assert difference.ranked_rightly(int(needed * 0.98)) < 0.95


def test_bad_raters_cannot_rank() -> None:
    """Guessing raters show no difference, worse ones the wrong one."""
    assert score_difference(0.9, 0.8, 0.5, 3).cases_needed(0.9) is None
    assert score_difference(0.9, 0.8, 0.3, 3).ranked_rightly(2000) < 0.01


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((0.8, 0.9, 0.8, 3), "higher accuracy"),
        ((0.9, 0.9, 0.8, 3), "higher accuracy"),
        ((0.9, 0.8, 0.8, 0), "n_raters"),
        ((0.9, 0.8, 81, 3), "accuracy must be"),
    ],
)
def test_impossible_comparisons_are_refused(arguments: tuple[float, float, float, int], said: str) -> None:
    """Order, number of raters, percent."""
    with pytest.raises(ValueError, match=said):
        score_difference(*arguments)
    with pytest.raises(ValueError, match="truth must be one of majority, shares"):
        score_difference(0.9, 0.8, 0.8, 3, truth="x")  # type: ignore[arg-type]


def test_impossible_wishes_are_refused() -> None:
    """A coin ranks rightly half of the time."""
    difference = score_difference(0.9, 0.8, 0.8, 3)
    for wanted in (0.5, 1.0, 95.0):
        with pytest.raises(ValueError, match=r"between 0\.5 and 1"):
            difference.cases_needed(wanted)
    with pytest.raises(ValueError, match="n_cases"):
        difference.ranked_rightly(0)
