"""Cases in a few broad bands of certainty, for a first look: how many cannot be relied on, how many can."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import pandas as pd

from core.analysis.cases.percent_ranges import SETTLED, percent_words, within_percent
from core.analysis.formatting import percent
from core.analysis.models.by_reliability import UNSURE

_EDGES = (0, 50, UNSURE, 95, SETTLED, 100)
"""Certainties of the leading label, in percent, between which the bands lie."""


class Band(NamedTuple):
    """Cases whose leading label is about as certain.

    Attributes
    ----------
    words : str
        How certain.
    cases : int
        How many they are; 0 too.
    share : float
        Of all cases that were read, in [0, 1].
    is_unsure : bool
        Whether they are counted among those that are less than `UNSURE` percent certain.
    """

    words: str
    cases: int
    share: float
    is_unsure: bool


def certainty_bands(certainty: pd.Series) -> tuple[Band, ...]:
    """Count cases by the certainty of their leading label, the least certain first.

    Parameters
    ----------
    certainty : Series of float
        Of each case, in [0, 1]; NaN where nobody read it, which is counted nowhere.
    """
    known = certainty.dropna()
    bands = []
    for low, high in pairwise(_EDGES):
        cases = int(within_percent(known, low, high).sum())
        bands.append(Band(percent_words(low, high), cases, cases / max(len(known), 1), high <= UNSURE))
    return tuple(bands)


def bands_in_words(bands: tuple[Band, ...]) -> str:
    """Say in one sentence what a picture of the bands shows."""
    told = (f"{band.words}, {band.cases:,} ({percent(band.share)})" for band in bands)
    return f"Cases by the certainty of their leading label: {'; '.join(told)}."
