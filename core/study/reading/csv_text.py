"""CSV as text: its lines, its header, and what is irregular in it."""

from __future__ import annotations

import csv
import io
import itertools
import re
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from core.study.reading import limits

LINE_END = re.compile(rb"\r\n|\n|\r")

_LONGEST_HEADER = 16 * 1024**2
PART = 2 * 1024**2
"""Bytes in which `first_rows` looks for rows."""


@dataclass(frozen=True)
class Dialect:
    """How cells are separated, and whether double quotes hold a cell together."""

    separator: str = ","
    is_quoted: bool = True

    def reader(self, data: bytes) -> Any:
        """Strict reader of UTF-8 text, which may end within a character."""
        text = io.TextIOWrapper(io.BytesIO(data), "utf-8", "ignore", newline="")
        if self.is_quoted:
            return csv.reader(text, delimiter=self.separator, strict=True)
        return csv.reader(text, delimiter=self.separator, quoting=csv.QUOTE_NONE, strict=True)


COMMAS = Dialect()
TABS = Dialect("\t", is_quoted=False)


@dataclass(frozen=True)
class Scan:
    """What a walk through a CSV text found.

    Attributes
    ----------
    lines : list of int
        First line of every row that is not empty, from the header on.
    ragged : dict of int to int
        Number of cells of every row with another number of cells than the header, by index: 0 is the first
        row after the header.
    broken : str
        Why a row could not be read, empty if all could.
    is_whole : bool
        Whether the walk came to the end.
    """

    lines: Sequence[int]
    ragged: dict[int, int]
    broken: str
    is_whole: bool


def header(data: bytes, dialect: Dialect) -> tuple[list[str], int]:
    """Names of the columns and where the first row begins; no names where they cannot be read."""
    reader = dialect.reader(data[:_LONGEST_HEADER])
    try:
        names = next(row for row in reader if row)
    except (csv.Error, StopIteration):
        return [], 0
    ends = LINE_END.finditer(data)
    end = 0
    for _ in range(reader.line_num):
        match = next(ends, None)
        end = match.end() if match else len(data)
    return [name.strip() for name in names], end


def scan(data: bytes, dialect: Dialect) -> Scan:
    """Walk through a CSV text row by row, until `limits.MOST_RAGGED` rows have a wrong width."""
    reader = dialect.reader(data)
    lines = array("q")
    ragged: dict[int, int] = {}
    width, line = 0, 0
    try:
        for cells in reader:
            if cells:
                lines.append(line + 1)
                width = width or len(cells)
                if len(cells) != width:
                    ragged[len(lines) - 2] = len(cells)
                    if len(ragged) == limits.MOST_RAGGED:
                        return Scan(lines, ragged, "", is_whole=False)
            line = reader.line_num
    except csv.Error as error:
        return Scan(lines, ragged, str(error), is_whole=False)
    return Scan(lines, ragged, "", is_whole=True)


def are_lines_rows(data: bytes) -> bool:
    """Whether every line is a row: no quotes that could hold several together, no empty lines."""
    return not (
        b'"' in data
        or data.startswith((b"\n", b"\r"))
        or b"\n\n" in data
        or b"\n\r" in data
        or data.count(b"\r") != data.count(b"\r\n")
    )


def first_rows(data: bytes, start: int, dialect: Dialect) -> tuple[list[int], list[Any]]:
    """First line, counted from ``start``, and content of the rows from there on.

    At most `core.study.reading.limits.FIRST_ROWS` rows; the last one, which may be cut, is left out.
    """
    part = data[start : start + PART]
    lines: list[int] = []
    rows: list[Any] = []
    if not dialect.is_quoted or b'"' not in part:
        found = part.splitlines()[: limits.FIRST_ROWS]
        kept = [(i, row) for i, row in enumerate(found, start=1) if row][:-1]
        return [i for i, _ in kept], [row for _, row in kept]
    reader = dialect.reader(part)
    line = 0
    try:
        for cells in itertools.islice(reader, limits.FIRST_ROWS):
            if cells:
                lines.append(line + 1)
                rows.append(tuple(cells))
            line = reader.line_num
    except csv.Error:  # the text is cut within a quoted cell, or irregular, which is reported elsewhere
        return lines, rows
    return lines[:-1], rows[:-1]
