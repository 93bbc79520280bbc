"""Correction for the number of comparisons."""

from __future__ import annotations

import numpy as np
from statsmodels.stats.multitest import multipletests

from core.metrics.holm import holm


def test_is_that_of_statsmodels_row_by_row() -> None:
    """With ties, and rows of very different sizes of p."""
    p = np.random.default_rng(0).random((5, 12)) ** np.arange(1, 6)[:, None]
    p[2, 3] = p[2, 7]
    for row, corrected in zip(p, holm(p), strict=True):
        np.testing.assert_allclose(corrected, multipletests(row, method="holm")[1], rtol=1e-12)


def test_by_hand_and_what_was_not_compared_does_not_count() -> None:
    """3 · 0.01, 2 · 0.02, and 0.03 raised to the one before; a missing one costs nothing."""
    np.testing.assert_allclose(holm(np.array([0.02, 0.03, 0.01])), [0.04, 0.04, 0.03])
    np.testing.assert_allclose(holm(np.array([0.02, np.nan, 0.03, 0.01])), [0.04, np.nan, 0.04, 0.03])
    assert holm(np.array([])).shape == (0,)
