"""An example of a condition, made of what a study's own cases say."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pandas as pd
from pandas.api.types import is_bool_dtype, is_numeric_dtype

from core.study.condition import as_column

_NOT_SHOWN = ("image", "reference")
_MOST_VALUES, _LONGEST = 20, 24
"""Different values of a column that groups cases, and characters of one that makes a readable example."""


def condition_example(cases: pd.DataFrame) -> str:
    """Condition that some of the cases fulfil, on a column of text and one of numbers where there are such.

    Parameters
    ----------
    cases : DataFrame
        Indexed by case id, as `core.study.model.Study.cases`.

    Returns
    -------
    str
        Such as ``site == "A" and age >= 60``; on the case ids alone where no column groups cases.
    """
    columns = [str(name) for name in cases if name not in _NOT_SHOWN]
    of_text, of_numbers = _of_text(cases, columns), _of_numbers(cases, columns)
    parts = [part for part in (next(of_text, ""), next(of_numbers, "")) if part]
    if parts:
        return " and ".join(parts)
    return f"case_id in [{', '.join(_quoted(str(case_id)) for case_id in cases.index[:2])}]"


def _of_text(cases: pd.DataFrame, columns: list[str]) -> Iterator[str]:
    """Parts on the most frequent value of a column of text that groups cases."""
    for column in columns:
        if is_numeric_dtype(cases[column]) and not is_bool_dtype(cases[column]):
            continue
        values = cases[column].dropna().astype(str)
        counts = values[values != ""].value_counts()
        if 1 < len(counts) <= min(_MOST_VALUES, len(cases) // 2) and _is_short(value := str(counts.index[0])):
            yield f"{as_column(column)} == {_quoted(value)}"


def _of_numbers(cases: pd.DataFrame, columns: list[str]) -> Iterator[str]:
    """Parts on the upper half of a column of numbers, whole ones first."""
    known = {name: pd.Series(cases[name]).dropna() for name in columns}
    numbers = [name for name, of in known.items() if is_numeric_dtype(of) and not is_bool_dtype(of)]
    for column in sorted(numbers, key=lambda name: not _is_whole(known[name])):
        values = known[column]
        if values.min() < values.max():
            median = float(values.median())
            is_whole = _is_whole(values) or abs(median) >= 1000
            yield f"{as_column(column)} >= {math.ceil(median) if is_whole else format(median, '.3g')}"


def _is_whole(values: pd.Series) -> bool:
    return bool((values % 1 == 0).all())


def _is_short(value: str) -> bool:
    return len(value) <= _LONGEST and '"' not in value


def _quoted(value: str) -> str:
    """A value between quotes of the kind that it does not hold."""
    return f"'{value}'" if '"' in value else f'"{value}"'
