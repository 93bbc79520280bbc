"""Maximum likelihood under Plackett–Luce, against generic optimisation and cases known in advance."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from reading_lists import differentials
from scipy.optimize import minimize
from scipy.special import softmax

from core.plausibility.plackett_luce.likelihood import log_likelihood
from core.plausibility.plackett_luce.maximum_likelihood import plackett_luce_mle


def estimate(case, n_labels, **options):
    """Plausibility of every label of one case."""
    posterior = plackett_luce_mle(differentials([case]), n_labels, **options)
    values = np.zeros(n_labels)
    values[posterior.candidates.label] = posterior.draws.value[:, 0]
    assert posterior.draws.n_draws == 1
    assert (posterior.draws.rest == 0).all()
    return values


def log_likelihood_of(case, plausibility):
    """Exact log-likelihood of all readings of a case."""
    rates = np.asarray(plausibility)[None]
    return sum(log_likelihood(reading, rates, np.zeros(1))[0] for reading in case)


def by_optimiser(case, n_labels):
    """Maximise the exact likelihood over logits, from several starts."""
    rng = np.random.default_rng(0)
    best = min(
        (
            minimize(
                lambda x: -log_likelihood_of(case, softmax(x)),
                rng.normal(size=n_labels),
                method="BFGS",
                options={"gtol": 1e-9},
            )
            for _ in range(3)
        ),
        key=lambda found: found.fun,
    )
    return softmax(best.x)


# In each, every label beats every other through some chain: one maximum, inside.
CONNECTED = {
    "full rankings": ([[[0], [1], [2]], [[1], [2], [0]], [[2], [0], [1]], [[0], [2], [1]]], 3),
    "partial rankings": ([[[0], [1]], [[1], [2]], [[2]], [[3], [0]], [[2], [3]]], 4),
    "ties": ([[[0, 1], [2]], [[2, 3], [0]], [[1], [3, 0]], [[3]], [[2], [1, 0, 3]]], 4),
    "tie of three": ([[[0, 1, 2]], [[3], [0, 2]], [[3, 1]], [[2, 4], [3]], [[4], [1]], [[0], [4, 2, 3]]], 5),
    "ties after others": ([[[0], [1, 2]], [[1], [0, 2]], [[2], [0, 1]], [[3], [1, 2]], [[1, 2]]], 4),
    "a block of nine": (
        [[list(range(9))], [[9], [0, 1]], [[8], [9]], [[4], [2], [9]], [[9, 5, 6], [3]], [[7], [0]]],
        10,
    ),
    "a block of ten after another label": (
        [[[11], list(range(10))], [[10], [11, 0]], [[3], [10]], [[8, 9], [11]], [list(range(2, 11))]],
        12,
    ),
}


@pytest.mark.parametrize("name", CONNECTED)
def test_generic_optimisation(name):
    """The maximum is that of the exact likelihood."""
    case, n_labels = CONNECTED[name]
    got = estimate(case, n_labels)
    expected = by_optimiser(case, n_labels)
    assert got.sum() == pytest.approx(1)
    np.testing.assert_allclose(got, expected, atol=2e-5)
    assert log_likelihood_of(case, got) >= log_likelihood_of(case, expected) - 1e-9


def test_labels_that_nothing_outside_beats():
    """The supremum, (1/4)², is approached as labels below all others lose their mass, and never reached."""
    case = [[[0], [1], [2]], [[1], [0], [3]], [[0, 1], [2, 3]]]
    np.testing.assert_allclose(estimate(case, 6), [0.5, 0.5, 0, 0, 0, 0], atol=1e-8)
    supremum = 2 * np.log(1 / 4)
    assert log_likelihood_of(case, [0.5, 0.5, 1e-9, 1e-9, 0, 0]) == pytest.approx(supremum, abs=1e-7)
    for x in np.random.default_rng(1).dirichlet(np.full(4, 0.5), 200):
        assert log_likelihood_of(case, [*x, 0, 0]) < supremum


def test_first_always_wins():
    """A label that every reading ranks first, alone, has everything."""
    np.testing.assert_array_equal(estimate([[[2], [0]], [[2], [1], [0]], [[2]]], 4), [0, 0, 1, 0])


def test_always_tied_first():
    """Labels that are tied first in every reading share equally, whatever their number."""
    np.testing.assert_allclose(estimate([[[0, 2], [1]], [[2, 0], [3]]], 5), [0.5, 0, 0.5, 0, 0])
    np.testing.assert_allclose(estimate([[list(range(20))]], 25), [0.05] * 20 + [0] * 5)
    np.testing.assert_allclose(estimate([[[0, 1, 2]], [[1, 2]]], 3), [0, 0.5, 0.5])


def test_choices_give_frequencies():
    """One label a reading: the observed shares."""
    rng = np.random.default_rng(2)
    cases = [rng.integers(0, 7, n) for n in (1, 4, 30)]
    posterior = plackett_luce_mle(differentials([[[[int(k)]] for k in case] for case in cases]), 9)
    for i, case in enumerate(cases):
        slots = posterior.candidates.of_case(i)
        labels, counts = np.unique(case, return_counts=True)
        np.testing.assert_array_equal(posterior.candidates.label[slots], labels)
        np.testing.assert_allclose(posterior.draws.value[slots, 0], counts / len(case), rtol=1e-8)


@pytest.mark.parametrize("name", CONNECTED)
def test_invariances(name):
    """Duplicated raters, the order of readings and more unmentioned labels change nothing."""
    case, n_labels = CONNECTED[name]
    expected = estimate(case, n_labels)
    np.testing.assert_allclose(estimate(case * 3, n_labels), expected, atol=1e-7)
    np.testing.assert_allclose(estimate(case[::-1], n_labels), expected, atol=1e-7)
    np.testing.assert_allclose(estimate(case, n_labels + 500)[:n_labels], expected, atol=1e-7)
    permutation = np.random.default_rng(3).permutation(n_labels)
    renamed = [[[int(permutation[k]) for k in block] for block in reading] for reading in case]
    np.testing.assert_allclose(estimate(renamed, n_labels)[permutation], expected, atol=1e-7)


def test_cases_do_not_touch_one_another():
    """Together or apart, a case has the same estimate; without readings it has none."""
    cases = [CONNECTED["ties"][0], [], CONNECTED["tie of three"][0], [[[4]]]]
    posterior = plackett_luce_mle(differentials(cases), 5)
    for i, case in enumerate(cases):
        values = np.zeros(5)
        slots = posterior.candidates.of_case(i)
        values[posterior.candidates.label[slots]] = posterior.draws.value[slots, 0]
        if case:
            np.testing.assert_array_equal(values, estimate(case, 5))
        else:
            assert slots.start == slots.stop
    assert np.isnan(posterior.certainty(1)).tolist() == [False, True, False, False]


def test_unfinished_iterations_are_told():
    """With the number of cases; and a tolerance that is reached tells nothing."""
    readings = differentials([CONNECTED["ties"][0], [[[1]]], CONNECTED["full rankings"][0]])
    with pytest.warns(UserWarning, match=r"2 of 3 cases did not reach"):
        plackett_luce_mle(readings, 4, max_iterations=1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        plackett_luce_mle(readings, 4)


def test_errors_name_what_was_given():
    """Tolerance and number of iterations."""
    readings = differentials([[[[0]]]])
    with pytest.raises(ValueError, match=r"tolerance must be above 0, got 0"):
        plackett_luce_mle(readings, 2, tolerance=0)
    with pytest.raises(ValueError, match=r"max_iterations must be at least 1, got 0"):
        plackett_luce_mle(readings, 2, max_iterations=0)
