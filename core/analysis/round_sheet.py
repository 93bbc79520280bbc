"""A round on paper: a sheet with a row for each case to be filled in, and the way back into the history."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from core.analysis.cases.what_if import Reading, parse_reading
from core.analysis.export import guarded_csv
from core.analysis.guarded_text import unguarded
from core.analysis.report_files import find_task
from core.reviews.event import Event
from core.reviews.in_round import reading_event
from core.reviews.rounds import Round, find_round, reader_name
from core.study.model import FloatArray, Study, Task
from core.study.reading.case_table import CASE_ID
from core.study.reading.checks import clean_text, suggestion
from core.study.reading.columns import add_rows, has_columns, numbers_of
from core.study.reading.csv_text import COMMAS, Dialect
from core.study.reading.report import Report
from core.study.reading.table_files import read_table
from core.study.reading.tables import Table

ROUND, QUESTION, READING, CONFIDENCE = "round", "question", "reading", "confidence"
COLUMNS = (ROUND, CASE_ID, QUESTION, READING, CONFIDENCE)
_REQUIRED = (CASE_ID, READING)
HOW = {
    "choice": "Write one label of the study.",
    "ranking": "Write the labels in braces, first choice first and tied ones together, as in {A} {B, C}.",
    "score": "Write a number with a decimal point, as in 4.5.",
}


@dataclass(frozen=True)
class Sheet:
    """A sheet that was filled in.

    Attributes
    ----------
    of : Round
    events : tuple of Event
        Readings to keep, in the order of the rows.
    n_known : int
        Rows that say what the history has already.
    n_empty : int
        Cases that were not read.
    """

    of: Round
    events: tuple[Event, ...]
    n_known: int
    n_empty: int


def sheet_csv(of: Round, *, reader: str | None = None) -> str:
    """Write a round as a table to be filled in.

    Parameters
    ----------
    of : Round
    reader : str, optional
        Only the cases that this reader has still to read; all by default.

    Returns
    -------
    str
        CSV with the columns `COLUMNS`: a row for each case in the order of the round, ``reading`` and
        ``confidence`` empty. No cell is a formula to a spreadsheet (`core.analysis.guarded_text`).
    """
    name = None if reader is None else reader_name(reader)
    cases = [case for case in of.cases if name is None or name not in of.readings.get(case, {})]
    rows = [(of.name, case, of.question, "", "") for case in cases]
    return guarded_csv(pd.DataFrame(rows, columns=list(COLUMNS)))


def read_sheet(
    path: Path, study: Study, rounds: Mapping[str, Round], author: str, *, name: str | None = None
) -> Sheet:
    """Read a sheet that was filled in.

    Parameters
    ----------
    path : Path
        CSV with the columns ``case_id`` and ``reading``, and, where given, ``round`` and ``confidence``; with
        commas or semicolons between cells. A case without a reading was not read.
    study : Study
        As published.
    rounds : mapping of str to Round
        Of the study (`core.reviews.rounds.rounds_of`).
    author : str
        Who read the cases.
    name : str, optional
        Of the round; what the sheet says by default.

    Returns
    -------
    Sheet
        Nothing is kept yet.

    Raises
    ------
    StudyError
        With everything that is wrong in the sheet, each with its row and how to mend it.
    ValueError
        If there is no such round, or the author is not among its readers.
    """
    report = Report()
    table = read_table(path, path.name, report, dialect=dialect_of(path))
    report.raise_errors()
    assert table is not None
    has_columns(table, _REQUIRED, report, optional=(ROUND, QUESTION, CONFIDENCE))
    report.raise_errors()
    of = find_round(rounds, _name(table, name, report))
    task = find_task(study, of.task)
    if not of.may_read(author):
        raise ValueError(f"round “{of.name}” is read by {', '.join(of.readers)}, got “{author}”")
    cases = _cases(table, study, of, report)
    texts = cells_of(table, READING)
    confidence = _confidence(table, texts, report)
    said = _readings(table, task, texts, report)
    report.raise_errors()
    events, n_known = [], 0
    refused: dict[int, str] = {}
    for row, (case_id, reading, sure) in enumerate(zip(cases, said, confidence.tolist(), strict=True)):
        if reading is None:
            continue
        try:
            event = reading_event(
                study,
                task,
                of,
                case_id,
                author,
                blocks=[[task.labels[label] for label in block] for block in reading.blocks],
                score=reading.score,
                confidence=None if np.isnan(sure) else sure,
            )
        except ValueError as error:
            refused[row] = str(error)
            continue
        known = of.readings.get(case_id, {}).get(reader_name(event.author))
        if known is not None and known.content == event.content:
            n_known += 1
        else:
            events.append(event)
    _add_refused(table, refused, report)
    report.raise_errors()
    if not events and not n_known:
        report.add(path.name, "no case has a reading", HOW[task.kind], column=READING)
        report.raise_errors()
    return Sheet(of, tuple(events), n_known, sum(reading is None for reading in said))


def _add_refused(table: Table, refused: Mapping[int, str], report: Report) -> None:
    """Note the rows whose readings the round does not take."""
    add_rows(
        report,
        table,
        np.array(sorted(refused), np.int64),
        READING,
        lambda row: refused[row],
        "Leave the cell as it was, or empty.",
    )


def dialect_of(path: Path) -> Dialect:
    """Commas between cells, or semicolons, which spreadsheets write where a comma is the decimal sign."""
    try:
        with path.open("rb") as file:
            first = file.readline(10_000)
    except OSError:
        return COMMAS
    return Dialect(";") if b";" in first and b"," not in first else COMMAS


def cells_of(table: Table, column: str) -> list[str]:
    """Texts of a column as they are, without spaces at the ends."""
    texts = table.texts(column)
    return [texts.distinct[code].strip() if code >= 0 else "" for code in texts.code.tolist()]


def _name(table: Table, name: str | None, report: Report) -> str:
    """Name of the round; the sheet says one, and no other than was asked for."""
    cells = cells_of(table, ROUND) if ROUND in table else [""] * table.n_rows
    named = [unguarded(cell) for cell in cells]
    said = name or next(filter(None, named), None)
    if said is None:
        what = "the sheet does not say which round it is of"
        report.add(table.file, what, "Name the round with --round, or fill in the column.", column=ROUND)
        report.raise_errors()
    other = np.array([bool(one) and clean_text(one) != clean_text(said or "") for one in named])
    add_rows(
        report,
        table,
        other,
        ROUND,
        lambda row: f"expected a row of round “{said}”, got one of “{named[row]:.100}”",
        "Bring each round back with a sheet of its own.",
    )
    report.raise_errors()
    return said or ""


def _cases(table: Table, study: Study, of: Round, report: Report) -> list[str]:
    """Case of each row; empty, with an error, where it is none of the round or comes again."""
    raw = cells_of(table, CASE_ID)
    in_round = dict.fromkeys(of.cases)
    of_study = set(study.case_ids)
    found: list[str] = []
    first: dict[str, int] = {}
    wrong: dict[int, tuple[str, str]] = {}
    for row, text in enumerate(raw):
        # What a spreadsheet was kept from taking for a formula is first of all the text as it was.
        case_id = next((one for one in (unguarded(text), text) if clean_text(one) in in_round), text)
        case_id = clean_text(case_id)
        found.append(case_id)
        if not text:
            wrong[row] = "case_id is empty", "Fill it in, or delete the row."
        elif case_id not in in_round:
            of_what = f"round “{of.name}”" if case_id in of_study else "the study"
            near = "" if case_id in of_study else suggestion(case_id, in_round)
            wrong[row] = f"“{case_id:.100}” is no case of {of_what}", f"{near}Correct it, or delete the row."
        elif case_id in first:
            wrong[row] = (
                f"the case comes again (also in row {table.line(first[case_id])})",
                "Keep the row that counts, and delete the other.",
            )
        first.setdefault(case_id, row)
    add_rows(
        report,
        table,
        np.array(sorted(wrong), np.int64),
        CASE_ID,
        lambda row: wrong[row][0],
        lambda row: wrong[row][1],
    )
    return found


def _confidence(table: Table, texts: list[str], report: Report) -> FloatArray:
    """Confidence of each row; NaN where there is none."""
    if CONFIDENCE not in table:
        return np.full(table.n_rows, np.nan)
    numbers = numbers_of(
        table,
        CONFIDENCE,
        report,
        where=np.ones(table.n_rows, bool),
        expected="a number in [0, 1]",
        mend="Write the confidence as a number from 0 to 1, or leave it empty.",
        low=0,
        high=1,
    )
    add_rows(
        report,
        table,
        numbers.given & np.array([not text for text in texts]),
        CONFIDENCE,
        "there is a confidence, but no reading",
        "Write the reading, or take the confidence out.",
    )
    return numbers.value


def _readings(table: Table, task: Task, texts: list[str], report: Report) -> list[Reading | None]:
    """What each row says; None where it says nothing, or, with an error, what the task does not allow."""
    wrong: dict[int, tuple[str, str]] = {}
    said: list[Reading | None] = []
    for row, text in enumerate(texts):
        reading, fault = _parsed(task, text)
        said.append(reading)
        if fault:
            # A question, which nearest label was meant, belongs to what mends it.
            what, stop, near = fault.rpartition(". ") if fault.endswith("?") else (fault.rstrip("."), "", "")
            wrong[row] = what, f"{near}{stop and ' '}{HOW[task.kind]}"
    add_rows(
        report,
        table,
        np.array(sorted(wrong), np.int64),
        READING,
        lambda row: wrong[row][0],
        lambda row: wrong[row][1],
    )
    return said


def _parsed(task: Task, text: str) -> tuple[Reading | None, str]:
    """What a cell says, and what is wrong with it: first as it is, then without what guards a formula."""
    fault = ""
    for way in dict.fromkeys((text, unguarded(text))) if text else ():
        try:
            return parse_reading(task, way), ""
        except ValueError as error:
            fault = fault or str(error)
    return None, fault
