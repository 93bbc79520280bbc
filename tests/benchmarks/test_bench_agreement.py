"""CPU time of agreement, concordance, Dawid–Skene and ability on large simulated studies.

Everything here runs on one core, so that CPU time is what a clock shows on an idle machine.
"""

from __future__ import annotations

import time

import numpy as np
import pytest
from rater_matrices import choices

from core.metrics.agreement.chance import chance_agreement, percentile_interval, resampled_means
from core.metrics.agreement.concordance import concordance
from core.metrics.agreement.labels import agreement_by_label
from core.metrics.agreement.pairs import pair_agreement
from core.metrics.agreement.rating_counts import first_labels, rating_counts
from core.plausibility.dawid_skene import dawid_skene, fit_dawid_skene
from core.plausibility.rater_ability.model import fit_rater_ability
from core.study.model import Readings

pytestmark = pytest.mark.benchmark(timer=time.process_time)

N_CASES, N_RATERS, N_LABELS = 100_000, 20, 5
COEFFICIENTS_SECONDS, CONCORDANCE_SECONDS, DAWID_SKENE_SECONDS = 10, 2, 10


@pytest.fixture(scope="module")
def readings() -> Readings:
    """100,000 cases × 20 raters, five labels, a tenth missing, confidences in fifths."""
    rng = np.random.default_rng(0)
    lead = rng.integers(0, N_LABELS, (N_CASES, 1))
    own = rng.integers(0, N_LABELS, (N_CASES, N_RATERS))
    labels = np.where(rng.random(own.shape) < 0.6, lead, own).astype(float)
    labels[rng.random(own.shape) < 0.1] = np.nan
    return choices(labels, rng.integers(1, 6, own.shape) / 5)


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """Compile every kernel before anything is timed."""
    small = choices(np.array([[0, 1, 1.0], [1, 1, 0]]))
    code = first_labels(small)
    chance_agreement(rating_counts(small, code, 2, number=np.arange(2.0)))
    pair_agreement(small, code, 2, 3)
    concordance(small, code, 2)
    dawid_skene(small, 2, fit_dawid_skene(small, 2, 3))
    fit_rater_ability(small, 2, 3)


def within(benchmark, seconds: float) -> None:
    """Note the bound and hold it."""
    benchmark.extra_info["at most, seconds"] = seconds
    assert benchmark.stats.stats.median < seconds


def test_all_coefficients_with_a_thousand_intervals(benchmark, readings):
    """Counting, nominal, ordinal and interval coefficients, and the mean Cohen κ."""

    def everything():
        code = first_labels(readings)
        counts = rating_counts(readings, code, N_LABELS, number=np.arange(float(N_LABELS)))
        found = chance_agreement(counts, n_boot=1000, rng=np.random.default_rng(1))
        pairs = pair_agreement(readings, code, N_LABELS, N_RATERS)
        shifts = resampled_means(pairs.influence, n_boot=1000, rng=np.random.default_rng(1))
        return found, percentile_interval(pairs.mean_kappa + N_CASES * shifts)

    benchmark.pedantic(everything, rounds=3)
    within(benchmark, COEFFICIENTS_SECONDS)


def test_each_label_with_a_thousand_intervals(benchmark, readings):
    """Four coefficients of five labels."""
    counts = rating_counts(readings, first_labels(readings), N_LABELS)
    benchmark.pedantic(
        lambda: agreement_by_label(counts, n_boot=1000, rng=np.random.default_rng(1)), rounds=3
    )
    within(benchmark, COEFFICIENTS_SECONDS)


def test_weighted_concordance(benchmark, readings):
    """ϱ of every case with its interval: 15 million pairs of readings."""
    code = first_labels(readings)
    accuracy, variability = np.linspace(0.6, 0.95, N_RATERS), np.full(N_RATERS, 0.08)
    benchmark.pedantic(
        lambda: concordance(readings, code, N_LABELS, accuracy=accuracy, variability=variability), rounds=3
    )
    within(benchmark, CONCORDANCE_SECONDS)


@pytest.mark.parametrize("diagonal", [2.0, 0.5])
def test_dawid_skene_of_a_million_readings(benchmark, diagonal):
    """200,000 cases, 5 of 50 raters each, 10 labels: clear and confused raters; fit and plausibilities."""
    rng = np.random.default_rng(0)
    n_cases, n_raters, n_labels, per_case = 200_000, 50, 10, 5
    prior = 0.5 + diagonal * np.eye(n_labels)
    confusion = np.stack([rng.dirichlet(row, n_raters) for row in prior], axis=1)
    truth = np.repeat(rng.integers(0, n_labels, n_cases), per_case)
    rater = np.sort(np.argsort(rng.random((n_cases, n_raters)), axis=1)[:, :per_case], axis=1).ravel()
    n = n_cases * per_case
    cumulative = confusion[rater, truth].cumsum(axis=1)
    label = np.minimum((rng.random((n, 1)) > cumulative).sum(axis=1), n_labels - 1)
    readings = Readings(
        case_start=np.arange(0, n + 1, per_case),
        rater=rater.astype(np.int32),
        repeat=np.ones(n, np.int32),
        confidence=np.full(n, np.nan),
        score=np.full(n, np.nan),
        entry_start=np.arange(n + 1),
        label=label.astype(np.int32),
        block=np.zeros(n, np.int32),
    )

    def both():
        fitted = fit_dawid_skene(readings, n_labels, n_raters)
        return fitted, dawid_skene(readings, n_labels, fitted)

    fitted, _ = benchmark.pedantic(both, rounds=3)
    benchmark.extra_info["iterations"] = len(fitted.log_posterior)
    within(benchmark, DAWID_SKENE_SECONDS)


def test_rater_ability(benchmark, readings):
    """Ability of 20 raters and difficulty of 100,000 cases."""
    benchmark.pedantic(lambda: fit_rater_ability(readings, N_LABELS, N_RATERS), rounds=1)
