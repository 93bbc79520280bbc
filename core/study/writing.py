"""Writing a study as a folder, byte for byte the same for the same study."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, compress
from pathlib import Path
from urllib.parse import quote

import numpy as np
import pandas as pd

from core.study.fingerprint import cell_texts
from core.study.model import RISK_NAMES, UNKNOWN_RISK, FloatArray, IntArray, Predictions, Study, Task
from core.study.reading.case_table import CASE_ID
from core.study.reading.checks import image_fault
from core.study.reading.label_table import SETTLED_BY
from core.study.reading.prediction_files import DRAW, READER, SCORE
from core.study.reading.prediction_files import FOLDER as PREDICTIONS
from core.study.reading.settings import FILE as SETTINGS_FILE
from core.study.reading.table_files import ENDINGS
from core.study.reference_standard import STANDARD
from core.study.whole_files import Content, holds_files, replace_files, write_folder

_TABLES = ("annotations", "labels", "cases", "predictions", "features", "references")
_QUOTED = frozenset(',"\n\r')
_CHUNK = 10_000


def write_study(study: Study, folder: Path | str, *, images: Mapping[str, bytes] | None = None) -> None:
    """Write a study folder that `core.study.reading.folder.read_study` reads back as the same study.

    Parameters
    ----------
    study : Study
        Predictions are written wide, one file a model; numbers with as many digits as they need.
    folder : Path or str
        Comes into being whole or not at all; in one that holds files, all are written before the first is
        replaced. Files of a study that this one does not replace must not be there.
    images : mapping of str to bytes, optional
        Content by path relative to the folder, as in the case table.

    Raises
    ------
    ValueError
        If the folder holds other files of a study, an image path leaves it, or a model gives scores for a
        task with a label that is called score, the name of their column.
    OSError
        If a file cannot be written.
    """
    folder = Path(folder)
    texts = _files(study)
    _refuse_leftovers(folder, {*texts})
    for path in images or {}:
        fault = image_fault(path)
        if fault is not None:
            raise ValueError(f'images: {fault}, got "{path}"')
    files: Iterator[tuple[str, Content]] = chain(texts.items(), (images or {}).items())
    if holds_files(folder):
        replace_files(folder, files)
    else:
        write_folder(folder, files)


def _files(study: Study) -> dict[str, Iterable[str]]:
    """Lines of every file by relative path."""
    files: dict[str, Iterable[str]] = {
        SETTINGS_FILE: _settings(study),
        "annotations.csv": _annotations(study),
    }
    if any(task.kind != "score" or _tells_of_labels(task) for task in study.tasks.values()):
        files["labels.csv"] = _labels(study)
    files["cases.csv"] = _frame(study.cases, study.case_ids)
    if study.features is not None:
        files["features.csv"] = _frame(study.features, study.case_ids)
    if study.references is not None:
        files["references.csv"] = _references(study.references)
    if any(task.reader_predictions for task in study.tasks.values()):
        files["predictions.csv"] = _reader_predictions(study)
    for task in study.tasks.values():
        if task.score_models and SCORE in task.labels:
            raise ValueError(
                f"task {task.name!r} has a label called {SCORE}, so the scores of "
                f"{', '.join(task.score_models)} cannot be written in a column of that name"
            )
        for model, predictions in task.predictions.items():
            name = f"{file_name(model)}.csv"
            inner = name if len(study.tasks) == 1 else f"{file_name(task.name)}/{name}"
            files[f"{PREDICTIONS}/{inner}"] = _predictions(study, task, predictions)
    return files


def file_name(text: str) -> str:
    """File name for a model or task: unusual characters as in addresses (%2F), a point in front as well."""
    name = quote(text, safe=" ()+,;=@[]{}~!#&'")
    return "%2E" + name[1:] if name.startswith(".") else name


def _refuse_leftovers(folder: Path, written: set[str]) -> None:
    if not folder.exists():
        return
    tables = [folder / (stem + ending) for stem in _TABLES for ending in ENDINGS]
    tables += [path for path in (folder / PREDICTIONS).rglob("*") if path.suffix in ENDINGS]
    left = [path.relative_to(folder).as_posix() for path in tables if path.exists()]
    left = sorted(set(left) - written)
    if left:
        raise ValueError(
            f"folder: expected none but the files to replace, got {', '.join(left[:5])}: {folder}"
        )


def _settings(study: Study) -> Iterable[str]:
    for key in ("name", "description", "source", "licence"):
        text = getattr(study, key)
        if text:
            yield f"{key} = {_toml_text(text)}\n"
    yield f"seed = {study.seed}\n"
    if study.reference_standard:
        yield f"{STANDARD} = {_toml_text(study.reference_standard)}\n"
    if study.flags:
        yield f"flags = [{', '.join(map(_toml_text, study.flags))}]\n"
    for task in study.tasks.values():
        yield f'\n[tasks.{_toml_text(task.name)}]\nkind = "{task.kind}"\n'
        if task.positive is not None:
            yield f"positive = {_toml_text(task.positive)}\n"
        if task.threshold is not None:
            yield f"threshold = {float(task.threshold)!r}\n"


def _toml_text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _labels(study: Study) -> Iterable[str]:
    several = len(study.tasks) > 1 or any(task.kind == "score" for task in study.tasks.values())
    has_risk = any(task.has_risk for task in study.tasks.values())
    has_description = any(any(task.description) for task in study.tasks.values())
    has_settled_by = any(any(task.settled_by) for task in study.tasks.values())
    is_written = {
        "label": True,
        "task": several,
        "risk": has_risk,
        "description": has_description,
        SETTLED_BY: has_settled_by,
    }
    yield _line([name for name, is_there in is_written.items() if is_there])
    for task in study.tasks.values():
        if task.kind == "score" and not _tells_of_labels(task):
            continue
        levels = ["" if risk == UNKNOWN_RISK else RISK_NAMES[risk] for risk in task.risk.tolist()]
        names, descriptions = [task.name] * len(task.labels), task.description or [""] * len(task.labels)
        for cells in zip(task.labels, names, levels, descriptions, task.settled_by, strict=True):
            yield _line(_quoted(cell) for cell in compress(cells, is_written.values()))


def _tells_of_labels(task: Task) -> bool:
    """Whether anything is said of single labels."""
    return task.has_risk or any(task.description) or any(task.settled_by)


def _annotations(study: Study) -> Iterable[str]:
    tasks = list(study.tasks.values())
    optional = {
        "task": len(tasks) > 1,
        "label": any(task.kind != "score" for task in tasks),
        "rank": any(task.kind == "ranking" for task in tasks),
        "score": any(task.kind == "score" for task in tasks),
        "confidence": any(not np.isnan(task.readings.confidence).all() for task in tasks),
        "repeat": any((task.readings.repeat != 1).any() for task in tasks),
    }
    names = [name for name, is_used in optional.items() if is_used]
    yield _line([CASE_ID, "rater_id", *names])
    case_ids = [_quoted(case_id) for case_id in study.case_ids]
    rater_ids = [_quoted(rater_id) for rater_id in study.rater_ids]
    for task in tasks:
        columns = _entry_columns(task)
        columns["task"] = [_quoted(task.name)] * len(columns["label"])
        cases = [case_ids[case] for case in columns.pop("case")]
        raters = [rater_ids[rater] for rater in columns.pop("rater")]
        for cells in zip(cases, raters, *(columns[name] for name in names), strict=True):
            yield _line(cells)


def _entry_columns(task: Task) -> dict[str, list]:
    """Columns of one task's rows: one an entry, or one a reading for a score."""
    readings = task.readings
    if task.kind == "score":
        of_row: IntArray = np.arange(readings.n_readings)
        label, rank = [""] * len(of_row), [""] * len(of_row)
    else:
        of_row = readings.entry_reading
        texts = [_quoted(label) for label in task.labels]
        label = [texts[code] for code in readings.label.tolist()]
        rank = (
            [str(block + 1) for block in readings.block.tolist()]
            if task.kind == "ranking"
            else [""] * len(label)
        )
    return {
        "case": readings.case[of_row].tolist(),
        "rater": readings.rater[of_row].tolist(),
        "label": label,
        "rank": rank,
        "score": _numbers(readings.score[of_row]),
        "confidence": _numbers(readings.confidence[of_row]),
        "repeat": [str(repeat) for repeat in readings.repeat[of_row].tolist()],
    }


