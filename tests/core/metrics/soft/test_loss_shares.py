"""Shares of the loss: their sum, and a loop over pairs."""

from __future__ import annotations

import numpy as np
import pytest

from core.metrics.soft.loss_shares import (
    ap_loss_shares,
    auroc_loss_shares,
    brier_loss_shares,
    log_loss_shares,
)
from core.metrics.soft.metrics import s_ap, s_auroc, soft_brier, soft_log_loss


@pytest.mark.parametrize("levels", [3, 10**6])
def test_shares_sum_to_the_loss(levels):
    """For every metric, with and without ties."""
    rng = np.random.default_rng(levels)
    s, p = rng.integers(0, levels, 150) / levels, rng.integers(0, 9, 150) / 8
    assert auroc_loss_shares(s, p).sum() == pytest.approx(1 - s_auroc(s, p), abs=1e-12)
    assert ap_loss_shares(s, p).sum() == pytest.approx(1 - s_ap(s, p), abs=1e-12)
    assert brier_loss_shares(s, p).sum() == pytest.approx(soft_brier(s, p), abs=1e-12)
    assert log_loss_shares(s, p).sum() == pytest.approx(soft_log_loss(s, p), rel=1e-12)


@pytest.mark.parametrize("levels", [3, 10**6])
def test_each_misordered_pair_is_divided_between_its_cases(levels):
    """A positive i and a negative j scored as high or higher."""
    rng = np.random.default_rng([levels, 1])
    n = 25
    s, p = rng.integers(0, levels, n) / levels, rng.random(n)
    auroc, ap = np.zeros(n), np.zeros(n)
    for i in range(n):
        for j in range(n):
            pair = p[i] * (1 - p[j]) * ((s[j] > s[i]) + 0.5 * (s[j] == s[i])) / (p.sum() * (1 - p).sum())
            auroc[[i]] += pair / 2
            auroc[[j]] += pair / 2
            pair = p[i] * (1 - p[j]) * (s[j] >= s[i]) / (p.sum() * (s >= s[i]).sum())
            ap[[i]] += pair / 2
            ap[[j]] += pair / 2
    np.testing.assert_allclose(auroc_loss_shares(s, p), auroc, atol=1e-14)
    np.testing.assert_allclose(ap_loss_shares(s, p), ap, atol=1e-14)


def test_undefined_and_refused():
    """No positives; scores that are no probabilities."""
    s = np.array([0.2, 0.4])
    assert np.isnan(auroc_loss_shares(s, np.zeros(2))).all()
    assert np.isnan(ap_loss_shares(s, np.zeros(2))).all()
    for shares in (brier_loss_shares, log_loss_shares):
        with pytest.raises(ValueError, match=r"got 0\.4 to 4"):
            shares(10 * s + np.array([-1.6, 0]), np.ones(2))
