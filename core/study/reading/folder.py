"""Study folders and zipped ones: reading with every problem gathered, and writing."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd

from core.study.fingerprint import fingerprint
from core.study.model import UNKNOWN_RISK, Predictions, Study, Task
from core.study.problems import Problem, StudyError
from core.study.reading.annotations import (
    Annotations,
    check_rows,
    check_tasks,
    infer_tasks,
    read_annotations,
    seen_labels,
)
from core.study.reading.archive import unpack
from core.study.reading.assemble import Rows, build_readings
from core.study.reading.case_table import CASE_ID, check_references, read_cases, read_features
from core.study.reading.checks import PACKED, UNPACK
from core.study.reading.columns import known_codes, look_up, refuse_nothing
from core.study.reading.files import visible
from core.study.reading.label_table import LabelTable, TaskLabels, read_labels, task_labels
from core.study.reading.limits import MOST_PROBABILITIES, Room
from core.study.reading.prediction_files import FOLDER as PREDICTIONS
from core.study.reading.prediction_files import LongTable, WideTable, read_long, read_wide
from core.study.reading.prediction_tables import build_predictions
from core.study.reading.report import Report
from core.study.reading.scratch import scratch_folder
from core.study.reading.settings import FILE as SETTINGS_FILE
from core.study.reading.settings import Settings, TaskSettings, read_settings
from core.study.reading.table_files import ENDINGS
from core.study.writing import write_study

__all__ = ["read_study", "read_zip", "write_study"]

TABLES = ("annotations", "labels", "cases", "predictions", "features")
ZIP_LIMIT = 200 * 1024**2

Progress = Callable[[float, str], None]


def read_study(folder: Path | str, *, progress: Progress | None = None) -> Study:
    """Read a study folder.

    Parameters
    ----------
    folder : Path or str
        Holds ``annotations.csv`` or ``.parquet`` and, each if wanted, ``study.toml``, ``labels``, ``cases``,
        ``predictions`` (a long table, or a folder with a wide one for each model, named after it with unusual
        characters as in addresses: %2F), and ``features``.
    progress : function of (float, str), optional
        Called with the share done, from 0 to 1, and what is being done.

    Returns
    -------
    Study
        Raters and models are in natural order, and the readings of a case in the order of raters, so that the
        order of the rows changes nothing. Cases are in the order of the case table, else of first appearance.
        Ids and labels are text, without spaces at the ends, in Unicode normal form C.

    Raises
    ------
    StudyError
        With all problems, errors first, if there is any error.
    """
    folder = Path(folder)
    report = Report()
    tell = progress or _tell_nobody
    names = _names(folder, report)
    report.raise_errors()
    tell(0.0, "reading annotations")
    settings = read_settings(folder, report)
    annotations = read_annotations(folder, names, report)
    _note_other_files(names, report)
    tell(0.3, "reading cases and labels")
    case_table = read_cases(folder, report)
    cases = None if case_table is None else case_table.frame
    if annotations is None:
        read_labels(folder, settings.tasks, report)
        report.raise_errors()
    assert annotations is not None
    tasks = infer_tasks(settings, annotations)
    labels = read_labels(folder, tasks, report)
    tell(0.4, "reading predictions")
    long, wide = read_long(folder, list(tasks), report), read_wide(folder, list(tasks), report)
    case_ids = list(dict.fromkeys(annotations.case.distinct if cases is None else cases.index))
    known_cases = {case_id: i for i, case_id in enumerate(case_ids)}
    features = read_features(folder, known_cases, report)
    tell(0.6, "checking annotations")
    rows, labels_of = _check_annotations(
        settings, tasks, annotations, labels, known_cases, cases is not None, long, wide, report
    )
    tell(0.8, "checking predictions")
    room = Room(MOST_PROBABILITIES)
    predictions = {
        name: build_predictions(
            name,
            i,
            task,
            labels_of[name],
            known_cases,
            long,
            [table for table in wide if table.task == name],
            room,
            report,
        )
        for i, (name, task) in enumerate(tasks.items())
    }
    if case_table is not None:
        check_references(case_table, labels_of, tasks, report)
    report.raise_errors()
    tell(0.9, "assembling the study")
    built = {
        name: _build_task(name, task, labels_of[name], rows[name], len(case_ids), predictions[name])
        for name, task in tasks.items()
    }
    _warn_unread(built, len(case_ids), report)
    table = pd.DataFrame(index=pd.Index(case_ids, name=CASE_ID)) if cases is None else cases
    study = Study(
        name=settings.name,
        case_ids=tuple(case_ids),
        rater_ids=annotations.rater_ids,
        tasks=built,
        cases=table,
        fingerprint=fingerprint(
            case_ids, annotations.rater_ids, built, table, features=features, seed=settings.seed
        ),
        description=settings.description,
        source=settings.source,
        licence=settings.licence,
        features=features,
        seed=settings.seed,
        root=folder.resolve(),
        notes=tuple(report.problems),
    )
    tell(1.0, "done")
    return study


def read_zip(data: bytes, *, limit_bytes: int = ZIP_LIMIT) -> Study:
    """Read a zipped study folder, such as an upload.

    Parameters
    ----------
    data : bytes
        Of a zip archive with a study folder's files at its top, or in a single folder there.
    limit_bytes : int
        Most that the archive may hold, packed or unpacked.

    Returns
    -------
    Study
        In memory with its images: the private temporary folder that it is read from goes at once.

    Raises
    ------
    StudyError
        If the archive is damaged, too large, or holds paths or links that lead out of it, and as
        `read_study` does.
    """
    try:
        with scratch_folder() as folder:
            study = read_study(unpack(data, folder / "study", limit_bytes))
            return replace(study, root=None, images=_images(study))
    except OSError as error:
        what = f"there is no temporary folder to unpack it in ({error.strerror or error})"
        mend = "Set TMPDIR to a folder that can be written, and start Loupe again."
        raise StudyError([Problem("the archive", what, mend)]) from error


def _images(study: Study) -> dict[str, bytes]:
    """Images of a study's folder, those that are there, by their paths in the case table."""
    if study.root is None or "image" not in study.cases:
        return {}
    names = [name for name in study.cases["image"].unique() if isinstance(name, str) and name]
    paths = {name: (study.root / name).resolve() for name in names}
    return {
        name: path.read_bytes()
        for name, path in paths.items()
        if path.is_relative_to(study.root) and path.is_file()
    }


