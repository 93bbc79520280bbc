"""Which stretches of a table may hold a case that fulfils a condition, by the bounds of their numbers."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.study.condition import ConditionReader, Mask
from core.study.model import FloatArray


@dataclass(frozen=True, eq=False)
class Bounds:
    """Numbers of a column in stretches of a table; arrays have the shape (n_stretches,).

    Attributes
    ----------
    low, high : ndarray of float64
        Least and largest; -inf and inf where they are not known.
    has_gaps : ndarray of bool
        Whether a case may have no number.
    """

    low: FloatArray
    high: FloatArray
    has_gaps: Mask


def may_fulfil(condition: str, bounds: Mapping[str, Bounds], n_stretches: int) -> Mask:
    """Tell which stretches may hold a case that fulfils a condition.

    Parameters
    ----------
    condition : str
        That `core.study.condition.fulfilled` takes.
    bounds : mapping of str to Bounds
        By column; of columns that are not here everything is possible.
    n_stretches : int
        How many stretches there are.

    Returns
    -------
    ndarray of bool with shape (n_stretches,)
        Never False where a case fulfils it.
    """
    found: _Possible = _BoundsReader(unicodedata.normalize("NFC", condition), bounds, n_stretches).read()
    return found.is_true


@dataclass(frozen=True, eq=False)
class _Possible:
    """Whether something may be true of a case in each stretch, and whether it may be false."""

    is_true: Mask
    is_false: Mask

    def __or__(self, other: _Possible) -> _Possible:
        return _Possible(self.is_true | other.is_true, self.is_false & other.is_false)

    def __and__(self, other: _Possible) -> _Possible:
        return _Possible(self.is_true & other.is_true, self.is_false | other.is_false)

    def __invert__(self) -> _Possible:
        return _Possible(self.is_false, self.is_true)


class _BoundsReader(ConditionReader):
    """Reads a condition that has been put to some cases already, so that its columns and values suit."""

    def __init__(self, condition: str, bounds: Mapping[str, Bounds], n_stretches: int) -> None:
        super().__init__(condition, pd.DataFrame())
        self.bounds, self.n_stretches = bounds, n_stretches

    def _column(self) -> str:
        """Take the name of a column."""
        self.place += 1
        return self.tokens[self.place - 1].says

    def _compared(self, column: str, sign: str) -> _Possible:
        """Take a value, and compare the bounds of a column with it."""
        token = self.tokens[self.place]
        self.place += 1
        of = self.bounds.get(column)
        if of is None or token.kind != "number":
            anything = np.ones(self.n_stretches, bool)
            return _Possible(anything, anything)
        value = float(token.says)
        below, above = of.low < value, of.high > value
        meets = (of.low <= value) & (value <= of.high)
        other = below | above
        possible = {
            "<": (below, of.high >= value),
            "<=": (of.low <= value, above),
            ">": (above, of.low <= value),
            ">=": (of.high >= value, below),
            "==": (meets, other),
            "!=": (other | of.has_gaps, meets),
        }
        is_true, is_false = possible[sign]
        # A case without a number fulfils "!=" alone.
        return _Possible(is_true, is_false if sign == "!=" else is_false | of.has_gaps)
