"""In how many truths of a hundred each label leads, in whole numbers: the same wherever a case says it."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from core.analysis.cases.case import Case
from core.analysis.cases.leading import SAME


def of_hundred_truths(case: Case) -> pd.Series:
    """Truths of a hundred in which each label of `plausibility_table` leads, each rounded by itself.

    Their sum may be off by one or two; but what is 21 in a table is no 20 in a sentence.
    """
    leads = case.plausibilities["leads"]
    return pd.Series([_whole(share) for share in leads], index=leads.index, dtype=int)


def whole_truths(leads: Mapping[int, float]) -> dict[int, int]:
    """Round how often labels lead, as a case is or would be, by their codes."""
    return {code: _whole(share) for code, share in leads.items()}


def _whole(share: float) -> int:
    """A share as a number of a hundred: 100 where nothing is left to others alone."""
    whole = round(100 * share)
    return min(whole, 99) if share < 1 - SAME else whole
