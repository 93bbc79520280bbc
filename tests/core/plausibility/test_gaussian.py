"""Scores: the Student t posterior against quadrature, limits and invariances."""

from __future__ import annotations

import numpy as np
import pytest
from reading_lists import scores
from scipy import integrate, stats

from core.plausibility.candidates import Candidates
from core.plausibility.gaussian import ScorePrior, gaussian, score_prior
from core.plausibility.one_hot import OneHotPosterior
from core.study.seeds import case_seeds

CASES = [[1.0, 3.0, 2.5], [4.0], [2.0, 2.0], [0.5, 5.0, 3.0, 3.5]]
PRIOR = ScorePrior(mean=2.0, variance=1.5, mean_weight=0.7, variance_weight=3.0)


def above(posterior):
    """P(at or above the threshold) of each case with readings."""
    return posterior.top1.candidate[1::2]


@pytest.mark.parametrize("gamma", [0.4, 1.0, 3.0])
def test_posterior_equals_quadrature_over_mean_and_variance(gamma):
    """P(mean ≥ threshold) by integrating likelihood^γ times prior over both unknowns on a grid."""
    mean = np.linspace(-12, 17, 1451)[:, None]
    log_variance = np.linspace(-6, 8, 701)
    sd = np.exp(log_variance / 2)
    log_prior = stats.norm.logpdf(mean, PRIOR.mean, sd / np.sqrt(PRIOR.mean_weight))
    shape = PRIOR.variance_weight / 2
    log_prior = log_prior + stats.invgamma.logpdf(sd**2, shape, scale=shape * PRIOR.variance) + log_variance
    for case in CASES:
        log_density = log_prior + gamma * sum(stats.norm.logpdf(x, mean, sd) for x in case)
        density = integrate.trapezoid(np.exp(log_density - log_density.max()), log_variance, axis=1)
        threshold = mean[725, 0]  # a node, in the middle
        expected = integrate.trapezoid(density[725:]) / integrate.trapezoid(density)
        posterior = gaussian(scores([case]), threshold=threshold, gamma=gamma, prior=PRIOR)
        assert above(posterior)[0] == pytest.approx(expected, abs=2e-4)
        assert 1 - posterior.cdf(threshold)[0] == pytest.approx(expected, abs=2e-4)


def test_whole_gamma_equals_repeated_readings():
    """Each reading counted three times is each reading written three times."""
    tripled = gaussian(scores([case * 3 for case in CASES]), threshold=2.5, gamma=1, prior=PRIOR)
    counted = gaussian(scores(CASES), threshold=2.5, gamma=3, prior=PRIOR)
    np.testing.assert_allclose(counted.location, tripled.location)
    np.testing.assert_allclose(counted.scale, tripled.scale)
    np.testing.assert_allclose(counted.degrees_of_freedom, tripled.degrees_of_freedom)


def test_infinite_gamma_is_the_sample_mean():
    """At γ = ∞ the side is that of the sample mean, on the threshold above, and large γ tends there."""
    posterior = gaussian(scores(CASES), threshold=2.0, gamma=np.inf)
    assert above(posterior).tolist() == [1, 1, 1, 1]
    np.testing.assert_allclose(posterior.location, [np.mean(case) for case in CASES])
    assert posterior.cdf(2.0).tolist() == [0, 0, 1, 0]
    near = gaussian(scores(CASES), threshold=2.4, gamma=1e9)
    point = gaussian(scores(CASES), threshold=2.4, gamma=np.inf)
    np.testing.assert_allclose(near.top1.candidate, point.top1.candidate, atol=1e-6)
    np.testing.assert_allclose(near.location, point.location, atol=1e-6)


def test_tiny_gamma_is_the_prior():
    """At γ → 0 the mean score is Student t around the prior's mean."""
    posterior = gaussian(scores(CASES), threshold=3.0, gamma=1e-9, prior=PRIOR)
    expected = stats.t.sf(3.0, 3.0, PRIOR.mean, np.sqrt(PRIOR.variance / PRIOR.mean_weight))
    np.testing.assert_allclose(above(posterior), expected, atol=1e-6)


