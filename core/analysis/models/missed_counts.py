"""Of how many dangerous cases a model misses how many, as numbers and written."""

from __future__ import annotations

import math

from core.analysis.formatting import WHOLE, cases_on_average
from core.metrics.rank_correlation import TIE_DECIMALS


def missed_cases(caught: float, dangers: float) -> float:
    """Number of dangerous cases that are missed, of so many of which a share is caught; NaN for NaN."""
    return round((1 - caught) * dangers, TIE_DECIMALS)


def missed_in_cases(missed: float, dangers: float) -> str:
    """Write how many of how many cases are missed."""
    few = cases_on_average(missed)
    return f"{few} of {cases_on_average(dangers)}" if dangers >= WHOLE else few


def missed_range(ends: tuple[float, float], dangers: float) -> str:
    """Write between how many dangers are missed on as many other cases like these: 6 to 14.

    Parameters
    ----------
    ends : (float, float)
        The 95 % interval of the share that is caught, in [0, 1].
    dangers : float
        Of how many cases.

    Returns
    -------
    str
        Empty where it is not known, or of less than half a case.
    """
    most, least = (missed_cases(end, dangers) for end in ends)
    if math.isnan(least) or math.isnan(most) or dangers < WHOLE:
        return ""
    return f"{least:.0f} to {most:.0f}"
