"""``references.csv``: a reference for each of several tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from core.study.model import IntArray
from core.study.reading.case_table import CASE_ID, REFERENCE, CaseTable
from core.study.reading.checks import is_plain_number, suggestion
from core.study.reading.columns import add_rows, has_columns, known_codes, look_up, of_listed, texts_of
from core.study.reading.label_table import TaskLabels
from core.study.reading.report import Report
from core.study.reading.settings import TaskSettings
from core.study.reading.tables import Table

_MEND = "Correct it, or delete the row where there is no reference."


def read_references(
    table: Table | None,
    tasks: Mapping[str, TaskSettings],
    labels: Mapping[str, TaskLabels],
    cases: CaseTable | None,
    case_ids: Mapping[str, int],
    report: Report,
) -> pd.DataFrame | None:
    """Interpret the table of references: a row a case and task; a frame with a column for each task it names.

    Cells are labels, or numbers of a score task; empty where there is no reference.
    """
    if table is None:
        return None
    if cases is not None and REFERENCE in cases.frame:
        what = f"the table of cases has a column {REFERENCE} as well; which of them to use is not clear"
        report.add(table.file, what, f"Delete the file, or the column {REFERENCE} of the table of cases.")
        return None
    if not has_columns(table, [CASE_ID, "task", "label"], report, optional=[]):
        return None
    ids, task, label = (texts_of(table, column, report) for column in (CASE_ID, "task", "label"))
    mend = f"Tasks: {', '.join(tasks)}."
    of_task = known_codes(
        table, "task", task, {name: i for i, name in enumerate(tasks)}, report, noun="task", mend=mend
    )
    case = look_up(ids, case_ids)
    add_rows(
        report,
        table,
        (case < 0) & (ids.code >= 0),
        CASE_ID,
        lambda row: f'nobody read the case "{ids.distinct[ids.code[row]]:.200}", so the row is not used',
        "Add its annotations, correct the id, or delete the row.",
        is_warning=True,
    )
    kept = np.flatnonzero((case >= 0) & (of_task >= 0) & (label.code >= 0))
    order = kept[np.lexsort((kept, case[kept], of_task[kept]))]
    again = (np.diff(case[order]) == 0) & (np.diff(of_task[order]) == 0)
    repeated = order[1:][again]
    before = of_listed(repeated, [order[:-1][again]])
    add_rows(
        report,
        table,
        repeated,
        CASE_ID,
        lambda row: f"the case has a reference for the task already (in row {table.line(before[row][0])})",
        "Delete one of the rows.",
    )
    columns: dict[str, list[str]] = {}
    for at, (name, settings) in enumerate(tasks.items()):
        rows = kept[of_task[kept] == at]
        texts = [label.distinct[label.code[row]] for row in rows.tolist()]
        _check_labels(table, name, rows, texts, labels[name].labels, report, scores=settings.kind == "score")
        if len(rows):
            cells = [""] * len(case_ids)
            for row, text in zip(rows.tolist(), texts, strict=True):
                cells[case[row]] = text
            columns[name] = cells
    return pd.DataFrame(columns, index=pd.Index(list(case_ids), name=CASE_ID))


def _check_labels(
    table: Table,
    task: str,
    rows: IntArray,
    texts: Sequence[str],
    known: Sequence[str],
    report: Report,
    *,
    scores: bool,
) -> None:
    """Note references that are no label of the task, nor a number where it asks for scores."""
    wrong = [
        (row, text)
        for row, text in zip(rows.tolist(), texts, strict=True)
        if text not in known and not (scores and is_plain_number(text))
    ]
    text_of = dict(wrong)
    add_rows(
        report,
        table,
        np.array([row for row, _ in wrong], np.int64),
        "label",
        lambda row: f'unknown label "{text_of[row]:.200}" of the task "{task}"',
        lambda row: suggestion(text_of[row], known) + _MEND,
    )
