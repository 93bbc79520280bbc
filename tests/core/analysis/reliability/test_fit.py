"""Left-out readings are predicted by the others, and the best reliability is found."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.special import gammaln
from shared_data import shared_data

from core.analysis.reliability.fit import (
    STEPS,
    _best_shares,
    best_in_words,
    best_range,
    best_reliability,
    predictive_curve,
    range_in_words,
)
from core.plausibility.settings import Aggregation
from core.study.formats import import_study
from core.study.model import Readings, Study, Task

LABELS = tuple("abcdef")


def study_of(cases: list[list[list[list[int]]]], *, labels: tuple[str, ...] = LABELS) -> tuple[Study, Task]:
    """Study of a ranking task from each case's differentials; a choice task where all are single labels."""
    readings = [blocks for case in cases for blocks in case]
    sizes = [sum(map(len, blocks)) for blocks in readings]
    task = Task(
        "main",
        "choice" if set(sizes) == {1} else "ranking",
        labels,
        Readings(
            case_start=np.cumsum([0, *map(len, cases)]),
            rater=np.arange(len(readings)),
            repeat=np.ones(len(readings), np.int32),
            confidence=np.full(len(readings), np.nan),
            score=np.full(len(readings), np.nan),
            entry_start=np.cumsum([0, *sizes]),
            label=np.array([label for blocks in readings for block in blocks for label in block]),
            block=np.array([i for blocks in readings for i, block in enumerate(blocks) for _ in block]),
        ),
    )
    return _study(task, len(cases), len(readings)), task


def _study(task: Task, n_cases: int, n_raters: int) -> Study:
    """Wrap a task."""
    ids = tuple(f"case {i}" for i in range(n_cases))
    return Study(
        "test",
        ids,
        tuple(f"r{i}" for i in range(n_raters)),
        {"main": task},
        pd.DataFrame(index=pd.Index(ids)),
        "0",
    )


def dirichlet_multinomial(counts: np.ndarray, alpha: float, n_labels: int) -> float:
    """Log-probability of a sequence of choices under a flat-α Dirichlet."""
    counts = np.pad(counts, (0, n_labels - len(counts)))
    total = gammaln(alpha * n_labels) - gammaln(alpha * n_labels + counts.sum())
    return float(total + (gammaln(alpha + counts) - gammaln(alpha)).sum())


def test_counts_are_a_ratio_of_marginal_likelihoods() -> None:
    """At γ = 1 a left-out choice has the probability of all readings over that of the others."""
    case = [0, 0, 1, 3]
    study, task = study_of([[[[y]] for y in case], [[[2]]]])
    curve = predictive_curve(study, task, Aggregation("label-counts"), reliabilities=[1.0])
    everything = dirichlet_multinomial(np.bincount(case), 0.5, 6)
    others = [dirichlet_multinomial(np.bincount(case[:i] + case[i + 1 :]), 0.5, 6) for i in range(4)]
    assert curve["log_likelihood"].iloc[0] == pytest.approx(np.mean(everything - np.array(others)))
    assert curve["n_readings"].iloc[0] == 4


def test_true_reliability_of_counts_is_found() -> None:
    """Choices drawn from Dirichlet(½) plausibilities support γ = 1, the model that made them."""
    rng = np.random.default_rng(3)
    plausibility = rng.dirichlet(np.full(6, 0.5), 1500)
    cases = [[[[int(y)]] for y in rng.choice(6, 4, p=p)] for p in plausibility]
    study, task = study_of(cases)
    curve = predictive_curve(study, task, Aggregation("label-counts"))
    assert best_reliability(curve) == 1
    assert (curve["standard_error"] > 0).all()
    assert curve["best_share"].sum() == pytest.approx(1)
    low, high = best_range(curve)
    assert low <= 1 <= high
    assert high <= 2
    turned = predictive_curve(study, task, Aggregation("label-counts"), reliabilities=STEPS[::-1])
    pd.testing.assert_frame_equal(turned[::-1].reset_index(drop=True), curve)