def _numbers(values: FloatArray) -> list[str]:
    return ["" if value != value else repr(value) for value in values.astype(np.float64).tolist()]


def _frame(frame: pd.DataFrame, case_ids: Sequence[str]) -> Iterable[str]:
    columns = [cell_texts(frame.iloc[:, i]) for i in range(frame.shape[1])]
    yield _line([CASE_ID, *(_quoted(str(name)) for name in frame.columns)])
    for cells in zip(case_ids, *columns, strict=True):
        yield _line([_quoted(cell) for cell in cells])


def _predictions(study: Study, task: Task, predictions: Predictions) -> Iterable[str]:
    """Lines of one model: a row a case, or with several predictions a row a case and draw."""
    if predictions.score is not None:
        yield _line([CASE_ID, SCORE])
        for case_id, score in zip(study.case_ids, _numbers(predictions.score), strict=True):
            if score:
                yield _line([_quoted(case_id), score])
        return
    labels = [_quoted(label) for label in task.labels]
    if predictions.ensemble is None:
        yield _line([CASE_ID, *labels])
        yield from _probabilities(study, predictions.probability, "")
        return
    yield _line([CASE_ID, DRAW, *labels])
    for draw, probability in enumerate(predictions.ensemble, start=1):
        yield from _probabilities(study, probability, f"{draw},")


