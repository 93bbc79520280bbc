"""A short text that changes when anything observed changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import Protocol

import numpy as np
import pandas as pd

from core.study.model import Predictions, Readings, Study, Task
from core.study.natural import natural_order
from core.study.reference_standard import STANDARD


class _Hasher(Protocol):
    def update(self, data: bytes, /) -> None: ...


def fingerprint(
    case_ids: Sequence[str],
    rater_ids: Sequence[str],
    tasks: Mapping[str, Task],
    cases: pd.DataFrame,
    *,
    features: pd.DataFrame | None = None,
    references: pd.DataFrame | None = None,
    reference_standard: str = "",
    seed: int = 0,
) -> str:
    """Fingerprint of everything that an analysis of a study depends on.

    Parameters
    ----------
    case_ids, rater_ids, tasks, cases, features, references, reference_standard, seed
        As in `core.study.model.Study`.

    Returns
    -------
    str
        16 hexadecimal characters.

    Notes
    -----
    Readings enter in canonical form: case by case, within a case by rater id (in natural order) and repeat,
    entries by block and label. So the order of the rows of a file, CSV or Parquet, and long or wide
    predictions make no difference. The order of cases and of labels does: it decides which row of a result
    is which case, and who wins a tie. Name, description, source and licence do not enter.
    """
    hasher = blake2b(digest_size=8)
    _add_texts(hasher, ["study", str(seed)])
    _add_texts(hasher, case_ids)
    rater_order = natural_order(rater_ids)
    _add_texts(hasher, [rater_ids[rater] for rater in rater_order])
    rater_rank = np.empty(len(rater_ids), np.int64)
    rater_rank[rater_order] = np.arange(len(rater_ids))
    for task in tasks.values():
        _add_task(hasher, task, rater_rank)
    _add_texts(hasher, ["cases", *map(str, cases.columns)])
    for position in range(cases.shape[1]):
        _add_texts(hasher, cell_texts(cases.iloc[:, position]))
    if features is not None:
        _add_texts(hasher, ["features", *map(str, features.columns)])
        _add_array(hasher, features.to_numpy(np.float64), np.float64)
    if references is not None:
        _add_texts(hasher, ["references", *map(str, references.columns)])
        for position in range(references.shape[1]):
            _add_texts(hasher, cell_texts(references.iloc[:, position]))
    # As `settled_by` below: sentences depend on it, and a study that does not state it keeps its fingerprint.
    if reference_standard:
        _add_texts(hasher, [STANDARD, reference_standard])
    return hasher.hexdigest()


def fingerprint_of(study: Study) -> str:
    """Fingerprint of what a study holds; see `fingerprint`."""
    return fingerprint(
        study.case_ids,
        study.rater_ids,
        study.tasks,
        study.cases,
        features=study.features,
        references=study.references,
        reference_standard=study.reference_standard,
        seed=study.seed,
    )


def cell_texts(column: pd.Series) -> list[str]:
    """Text of each cell of a table as study files hold it: empty where missing, numbers at full precision."""
    if pd.api.types.is_bool_dtype(column):
        return ["" if value is pd.NA else str(bool(value)).lower() for value in column.tolist()]
    if pd.api.types.is_numeric_dtype(column):
        return ["" if pd.isna(value) else repr(value) for value in column.tolist()]
    return ["" if pd.isna(value) else str(value) for value in column.tolist()]


def _add_task(hasher: _Hasher, task: Task, rater_rank: np.ndarray) -> None:
    threshold = "" if task.threshold is None else repr(float(task.threshold))
    _add_texts(hasher, ["task", task.name, task.kind, task.positive or "", threshold])
    _add_texts(hasher, task.labels)
    _add_array(hasher, task.risk, np.int8)
    _add_texts(hasher, task.description or [""] * len(task.labels))
    # No number depends on it, but sentences do, which are kept by fingerprint; a study that does not say what
    # settles its labels keeps the fingerprint that it had before there was such a column.
    if any(task.settled_by):
        _add_texts(hasher, ["settled_by", *task.settled_by])
    _add_readings(hasher, task.readings, rater_rank)
    for model in sorted(task.predictions):
        _add_texts(hasher, ["model", model])
        _add_predictions(hasher, task.predictions[model])
    for modality in sorted(task.reader_predictions):
        for reader, given in sorted(task.reader_predictions[modality].items()):
            _add_texts(hasher, ["modality", modality, "reader", reader])
            _add_predictions(hasher, given)


def _add_predictions(hasher: _Hasher, given: Predictions) -> None:
    if given.score is not None:
        _add_texts(hasher, ["score"])
        _add_array(hasher, given.score, np.float64)
        return
    _add_array(hasher, given.probability, given.probability.dtype.type)
    if given.ensemble is not None:
        _add_texts(hasher, ["ensemble"])
        _add_array(hasher, given.ensemble, given.ensemble.dtype.type)


def _add_readings(hasher: _Hasher, readings: Readings, rater_rank: np.ndarray) -> None:
    rater = rater_rank[readings.rater]
    order = np.lexsort((readings.repeat, rater, readings.case))
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    entry_order = np.lexsort((readings.label, readings.block, place[readings.entry_reading]))
    _add_array(hasher, readings.case_start, np.int64)
    _add_array(hasher, rater[order], np.int32)
    _add_array(hasher, readings.repeat[order], np.int32)
    _add_array(hasher, readings.confidence[order], np.float64)
    _add_array(hasher, readings.score[order], np.float64)
    _add_array(hasher, np.diff(readings.entry_start)[order], np.int64)
    _add_array(hasher, readings.label[entry_order], np.int32)
    _add_array(hasher, readings.block[entry_order], np.int32)


def _add_array(hasher: _Hasher, array: np.ndarray, dtype: type) -> None:
    """Hash shape and content; every NaN and both zeros look the same."""
    values = np.array(array, dtype=np.dtype(dtype).newbyteorder("<"))
    if values.dtype.kind == "f":
        values[np.isnan(values)] = np.nan
        values += 0.0
    hasher.update(repr(values.shape).encode())
    hasher.update(values.tobytes())


def _add_texts(hasher: _Hasher, texts: Iterable[str]) -> None:
    encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
    _add_array(hasher, np.array([len(text) for text in encoded], np.int64), np.int64)
    hasher.update(b"".join(encoded))
