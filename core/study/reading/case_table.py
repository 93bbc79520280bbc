"""``cases.csv`` and ``features.csv``: what is known about the cases apart from readings."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from core.study.images import image_paths
from core.study.reading import limits
from core.study.reading.checks import image_fault, is_plain_number, number_kind, personal_content
from core.study.reading.columns import (
    add_rows,
    each_column,
    has_columns,
    known_codes,
    look_up,
    numbers_of,
    of_listed,
    texts_of,
)
from core.study.reading.label_table import TaskLabels
from core.study.reading.report import Report
from core.study.reading.settings import TaskSettings
from core.study.reading.tables import Table, Texts
from core.study.reference_standard import MEND, STANDARD, STANDARDS

CASE_ID = "case_id"
REFERENCE = "reference"
IMAGE = "image"
NO_METADATA = (IMAGE, REFERENCE, STANDARD)
"""Columns that say nothing about the patient, and are texts whatever they look like."""
_MEND = f"Known: {', '.join(STANDARDS)}; {MEND}"
_LOOKED_AT = 2000
_FEWER = "Leave out columns that are not needed, or split the study."


@dataclass(frozen=True, eq=False)
class CaseTable:
    """The table of cases as read, and as a frame: a row a case, indexed by case id."""

    table: Table
    frame: pd.DataFrame


def read_cases(table: Table | None, folder: Path | None, report: Report) -> CaseTable | None:
    """Interpret the case table; None where there is none or it cannot be read.

    Columns of whole numbers become int64, of numbers (or with gaps) float64, all others text, empty where
    nothing is given. ``folder`` holds the images; where it is None, no file is looked for.
    """
    if table is None or not has_columns(table, [CASE_ID], report):
        return None
    ids = texts_of(table, CASE_ID, report)
    add_repeated_cases(table, ids, report)
    index = pd.Index([ids.distinct[code] if code >= 0 else "" for code in ids.code.tolist()], name=CASE_ID)
    return CaseTable(table, pd.DataFrame(metadata_columns(table, [CASE_ID], folder, report), index=index))


def metadata_columns(
    table: Table, taken: Collection[str], folder: Path | None, report: Report
) -> dict[str, np.ndarray | list[str]]:
    """Columns of a case table but those ``taken``, each with its type; ``folder`` holds the images."""
    columns: dict[str, np.ndarray | list[str]] = {}
    for column in table.columns:
        if column in taken:
            continue
        texts = (
            texts_of(table, column, report, required=False)
            if column in (REFERENCE, STANDARD)
            else table.texts(column)
        )
        if any("\0" in value for value in texts.distinct):
            report.add(table.file, "expected text, got a NUL character", "Take it out.", column=column)
        if column == IMAGE:
            _check_images(table, texts, folder, report)
        elif column == STANDARD:
            known = dict.fromkeys(STANDARDS, 0)
            known_codes(table, column, texts, known, report, noun="reference standard", mend=_MEND)
        else:
            _warn_personal(table, column, texts.distinct, report)
        columns[column] = _metadata(texts, as_text=column in NO_METADATA)
    return columns


def check_references(
    cases: CaseTable,
    labels: Mapping[str, TaskLabels],
    tasks: Mapping[str, TaskSettings],
    report: Report,
) -> None:
    """Note references that are no label of any task, nor a score where a task asks for scores.

    Where the labels of a task could not be read, that is said elsewhere, and nothing is said here.
    """
    has_scores = any(task.kind == "score" for task in tasks.values())
    known = {label: 0 for of_task in labels.values() for label in of_task.labels}
    if REFERENCE not in cases.frame or not all(of_task.labels for of_task in labels.values()):
        return
    code: dict[str, int] = {}
    of_row = [code.setdefault(text, len(code)) if text else -1 for text in cases.frame[REFERENCE]]
    known |= {text: 0 for text in code if has_scores and is_plain_number(text)}
    sources = sorted({of_task.source for of_task in labels.values()} - {""})
    mend = "Correct it, or leave it empty where there is no reference."
    mend += f" Labels are those of {'; '.join(sources)}." if sources else " List all labels in labels.csv."
    texts = Texts(np.array(of_row, np.int64), list(code))
    known_codes(cases.table, REFERENCE, texts, known, report, noun="reference", mend=mend)


def add_repeated_cases(table: Table, ids: Texts, report: Report, *, column: str = CASE_ID) -> None:
    """Note every row whose case id has come before."""
    order = np.argsort(ids.code, kind="stable")
    again = order[1:][(np.diff(ids.code[order]) == 0) & (ids.code[order[1:]] >= 0)]
    before = of_listed(again, [_first_rows(ids)[ids.code[again]]])
    add_rows(
        report,
        table,
        again,
        column,
        lambda row: (
            f'the case "{ids.distinct[ids.code[row]]:.200}" comes twice (first in row '
            f"{table.line(before[row][0])})"
        ),
        "Delete one of the rows.",
    )


def _first_rows(ids: Texts) -> np.ndarray:
    """First row of each id."""
    first = np.zeros(len(ids.distinct) + 1, np.int64)
    first[ids.code[::-1]] = np.arange(len(ids.code))[::-1]
    return first


def _metadata(texts: Texts, *, as_text: bool) -> np.ndarray | list[str]:
    kind = str if as_text else number_kind(texts.distinct)
    if kind is int and (texts.code < 0).any():
        kind = float
    if kind is int:
        return np.array([int(value) for value in texts.distinct], np.int64)[texts.code]
    if kind is float:
        return np.array([*(float(value) for value in texts.distinct), np.nan])[texts.code]
    values = [*texts.distinct, ""]
    return [values[code] for code in texts.code.tolist()]


def _warn_personal(table: Table, column: str, values: list[str], report: Report) -> None:
    content = personal_content(column, values[:_LOOKED_AT])
    if content is not None:
        report.add(
            table.file,
            f"the column looks like {content}, which can identify a person",
            "Leave the column out unless it is needed and you may share it.",
            column=column,
            severity="warning",
        )


def _check_images(table: Table, texts: Texts, folder: Path | None, report: Report) -> None:
    """Note images that are missing, leave the study folder, or are no images by their ending."""
    inside: dict[str, bool] = {}
    root = None if folder is None else os.path.realpath(folder)
    paths = [image_paths(value) for value in texts.distinct]
    faulty = [_first_fault(several, root, inside) for several in paths]
    for is_warning in (False, True):
        of_value = [one is not None and (one[1] == "missing") == is_warning for one in faulty]
        rows = np.array([*of_value, False])[texts.code]
        add_rows(
            report,
            table,
            rows,
            "image",
            lambda row: _in_words(faulty[texts.code[row]]),
            "Put the image into the study folder, and write its path from there, as in images/a.png; several "
            "with semicolons between them.",
            is_warning=is_warning,
        )


def _first_fault(paths: list[str], root: str | None, inside: dict[str, bool]) -> tuple[str, str] | None:
    """Return the first path of a cell with a fault, and the fault; what is missing comes last."""
    found = None
    for path in paths:
        fault = image_fault(path) if root is None else _image_fault(root, path, inside)
        if fault is not None and fault != "missing":
            return path, fault
        if fault is not None and found is None:
            found = path, fault
    return found


def _in_words(faulty: tuple[str, str] | None) -> str:
    path, fault = faulty or ("", "")
    return f'there is no file "{path:.200}"' if fault == "missing" else f'{fault}, got "{path:.200}"'


def _image_fault(root: str, path: str, inside: dict[str, bool]) -> str | None:
    fault = image_fault(path)
    if fault is not None:
        return fault
    full = os.path.join(root, path)
    parent = os.path.dirname(full)
    try:
        if parent not in inside:
            inside[parent] = _is_below(os.path.realpath(parent), root)
        is_inside = inside[parent] and (not os.path.islink(full) or _is_below(os.path.realpath(full), root))
        if not is_inside:
            return "expected a path inside the study folder (a link leads out of it)"
        return None if os.path.isfile(full) else "missing"
    except (OSError, ValueError):
        return "missing"


def _is_below(path: str, root: str) -> bool:
    return path == root or path.startswith(root.rstrip(os.sep) + os.sep)


def read_features(table: Table | None, case_ids: dict[str, int], report: Report) -> pd.DataFrame | None:
    """Interpret the feature table: one row for every case of the study, NaN where the table has none."""
    if table is None or not has_columns(table, [CASE_ID], report):
        return None
    ids = texts_of(table, CASE_ID, report)
    add_repeated_cases(table, ids, report)
    case = look_up(ids, case_ids)
    names = [column for column in table.columns if column != CASE_ID]
    count, most = len(case_ids) * len(names), limits.MOST_FEATURES
    if not limits.is_count_allowed(table.file, report, count, most, "features (cases times columns)", _FEWER):
        return None
    values = np.full((len(case_ids), len(names)), np.nan)
    everywhere = np.ones(table.n_rows, bool)
    for i, (column, used) in enumerate(each_column(table, names, report)):
        numbers = numbers_of(
            table,
            column,
            used,
            where=everywhere,
            expected="a finite number",
            mend="Write numbers with a decimal point; leave a case without features out.",
        )
        add_rows(
            used, table, ~numbers.given, column, "the feature is empty", "Fill it in, or delete the row."
        )
        values[case[case >= 0], i] = numbers.value[case >= 0]
    warn_cases(table, ids, case, len(case_ids), report)
    return pd.DataFrame(values, columns=names, index=pd.Index(list(case_ids), name=CASE_ID))


def warn_cases(table: Table, ids: Texts, case: np.ndarray, n_cases: int, report: Report) -> None:
    """Warn of rows for cases that are not in the study, and of cases that the table does not have."""
    strange = (case < 0) & (ids.code >= 0)
    add_rows(
        report,
        table,
        strange,
        CASE_ID,
        lambda row: f'nobody read the case "{ids.distinct[ids.code[row]]:.200}", so the row is not used',
        "Add its annotations, correct the id, or delete the row.",
        is_warning=True,
    )
    missing = n_cases - len(np.unique(case[case >= 0]))
    if missing:
        what = f"{missing:,} of {n_cases:,} cases have no row"
        mend = "They stay out of what needs this table; add the rows if you have them."
        report.add(table.file, what, mend, severity="warning")
