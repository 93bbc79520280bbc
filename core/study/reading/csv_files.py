"""Reading of CSV files."""

from __future__ import annotations

import codecs
import re
from collections.abc import Collection, Sequence
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.csv as pa_csv

from core.study.reading import limits
from core.study.reading.checks import GZIP, UNPACK, file_kind
from core.study.reading.csv_text import COMMAS, PART, Dialect, first_rows, header, scan
from core.study.reading.report import Report
from core.study.reading.tables import Table, add_copies, are_names_right

_BLOCK = 64 * 1024**2
_CHUNK = 4 * 1024**2
_BOM = b"\xef\xbb\xbf"
_SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
_SOMETHING = re.compile(rb"[^\r\n]")
_SAVE = "Save the table again as CSV (UTF-8)."


def read_csv(  # noqa: PLR0911 - one return for each fault
    stream: BinaryIO,
    file: str,
    report: Report,
    *,
    text: Collection[str] | None = None,
    dialect: Dialect = COMMAS,
) -> Table | None:
    """Read a CSV file that is open; parameters as for `core.study.reading.table_files.read_table`."""
    data = read_text(stream, file, dialect, report)
    if data is None:
        return None
    names, body = header(data, dialect)
    if not names:
        mend = "Write the names of the columns in the first line, without quotes that do not close."
        report.add(file, "the header cannot be read", mend, row=1)
        return None
    if not limits.is_table_allowed(file, report, rows=1, columns=len(names)):
        return None
    if not _is_separated_rightly(file, names, dialect, report) or not are_names_right(file, names, report):
        return None
    if _has_many_copies(data, body, file, dialect, report):
        return None
    if dialect.is_quoted and b'"' in data and not _is_regular(data, file, dialect, report):
        return None
    if not _SOMETHING.search(data, body):
        report.add(file, "the table has a header, but no rows", "Add the rows, or delete the file.")
        return None
    columns = _parse_body(memoryview(data)[body:], names, text, dialect)
    if columns is None:
        if _is_regular(data, file, dialect, report):
            report.add(file, "the file cannot be read as CSV", _SAVE)
        return None
    return Table(file, dict(zip(names, columns, strict=True)), len(columns[0]), data, dialect)


def read_cells(stream: BinaryIO, file: str, report: Report) -> tuple[list[list[str]], Sequence[int]] | None:
    """Cells and line of every row of CSV that may lack a header; None, with errors, if it is irregular."""
    data = read_text(stream, file, COMMAS, report)
    cells = 0 if data is None else data.count(b",") + data.count(b"\n") + 1
    mend = "Split the matrix."
    if not limits.is_count_allowed(file, report, cells, limits.MOST_CELLS, "cells", mend):
        return None
    if data is None or not _is_regular(data, file, COMMAS, report):
        return None
    return [row for row in COMMAS.reader(data) if row], scan(data, COMMAS).lines


def read_text(stream: BinaryIO, file: str, dialect: Dialect, report: Report) -> bytes | None:
    """Text of a file without byte order mark; None, with an error, where it is none or is too large.

    The file is looked through in pieces before it is taken into memory: by then it is known to be UTF-8, and
    to have no more rows and cells than allowed.
    """
    decoder = codecs.getincrementaldecoder("utf-8")()
    separator = dialect.separator.encode()
    lines = separators = 0
    is_blank = True
    kind = file_kind(stream.read(16))
    if kind is not None:
        mend = UNPACK if kind == GZIP else "Save the table as CSV (UTF-8)."
        report.add(file, f"the name says text, but it is {kind}", mend)
        return None
    stream.seek(0)
    while chunk := stream.read(_CHUNK):
        if chunk.endswith(b"\r"):
            chunk += stream.read(1)
        if b"\0" in chunk:
            row = lines + _line_ends(chunk[: chunk.index(b"\0")]) + 1
            report.add(file, "expected text, got a NUL byte", _SAVE, row=row)
            return None
        try:
            text = decoder.decode(chunk, final=not stream.peek(1))  # type: ignore[attr-defined]
        except UnicodeDecodeError as error:
            row = lines + _line_ends(error.object[: error.start]) + 1
            _add_not_utf8(file, error.object[error.start], row, report)
            return None
        is_blank = is_blank and (not text or text.isspace())
        lines += _line_ends(chunk)
        separators += chunk.count(separator)
        columns = 1 + separators // max(lines, 1)
        if not limits.is_table_allowed(file, report, rows=lines, columns=min(columns, limits.MOST_COLUMNS)):
            return None
    if is_blank:
        report.add(file, "the file is empty", "Save the table again, or delete the file.")
        return None
    stream.seek(0)
    return stream.read().removeprefix(_BOM)


