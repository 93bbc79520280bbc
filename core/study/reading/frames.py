"""A study from pandas frames, checked as its files would be: every problem names the frame and the row."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from core.study.model import Study
from core.study.problems import Severity
from core.study.reading import limits
from core.study.reading.checks import clean_text, suggestion
from core.study.reading.columns import has_columns
from core.study.reading.parquet_files import are_types_right
from core.study.reading.prediction_files import FOLDER as PREDICTIONS
from core.study.reading.prediction_files import WideTable
from core.study.reading.report import Report
from core.study.reading.settings import FILE as SETTINGS_FILE
from core.study.reading.settings import Settings, settings_of
from core.study.reading.source import read_source
from core.study.reading.tables import Table, are_names_right, as_text
from core.study.reference_standard import STANDARD

OfModels = Mapping[str, pd.DataFrame]
"""A frame of predictions for each model."""
GivenPredictions = pd.DataFrame | OfModels | Mapping[str, OfModels]
"""A long frame; a frame for each model; or for each task a frame for each model."""

TASKS = "tasks"
_KEYS = ("case_id", "rater_id", "task", "model", "label")
_GIVEN = ("annotations", "labels", "cases", "features", "references")
_IN_WORDS = {
    '[tasks.main] and below it kind = "score" and threshold = 0.5': (
        f'{TASKS}={{"main": {{"kind": "score", "threshold": 0.5}}}}'
    ),
    '[tasks.NAME] and below it kind = "choice"': f'{TASKS}={{"NAME": {{"kind": "choice"}}}}',
    'a table for each task: [tasks.main] and below it kind = "choice"': (
        f'{TASKS}={{"main": {{"kind": "choice"}}}}'
    ),
    "tables [tasks.NAME]": "a mapping of names to mappings",
    "a table [tasks.NAME]": "a mapping",
    SETTINGS_FILE: TASKS,
    "; the header has": "; the columns are",
    "Write the names of the columns into the first line.": "Rename the columns.",
    "Save it as CSV or Parquet.": "Give a DataFrame.",
    "delete the file": "leave the frame out",
    "in another file": "in another frame",
    "the file": "the frame",
    "A file of scores": "A frame of scores",
    **{f"{name}.csv": name for name in (*_GIVEN, "predictions")},
}
"""What problems of files say, and what they say of frames; longer ones first."""


def study_of_frames(  # noqa: PLR0913 - the tables of a study, by name
    annotations: pd.DataFrame,
    *,
    predictions: GivenPredictions | None = None,
    labels: pd.DataFrame | None = None,
    cases: pd.DataFrame | None = None,
    features: pd.DataFrame | None = None,
    references: pd.DataFrame | None = None,
    tasks: Mapping[str, Mapping[str, object]] | None = None,
    name: str = "study",
    seed: int = 0,
    reference_standard: str = "",
) -> Study:
    """Make a study of frames with the columns of its files.

    Parameters
    ----------
    annotations, labels, cases, features, references : DataFrame
        With the columns of ``annotations.csv``, ``labels.csv``, ``cases.csv``, ``features.csv`` and
        ``references.csv``; a column that identifies rows, such as ``case_id``, may be the index.
    predictions : DataFrame, mapping of str to DataFrame, or mapping of str to such a mapping
        A long frame with ``case_id``, ``model``, ``label`` and ``probability``; or for each model a wide one
        with ``case_id`` and a column of probabilities for each label; of several tasks, such a mapping for
        each task.
    tasks : mapping of str to mapping, optional
        What ``study.toml`` says of each task: ``kind``, and where they apply ``positive``, ``threshold`` and
        ``labels``. By default one task "main": a ranking where there are ranks, else a choice.
    name : str
        Name of the study.
    seed : int
        From which every random number derives, from 0 to 2^63 − 1.
    reference_standard : str
        How references were established, as ``study.toml`` has it.

    Returns
    -------
    Study
        The same as from files with these tables.

    Raises
    ------
    StudyError
        With all problems, errors first, if there is any error: each names the frame, and the row by its
        position from 0, as ``iloc`` counts.
    TypeError
        Where something is no frame.
    """
    report = _FrameReport()
    given_frames = (annotations, labels, cases, features, references)
    frames: dict[str, pd.DataFrame | None] = dict(zip(_GIVEN, given_frames, strict=True))
    of_models: Mapping[str, Any] = {}
    if isinstance(predictions, Mapping):
        of_models = predictions
    else:
        frames[PREDICTIONS] = predictions
    given = {stem: frame for stem, frame in frames.items() if frame is not None}
    for stem, frame in given.items():
        _require_frame(frame, stem)
    said = {"name": name, "seed": seed, STANDARD: reference_standard, TASKS: _plain(tasks or {})}
    return read_source(_Frames(given, of_models, said), report, lambda _share, _what: None)


def _require_frame(frame: object, name: str) -> None:
    """Refuse what is no frame."""
    if not isinstance(frame, pd.DataFrame):
        mend = "; loupe.read_study reads a folder of files" if isinstance(frame, str | Path) else ""
        raise TypeError(f"{name} must be a pandas DataFrame, got {type(frame).__name__}{mend}")


def _plain(value: Any) -> Any:
    """Values as TOML would give them: plain dicts, lists and numbers."""
    if isinstance(value, Mapping):
        return {key if isinstance(key, str) else str(key): _plain(of) for key, of in value.items()}
    if isinstance(value, tuple | list | np.ndarray | pd.Index):
        return [_plain(of) for of in value]
    return value.item() if isinstance(value, np.generic) else value


class _FrameReport(Report):
    """Problems of frames: they speak of frames and arguments where those of files speak of files."""

    def add(
        self,
        file: str,
        what: str,
        mend: str,
        *,
        row: int | None = None,
        column: str = "",
        severity: Severity = "error",
    ) -> None:
        """Note one problem."""
        if file == SETTINGS_FILE and column:
            file, column = column, ""
        file, what, mend = (_in_words(text) for text in (file, what, mend))
        super().add(file, what, mend, row=row, column=column, severity=severity)


def _in_words(text: str) -> str:
    for of_files, of_frames in _IN_WORDS.items():
        text = text.replace(of_files, of_frames)
    return text


@dataclass(frozen=True, eq=False)
class _Frames:
    """Frames in the place of a study's files."""

    frames: Mapping[str, pd.DataFrame]
    of_models: Mapping[str, Any]
    said: Mapping[str, Any]
    folder: None = None

    def settings(self, report: Report) -> Settings:
        """Check what is said of the study and its tasks."""
        return settings_of(self.said, "study", report)

    def table(self, stem: str, report: Report, *, text: Collection[str] | None = None) -> Table | None:  # noqa: ARG002
        """Table of a frame; None where it was not given or cannot be used."""
        return _table(self.frames[stem], stem, report) if stem in self.frames else None

    def models(self, tasks: Sequence[str], report: Report) -> list[WideTable]:
        """Tables of the frames of one model each."""
        found = []
        for task, model, frame, name in self._each_model(tasks, report):
            _require_frame(frame, name)
            table = _table(frame, name, report)
            if table is not None and has_columns(table, ["case_id"], report):
                found.append(WideTable(task, model, table))
        return found

    def _each_model(self, tasks: Sequence[str], report: Report) -> list[tuple[str, str, pd.DataFrame, str]]:
        """Task, model, frame, and what to call it in problems."""
        found: list[tuple[str, str, pd.DataFrame, str]] = []
        for key, given in self.of_models.items():
            name, place = clean_text(str(key)), f'{PREDICTIONS}["{key}"]'
            if isinstance(given, Mapping):
                if name not in tasks:
                    mend = f"{suggestion(name, tasks)}Tasks: {', '.join(tasks)}."
                    report.add(place, f'unknown task "{name}"', mend)
                    continue
                found += [
                    (name, clean_text(str(model)), of, f'{place}["{model}"]') for model, of in given.items()
                ]
            elif len(tasks) > 1 and isinstance(given, pd.DataFrame):
                what = "the study has several tasks, and the frame does not say which one it predicts"
                mend = f"Give {{TASK: {{MODEL: frame}}}}, with TASK one of {', '.join(tasks)}."
                report.add(place, what, mend)
            else:
                found.append((tasks[0], name, given, place))
        for _, model, _, place in found:
            if not model or "\0" in model or len(model) > limits.LONGEST_NAME:
                report.add(place, "expected the name of a model", "Give the frame under its model's name.")
        return found


