"""Slices: the cases of a study parted by one column of their metadata, or by two that cross."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from pandas.api.types import is_bool_dtype, is_numeric_dtype

from core.analysis.cases.select import number_span
from core.analysis.formatting import percent
from core.settings import nearest
from core.study.brief import brief
from core.study.model import IntArray, Study, freeze
from core.study.reading.case_table import REFERENCE

MOST_SLICES = 60
"""Slices beyond which a column makes none: it names cases rather than groups of them."""
FEW_NUMBERS = 10
"""Columns with no more different numbers than this have a slice for each."""
_CROSSED = " × "
_DIGITS = 6
_Wanted = tuple[tuple[str, str], ...]
_Parted = tuple[list[str], IntArray, list[str]]
"""Names of the slices, the slice of each value, and the value of the filter that finds each slice."""


@dataclass(frozen=True, eq=False)
class CaseSlices:
    """Which slice each case of a study is in.

    Attributes
    ----------
    columns : tuple of str
        One column, or two.
    names : tuple of str
        Of the slices, such as "A", "21 to 38", "no site" or "A × female".
    of_case : ndarray of int with shape (n_cases,)
        Slice of each case of the study.
    filters : tuple of tuple of (str, str)
        Of each slice, the columns and values by which `core.analysis.cases.select.Filters.metadata` finds its
        cases; empty where it cannot.
    """

    columns: tuple[str, ...]
    names: tuple[str, ...]
    of_case: IntArray
    filters: tuple[tuple[tuple[str, str], ...], ...]

    __repr__ = brief

    def __post_init__(self) -> None:
        freeze(self.of_case)

    @property
    def what(self) -> str:
        """What parts the cases, in words: "site", or "site and sex"."""
        return " and ".join(self.columns)


def sliceable(study: Study) -> list[str]:
    """Columns of the cases that part them into 2 to `MOST_SLICES` slices, the reference after metadata."""
    found = []
    for column in sorted(map(str, study.cases.columns), key=REFERENCE.__eq__):
        try:
            case_slices(study, [column])
        except ValueError:
            continue
        found.append(column)
    return found


def case_slices(study: Study, columns: Sequence[str], *, bins: int = 4) -> CaseSlices:
    """Part the cases of a study by their metadata.

    Parameters
    ----------
    study : Study
        With columns in `Study.cases`.
    columns : sequence of str
        One, or two that are crossed.
    bins : int
        Numbers of which there are more than `FEW_NUMBERS` different ones are parted into this many bins with
        about as many cases each; a bin is named by its smallest and its largest number.

    Returns
    -------
    CaseSlices
        In the order of the numbers, or of the names; cases without a value are the last slice, named so.
        Of two columns, the pairs that occur.

    Raises
    ------
    ValueError
        For a column that is not there, tells every case apart, or leaves a single slice; for more than two.
    """
    names = tuple(dict.fromkeys(columns))
    if len(names) != len(columns) or not 1 <= len(names) <= 2:
        raise ValueError(
            f"slices need one column of cases.csv, or two different ones, got {', '.join(columns) or 'none'}"
        )
    parts = [_of_column(study, name, bins) for name in names]
    words, codes, wanted = parts[0]
    if len(parts) > 1:
        others, other, also = parts[1]
        pairs, codes = np.unique(codes * len(others) + other, return_inverse=True)
        both = [divmod(pair, len(others)) for pair in pairs.tolist()]
        words, wanted = (
            [f"{words[i]}{_CROSSED}{others[j]}" for i, j in both],
            [(*wanted[i], *also[j]) if wanted[i] and also[j] else () for i, j in both],
        )
    _check_number(" and ".join(names), len(words), study.n_cases)
    return CaseSlices(names, tuple(words), codes, tuple(wanted))


def _of_column(study: Study, name: str, bins: int) -> tuple[list[str], IntArray, list[_Wanted]]:
    """Names of a column's slices, the slice of each case, and what finds the cases of each slice."""
    if name not in study.cases:
        known = [str(column) for column in study.cases.columns]
        near = nearest(name, known)
        if name == "case_id":
            raise ValueError("case_id names each case: it parts them into no slices; give another column")
        raise ValueError(
            f"cases.csv has no column {name!r} to slice by; "
            + (f"did you mean {near}? " if near else "")
            + (f"it has {', '.join(known)}" if known else "it has none but the ids")
        )
    column = study.cases[name]
    given = column.notna() & (column.astype(str).str.strip() != "")
    values = column[given]
    is_number = is_numeric_dtype(values) and not is_bool_dtype(values)
    words, codes, found = (_of_numbers if is_number else _of_texts)(values, bins)
    if not given.all():
        words = [*words, f"no {name}"]
        found = [*found, *([] if is_numeric_dtype(column) else [""])]
    _check_number(name, len(words), study.n_cases)
    of_case = np.full(study.n_cases, len(words) - 1)
    of_case[given.to_numpy()] = codes
    wanted: list[_Wanted] = [((name, value),) for value in found]
    return words, of_case, [*wanted, *([()] * (len(words) - len(wanted)))]


def _of_texts(values: pd.Series, _bins: int) -> _Parted:
    """A slice for each text, in their order."""
    codes, words = pd.factorize(values.astype(str), sort=True)
    return [str(word) for word in words], codes, [str(word) for word in words]


def _of_numbers(given: pd.Series, bins: int) -> _Parted:
    """A slice for each of a few numbers, or for each bin of many."""
    values = given.to_numpy(np.float64)
    distinct, codes = np.unique(values, return_inverse=True)
    if len(distinct) > FEW_NUMBERS:
        inner = np.quantile(values, np.arange(1, bins) / bins)
        _, codes = np.unique(np.searchsorted(inner, values, side="left"), return_inverse=True)
    ends = [(values[codes == b].min(), values[codes == b].max()) for b in range(int(codes.max()) + 1)]
    words = [_number(low) if low == high else f"{_number(low)} to {_number(high)}" for low, high in ends]
    return words, codes, [number_span(low, high) for low, high in ends]


def _number(value: float) -> str:
    """A number as people write it."""
    return f"{value:.{_DIGITS}g}" if abs(value) < 10**_DIGITS or value % 1 else f"{value:.0f}"


def _check_number(what: str, n_slices: int, n_cases: int) -> None:
    """Refuse what makes no slices."""
    if n_slices < 2:
        raise ValueError(f"{what} is the same for all cases: one slice leaves nothing to compare")
    if n_slices > MOST_SLICES or n_slices == n_cases:
        share = percent(n_slices / n_cases) if n_cases else "none"
        raise ValueError(
            f"{what} has {n_slices:,} different values for {n_cases:,} cases ({share}): it tells cases apart "
            f"rather than groups of them; at most {MOST_SLICES} slices can be compared"
        )
