"""What the reports of the commands share: the task they are about, and the files they are written to."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from core.analysis.export import guarded_csv
from core.study.model import Study, Task


def find_task(study: Study, name: str | None, *, predicted: bool = False) -> Task:
    """Find a task of the study by name.

    Parameters
    ----------
    study : Study
        Where to look.
    name : str or None
        The study's first task if None.
    predicted : bool
        Whether that is the first one with predictions.

    Raises
    ------
    ValueError
        If the study has no such task.
    """
    if name is not None:
        if name not in study.tasks:
            raise ValueError(f"task must be one of {', '.join(study.tasks)}, got {name!r}")
        return study.tasks[name]
    for task in study.tasks.values():
        if task.predictions or not predicted:
            return task
    raise ValueError(f"study {study.name!r} has no predictions, so there is no model to judge")


def records(table: pd.DataFrame) -> Any:
    """Rows of a table as JSON has them, numbers to 15 digits."""
    return json.loads(table.to_json(orient="records", double_precision=15))


def write_report(
    folder: Path,
    name: str,
    tables: Mapping[str, pd.DataFrame],
    settings: Mapping[str, str],
    content: Mapping[str, object],
) -> list[Path]:
    """Write each table as CSV, and settings with all other content as one JSON file.

    Returns
    -------
    list of Path
        The files; the JSON file, which ``name`` names, is the last.
    """
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{table}.csv" for table in tables]
    for path, table in zip(paths, tables.values(), strict=True):
        path.write_text(guarded_csv(table, provenance=settings), encoding="utf-8")
    paths.append(folder / f"{name}.json")
    text = json.dumps({"settings": dict(settings), **content}, ensure_ascii=False, indent=1)
    paths[-1].write_text(text + "\n", encoding="utf-8")
    return paths
