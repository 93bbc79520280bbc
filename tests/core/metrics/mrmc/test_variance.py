"""U-statistics of readers and cases: published numbers, brute force, and coverage."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from core.metrics.mrmc.checks import check_classes
from core.metrics.mrmc.choices import METRICS
from core.metrics.mrmc.curves import Curves
from core.metrics.mrmc.inference import Inference
from core.metrics.mrmc.pair_sums import pair_sums
from core.metrics.mrmc.variance import variance
from tests.helpers.reader_studies import roe_metz, van_dyke, viper


def holed(rng: np.random.Generator, *, alone: bool = False) -> tuple[Curves, NDArray[np.bool_]]:
    """Two modalities, three readers, nine cases with many ties and holes; the second perhaps a model."""
    score = rng.integers(0, 4, (6, 9)).astype(float)
    score[rng.uniform(size=score.shape) < 0.15] = np.nan
    curves = Curves.of_matrix(score.reshape(2, 3, 9), ["A", "B"], ["x", "y", "z"])
    if alone:
        curves = Curves(
            ("A", "B"), ("x", "y", "z"), np.array([0, 0, 0, 1]), np.array([0, 1, 2, -1]), score[:4]
        )
    return curves, np.arange(9) % 2 == 0


def by_hand(curves: Curves, truth: NDArray[np.bool_], first: int, second: int) -> float:
    """Covariance Û_m Û_n less the mean product over pairs of readings that share nothing, by loops."""

    def observations(modality: int) -> list[tuple[int, int, int, float]]:
        found = []
        for at in curves.of(modality):
            for i, j in product(np.flatnonzero(~truth), np.flatnonzero(truth)):
                low, high = curves.score[at, [i, j]]
                if not np.isnan([low, high]).any():
                    found.append((int(curves.reader[at]), i, j, float(high > low) + 0.5 * float(high == low)))
        return found

    one, other = observations(first), observations(second)
    apart = [
        a[3] * b[3]
        for a, b in product(one, other)
        if (a[0] != b[0] or a[0] < 0) and a[1] != b[1] and a[2] != b[2]
    ]
    return float(np.mean([a[3] for a in one]) * np.mean([b[3] for b in other]) - np.mean(apart))


@pytest.mark.parametrize("alone", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_variances_and_covariances_are_those_of_loops_in_any_design(seed: int, alone: bool) -> None:
    """With holes, ties, and a model that nobody reads."""
    curves, truth = holed(np.random.default_rng(seed), alone=alone)
    sums = pair_sums(curves, truth[None])
    one, other, both = (by_hand(curves, truth, *of) for of in ((0, 0), (1, 1), (0, 1)))
    assert variance(curves, sums, 0).variance[0] == pytest.approx(one)
    assert variance(curves, sums, 1).variance[0] == pytest.approx(other)
    assert variance(curves, sums, 0, 1).variance[0] == pytest.approx(one + other - 2 * both)


@pytest.mark.parametrize("metric", METRICS)
def test_many_truths_at_once_are_each_truth_by_itself(metric: str) -> None:
    """Sums, estimates, variances and degrees of freedom."""
    rng = np.random.default_rng(1)
    curves = Curves.of_matrix(rng.integers(0, 5, (2, 3, 40)).astype(float), ["A", "B"], ["x", "y", "z"])
    truths = rng.uniform(size=(7, 40)) < 0.4
    together = variance(curves, pair_sums(curves, truths, metric=metric, threshold=2), 0, 1)
    for at, truth in enumerate(truths):
        single = variance(curves, pair_sums(curves, truth[None], metric=metric, threshold=2), 0, 1)
        for name in ("estimate", "variance", "df"):
            np.testing.assert_allclose(getattr(together, name)[at], getattr(single, name)[0], rtol=1e-9)


def test_metrics_of_single_cases_are_shares_of_them() -> None:
    """Averages over readers; with cases fixed the variance is that of readers."""
    curves, truth = roe_metz(np.random.default_rng(0))
    says = curves.score >= 0.7
    wanted = {
        "sensitivity": says[:, truth].mean(axis=1),
        "specificity": (~says)[:, ~truth].mean(axis=1),
        "accuracy": (says == truth).mean(axis=1),
    }
    for metric, by_curve in wanted.items():
        found = variance(
            curves, pair_sums(curves, truth[None], metric=metric, threshold=0.7), 0, cases="fixed"
        )
        assert found.estimate[0] == pytest.approx(by_curve[:5].mean())
        assert found.variance[0] == pytest.approx(by_curve[:5].var(ddof=1) / 5)
        assert found.df[0] == pytest.approx(4)
    with pytest.raises(ValueError, match="sensitivity needs a threshold"):
        pair_sums(curves, truth[None], metric="sensitivity")


def test_film_against_a_model_is_no_worse_by_the_published_figures() -> None:
    """VIPER, non-inferiority of a model to readers in a split-plot study."""
    curves, truth = viper()
    sums = pair_sums(curves, truth[None])
    model, film, difference = (variance(curves, sums, *of) for of in ((1,), (0,), (1, 0)))
    assert [model.estimate[0], film.estimate[0]] == pytest.approx([0.7499647, 0.7378646], abs=5e-8)
    assert sorted([model.variance[0], film.variance[0]]) == pytest.approx([5.06e-4, 1.06e-3], rel=0.003)
    covariance = (model.variance[0] + film.variance[0] - difference.variance[0]) / 2
    assert covariance == pytest.approx(3.43e-4, rel=0.003)
    assert difference.variance[0] == pytest.approx(8.78e-4, rel=0.001)
    found = Inference(difference.estimate[0], difference.variance[0] ** 0.5, difference.df[0])
    assert found.standard_error == pytest.approx(0.029634026, abs=1e-9)
    assert found.t(-0.05) == pytest.approx(2.095567, abs=1e-6)
    assert f"{found.p_two_sided(-0.05):.4f}" == "0.0380"
    assert found.p_not_inferior(0.05) == pytest.approx(found.p_two_sided(-0.05) / 2)


def test_a_model_by_itself_scatters_with_cases_alone() -> None:
    """As many hold of one AUROC: the variance of the Mann-Whitney statistic, without bias."""
    curves, truth = viper()
    found = variance(curves, pair_sums(curves, truth[None]), 1)
    score = curves.score[-1]
    kernel = np.sign(score[truth] - score[~truth][:, None]) / 2 + 0.5
    n0, n1 = kernel.shape
    rows, columns = kernel.mean(axis=1).var(ddof=1), kernel.mean(axis=0).var(ddof=1)
    both = kernel - kernel.mean(axis=1, keepdims=True) - kernel.mean(axis=0) + kernel.mean()
    rest = (both**2).sum() / ((n0 - 1) * (n1 - 1))
    assert found.variance[0] == pytest.approx(rows / n0 + columns / n1 - rest / (n0 * n1))
    assert all(np.allclose(part, 0) for of, part in found.part.items() if "reader" in of)


def test_parts_add_up_and_name_what_readers_and_cases_do() -> None:
    """Readers who differ a great deal, and readers who are all the same."""
    rng = np.random.default_rng(3)
    curves, truth = roe_metz(rng, n_readers=8, reader_variance=0.3)
    found = variance(curves, pair_sums(curves, truth[None]), 0)
    assert found.part[frozenset(["reader"])][0] > 0.5 * found.variance[0]
    same = Curves.of_matrix(np.repeat(curves.score[:1], 8, axis=0)[None], ["A"], curves.readers)
    alike = variance(same, pair_sums(same, truth[None]), 0)
    lone = Curves(("A",), (), np.array([0]), np.array([-1]), curves.score[:1])
    assert alike.variance[0] == pytest.approx(variance(lone, pair_sums(lone, truth[None]), 0).variance[0])


def test_fixed_readers_leave_the_scatter_of_cases() -> None:
    """Less than with random readers, and what the analysis of variance says of them."""
    curves, truth = van_dyke()
    sums = pair_sums(curves, truth[None])
    fixed = variance(curves, sums, 0, 1, readers="fixed")
    assert fixed.variance[0] ** 0.5 == pytest.approx(0.018552870, abs=1e-8)
    assert fixed.variance[0] < variance(curves, sums, 0, 1).variance[0]


@pytest.mark.parametrize("blocks", [1, 3])
def test_intervals_hold_the_truth_as_often_as_they_say(blocks: int) -> None:
    """Readers and cases drawn anew by Roe and Metz: no difference, in crossed and split-plot studies."""
    rng, held, n = np.random.default_rng(8), 0, 400
    for _ in range(n):
        curves, truth = roe_metz(rng, n_readers=6, n_cases=(45, 45), reader_variance=0.03)
        score = np.where(np.arange(12)[:, None] % blocks == np.arange(90) % blocks, curves.score, np.nan)
        curves = Curves(curves.modalities, curves.readers, curves.modality, curves.reader, score)
        found = variance(curves, pair_sums(curves, truth[None]), 0, 1)
        held += abs(found.estimate[0]) < stats.t.ppf(0.975, found.df[0]) * found.variance[0] ** 0.5
    assert 0.93 <= held / n <= 0.97


@pytest.mark.parametrize(
    ("n_readers", "reader_variance", "least"),
    [(6, 0.0055, 0.93), (6, 0.03, 0.93), (4, 0.1, 0.93), (3, 0.1, 0.89), (2, 0.03, 0.89)],
)
def test_intervals_of_a_modality_hold_its_accuracy(
    n_readers: int, reader_variance: float, least: float
) -> None:
    """In log odds, with four readers or more as often as they say; with fewer less often, as is said."""
    rng, held, n = np.random.default_rng(5), 0, 400
    true = stats.norm.cdf(1.5 / (2 + 4 * reader_variance) ** 0.5)
    for _ in range(n):
        curves, truth = roe_metz(rng, n_readers=n_readers, n_cases=(45, 45), reader_variance=reader_variance)
        found = variance(curves, pair_sums(curves, truth[None]), 0)
        told = Inference(found.estimate[0], found.variance[0] ** 0.5, found.df[0])
        low, high = told.share_interval()
        held += low <= true <= high
    assert least <= held / n <= (0.98 if least > 0.9 else 0.94)


def test_designs_that_tell_nothing_are_refused_with_what_would() -> None:
    """One reader, nothing random, different cases taken as fixed, no two readings with nothing in common."""
    curves, truth = roe_metz(np.random.default_rng(0), n_readers=1)
    sums = pair_sums(curves, truth[None])
    with pytest.raises(ValueError, match=r"A has one reader, R1.*add readers, or take readers as fixed"):
        variance(curves, sums, 0)
    assert variance(curves, sums, 0, readers="fixed").variance[0] > 0
    with pytest.raises(ValueError, match="both fixed nothing is left to chance"):
        variance(curves, sums, 0, readers="fixed", cases="fixed")
    holes, answer = holed(np.random.default_rng(0))
    with pytest.raises(ValueError, match="readers read different cases; take cases as random"):
        variance(holes, pair_sums(holes, answer[None]), 0, 1, cases="fixed")
    few = Curves.of_matrix(np.array([[[1.0, 2.0], [1.0, 2.0]]]), ["A"], ["x", "y"])
    with pytest.raises(ValueError, match="no two readings are of different readers and of different cases"):
        variance(few, pair_sums(few, np.array([[False, True]])), 0)


def test_cases_of_one_class_are_refused() -> None:
    """Of all, or of one reader, who is named."""
    curves, truth = roe_metz(np.random.default_rng(0), n_readers=2, n_cases=(4, 4))
    with pytest.raises(ValueError, match="1 positive case with a reading, and 2 are needed"):
        check_classes(curves, np.arange(8) == 0)
    score = np.array(curves.score)
    score[1, ~truth] = np.nan
    holed_curves = Curves(curves.modalities, curves.readers, curves.modality, curves.reader, score)
    with pytest.raises(ValueError, match=r"no negative case was read by R2 \(A\).*leave the reader out"):
        check_classes(holed_curves, truth)


@pytest.mark.parametrize("metric", METRICS)
def test_a_truth_of_each_curve_that_is_the_same_is_one_truth(metric: str) -> None:
    """With holes, for several truths and for a single one."""
    rng = np.random.default_rng(4)
    curves, _ = holed(rng)
    truths = np.array([[True, False] * 4 + [True], [False, True] * 4 + [True]])
    for of in (truths, truths[:1]):
        one = pair_sums(curves, of, metric=metric, threshold=2)
        own = pair_sums(curves, np.repeat(of[:, None], 6, axis=1), metric=metric, threshold=2)
        for name in ("total", "weight"):
            np.testing.assert_allclose(getattr(own, name), getattr(one, name))
        for name in ("product", "count", "n_cases"):
            for key, value in getattr(one, name).items():
                np.testing.assert_allclose(getattr(own, name)[key], value)


def test_curves_are_each_judged_by_a_truth_of_their_own() -> None:
    """Values as one by one; two observations share a case where it is of one class for both."""
    rng = np.random.default_rng(5)
    score = rng.normal(size=(2, 12))
    curves = Curves.of_matrix(score[:, None], ["A", "B"], ["x"])
    own = rng.uniform(size=(1, 2, 12)) < 0.5
    found = pair_sums(curves, own)
    for at in range(2):
        lone = Curves(("A",), (), np.array([0]), np.array([-1]), score[at : at + 1])
        assert found.value[0, at] == pytest.approx(pair_sums(lone, own[:, at]).value[0, 0])
    kernel = np.sign(score[:, None, :] - score[:, :, None]) / 2 + 0.5
    each = [kernel[at] * np.outer(~own[0, at], own[0, at]) for at in range(2)]
    shares = found.product
    assert shares[frozenset(["negative"])][0, 0, 1] == pytest.approx(
        (each[0].sum(axis=1) * each[1].sum(axis=1)).sum()
    )
    assert shares[frozenset(["positive"])][0, 0, 1] == pytest.approx(
        (each[0].sum(axis=0) * each[1].sum(axis=0)).sum()
    )
    assert shares[frozenset(["negative", "positive"])][0, 0, 1] == pytest.approx((each[0] * each[1]).sum())
