"""Shares in whole percent, and in ranges of percent: one rule for lists, filters and the bars of pictures."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pandas as pd
from numpy.typing import NDArray

SETTLED = 99
"""Percent from which on what is that certain is called settled."""
STEP = 5
"""Percent that a bar is wide."""
_SIGN = "\u00a0%"
_PERCENTS = [f"{whole}{_SIGN}" for whole in range(101)]
"""How whole percents are written, by their number."""
_ROUNDING = 1e-9
"""What a share may lack of an edge and still be taken to be on it."""


def whole_percent(share: pd.Series) -> pd.Series:
    """Whole percentages that never claim 0 or 100 of what is in between."""
    exact = share.to_numpy(float, na_value=np.nan)
    # As arrays: long lists are counted and written anew at every step of the slider.
    is_between = (exact > 0) & (exact < 1)
    rounded = np.round(exact * 100)
    return pd.Series(
        np.where(is_between, np.clip(rounded, 1, 99), rounded), index=share.index, name=share.name
    )


def percents(whole: Sequence[float]) -> list[str]:
    """Whole percents as a list writes them; nothing for what is unknown."""
    return ["" if value != value else _PERCENTS[int(value)] for value in whole]


def shares(values: pd.Series) -> list[str]:
    """Shares from 0 to 1 as a list writes them, in whole percents."""
    return percents(whole_percent(values).tolist())


def of_hundreds(values: pd.Series) -> list[str]:
    """Shares of plausible truths as a list writes them, in how many of a hundred; its head says of what."""
    return [said.removesuffix(_SIGN) for said in shares(values)]


def within_percent(share: pd.Series, low: int, high: int) -> NDArray[np.bool_]:
    """Whether shares lie in a range of whole percentages.

    Parameters
    ----------
    share : Series
        Exact values in [0, 1]; an unknown one lies in no range.
    low, high : int
        From 0 to 100. A range has its lower end and not its upper one, so that ranges that meet share no
        case; but 100 belongs to the range that ends there. Of equal ends the range is one percent wide.
    """
    high = low + 1 if low == high else high
    above = share >= low / 100 - _ROUNDING
    below = share < (np.inf if high >= 100 else high / 100 - _ROUNDING)
    return (above & below).to_numpy(bool)


def percent_words(low: int, high: int) -> str:
    """Say which shares `within_percent` takes: 80 to under 85 %, under 5 %, 99 % or more."""
    high = low + 1 if low == high else high
    if high >= 100:
        return f"{low}\u00a0% or more" if low < 100 else "100\u00a0%"
    return f"{low} to under {high}\u00a0%" if low else f"under {high}\u00a0%"


def of_hundred_words(low: int, high: int) -> str:
    """Say the same of plausible truths: 5 to under 95 of 100, under 5 of 100, 95 or more of 100."""
    return f"{percent_words(low, high).replace(_SIGN, '')} of 100"


def certainty_ranges() -> list[tuple[int, int]]:
    """Ranges of the bars of certainty, in percent: steps of `STEP`, the settled cases apart."""
    edges = [*range(0, SETTLED, STEP), SETTLED, 100]
    return list(pairwise(edges))
