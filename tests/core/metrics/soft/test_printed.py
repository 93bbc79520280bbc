"""The printed variants, pair by pair."""

from __future__ import annotations

import json

import numpy as np
import pytest
from shared_data import shared_data

from core.metrics.soft.metrics import s_ap, s_auroc
from core.metrics.soft.printed import s_ap_expected, s_auroc_without_self_pairs


@pytest.mark.parametrize("levels", [4, 10**6])
def test_equal_to_a_loop_over_pairs(levels):
    """Pairs i = j left out of the sum; the expected precision given that the case is positive."""
    rng = np.random.default_rng(levels)
    n = 60
    s, p = rng.integers(0, levels, n) / levels, rng.integers(0, 9, n) / 8
    pairs = sum(
        p[i] * (1 - p[j]) * ((s[i] > s[j]) + 0.5 * (s[i] == s[j]))
        for i in range(n)
        for j in range(n)
        if i != j
    )
    assert s_auroc_without_self_pairs(s, p) == pytest.approx(pairs / (p.sum() * (1 - p).sum()), abs=1e-13)
    precision = 0.0
    for i in range(n):
        before = [j for j in range(n) if s[j] >= s[i]]
        precision += p[i] * (1 + sum(p[j] for j in before if j != i)) / len(before)
    assert s_ap_expected(s, p) == pytest.approx(precision / p.sum(), abs=1e-13)


def test_equal_to_the_reference_numbers():
    """Random input with many ties."""
    for case in json.loads(shared_data("goldens", "soft_metrics_random_cases.json").read_text())["cases"]:
        expected = case["expected_ap_unweighted"]
        assert s_ap_expected(case["s"], case["p"]) == pytest.approx(expected, abs=1e-12)


def test_the_same_for_hard_labels_and_undefined_alike():
    """Nothing differs where every p is 0 or 1."""
    rng = np.random.default_rng(5)
    s, y = rng.random((3, 40)), rng.integers(0, 2, 40)
    np.testing.assert_allclose(s_auroc_without_self_pairs(s, y), s_auroc(s, y), atol=1e-14)
    np.testing.assert_allclose(s_ap_expected(s, y), s_ap(s, y), atol=1e-14)
    assert np.isnan(s_auroc_without_self_pairs(s[0], np.zeros(40)))
    assert np.isnan(s_ap_expected(s[0], np.zeros(40)))
    with pytest.raises(ValueError, match=r"shape \(n_cases,\), got \(1, 40\)"):
        s_ap_expected(s, y[None])