def test_the_best_of_resamples_of_two_cases() -> None:
    """Two cases are drawn as the first twice, both, or the second twice, with chances of ¼, ½ and ¼."""
    sums = np.array([[3.0, 0.0], [2.0, 2.5], [-np.inf, 9.0]])
    shares = _best_shares(sums, seed=4)
    np.testing.assert_allclose(shares, [0.25, 0.75, 0], atol=0.045)
    assert np.isnan(_best_shares(sums[:, :1], seed=4)).all()


def test_the_range_holds_most_resamples_and_the_best() -> None:
    """Its ends are quantiles over reliabilities, whatever the order of the rows."""
    curve = pd.DataFrame(
        {
            "reliability": [5.0, 1.0, 2.0, 3.0],
            "log_likelihood": [-1.0, -4.0, -3.0, -2.0],
            "best_share": [0.01, 0.02, 0.57, 0.40],
        }
    )
    assert best_range(curve) == (2, 5)  # The best is 5, though seldom so in resamples.
    assert range_in_words(curve) == " (2 to 5 in 95\u00a0% of resamples of the cases)"
    curve["log_likelihood"] = [-4.0, -3.0, -1.0, -2.0]
    assert best_range(curve) == (2, 3)
    assert range_in_words(curve.assign(best_share=np.nan)) == ""


def test_a_model_for_another_kind_of_task_is_refused() -> None:
    """Label counts take one label a reading; rankings are named as what does not suit."""
    study, task = study_of([[[[0], [1]], [[1]]]] * 3)
    with pytest.raises(ValueError, match="model for a ranking task must be one of plackett-luce"):
        predictive_curve(study, replace(task, kind="ranking"), Aggregation("label-counts"))


@pytest.mark.parametrize("gamma", [1.0, 2.5])
def test_rankings_agree_with_weighting_the_prior(gamma: float) -> None:
    """E[L(left out) L(others)^γ] / E[L(others)^γ] over prior draws is what the sampler's draws give."""
    study, task = study_of([[[[0], [1]], [[1, 2]]]] * 40)
    curve = predictive_curve(study, task, Aggregation("plackett-luce"), reliabilities=[gamma])
    rng = np.random.default_rng(1)
    n = 400_000

    def first_pair(rates: np.ndarray, a: int, b: int) -> np.ndarray:
        total = rates.sum(axis=1)
        return rates[:, a] / total * rates[:, b] / (total - rates[:, a])

    expected = []
    for left_out, named in ((0, (1, 2)), (1, (0, 1))):
        unnamed = [k for k in range(6) if k not in named]
        rates = np.empty((n, 6))
        rates[:, named] = rng.standard_gamma(1.0, (n, 2))
        rates[:, unnamed] = rng.standard_gamma(1.0, (n, 1)) * rng.dirichlet(np.ones(4), n)
        ranking = first_pair(rates, 0, 1)
        tied = first_pair(rates, 1, 2) + first_pair(rates, 2, 1)
        likelihood, others = (ranking, tied) if left_out == 0 else (tied, ranking)
        expected.append(math.log((likelihood * others**gamma).sum() / (others**gamma).sum()))
    # Forty copies of the case, each with draws of its own, make the error of the mean about 0.005 nats.
    assert curve["log_likelihood"].iloc[0] == pytest.approx(np.mean(expected), abs=0.02)


def scored(cases: list[list[float]]) -> tuple[Study, Task]:
    """Study of a score task from each case's scores."""
    score = np.array([value for case in cases for value in case])
    task = Task(
        "main",
        "score",
        ("below 2", "2 or above"),
        Readings(
            case_start=np.cumsum([0, *map(len, cases)]),
            rater=np.arange(len(score)),
            repeat=np.ones(len(score), np.int32),
            confidence=np.full(len(score), np.nan),
            score=score,
            entry_start=np.zeros(len(score) + 1, np.int64),
            label=np.empty(0, np.int32),
            block=np.empty(0, np.int32),
        ),
        threshold=2.0,
    )
    return _study(task, len(cases), len(score)), task


