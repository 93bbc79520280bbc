"""Reading of Parquet files."""

from __future__ import annotations

import itertools
import os
from collections.abc import Collection
from typing import BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from core.study.reading import limits
from core.study.reading.checks import GZIP, UNPACK, file_kind
from core.study.reading.report import Report
from core.study.reading.tables import Table, add_copies, are_names_right, as_text, is_number, is_string

_UNREADABLE = (pa.ArrowException, ValueError, TypeError, KeyError, IndexError, OverflowError)
_TAIL = 8
"""Bytes at the end of a file: the size of its metadata, and four letters."""


def read_parquet(
    stream: BinaryIO, file: str, report: Report, *, columns: Collection[str] | None = None
) -> Table | None:
    """Read a Parquet file that is open; parameters as for `core.study.reading.table_files.read_table`.

    Of some ``columns`` the others are not read, nor are rows compared, of which many may be alike in these.

    What it holds is judged by its metadata and some of its rows before the rest is read: a few thousand bytes
    can stand for any number of equal rows.
    """
    kind = file_kind(stream.read(16))
    if kind != "a Parquet file":
        what = f"the name says Parquet, but it is {kind or 'not'}"
        mend = "Save the table as Parquet, or give the file the ending of what it is."
        report.add(file, what, UNPACK if kind == GZIP else mend)
        return None
    try:
        data = _read(stream, file, report, columns)
        plain = None if data is None else _plain_columns(data)
    except _UNREADABLE as error:
        first = str(error).splitlines()[0] if str(error) else type(error).__name__
        report.add(file, f"the Parquet file is damaged ({first})", "Write the table again.")
        return None
    if data is None or plain is None:
        return None
    if data.num_rows == 0:
        report.add(file, "the table has no rows", "Add the rows, or delete the file.")
        return None
    return Table(file, plain, data.num_rows)


def _read(stream: BinaryIO, file: str, report: Report, columns: Collection[str] | None) -> pa.Table | None:
    """Columns as they are; None, with errors, where they are too many, of a wrong type or too often alike."""
    size = os.fstat(stream.fileno()).st_size
    stream.seek(max(0, size - _TAIL))
    footer = int.from_bytes(stream.read(4), "little")
    if limits.LARGEST_FOOTER < footer < size:
        what = f"the metadata are {footer:,} bytes long; at most {limits.LARGEST_FOOTER:,} can be read"
        report.add(file, what, "Write the table again, with fewer columns or row groups.")
        return None
    stream.seek(0)
    meta = pq.read_metadata(stream)
    unpacked = sum(meta.row_group(i).total_byte_size for i in range(meta.num_row_groups))
    if not limits.is_table_allowed(file, report, rows=meta.num_rows, columns=meta.num_columns):
        return None
    if not limits.is_unpacked_allowed(file, report, packed=size, unpacked=unpacked):
        return None
    schema = meta.schema.to_arrow_schema()
    if not are_names_right(file, schema.names, report) or not are_types_right(file, schema, report):
        return None
    strings = [f.name for f in schema if is_string(f.type)]
    opened = pq.ParquetFile(stream, read_dictionary=strings)
    if columns is not None:
        data = opened.read(columns=[name for name in schema.names if name.strip() in columns])
        data.validate(full=True)
        return data
    above = np.cumsum([0, *(meta.row_group(i).num_rows for i in range(meta.num_row_groups))])
    for i in sorted({0, meta.num_row_groups // 2, meta.num_row_groups - 1} if meta.num_row_groups else {}):
        batches = opened.iter_batches(limits.FIRST_ROWS, row_groups=[i])
        first = pa.Table.from_batches(itertools.islice(batches, 1), opened.schema_arrow)
        first.validate(full=True)
        if _has_many_copies(first, int(above[i]), file, report):
            return None
    data = opened.read()
    data.validate(full=True)
    return data


def _plain_columns(data: pa.Table) -> dict[str, pa.ChunkedArray]:
    """Columns by name; dates and times become text, which fails where a time zone is not known."""
    return {
        name.strip(): as_text(column) if pa.types.is_temporal(column.type) else column
        for name, column in zip(data.column_names, data.columns, strict=True)
    }


def are_types_right(file: str, schema: pa.Schema, report: Report) -> bool:
    """Whether every column holds texts, numbers, truth values or dates."""
    nested = [field for field in schema if not _is_plain(field.type)]
    report.add_many(
        file,
        nested,
        lambda field: f"expected texts or numbers, got values of type {field.type!s:.100}",
        lambda _: "Turn them into text, or leave the column out.",
        column=lambda field: field.name,
        noun="column",
    )
    return not nested


def _is_plain(kind: pa.DataType) -> bool:
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    tests = (is_string, is_number, pa.types.is_boolean, pa.types.is_temporal, pa.types.is_null)
    return any(test(kind) for test in tests)


def _has_many_copies(data: pa.Table, above: int, file: str, report: Report) -> bool:
    """Whether so many of some rows, with so many above them, are copies that the rest need not be read."""
    table = Table(file, _plain_columns(data), data.num_rows)
    key = np.zeros(table.n_rows, np.int64)
    for column in table.columns:
        code = table.codes(column)
        distinct, key = np.unique(key * (table.n_rows + 1) + code, return_inverse=True)
        if len(distinct) >= table.n_rows - limits.MOST_COPIES:
            return False
    first, of_row = np.unique(key, return_index=True, return_inverse=True)[1:]
    copies = np.flatnonzero(first[of_row] != np.arange(table.n_rows))
    if len(copies) <= limits.MOST_COPIES:
        return False
    pairs = [(table.line(above + row), table.line(above + first[of_row[row]])) for row in copies.tolist()]
    add_copies(file, pairs, table.n_rows, report)
    return True