@pytest.mark.parametrize(("shift", "unit"), [(10.0, 1.0), (-3.0, 0.01), (0.0, 1000.0)])
def test_unit_and_origin_of_the_scores_do_not_matter(shift, unit):
    """Other units give the same probabilities under the default prior."""
    plain = gaussian(scores(CASES), threshold=2.6, gamma=1.5)
    other = [[shift + unit * x for x in case] for case in CASES]
    moved = gaussian(scores(other), threshold=shift + unit * 2.6, gamma=1.5)
    np.testing.assert_allclose(moved.top1.candidate, plain.top1.candidate)
    np.testing.assert_allclose(moved.scale, unit * plain.scale)


def test_mirrored_scores_swap_the_sides():
    """Turning the scale round swaps the two probabilities."""
    plain = gaussian(scores(CASES), threshold=2.6, gamma=1.5)
    mirrored = gaussian(scores([[-x for x in case] for case in CASES]), threshold=-2.6, gamma=1.5)
    np.testing.assert_allclose(mirrored.mean.candidate.reshape(-1, 2)[:, ::-1].ravel(), plain.mean.candidate)


def test_order_of_readings_and_cases_does_not_matter():
    """Reversed cases with reversed readings give the reversed answer."""
    plain = gaussian(scores(CASES), threshold=2.6, gamma=1.5)
    back = gaussian(scores([case[::-1] for case in CASES[::-1]]), threshold=2.6, gamma=1.5)
    np.testing.assert_allclose(back.location[::-1], plain.location)
    np.testing.assert_allclose(above(back)[::-1], above(plain))


def test_small_tails_keep_their_digits():
    """Both sides are computed, not one as the rest of the other."""
    posterior = gaussian(scores([[9.0] * 200, [0.0, 4.0]]), threshold=0.0, gamma=1, prior=PRIOR)
    below = posterior.mean.candidate[0]
    df, location, scale = posterior.degrees_of_freedom[0], posterior.location[0], posterior.scale[0]
    assert below == pytest.approx(stats.t.sf((location - 0.0) / scale, df), rel=1e-9)
    assert 0 < below < 1e-40


def test_single_and_equal_readings():
    """One reading, equal readings, one reading in all and nothing but equal readings have an answer."""
    for cases in ([[1.0]], [[1.0], [2.0]], [[3.0, 3.0, 3.0]], [[0.0, 0.0], [5.0, 5.0]]):
        p = above(gaussian(scores(cases), threshold=0.5, gamma=1))
        assert ((p > 0) & (p < 1)).all()
        assert above(gaussian(scores(cases), threshold=0.5, gamma=np.inf)).tolist() == [
            float(case[0] >= 0.5) for case in cases
        ]


def test_more_readings_make_more_certain():
    """Of cases with one mean and scatter, the one with more readings is more certain."""
    cases = [[2.0, 4.0] * n for n in (1, 2, 4, 8)]
    p = above(gaussian(scores(cases), threshold=2.5, gamma=1))
    assert (np.diff(p) > 0).all()
    assert p[0] > 0.5


def test_cases_without_scores_are_undefined():
    """No reading, or one without a score: no candidates and NaN."""
    posterior = gaussian(scores([[], [1.0, 2.0], [np.nan]]), threshold=0.5, gamma=1)
    assert posterior.candidates.per_case.tolist() == [0, 2, 0]
    assert np.isnan(posterior.certainty(1)).tolist() == [True, False, True]
    assert np.isnan(posterior.cdf(1.0)).tolist() == [True, False, True]
    assert posterior.best_set(2).tolist() == [[-1, -1], [1, -1], [-1, -1]]
    nobody = gaussian(scores([[], []]), threshold=0.5, gamma=1)
    assert np.isnan(nobody.certainty(1)).all()


def test_default_prior_is_estimated_from_all_scores():
    """Pooled mean, variance within cases, and its ratio to the variance of all, by hand."""
    prior = score_prior(scores([[1.0, 3.0], [7.0]]))
    total = np.var([1.0, 3.0, 7.0], ddof=1)
    assert prior.mean == pytest.approx(11 / 3)
    assert prior.variance == pytest.approx((2.0 + total) / 2)
    assert prior.mean_weight == pytest.approx((2.0 + total) / 2 / total)
    with pytest.raises(ValueError, match="at least one score"):
        score_prior(scores([[], []]))