def _table(frame: pd.DataFrame, name: str, report: Report) -> Table | None:
    """Columns of a frame, with identifying ones of its index; None, with errors, where it cannot be used."""
    if frame.columns.nlevels > 1:
        what = f"expected columns with one name each, got {frame.columns.nlevels} levels of names"
        report.add(name, what, "Join the names of the levels.")
        return None
    levels = [level for level in frame.index.names if level in _KEYS and level not in frame.columns]
    names = [_name(column) for column in frame.columns]
    if not limits.is_table_allowed(name, report, rows=len(frame), columns=len(names)):
        return None
    if not are_names_right(name, names, report, row=None):
        return None
    if not len(frame):
        report.add(name, "the frame has no rows", "Add the rows, or leave the frame out.")
        return None
    columns = {str(level): _column(frame.index.get_level_values(level).to_series()) for level in levels}
    for i, column in enumerate(names):
        columns[column.strip()] = _column(frame.iloc[:, i])
    schema = pa.schema([(column, of.type) for column, of in columns.items()])
    if not are_types_right(name, schema, report):
        return None
    plain = {column: as_text(of) if pa.types.is_temporal(of.type) else of for column, of in columns.items()}
    return Table(name, plain, len(frame), first_line=0)


def _name(column: object) -> str:
    """Name of a column as text; a whole number has no decimal point."""
    is_whole = isinstance(column, float) and column.is_integer()
    return str(int(column)) if is_whole else str(column)  # type: ignore[call-overload]


def _column(series: pd.Series) -> pa.ChunkedArray:
    """Values of a column, missing ones null; of mixed kinds, or of one that is not known, as text."""
    try:
        array = pa.array(series, from_pandas=True)
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        # Lone surrogates are no Unicode: they are replaced, and so are found nowhere else.
        texts = [None if _is_missing(v) else _name(v).encode(errors="replace").decode() for v in series]
        array = pa.array(texts, pa.large_string())
    chunked = array if isinstance(array, pa.ChunkedArray) else pa.chunked_array([array])
    if pa.types.is_dictionary(chunked.type):
        # Categories that no row has, and their order, are no part of what was observed.
        return chunked.cast(chunked.type.value_type)
    return chunked


def _is_missing(value: object) -> bool:
    """Whether a single value is None, NaN, NaT or NA."""
    return bool(pd.api.types.is_scalar(value) and pd.isna(value))  # type: ignore[call-overload]
