"""Unbiased estimates of what happens between two raters."""

from __future__ import annotations

import numpy as np
import pytest
from calibration_by_hand import over_groups

from core.metrics.calibration.label_histogram import label_histograms
from core.metrics.calibration.u_statistics import pair_disagreement


@pytest.mark.parametrize("n_labels", [1, 2, 6])
def test_a_pair_is_any_group_of_two(n_labels: int) -> None:
    """The closed form against every pair of labels given (Mimori 2021, eq. 16); one label tells nothing."""
    rng = np.random.default_rng(n_labels)
    n = rng.integers(0, 10, 80)
    histograms = label_histograms(rng.multinomial(n, rng.dirichlet(np.ones(n_labels), 80)))
    pair = pair_disagreement(histograms)
    expected = over_groups(histograms, lambda h: (h <= 1).all(axis=1), 2)
    np.testing.assert_allclose(pair, expected, atol=1e-12)
    np.testing.assert_array_equal(np.isnan(pair), n < 2)


def test_counts_beyond_32_bits_of_pairs() -> None:
    """A hundred thousand labels a case have more pairs than 32 bits can count."""
    counts = np.array([[60_000, 40_000]])
    expected = 2 * 60_000 * 40_000 / (100_000 * 99_999)
    assert pair_disagreement(label_histograms(counts)) == pytest.approx(expected, rel=1e-12)