def _line_ends(text: bytes) -> int:
    """Number of lines that end in a text: with LF, CR LF or CR."""
    returns = text.count(b"\r")
    return text.count(b"\n") + (returns - text.count(b"\r\n") if returns else 0)


def _add_not_utf8(file: str, byte: int, row: int, report: Report) -> None:
    what = f"expected text in UTF-8, got the byte 0x{byte:02X}"
    letter = bytes([byte]).decode("cp1252", "ignore")
    if letter.isprintable() and letter:
        what += f', which is "{letter}" in Windows-1252'
    report.add(file, what, "Save the file as UTF-8 (in Excel: CSV UTF-8).", row=row)


def _has_many_copies(data: bytes, body: int, file: str, dialect: Dialect, report: Report) -> bool:
    """Whether too many rows at the start, in the middle or near the end are copies of others.

    No table has two equal rows, so this finds a file that a program has written again and again.
    """
    starts = [body]
    if not dialect.is_quoted or b'"' not in data:
        # Without quotes every line begins a row.
        behind = (data.find(b"\n", max(body, at)) + 1 for at in (len(data) // 2, len(data) - PART))
        starts += [at for at in behind if at]
    return any(_has_copies_at(data, start, file, dialect, report) for start in dict.fromkeys(starts))


def _has_copies_at(data: bytes, start: int, file: str, dialect: Dialect, report: Report) -> bool:
    lines, rows = first_rows(data, start, dialect)
    if len(rows) - len(set(rows)) <= limits.MOST_COPIES:
        return False
    above = _line_ends(data[:start])
    known: dict[Any, int] = {}
    copies = [
        (line + above, first + above)
        for line, row in zip(lines, rows, strict=True)
        if (first := known.setdefault(row, line)) != line
    ]
    add_copies(file, copies, len(rows), report)
    return True


def _is_separated_rightly(file: str, names: list[str], dialect: Dialect, report: Report) -> bool:
    if len(names) > 1:
        return True
    found = [word for mark, word in _SEPARATORS.items() if mark != dialect.separator and mark in names[0]]
    if found:
        expected = _SEPARATORS[dialect.separator]
        mend = (
            f"Save the table with {expected} between the columns and decimal points in the numbers, as a "
            "spreadsheet set to English does."
        )
        report.add(file, f"expected {expected} between the columns, got {found[0]}", mend, row=1)
    return not found


def _is_regular(data: bytes, file: str, dialect: Dialect, report: Report) -> bool:
    """Whether all rows have as many cells as the header and all quotes close."""
    found = scan(data, dialect)
    width = len(header(data, dialect)[0])
    report.add_many(
        file,
        list(found.ragged),
        lambda row: f"expected {width} cells as in the header, got {found.ragged[row]}",
        lambda row: _how_to_mend(found.ragged[row] > width, dialect),
        row=lambda row: found.lines[row + 1],
    )
    if len(found.ragged) == limits.MOST_RAGGED:
        what = f"the rows after row {found.lines[-1]:,} were not looked at"
        report.add(file, what, "Mend the rows above first.")
    if found.broken:
        what = f"the row cannot be read ({found.broken})"
        mend = "Close every double quote, and write two double quotes for one inside a quoted text."
        report.add(file, what, mend, row=found.lines[-1] + 1 if found.lines else 1)
    return not found.ragged and not found.broken


def _how_to_mend(is_too_long: bool, dialect: Dialect) -> str:
    """What to do about a row with more or fewer cells than the header."""
    if not is_too_long:
        return "Add the missing cells."
    if not dialect.is_quoted:
        return f"Take {_SEPARATORS[dialect.separator]} out of the texts, or delete what is too much."
    return (
        "Put a text that holds a comma in double quotes, write numbers with a decimal point, or delete what "
        "is too much."
    )


def _parse_body(
    body: memoryview, names: list[str], text: Collection[str] | None, dialect: Dialect
) -> list[pa.ChunkedArray] | None:
    """Parse the rows; None if that fails or if a row has another width than the header."""
    keys = [str(i) for i in range(len(names))]
    types = {
        key: pa.large_string() if text is None or name in text else pa.float64()
        for key, name in zip(keys, names, strict=True)
    }
    try:
        parsed = pa_csv.read_csv(
            pa.BufferReader(pa.py_buffer(body)),
            read_options=pa_csv.ReadOptions(column_names=keys, block_size=_BLOCK),
            parse_options=pa_csv.ParseOptions(
                delimiter=dialect.separator,
                quote_char='"' if dialect.is_quoted else False,
                newlines_in_values=dialect.is_quoted,
            ),
            convert_options=pa_csv.ConvertOptions(
                column_types=types, null_values=[""], strings_can_be_null=False, check_utf8=False
            ),
        )
    except pa.ArrowException:
        return None if text is None else _parse_body(body, names, None, dialect)
    return [parsed.column(key) for key in keys]
