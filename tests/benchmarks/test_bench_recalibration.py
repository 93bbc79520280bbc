"""Time of α-calibration of 100,000 cases with 20 labels and 64 features, alone and cross-fitted."""

from __future__ import annotations

import time

import numpy as np
import pytest

from core.recalibration.alpha import STRENGTHS, fit_alpha
from core.recalibration.combined import Cases, ScaledAlpha, fit_scaled_alpha
from core.recalibration.crossfit import cross_fit_penalised, deal_folds

N_CASES, N_LABELS, N_FEATURES, N_RATERS = 100_000, 20, 64, 20
MOST_SECONDS = 20.0
"""Of one processor, the choice among five strengths and the cross-fitting in five folds included."""


@pytest.fixture(scope="module")
def cases() -> Cases:
    """Cases whose true concentration is log-linear in correlated features."""
    rng = np.random.default_rng(11)
    features = rng.standard_normal((N_CASES, N_FEATURES)) @ rng.standard_normal((N_FEATURES, N_FEATURES)) / 8
    concentration = np.exp(0.3 * features[:, 0] - 0.2 * features[:, 1] + 1)
    probability = np.maximum(rng.dirichlet(np.full(N_LABELS, 0.2), N_CASES), 1e-9)
    probability /= probability.sum(axis=1, keepdims=True)
    gammas = np.maximum(rng.standard_gamma(concentration[:, None] * probability), 1e-300)
    truth = gammas / gammas.sum(axis=1, keepdims=True)
    return Cases(probability, rng.multinomial(N_RATERS, truth), features)


def test_one_path_of_strengths(benchmark, cases: Cases) -> None:
    """Fits on all cases, one for each strength."""

    def fit() -> None:
        fit_alpha(cases.probability, cases.counts, cases.alpha_features, strengths=STRENGTHS)

    benchmark.pedantic(fit, rounds=3, warmup_rounds=1)
    assert benchmark.stats["median"] < MOST_SECONDS


def test_cross_fitted_with_choice_of_strength(benchmark, cases: Cases) -> None:
    """Temperature and α, five folds, the strength chosen within the other four."""
    ids = [str(i) for i in range(N_CASES)]
    folds = deal_folds(0, ids, np.zeros(N_CASES, np.int64))

    def fit(training: np.ndarray, strengths: list[float]) -> list[ScaledAlpha]:
        return fit_scaled_alpha(cases.take(training), strengths, with_temperature=True)

    def loss(fitted: ScaledAlpha, held_out: np.ndarray) -> float:
        return fitted.loss(cases.take(held_out))

    def cross_fit() -> float:
        start = time.process_time()
        cross_fit_penalised(folds, fit, loss, STRENGTHS)
        return time.process_time() - start

    processor = benchmark.pedantic(cross_fit, rounds=1)
    benchmark.extra_info["processor seconds"] = processor
    assert processor < MOST_SECONDS, f"{benchmark.stats['median']:.1f} s by the clock"
