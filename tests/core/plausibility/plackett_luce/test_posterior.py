"""Plackett–Luce posterior: calibration, importance sampling, forward simulation, limits and invariances."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from reading_lists import differentials
from scipy.stats import beta, chisquare, ks_1samp, ks_2samp

from core.plausibility.plackett_luce.likelihood import LATTICE_LIMIT, log_likelihood
from core.plausibility.plackett_luce.maximum_likelihood import plackett_luce_mle
from core.plausibility.plackett_luce.posterior import plackett_luce
from core.plausibility.posterior import SampledPosterior
from core.threads import VARIABLE

TIES = {
    "two ties": ([[[0, 1], [2]], [[1], [0, 2]], [[2], [1]]], 5),
    "same tie twice": ([[[0, 1], [2]], [[0, 1]], [[3], [0, 1]]], 6),
    "tie of three": ([[[0, 1, 2], [3]], [[3], [2]]], 6),
    "closed": ([[[0], [1, 2]], [[2, 1], [0]], [[1]]], 3),
    "one unmentioned": ([[[0, 1]], [[2], [1, 0]]], 4),
}
LARGE = ([[list(range(LATTICE_LIMIT + 1)), [10]], [[10], [3, 4]]], 12)
BOTH_PRIORS = pytest.mark.parametrize("prior", ["released", "per_label"])


def seeds(n, first=0):
    """One seed a case."""
    return np.arange(first, first + n, dtype=np.uint64)


def sample(cases, n_labels, gamma=1.0, **options) -> SampledPosterior:
    """Draws for cases as nested lists."""
    options = {"seeds": seeds(len(cases)), **options}
    return plackett_luce(differentials(cases), n_labels, gamma=gamma, **options)


def table(posterior, case=0):
    """Draws of a case's candidates, in label order, and of all others together, as rows."""
    draws = posterior.draws
    return np.vstack([draws.value[draws.candidates.of_case(case)], draws.rest[case][None]]).astype(np.float64)


def by_importance_sampling(case, n_labels, gamma, prior, n, weights=None):
    """Means and spreads of plausibilities, and the means' errors: prior draws, weighed by likelihood."""
    labels = sorted({k for reading in case for block in reading for k in block})
    unmentioned = n_labels - len(labels)
    shape = np.array([1.0] * len(labels) + [float(unmentioned > 0)])
    if prior == "per_label":
        shape = np.array([1.0] * len(labels) + [float(unmentioned)]) / n_labels
    rates = np.random.default_rng(99).gamma(np.broadcast_to(shape, (n, len(shape))))
    rates /= rates.sum(axis=1, keepdims=True)
    log_weight = np.zeros(n)
    for reading, counts in zip(case, weights or [1] * len(case), strict=True):
        blocks = [[labels.index(k) for k in block] for block in reading]
        log_weight += gamma * counts * log_likelihood(blocks, rates[:, :-1], rates[:, -1])
    weight = np.exp(log_weight - log_weight.max())
    weight /= weight.sum()
    value = rates.T
    mean = value @ weight
    deviation = value - mean[:, None]
    return mean, np.sqrt(deviation**2 @ weight), np.sqrt(((deviation * weight) ** 2).sum(axis=1))


