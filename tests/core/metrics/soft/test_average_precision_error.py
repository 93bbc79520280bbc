"""The jackknife of average precision in one pass, against leaving out case by case."""

from __future__ import annotations

import numpy as np
import pytest

from core.metrics.soft.average_precision_error import ap_error, ap_without_each
from core.metrics.soft.metrics import s_ap


@pytest.mark.parametrize("n_scores", [3, 1000])
@pytest.mark.parametrize("soft", [True, False])
def test_is_the_metric_without_each_case(n_scores: int, soft: bool) -> None:
    """With many equal scores and with few."""
    rng = np.random.default_rng(n_scores)
    scores, p = rng.integers(0, n_scores, 25) / n_scores, rng.random(25)
    p = p if soft else (p > 0.6).astype(float)
    by_hand = [s_ap(np.delete(scores, k), np.delete(p, k)) for k in range(25)]
    np.testing.assert_allclose(ap_without_each(scores, p), by_hand, rtol=1e-12)
    assert ap_error(scores, p) == pytest.approx(np.sqrt(24 * np.var(by_hand)))


def test_a_single_positive_tells_no_error() -> None:
    """Without it there is no metric."""
    without = ap_without_each(np.array([0.9, 0.5, 0.1]), np.array([0.0, 1.0, 0.0]))
    np.testing.assert_allclose(without, [1.0, np.nan, 0.5])
    assert np.isnan(ap_error(np.array([0.9, 0.5, 0.1]), np.array([0.0, 1.0, 0.0])))


def test_is_the_scatter_over_other_cases() -> None:
    """Mean of the estimated variances of 400 samples against the variance of the metric over them."""
    rng = np.random.default_rng(1)
    found = []
    for _ in range(400):
        p = np.clip(rng.beta(0.6, 1.0, 60).round(1), 0, 1)
        scores = p + rng.normal(0, 0.6, 60)
        found.append((s_ap(scores, p), ap_error(scores, p)))
    values, errors = np.array(found).T
    assert np.sqrt((errors**2).mean()) == pytest.approx(values.std(), rel=0.1)