def _tell_nobody(share: float, what: str) -> None:
    """Progress that nobody asked for."""


def _check_annotations(
    settings: Settings,
    tasks: Mapping[str, TaskSettings],
    annotations: Annotations,
    labels: LabelTable,
    known_cases: Mapping[str, int],
    has_case_table: bool,
    long: LongTable | None,
    wide: list[WideTable],
    report: Report,
) -> tuple[dict[str, Rows], dict[str, TaskLabels]]:
    """Check all rows of all tasks; rows and labels by task."""
    table = annotations.table
    if has_case_table:
        mend = "Add the case to the case table, or correct the id."
        case = known_codes(table, CASE_ID, annotations.case, known_cases, report, noun="case", mend=mend)
    else:
        mend = "Write the case, or delete the row. If a case is called {0}, list all cases in cases.csv."
        refuse_nothing(table, CASE_ID, annotations.case, report, noun="case", mend=mend)
        case = look_up(annotations.case, known_cases)
    task_of_row = check_tasks(settings, tasks, annotations, report)
    rows: dict[str, Rows] = {}
    labels_of: dict[str, TaskLabels] = {}
    for i, (name, task) in enumerate(tasks.items()):
        of_task = task_of_row == i
        seen = {*seen_labels(annotations, of_task), *(long.labels(i) if long is not None else ())}
        seen.update(label for model in wide if model.task == name for label in model.labels())
        labels_of[name] = task_labels(name, task, labels, seen, report)
        if not labels_of[name].labels and task.kind != "score" and not report.has_errors:
            what, mend = (
                f'the task "{name}" has no labels',
                "Add annotations, or list the labels in labels.csv.",
            )
            report.add(SETTINGS_FILE, what, mend, column=f"tasks.{name}")
        rows[name] = check_rows(annotations, case, of_task, name, task, labels_of[name], report)
    return rows, labels_of


def _build_task(
    name: str,
    task: TaskSettings,
    labels: TaskLabels,
    rows: Rows,
    n_cases: int,
    predictions: Mapping[str, Predictions],
) -> Task:
    of_label = [labels.rows.get(label) for label in labels.labels]
    return Task(
        name=name,
        kind=task.kind,
        labels=labels.labels,
        readings=build_readings(rows, n_cases),
        predictions=predictions,
        risk=np.array([UNKNOWN_RISK if row is None else row.risk for row in of_label], np.int8),
        description=tuple("" if row is None else row.description for row in of_label),
        positive=task.positive,
        threshold=task.threshold,
    )


def _warn_unread(tasks: Mapping[str, Task], n_cases: int, report: Report) -> None:
    for name, task in tasks.items():
        unread = int((task.readings.per_case == 0).sum())
        if unread:
            what = f'{unread:,} of {n_cases:,} cases have no reading for the task "{name}"'
            mend = "They stay out of its numbers; add their annotations if you have them."
            report.add("annotations.csv", what, mend, severity="warning")


def _names(folder: Path, report: Report) -> list[str]:
    """Names of the files and folders in a study folder; none, with an error, where it cannot be opened."""
    if os.path.isdir(folder) or os.path.islink(folder):
        return [path.name for path in visible(folder, folder.name, report)]
    came = "a file" if os.path.isfile(folder) else "nothing"
    what = "there is no such folder" if came == "nothing" else "expected a folder, got a file"
    report.add(folder.name or str(folder), what, "Give the path of a study folder.")
    return []


def _note_other_files(names: Sequence[str], report: Report) -> None:
    """Note files that look like a study's, but are not read: an error where a table would be left out."""
    expected = {SETTINGS_FILE, PREDICTIONS, *(stem + ending for stem in TABLES for ending in ENDINGS)}
    for name in names:
        inner, ending = os.path.splitext(name)
        if ending.lower() in PACKED and inner in expected and inner not in names:
            if inner != "annotations.csv":  # else reported as missing, with the same mend
                report.add(name, "the file is packed, and would not be read", UNPACK)
        elif name not in expected and ending.lower() in (*ENDINGS, ".tsv", ".xlsx", ".xls", ".toml"):
            what, mend = "the file is not read", f"Files that are read: {', '.join(sorted(expected))}."
            report.add(name, what, mend, severity="warning")