def test_scores_are_predicted_by_numerical_integration() -> None:
    """The predictive density is the integral of the likelihood over the posterior of mean and variance."""
    cases = [[1.0, 2.5], [0.5, 4.0]]
    study, task = scored(cases)
    curve = predictive_curve(study, task, Aggregation("gaussian"), reliabilities=[2.0])
    from core.plausibility.gaussian import score_prior

    prior = score_prior(task.readings)

    def unnormalised(log_variance: np.ndarray, mean: np.ndarray, other: float) -> np.ndarray:
        variance = np.exp(log_variance)
        shape, rate = prior.variance_weight / 2, prior.variance_weight * prior.variance / 2
        log = -shape * log_variance - rate / variance
        log -= 0.5 * log_variance + prior.mean_weight * (mean - prior.mean) ** 2 / (2 * variance)
        return log - 2.0 * (0.5 * log_variance + (other - mean) ** 2 / (2 * variance))

    mean, log_variance = np.meshgrid(np.linspace(-60, 60, 6001), np.linspace(-8, 12, 801))
    expected = []
    for case in cases:
        for left_out, other in (case, case[::-1]):
            weight = np.exp(unnormalised(log_variance, mean, other))
            density = np.exp(-0.5 * (left_out - mean) ** 2 / np.exp(log_variance) - 0.5 * log_variance)
            expected.append(np.log((weight * density).sum() / weight.sum() / np.sqrt(2 * np.pi)))
    assert curve["log_likelihood"].iloc[0] == pytest.approx(np.mean(expected), abs=2e-3)


def test_a_model_that_cannot_predict_is_refused() -> None:
    """PrIRN gives unmentioned labels no mass, so a new label would be impossible."""
    study, task = study_of([[[[0], [1]], [[1, 2]]]])
    with pytest.raises(ValueError, match=r"plackett-luce, label-counts, gaussian.*got prirn"):
        predictive_curve(study, task, Aggregation("prirn", 3))


def test_single_readings_cannot_be_predicted() -> None:
    """Without a case of two readings there is nothing to predict from."""
    study, task = study_of([[[[0]]], [[[1]]]])
    with pytest.raises(ValueError, match="two readings"):
        predictive_curve(study, task, Aggregation("label-counts"))


@pytest.mark.slow
def test_the_release_supports_little_reliability() -> None:
    """On 300 released cases with three readings or more, trust above 1 predicts worse and worse."""
    study = import_study("dermatology-ddx", shared_data("data", "dermatology_ddx"))
    readings = study.tasks["condition"].readings
    chosen = np.random.default_rng(0).choice(np.flatnonzero(readings.per_case >= 3), 300, replace=False)
    task = Task("condition", "ranking", study.tasks["condition"].labels, readings.take_cases(chosen))
    study = _study(task, 300, len(study.rater_ids))
    curve = predictive_curve(study, task, Aggregation("plackett-luce"), reliabilities=[1, 2, 3, 5, 10])
    assert (np.diff(curve["log_likelihood"]) < -0.05).all()
    assert curve["log_likelihood"].iloc[0] == pytest.approx(-4.94, abs=0.45)


def test_the_best_at_an_end_of_what_was_tried_may_lie_beyond() -> None:
    """The words claim no more than was looked at."""
    for best, words in ((0.5, "0.5 or less"), (1.0, "1"), (2.0, "2 or more")):
        curve = pd.DataFrame({"reliability": [0.5, 1.0, 2.0], "log_likelihood": 0.0})
        curve.loc[curve["reliability"] == best, "log_likelihood"] = 1.0
        assert best_in_words(curve) == words