def error_of_mean(draws, n_batches=50):
    """Standard error of the mean of each row of a chain, by means of batches."""
    batches = draws[:, : draws.shape[1] // n_batches * n_batches].reshape(len(draws), n_batches, -1)
    return batches.mean(axis=2).std(axis=1, ddof=1) / np.sqrt(n_batches)


@pytest.mark.slow
@BOTH_PRIORS
@pytest.mark.parametrize(("name", "gamma"), [("two ties", 5), ("tie of three", 6.5), ("same tie twice", 4)])
def test_importance_sampling_of_heavy_ties(name, gamma, prior):
    """The same where rates of tied labels are moved one by one and exchanged."""
    case, n_labels = TIES[name]
    mean, spread, error = by_importance_sampling(case, n_labels, gamma, prior, 1_000_000)
    got = table(sample([case], n_labels, gamma, prior=prior, draws=25_000))
    assert (np.abs(got.mean(axis=1) - mean) < 4.5 * np.hypot(error, error_of_mean(got)) + 1e-5).all()
    np.testing.assert_allclose(got.std(axis=1), spread, atol=0.015)


@pytest.mark.parametrize("gamma", [1, 2.5])
@pytest.mark.parametrize("name", ["two ties", "same tie twice", "closed"])
def test_importance_sampling_of_weighted_readings(name, gamma):
    """Readings of different weights, each a power of its exact likelihood."""
    case, n_labels = TIES[name]
    weights = [0.3, 1.0, 0.65][: len(case)]
    mean, _, error = by_importance_sampling(case, n_labels, gamma, "released", 300_000, weights)
    got = table(sample([case], n_labels, gamma, weight=np.array(weights), draws=25_000))
    assert (np.abs(got.mean(axis=1) - mean) < 4.5 * np.hypot(error, error_of_mean(got)) + 1e-5).all()


def test_bad_weights_are_refused():
    """Negative, endless or missing ones."""
    for weight in ([-1.0], [np.inf], [1.0, 1.0]):
        with pytest.raises(ValueError, match="weight must"):
            sample([[[[0]]]], 3, weight=np.array(weight))


@pytest.mark.parametrize("gamma", [30, 100])
@pytest.mark.parametrize("case", [[[[0, 1, 2]]], [[[0, 1, 2], [3]]], [[[0, 1, 2]], [[3]]]])
def test_tied_labels_lead_equally_often(case, gamma):
    """By symmetry, whatever the seed: nothing tells three labels apart that one reading ties."""
    n_seeds = 40
    posterior = sample([case] * n_seeds, 10, gamma)
    value = posterior.draws.value.reshape(n_seeds, -1, posterior.draws.n_draws)[:, :3]
    leads = np.stack([(value.argmax(axis=1) == k).mean(axis=1) for k in range(3)])
    np.testing.assert_allclose(leads.mean(axis=1), 1 / 3, atol=0.015)
    assert leads.std() < 0.025
    assert np.abs(leads - 1 / 3).max() < 0.09


@BOTH_PRIORS
@pytest.mark.parametrize("gamma", [0.5, 1, 2.5])
@pytest.mark.parametrize("name", TIES)
def test_importance_sampling(name, gamma, prior):
    """Means and spreads of every plausibility agree with the exact likelihood's."""
    case, n_labels = TIES[name]
    mean, spread, error = by_importance_sampling(case, n_labels, gamma, prior, 300_000)
    got = table(sample([case], n_labels, gamma, prior=prior, draws=25_000))
    assert (np.abs(got.mean(axis=1) - mean) < 4.5 * np.hypot(error, error_of_mean(got)) + 1e-5).all()
    np.testing.assert_allclose(got.std(axis=1), spread, atol=0.006)
    np.testing.assert_allclose(got.sum(axis=0), 1, atol=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("gamma", [0.5, 1, 1.5])
def test_importance_sampling_with_a_large_block(gamma):
    """The same with a block that is drawn through the first arrival from outside."""
    case, n_labels = LARGE
    mean, spread, error = by_importance_sampling(case, n_labels, gamma, "released", 80_000)
    got = table(sample([case], n_labels, gamma, draws=12_000))
    assert (np.abs(got.mean(axis=1) - mean) < 4.5 * np.hypot(error, error_of_mean(got)) + 1e-5).all()
    np.testing.assert_allclose(got.std(axis=1), spread, atol=0.012)


def arrivals(rng, rates, sizes, n_readings):
    """Readings with given block sizes, by the order in which labels arrive."""
    orders = np.argsort(rng.standard_exponential((n_readings, len(rates))) / rates)
    return [[block.tolist() for block in np.split(order, np.cumsum(sizes))[:-1]] for order in orders]


@pytest.mark.parametrize(
    ("sizes", "n_labels", "n_readings", "prior", "n_cases", "warmup"),
    [
        ((2, 1), 4, 3, "released", 500, 100),
        ((3,), 4, 2, "released", 500, 100),
        ((1, 2), 3, 2, "released", 500, 100),
        ((2,), 5, 3, "per_label", 500, 100),
        ((1, 3), 6, 4, "per_label", 500, 100),
        ((LATTICE_LIMIT + 1,), LATTICE_LIMIT + 2, 2, "released", 200, 100),
        # Rates far apart and a large block: the chain is slow to reach the least of them.
        ((1, LATTICE_LIMIT + 1, 1), LATTICE_LIMIT + 4, 2, "per_label", 120, 2000),
    ],
)
def test_simulation_based_calibration(sizes, n_labels, n_readings, prior, n_cases, warmup):
    """A truth drawn from the prior ranks uniformly among draws given readings that it generates.

    Ranked are the plausibility of all unmentioned labels or, where there are none, of the first label; the
    largest plausibility of a mentioned one; and the likelihood. With at most one label unmentioned, the
    released prior is one of equal shapes whatever the readings.
    """
    rng = np.random.default_rng(17)
    n_kept, every, n_bins = 39, 15, 8
    rates = rng.standard_gamma(1.0 if prior == "released" else 1 / n_labels, (n_cases, n_labels))
    truth = rates / rates.sum(axis=1, keepdims=True)
    cases = [arrivals(rng, row, sizes, n_readings) for row in truth]
    posterior = sample(cases, n_labels, prior=prior, draws=n_kept * every, warmup=warmup)
    ranks = np.zeros((3, n_cases), np.int64)
    for i, case in enumerate(cases):
        labels = posterior.candidates.label[posterior.candidates.of_case(i)]
        mentioned = truth[i, labels]
        unmentioned = np.delete(truth[i], labels).sum()
        values = np.column_stack([[*mentioned, unmentioned], table(posterior, i)[:, ::every]])
        slot = {int(label): row for row, label in enumerate(labels)}
        local = [[[slot[k] for k in block] for block in reading] for reading in case]
        statistics = (
            values[-1] if len(labels) < n_labels else values[0],
            values[:-1].max(axis=0),
            sum(log_likelihood(reading, values[:-1].T, values[-1]) for reading in local),
        )
        ranks[:, i] = [np.sum(x[1:] < x[0]) for x in statistics]
    for rank in ranks:
        assert chisquare(np.bincount(rank * n_bins // (n_kept + 1), minlength=n_bins)).pvalue > 1e-3


@pytest.mark.parametrize("name", TIES)
def test_whole_reliability_is_repeated_raters(name):
    """γ = 3 has the distribution of every reading given three times."""
    case, n_labels = TIES[name]
    weighed = table(sample([case], n_labels, 3.0, draws=20_000))
    repeated = table(sample([case * 3], n_labels, 1.0, draws=20_000, seeds=seeds(1, 5)))
    error = np.hypot(error_of_mean(weighed), error_of_mean(repeated))
    assert (np.abs(weighed.mean(axis=1) - repeated.mean(axis=1)) < 4 * error + 1e-6).all()
    quantiles = [0.1, 0.5, 0.9]
    np.testing.assert_allclose(
        np.quantile(weighed, quantiles, axis=1), np.quantile(repeated, quantiles, axis=1), atol=0.03
    )


@pytest.mark.parametrize("gamma", [1.0, 2.5])
def test_a_case_depends_on_its_seed_alone(gamma):
    """Whatever the batch and the order of cases, the same numbers."""
    cases = [*(case for case, _ in TIES.values()), LARGE[0], [], [[[7]]]]
    readings, n_labels = differentials(cases), 14
    options = {"gamma": gamma, "draws": 40, "warmup": 10, "chains": 2}
    together = plackett_luce(readings, n_labels, seeds=seeds(len(cases)), **options)
    order = np.random.default_rng(0).permutation(len(cases))
    for chosen in (order, order[:3], *([i] for i in range(len(cases)))):
        own = seeds(len(cases))[chosen]
        part = plackett_luce(readings.take_cases(chosen), n_labels, seeds=own, **options)
        for place, case in enumerate(chosen):
            np.testing.assert_array_equal(table(part, place), table(together, case))
            np.testing.assert_array_equal(
                part.draws.shares[part.draws.size[place]], together.draws.shares[together.draws.size[case]]
            )


@pytest.mark.parametrize("gamma", [1.0, 2.5])
@pytest.mark.parametrize("chains", [1, 2])
def test_threads_change_nothing(gamma, chains, monkeypatch):
    """The same bytes from one thread, two and three, and from two callers at once."""
    cases = [TIES[name][0] for name in TIES] * 8 + [LARGE[0], []] * 2
    order = np.random.default_rng(3).permutation(len(cases))

    def draws(threads):
        monkeypatch.setenv(VARIABLE, str(threads))
        found = sample([cases[i] for i in order], 12, gamma, draws=60, warmup=20, chains=chains).draws
        return found.value.tobytes(), found.rest.tobytes()

    alone = draws(1)
    assert draws(2) == alone
    assert draws(3) == alone
    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(draws, [3, 3])) == [alone, alone]


def test_seeds_change_draws():
    """Equal seeds give equal draws, other seeds and other chains others."""
    case, n_labels = TIES["two ties"]
    posterior = sample([case] * 3, n_labels, seeds=np.array([4, 4, 5], np.uint64), draws=200, chains=2)
    np.testing.assert_array_equal(table(posterior, 0), table(posterior, 1))
    assert (table(posterior, 0) != table(posterior, 2)).all()
    assert (table(posterior)[:, :100] != table(posterior)[:, 100:]).all()
    assert posterior.draws.n_chains == 2


@pytest.mark.parametrize("gamma", [1.0, 1.5])
@pytest.mark.parametrize("name", ["two ties", "tie of three", "large"])
def test_names_of_labels_do_not_matter(name, gamma):
    """A task with its labels renamed has the same posterior, label by label."""
    case, n_labels = LARGE if name == "large" else TIES[name]
    permutation = np.random.default_rng(1).permutation(n_labels)
    renamed = [[[int(permutation[k]) for k in block] for block in reading] for reading in case]
    first = sample([case], n_labels, gamma, draws=8_000)
    second = sample([renamed], n_labels, gamma, draws=8_000, seeds=seeds(1, 3))
    slots = second.candidates.locate(permutation[first.candidates.label][None])[0]
    one, other = table(first), table(second)[[*slots, -1]]
    error = np.hypot(error_of_mean(one), error_of_mean(other))
    assert (np.abs(one.mean(axis=1) - other.mean(axis=1)) < 4.5 * error).all()


@pytest.mark.parametrize("gamma", [1.0, 2.5])
def test_number_of_labels_enters_only_through_the_rest(gamma):
    """With the released prior candidates have the same draws whether 419 or 100,000 labels exist."""
    cases = [case for case, _ in TIES.values()]
    few, many = (sample(cases, k, gamma, draws=200, warmup=20) for k in (419, 100_000))
    np.testing.assert_array_equal(few.draws.value, many.draws.value)
    np.testing.assert_array_equal(few.draws.rest, many.draws.rest)
    for posterior in (few, many):
        mean = posterior.mean
        total = mean.candidate.sum() + (posterior.candidates.unmentioned * mean.other).sum()
        assert total == pytest.approx(len(cases), rel=1e-6)


@pytest.mark.parametrize("gamma", [0.4, 1, 3])
@BOTH_PRIORS
def test_a_single_label(gamma, prior):
    """One reading of one label: Beta(a + γ, b), with independent draws."""
    draws = table(sample([[[[2]]]], 8, gamma, prior=prior, draws=4000))
    a, b = (1, 1) if prior == "released" else (1 / 8, 7 / 8)
    assert ks_1samp(draws[0], beta(a + gamma, b).cdf).pvalue > 1e-3
    correlation = np.corrcoef(draws[0, :-1], draws[0, 1:])[0, 1]
    assert abs(correlation) < 4 / np.sqrt(4000)


@BOTH_PRIORS
def test_choices_are_dirichlet(prior):
    """Readings of one label each: the conjugate Dirichlet, label by label."""
    counts = {0: 4, 3: 1, 5: 2}
    case = [[[k]] for k, count in counts.items() for _ in range(count)]
    draws = table(sample([case], 10, 1.5, prior=prior, draws=4000))
    a, rest = (1, 1) if prior == "released" else (0.1, 0.7)
    shape = np.array([*(a + 1.5 * count for count in counts.values()), rest])
    for row, one in zip(draws, shape, strict=True):
        assert ks_1samp(row, beta(one, shape.sum() - one).cdf).pvalue > 1e-3


@pytest.mark.parametrize("gamma", [0.5, 1, 7])
def test_a_tie_of_everything_says_nothing(gamma):
    """All labels in one block leave the prior: a flat Dirichlet, also where the block is large."""
    for k in (3, LATTICE_LIMIT + 3):
        draws = table(sample([[[list(range(k))]]], k, gamma, draws=3000))
        assert ks_1samp(draws[k // 2], beta(1, k - 1).cdf).pvalue > 1e-3
        assert (draws[-1] == 0).all()


def test_thirty_tied_labels():
    """One block of thirty: the plausibility of the thirty-first is that of the label that arrives last."""
    got = table(sample([[[list(range(30))]]], 31, draws=20_000))
    rng = np.random.default_rng(2)
    rates = rng.standard_exponential((100_000, 31))
    last = np.argmax(rng.standard_exponential(rates.shape) / rates, axis=1)
    expected = rates[np.arange(len(rates)), last] / rates.sum(axis=1)
    error = np.hypot(error_of_mean(got)[-1], expected.std() / np.sqrt(len(rates)))
    assert abs(got[-1].mean() - expected.mean()) < 4 * error
    assert ks_2samp(got[-1, ::10], expected).pvalue > 1e-3
    assert (np.abs(got[:-1].mean(axis=1) - (1 - expected.mean()) / 30) < 5 * error_of_mean(got)[:-1]).all()


@pytest.mark.parametrize("gamma", [0.5, 2.5])
def test_many_tied_labels_finish(gamma):
    """Hundreds of tied labels, with a fraction of a reading and with several."""
    case = [[[0], list(range(1, 301))], [list(range(100, 400))]]
    draws = table(sample([case], 419, gamma, draws=20, warmup=5))
    assert np.isfinite(draws).all()
    np.testing.assert_allclose(draws.sum(axis=0), 1, atol=1e-5)


@BOTH_PRIORS
def test_one_label_exists(prior):
    """K = 1: it has everything."""
    draws = table(sample([[[[0]], [[0]]]], 1, 2.5, prior=prior, draws=20))
    assert (draws[0] == 1).all()
    assert (draws[1] == 0).all()


@BOTH_PRIORS
def test_no_readings(prior):
    """A case without readings keeps the prior: everything is with unmentioned labels, alike."""
    posterior = sample([[], [[[1]]]], 4, prior=prior, draws=20)
    assert (posterior.draws.rest[0] == 1).all()
    assert posterior.mean.other[0] == pytest.approx(0.25)
    assert np.isnan(posterior.certainty(1)).tolist() == [True, False]


@pytest.mark.slow
def test_infinite_reliability_is_maximum_likelihood():
    """γ = ∞ gives the point estimate, to which large γ leads."""
    case, n_labels = [[[0], [1, 2]], [[1], [2, 0]], [[2], [0]], [[0, 1], [2]]], 5
    limit = table(sample([case], n_labels, np.inf))
    np.testing.assert_array_equal(limit, table(plackett_luce_mle(differentials([case]), n_labels)))
    near = table(sample([case], n_labels, 3000.5, draws=4000))
    np.testing.assert_allclose(near.mean(axis=1), limit[:, 0], atol=0.006)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"gamma": 0}, "gamma must be above 0, got 0"),
        ({"gamma": -1.5}, "gamma must be above 0, got -1.5"),
        ({"gamma": np.nan}, "gamma must be above 0, got nan"),
        ({"prior": "flat"}, "prior must be one of released, per_label, got 'flat'"),
        ({"draws": 0}, "got draws=0, chains=1, warmup=500"),
        ({"draws": 10, "chains": 4}, "got draws=10, chains=4, warmup=500"),
        ({"chains": 0}, "got draws=1000, chains=0, warmup=500"),
        ({"warmup": -1}, "got draws=1000, chains=1, warmup=-1"),
        ({"seeds": seeds(2)}, r"seeds must have shape \(1,\), got \(2,\)"),
    ],
)
def test_errors_name_allowed_and_given(options, message):
    """Every option."""
    with pytest.raises(ValueError, match=message):
        sample([[[[0]]]], 3, **options)
