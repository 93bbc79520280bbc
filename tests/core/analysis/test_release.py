"""Published numbers of the dermatology release come out of the whole chain, from files to metrics."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest
from shared_data import shared_data

from core.metrics.certainty import certainties
from core.plausibility.aggregate import aggregate
from core.plausibility.posterior import Posterior, SampledPosterior
from core.plausibility.reading_agreement import leave_one_out_agreement
from core.plausibility.settings import Aggregation
from core.study.formats import import_study
from core.study.model import FloatArray, Study, Task

SET_A = ("Atypical Nevus", "Hemangioma", "Melanocytic Nevus")
SET_B = ("Hemangioma", "Melanocytic Nevus", "Melanoma")


@pytest.fixture(scope="module")
def release() -> Study:
    """The public release of dermatology differentials."""
    return import_study("dermatology-ddx", shared_data("data", "dermatology_ddx"))


@pytest.fixture(scope="module")
def task(release: Study) -> Task:
    """Its only task."""
    return release.tasks["condition"]


@cache
def posterior_of(study: Study, aggregation: Aggregation) -> Posterior:
    """Aggregate once for all tests."""
    return aggregate(study, study.tasks["condition"], aggregation)


def holds(posterior: Posterior, task: Task, case: int, names: tuple[str, ...]) -> float:
    """P(the truth is one of the names)."""
    slots = posterior.candidates.of_case(case)
    top = dict(zip(posterior.candidates.label[slots], posterior.top1.candidate[slots], strict=True))
    return float(sum(top[task.labels.index(name)] for name in names))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("gamma", "certainty"), [(1, 0.7124), (2, 0.8028), (3, 0.8418), (5, 0.8778), (10, 0.9115)]
)
def test_plackett_luce_certainty(release: Study, gamma: float, certainty: float) -> None:
    """Mean top-1 certainty of all cases at whole reliabilities."""
    values = posterior_of(release, Aggregation("plackett-luce", gamma)).certainty(1)
    assert values.mean() == pytest.approx(certainty, abs=0.005)


@pytest.mark.slow
def test_reliability_between_whole_numbers(release: Study) -> None:
    """γ = 2.5 is between 2 and 3."""
    low, middle, high = (
        posterior_of(release, Aggregation("plackett-luce", gamma)).certainty(1).mean()
        for gamma in (2, 2.5, 3)
    )
    assert low + 0.005 < middle < high - 0.005


def test_shares_of_uncertain_cases(release: Study, task: Task) -> None:
    """At γ = 3, 59.0 % of the cases are below 99 % certainty for conditions, 37.8 % for risk."""
    values = certainties(posterior_of(release, Aggregation("plackett-luce", 3)), task.risk)
    assert (values["top-1 certainty"] < 0.99).mean() == pytest.approx(0.590, abs=0.01)
    assert (values["risk certainty"] < 0.99).mean() == pytest.approx(0.378, abs=0.01)


REST = -1
IMPORTANCE_SAMPLING: list[tuple[int, float, dict[int, tuple[float, float]]]] = [
    (1026, 1, {171: (0.5175, 0.2742), 244: (0.0266, 0.1039), 245: (0.4193, 0.2522), REST: (0.0008, 0.0323)}),
    (1026, 2, {171: (0.6267, 0.3288), 245: (0.3692, 0.2799), REST: (0.0, 0.0175)}),
    (357, 1, {5: (0.1502, 0.1506), 114: (0.2040, 0.1700), 145: (0.1308, 0.1436), REST: (0.0304, 0.0718)}),
    (357, 3, {5: (0.1357, 0.1526), 114: (0.2615, 0.1873), 390: (0.2634, 0.1872), REST: (0.0019, 0.0357)}),
    (1057, 1, {35: (0.1974, 0.1847), 64: (0.1685, 0.1741), 407: (0.1983, 0.1848), REST: (0.0412, 0.0870)}),
]


@pytest.mark.slow
@pytest.mark.parametrize(("case", "gamma", "expected"), IMPORTANCE_SAMPLING)
def test_cases_agree_with_importance_sampling(
    release: Study, task: Task, case: int, gamma: float, expected: dict[int, tuple[float, float]]
) -> None:
    """P(largest) and mean under the exact likelihood, all unmentioned labels together counted as one."""
    aggregation = Aggregation("plackett-luce", gamma, draws=200_000, warmup=1000)
    posterior = aggregate(release, task, aggregation, cases=[case])
    assert isinstance(posterior, SampledPosterior)
    drawn = np.concatenate([posterior.draws.value, posterior.draws.rest]).astype(float)
    rows = [*posterior.candidates.label.tolist(), REST]
    leads = np.bincount(drawn.argmax(axis=0), minlength=len(rows)) / drawn.shape[1]
    for label, (top, mean) in expected.items():
        assert leads[rows.index(label)] == pytest.approx(top, abs=0.005)
        assert drawn[rows.index(label)].mean() == pytest.approx(mean, abs=0.003)


@pytest.mark.slow
def test_prediction_sets_of_the_example(release: Study, task: Task) -> None:
    """How often two prediction sets hold the truth of case 1026."""
    sampled = aggregate(release, task, Aggregation("plackett-luce", 3, draws=200_000), cases=[1026])
    assert holds(sampled, task, 0, SET_A) == pytest.approx(0.69, abs=0.005)
    assert holds(sampled, task, 0, SET_B) == pytest.approx(1.0, abs=0.005)
    exact = posterior_of(release, Aggregation("prirn", 30, ties="full"))
    assert holds(exact, task, 1026, SET_A) == pytest.approx(0.534, abs=0.001)
    assert holds(exact, task, 1026, SET_B) == pytest.approx(0.982, abs=0.001)


def test_agreement_and_correlations(release: Study, task: Task) -> None:
    """Leave-one-out agreement, its correlation with certainty, and that of two aggregation models."""
    agreement = leave_one_out_agreement(task.readings)
    sampled = posterior_of(release, Aggregation("plackett-luce", 3)).certainty(1)
    exact = posterior_of(release, Aggregation("prirn", 30, ties="full")).certainty(1)
    read = ~np.isnan(agreement)
    assert agreement[read].mean() == pytest.approx(0.704, abs=0.001)
    assert correlation(agreement[read], sampled[read]) == pytest.approx(0.864, abs=0.005)
    assert correlation(sampled, exact) == pytest.approx(0.897, abs=0.005)


def correlation(a: FloatArray, b: FloatArray) -> float:
    """Pearson's."""
    return float(np.corrcoef(a, b)[0, 1])


def test_point_estimate_agrees_with_great_reliability(release: Study, task: Task) -> None:
    """The maximum-likelihood plausibilities are where the draws go as γ grows."""
    for case in (1026, 357):
        near = aggregate(
            release, task, Aggregation("plackett-luce", 1000, draws=2000, warmup=2000), cases=[case]
        )
        limit = aggregate(release, task, Aggregation("plackett-luce", math.inf), cases=[case])
        np.testing.assert_allclose(near.mean.candidate, limit.mean.candidate, atol=0.02)
