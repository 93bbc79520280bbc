"""Division of a study folder of any size into parts by range of cases, a million rows at a time."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import unquote

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from core.progress import Progress
from core.study.model import IntArray
from core.study.natural import natural_key
from core.study.partitions.cases import UNKNOWN, CasePlaces, clean_ids
from core.study.partitions.labels import listed_labels, require_listed
from core.study.partitions.manifest import FILE, FOLDER, part_name, write_manifest
from core.study.partitions.tables import Source, divide
from core.study.problems import Problem, StudyError
from core.study.reading.case_table import CASE_ID
from core.study.reading.checks import clean_text
from core.study.reading.prediction_files import DRAW, READER, SCORE
from core.study.reading.prediction_files import FOLDER as PREDICTIONS
from core.study.reading.report import Report
from core.study.reading.settings import FILE as SETTINGS_FILE
from core.study.reading.settings import Settings, read_settings
from core.study.reading.table_files import ENDINGS, find_table

CASES_PER_PART = 100_000
"""Cases of a part: some seconds of work, and some hundred megabytes of memory."""
MOST_PARTS = 800
"""Parts that are written at a time: each has a file open."""


def write_partitions(
    source: Path | str,
    target: Path | str,
    *,
    cases: int = CASES_PER_PART,
    progress: Progress | None = None,
) -> int:
    """Divide a study into parts.

    Parameters
    ----------
    source : Path or str
        Study folder, CSV or Parquet, of any size. Its ``study.toml`` names the tasks with their kinds; where
        it has several tasks, ``labels.csv`` or ``study.toml`` lists their labels.
    target : Path or str
        New or empty folder; comes into being whole or not at all. Images are not copied.
    cases : int
        Cases of a part, 1 or more. A part whose cases nobody has read is joined with the one before.
    progress : callable, optional
        Called with the share done, in [0, 1], and what is being done.

    Returns
    -------
    int
        Number of parts.

    Raises
    ------
    StudyError
        If a table is damaged or names a case that the case table lacks, if tasks or labels are not said, if
        there would be more than `MOST_PARTS` parts, or if readers' predictions are given.
    ValueError
        If ``cases`` is below 1.
    """
    if cases < 1:
        raise ValueError(f"cases must be 1 or more, got {cases}")
    tell = progress or (lambda _share, _what: None)
    source, target = Path(source), Path(os.path.realpath(target))
    given = _Tables(source)
    tell(0.0, "cases")
    places = CasePlaces(clean_ids(rows[CASE_ID]) for rows in given.in_order.rows([CASE_ID]))
    _require_distinct(given, places)
    tell(0.1, "readings")
    ends = _ends(given.annotations, places, cases)
    with _stage(target) as stage:
        folders = [stage / FOLDER / part_name(part) for part in range(len(ends))]
        for folder in folders:
            folder.mkdir(parents=True)
        shutil.copyfile(source / SETTINGS_FILE, stage / SETTINGS_FILE)
        _write_labels(given, stage)
        for done, (name, table) in enumerate(given.tables.items()):
            tell(0.2 + 0.8 * done / len(given.tables), table.file)
            divide(table, name, places, ends, folders)
        if "cases.parquet" not in given.tables:
            _write_cases(given.annotations, places, ends, folders)
        write_manifest(stage, tuple(np.diff(ends, prepend=0).tolist()), given.models)
    tell(1.0, "done")
    return len(ends)


class _Tables:
    """Tables of a study folder that are divided, by the names that they have in each part.

    Attributes
    ----------
    annotations : Source
        Who said what.
    in_order : Source
        The table that says the order of cases.
    tables : dict of str to Source
        All that are divided.
    models : dict of str to tuple of str
        Names of models by task, in natural order.
    """

    def __init__(self, folder: Path) -> None:
        report = Report()
        self.folder = folder
        self.settings: Settings = read_settings(folder, report)
        paths = {
            stem: find_table(folder, stem, report)
            for stem in ("annotations", "cases", "predictions", "features", "references", "labels")
        }
        if not self.settings.tasks:
            what = "no task is described, and a part alone cannot tell which there are"
            report.add(SETTINGS_FILE, what, 'Write [tasks.NAME] and below it kind = "choice".')
        if paths["annotations"] is None:
            report.add("annotations.csv", "there is no such file", "Give a study folder.")
        report.raise_errors()
        self.labels = paths.pop("labels")
        self.tables = {f"{stem}.parquet": Source(path, path.name) for stem, path in paths.items() if path}
        self.annotations = self.tables["annotations.parquet"]
        self.in_order = self.tables.get("cases.parquet", self.annotations)
        self.models: dict[str, tuple[str, ...]] = {}
        self._add_models()

    def _add_models(self) -> None:
        """Find the models of wide and long tables."""
        found: dict[str, set[str]] = {task: set() for task in self.settings.tasks}
        only = next(iter(found)) if len(found) == 1 else None
        for path in sorted((self.folder / PREDICTIONS).glob("**/*")):
            if path.suffix not in ENDINGS or path.name.startswith("."):
                continue
            inner = path.relative_to(self.folder)
            task = only if len(inner.parts) == 2 else unquote(inner.parts[1])
            if task not in found:
                what, mend = "the file does not lie in the folder of a task", f"Tasks: {', '.join(found)}."
                raise StudyError([Problem(inner.as_posix(), what, mend)])
            found[task].add(unquote(path.stem))
            self.tables[inner.with_suffix(".parquet").as_posix()] = Source(path, inner.as_posix())
        if "predictions.parquet" in self.tables:
            self._add_long(self.tables["predictions.parquet"], found, only)
        self.models = {task: tuple(sorted(of, key=natural_key)) for task, of in found.items()}

    @staticmethod
    def _add_long(table: Source, found: Mapping[str, set[str]], only: str | None) -> None:
        if READER in table.names:
            what = "predictions of models read by readers cannot be divided"
            raise StudyError([Problem(table.file, what, f'Leave out the column "{READER}".', column=READER)])
        for rows in table.rows(["task", "model"]):
            models = rows["model"].to_pylist()
            tasks = rows["task"].to_pylist() if "task" in rows.column_names else [only] * len(models)
            for task, model in set(zip(tasks, models, strict=True)):
                found.get(task or only or "", set()).add(str(model).strip())


def _require_distinct(given: _Tables, places: CasePlaces) -> None:
    """Refuse a case table that has a case twice."""
    if given.in_order is not given.annotations:
        n_rows = sum(rows.num_rows for rows in given.in_order.rows([CASE_ID]))
        if n_rows != len(places):
            what = f"{n_rows - len(places):,} of {n_rows:,} rows repeat a case or name none"
            raise StudyError([Problem(given.in_order.file, what, "Write each case once.", column=CASE_ID)])


def _ends(annotations: Source, places: CasePlaces, cases: int) -> IntArray:
    """Position after the last case of each part; every part has a reading."""
    is_read = np.zeros(len(places) + 1, bool)
    for rows in annotations.rows([CASE_ID]):
        found = places.find(clean_ids(rows[CASE_ID]))
        is_read[found[found != UNKNOWN]] = True
    n_cases = len(places)
    ends: list[int] = []
    for end in [*range(cases, n_cases, cases), n_cases]:
        if is_read[ends[-1] if ends else 0 : end].any():
            ends.append(end)
        elif ends:
            ends[-1] = end
    if not ends:
        raise StudyError([Problem(annotations.file, "no case has a reading", "Add the annotations.")])
    if len(ends) > MOST_PARTS:
        least = -(-n_cases // MOST_PARTS)
        what = f"there would be {len(ends):,} parts; at most {MOST_PARTS:,} can be written"
        raise StudyError([Problem(FILE, what, f"Take parts of {least:,} cases or more.")])
    return np.array(ends, np.int64)


def _write_labels(given: _Tables, stage: Path) -> None:
    """Copy the table of labels, or write one: labels as the settings list them, or as they would be read."""
    tasks = given.settings.tasks
    labels = listed_labels(given.folder, given.settings)
    if given.labels is not None:
        require_listed(labels, given.labels.name, exists=True)
        shutil.copyfile(given.labels, stage / given.labels.name)
        return
    if len(tasks) > 1:
        require_listed(labels, "labels.csv", exists=False)
    named = {
        name: labels[name] or _seen_labels(given) for name, task in tasks.items() if task.kind != "score"
    }
    if named:
        columns = [["task"] * (len(tasks) > 1) + ["label"]]
        rows = [[name] * (len(tasks) > 1) + [label] for name, of in named.items() for label in of]
        lines = [",".join('"' + cell.replace('"', '""') + '"' for cell in row) for row in columns + rows]
        (stage / "labels.csv").write_text("\n".join([*lines, ""]), encoding="utf-8", newline="\n")


def _seen_labels(given: _Tables) -> tuple[str, ...]:
    """Labels that stand anywhere in the tables of a study with one task, in natural order."""
    seen: set[str] = set()
    for rows in given.annotations.rows(["label"]):
        seen.update(str(label) for label in clean_ids(rows["label"]).dictionary.to_pylist() if label)
    for name, table in given.tables.items():
        if name.startswith(f"{PREDICTIONS}/"):
            seen.update(set() if SCORE in table.names else set(table.names) - {CASE_ID, DRAW})
        elif name == "predictions.parquet" and "label" in table.names:
            for rows in table.rows(["label"]):
                seen.update(str(label) for label in clean_ids(rows["label"]).dictionary.to_pylist() if label)
    return tuple(sorted({clean_text(label) for label in seen} - {""}, key=natural_key))


def _write_cases(annotations: Source, places: CasePlaces, ends: IntArray, folders: list[Path]) -> None:
    """Write the cases of each part where no table lists them, in the order in which they appear."""
    ids = np.empty(len(places), object)
    for rows in annotations.rows([CASE_ID]):
        some = clean_ids(rows[CASE_ID])
        distinct = pa.DictionaryArray.from_arrays(np.arange(len(some.dictionary)), some.dictionary)
        found = places.find(distinct)
        ids[found] = np.array(some.dictionary.to_pylist(), object)
    for begin, end, folder in zip([0, *ends[:-1].tolist()], ends.tolist(), folders, strict=True):
        pq.write_table(pa.table({CASE_ID: pa.array(ids[begin:end], pa.string())}), folder / "cases.parquet")


@contextmanager
def _stage(target: Path) -> Iterator[Path]:
    """Folder beside the target that takes its place at the end; after a failure nothing is left of it."""
    if target.exists() and any(target.iterdir()):
        raise ValueError(f"expected a new or empty folder, got {target}, which holds files")
    stage = target.parent / f".loupe-{secrets.token_hex(6)}"
    try:
        stage.mkdir(parents=True)
        yield stage
        if target.exists():
            target.rmdir()
        stage.rename(target)
    except BaseException:
        shutil.rmtree(stage, ignore_errors=True)
        raise
