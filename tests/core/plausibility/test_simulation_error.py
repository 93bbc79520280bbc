"""Simulation errors against draws whose truth is known."""

from __future__ import annotations

import numpy as np
import pytest

from core.plausibility.candidates import Candidates
from core.plausibility.draws import LARGEST, Draws
from core.plausibility.point import point_mass
from core.plausibility.posterior import SampledPosterior
from core.plausibility.simulation_error import error_of_difference, is_simulated, leading_error

SHARES = np.array([0.5, 0.4, 0.1])


def led_by(leader: np.ndarray, *, n_chains: int = 1, alike: tuple[int, ...] = ()) -> SampledPosterior:
    """Cases of three labels of which the given one leads in each draw, with shape (n_cases, n_draws)."""
    n_cases, n_draws = leader.shape
    candidates = Candidates(
        3 * np.arange(n_cases + 1), np.tile(np.arange(3, dtype=np.int32), n_cases), n_labels=3
    )
    value = np.where(leader[:, None, :] == np.arange(3)[:, None], 0.8, 0.1).reshape(-1, n_draws)
    groups = np.tile(alike or range(3), n_cases) + 3 * candidates.case
    return SampledPosterior(
        Draws(
            candidates,
            value,
            np.zeros((n_cases, n_draws)),
            np.zeros((1, n_draws, LARGEST)),
            np.zeros(n_cases, np.int64),
            n_chains=n_chains,
            alike=groups,
        )
    )


def leaders(n_cases: int, n_draws: int, *, stays: float, seed: int = 1) -> np.ndarray:
    """Leaders that stay from draw to draw with a probability, and else are drawn anew from `SHARES`."""
    rng = np.random.default_rng(seed)
    anew = rng.choice(3, size=(n_cases, n_draws), p=SHARES)
    moves = rng.random((n_cases, n_draws)) >= stays
    moves[:, 0] = True
    last = np.maximum.accumulate(np.where(moves, np.arange(n_draws), 0), axis=1)
    return np.take_along_axis(anew, last, axis=1)


@pytest.mark.parametrize(("stays", "least", "most"), [(0.0, 0.93, 0.99), (0.8, 0.86, 0.98)])
def test_the_truth_lies_within_the_error_about_as_often_as_is_said(
    stays: float, least: float, most: float
) -> None:
    """Of a difference and of the certainty, also where draws depend on each other."""
    posterior = led_by(leaders(1500, 900, stays=stays))
    slots = 3 * np.arange(1500)
    difference = posterior.top1.candidate[slots] - posterior.top1.candidate[slots + 1]
    error = error_of_difference(posterior, slots, slots + 1)
    assert least < (abs(difference - 0.1) <= error).mean() < most
    assert least < (abs(posterior.top1.candidate[slots] - 0.5) <= leading_error(posterior)).mean() < most


def test_dependent_draws_are_worth_fewer() -> None:
    """Staying with probability s multiplies the variance by (1 + s) / (1 − s): a threefold error for 0.8."""
    slots = 3 * np.arange(400)
    free, bound = (
        error_of_difference(led_by(leaders(400, 2500, stays=s)), slots, slots + 1).mean() for s in (0.0, 0.8)
    )
    assert free == pytest.approx(1.96 * np.sqrt((0.9 - 0.01) / 2500), rel=0.15)
    assert bound / free == pytest.approx(3, rel=0.2)


def test_a_label_that_always_leads_has_an_error_too() -> None:
    """All of a thousand draws: as of 1002 in 1004; and none where nothing is drawn."""
    posterior = led_by(np.zeros((1, 1000), int))
    share = 1002 / 1004
    assert leading_error(posterior)[0] == pytest.approx(1.96 * np.sqrt(share * (1 - share) / 1004), rel=1e-3)
    point = point_mass(posterior.candidates, np.array([0.5, 0.5, 0.0]))
    assert not is_simulated(point)
    assert leading_error(point)[0] == 0


def test_labels_that_are_alike_do_not_differ() -> None:
    """Their shares are averaged, so the difference has no error; that to a third label has less."""
    said = leaders(1, 1000, stays=0.0)
    apart, alike = led_by(said), led_by(said, alike=(0, 0, 2))
    first, second, third = (np.array([slot]) for slot in range(3))
    assert error_of_difference(alike, first, second)[0] == 0
    assert 0 < error_of_difference(alike, first, third)[0] < error_of_difference(apart, first, third)[0]


def test_no_batch_reaches_over_two_chains() -> None:
    """Chains that each stay with a label of their own have the error of a few batches, not of many draws."""
    said = np.repeat([[0, 1, 0, 1]], 250, axis=1).reshape(1, -1)
    error = error_of_difference(led_by(np.sort(said), n_chains=4), np.array([0]), np.array([1]))
    assert error[0] > 3 * 1.96 / np.sqrt(1000)
