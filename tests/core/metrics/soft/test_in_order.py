"""Ranking metrics and their errors in two passes, against the clear versions."""

from __future__ import annotations

import numpy as np
import pytest

from core.metrics.soft.average_precision_error import ap_error
from core.metrics.soft.in_order import in_order, rank_in_order
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


@pytest.mark.parametrize("n", [1, 2, 5, 3000])
def test_scores_that_differ_in_their_last_digits_are_in_order(n: int) -> None:
    """As a stable sort has them: of any sign and size, infinite ones, both zeros, and many all but equal."""
    rng = np.random.default_rng(n)
    every = (
        rng.normal(size=n) * 10.0 ** rng.integers(-300, 300, n),
        1.0 - rng.integers(0, 4, n) * 2.0**-53,
        -0.1 + rng.integers(0, n, n) * 2.0**-56,
        rng.choice([-np.inf, -1.0, -5e-324, -0.0, 0.0, 5e-324, np.inf], n),
        rng.random(n).astype(np.float32),
    )
    for given in every:
        scores = given.astype(np.float64)
        p = rng.random(n)
        order = np.argsort(scores, kind="stable")
        found = in_order(scores, p)
        np.testing.assert_array_equal(found[0], scores[order])
        np.testing.assert_array_equal(found[1], p[order])


def test_nothing_is_undefined_without_a_warning() -> None:
    """No case, and one."""
    assert np.isnan(rank_in_order(np.zeros(0), np.zeros(0))[:4]).all()
    assert np.isnan(rank_in_order(np.array([0.3]), np.array([1.0]))[1::2][:2]).all()
