"""Scores of a multi-reader multi-case study in iMRMC's list format."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

import numpy as np
import pandas as pd

from core.study.formats.common import assemble_study, read_text
from core.study.model import Predictions, Study
from core.study.natural import natural_key
from core.study.reading import limits
from core.study.reading.assemble import row_table
from core.study.reading.checks import clean_text, is_plain_number
from core.study.reading.report import Report

COLUMNS = ("readerID", "caseID", "modalityID", "score")
BEGIN = "BEGIN DATA"
TRUTH = ("truth", "-1")
"""Readers whose rows hold the truth of the cases: 0 or 1 in the place of a score."""
_NEGATIVE, _POSITIVE = "negative", "positive"


@dataclass(frozen=True)
class _Row:
    """A row of the list, and its line in the file."""

    line: int
    reader: str
    case: str
    modality: str
    score: str


def read_imrmc(source: Path) -> Study:
    """Read scores of readers.

    Parameters
    ----------
    source : Path
        CSV with the columns readerID, caseID, modalityID and score, whatever their order; or the text of an
        ``.imrmc`` file, with a line "BEGIN DATA:" before the rows of those four. Rows of the reader "truth"
        or −1 say 0 or 1 of every case. A modality whose one reader is called like it, or has no name, is read
        by nobody: a model by itself.

    Returns
    -------
    Study
        One choice task, ``truth``, with labels "negative" and "positive". The truth stands as the reference,
        and as the reading of a rater called "truth".

    Raises
    ------
    StudyError
        With all problems found.
    """
    report = Report()
    rows = _rows(source, report)
    report.raise_errors()
    truth, scores = _checked(rows, source.name, report)
    report.raise_errors()
    case_ids = sorted(truth, key=natural_key)
    case = {case_id: at for at, case_id in enumerate(case_ids)}
    by_pair: dict[str, dict[str, np.ndarray]] = {}
    for row in scores:
        of_reader = by_pair.setdefault(row.modality, {})
        given = of_reader.setdefault(row.reader, np.full(len(case_ids), np.nan))
        given[case[row.case]] = float(row.score)
    labels = [_POSITIVE if truth[case_id] else _NEGATIVE for case_id in case_ids]
    alone = [name for name, readers in by_pair.items() if set(readers) in ({name}, {""})]
    code = np.array([label == _POSITIVE for label in labels], np.int64)
    return assemble_study(
        report,
        name=source.stem,
        task="truth",
        kind="choice",
        labels=(_NEGATIVE, _POSITIVE),
        positive=_POSITIVE,
        rows=row_table(np.arange(len(code)), np.zeros(len(code), np.int64), code),
        case_ids=case_ids,
        rater_ids=["truth"],
        cases=pd.DataFrame({"reference": labels}),
        predictions={
            name: Predictions.of_scores(name, next(iter(by_pair[name].values())))
            for name in sorted(alone, key=natural_key)
        },
        reader_predictions={
            name: {
                reader: Predictions.of_scores(name, by_pair[name][reader])
                for reader in sorted(by_pair[name], key=natural_key)
            }
            for name in sorted(by_pair, key=natural_key)
            if name not in alone
        },
        description="Read from a list of scores in the format of iMRMC. The truth is taken from the list; it "
        "stands as the reference and as the one reading of each case.",
    )


def _rows(source: Path, report: Report) -> list[_Row]:
    """Rows of the list with their lines, the header left out."""
    text = read_text(source, report)
    if text is None:
        return []
    lines = text.splitlines()
    begin = next((at for at, line in enumerate(lines) if line.strip().upper().startswith(BEGIN)), -1)
    places = list(range(len(COLUMNS)))
    found: list[_Row] = []
    reader = csv.reader(StringIO("\n".join(lines[begin + 1 :])), skipinitialspace=True)
    for cells in reader:
        line = begin + 1 + reader.line_num
        texts = [clean_text(cell) for cell in cells]
        if not any(texts):
            continue
        if not found and {name.casefold() for name in COLUMNS} <= {cell.casefold() for cell in texts}:
            places = [[cell.casefold() for cell in texts].index(name.casefold()) for name in COLUMNS]
            continue
        if not found and begin < 0 and places == list(range(4)) and not _is_row(texts):
            what = f"expected a header with {', '.join(COLUMNS)}, got {', '.join(texts[:6]):.200}"
            report.add(
                source.name, what, f'Name the columns so, or write "{BEGIN}:" before the rows.', row=line
            )
            return []
        if len(texts) <= max(places):
            what = f"expected {', '.join(COLUMNS)}, got {len(texts)} {'cell' if len(texts) == 1 else 'cells'}"
            report.add(source.name, what, "Write the four of them, with commas between.", row=line)
            return []
        found.append(_Row(line, *(texts[place] for place in places)))
    if not found:
        report.add(source.name, "the list has no rows", f"Write rows of {', '.join(COLUMNS)}.")
    most = limits.MOST_CELLS
    if not limits.is_count_allowed(source.name, report, 4 * len(found), most, "cells", "Split the file."):
        return []
    return found


def _is_row(texts: Sequence[str]) -> bool:
    """Whether the cells may be a row without a header before it."""
    return len(texts) == len(COLUMNS) and is_plain_number(texts[3])


def _checked(rows: list[_Row], file: str, report: Report) -> tuple[dict[str, bool], list[_Row]]:
    """Truth by case, and the rows of readers; what is wrong goes to the report."""
    of_truth = [row for row in rows if row.reader.casefold() in TRUTH]
    scores = [row for row in rows if row.reader.casefold() not in TRUTH]
    note = _Notes(file, report)
    note.of([row for row in rows if not row.case], "the case is empty", "Fill it in, or delete the row.")
    wrong = [row for row in of_truth if not is_plain_number(row.score) or float(row.score) not in (0, 1)]
    note.of(
        wrong,
        lambda row: f'the truth has to be 0 or 1, got "{row.score:.100}"',
        "Write 1 for a positive case and 0 for a negative one.",
    )
    note.of(
        [row for row in scores if not (is_plain_number(row.score) and np.isfinite(float(row.score)))],
        lambda row: f'expected a score, got "{row.score:.100}"',
        "Write a number with a decimal point; delete the row where the case was not read.",
    )
    note.of(
        [row for row in scores if not row.modality],
        "the modality is empty",
        "Fill it in: how the reader read the case.",
    )
    truth = {row.case: float(row.score) == 1 for row in of_truth if row not in wrong}
    note.of(
        _again(of_truth, lambda row: row.case),
        lambda row: f'the case "{row.case:.200}" has two rows of truth',
        "Delete one of them.",
    )
    note.of(
        _again(scores, lambda row: (row.reader, row.case, row.modality)),
        lambda row: (
            f'the reader "{row.reader:.100}" scores the case "{row.case:.100}" twice with '
            f'"{row.modality:.100}"'
        ),
        "Delete one of the rows.",
    )
    known = {row.case for row in of_truth}
    mend = f'Add a row with the reader "{TRUTH[0]}", the case, the modality "{TRUTH[0]}", and 0 or 1.'
    if not of_truth:
        report.add(file, "no row says the truth of a case", mend)
    else:
        missing = _first_of_each([row for row in scores if row.case not in known], lambda row: row.case)
        note.of(missing, lambda row: f'no row says the truth of the case "{row.case:.200}"', mend)
    if of_truth and not wrong and len(set(truth.values())) < 2:
        which = _POSITIVE if any(truth.values()) else _NEGATIVE
        report.add(file, f"all cases are {which}", "Check the truth: cases of both kinds are needed.")
    if not scores:
        report.add(file, "no reader scores a case", "Add the rows of the readers.")
    return truth, scores


@dataclass(frozen=True)
class _Notes:
    """Notes problems of rows of one file."""

    file: str
    report: Report

    def of(self, rows: Sequence[_Row], what: str | Callable[[_Row], str], mend: str) -> None:
        """Note the same problem of some rows."""
        self.report.add_many(
            self.file,
            list(rows),
            what if callable(what) else lambda _: what,
            lambda _: mend,
            row=lambda row: row.line,
        )


def _again(rows: Iterable[_Row], key: Callable[[_Row], object]) -> list[_Row]:
    """Rows whose key has come before."""
    seen: set[object] = set()
    found = []
    for row in rows:
        if key(row) in seen:
            found.append(row)
        seen.add(key(row))
    return found


def _first_of_each(rows: list[_Row], key: Callable[[_Row], object]) -> list[_Row]:
    """Rows whose key has not come before."""
    later = {row.line for row in _again(rows, key)}
    return [row for row in rows if row.line not in later]
