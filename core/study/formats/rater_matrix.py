"""A matrix of labels, cases × raters, with an optional matrix of confidences."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.study.formats.common import assemble_study
from core.study.model import FloatArray, Study
from core.study.natural import natural_key, natural_order
from core.study.reading.assemble import row_table
from core.study.reading.checks import clean_text, is_plain_number, stands_for_nothing
from core.study.reading.csv_files import read_cells
from core.study.reading.files import exists, open_file
from core.study.reading.report import Report

LABELS = "preds.csv"
CONFIDENCES = "confs.csv"

_ID_NAMES = ("case_id", "case", "id", "")


@dataclass(frozen=True, eq=False)
class Matrix:
    """Cells of a matrix, its header and ids where it has them, and the line of each row."""

    file: str
    cells: list[list[str]]
    lines: Sequence[int]
    raters: list[str]
    case_ids: list[str]


def read_rater_matrix(source: Path) -> Study:
    """Read a matrix of labels.

    Parameters
    ----------
    source : Path
        CSV file with a row for each case and a column for each rater, empty where a rater did not read the
        case; or a folder with such a file, `LABELS`, and `CONFIDENCES`, of the same shape, in [0, 1].
        A first row that shares no cell with the rest is a header with the names of the raters; a first column
        under the name ``case_id``, ``case`` or ``id`` holds the cases.

    Returns
    -------
    Study
        One choice task, ``label``. Whole numbers such as 1.0 become the label "1". Without a header raters
        are called "rater 1" …, without ids cases are numbered from 1.

    Raises
    ------
    StudyError
        With all problems found.
    """
    report = Report()
    is_folder = os.path.isdir(source)
    path = source / LABELS if is_folder else source
    matrix = _read(path, report)
    confidence_path = source / CONFIDENCES
    confidences = _read(confidence_path, report) if is_folder and exists(confidence_path) else None
    report.raise_errors()
    assert matrix is not None
    texts = np.array([[_label(cell) for cell in row] for row in matrix.cells], object)
    labels = sorted({text for text in texts.ravel().tolist() if text}, key=natural_key)
    confidence = np.full(texts.shape, np.nan)
    if confidences is not None:
        confidence = _confidence(confidences, matrix, report)
    _check_names(matrix, report)
    _refuse_nothing(matrix, report)
    if not labels:
        report.add(matrix.file, "the matrix has no label", "Give the path of a matrix of labels.")
    report.raise_errors()
    codes = {label: code for code, label in enumerate(labels)}
    case, rater = np.nonzero(texts != "")
    label = np.array([codes[text] for text in texts[case, rater].tolist()], np.int64)
    order = natural_order(matrix.raters)
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    return assemble_study(
        report,
        name=source.resolve().stem,
        task="label",
        kind="choice",
        labels=labels,
        rows=row_table(case, rank[rater], label, confidence=confidence[case, rater]),
        case_ids=matrix.case_ids,
        rater_ids=[matrix.raters[i] for i in order],
        description="Read from a matrix of cases × raters.",
    )


def _read(path: Path, report: Report) -> Matrix | None:
    opened = open_file(path, path.name, report)
    if opened is None:
        return None
    with opened:
        found = read_cells(opened, path.name, report)
    if found is None:
        return None
    rows, lines = found
    body = {cell for row in rows[1:] for cell in row if cell}
    has_header = len(rows) > 1 and not body & set(rows[0]) and not all(map(is_plain_number, rows[0]))
    raters = [f"rater {i + 1}" for i in range(len(rows[0]))]
    if has_header:
        raters, rows, lines = [clean_text(name) for name in rows[0]], rows[1:], lines[1:]
    case_ids = [str(i + 1) for i in range(len(rows))]
    if has_header and raters[0].casefold() in _ID_NAMES and len(raters) > 1:
        case_ids = [clean_text(row[0]) for row in rows]
        raters, rows = raters[1:], [row[1:] for row in rows]
    return Matrix(path.name, rows, lines, raters, case_ids)


def _label(cell: str) -> str:
    text = clean_text(cell)
    if is_plain_number(text) and len(text) <= 15 and float(text).is_integer():
        return str(int(float(text)))
    return text


def _refuse_nothing(matrix: Matrix, report: Report) -> None:
    """Note rows with a word that programs write where there is no label."""
    found = {
        i: cell for i, row in enumerate(matrix.cells) for cell in row if stands_for_nothing(clean_text(cell))
    }
    report.add_many(
        matrix.file,
        list(found),
        lambda i: f'expected a label or an empty cell, got "{found[i]}", which stands for nothing',
        lambda _: "Leave the cell empty where nobody read the case; give such a label another name.",
        row=lambda i: matrix.lines[i],
    )


def _check_names(matrix: Matrix, report: Report) -> None:
    """Every rater and every case has an id of its own."""
    for column, names in (("header", matrix.raters), ("case_id", matrix.case_ids)):
        seen = {""}
        wrong: list[int] = []
        for i, name in enumerate(names):
            if name in seen or stands_for_nothing(name):
                wrong.append(i)
            seen.add(name)
        lines = [1] * len(names) if column == "header" else matrix.lines
        report.add_many(
            matrix.file,
            [(names[i], lines[i]) for i in wrong],
            lambda found: f'expected an id of its own, got "{found[0]:.100}"',
            lambda _: "Give each rater and each case its own id.",
            row=lambda found: found[1],
        )


def _confidence(confidences: Matrix, matrix: Matrix, report: Report) -> FloatArray:
    """Confidences with the shape of the labels; NaN where empty."""
    shape = (len(matrix.cells), len(matrix.raters))
    if (len(confidences.cells), len(confidences.raters)) != shape:
        what = f"expected {shape[0]} × {shape[1]} confidences as in {matrix.file}, "
        what += f"got {len(confidences.cells)} × {len(confidences.raters)}"
        report.add(confidences.file, what, "Give one confidence for each label.")
        return np.full(shape, np.nan)
    values = np.full(shape, np.nan)
    bad: dict[int, str] = {}
    for i, row in enumerate(confidences.cells):
        for j, cell in enumerate(row):
            if cell.strip():
                value = float(cell) if is_plain_number(cell) else np.nan
                values[i, j] = value
                if not 0 <= value <= 1:
                    bad.setdefault(i, cell)
    report.add_many(
        confidences.file,
        list(bad),
        lambda i: f'expected confidences in [0, 1], got "{bad[i]:.100}"',
        lambda _: "Write numbers from 0 to 1; divide percentages by 100.",
        row=lambda i: confidences.lines[i],
    )
    return values
