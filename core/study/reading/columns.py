"""Columns of a table, checked: what does not hold goes to the report with its row."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from core.study.model import IntArray
from core.study.problems import Severity
from core.study.reading import limits
from core.study.reading.checks import clean_text, nearest_column, stands_for_nothing, suggestion
from core.study.reading.report import LISTED, Report
from core.study.reading.tables import Numbers, Table, Texts

_LEAST_PERCENT = 10
"""Numbers of a column that all lie below are hardly percentages: rather scores, or steps of a scale."""
_DIVIDE = "Divide percentages by 100."
_WITH_COMMA = re.compile(r"[+-]?[0-9][0-9.\s]*,[0-9.,\s]*([eE][+-]?[0-9]+)?", re.ASCII)

Words = str | Callable[[int], str]
"""One text for all rows, or a function from the index of a row to its text."""


def add_rows(
    report: Report,
    table: Table,
    rows: NDArray[np.bool_] | IntArray,
    column: str,
    what: Words,
    mend: Words,
    *,
    is_warning: bool = False,
) -> None:
    """Note a problem of some rows of a table, given as a mask or as indices."""
    indices = np.flatnonzero(rows) if rows.dtype == bool else np.sort(rows)
    if len(indices):
        severity: Severity = "warning" if is_warning else "error"
        report.add_many(
            table.file,
            indices,
            (lambda _: what) if isinstance(what, str) else what,
            (lambda _: mend) if isinstance(mend, str) else mend,
            row=table.line,
            column=lambda _: column,
            severity=severity,
        )


def each_column(
    table: Table, columns: Sequence[str], report: Report, *, severity: Severity = "error"
) -> Iterator[tuple[str, Report]]:
    """Columns to be checked alike, each with the report to use; after `LISTED` bad ones, only a count."""
    bad, spare = 0, Report()
    for column in columns:
        used = report if bad < LISTED else spare
        before = len(used.problems)
        yield column, used
        bad += len(used.problems) > before
    more = bad - LISTED
    if more > 0:
        what = f"and {more:,} more {'columns' if more > 1 else 'column'} like this"
        report.add(table.file, what, "Mend them in the same way.", severity=severity)


def has_columns(
    table: Table, required: Collection[str], report: Report, *, optional: Collection[str] | None = None
) -> bool:
    """Whether all required columns are there; a warning for others than the optional ones (None: all are)."""
    missing = [column for column in required if column not in table]
    unknown = [column for column in table.columns if column not in required]
    header = ", ".join(list(table.columns)[:12])
    closest = [nearest_column(column, unknown) for column in missing]
    if len(missing) > 1 and len(missing) == len(required) and not any(closest):
        what = f"there are no columns {', '.join(missing)}; the header has {header:.200}"
        report.add(
            table.file, what, "Write the names of the columns into the first line.", row=table.header_line
        )
        return False
    for column, close in zip(missing, closest, strict=True):
        mend = "Add the column." if close is None else f'Rename the column "{close}" to "{column}".'
        what = f'there is no column "{column}"; the header has {header:.300}'
        report.add(table.file, what, mend, row=table.header_line, column=column)
    if optional is not None and not missing:
        used = ", ".join([*required, *optional])
        report.add_many(
            table.file,
            [column for column in unknown if column not in optional],
            lambda _: "the column is not used",
            lambda column: f"{suggestion(column, optional)}Columns that are used: {used}.",
            row=lambda _: table.header_line,
            column=str,
            severity="warning",
            noun="column",
        )
    return not missing


def texts_of(table: Table, column: str, report: Report, *, required: bool = True) -> Texts:
    """Texts of a column in normal form, without spaces at the ends; where required, none may be empty."""
    raw = table.texts(column)
    raw = _without_endless(table, column, raw, report)
    values = raw.distinct if _are_plain(raw.distinct) else [clean_text(value) for value in raw.distinct]
    if values == raw.distinct:
        texts = raw
    else:
        known: dict[str, int] = {}
        code = [known.setdefault(value, len(known)) if value else -1 for value in values]
        texts = Texts(np.array([*code, -1])[raw.code], list(known))
        _warn_cleaned(table, column, raw, values, report)
    nul = [i for i, value in enumerate(texts.distinct) if "\0" in value]
    if nul:
        mask = np.isin(texts.code, nul)
        add_rows(report, table, mask, column, "expected text, got a NUL character", "Take it out.")
    if required:
        add_rows(
            report, table, texts.code < 0, column, f"{column} is empty", "Fill it in, or delete the row."
        )
    return texts


def _are_plain(values: Sequence[str]) -> bool:
    """Whether all are of letters, digits and signs of ASCII alone, so that there is nothing to clean."""
    every = "".join(values)
    return every.isascii() and every.isprintable() and " " not in every


def _without_endless(table: Table, column: str, raw: Texts, report: Report) -> Texts:
    """Texts of a column, cut where they are too long for a name, which is an error."""
    most = limits.LONGEST_NAME
    if max(map(len, raw.distinct), default=0) <= most:
        return raw
    add_rows(
        report,
        table,
        np.array([*(len(value) > most for value in raw.distinct), False])[raw.code],
        column,
        lambda row: f"{column} has {len(raw.distinct[raw.code[row]]):,} characters, which is no name",
        f"Write at most {most:,} characters.",
    )
    return Texts(raw.code, [value[:most] for value in raw.distinct])


def of_listed(rows: IntArray, values: Sequence[IntArray]) -> dict[int, tuple[int, ...]]:
    """Values at those of the rows that `add_rows` lists: a message needs no more than these."""
    first = np.argsort(rows, kind="stable")[:LISTED]
    of_row = zip(*(value[first].tolist() for value in values), strict=True)
    return dict(zip(rows[first].tolist(), of_row, strict=True))


def _warn_cleaned(table: Table, column: str, raw: Texts, values: list[str], report: Report) -> None:
    spaced = np.array([*(value != value.strip() for value in raw.distinct), False])[raw.code]
    if spaced.any():
        first = int(np.flatnonzero(spaced)[0])
        what = f"{int(spaced.sum()):,} texts begin or end with a space, which was taken off"
        mend = "Take the spaces out of the file."
        report.add(table.file, what, mend, row=table.line(first), column=column, severity="warning")
    forms: dict[str, set[str]] = {}
    for before, after in zip(raw.distinct, values, strict=True):
        forms.setdefault(after, set()).add(before.strip())
    for after, before_all in forms.items():
        if len(before_all) > 1:
            what = f'"{after}" is written with {len(before_all)} different Unicode sequences, read as one'
            mend = "Write it in Unicode normal form C everywhere."
            report.add(table.file, what, mend, column=column, severity="warning")


def refuse_nothing(table: Table, column: str, texts: Texts, report: Report, *, noun: str, mend: str) -> None:
    """Note every cell with a word that programs write where there is no value."""
    is_nothing = np.zeros(len(texts.distinct) + 1, bool)
    is_nothing[[value for value in _used(texts) if stands_for_nothing(texts.distinct[value])]] = True
    add_rows(
        report,
        table,
        is_nothing[texts.code],
        column,
        lambda row: f'expected a {noun}, got "{texts.distinct[texts.code[row]]}", which stands for nothing',
        lambda row: mend.format(texts.distinct[texts.code[row]]),
    )


def _used(texts: Texts) -> list[int]:
    """Codes of the texts that rows have: of many tasks, each uses few of all labels."""
    found: list[int] = np.flatnonzero(np.bincount(texts.code + 1, minlength=1)[1:]).tolist()
    return found


def look_up(texts: Texts, known: Mapping[str, int]) -> IntArray:
    """Code of each row's text among the known ones; −1 where it is empty or unknown."""
    if texts.distinct == list(known):
        return texts.code
    found = np.full(len(texts.distinct) + 1, -1)
    for value in _used(texts):
        found[value] = known.get(texts.distinct[value], -1)
    return found[texts.code]