def test_interval_coverage_on_simulated_scores():
    """With the prior that made the scores, P(above) is calibrated: it averages to the share truly above."""
    rng = np.random.default_rng(2)
    n = 20_000
    shape = PRIOR.variance_weight / 2
    variance = shape * PRIOR.variance / rng.gamma(shape, size=n)
    mean = rng.normal(PRIOR.mean, np.sqrt(variance / PRIOR.mean_weight))
    drawn = rng.normal(mean[:, None], np.sqrt(variance)[:, None], (n, 3))
    p = above(gaussian(scores(drawn.tolist()), threshold=2.4, gamma=1, prior=PRIOR))
    truth = mean >= 2.4
    for low, high in ((0, 0.1), (0.1, 0.4), (0.4, 0.6), (0.6, 0.9), (0.9, 1.01)):
        bin_ = (p >= low) & (p < high)
        error = 4 * np.sqrt((p[bin_] * (1 - p[bin_])).sum()) / bin_.sum()
        assert p[bin_].mean() == pytest.approx(truth[bin_].mean(), abs=error)


def three_labels():
    """One-hot posterior over three labels in two cases, the second undefined."""
    candidates = Candidates(np.array([0, 3, 6]), np.array([0, 2, 3, 0, 2, 3], np.int32), 5)
    return OneHotPosterior(candidates, np.array([0.5, 0.2, 0.3, np.nan, np.nan, np.nan]))


def test_one_hot_answers_agree_with_its_draws():
    """Every answer equals, within error, that of counting over draws of the same posterior."""
    posterior = three_labels()
    n = 40_000
    drawn = posterior.sample(n, case_seeds(0, ["a", "b"], "test"))
    error = 4 * np.sqrt(0.25 / n)
    first, second = np.array([0, 1, 2, 2]), np.array([1, 2, 0, 1])
    group = np.array([0, 1, 1, 0, 2])
    pairs = [
        (posterior.mean.candidate, drawn.mean.candidate),
        (posterior.in_top(2).candidate, drawn.in_top(2).candidate),
        (posterior.certainty(1), drawn.certainty(1)),
        (posterior.certainty(3), drawn.certainty(3)),
        (posterior.top_set(np.array([[2, -1], [2, -1]])), drawn.top_set(np.array([[2, -1], [2, -1]]))),
        (posterior.top_set(np.array([[0, 2], [0, 2]])), drawn.top_set(np.array([[0, 2], [0, 2]]))),
        (posterior.top_set(np.array([[1], [1]])), drawn.top_set(np.array([[1], [1]]))),
        (posterior.precedes(first, second), drawn.precedes(first, second)),
        (posterior.grouped(group, 3).top1.candidate, drawn.grouped(group, 3).top1.candidate),
    ]
    for exact, counted in pairs:
        np.testing.assert_allclose(exact, counted, atol=error)
    np.testing.assert_array_equal(posterior.best_set(2), drawn.best_set(2))


def test_draws_depend_on_the_seed_of_the_case_alone():
    """The same case among others, or alone, has the same draws."""
    posterior = gaussian(scores(CASES), threshold=2.5, gamma=1, prior=PRIOR)
    seeds = case_seeds(3, ["a", "b", "c", "d"], "gaussian")
    alone = gaussian(scores(CASES[2:3]), threshold=2.5, gamma=1, prior=PRIOR)
    np.testing.assert_array_equal(
        posterior.sample(100, seeds).draws.value[4:6], alone.sample(100, seeds[2:3]).draws.value
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"threshold": 0.0, "gamma": 0.0}, "gamma must be above 0"),
        ({"threshold": 0.0, "gamma": np.nan}, "gamma must be above 0"),
        ({"threshold": np.nan, "gamma": 1.0}, "threshold must be finite"),
    ],
)
def test_bad_options_are_refused(options, message):
    """The error says what was expected."""
    with pytest.raises(ValueError, match=message):
        gaussian(scores(CASES), **options)


def test_bad_priors_are_refused():
    """Weights and variances must be above 0."""
    with pytest.raises(ValueError, match="variance must be above 0"):
        ScorePrior(0.0, 0.0, 1.0)
