"""Rows of the table of all models, sorted and handed out model by model."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from core.study.model import IntArray
from core.study.reading.assemble import sort_order
from core.study.reading.columns import add_rows, of_listed
from core.study.reading.prediction_files import LongTable
from core.study.reading.report import Report


class ModelRows:
    """Some rows of the table of all models, sorted by model and by keys that identify a row of a model.

    Parameters
    ----------
    long : LongTable
        The table.
    rows : ndarray of int with shape (n,)
        Rows of it, each of a known model.
    keys : sequence of ndarray of int, each with a value for every row of the table
        Such as draw, case and label.
    """

    def __init__(self, long: LongTable, rows: IntArray, *keys: IntArray) -> None:
        of_table = (long.model.code, *keys)
        self._long = long
        self._rows = rows[sort_order(*(key[rows] for key in of_table))]
        self._keys = np.stack([key[self._rows] for key in of_table])

    def add_repeated(self, column: str, what: Callable[[str], str], mend: str, report: Report) -> None:
        """Note every row whose model and keys have come before; ``what`` takes the words for that row."""
        again = np.flatnonzero((np.diff(self._keys) == 0).all(axis=0)) + 1
        first = of_listed(self._rows[again], [self._rows[again - 1]])
        table = self._long.table
        add_rows(
            report,
            table,
            self._rows[again],
            column,
            lambda row: what(f"(also in row {table.line(first[row][0])})"),
            mend,
        )

    def by_model(self) -> Iterator[tuple[str, IntArray]]:
        """Name and rows of each model that has any."""
        models = self._long.model.distinct
        bounds = np.searchsorted(self._keys[0], np.arange(len(models) + 1))
        for code, model in enumerate(models):
            rows = self._rows[bounds[code] : bounds[code + 1]]
            if len(rows):
                yield model, rows
