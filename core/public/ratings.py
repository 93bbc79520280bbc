"""A plain matrix of ratings as counts and readings: what the coefficients of agreement need."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from core.metrics.agreement.rating_counts import RatingCounts, rating_counts
from core.study.model import FloatArray, IntArray, Readings
from core.study.reading.assemble import build_readings, row_table

Ratings = ArrayLike | pd.DataFrame | Sequence[Sequence[Hashable | None]]
"""Cases × raters; None, NaN and NA where a rater did not read a case."""


class RatingMatrix:
    """Ratings as codes.

    Attributes
    ----------
    code : ndarray of int64 with shape (n_cases, n_raters)
        Index into ``possible``; −1 where the rater did not read the case.
    possible : list
        What could have been given, in order.
    raters : Index
        Names of the columns of a frame, else 0, 1, 2 …
    """

    def __init__(self, ratings: Ratings, values: Sequence[Hashable] | None) -> None:
        if isinstance(ratings, pd.DataFrame) and "case_id" in ratings and "rater_id" not in ratings:
            ratings = ratings.set_index("case_id")
        given = _matrix(ratings)
        self.raters = ratings.columns if isinstance(ratings, pd.DataFrame) else pd.RangeIndex(given.shape[1])
        found: dict[Hashable, None] = {}
        for value in given.ravel():
            if not _is_missing(value):
                try:
                    found.setdefault(value)
                except TypeError:
                    raise TypeError(f"ratings must be hashable, got a {type(value).__name__}") from None
        if values is None:
            self.possible = _sorted(list(found))
        else:
            self.possible = list(values)
            strange = [value for value in found if value not in set(self.possible)]
            if strange or len(set(self.possible)) < len(self.possible):
                what = f"got a rating {strange[0]!r}" if strange else "got one of them twice"
                raise ValueError(f"values must list all that could be given, each once; {what}")
        place = {value: code for code, value in enumerate(self.possible)}
        codes = [-1 if _is_missing(value) else place[value] for value in given.ravel()]
        self.code: IntArray = np.array(codes, np.int64).reshape(given.shape)

    @property
    def readings(self) -> Readings:
        """One choice for each rating."""
        case, rater = np.nonzero(self.code >= 0)
        return build_readings(row_table(case, rater, self.code[case, rater]), len(self.code))

    def counts(self, *, ordered: bool = False) -> RatingCounts:
        """How often each value was given to each case; in an order, what each is worth as well."""
        readings = self.readings
        number = self._numbers() if ordered else None
        return rating_counts(
            readings, readings.label.astype(np.int64), max(len(self.possible), 2), number=number
        )

    @property
    def has_numbers(self) -> bool:
        """Whether every value is a number, so that there is an order."""
        return all(isinstance(value, Real) and not isinstance(value, bool) for value in self.possible)

    def _numbers(self) -> FloatArray:
        """What each value is worth: the number that it is; of names in a given order their places."""
        if self.has_numbers:
            number = np.array(self.possible, np.float64)
            if (np.diff(number) <= 0).any() or not np.isfinite(number).all():
                raise ValueError(f"values that are numbers must be finite and ascend, got {self.possible}")
        else:
            number = np.arange(len(self.possible), dtype=np.float64)
        if len(number) == 1:
            number = np.append(number, number[0] + 1)
        return number if len(number) else np.arange(2.0)


def require_order(matrix: RatingMatrix, values: Sequence[Hashable] | None) -> None:
    """Refuse names whose order nobody has said.

    Raises
    ------
    ValueError
        If a value is no number and ``values`` were not given.
    """
    if values is None and not matrix.has_numbers:
        example = f"values={matrix.possible!r:.100}"
        raise ValueError(f"values must give the order of ratings that are no numbers, as in {example}")


def _matrix(ratings: Ratings) -> np.ndarray[Any, np.dtype[Any]]:
    """Ratings as an array of objects with two dimensions."""
    if isinstance(ratings, pd.DataFrame):
        if {"case_id", "rater_id"} <= set(ratings.columns):
            how = 'frame.pivot(index="case_id", columns="rater_id", values="label")'
            raise ValueError(f"ratings must be cases × raters, got one row a reading: give {how}")
        return ratings.to_numpy(object)
    if isinstance(ratings, str) or not isinstance(ratings, Iterable):
        raise TypeError(f"ratings must be a matrix, cases × raters, got {type(ratings).__name__}")
    if isinstance(ratings, np.ndarray):
        given = ratings.astype(object)
    else:
        rows = [list(row) for row in ratings]  # type: ignore[arg-type]
        widths = {len(row) for row in rows}
        if len(widths) > 1:
            raise ValueError(f"ratings must have a rating of every rater, None for missing, got {widths}")
        given = np.empty((len(rows), widths.pop() if widths else 0), object)
        for i, row in enumerate(rows):
            for r, value in enumerate(row):
                given[i, r] = value
    if given.ndim != 2:
        raise ValueError(f"ratings must have shape (n_cases, n_raters), got {given.shape}")
    return given


def _is_missing(value: object) -> bool:
    """Whether a rating was not given: None, NaN, NaT or NA."""
    return value is None or value is pd.NA or value is pd.NaT or (value != value) is True


def _sorted(values: list[Hashable]) -> list[Hashable]:
    """Values in their order; where they have none together, that of their texts."""
    try:
        return sorted(values)  # type: ignore[type-var]
    except TypeError:
        return sorted(values, key=repr)
