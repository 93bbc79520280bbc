"""Shares and labels as people write them, with a space that does not break."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

DIGITS = 4
"""Significant digits of a number that people read, where nothing says how far it can be trusted."""
WHOLE = 0.5
"""Cases, on average, from which on their number is written as 1 or more."""
_DECIMALS = 9
"""Digits of a mean number of cases that its rounding goes by."""
_PERCENT = "\u00a0%"
_ERRORS = ("{}_error", "standard_error")
_ESTIMATES = ("value", "mean", "log_likelihood")
"""Columns that the column ``standard_error`` beside them is of."""


def percent(share: float, *, in_words: bool = False) -> str:
    """Write a share in [0, 1] as a whole percentage that never claims 0 or 100 % of what is in between.

    Nearly 0 % is "< 1 %", or in words "less than 1 %"; nearly 100 % likewise.
    """
    if 0 < share <= 0.005:
        return ("less than " if in_words else "<\u00a0") + "1\u00a0%"
    if 0.995 <= share < 1:
        return ("more than " if in_words else ">\u00a0") + "99\u00a0%"
    return rounded_percent(share)


def rounded_percent(share: float) -> str:
    """Write a share in [0, 1] as a whole percentage, nearly 100 % as 100 %."""
    return f"{100 * share:.0f}\u00a0%"


def percent_as_said(share: float) -> str:
    """Write a share in [0, 1] as whoever told it did, to a tenth of a percent: 92 %, 92.5 %."""
    return f"{round(100 * share, 1):g}{_PERCENT}"


def precise(share: float) -> str:
    """Write a share as a percentage with three digits: 95 %, 97.2 %."""
    return f"{100 * share:.3g} %"


def percent_range(low: float, high: float, between: str = " to ") -> str:
    """Write a range of shares: 61 to 73 %; one number where both are the same on paper."""
    ends = [percent(end) for end in (low, high)]
    return ends[1] if ends[0] == ends[1] else f"{ends[0].removesuffix(_PERCENT)}{between}{ends[1]}"


def of_hundred(share: float) -> str:
    """A share in [0, 1] as a number out of 100 that never claims none or all of what is in between."""
    if 0 < share <= 0.005:
        return "fewer than 1"
    if 0.995 <= share < 1:
        return "more than 99"
    return "none" if share == 0 else f"{100 * share:.0f}"


def number_of_hundred(number: int, share: float) -> str:
    """A number out of 100 that a share was rounded to: of none it is said whether the share is none, too."""
    return str(number) if number else "fewer than 1" if share > 0 else "none"


def cases_on_average(mean: float) -> str:
    """Write a mean number of cases as a whole one, which some never are none of: fewer than 1, 1, 2."""
    # Half a case is the same half however its parts were added up.
    mean = round(mean, _DECIMALS)
    return "fewer than 1" if 0 < mean < WHOLE else f"{math.floor(mean + WHOLE):,}"


def about_cases(mean: float, *, is_exact: bool) -> str:
    """Write a mean number of cases in a sentence: none, fewer than 1, about 14; where it is exact 28."""
    if not mean:
        return "none"
    is_count = is_exact and mean.is_integer()
    return "about " * (mean >= WHOLE and not is_count) + cases_on_average(mean)


def in_sentence(label: str) -> str:
    """Name a label within a sentence: one that is a number, and could be taken for a count, in quotes."""
    return f"“{label}”" if label.strip().isdecimal() else label


def readable(table: pd.DataFrame) -> pd.DataFrame:
    """Round the numbers of a table for people: an estimate as its error allows, others to `DIGITS` digits.

    Parameters
    ----------
    table : DataFrame
        A column ``X_error`` is the standard error of ``X``, a column ``standard_error`` that of ``value``,
        ``mean`` or ``log_likelihood``.

    Returns
    -------
    DataFrame
        The same rows and columns. An estimate has the last digit that the second of its error has; so does
        the error. Whole numbers and text stay as they are.
    """
    shown = table.copy()
    for name in table.columns[[kind.kind == "f" for kind in table.dtypes]]:
        shown[name] = _rounded(table[name].to_numpy(), np.full(len(table), DIGITS - 1))
    for name in map(str, table.columns):
        for form in _ERRORS:
            error = form.format(name)
            if error in table and (error != _ERRORS[-1] or name in _ESTIMATES):
                size = table[error].to_numpy(float)
                known = np.isfinite(size) & (size > 0)
                last = 1 - _power(np.where(known, size, 1.0))
                shown.loc[known, name] = _to_decimals(table[name].to_numpy(float), last)[known]
                shown.loc[known, error] = _to_decimals(size, last)[known]
    return shown


def _power(values: np.ndarray) -> np.ndarray:
    """Power of ten of the first digit."""
    sizes = np.abs(values)
    return np.floor(np.log10(np.where(np.isfinite(sizes) & (sizes > 0), sizes, 1.0)))


def _rounded(values: np.ndarray, further: np.ndarray) -> np.ndarray:
    """Round to so many digits after the first."""
    return _to_decimals(values, further - _power(values))


def _to_decimals(values: np.ndarray, decimals: np.ndarray) -> np.ndarray:
    """Round each value to its own number of decimals."""
    # Numbers so small, or so large, need no rounding: powers of ten beyond these are no floats.
    decimals = np.clip(decimals, -300, 300).astype(int)
    return np.array(
        [
            round(value, int(of)) if np.isfinite(value) else value
            for value, of in zip(values.tolist(), decimals, strict=True)
        ],
        dtype=float,
    )
