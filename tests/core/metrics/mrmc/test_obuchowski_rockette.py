"""Analysis of variance of readers: the standard example to all printed digits, and its identities."""

from __future__ import annotations

import numpy as np
import pytest

from core.metrics.mrmc.choices import COVARIANCE_METHODS
from core.metrics.mrmc.curves import Curves
from core.metrics.mrmc.obuchowski_rockette import curve_covariance, obuchowski_rockette
from core.metrics.mrmc.pair_sums import pair_sums
from core.metrics.mrmc.variance import variance
from tests.helpers.reader_studies import roe_metz, van_dyke, viper


def test_the_standard_example_to_all_printed_digits() -> None:
    """Van Dyke: AUCs, components, difference and single modalities with DeLong's covariances."""
    curves, truth = van_dyke()
    found = obuchowski_rockette(curves, pair_sums(curves, truth[None]))
    assert found.value.mean(axis=1) == pytest.approx([0.8970370, 0.9408374], abs=5e-8)
    printed = {
        "reader": 0.0015364254,
        "modality:reader": 0.0002045840,
        "error": 0.0007921325,
        "cov1": 0.0003420090,
        "cov2": 0.0003395265,
        "cov3": 0.0002358497,
    }
    assert found.components == pytest.approx(printed, abs=5.1e-11)
    squares = found.mean_squares
    assert [squares["T"], squares["TR"]] == pytest.approx([0.004796171, 0.0005510306], abs=5.1e-10)
    difference = found.difference(0, 1)
    assert difference.estimate == pytest.approx(-0.04380032, abs=5e-9)
    assert difference.standard_error == pytest.approx(0.0206825, abs=5e-8)
    assert difference.df == pytest.approx(15.06611, abs=5e-6)
    assert difference.p_two_sided() == pytest.approx(0.05123303, abs=5e-9)
    assert difference.t() == pytest.approx(-2.117747, abs=5e-7)
    assert difference.interval() == pytest.approx([-0.0878671960, 0.0002665519], abs=5.1e-11)
    for modality, (error, df, low, high) in enumerate(
        [(0.03307642, 12.59597, 0.8253461, 0.9687280), (0.02150464, 12.56530, 0.8942155, 0.9874592)]
    ):
        single = found.single(modality)
        assert single.standard_error == pytest.approx(error, abs=5e-9)
        assert single.df == pytest.approx(df, abs=5e-6)
        assert single.interval() == pytest.approx([low, high], abs=5e-8)


def test_unbiased_covariances_give_the_variance_of_u_statistics() -> None:
    """Of a difference in a crossed study, with readers random or fixed."""
    curves, truth = roe_metz(np.random.default_rng(2), reader_variance=0.05)
    sums = pair_sums(curves, truth[None])
    found = obuchowski_rockette(curves, sums, method="unbiased")
    for readers in ("random", "fixed"):
        error = found.difference(0, 1, readers=readers).standard_error
        assert error**2 == pytest.approx(variance(curves, sums, 0, 1, readers=readers).variance[0])


def test_jackknife_leaves_out_one_case_at_a_time() -> None:
    """Against AUROCs of all but one case, computed anew."""
    curves, truth = roe_metz(np.random.default_rng(4), n_readers=2, n_cases=(8, 11))
    n = len(truth)
    without = []
    for left in range(n):
        rest = np.arange(n) != left
        part = Curves.of_matrix(curves.score[:, rest].reshape(2, 2, -1), curves.modalities, curves.readers)
        without.append(pair_sums(part, truth[None, rest]).value[0])
    by_hand = np.cov(np.array(without).T) * (n - 1) ** 2 / n
    found = curve_covariance(pair_sums(curves, truth[None]), "jackknife")
    np.testing.assert_allclose(found, by_hand, rtol=1e-9)


def test_the_three_covariances_are_close_and_one_for_single_cases() -> None:
    """DeLong's and the jackknife's are a little larger than the unbiased ones."""
    curves, truth = van_dyke()
    sums = pair_sums(curves, truth[None])
    delong, jackknife, unbiased = (curve_covariance(sums, method) for method in COVARIANCE_METHODS)
    assert np.abs(delong - unbiased).max() < 0.05 * unbiased.max()
    assert (np.diag(jackknife) > np.diag(unbiased)).all()
    share = pair_sums(curves, truth[None], metric="sensitivity", threshold=3)
    says = (curves.score >= 3)[:, truth].astype(float)
    for method in COVARIANCE_METHODS:
        np.testing.assert_allclose(curve_covariance(share, method), np.cov(says) / says.shape[1])


def test_designs_that_are_not_crossed_are_refused() -> None:
    """A model without readers, a hole, one reader."""
    curves, truth = viper()
    with pytest.raises(ValueError, match="nobody reads AI; take the method u-statistics"):
        obuchowski_rockette(curves, pair_sums(curves, truth[None]))
    crossed, answer = roe_metz(np.random.default_rng(0), n_readers=2)
    score = np.array(crossed.score)
    score[0, 0] = np.nan
    holed = Curves(crossed.modalities, crossed.readers, crossed.modality, crossed.reader, score)
    with pytest.raises(ValueError, match="1 of 100 cases are not"):
        obuchowski_rockette(holed, pair_sums(holed, answer[None]))
