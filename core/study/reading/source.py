"""A study from its tables, wherever these are: in the files of a folder, or in frames."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

import numpy as np
import pandas as pd

from core.progress import Progress
from core.study.fingerprint import fingerprint_of
from core.study.model import UNKNOWN_RISK, Predictions, Study, Task
from core.study.natural import natural_key
from core.study.problems import Problem
from core.study.reading.annotations import (
    Annotations,
    check_rows,
    check_tasks,
    infer_tasks,
    read_annotations,
    seen_labels,
)
from core.study.reading.assemble import Rows, build_readings
from core.study.reading.case_table import CASE_ID, CaseTable, check_references, read_cases, read_features
from core.study.reading.columns import known_codes, look_up, refuse_nothing
from core.study.reading.label_table import LabelTable, TaskLabels, read_labels, task_labels
from core.study.reading.limits import MOST_PROBABILITIES, Room
from core.study.reading.prediction_files import LongTable, WideTable, read_long
from core.study.reading.prediction_tables import build_predictions
from core.study.reading.reference_table import read_references
from core.study.reading.report import Report
from core.study.reading.settings import FILE as SETTINGS_FILE
from core.study.reading.settings import Settings, TaskSettings
from core.study.reading.tables import Table


class Source(Protocol):
    """Where the tables of a study come from; what is wrong with them goes to the report."""

    @property
    def folder(self) -> Path | None:
        """Folder that the paths of images start from; None where there is none."""

    def settings(self, report: Report) -> Settings:
        """What is said of the study and its tasks."""

    def table(self, stem: str, report: Report, *, text: Collection[str] | None = None) -> Table | None:
        """Table of that name, or None; ``text`` as for `core.study.reading.table_files.read_table`."""

    def models(self, tasks: Sequence[str], report: Report) -> list[WideTable]:
        """Tables of one model each."""


def read_source(source: Source, report: Report, tell: Progress, *, fingerprinted: bool = True) -> Study:
    """Read a study, and check all of it.

    Parameters
    ----------
    source : Source
        Gives the tables.
    report : Report
        Gathers what is wrong, and may hold problems already.
    tell : function of (float, str)
        Called with the share done, from 0 to 1, and what is being done.
    fingerprinted : bool
        Whether the study gets a fingerprint of its own; else it is empty.

    Returns
    -------
    Study
        As `core.study.reading.folder.read_study` says.

    Raises
    ------
    StudyError
        With all problems, errors first, if there is any error.
    """
    given = _gathered(source, report, tell)
    tell(0.6, "checking annotations")
    rows, labels = _check_annotations(given, report)
    tell(0.8, "checking predictions")
    predictions = _check_predictions(given, labels, report)
    if given.case_table is not None:
        check_references(given.case_table, labels, given.tasks, report)
    references = read_references(
        given.references, given.tasks, labels, given.case_table, given.case_ids, report
    )
    report.raise_errors()
    tell(0.9, "assembling the study")
    n_cases = len(given.case_ids)
    built = {
        name: _build_task(name, task, labels[name], rows[name], n_cases, predictions[name], given.long)
        for name, task in given.tasks.items()
    }
    _warn_unread(built, n_cases, report)
    study = _assembled(given, built, references, source.folder, tuple(report.problems))
    if fingerprinted:
        study = replace(study, fingerprint=fingerprint_of(study))
    tell(1.0, "done")
    return study


@dataclass(frozen=True, eq=False)
class _Given:
    """All tables of a study, each interpreted by itself.

    Attributes
    ----------
    case_ids : mapping of str to int
        Index of every case: those of the case table, else of the annotations.
    """

    settings: Settings
    tasks: Mapping[str, TaskSettings]
    annotations: Annotations
    case_table: CaseTable | None
    labels: LabelTable
    long: LongTable | None
    wide: list[WideTable]
    case_ids: dict[str, int]
    features: pd.DataFrame | None
    references: Table | None


def _gathered(source: Source, report: Report, tell: Progress) -> _Given:
    """Interpret every table by itself; raise where there are no annotations to go on with."""
    tell(0.0, "reading annotations")
    settings = source.settings(report)
    annotations = read_annotations(source.table("annotations", report), report)
    tell(0.3, "reading cases and labels")
    case_table = read_cases(source.table("cases", report), source.folder, report)
    label_table = source.table("labels", report)
    if annotations is None:
        read_labels(label_table, settings.tasks, report)
        report.raise_errors()
    assert annotations is not None
    tasks = infer_tasks(settings, annotations)
    labels = read_labels(label_table, tasks, report)
    tell(0.4, "reading predictions")
    long = read_long(source.table("predictions", report), list(tasks), report)
    wide = source.models(list(tasks), report)
    ids = annotations.case.distinct if case_table is None else case_table.frame.index.to_numpy(object)
    case_ids = {case_id: i for i, case_id in enumerate(dict.fromkeys(ids))}
    features = read_features(source.table("features", report, text=[CASE_ID]), case_ids, report)
    references = source.table("references", report, text=[CASE_ID])
    return _Given(
        settings, tasks, annotations, case_table, labels, long, wide, case_ids, features, references
    )


def _check_annotations(given: _Given, report: Report) -> tuple[dict[str, Rows], dict[str, TaskLabels]]:
    """Check all rows of all tasks; rows and labels by task."""
    annotations, table, long = given.annotations, given.annotations.table, given.long
    if given.case_table is not None:
        mend = "Add the case to the case table, or correct the id."
        case = known_codes(table, CASE_ID, annotations.case, given.case_ids, report, noun="case", mend=mend)
    else:
        mend = "Write the case, or delete the row. If a case is called {0}, list all cases in cases.csv."
        refuse_nothing(table, CASE_ID, annotations.case, report, noun="case", mend=mend)
        case = look_up(annotations.case, given.case_ids)
    task_of_row = check_tasks(given.settings, given.tasks, annotations, report)
    rows: dict[str, Rows] = {}
    labels_of: dict[str, TaskLabels] = {}
    for i, (name, task) in enumerate(given.tasks.items()):
        of_task = task_of_row == i
        seen = {*seen_labels(annotations, of_task), *(long.labels(i) if long is not None else ())}
        seen.update(label for model in given.wide if model.task == name for label in model.labels())
        labels_of[name] = task_labels(name, task, given.labels, seen, report)
        if not labels_of[name].labels and task.kind != "score" and not report.has_errors:
            what, mend = (
                f'the task "{name}" has no labels',
                "Add annotations, or list the labels in labels.csv.",
            )
            report.add(SETTINGS_FILE, what, mend, column=f"tasks.{name}")
        rows[name] = check_rows(annotations, case, of_task, name, task, labels_of[name], report)
    return rows, labels_of


def _check_predictions(
    given: _Given, labels: Mapping[str, TaskLabels], report: Report
) -> dict[str, dict[str, Predictions]]:
    """Check the predictions of all tasks, by task and model."""
    room = Room(MOST_PROBABILITIES)
    return {
        name: build_predictions(
            name,
            i,
            task,
            labels[name],
            given.case_ids,
            given.long,
            [table for table in given.wide if table.task == name],
            room,
            report,
        )
        for i, (name, task) in enumerate(given.tasks.items())
    }


def _assembled(
    given: _Given,
    tasks: Mapping[str, Task],
    references: pd.DataFrame | None,
    folder: Path | None,
    notes: tuple[Problem, ...],
) -> Study:
    """Study of tasks that were checked."""
    settings, case_ids = given.settings, tuple(given.case_ids)
    if given.case_table is None:
        cases = pd.DataFrame(index=pd.Index(list(case_ids), name=CASE_ID))
    else:
        cases = given.case_table.frame
    return Study(
        name=settings.name,
        case_ids=case_ids,
        rater_ids=given.annotations.rater_ids,
        tasks=tasks,
        cases=cases,
        fingerprint="",
        description=settings.description,
        source=settings.source,
        licence=settings.licence,
        features=given.features,
        seed=settings.seed,
        flags=settings.flags,
        root=folder,
        notes=notes,
        references=references,
        reference_standard=settings.reference_standard,
    )


def _build_task(
    name: str,
    task: TaskSettings,
    labels: TaskLabels,
    rows: Rows,
    n_cases: int,
    predictions: Mapping[str, Predictions],
    long: LongTable | None,
) -> Task:
    read_by = {} if long is None else long.read_by
    of_label = [labels.rows.get(label) for label in labels.labels]
    return Task(
        name=name,
        kind=task.kind,
        labels=labels.labels,
        readings=build_readings(rows, n_cases),
        predictions={model: of for model, of in predictions.items() if model not in read_by},
        reader_predictions=_by_modality(predictions, read_by),
        risk=np.array([UNKNOWN_RISK if row is None else row.risk for row in of_label], np.int8),
        description=tuple("" if row is None else row.description for row in of_label),
        settled_by=tuple("" if row is None else row.settled_by for row in of_label),
        positive=task.positive,
        threshold=task.threshold,
    )


def _by_modality(
    predictions: Mapping[str, Predictions], read_by: Mapping[str, tuple[str, str]]
) -> dict[str, dict[str, Predictions]]:
    """What readers say, by modality and reader in natural order."""
    found: dict[str, dict[str, Predictions]] = {}
    given = {read_by[name]: of for name, of in predictions.items() if name in read_by}
    for modality, reader in sorted(given, key=lambda pair: (natural_key(pair[0]), natural_key(pair[1]))):
        found.setdefault(modality, {})[reader] = replace(given[modality, reader], model=modality)
    return found


def _warn_unread(tasks: Mapping[str, Task], n_cases: int, report: Report) -> None:
    for name, task in tasks.items():
        unread = int((task.readings.per_case == 0).sum())
        if unread:
            what = f'{unread:,} of {n_cases:,} cases have no reading for the task "{name}"'
            mend = "They stay out of its numbers; add their annotations if you have them."
            report.add("annotations.csv", what, mend, severity="warning")
