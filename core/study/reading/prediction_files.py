"""``predictions.csv`` (long) and ``predictions/MODEL.csv`` (wide): which files there are."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import unquote

import numpy as np
import pyarrow as pa

from core.study.model import IntArray
from core.study.natural import natural_key
from core.study.reading import limits
from core.study.reading.case_table import CASE_ID
from core.study.reading.checks import PACKED, UNPACK, clean_text, is_text, suggestion
from core.study.reading.columns import has_columns, known_codes, refuse_nothing, texts_of
from core.study.reading.files import exists, visible
from core.study.reading.report import Report
from core.study.reading.table_files import ENDINGS, read_table
from core.study.reading.tables import Table, Texts

FOLDER = "predictions"
DRAW = "draw"
"""Column that numbers several predictions of one model for one case."""
SCORE = "score"
"""Column of a model that gives no probabilities, but a number to rank the cases of a two-label task by."""
READER = "reader"
"""Column that names who reads with a modality; empty where a model stands by itself."""
_PROBABILITY = "probability"
_FEWER = "Leave out models, or split the study."


@dataclass(frozen=True, eq=False)
class WideTable:
    """Table of one model: a row a case (or a case and draw), a column a label, or one of scores."""

    task: str
    model: str
    table: Table

    def labels(self) -> list[str]:
        """Labels in the header, in normal form; a column ``draw`` names none by itself.

        Nor does any column beside one of scores.
        """
        if SCORE in self.table:
            return []
        return [clean_text(column) for column in self.table.columns if column not in (CASE_ID, DRAW)]


@dataclass(frozen=True, eq=False)
class LongTable:
    """Table of all models: a row a case, model, label (and draw), or a row a case and model with a score.

    ``task`` is −1 where not known, and so is the label where scores have none. ``read_by`` has the modality
    and the reader of what stands among the models under a name of both.
    """

    table: Table
    task: IntArray
    case: Texts
    model: Texts
    label: Texts
    read_by: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    def labels(self, task: int) -> list[str]:
        """Labels of one task, in normal form."""
        used = np.unique(self.label.code[self.task == task])
        return [self.label.distinct[code] for code in used.tolist() if code >= 0]

    @property
    def holds_scores(self) -> bool:
        """Whether the rows hold scores in place of probabilities."""
        return _PROBABILITY not in self.table


def read_long(table: Table | None, tasks: Sequence[str], report: Report) -> LongTable | None:
    """Interpret the long table, if there is one."""
    if table is None:
        return None
    if READER in table:
        table = _with_certain_labels(table)
    required = [CASE_ID, "model", *["task"] * (len(tasks) > 1)]
    optional = ["task", DRAW, READER]
    if _holds_scores(table):
        required, optional = [*required, SCORE], [*optional, "label"]
    else:
        required = [*required, "label", _PROBABILITY]
    if SCORE in table and _PROBABILITY in table:
        what = "the file has scores and probabilities; which of them to use is not clear"
        mend = f"Delete one of the columns {SCORE} and {_PROBABILITY}."
        report.add(table.file, what, mend, row=table.header_line, column=SCORE)
        return None
    if not has_columns(table, required, report, optional=optional):
        return None
    case, model = (texts_of(table, column, report) for column in (CASE_ID, "model"))
    mend = "Write the name of the model, or delete the row. If a model is called {0}, write model {0}."
    refuse_nothing(table, "model", model, report, noun="model", mend=mend)
    read_by: dict[str, tuple[str, str]] = {}
    if READER in table:
        reader = texts_of(table, READER, report, required=False)
        mend = "Write the name of the reader, or leave the cell empty where a model stands by itself."
        refuse_nothing(table, READER, reader, report, noun="reader", mend=mend)
        model = _by_reader(table, model, reader, read_by, report)
    most = limits.MOST_MODELS
    if not limits.is_count_allowed(table.file, report, len(model.distinct), most, "models", _FEWER):
        return None
    label = Texts(np.full(table.n_rows, -1), [])
    if "label" in table:
        label = texts_of(table, "label", report, required=SCORE not in table)
    task: IntArray = np.zeros(table.n_rows, np.int64)
    if "task" not in table:
        return LongTable(table, task, case, model, label, read_by)
    texts = texts_of(table, "task", report, required=len(tasks) > 1)
    known = {name: i for i, name in enumerate(tasks)}
    mend = f"Tasks: {', '.join(tasks)}."
    task = known_codes(table, "task", texts, known, report, noun="task", mend=mend)
    task = np.where(texts.code < 0, 0, task) if len(tasks) == 1 else task
    return LongTable(table, task, case, model, label, read_by)


def _with_certain_labels(table: Table) -> Table:
    """Table in which a label that a reader gives without a probability is certain."""
    if _PROBABILITY in table or _holds_scores(table) or "label" not in table:
        return table
    certain = pa.chunked_array([np.ones(table.n_rows)])
    return replace(table, columns={**table.columns, _PROBABILITY: certain})


def _by_reader(
    table: Table, model: Texts, reader: Texts, read_by: dict[str, tuple[str, str]], report: Report
) -> Texts:
    """Name each modality together with its reader, and note in ``read_by`` which they are.

    A row without a reader keeps the name of its model.
    """
    width = len(reader.distinct) + 1
    pairs, code = np.unique(model.code * width + reader.code + 1, return_inverse=True)
    names: list[str] = []
    for pair in pairs.tolist():
        of_model, of_reader = pair // width, pair % width - 1
        name = model.distinct[of_model] if of_model >= 0 else ""
        if of_model >= 0 and of_reader >= 0:
            given = (name, reader.distinct[of_reader])
            name = f"{given[0]} read by {given[1]}"
            if name in read_by or name in model.distinct:
                what = f'"{name:.200}" names a model as well as a modality and its reader'
                report.add(table.file, what, "Rename the model or the reader.", column=READER)
            read_by[name] = given
        names.append(name)
    known = {name: at for at, name in enumerate(dict.fromkeys(name for name in names if name))}
    return Texts(np.array([known.get(name, -1) for name in names], np.int64)[code], list(known))


def _holds_scores(table: Table) -> bool:
    """Whether a table of all models has scores and no probabilities; a capital letter is no other column."""
    return _PROBABILITY not in table and any(column.casefold() == SCORE for column in table.columns)


def read_wide(folder: Path, tasks: Sequence[str], report: Report, *, shown: str = "") -> list[WideTable]:
    """Read the tables of all models in ``predictions/`` and ``predictions/TASK/``.

    What ``shown`` is stands before their paths in problems.
    """
    found: list[WideTable] = []
    seen: set[tuple[str, str]] = set()
    for path, file, task in _wide_files(folder / FOLDER, shown + FOLDER, tasks, report):
        model = clean_text(unquote(path.stem))
        is_name = bool(model) and is_text(model) and "\0" not in model
        if (task, model) in seen or not is_name:
            what = f'there are two files of the model "{model}"'
            if not is_name:
                what = "the file has no name of a model"
            report.add(file, what, "Rename the file, or delete the one that is out of date.")
            continue
        seen.add((task, model))
        table = read_table(path, file, report, text=[CASE_ID])
        if table is not None and has_columns(table, [CASE_ID], report):
            found.append(WideTable(task, model, table))
    return found


def _wide_files(
    folder: Path, shown: str, tasks: Sequence[str], report: Report
) -> Iterator[tuple[Path, str, str]]:
    """Path, name for problems, and task of every table in the folder of predictions."""
    if not exists(folder):
        return
    for path in _visible(folder, shown, report):
        file = f"{shown}/{path.name}"
        if os.path.isdir(path):
            task = clean_text(unquote(path.name))
            if task not in tasks:
                mend = f"{suggestion(task, tasks)}Name the folder after a task: {', '.join(tasks)}."
                report.add(file, f'unknown task "{task}"', mend)
                continue
            for inner in _visible(path, file, report):
                if _is_table(inner, f"{file}/{inner.name}", report):
                    yield inner, f"{file}/{inner.name}", task
        elif _is_table(path, file, report):
            if len(tasks) > 1:
                what = "the study has several tasks, and the file does not say which one it predicts"
                report.add(file, what, f"Move it to {FOLDER}/TASK/, with TASK one of {', '.join(tasks)}.")
                continue
            yield path, file, tasks[0]


def _visible(folder: Path, file: str, report: Report) -> list[Path]:
    """Files in a folder of predictions, in natural order of their names, which have to be text."""
    paths = sorted(visible(folder, file, report), key=lambda path: natural_key(path.name))
    most = limits.MOST_MODELS
    if not limits.is_count_allowed(file, report, len(paths), most, "files", _FEWER):
        return []
    unreadable = [path.name for path in paths if not is_text(path.name)]
    report.add_many(
        file,
        unreadable,
        lambda name: f'the name of the file "{name}" is no text in UTF-8',
        lambda _: "Rename the file.",
        noun="file",
    )
    return [path for path in paths if is_text(path.name)]


def _is_table(path: Path, file: str, report: Report) -> bool:
    if path.suffix in ENDINGS:
        return True
    if path.suffix.lower() in PACKED:
        report.add(file, "the file is packed, and would not be read", UNPACK)
    elif path.suffix.lower() in ENDINGS:
        what = f"the ending {path.suffix} is not known, so the file would not be read"
        report.add(file, what, f"Write the ending in small letters: {path.suffix.lower()}.")
    else:
        what = "the file is no table and is not used"
        report.add(file, what, "Save it as CSV or Parquet.", severity="warning")
    return False
