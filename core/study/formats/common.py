"""What the readers of published formats share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from core.study.fingerprint import fingerprint
from core.study.model import UNKNOWN_RISK, IntArray, Kind, Predictions, Study, Task
from core.study.reading import limits
from core.study.reading.assemble import Rows, build_readings, row_table
from core.study.reading.case_table import CASE_ID
from core.study.reading.files import read_file
from core.study.reading.report import Report


def read_text(path: Path, report: Report) -> str | None:
    """Content of a UTF-8 text file; None, with an error, where it cannot be had."""
    data = read_file(path, path.name, report, limit=limits.LARGEST_RELEASED)
    try:
        return None if data is None else data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        report.add(
            path.name, f"expected text in UTF-8 ({error.reason} at byte {error.start})", "Download it again."
        )
        return None


def count_rows(counts: IntArray) -> Rows:
    """Rows of a choice task from label counts; raters are numbered within each case, label by label.

    Parameters
    ----------
    counts : ndarray of int with shape (n_cases, n_labels)
        How often each label was chosen.
    """
    n_cases, n_labels = counts.shape
    total = counts.sum(axis=1)
    case = np.repeat(np.arange(n_cases), total)
    label = np.repeat(np.tile(np.arange(n_labels), n_cases), counts.ravel())
    rater = np.arange(len(case)) - np.repeat(np.cumsum(total) - total, total)
    return row_table(case, rater, label)


def note_anonymous(file: str, rater: str, report: Report) -> None:
    """Warn that raters are numbered within each case only."""
    report.add(
        file,
        f'the source does not say who read what: "{rater} 1" of one case need not be "{rater} 1" of another',
        "Use what is computed case by case; comparisons between raters mean nothing here.",
        severity="warning",
    )


def check_counts(file: str, counts: IntArray, report: Report) -> None:
    """Note negative counts, too many of them, and cases without any."""
    if (counts < 0).any():
        first = np.argwhere(counts < 0)[0]
        what = f"counts must be 0 or more, got {counts[tuple(first)]} for case {first[0]}"
        report.add(file, what, "Download the file again.")
    elif counts.sum(dtype=np.float64) > limits.MOST_COUNTED:
        what = f"the counts stand for more than {limits.MOST_COUNTED:,} annotations"
        report.add(file, what, "Check that these are counts of annotations.")
    elif counts.sum(axis=1).max(initial=0) > limits.MOST_RATERS:
        what = f"the counts of a case stand for more than {limits.MOST_RATERS:,} annotations"
        report.add(file, what, "Check that these are counts of annotations.")
    elif (empty := int((counts.sum(axis=1) == 0).sum())) > 0:
        what, mend = f"{empty:,} cases have no annotation", "They stay out of all numbers."
        report.add(file, what, mend, severity="warning")


def assemble_study(  # noqa: PLR0913 - the parts of a study, by name
    report: Report,
    *,
    name: str,
    task: str,
    kind: Kind,
    labels: Sequence[str],
    rows: Rows,
    case_ids: Sequence[str],
    rater_ids: Sequence[str],
    description: str,
    source: str = "",
    licence: str = "",
    cases: pd.DataFrame | None = None,
    risk: IntArray | None = None,
    predictions: Mapping[str, Predictions] | None = None,
    reader_predictions: Mapping[str, Mapping[str, Predictions]] | None = None,
    positive: str | None = None,
) -> Study:
    """Study of one task from checked rows; warnings of the report become its notes."""
    report.raise_errors()
    index = pd.Index(list(case_ids), name=CASE_ID)
    cases = pd.DataFrame(index=index) if cases is None else cases.set_axis(index)
    tasks = {
        task: Task(
            name=task,
            kind=kind,
            labels=tuple(labels),
            readings=build_readings(rows, len(case_ids)),
            predictions=dict(predictions or {}),
            risk=np.full(len(labels), UNKNOWN_RISK, np.int8) if risk is None else risk.astype(np.int8),
            description=("",) * len(labels),
            positive=positive,
            reader_predictions=dict(reader_predictions or {}),
        )
    }
    return Study(
        name=name,
        case_ids=tuple(case_ids),
        rater_ids=tuple(rater_ids),
        tasks=tasks,
        cases=cases,
        fingerprint=fingerprint(case_ids, rater_ids, tasks, cases),
        description=description,
        source=source,
        licence=licence,
        notes=tuple(report.problems),
    )
