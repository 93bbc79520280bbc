"""Reading of CSV files."""

from __future__ import annotations

import re
from collections.abc import Collection

import pyarrow as pa
import pyarrow.csv as pa_csv

from core.study.checks import file_kind
from core.study.csv_text import COMMAS, LINE_END, Dialect, header, scan
from core.study.report import Report
from core.study.tables import Table, are_names_right, is_size_allowed

_BLOCK = 64 * 1024**2
_BOM = b"\xef\xbb\xbf"
_SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
_SOMETHING = re.compile(rb"[^\r\n]")


def read_csv(
    data: bytes,
    file: str,
    report: Report,
    *,
    text: Collection[str] | None = None,
    dialect: Dialect = COMMAS,
) -> Table | None:
    """Read the content of a CSV file; parameters as for `core.study.table_files.read_table`."""
    data = data.removeprefix(_BOM)
    if not is_csv_text(data, file, report):
        return None
    cells = data.count(dialect.separator.encode()) + data.count(b"\n")
    if not is_size_allowed(file, cells, 0, report):
        return None
    names, body = header(data, dialect)
    if not names:
        mend = "Write the names of the columns in the first line, without quotes that do not close."
        report.add(file, "the header cannot be read", mend, row=1)
        return None
    if not _is_separated_rightly(file, names, dialect, report) or not are_names_right(file, names, report):
        return None
    if dialect.is_quoted and b'"' in data and not _is_regular(data, file, dialect, report):
        return None
    if not _SOMETHING.search(data, body):
        report.add(file, "the table has a header, but no rows", "Add the rows, or delete the file.")
        return None
    columns = _parse_body(memoryview(data)[body:], names, text, dialect)
    if columns is None:
        if _is_regular(data, file, dialect, report):
            report.add(file, "the file cannot be read as CSV", "Save the table again as CSV (UTF-8).")
        return None
    return Table(file, dict(zip(names, columns, strict=True)), len(columns[0]), data, dialect)


def read_cells(data: bytes, file: str, report: Report) -> tuple[list[list[str]], list[int]] | None:
    """Cells and line of every row of CSV that may lack a header; None, with errors, if it is irregular."""
    data = data.removeprefix(_BOM)
    if not is_csv_text(data, file, report) or not is_size_allowed(file, data.count(b","), 0, report):
        return None
    if not _is_regular(data, file, COMMAS, report):
        return None
    return [row for row in COMMAS.reader(data) if row], scan(data, COMMAS).lines


def is_csv_text(data: bytes, file: str, report: Report) -> bool:
    """Whether the content is UTF-8 text and not empty; if not, the report says what it is instead."""
    kind = file_kind(data[:16])
    if kind is not None:
        report.add(file, f"the name says text, but it is {kind}", "Save the table as CSV (UTF-8).")
        return False
    if b"\0" in data:
        line = len(LINE_END.findall(data, 0, data.index(b"\0"))) + 1
        report.add(file, "expected text, got a NUL byte", "Save the table again as CSV (UTF-8).", row=line)
        return False
    try:
        is_blank = not data.decode("utf-8").strip()
    except UnicodeDecodeError as error:
        line = len(LINE_END.findall(data, 0, error.start)) + 1
        what = f"expected text in UTF-8, got the byte 0x{data[error.start]:02X}"
        report.add(file, what, "Save the file as UTF-8 (in Excel: CSV UTF-8).", row=line)
        return False
    if is_blank:
        report.add(file, "the file is empty", "Save the table again, or delete the file.")
    return not is_blank


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
