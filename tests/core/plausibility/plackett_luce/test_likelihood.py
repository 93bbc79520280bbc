"""Likelihood of partial rankings, against sums over permutations, quadrature and closed forms."""

from __future__ import annotations

import math
from itertools import combinations, pairwise, permutations, product

import numpy as np
import pytest
from scipy.integrate import quad

from core.plausibility.plackett_luce.likelihood import (
    LATTICE_LIMIT,
    _lattice,
    _log_integral,
    log_arrival_first,
    log_likelihood,
)


def by_permutations(blocks, rates, rest):
    """Likelihood as the sum over all orders of the tied labels, one label after the other."""
    everything = rates.sum() + rest
    total = 0.0
    for orders in product(*(permutations(block) for block in blocks)):
        probability, left = 1.0, everything
        for label in (k for order in orders for k in order):
            probability *= rates[label] / left
            left -= rates[label]
        total += probability
    return total


def by_quadrature(rates, outside):
    """Log-probability that all arrive before anything outside: adaptive quadrature over log t, in pieces."""

    def log_integrand(x):
        t = math.exp(x)
        return x + math.log(outside) - outside * t + np.log(-np.expm1(-rates * t)).sum()

    grid = np.linspace(-30, 8, 4001) - math.log(outside)
    top = grid[np.argmax([log_integrand(x) for x in grid])]
    peak = log_integrand(top)
    edges = np.linspace(max(grid[0], top - 25), min(grid[-1], top + 8), 60)
    pieces = [
        quad(lambda x: math.exp(log_integrand(x) - peak), low, high, epsabs=1e-15, epsrel=1e-11)[0]
        for low, high in pairwise(edges)
    ]
    return peak + math.log(math.fsum(pieces))


@pytest.mark.parametrize("size", range(2, LATTICE_LIMIT + 1))
@pytest.mark.parametrize("decades", [0, 1, 3])
def test_lattice_and_integral_are_one_number(size, decades):
    """The two ways to sum over the orders of a block agree, however unequal its rates."""
    rng = np.random.default_rng(size)
    rates = 10 ** rng.uniform(-decades, decades, size)
    for outside in (1e-3, 0.4, 30.0):
        assert _log_integral(rates, outside) == pytest.approx(
            math.log(_lattice(rates, outside)), rel=1e-11, abs=1e-11
        )


