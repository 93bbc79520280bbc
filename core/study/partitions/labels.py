"""Labels that all parts of a study share: those that its settings or its label table list."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from core.study.problems import Problem, StudyError
from core.study.reading.label_table import read_labels, task_labels
from core.study.reading.report import Report
from core.study.reading.settings import FILE as SETTINGS_FILE
from core.study.reading.settings import Settings
from core.study.reading.table_files import find_table, read_table

STEM = "labels"
"""Of the label table, CSV or Parquet."""


def listed_labels(folder: Path, settings: Settings) -> dict[str, tuple[str, ...]]:
    """Labels of each task in their order, empty where nothing lists them.

    Raises
    ------
    StudyError
        If the label table cannot be read, or does not suit the tasks.
    """
    report = Report()
    path = find_table(folder, STEM, report)
    table = None if path is None else read_table(path, path.name, report)
    rows = read_labels(table, settings.tasks, report)
    found = {name: task_labels(name, task, rows, (), report).labels for name, task in settings.tasks.items()}
    report.raise_errors()
    return found


def require_listed(labels: Mapping[str, tuple[str, ...]], file: str, *, exists: bool) -> None:
    """Refuse tasks whose labels nothing lists: a part need not have all of them.

    Parameters
    ----------
    labels : mapping of str to tuple of str
        As `listed_labels` gives them.
    file : str
        Name of the label table.
    exists : bool
        Whether there is one.

    Raises
    ------
    StudyError
        Naming the tasks.
    """
    unlisted = ", ".join(name for name, of in labels.items() if not of)
    if unlisted:
        what = f"there is no such file, and {SETTINGS_FILE} does not list the labels of {unlisted}"
        if exists:
            what = f"it does not list the labels of {unlisted}, nor does {SETTINGS_FILE}"
        raise StudyError([Problem(file, what, "List all labels there: a part need not have all of them.")])
