"""One part of a study, read and checked like a study of its own."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from core.study.model import Predictions, Study, Task
from core.study.partitions.contents import MEND, require_contents
from core.study.partitions.manifest import FOLDER, Partitions, part_name, read_marks
from core.study.problems import Problem, StudyError
from core.study.reading.case_table import CASE_ID, metadata_columns, read_cases
from core.study.reading.files import open_file
from core.study.reading.parquet_files import read_parquet
from core.study.reading.prediction_files import WideTable, read_wide
from core.study.reading.report import Report
from core.study.reading.settings import Settings
from core.study.reading.source import read_source
from core.study.reading.table_files import find_table, read_table
from core.study.reading.tables import Table

_OF_ALL = ("labels",)
"""Tables that all parts share."""
_OF_MODELS = ("predictions", "features")
"""Tables that what raters say does not need."""


@dataclass(frozen=True)
class _Part:
    """The tables of a part, and those that it shares with all others."""

    study: Partitions
    number: int
    readings_only: bool = False

    @property
    def folder(self) -> Path:
        """Folder that the paths of images start from: the study's."""
        return self.study.folder

    @property
    def shown(self) -> str:
        """What to call the part in problems."""
        return f"{FOLDER}/{part_name(self.number)}"

    @property
    def case_table(self) -> Path:
        """Path of the table of its cases, which every part has."""
        return self.study.part_folder(self.number) / "cases.parquet"

    @property
    def case_file(self) -> str:
        """What to call that table in problems."""
        return f"{self.shown}/{self.case_table.name}"

    def require_unchanged(self) -> None:
        """Refuse tables that are not what they were when the part was made."""
        marks, unread = read_marks(self.study, self.number), _OF_MODELS if self.readings_only else ()
        require_contents(self.study.part_folder(self.number), marks, self.shown, unread)

    def settings(self, _report: Report) -> Settings:
        """What ``study.toml`` says of the whole study."""
        return self.study.settings

    def table(self, stem: str, report: Report, *, text: Collection[str] | None = None) -> Table | None:
        """Read a table; of a part that nobody has read there is none of annotations."""
        if self.readings_only and stem in _OF_MODELS:
            return None
        folder = self.folder if stem in _OF_ALL else self.study.part_folder(self.number)
        path = find_table(folder, stem, report)
        if path is not None:
            return read_table(path, path.relative_to(self.folder).as_posix(), report, text=text)
        if stem == "annotations":
            report.add(self.shown, "there are no annotations", MEND)
        return None

    def models(self, tasks: Sequence[str], report: Report) -> list[WideTable]:
        """Read the tables in the part's ``predictions/``."""
        if self.readings_only:
            return []
        return read_wide(self.study.part_folder(self.number), tasks, report, shown=f"{self.shown}/")


def read_part(study: Partitions, part: int, *, readings_only: bool = False) -> Study:
    """Read one part of a study.

    Parameters
    ----------
    study : Partitions
        As `core.study.partitions.manifest.read_manifest` gives it.
    part : int
        Counted from 0.
    readings_only : bool
        Leave out what models predict, and features.

    Returns
    -------
    Study
        The part's cases, with the labels, settings and seed of the whole: what depends on single cases is
        the same as in the study read at once. Models that predict none of them have predictions that are
        missing throughout. Raters are those of the part.

    Raises
    ------
    StudyError
        With all problems of the part, errors first, if there is any error; if its tables, or those that it
        shares with the others, are not what they were, or its labels are not those of all parts.
    """
    report = Report()
    source = _Part(study, part, readings_only)
    source.require_unchanged()
    found = read_source(source, report, lambda _share, _what: None, fingerprinted=False)
    if found.n_cases != study.cases[part]:
        what = f"the list of parts says {study.cases[part]:,} cases, the part has {found.n_cases:,}"
        raise StudyError([Problem(source.shown, what, MEND)])
    for name, labels in study.labels.items():
        _require_labels(found.tasks[name].labels, labels, name, source.shown)
    if readings_only:
        return found
    return replace(
        found, tasks={name: _with_all_models(task, study.models[name]) for name, task in found.tasks.items()}
    )


def case_columns(study: Partitions, part: int) -> list[str]:
    """Columns of the case table of a part; its rows are not read.

    Raises
    ------
    StudyError
        If it cannot be read.
    """
    report = Report()
    source = _Part(study, part)
    opened = open_file(source.case_table, source.case_file, report)
    if opened is not None:
        with opened:
            try:
                return [name.strip() for name in pq.read_schema(opened).names]
            except (pa.ArrowException, OSError, ValueError) as error:
                report.add(source.case_file, f"the Parquet file is damaged ({error})", MEND)
    report.raise_errors()
    return []


def read_part_cases(study: Partitions, part: int, columns: Collection[str]) -> pd.DataFrame:
    """Read some metadata of the cases of a part, as `core.study.model.Study.cases` has them.

    Parameters
    ----------
    study : Partitions
        In parts.
    part : int
        Counted from 0.
    columns : collection of str
        Which; the others are not read from the disk. Rows are indexed by their ids where ``case_id`` is among
        them, and otherwise by number.

    Raises
    ------
    StudyError
        If they cannot be read.
    """
    report = Report()
    source = _Part(study, part)
    opened = open_file(source.case_table, source.case_file, report)
    frame = pd.DataFrame(index=range(study.cases[part]))
    if opened is not None and columns:
        with opened:
            table = read_parquet(opened, source.case_file, report, columns=columns)
        if CASE_ID in columns:
            found = read_cases(table, None, report)
            frame = frame if found is None else found.frame
        elif table is not None:
            frame = pd.DataFrame(metadata_columns(table, [], None, report))
    report.raise_errors()
    return frame


def _require_labels(own: Sequence[str], wanted: Sequence[str], task: str, shown: str) -> None:
    """Refuse a part that numbers labels otherwise than the others."""
    if tuple(own) != tuple(wanted):
        both = [", ".join(labels[:20]) + (" …" if len(labels) > 20 else "") for labels in (wanted, own)]
        what = f'expected the labels of the task "{task}" of all parts, {both[0]}; got {both[1]}'
        raise StudyError([Problem(shown, what, MEND)])


def _with_all_models(task: Task, models: Sequence[str]) -> Task:
    """Task with every model of the study, in the study's order."""
    if tuple(task.predictions) == tuple(models):
        return task
    shape = task.readings.n_cases, len(task.labels)
    given = {
        model: task.predictions.get(model) or Predictions(model, np.full(shape, np.nan, np.float32))
        for model in models
    }
    return replace(task, predictions=given)