def _references(references: pd.DataFrame) -> Iterable[str]:
    yield _line([CASE_ID, "task", "label"])
    for task in references.columns:
        for case_id, label in references[task].items():
            if label:
                yield _line([_quoted(str(case_id)), _quoted(str(task)), _quoted(str(label))])


def _reader_predictions(study: Study) -> Iterable[str]:
    """Lines of the long table of modalities and readers: scores or probabilities, which one file holds."""
    several = len(study.tasks) > 1
    read = [
        (task, modality, reader, of)
        for task in study.tasks.values()
        for modality, readers in task.reader_predictions.items()
        for reader, of in readers.items()
    ]
    scored = {of.kind == "score" for *_, of in read}
    if len(scored) > 1:
        raise ValueError(
            "readers give scores for one task or modality and probabilities for another, which one file of "
            "predictions cannot hold; give scores or probabilities throughout"
        )
    is_scored = scored == {True}
    numbered = any(of.ensemble is not None for *_, of in read)
    what = [SCORE] if is_scored else [*[DRAW] * numbered, "label", "probability"]
    yield _line([CASE_ID, *["task"] * several, "model", READER, *what])
    for task, modality, reader, of in read:
        who = [*[_quoted(task.name)] * several, _quoted(modality), _quoted(reader)]
        if of.score is not None:
            for case_id, score in zip(study.case_ids, _numbers(of.score), strict=True):
                if score:
                    yield _line([_quoted(case_id), *who, score])
            continue
        labels = [_quoted(label) for label in task.labels]
        draws = of.probability[None] if of.ensemble is None else of.ensemble
        for draw, probability in enumerate(draws, start=1):
            for case in np.flatnonzero(of.covered).tolist():
                for label, value in zip(labels, probability[case].astype(np.float64).tolist(), strict=True):
                    if value > 0:
                        cells = [*[str(draw)] * numbered, label, repr(value)]
                        yield _line([_quoted(study.case_ids[case]), *who, *cells])


def _probabilities(study: Study, probability: FloatArray, draw: str) -> Iterable[str]:
    step = max(1, _CHUNK * 10 // max(1, probability.shape[1]))
    for start in range(0, len(probability), step):
        rows = probability[start : start + step].astype(np.float64).tolist()
        for case_id, row in zip(study.case_ids[start : start + step], rows, strict=True):
            if row[0] == row[0]:
                yield f"{_quoted(case_id)},{draw}{','.join(map(repr, row))}\n"


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"' if not _QUOTED.isdisjoint(text) else text


def _line(cells: Iterable[str]) -> str:
    return ",".join(cells) + "\n"
