"""Standard errors of metrics over cases: DeLong by plain loops, jackknife, coverage."""

from __future__ import annotations

import numpy as np
import pytest

from core.metrics.soft.metrics import s_auroc, soft_brier, soft_log_loss
from core.metrics.soft.standard_errors import auroc_error, auroc_influence, brier_error, log_loss_error


def drawn(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Scores with ties, and soft labels, of n cases."""
    rng = np.random.default_rng(seed)
    soft = rng.beta(0.6, 0.9, n).round(2)
    return (0.6 * soft + 0.4 * rng.random(n)).round(2), soft


def test_of_hard_labels_it_is_delongs() -> None:
    """Placements by plain loops over pairs of a positive and a negative, ties half."""
    scores, soft = drawn(80, 0)
    hard = (soft > 0.4).astype(float)
    x, y = scores[hard == 1], scores[hard == 0]
    kernel = np.array([[1.0 if a > b else 0.5 if a == b else 0.0 for b in y] for a in x])
    variance = kernel.mean(axis=1).var(ddof=1) / len(x) + kernel.mean(axis=0).var(ddof=1) / len(y)
    assert auroc_error(scores, hard) == pytest.approx(np.sqrt(variance))


@pytest.mark.parametrize(
    ("metric", "error"), [(s_auroc, auroc_error), (soft_brier, brier_error), (soft_log_loss, log_loss_error)]
)
def test_of_soft_labels_it_is_the_jackknifes(metric, error) -> None:  # type: ignore[no-untyped-def]
    """Cases left out one by one."""
    scores, soft = drawn(300, 1)
    scores = np.clip(scores, 0.01, 0.99)
    without = [float(metric(np.delete(scores, i), np.delete(soft, i))) for i in range(300)]
    assert error(scores, soft) == pytest.approx(np.sqrt(299 * np.var(without)), rel=0.01)


def test_influences_are_derivatives_by_weight() -> None:
    """One case weighed a little more."""
    scores, soft = drawn(60, 2)
    influence = auroc_influence(scores, soft)
    assert influence.sum() == pytest.approx(0, abs=1e-12)
    for case in (0, 11, 40):
        weight = np.ones(60)
        weight[case] += 1e-6
        moved = (s_auroc(scores, soft, weight=weight) - s_auroc(scores, soft)) / 1e-6
        # A weight counts in the tie of a case with itself too, which repeated cases do not have.
        assert moved == pytest.approx(influence[case], abs=1e-5)


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    """s-AUROC of 500 studies of 100 cases; the truth is that of 200,000."""
    truth = float(s_auroc(*drawn(200_000, 3)))
    held = []
    for seed in range(500):
        scores, soft = drawn(100, 1000 + seed)
        held.append(abs(float(s_auroc(scores, soft)) - truth) <= 1.96 * auroc_error(scores, soft))
    assert 0.925 <= np.mean(held) <= 0.975


def test_too_few_cases_have_no_error() -> None:
    """One case, one positive, one class."""
    assert np.isnan(auroc_error(np.array([0.5]), np.array([0.5])))
    assert np.isnan(auroc_error(np.arange(4.0), np.array([0.0, 0, 0, 1])))
    assert np.isnan(auroc_error(np.arange(4.0), np.ones(4)))
    assert np.isnan(brier_error(np.array([0.5]), np.array([1.0])))
