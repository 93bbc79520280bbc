"""Largest shares of a symmetric Dirichlet, against direct draws and exact moments."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import ks_2samp

from core.plausibility.draws import LARGEST
from core.plausibility.plackett_luce.shares import largest_shares


def by_dirichlet(m, concentration, n_draws):
    """Largest shares of whole Dirichlet vectors, in logarithms so that small shapes do not vanish."""
    rng = np.random.default_rng(12345)
    log_gamma = np.log(rng.standard_gamma(concentration + 1, (n_draws, m)))
    log_gamma -= rng.standard_exponential((n_draws, m)) / concentration
    share = np.exp(log_gamma - log_gamma.max(axis=1, keepdims=True))
    share /= share.sum(axis=1, keepdims=True)
    return -np.sort(-share, axis=1)[:, :LARGEST]


@pytest.mark.parametrize(
    ("m", "concentration", "n_draws"),
    [
        (3, 1, 4000),
        (12, 1, 4000),
        (419, 1, 2000),
        (2000, 1, 1000),
        (2, 0.1, 4000),
        (40, 0.05, 4000),
        (419, 1 / 419, 2000),
        (2000, 1 / 2000, 1000),
        (30, 4.0, 4000),
        (300, 0.5, 2000),
        (499, 0.11, 2000),
        (1500, 0.5, 1000),
        (1500, 3.0, 1000),
    ],
)
def test_direct_draws(m, concentration, n_draws):
    """Every way of drawing has the distribution of whole Dirichlet vectors, share by share."""
    got = largest_shares(np.array([m]), concentration, n_draws, 7)[0]
    expected = by_dirichlet(m, concentration, n_draws)
    for j in {0, 1, min(m, LARGEST) // 2, min(m, LARGEST) - 1}:
        assert ks_2samp(got[:, j], expected[:, j]).pvalue > 1e-3
    for j in range(1, min(m, LARGEST)):  # how they go together
        assert ks_2samp(got[:, :j].sum(axis=1), expected[:, :j].sum(axis=1)).pvalue > 1e-4


@pytest.mark.parametrize("m", [4, 500, 501, 100_000])
def test_exact_moments_of_flat_shares(m):
    """E of the j-th largest is (H_m − H_{j−1})/m; E of the square of the largest follows as exactly."""
    n_draws = 20_000
    shares = largest_shares(np.array([m]), 1, n_draws, 3)[0]
    inverse = 1 / np.arange(1, m + 1)
    kept = min(m, LARGEST)
    expected = np.cumsum(inverse[::-1])[::-1][:kept] / m
    error = shares[:, :kept].std(axis=0) / np.sqrt(n_draws)
    assert (np.abs(shares[:, :kept].mean(axis=0) - expected) < 4 * error).all()
    square = (inverse.sum() ** 2 + (inverse**2).sum()) / (m * (m + 1))
    squares = shares[:, 0] ** 2
    assert abs(squares.mean() - square) < 4 * squares.std() / np.sqrt(n_draws)


@pytest.mark.parametrize("concentration", [1, 0.002, 0.3, 5.0, np.inf])
def test_descending_and_padded(concentration):
    """Shares are in [0, 1], descend, and are 0 where there are fewer labels."""
    sizes = np.array([0, 1, 2, 7, 10, 11, 600, 100_000])
    shares = largest_shares(sizes, concentration, 50, 1)
    assert shares.shape == (len(sizes), 50, LARGEST)
    assert ((shares >= 0) & (shares <= 1)).all()
    assert (np.diff(shares, axis=2) <= 0).all()
    for row, m in zip(shares, sizes, strict=True):
        assert (row[:, m:] == 0).all()
    np.testing.assert_allclose(shares[1:5].sum(axis=2), 1, rtol=1e-12)
    assert (shares[5:].sum(axis=2) <= 1 + 1e-12).all()


def test_infinite_concentration_is_equal_shares():
    """The limit, which a large concentration approaches."""
    shares = largest_shares(np.array([4]), np.inf, 3, 0)[0]
    np.testing.assert_allclose(shares, np.repeat([[0.25] * 4 + [0.0] * 6], 3, axis=0))
    np.testing.assert_allclose(largest_shares(np.array([4]), 1e10, 3, 0)[0], shares, atol=1e-4)


@pytest.mark.parametrize("concentration", [1, 0.01, 0.4])
def test_a_size_does_not_depend_on_the_others(concentration):
    """The seed and the size decide; the other sizes do not."""
    sizes = np.array([900, 3, 200])
    together = largest_shares(sizes, concentration, 20, 5)
    for row, m in enumerate(sizes):
        np.testing.assert_array_equal(together[row], largest_shares(np.array([m]), concentration, 20, 5)[0])
    assert (together[0] != largest_shares(sizes, concentration, 20, 6)[0]).all()


@pytest.mark.parametrize("concentration", [0, -1, np.nan])
def test_concentration_must_be_positive(concentration):
    """The error names what was given."""
    with pytest.raises(ValueError, match=f"above 0, got {concentration}"):
        largest_shares(np.array([2]), concentration, 1, 0)
