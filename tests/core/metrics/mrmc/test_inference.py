"""Intervals, margins, truths combined, and sizes of studies."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from core.metrics.mrmc.inference import Inference
from core.metrics.mrmc.pair_sums import pair_sums
from core.metrics.mrmc.plausible_truths import over_truths
from core.metrics.mrmc.sizing import cases_needed, power
from core.metrics.mrmc.variance import variance
from tests.helpers.reader_studies import roe_metz


def test_tests_and_intervals_agree() -> None:
    """No worse where the interval's lower end is above the margin; equivalent where all of it is inside."""
    found = Inference(0.01, 0.02, 12.0)
    low, high = found.interval()
    assert found.p_not_inferior(-low) == pytest.approx(0.025)
    assert found.p_two_sided(low) == pytest.approx(0.05)
    assert found.p_equivalent(max(-low, high)) == pytest.approx(0.025)
    assert found.p_equivalent(1.0) < 1e-6
    for margin in (0.0, -0.05, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="margin must be a number above 0"):
            found.p_not_inferior(margin)


def test_the_interval_of_a_share_stays_between_0_and_1() -> None:
    """About the plain one where the error is small; undefined at the end."""
    low, high = Inference(0.97, 0.02, 5.0).share_interval()
    assert 0 < low < 0.97 < high < 1
    near = Inference(0.7, 1e-4, 50.0)
    assert near.share_interval() == pytest.approx(near.interval(), abs=1e-7)
    assert np.isnan(Inference(1.0, 0.0, 5.0).share_interval()).all()


def test_one_truth_adds_nothing_and_more_add_their_scatter() -> None:
    """Rubin's rules: total variance, and degrees of freedom between those of the sample and none."""
    one = over_truths(np.array([0.1]), np.array([0.04]), np.array([9.0]))
    assert (one.inference, one.truth_share) == (Inference(0.1, 0.2, 9.0), 0.0)
    rng = np.random.default_rng(0)
    estimate = rng.normal(0.1, 0.1, 200)
    found = over_truths(estimate, np.full(200, 0.04), np.full(200, np.inf))
    between = estimate.var(ddof=1) * 201 / 200
    assert found.inference.standard_error == pytest.approx((0.04 + between) ** 0.5)
    assert found.truth_share == pytest.approx(between / (0.04 + between))
    assert found.inference.df == pytest.approx(199 / found.truth_share**2)
    assert over_truths(estimate, np.full(200, 0.04), np.full(200, 9.0)).inference.df < 9
    with pytest.raises(ValueError, match=r"not above 0.*add readers or cases"):
        over_truths(estimate, np.zeros(200), np.full(200, 9.0))


def test_power_is_what_simulated_studies_reach() -> None:
    """Components known, the difference normal: the share of significant ones, and of no worse ones."""
    component = {frozenset(["reader"]): 0.002, frozenset(["negative"]): 0.05, frozenset(["positive"]): 0.05}
    size = {"reader": 8.0, "negative": 60.0, "positive": 40.0}
    total = 0.002 / 8 + 0.05 / 60 + 0.05 / 40
    below = (0.002 / 8) ** 2 / 7 + (0.05 / 60) ** 2 / 59 + (0.05 / 40) ** 2 / 39
    df = total**2 / below
    rng = np.random.default_rng(1)
    spread = total**0.5 * (rng.chisquare(df, 200_000) / df) ** 0.5
    drawn = rng.normal(0.1, total**0.5, 200_000)
    least = stats.t.ppf(0.975, df)
    either = (np.abs(drawn) / spread > least).mean()
    no_worse = ((drawn + 0.05) / spread > least).mean()
    assert power(component, size, difference=0.1) == pytest.approx(either, abs=0.004)
    assert power(component, size, difference=0.1, margin=0.05) == pytest.approx(no_worse, abs=0.004)
    assert power(component, size, difference=0.0) == pytest.approx(0.05, abs=1e-6)


def test_cases_needed_reach_the_power_and_one_less_does_not() -> None:
    """More readers need fewer cases; where readers differ too much no number is enough."""
    curves, truth = roe_metz(np.random.default_rng(5), n_readers=6)
    found = variance(curves, pair_sums(curves, truth[None]), 0, 1).component
    component = {of: float(value[0]) for of, value in found.items()}
    kinds = {"negative": 0.6, "positive": 0.4}
    few, many = (cases_needed(component, n, kinds, difference=0.05) for n in (6, 20))
    assert few is not None
    assert many is not None
    assert many < few
    for n, is_enough in ((few, True), (few - 1, False)):
        size = {"reader": 6.0, "negative": 0.6 * n, "positive": 0.4 * n}
        assert (power(component, size, difference=0.05) >= 0.8) == is_enough
    assert cases_needed({frozenset(["reader"]): 1.0}, 3, kinds, difference=0.05) is None
