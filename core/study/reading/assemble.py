"""From rows of annotations to readings in compressed-row form."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.study.model import FloatArray, IntArray, Readings


@dataclass(frozen=True, eq=False)
class Rows:
    """Annotations of one task as they stand in a table: one row an entry, or a score.

    Attributes
    ----------
    case, rater, label : ndarray of int with shape (n_rows,)
        Codes; ``label`` is −1 in every row of a score task.
    rank : ndarray of int with shape (n_rows,)
        1 for the labels ranked first; gaps are allowed.
    repeat : ndarray of int with shape (n_rows,)
        From 1.
    confidence, score : ndarray of float64 with shape (n_rows,)
        NaN where not given.
    """

    case: IntArray
    rater: IntArray
    label: IntArray
    rank: IntArray
    repeat: IntArray
    confidence: FloatArray
    score: FloatArray

    @property
    def order(self) -> IntArray:
        """Rows by case, rater, repeat, rank and label."""
        return sort_order(self.case, self.rater, self.repeat, self.rank, self.label)

    def take(self, index: IntArray) -> Rows:
        """Return the rows at the given positions."""
        return Rows(**{name: getattr(self, name)[index] for name in self.__dataclass_fields__})

    def opens(self) -> NDArray[np.bool_]:
        """Whether each row, of sorted rows, is the first one of its reading."""
        return changes(self.case, self.rater, self.repeat)


def row_table(case: IntArray, rater: IntArray, label: IntArray, **given: np.ndarray) -> Rows:
    """Rows with the default for every column that is not given: rank 1, repeat 1, no confidence, no score."""
    n = len(case)
    columns: dict[str, np.ndarray] = {
        "rank": np.ones(n, np.int64),
        "repeat": np.ones(n, np.int64),
        "confidence": np.full(n, np.nan),
        "score": np.full(n, np.nan),
    }
    return Rows(case, rater, label, **(columns | given))


def build_readings(rows: Rows, n_cases: int) -> Readings:
    """Sort rows into readings: by case, then rater and repeat, within a reading by block and label.

    Parameters
    ----------
    rows : Rows
        Checked: within a reading all confidences that are given agree, and no label comes twice.
    n_cases : int
        Number of cases, those without a row included.

    Returns
    -------
    Readings
        Ranks become blocks 0, 1, 2 … without gaps; a reading has the confidence that any of its rows gives.
    """
    rows = rows.take(rows.order)
    first = np.flatnonzero(rows.opens())
    reading = np.cumsum(rows.opens()) - 1
    per_case = np.bincount(rows.case[first], minlength=n_cases)
    has_label = rows.label >= 0
    entries = np.bincount(reading[has_label], minlength=len(first))
    block = np.cumsum(changes(reading, rows.rank)) - 1
    confidence = np.fmax.reduceat(rows.confidence, first) if len(first) else rows.confidence
    return Readings(
        case_start=_starts(per_case),
        rater=rows.rater[first].astype(np.int32),
        repeat=rows.repeat[first].astype(np.int32),
        confidence=confidence.astype(np.float64),
        score=rows.score[first].astype(np.float64),
        entry_start=_starts(entries),
        label=rows.label[has_label].astype(np.int32),
        block=(block - block[first][reading])[has_label].astype(np.int32)
        if len(first)
        else block.astype(np.int32),
    )


def sort_order(*keys: IntArray) -> IntArray:
    """Stable order by the first key, then the next: one sort of a combined key where it fits in 63 bits."""
    combined = np.zeros(len(keys[0]), np.int64)
    size = 1
    for key in keys:
        lowest, highest = (int(key.min()), int(key.max())) if len(key) else (0, 0)
        size *= highest - lowest + 1
        if size >= 2**62:
            return np.lexsort(keys[::-1])
        combined = combined * (highest - lowest + 1) + (key - lowest)
    if len(combined) and (np.diff(combined) >= 0).all():
        return np.arange(len(combined))
    return np.argsort(combined, kind="stable")


def changes(*keys: IntArray) -> NDArray[np.bool_]:
    """Whether any of the keys differs from the row before; true for the first row."""
    n = len(keys[0])
    changed = np.ones(n, bool)
    if n > 1:
        changed[1:] = False
        for key in keys:
            changed[1:] |= key[1:] != key[:-1]
    return changed


def _starts(lengths: IntArray) -> IntArray:
    """Row starts of a compressed-row layout with rows of the given lengths."""
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