@pytest.mark.parametrize(
    "blocks",
    [
        [[2]],
        [[0], [3], [1]],
        [[0, 3]],
        [[4], [0, 2, 1]],
        [[1, 0], [4, 3]],
        [[0, 1, 2, 3, 4]],
        [[5, 4, 3], [2], [1, 0]],
        [],
    ],
)
def test_sum_over_permutations(blocks):
    """Full and partial rankings, with ties and something outside."""
    rng = np.random.default_rng(0)
    rates = rng.gamma(0.7, size=(5, 6))
    rest = rng.gamma(0.7, size=5)
    expected = [math.log(by_permutations(blocks, *row)) for row in zip(rates, rest, strict=True)]
    np.testing.assert_allclose(log_likelihood(blocks, rates, rest), expected, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("sizes", [(1, 1, 1, 1, 1), (2, 1), (1, 3), (2, 2, 1), (1,), (3,), (4, 1), (5,)])
def test_all_rankings_of_one_shape_sum_to_one(sizes):
    """Exactly one ranking with given block sizes comes about."""

    def rankings(left, sizes):
        if not sizes:
            yield []
            return
        for block in combinations(sorted(left), sizes[0]):
            for tail in rankings(left - set(block), sizes[1:]):
                yield [list(block), *tail]

    rates = np.random.default_rng(1).gamma(0.5, size=(3, 5))
    total = sum(
        np.exp(log_likelihood(blocks, rates, np.zeros(3))) for blocks in rankings(set(range(5)), sizes)
    )
    np.testing.assert_allclose(total, 1, rtol=1e-12)


def test_large_blocks_sum_to_one():
    """The same for blocks that are integrated: some one of eleven labels is the last."""
    rates = 10 ** np.random.default_rng(2).uniform(-2, 2, (4, 11))
    total = sum(
        np.exp(log_likelihood([[k for k in range(11) if k != last]], rates, np.zeros(4)))
        for last in range(11)
    )
    np.testing.assert_allclose(total, 1, rtol=1e-11)


@pytest.mark.parametrize("size", [3, 20])
def test_scale_of_the_rates_does_not_matter(size):
    """Only ratios of rates enter, over hundreds of decades."""
    rng = np.random.default_rng(3)
    rates, rest = rng.gamma(1.0, size=(2, size + 2)), rng.gamma(1.0, size=2)
    blocks = [[size], list(range(size))]
    expected = log_likelihood(blocks, rates, rest)
    for factor in (1e-90, 1e-3, 7.0, 1e90):
        np.testing.assert_allclose(
            log_likelihood(blocks, factor * rates, factor * rest), expected, rtol=1e-11
        )


def test_unranked_columns_and_rest_are_the_same_thing():
    """Labels in no block count only through the sum of their rates."""
    rates = np.random.default_rng(4).gamma(1.0, size=(6, 9))
    blocks = [[3], [0, 1]]
    merged = log_likelihood(blocks, rates[:, :4], rates[:, 4:].sum(axis=1))
    np.testing.assert_allclose(log_likelihood(blocks, rates, np.zeros(6)), merged, rtol=1e-13)


@pytest.mark.parametrize("size", [1, 4, LATTICE_LIMIT, LATTICE_LIMIT + 1, 40])
def test_nothing_outside(size):
    """The last block of all labels is certain; a first one is as if the last were unranked."""
    rates = np.random.default_rng(5).gamma(1.0, size=(3, size + 1))
    everything = list(range(size + 1))
    assert (log_likelihood([everything], rates, np.zeros(3)) == 0).all()
    np.testing.assert_array_equal(
        log_likelihood([everything[:-1], everything[-1:]], rates, np.zeros(3)),
        log_likelihood([everything[:-1]], rates, np.zeros(3)),
    )


def test_labels_without_a_rate():
    """A label of rate 0 never arrives before another, but does not hinder others."""
    rates = np.array([[1.0, 0.0, 2.0]])
    assert log_likelihood([[1]], rates, np.zeros(1))[0] == -np.inf
    assert log_likelihood([[0, 1]], rates, np.zeros(1))[0] == -np.inf
    assert log_likelihood([[0], [2]], rates, np.zeros(1))[0] == pytest.approx(math.log(1 / 3))
    assert log_likelihood([[0, 2], [1]], rates, np.zeros(1))[0] == 0


@pytest.mark.parametrize("n", [2, LATTICE_LIMIT, LATTICE_LIMIT + 1, 30, 1000])
@pytest.mark.parametrize("m", [1, 7, 5000])
def test_equal_rates_count_subsets(n, m):
    """Of n + m labels alike, the first n to arrive are any set with equal probability."""
    expected = math.lgamma(n + 1) + math.lgamma(m + 1) - math.lgamma(n + m + 1)
    got = log_likelihood([list(range(n))], np.full((1, n), 0.3), np.array([0.3 * m]))[0]
    assert got == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("n", [30, 1000])
@pytest.mark.parametrize("outside", [0.01, 1.0, 50.0])
def test_many_tied_labels(n, outside):
    """Thirty and a thousand tied labels of unequal rates, against adaptive quadrature."""
    rates = np.random.default_rng(6).gamma(1.0, size=n) + 1e-3
    assert log_arrival_first(rates, outside) == pytest.approx(by_quadrature(rates, outside), rel=1e-9)


def test_likelihoods_below_the_smallest_float():
    """A block whose probability underflows still has a logarithm: ∏ λ_k·n!/Λⁿ for tiny rates."""
    rates = np.full((1, LATTICE_LIMIT), 1e-60)
    expected = LATTICE_LIMIT * math.log(1e-60) + math.lgamma(LATTICE_LIMIT + 1)
    got = log_likelihood([list(range(LATTICE_LIMIT))], rates, np.ones(1))[0]
    assert got == pytest.approx(expected, rel=1e-11)


def test_errors_name_what_was_given():
    """Repeated labels, columns that do not exist, and wrong shapes."""
    rates, rest = np.ones((2, 3)), np.ones(2)
    with pytest.raises(ValueError, match=r"each label once, got \[\[0\], \[1, 0\]\]"):
        log_likelihood([[0], [1, 0]], rates, rest)
    for column in (3, -1):
        with pytest.raises(ValueError, match=rf"columns 0 … 2 of rates, got \[{column}\]"):
            log_likelihood([[column]], rates, rest)
    with pytest.raises(ValueError, match=r"got \(2, 3\) and \(3,\)"):
        log_likelihood([[0]], rates, np.ones(3))
    with pytest.raises(ValueError, match=r"got \(3,\) and \(2,\)"):
        log_likelihood([[0]], np.ones(3), rest)
