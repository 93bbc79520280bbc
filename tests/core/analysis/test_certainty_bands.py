"""Bands of certainty hold every case that was read, each once, as the lists of cases would."""

from __future__ import annotations

import numpy as np
import pandas as pd

from core.analysis.certainty_bands import bands_in_words, certainty_bands
from core.analysis.models.by_reliability import share_below


def test_every_case_that_was_read_is_in_one_band() -> None:
    """An edge belongs to the band above it, and certainty itself to the last; who read nothing to none."""
    certainty = pd.Series([0.2, 0.5, 0.79, 0.8, 0.95, 0.989, 0.99, 1.0, np.nan])
    bands = certainty_bands(certainty)
    assert [(band.words, band.cases) for band in bands] == [
        ("under 50\u00a0%", 1),
        ("50 to under 80\u00a0%", 2),
        ("80 to under 95\u00a0%", 1),
        ("95 to under 99\u00a0%", 2),
        ("99\u00a0% or more", 2),
    ]
    assert np.isclose(sum(band.share for band in bands), 1)
    unsure = sum(band.share for band in bands if band.is_unsure)
    assert np.isclose(unsure, share_below(certainty, 80)), "the figure above them"


def test_the_picture_is_told_in_words() -> None:
    """Each band with its cases and their share; of no case, none."""
    words = bands_in_words(certainty_bands(pd.Series([0.2, 1.0, 1.0])))
    assert words.startswith("Cases by the certainty of their leading label: under 50\u00a0%, 1 (33\u00a0%); ")
    assert words.endswith("99\u00a0% or more, 2 (67\u00a0%).")
    assert [band.cases for band in certainty_bands(pd.Series([np.nan]))] == [0] * 5
