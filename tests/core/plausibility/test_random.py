import numpy as np
import pytest
from numba import njit
from scipy import stats

from core.plausibility import random

N = 200_000


@njit
def draw(which, seed, stream, n, shape, p):
    """Draw n variates of one kind."""
    state = random.seed_state(np.uint64(seed), stream)
    out = np.empty(n)
    for i in range(n):
        if which == 0:
            out[i], state = random.uniform(state)
        elif which == 1:
            out[i], state = random.standard_exponential(state)
        elif which == 2:
            out[i], state = random.standard_normal(state)
        elif which == 3:
            out[i], state = random.standard_gamma(state, shape)
        elif which == 4:
            out[i], state = random.log_standard_gamma(state, shape)
        else:
            out[i], state = random.binomial(state, int(shape), p)
    return out


def sample(kind, seed=1, stream=0, n=N, shape=1.0, p=0.5):
    """Draw n variates of a kind given by name."""
    kinds = ["uniform", "exponential", "normal", "gamma", "log_gamma", "binomial"]
    return draw(kinds.index(kind), np.uint64(seed), stream, n, float(shape), p)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "law"), [("uniform", "uniform"), ("exponential", "expon"), ("normal", "norm")]
)
def test_standard_distributions(kind, law):
    """Uniform, exponential and normal variates follow their distribution functions."""
    assert stats.kstest(sample(kind, seed=7), law).pvalue > 0.01


@pytest.mark.parametrize("shape", [0.05, 0.3, 0.999, 1.0, 1.001, 2.5, 40.0, 1e4])
def test_gamma_distribution(shape):
    """Gamma variates follow their distribution function on both sides of shape 1."""
    assert stats.kstest(sample("gamma", seed=11, shape=shape), "gamma", args=(shape,)).pvalue > 0.01


@pytest.mark.parametrize("shape", [1e-3, 0.2, 1.0, 3.0])
def test_log_gamma_distribution(shape):
    """Logarithms of gamma variates follow the log-gamma law, where the variates themselves underflow too."""
    draws = sample("log_gamma", seed=3, shape=shape)
    assert np.isfinite(draws).all()
    if shape < 0.1:  # a·log G(a) tends to minus an exponential
        assert stats.kstest(-shape * draws, "expon").pvalue > 0.01
    else:
        assert stats.kstest(draws, "loggamma", args=(shape,)).pvalue > 0.01


def test_tails():
    """Rare large normal and exponential variates come as often as they should (beyond the last layer too)."""
    normal = np.abs(sample("normal", seed=5, n=4_000_000))
    exponential = sample("exponential", seed=5, n=4_000_000)
    for draws, law, edge in [(normal, stats.halfnorm, 3.7), (exponential, stats.expon, 7.8)]:
        expected = len(draws) * law.sf(edge)
        assert abs((draws > edge).sum() - expected) < 4 * np.sqrt(expected)
        assert stats.kstest((law.sf(draws[draws > edge]) / law.sf(edge)), "uniform").pvalue > 0.01


@pytest.mark.parametrize(("n", "p"), [(1, 0.3), (20, 0.5), (21, 0.02), (500, 0.7), (10_000, 0.0005)])
def test_binomial_distribution(n, p):
    """Binomial counts agree with their probabilities, counted one by one and halved."""
    draws = sample("binomial", seed=13, shape=n, p=p).astype(int)
    low, high = stats.binom.ppf([0.001, 0.999], n, p).astype(int)
    edges = np.arange(low, high + 1)
    observed = np.bincount(np.clip(draws, low, high) - low, minlength=len(edges))
    cumulative = stats.binom.cdf(edges, n, p)
    cumulative[-1] = 1
    expected = np.diff(cumulative, prepend=0) * N
    keep = expected > 5
    if not keep.all():
        observed = np.append(observed[keep], observed[~keep].sum())
        expected = np.append(expected[keep], expected[~keep].sum())
    assert stats.chisquare(observed, expected).pvalue > 0.01 if len(observed) > 1 else True


def test_binomial_at_the_ends():
    """Probability 0 gives no success, probability 1 nothing else."""
    assert not sample("binomial", shape=1000, p=0.0, n=100).any()
    assert (sample("binomial", shape=1000, p=1.0, n=100) == 1000).all()


def test_reference_words():
    """The generator gives the words that the recurrence of xoshiro256++ gives in plain integers."""
    mask = 2**64 - 1
    state = tuple(int(word) for word in random.seed_state(np.uint64(42), 0))
    s, words = list(state), []
    for _ in range(5):
        total = (s[0] + s[3]) & mask
        words.append(((total << 23 | total >> 41) + s[0]) & mask)
        shifted = (s[1] << 17) & mask
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= shifted
        s[3] = (s[3] << 45 | s[3] >> 19) & mask
    np.testing.assert_array_equal(sample("uniform", seed=42, n=5), [(w >> 11) * 2.0**-53 for w in words])


def test_same_seed_same_numbers():
    """A stream is decided by its seed and number."""
    once, again = (sample("gamma", seed=2**64 - 1, n=50) for _ in range(2))
    np.testing.assert_array_equal(once, again)


def test_streams_are_independent():
    """Neighbouring seeds and streams give unrelated numbers."""
    streams = np.array([sample("uniform", seed=s, stream=t, n=20_000) for s in range(5) for t in range(4)])
    correlation = np.corrcoef(streams)[np.triu_indices(len(streams), 1)]
    assert np.abs(correlation).max() < 4.5 / np.sqrt(20_000)
    first = np.array([sample("uniform", seed=s, n=1)[0] for s in range(5000)])
    assert stats.kstest(first, "uniform").pvalue > 0.01
