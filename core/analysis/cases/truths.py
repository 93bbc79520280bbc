"""In how many truths of a hundred each label leads, in whole numbers: the same wherever a case says it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

import pandas as pd

from core.analysis.cases.case import Case, leading_rows
from core.analysis.cases.leading import SAME
from core.analysis.formatting import number_of_hundred

TIED, TOO_CLOSE, READ_ALIKE = "tied", "too close to tell", "alike in the readings"
"""What is said of labels that lead alike: of equal numbers, of numbers that chance could turn round, and of
numbers that differ by more, though the readings do not tell their labels apart."""
CLOSE = 12
"""Truths of a hundred by which numbers may differ by chance."""


def of_hundred_truths(case: Case) -> pd.Series:
    """Truths of a hundred in which each label of `plausibility_table` leads, each rounded by itself.

    Their sum may be off by one or two; but what is 21 in a table is no 20 in a sentence.
    """
    leads = case.plausibilities["leads"]
    return pd.Series([whole(share) for share in leads], index=leads.index, dtype=int)


def whole_truths(leads: Mapping[int, float]) -> dict[int, int]:
    """Round how often labels lead, as a case is or would be, by their codes."""
    return {code: whole(share) for code, share in leads.items()}


def whole(share: float) -> int:
    """A share as a number of a hundred: 100 where nothing is left to others alone."""
    number = round(100 * share)
    return min(number, 99) if share < 1 - SAME else number


def times(share: float) -> str:
    """In how many truths of a hundred something is so, without "of 100": 52, none, fewer than 1."""
    return number_of_hundred(whole(share), share)


def of_100(share: float) -> str:
    """In how many truths of a hundred something is so: 52 of 100."""
    return f"{times(share)} of 100"


def about_100(share: float) -> str:
    """The same where it hardly moves: about 52 of 100, but fewer than 1 of 100."""
    return f"{'about ' * times(share).isdecimal()}{of_100(share)}"


def moved(before: float, after: float, between: str = " → ") -> str:
    """How often something was and would be so, in digits: 38 → 0 of 100."""
    was, then = (times(share) if share else "0" for share in (before, after))
    return f"{was}{between}{then} of 100"


def range_of_100(low: float, high: float) -> str:
    """The lowest and the highest of some shares: 38 to 52 of 100; one number where both are the same."""
    return of_100(high) if times(low) == times(high) else moved(low, high, " to ")


def to_range(low: float, high: float) -> str:
    """What something falls or rises to: to 52 of 100, or to between 38 and 52 of 100."""
    alike = times(low) == times(high)
    return f"to {of_100(high)}" if alike else f"to between {moved(low, high, ' and ')}"


def alike_words(numbers: Iterable[int | str]) -> str:
    """What is said of labels that lead alike, by their numbers as shown, of which words are 0."""
    known = {int(n) if str(n).isdecimal() else 0 for n in numbers}
    if len(known) < 2:
        return TIED
    return TOO_CLOSE if max(known) - min(known) <= CLOSE else READ_ALIKE


def leaders_alike(case: Case) -> str:
    """What is said of the labels that lead a case, of which there are several, as `alike_words` has it.

    Under a point estimate, where no number is shown, they are equal.
    """
    if len(case.leaders) < 2 or math.isinf(case.aggregation.reliability):
        return TIED
    return alike_words(leading_rows(case, case.plausibilities)["leads"].map(whole))
