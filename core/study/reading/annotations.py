"""``annotations.csv``: who said what about which case."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.study.model import IntArray, Kind
from core.study.natural import natural_order
from core.study.reading import limits
from core.study.reading.assemble import Rows, changes, sort_order
from core.study.reading.columns import (
    add_rows,
    has_columns,
    known_codes,
    numbers_of,
    of_listed,
    refuse_nothing,
    texts_of,
    warn_unused,
)
from core.study.reading.label_table import NO_LABEL, TaskLabels
from core.study.reading.report import Report
from core.study.reading.settings import FILE as SETTINGS_FILE
from core.study.reading.settings import Settings, TaskSettings
from core.study.reading.tables import Numbers, Table, Texts

_REQUIRED = ("case_id", "rater_id")
_OPTIONAL = ("label", "task", "rank", "confidence", "score", "repeat")


@dataclass(frozen=True, eq=False)
class Annotations:
    """The table with its ids read; ``rater`` holds codes of ``rater_ids``, which are in natural order."""

    table: Table
    case: Texts
    rater: IntArray
    rater_ids: tuple[str, ...]
    label: Texts | None


def read_annotations(table: Table | None, report: Report) -> Annotations | None:
    """Read the ids and labels of the table of annotations; None if that is not possible."""
    if table is None or not has_columns(table, _REQUIRED, report, optional=_OPTIONAL):
        return None
    label = texts_of(table, "label", report, required=False) if "label" in table else None
    n_labels = 0 if label is None else len(label.distinct)
    most, mend = limits.MOST_LISTED_LABELS, "Check the column label."
    if not limits.is_count_allowed(table.file, report, n_labels, most, "different labels", mend):
        return None
    case, rater = texts_of(table, "case_id", report), texts_of(table, "rater_id", report)
    if not limits.is_count_allowed(
        table.file, report, len(rater.distinct), limits.MOST_RATERS, "raters", "Check the column rater_id."
    ):
        return None
    mend = "Write who read the case, or delete the row. If a rater is called {0}, write: rater {0}."
    refuse_nothing(table, "rater_id", rater, report, noun="rater", mend=mend)
    order = natural_order(rater.distinct)
    rank = np.empty(len(order) + 1, np.int64)
    rank[order] = np.arange(len(order))
    rank[-1] = -1
    return Annotations(table, case, rank[rater.code], tuple(rater.distinct[i] for i in order), label)


def infer_tasks(settings: Settings, annotations: Annotations) -> dict[str, TaskSettings]:
    """Tasks of study.toml; else one task "main" whose kind follows from the columns."""
    if settings.tasks:
        return dict(settings.tasks)
    table = annotations.table
    kind: Kind = "choice"
    if "score" in table and "label" not in table:
        kind = "score"
    elif "rank" in table:
        kind = "ranking"
    return {"main": TaskSettings(kind)}


def check_tasks(
    settings: Settings, tasks: Mapping[str, TaskSettings], annotations: Annotations, report: Report
) -> IntArray:
    """Check the columns that the tasks need, and return the task of each row, −1 where it is not known."""
    table = annotations.table
    kinds = {task.kind for task in tasks.values()}
    needed = ["label"] * bool(kinds - {"score"}) + ["score"] * ("score" in kinds)
    has_columns(table, [*needed, *["task"] * (len(tasks) > 1)], report)
    if not settings.tasks and kinds == {"score"}:
        what = "a score task needs a threshold, and study.toml describes none"
        mend = 'Write [tasks.main] and below it kind = "score" and threshold = 0.5.'
        report.add(SETTINGS_FILE, what, mend, column="tasks.main.threshold")
    if "task" not in table:
        # Of several tasks none is known, which is an error above; of one, every row is.
        return np.full(table.n_rows, 0 if len(tasks) == 1 else -1)
    texts = texts_of(table, "task", report, required=len(tasks) > 1)
    known = {name: i for i, name in enumerate(tasks)}
    mend = f"Tasks of {SETTINGS_FILE}: {', '.join(tasks)}."
    if not settings.tasks:
        mend = f'{SETTINGS_FILE} describes no tasks: write [tasks.NAME] and below it kind = "choice".'
    task = known_codes(table, "task", texts, known, report, noun="task", mend=mend)
    return np.where(texts.code < 0, 0, task) if len(tasks) == 1 else task


def seen_labels(annotations: Annotations, of_task: NDArray[np.bool_]) -> list[str]:
    """Distinct labels of the rows of one task."""
    if annotations.label is None:
        return []
    used = np.unique(annotations.label.code[of_task])
    return [annotations.label.distinct[code] for code in used.tolist() if code >= 0]


def check_rows(
    annotations: Annotations,
    case: IntArray,
    of_task: NDArray[np.bool_],
    name: str,
    task: TaskSettings,
    labels: TaskLabels,
    report: Report,
) -> Rows:
    """Check the rows of one task, and return those whose case, rater and label are known.

    Parameters
    ----------
    case : ndarray of int with shape (n_rows,)
        Case code of every row of the table, −1 where unknown (reported already).
    of_task : ndarray of bool with shape (n_rows,)
        The task's rows.
    """
    table = annotations.table
    label = np.full(table.n_rows, -1)
    if task.kind == "score":
        warn_unused(table, "label", of_task, name, report)
    elif annotations.label is not None:
        label = _label_codes(annotations, of_task, name, labels, report)
    if task.kind != "ranking":
        warn_unused(table, "rank", of_task, name, report)
    if task.kind != "score":
        warn_unused(table, "score", of_task, name, report)
    rank, has_rank = _rank(table, of_task & (task.kind == "ranking"), report)
    score = _score(table, of_task & (task.kind == "score"), report)
    repeat = _repeat(table, of_task, report)
    confidence = _confidence(table, of_task, report)
    usable = of_task & (case >= 0) & (annotations.rater >= 0) & (repeat >= 1)
    if task.kind != "score":
        usable &= label >= 0
    index = np.flatnonzero(usable)
    rows = Rows(case, annotations.rater, label, rank, repeat, confidence.value, score.value).take(index)
    _check_readings(table, rows, index, task.kind, report)
    _check_confidences(table, rows, index, report)
    if task.kind == "ranking":
        _check_ranks(table, rows, index, has_rank[index], report)
    return rows


def _label_codes(
    annotations: Annotations, of_task: NDArray[np.bool_], name: str, labels: TaskLabels, report: Report
) -> IntArray:
    table, texts = annotations.table, annotations.label
    assert texts is not None
    add_rows(
        report,
        table,
        of_task & (texts.code < 0),
        "label",
        "the label is empty",
        "Write the label, or delete the row: a reading that names nothing is no reading.",
    )
    known = {label: i for i, label in enumerate(labels.labels)}
    of_rows = Texts(np.where(of_task, texts.code, -1), texts.distinct)
    if not labels.source:
        refuse_nothing(table, "label", of_rows, report, noun="label", mend=NO_LABEL)
    mend = f'Labels of the task "{name}" are those of {labels.source}; correct the label, or add it there.'
    return known_codes(table, "label", of_rows, known, report, noun="label", mend=mend)


def _missing(table: Table) -> Numbers:
    return Numbers(np.full(table.n_rows, np.nan), np.zeros(table.n_rows, bool))


def _rank(table: Table, where: NDArray[np.bool_], report: Report) -> tuple[IntArray, NDArray[np.bool_]]:
    """Rank of each row, 1 where none is given, and whether one is given."""
    if "rank" not in table or not where.any():
        return np.ones(table.n_rows, np.int64), np.zeros(table.n_rows, bool)
    numbers = numbers_of(
        table,
        "rank",
        report,
        where=where,
        expected="a whole number of 1 or more",
        mend="Number the choices 1, 2, 3 …; tied labels share a number.",
        low=1,
        high=2**53,
        whole=True,
    )
    return np.nan_to_num(np.clip(numbers.value, 1, 2**53), nan=1).astype(np.int64), numbers.given


def _repeat(table: Table, where: NDArray[np.bool_], report: Report) -> IntArray:
    if "repeat" not in table:
        return np.ones(table.n_rows, np.int64)
    numbers = numbers_of(
        table,
        "repeat",
        report,
        where=where,
        expected="a whole number from 1 to 1,000,000",
        mend="Number the readings of a case by the same rater 1, 2, 3 …",
        low=1,
        high=1e6,
        whole=True,
    )
    with np.errstate(invalid="ignore"):
        valid = (numbers.value >= 1) & (numbers.value <= 1e6)
    return np.where(numbers.given, np.where(valid, numbers.value, 0), 1).astype(np.int64)


def _confidence(table: Table, where: NDArray[np.bool_], report: Report) -> Numbers:
    if "confidence" not in table:
        return _missing(table)
    return numbers_of(
        table,
        "confidence",
        report,
        where=where,
        expected="a number in [0, 1]",
        mend="Write the confidence as a number from 0 to 1, or leave it empty.",
        low=0,
        high=1,
    )


def _score(table: Table, where: NDArray[np.bool_], report: Report) -> Numbers:
    if "score" not in table or not where.any():
        return _missing(table)
    numbers = numbers_of(
        table,
        "score",
        report,
        where=where,
        expected="a finite number",
        mend="Write a number with a decimal point.",
    )
    add_rows(
        report, table, where & ~numbers.given, "score", "the score is empty", "Fill it in, or delete the row."
    )
    return numbers


def _check_readings(table: Table, rows: Rows, index: IntArray, kind: Kind, report: Report) -> None:
    """A choice or a score is one row a reading; a differential names a label once."""
    keys = (rows.case, rows.rater, rows.repeat) + ((rows.label,) if kind == "ranking" else ())
    order = sort_order(*keys)
    again = ~changes(*(key[order] for key in keys))
    before = of_listed(index[order][again], [index[order][np.roll(again, -1)]])
    noun = {"choice": "choice", "ranking": "label", "score": "score"}[kind]
    if kind == "ranking":
        what, mend = "the label comes twice in one differential", "Delete one of the rows"
    else:
        what, mend = f"the rater gives a second {noun} for the case", "Delete one of the rows"
    if kind == "choice":
        mend += ', or write kind = "ranking" in study.toml if it is a differential'
    add_rows(
        report,
        table,
        index[order][again],
        "label" if kind != "score" else "score",
        lambda row: f"{what} (also in row {table.line(before[row][0])})",
        f"{mend}; if the rater read the case again, number the readings in a column repeat.",
    )


def _check_confidences(table: Table, rows: Rows, index: IntArray, report: Report) -> None:
    """All confidences that are given in one reading agree."""
    given = np.flatnonzero(~np.isnan(rows.confidence))
    some = rows.take(given)
    order = sort_order(some.case, some.rater, some.repeat)
    some, place = some.take(order), index[given][order]
    first = np.flatnonzero(some.opens())
    if len(first) == len(order):
        return
    reading = np.cumsum(some.opens()) - 1
    differs = some.confidence != some.confidence[first][reading]
    other = of_listed(place[differs], [place[first][reading][differs]])
    add_rows(
        report,
        table,
        place[differs],
        "confidence",
        lambda row: (
            f"expected one confidence a reading, got {table.cell('confidence', row)} and, in row "
            f"{table.line(other[row][0])}, {table.cell('confidence', other[row][0])}"
        ),
        "Give the same confidence in all rows of a reading, or in one of them.",
    )


def _check_ranks(table: Table, rows: Rows, index: IntArray, given: NDArray[np.bool_], report: Report) -> None:
    """Every label of a differential of several labels has a rank."""
    order = sort_order(rows.case, rows.rater, rows.repeat)
    opens = changes(*(key[order] for key in (rows.case, rows.rater, rows.repeat)))
    first = np.flatnonzero(opens)
    size = np.diff([*first, len(order)])
    several = np.repeat(size > 1, size)
    missing = index[order][several & ~given[order]]
    if "rank" not in table:
        if len(missing):
            count = int((size > 1).sum())
            what = f'{count:,} readings name several labels, but there is no column "rank"'
            mend = "Add it: 1 for the first choice, 2 for the next; tied labels share a number."
            report.add(table.file, what, mend, row=table.line(int(missing.min())), column="rank")
        return
    add_rows(
        report,
        table,
        missing,
        "rank",
        "the rank is empty in a reading of several labels",
        "Number the choices 1, 2, 3 …; tied labels share a number.",
    )