def known_codes(
    table: Table, column: str, texts: Texts, known: Mapping[str, int], report: Report, *, noun: str, mend: str
) -> IntArray:
    """Code of each row's text; one that is not known is an error with the nearest known one as a proposal."""
    code = look_up(texts, known)
    proposals: dict[int, str] = {}

    def hint(row: int) -> str:
        value = int(texts.code[row])
        if value not in proposals:
            proposals[value] = suggestion(texts.distinct[value], known)
        return proposals[value] + mend

    unknown = (code < 0) & (texts.code >= 0)
    add_rows(
        report,
        table,
        unknown,
        column,
        lambda row: f'unknown {noun} "{texts.distinct[texts.code[row]]:.200}"',
        hint,
    )
    return code


def numbers_of(  # noqa: PLR0913 - what a number may be, by name
    table: Table,
    column: str,
    report: Report,
    *,
    where: NDArray[np.bool_],
    expected: str,
    mend: str,
    low: float = -np.inf,
    high: float = np.inf,
    whole: bool = False,
) -> Numbers:
    """Numbers of a column; in the rows ``where``, any that is not as expected is an error."""
    numbers = table.numbers(column)
    value = numbers.value
    with np.errstate(invalid="ignore"):
        bad = numbers.bad | (value < low) | (value > high)
        if whole:
            bad |= numbers.given & (value != np.floor(value))
    is_share = high == 1
    if is_share and bad.any() and (value[bad] > 1).all() and _LEAST_PERCENT < value[bad].max() <= 100:
        mend = _DIVIDE
    add_rows(
        report,
        table,
        bad & where,
        column,
        lambda row: f'{column} must be {expected}, got "{table.cell(column, row):.100}"',
        lambda row: _how_to_write(table.cell(column, row), is_share) or mend,
    )
    return numbers


def _how_to_write(text: str, is_share: bool) -> str:
    """How to write a number that a spreadsheet shows in another way; empty where it is something else."""
    if text.rstrip().endswith("%"):
        return f"{_DIVIDE[:-1]}, and take the sign % out." if is_share else "Take the sign % out."
    if _WITH_COMMA.fullmatch(text):
        return "Use a point as the decimal sign, and no thousands separators."
    return ""


def warn_unused(table: Table, column: str, used: NDArray[np.bool_], task: str, report: Report) -> None:
    """Warn where a column is filled in for a task that has no use for it."""
    if column in table:
        count = int((used & (table.texts(column).code >= 0)).sum())
        if count:
            what = f'{count:,} rows of the task "{task}" give a {column}, which its kind does not use'
            mend = "Leave it empty, or change the kind of the task in study.toml."
            report.add(table.file, what, mend, column=column, severity="warning")
