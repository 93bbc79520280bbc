"""Rows of prediction tables as probabilities by case, label and draw."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.study.model import FloatArray, IntArray
from core.study.reading.assemble import sort_order
from core.study.reading.case_table import CASE_ID, add_repeated_cases, warn_cases
from core.study.reading.checks import clean_text, stands_for_nothing, suggestion
from core.study.reading.columns import (
    add_rows,
    each_column,
    known_codes,
    look_up,
    numbers_of,
    of_listed,
    refuse_nothing,
    texts_of,
)
from core.study.reading.label_table import NO_LABEL, TaskLabels
from core.study.reading.limits import Room
from core.study.reading.model_rows import ModelRows
from core.study.reading.prediction_files import DRAW, SCORE, LongTable
from core.study.reading.report import Report
from core.study.reading.tables import Table, Texts

MANY = 2 * 10**7
"""Rows times labels above which probabilities are kept as float32."""

LARGEST_DRAW = 10**9
_NUMBER = "Number the predictions of a case 1, 2, 3 and so on."


@dataclass(frozen=True, eq=False)
class Cells:
    """Predictions of one model as given: one a covered case, or one a covered case and draw.

    Attributes
    ----------
    case : ndarray of int with shape (n_given,)
        Covered cases.
    draw : ndarray of int with shape (n_given,)
        Place of the draw among those of the model, from 0; −1 where a problem was reported.
    row : ndarray of int with shape (n_given,)
        A row of the table for each of them.
    probability : ndarray of float with shape (n_given, n_labels)
        0 where not given; NaN where a problem was reported.
    only_positive : ndarray of bool with shape (n_given,)
        Whether nothing but the positive label of a two-label task was given.
    """

    case: IntArray
    draw: IntArray
    row: IntArray
    probability: FloatArray
    only_positive: NDArray[np.bool_]


def _dtype(n_rows: int, n_cases: int, n_labels: int) -> type[np.float32] | type[np.float64]:
    return np.float32 if max(n_rows, n_cases) * n_labels > MANY else np.float64


def _checked(table: Table, column: str, where: NDArray[np.bool_], only: int, report: Report) -> FloatArray:
    """Probabilities of a column; NaN where one is missing or not in [0, 1]."""
    mend = "Write a number from 0 to 1 with a decimal point."
    if only >= 0:
        mend += f" Numbers that are no probabilities go in a single column called {SCORE}."
    numbers = numbers_of(
        table, column, report, where=where, expected="a probability in [0, 1]", mend=mend, low=0, high=1
    )
    mend = "Write 0, or leave the whole case out if the model does not cover it."
    add_rows(report, table, where & ~numbers.given, column, "the probability is missing", mend)
    with np.errstate(invalid="ignore"):
        return np.where((numbers.value >= 0) & (numbers.value <= 1), numbers.value, np.nan)


def _draws(table: Table, where: NDArray[np.bool_], mend: str, report: Report) -> IntArray:
    """Numbers of the draws; 0 where none is given or it is no whole number of 1 or more."""
    numbers = numbers_of(
        table,
        DRAW,
        report,
        where=where,
        expected="a whole number of 1 or more",
        mend=mend,
        low=1,
        high=LARGEST_DRAW,
        whole=True,
    )
    with np.errstate(invalid="ignore"):
        allowed = (numbers.value >= 1) & (numbers.value <= LARGEST_DRAW)
    return np.where(allowed, numbers.value, 0).astype(np.int64)


def _in_order(number: IntArray) -> IntArray:
    """Place of each draw among the different ones, from 0; −1 for a draw without a number."""
    distinct = np.unique(number[number > 0])
    return np.where(number > 0, np.searchsorted(distinct, number), -1 if len(distinct) else 0)


def _add_missing_draws(table: Table, rows: NDArray[np.bool_] | IntArray, report: Report) -> None:
    add_rows(
        report, table, rows, DRAW, "the draw is missing", "Number it, or leave out all draws of the model."
    )


def _has_room(
    table: Table, n_rows: int, n_cases: int, n_labels: int, draw: IntArray, room: Room, report: Report
) -> bool:
    """Whether there is room for a probability of every case, label and draw; if so, it is taken."""
    n_draws = int(draw.max(initial=0)) + 1
    count = max(n_rows, n_draws * n_cases) * n_labels
    if room.take(count):
        return True
    draws = f" × {n_draws:,} draws" if n_draws > 1 else ""
    what = (
        f"{n_cases:,} cases × {n_labels:,} labels{draws} are {count:,} probabilities; of the "
        f"{room.most:,} that a study can hold, {room.left:,} are left"
    )
    mend = "Join labels that are rare, leave out models, or split the study."
    if draws:
        mend = "Number the predictions of every case 1, 2, 3 and so on, or leave out draws or models."
    report.add(table.file, what, mend)
    return False


def wide_cells(
    table: Table,
    labels: TaskLabels,
    known: Mapping[str, int],
    only: int,
    case_ids: Mapping[str, int],
    room: Room,
    report: Report,
) -> Cells | None:
    """Check the table of one model; None, with an error, where its probabilities find no room.

    ``only`` is the code of the positive label, −1 for none.
    """
    ids = texts_of(table, CASE_ID, report)
    case = look_up(ids, case_ids)
    everywhere = np.ones(table.n_rows, bool)
    given: IntArray = np.zeros(table.n_rows, np.int64)
    has_draws = DRAW in table and DRAW not in known
    if has_draws:
        mend = f"{_NUMBER} If {DRAW} is a label, list it in labels.csv."
        given = _draws(table, everywhere, mend, report)
        _add_missing_draws(table, ~table.numbers(DRAW).given, report)
        _add_repeated_draws(table, ids, given, report)
    else:
        add_repeated_cases(table, ids, report)
    warn_cases(table, ids, case, len(case_ids), report)
    kept = np.flatnonzero(case >= 0)
    draw = _in_order(given[kept])
    if not _has_room(table, table.n_rows, len(case_ids), len(known), draw, room, report):
        return None
    probability = np.zeros((table.n_rows, len(known)), _dtype(len(kept), len(case_ids), len(known)))
    columns = _label_columns(table, labels, known, (CASE_ID, *[DRAW] * has_draws), report)
    for column, used in each_column(table, list(columns), report):
        probability[:, columns[column]] = _checked(table, column, everywhere, only, used)
    if len(columns) < len(table.columns) - 1 - has_draws:
        probability[:] = np.nan  # a column is of no label, which is an error above: sums would mean nothing
    if len(kept) < table.n_rows:
        probability = probability[kept]
    only_positive = set(columns.values()) == {only}
    return Cells(case[kept], draw, kept, probability, np.full(len(kept), only_positive))


def _add_repeated_draws(table: Table, ids: Texts, draw: IntArray, report: Report) -> None:
    """Note every row whose case and draw have come before."""
    order = sort_order(ids.code, draw)
    again = np.flatnonzero((np.diff(ids.code[order]) == 0) & (np.diff(draw[order]) == 0)) + 1
    again = again[(ids.code[order[again]] >= 0) & (draw[order[again]] > 0)]
    rows = order[again]
    first = of_listed(rows, [order[again - 1]])
    add_rows(
        report,
        table,
        rows,
        DRAW,
        lambda row: (
            f'the case "{ids.distinct[ids.code[row]]:.200}" has the draw {draw[row]} twice (also in row '
            f"{table.line(first[row][0])})"
        ),
        "Delete one of the rows, or number it anew.",
    )


def _label_columns(
    table: Table, labels: TaskLabels, known: Mapping[str, int], others: Collection[str], report: Report
) -> dict[str, int]:
    """Code of the label of every column; unknown and repeated ones are reported."""
    codes = {column: known.get(clean_text(column), -1) for column in table.columns if column not in others}
    report.add_many(
        table.file,
        [column for column in codes if not labels.source and stands_for_nothing(clean_text(column))],
        lambda column: f'expected a label, got "{column}", which stands for nothing',
        lambda column: f"Delete the column. If a label is really called {column}, list all in labels.csv.",
        row=lambda _: table.header_line,
        column=str,
        noun="column",
    )
    report.add_many(
        table.file,
        [column for column, code in codes.items() if code < 0],
        lambda column: f'unknown label "{column:.200}"',
        lambda column: (
            suggestion(column, known)
            + f"Columns are {CASE_ID}, the labels of {labels.source or 'the task'} and, if wanted, {DRAW}."
        ),
        row=lambda _: table.header_line,
        column=str,
        noun="column",
    )
    column_of = {code: column for column, code in reversed(codes.items())}
    report.add_many(
        table.file,
        [column for column, code in codes.items() if code >= 0 and column_of[code] != column],
        lambda column: f'the label "{column:.200}" has two columns',
        lambda _: "Delete one of them.",
        row=lambda _: table.header_line,
        column=str,
        noun="column",
    )
    return {column: code for code, column in column_of.items() if code >= 0}


def long_cells(
    long: LongTable,
    of_task: IntArray,
    labels: TaskLabels,
    known: Mapping[str, int],
    only: int,
    case_ids: Mapping[str, int],
    room: Room,
    report: Report,
) -> Iterator[tuple[str, Cells]]:
    """Check the rows ``of_task`` of the table of all models, and give each model's with its name."""
    table = long.table
    where = np.zeros(table.n_rows, bool)
    where[of_task] = True
    models = long.model
    case = look_up(long.case, case_ids)
    of_rows = Texts(np.where(where, long.label.code, -1), long.label.distinct)
    if not labels.source:
        refuse_nothing(table, "label", of_rows, report, noun="label", mend=NO_LABEL)
    mend = f"Labels are those of {labels.source or 'the task'}; correct the label, or add it there."
    label = known_codes(table, "label", of_rows, known, report, noun="label", mend=mend)
    draw = _draws(table, where, _NUMBER, report) if DRAW in table else np.zeros(table.n_rows, np.int64)
    probability = _checked(table, "probability", where, only, report)
    index = of_task[(case[of_task] >= 0) & (label[of_task] >= 0) & (models.code[of_task] >= 0)]
    of_models = ModelRows(long, index, draw, case, label)
    of_models.add_repeated(
        "label",
        lambda where: f"the model predicts the label for the case twice {where}",
        "Delete one of the rows; several predictions of one case are numbered in a column draw.",
        report,
    )
    for model, rows in of_models.by_model():
        if draw[rows].any() and DRAW in table:
            _add_missing_draws(table, rows[~table.numbers(DRAW).given[rows]], report)
        of_row = _in_order(draw[rows])
        if not _has_room(table, 0, len(case_ids), len(known), of_row, room, report):
            return
        key = of_row * len(case_ids) + case[rows]
        covered, at, count = np.unique(key, return_index=True, return_counts=True)
        place = np.repeat(np.arange(len(covered)), count)
        dense = np.zeros((len(covered), len(known)), _dtype(len(covered), len(case_ids), len(known)))
        dense[place, label[rows]] = probability[rows]
        only_positive = (count == 1) & (label[rows[at]] == only)
        yield model, Cells(case[rows[at]], of_row[at], rows[at], dense, only_positive)


def warn_strange_cases(
    table: Table, ids: Texts, of_task: IntArray, case_ids: Mapping[str, int], report: Report
) -> None:
    """Warn of the rows ``of_task`` for cases that are not in the study."""
    add_rows(
        report,
        table,
        of_task[(look_up(ids, case_ids)[of_task] < 0) & (ids.code[of_task] >= 0)],
        CASE_ID,
        lambda row: f'nobody read the case "{ids.distinct[ids.code[row]]:.200}", so the row is not used',
        "Add its annotations, correct the id, or delete the row.",
        is_warning=True,
    )
