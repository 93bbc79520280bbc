"""Rows of prediction tables as scores by case: of a model that gives no probabilities."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.study.model import FloatArray, IntArray
from core.study.reading.case_table import CASE_ID, add_repeated_cases, warn_cases
from core.study.reading.checks import clean_text
from core.study.reading.columns import add_rows, known_codes, look_up, numbers_of, texts_of
from core.study.reading.label_table import TaskLabels
from core.study.reading.limits import Room
from core.study.reading.model_rows import ModelRows
from core.study.reading.prediction_files import DRAW, SCORE, LongTable
from core.study.reading.report import Report
from core.study.reading.settings import FILE as SETTINGS_FILE
from core.study.reading.tables import Table, Texts


@dataclass(frozen=True, eq=False)
class ScoreCells:
    """Scores of one model as given.

    Attributes
    ----------
    case : ndarray of int with shape (n_given,)
        Covered cases.
    score : ndarray of float64 with shape (n_given,)
        Just as given; NaN where a problem was reported.
    """

    case: IntArray
    score: FloatArray


def holds_scores(table: Table, known: Mapping[str, int]) -> bool:
    """Whether the table of one model has a column of scores, which is none of a label with that name."""
    return SCORE in table and SCORE not in known


def check_scored_task(table: Table, name: str, known: Mapping[str, int], only: int, report: Report) -> None:
    """Note why a task cannot have scores; ``only`` is the code of its positive label, −1 for none."""
    labels = ", ".join(f'"{label:.100}"' for label in known)
    if len(known) != 2:
        what = f'a score ranks cases for one label of two, and the task "{name}" has {len(known):,} labels'
        mend = "Give a probability for each label, or make it a task of two labels."
    elif only < 0:
        what = f'the task "{name}" does not say which of {labels} a higher score speaks for'
        mend = f'Write positive = "LABEL" for the task in {SETTINGS_FILE}.'
    elif SCORE in known:
        what = f'the task "{name}" has a label called {SCORE}, so that the column may be its probability'
        mend = "Give the label another name."
    else:
        return
    report.add(table.file, what, mend, row=table.header_line, column=SCORE)


def _has_room(table: Table, n_cases: int, room: Room, report: Report) -> bool:
    """Whether there is room for a score of every case, in the place of two probabilities; it is taken."""
    if room.take(2 * n_cases):
        return True
    what = f"of the {room.most:,} probabilities and scores that a study can hold, {room.left:,} are left"
    report.add(table.file, what, "Leave out models, or split the study.")
    return False


def wide_scores(
    table: Table, known: Mapping[str, int], case_ids: Mapping[str, int], room: Room, report: Report
) -> ScoreCells | None:
    """Check the table of one model, a row a case; None, with an error, where its scores find no room."""
    if not _has_room(table, len(case_ids), room, report):
        return None
    ids = texts_of(table, CASE_ID, report)
    case = look_up(ids, case_ids)
    _check_columns(table, known, report)
    add_repeated_cases(table, ids, report)
    warn_cases(table, ids, case, len(case_ids), report)
    score = _checked(table, np.ones(table.n_rows, bool), report)
    kept = np.flatnonzero(case >= 0)
    return ScoreCells(case[kept], score[kept])


def _check_columns(table: Table, known: Mapping[str, int], report: Report) -> None:
    """Note what stands beside the scores of one model."""
    others = [column for column in table.columns if column not in (CASE_ID, SCORE, DRAW)]
    labels = [column for column in others if clean_text(column) in known]
    if labels:
        mend = f"Delete the column {SCORE}, or those of the labels."
        shown = ", ".join(f'"{label:.100}"' for label in labels[:5]) + (" …" if len(labels) > 5 else "")
        what = f"the file has scores and probabilities of {shown}; which of them to use is not clear"
        report.add(table.file, what, mend, row=table.header_line, column=SCORE)
    if DRAW in table:
        _refuse_draws(table, report)
    report.add_many(
        table.file,
        [column for column in others if column not in labels],
        lambda column: f'unknown column "{column:.200}"',
        lambda _: f"A file of scores has the columns {CASE_ID} and {SCORE}.",
        row=lambda _: table.header_line,
        column=str,
        noun="column",
    )


def _refuse_draws(table: Table, report: Report) -> None:
    what = "scores cannot be averaged over draws, only probabilities can"
    report.add(
        table.file, what, "Give one score a case, or probabilities.", row=table.header_line, column=DRAW
    )


def _checked(table: Table, where: NDArray[np.bool_], report: Report) -> FloatArray:
    """Scores of the rows ``where``; NaN where one is missing or not a finite number."""
    numbers = numbers_of(
        table,
        SCORE,
        report,
        where=where,
        expected="a finite number",
        mend="Write a number with a decimal point; leave the case out if the model does not cover it.",
    )
    mend = "Leave the whole case out if the model does not cover it."
    add_rows(report, table, where & ~numbers.given, SCORE, "the score is missing", mend)
    return np.where(np.isfinite(numbers.value), numbers.value, np.nan)


def long_scores(
    long: LongTable,
    of_task: IntArray,
    labels: TaskLabels,
    known: Mapping[str, int],
    only: int,
    case_ids: Mapping[str, int],
    room: Room,
    report: Report,
) -> Iterator[tuple[str, ScoreCells]]:
    """Check the rows ``of_task`` of the table of all models, and give each model's with its name."""
    table = long.table
    where = np.zeros(table.n_rows, bool)
    where[of_task] = True
    if DRAW in table:
        _refuse_draws(table, report)
    _check_labels(long, where, labels, known, only, report)
    case = look_up(long.case, case_ids)
    score = _checked(table, where, report)
    index = of_task[(case[of_task] >= 0) & (long.model.code[of_task] >= 0)]
    of_models = ModelRows(long, index, case)
    of_models.add_repeated(
        CASE_ID, lambda where: f"the model scores the case twice {where}", "Delete one of the rows.", report
    )
    for model, rows in of_models.by_model():
        if not _has_room(table, len(case_ids), room, report):
            return
        yield model, ScoreCells(case[rows], score[rows])


def _check_labels(
    long: LongTable,
    where: NDArray[np.bool_],
    labels: TaskLabels,
    known: Mapping[str, int],
    only: int,
    report: Report,
) -> None:
    """Note every row that names another label than the positive one."""
    of_rows = Texts(np.where(where, long.label.code, -1), long.label.distinct)
    mend = f"Labels are those of {labels.source or 'the task'}; correct the label, or add it there."
    label = known_codes(long.table, "label", of_rows, known, report, noun="label", mend=mend)
    if only >= 0:
        add_rows(
            report,
            long.table,
            (label >= 0) & (label != only),
            "label",
            lambda row: (
                f'a score speaks for the positive label "{labels.labels[only]:.100}", got '
                f'"{labels.labels[label[row]]:.100}"'
            ),
            "Give each case one score; the column label may be left out.",
        )
