"""The ceiling over plausible truths: against every outcome, draws and the normal law; above every model."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from core.metrics.adjusted import ceiling
from core.metrics.adjusted.ceiling import accuracies, ceiling_range, ends_of, reached_in


def quantiles_of_all_outcomes(chances: np.ndarray, ends: tuple[float, float]) -> tuple[float, ...]:
    """Ends by listing which cases are right in every way, each with its probability."""
    outcomes = np.array(list(product([0, 1], repeat=len(chances))))
    weight = np.where(outcomes == 1, chances, 1 - chances).prod(axis=1)
    share = outcomes.mean(axis=1)
    values = np.unique(share)
    below = np.array([weight[share <= value + 1e-12].sum() for value in values])
    return tuple(float(values[np.argmax(below >= end - 1e-12)]) for end in ends)


@pytest.mark.parametrize("seed", range(5))
def test_the_ends_are_those_of_all_outcomes(seed: int) -> None:
    """Eight cases have 256 outcomes."""
    chances = np.random.default_rng(seed).random(8)
    assert ceiling_range(chances) == pytest.approx(quantiles_of_all_outcomes(chances, (0.025, 0.975)))
    assert ceiling_range(chances, 0.5) == pytest.approx(quantiles_of_all_outcomes(chances, (0.25, 0.75)))


@pytest.mark.parametrize("seed", range(20))
def test_no_model_ends_above_it(seed: int) -> None:
    """Whatever is named: with probabilities that are nowhere larger, neither end is larger."""
    rng = np.random.default_rng(seed)
    plausibility = rng.dirichlet(np.full(4, 0.6), size=int(rng.integers(1, 60)))
    best = ceiling_range(plausibility.max(axis=1))
    for _ in range(20):
        named = rng.integers(4, size=len(plausibility))
        other = ceiling_range(plausibility[np.arange(len(plausibility)), named])
        assert other[0] <= best[0]
        assert other[1] <= best[1]


def test_draws_made_elsewhere_have_these_ends() -> None:
    """And the mean certainty lies between them."""
    rng = np.random.default_rng(4)
    chances = rng.beta(4, 1, 150)
    accuracy = (rng.random((20_000, 150)) < chances).mean(axis=1)
    low, high = ceiling_range(chances)
    assert (low, high) == pytest.approx(np.quantile(accuracy, [0.025, 0.975]), abs=0.007)
    assert low < chances.mean() < high


def test_many_cases_have_the_normal_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it takes over, the two are the same as written."""
    chances = np.random.default_rng(6).beta(3, 1, 3000)
    exact = ceiling_range(chances)
    monkeypatch.setattr(ceiling, "_MOST_COUNTED", 10)
    assert ceiling_range(chances) == pytest.approx(exact, abs=0.0005)


def test_what_is_certain_has_no_width_and_unread_cases_do_not_count() -> None:
    """Nor does the order of the cases; without any, nothing is known."""
    assert ceiling_range(np.ones(7)) == (1.0, 1.0)
    assert ceiling_range(np.array([1.0, 0.0])) == (0.5, 0.5)
    chances = np.array([0.3, np.nan, 0.9, 0.6])
    assert ceiling_range(chances) == ceiling_range(np.array([0.6, 0.3, 0.9]))
    assert np.isnan(ceiling_range(np.array([np.nan]))).all()
    with pytest.raises(ValueError, match="between 0 and 1"):
        ceiling_range(np.array([1.2]))


@pytest.mark.parametrize("seed", range(5))
def test_how_often_an_accuracy_is_reached_is_that_of_all_outcomes(seed: int) -> None:
    """Every accuracy that eight cases can have, what lies between two of them, and what NaN leaves out."""
    chances = np.random.default_rng(seed).random(8)
    outcomes = np.array(list(product([0, 1], repeat=8)))
    weight = np.where(outcomes == 1, chances, 1 - chances).prod(axis=1)
    for accuracy in (*np.arange(9) / 8, 0.3, 0.71):
        expected = weight[outcomes.mean(axis=1) >= accuracy].sum()
        assert reached_in(chances, accuracy) == pytest.approx(expected)
        assert reached_in(np.append(chances, np.nan), accuracy) == pytest.approx(expected)
    assert np.isnan(reached_in(np.array([np.nan]), 0.5))


def test_of_many_cases_it_is_reached_as_the_normal_law_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where that takes over the two are the same as written; and where nothing is left to chance."""
    chances = np.random.default_rng(6).beta(3, 1, 3000)
    accuracies = chances.mean() + np.array([-0.02, -0.005, 0, 0.005, 0.02])
    exact = [reached_in(chances, accuracy) for accuracy in accuracies]
    monkeypatch.setattr(ceiling, "_MOST_COUNTED", 10)
    assert [reached_in(chances, accuracy) for accuracy in accuracies] == pytest.approx(exact, abs=0.002)
    assert [reached_in(np.ones(20), accuracy) for accuracy in (0.9, 1.0)] == [1, 1]
    assert reached_in(np.zeros(20), 0.1) == 0


def test_accuracies_are_those_of_all_outcomes_and_hold_the_range() -> None:
    """At any shares; without cases there are none, and what is no probability is refused."""
    chances = np.random.default_rng(8).random(8)
    shares = np.array([0.025, 0.3, 0.5, 0.975])
    assert accuracies(chances, shares) == pytest.approx(quantiles_of_all_outcomes(chances, tuple(shares)))
    assert tuple(accuracies(chances, ends_of())) == ceiling_range(chances)
    assert np.isnan(accuracies(np.full(3, np.nan), shares)).tolist() == [True] * 4
    with pytest.raises(ValueError, match="certainty must lie between 0 and 1"):
        accuracies(np.array([1.2]), shares)
