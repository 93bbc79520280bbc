"""One table of a study in memory: columns of texts and numbers, and the line of every row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from core.study.model import FloatArray, IntArray
from core.study.reading import limits
from core.study.reading.checks import is_plain_number
from core.study.reading.csv_text import COMMAS, Dialect, are_lines_rows, scan
from core.study.reading.report import Report


@dataclass(frozen=True, eq=False)
class Texts:
    """A column of texts as codes.

    Attributes
    ----------
    code : ndarray of int64 with shape (n_rows,)
        Index into ``distinct``; −1 where the cell is empty.
    distinct : list of str
        In the order of first appearance.
    """

    code: IntArray
    distinct: list[str]


@dataclass(frozen=True, eq=False)
class Numbers:
    """A column of numbers.

    Attributes
    ----------
    value : ndarray of float64 with shape (n_rows,)
        NaN where empty, and where the text is no number.
    given : ndarray of bool with shape (n_rows,)
        Whether the cell is not empty.
    """

    value: FloatArray
    given: NDArray[np.bool_]

    @property
    def bad(self) -> NDArray[np.bool_]:
        """Whether something is given that is no finite number."""
        return self.given & ~np.isfinite(self.value)


@dataclass(frozen=True, eq=False)
class Table:
    """A table as read: nothing is interpreted yet.

    Attributes
    ----------
    file : str
        Path relative to the study folder.
    columns : mapping of str to pyarrow.ChunkedArray
        By name, in the order of the file.
    n_rows : int
        Number of rows after the header.
    source : bytes
        Content of a CSV file without byte order mark; empty for Parquet.
    dialect : Dialect
        Of a CSV file.
    first_line : int
        What the first row is called in problems: 2, the line after the header's, but 0 of a frame.
    """

    file: str
    columns: Mapping[str, pa.ChunkedArray]
    n_rows: int
    source: bytes = field(default=b"", repr=False)
    dialect: Dialect = COMMAS
    first_line: int = 2

    def __contains__(self, column: str) -> bool:
        return column in self.columns

    @cached_property
    def _lines(self) -> IntArray | None:
        """Line of the header and of every row of CSV; None where every line is a row."""
        if are_lines_rows(self.source):
            return None
        lines = list(scan(self.source, self.dialect).lines)
        missing = self.n_rows + 1 - len(lines)
        if missing > 0:
            last = lines[-1] if lines else 0
            lines += range(last + 1, last + missing + 1)
        return np.array(lines, np.int64)

    def line(self, row: int) -> int:
        """Line of a row as an editor numbers it; a Parquet table counts as if its header were line 1.

        The rows of a frame count from 0, as by ``iloc``.
        """
        lines = self._lines if self.source else None
        return int(row) + self.first_line if lines is None else int(lines[row + 1])

    @property
    def header_line(self) -> int | None:
        """Line of the names of the columns; None of a frame, which has none."""
        return 1 if self.first_line else None

    def cell(self, column: str, row: int) -> str:
        """Text of one cell, for a message."""
        value = self.columns[column][int(row)].as_py()
        return "" if value is None else str(value).removesuffix(".0" if isinstance(value, float) else "")

    def texts(self, column: str) -> Texts:
        """Distinct texts of a column and the code of each row."""
        encoded = as_text(self.columns[column]).dictionary_encode()
        array = encoded.combine_chunks()
        if isinstance(array, pa.ChunkedArray):
            array = array.unify_dictionaries().combine_chunks()
        code = pc.fill_null(array.indices, -1).to_numpy(zero_copy_only=False).astype(np.int64)
        values: list[str] = array.dictionary.to_pylist()
        if "" in values:
            empty = values.index("")
            code = np.where(code == empty, -1, code - (code > empty))
            del values[empty]
        return Texts(code, values)

    def codes(self, column: str) -> IntArray:
        """Code of each row of a column of anything, the same where cells are the same; −1 where empty."""
        if not is_number(self.columns[column].type):
            return self.texts(column).code
        encoded = self.columns[column].combine_chunks().dictionary_encode()
        code: IntArray = pc.fill_null(encoded.indices, -1).to_numpy(zero_copy_only=False).astype(np.int64)
        return code

    def numbers(self, column: str) -> Numbers:
        """Numbers of a column."""
        array = self.columns[column]
        if pa.types.is_boolean(array.type):
            return Numbers(np.full(self.n_rows, np.nan), np.ones(self.n_rows, bool))
        if is_number(array.type):
            value = pc.fill_null(pc.cast(array, pa.float64(), safe=False), np.nan).to_numpy()
            return Numbers(value, ~np.isnan(value))
        array = as_text(array)
        try:
            numbers = pc.cast(pc.if_else(pc.equal(array, ""), None, array), pa.float64())
        except pa.ArrowInvalid:
            texts = self.texts(column)
            parsed = [float(text) if is_plain_number(text) else np.nan for text in texts.distinct]
            blank = [not text.strip() for text in texts.distinct]
            given = (texts.code >= 0) & ~np.array([*blank, True])[texts.code]
            return Numbers(np.array([*parsed, np.nan])[texts.code], given)
        given = pc.is_valid(numbers).to_numpy()
        return Numbers(pc.fill_null(numbers, np.nan).to_numpy(), given)


def add_copies(file: str, copies: Sequence[tuple[int, int]], n_rows: int, report: Report) -> None:
    """Note rows that are copies of others, both by their lines, among so many rows that were looked at."""
    report.add_many(
        file,
        copies,
        lambda pair: f"the row is a copy of row {pair[1]}",
        lambda _: "Delete the copies.",
        row=lambda pair: pair[0],
    )
    what = f"{len(copies):,} of {n_rows:,} rows looked at are copies; the rest was not looked at"
    report.add(file, what, "Check how the file was written.")


def are_names_right(file: str, names: Sequence[str], report: Report, *, row: int | None = 1) -> bool:
    """Whether every column has a name of its own, and none is endless; ``row`` is where the names stand."""
    seen: set[str] = set()
    nameless: list[int] = []
    endless = [i for i, name in enumerate(names, start=1) if len(name) > limits.LONGEST_NAME]
    repeated: list[str] = []
    for position, name in enumerate((name.strip() for name in names), start=1):
        if not name or name.startswith("__index_level_"):
            nameless.append(position)
        elif name in seen:
            repeated.append(name)
        seen.add(name)
    report.add_many(
        file,
        nameless,
        lambda position: f"column {position} has no name",
        lambda _: "Name or delete the column (in pandas, save with index=False).",
        row=lambda _: row,
        noun="column",
    )
    report.add_many(
        file,
        endless,
        lambda position: f"column {position} has a name of {len(names[position - 1]):,} characters",
        lambda _: f"Give it a name of at most {limits.LONGEST_NAME:,} characters.",
        row=lambda _: row,
        noun="column",
    )
    report.add_many(
        file,
        repeated,
        lambda _: "two columns have the same name",
        lambda _: "Rename or delete one of them.",
        row=lambda _: row,
        column=str,
        noun="column",
    )
    return not nameless and not endless and not repeated


def is_number(kind: pa.DataType) -> bool:
    """Whether values of a type are numbers."""
    return pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)


def as_text(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Texts of a column; whole numbers have no decimal point, so that an id 7 stays 7."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        return column if is_string(kind.value_type) else as_text(column.cast(kind.value_type))
    if is_string(kind):
        return column
    if pa.types.is_floating(kind):
        encoded = column.cast(pa.float64()).combine_chunks().dictionary_encode()
        values = [str(int(v) if v.is_integer() else v) for v in encoded.dictionary.to_pylist()]
        texts = pa.array([None if value == "nan" else value for value in values], pa.large_string())
        return pa.chunked_array([texts.take(encoded.indices)])
    return column.cast(pa.large_string())


def is_string(kind: pa.DataType) -> bool:
    """Whether values of a type are texts."""
    return pa.types.is_string(kind) or pa.types.is_large_string(kind)
