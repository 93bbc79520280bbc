"""Ranking metrics and their errors in two passes, against the clear versions."""

from __future__ import annotations

import numpy as np
import pytest

from core.metrics.soft.average_precision_error import ap_error
from core.metrics.soft.in_order import rank_in_order
from core.metrics.soft.metrics import s_ap, s_auroc
from core.metrics.soft.standard_errors import auroc_error


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("n_scores", [1, 5, 10**9])
@pytest.mark.parametrize("n", [2, 3, 7, 400])
def test_it_is_what_the_clear_versions_say(n: int, n_scores: int, hard: bool) -> None:
    """With ties and without, of soft and of hard labels."""
    rng = np.random.default_rng([n, n_scores % 97, hard])
    for _ in range(10):
        scores = rng.integers(0, n_scores, n) / n_scores
        p = rng.integers(0, 2, n).astype(float) if hard else rng.integers(0, 6, n) / 5
        found = rank_in_order(scores.astype(np.float32), p)
        scores = scores.astype(np.float32).astype(float)
        wanted = s_auroc(scores, p), auroc_error(scores, p), s_ap(scores, p), ap_error(scores, p)
        assert found[:4] == pytest.approx(tuple(map(float, wanted)), abs=1e-12, nan_ok=True)
        assert found.n_cases == n


def test_nothing_is_undefined_without_a_warning() -> None:
    """No case, and one."""
    assert np.isnan(rank_in_order(np.zeros(0), np.zeros(0))[:4]).all()
    assert np.isnan(rank_in_order(np.array([0.3]), np.array([1.0]))[1::2][:2]).all()
