"""Cases that the same raters read alike, counted together: patterns of readings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.study.model import IntArray, Readings, freeze

UNKNOWN = -1
"""The truth of cases whose truth is not known."""


@dataclass(frozen=True, eq=False)
class ReadingPatterns:
    """Patterns of choices. Two cases have the same one if the same raters gave them the same labels.

    Attributes
    ----------
    cell : ndarray of int64 with shape (n_cells,)
        ``rater · n_labels + label``, ascending: the labels that each rater ever gave.
    start : ndarray of int64 with shape (n_patterns + 1,)
        Readings of pattern ``i`` are ``start[i]:start[i + 1]``.
    reading : ndarray of int32 with shape (n,)
        Place of each reading among ``cell``, ascending within a pattern.
    known : ndarray of int64 with shape (n_patterns,)
        Truth of its cases where that is known, else `UNKNOWN`; patterns of different truths differ.
    n_cases : ndarray of int64 with shape (n_patterns,)
        Cases that have the pattern, 1 or more.
    """

    cell: IntArray
    start: IntArray
    reading: IntArray
    known: IntArray
    n_cases: IntArray

    def __post_init__(self) -> None:
        for name in self.__dataclass_fields__:
            freeze(getattr(self, name))

    @property
    def n_readings(self) -> int:
        """Readings of all cases."""
        return int((np.diff(self.start) * self.n_cases).sum())


def patterns_of(readings: Readings, n_labels: int, *, known: IntArray | None = None) -> ReadingPatterns:
    """Count the patterns of a task's readings.

    Parameters
    ----------
    readings : Readings
        Choices, of one label each. Cases without a reading are not counted.
    n_labels : int
        Number of labels of the task.
    known : ndarray of int with shape (n_cases,), optional
        Truth of cases where it is known, `UNKNOWN` elsewhere.

    Returns
    -------
    ReadingPatterns
        In an order that follows from the patterns alone: it is the same whichever way the cases stand.
    """
    return patterns_of_cases(readings, n_labels, known=known)[0]


def patterns_of_cases(
    readings: Readings, n_labels: int, *, known: IntArray | None = None
) -> tuple[ReadingPatterns, IntArray]:
    """As `patterns_of`, with the pattern of each case, with shape (n_cases,); −1 without a reading."""
    truth = np.full(readings.n_cases, UNKNOWN, np.int64) if known is None else np.asarray(known, np.int64)
    given = readings.rater.astype(np.int64) * n_labels + readings.label
    cell, reading = np.unique(given, return_inverse=True)
    read = readings.per_case > 0
    start = np.concatenate([[0], np.cumsum(readings.per_case[read])]).astype(np.int64)
    case = np.repeat(np.arange(len(start) - 1), np.diff(start))
    if ((np.diff(reading) < 0) & (np.diff(case) == 0)).any():  # A rater read a case again.
        reading = reading[np.lexsort((reading, case))]
    once = np.ones(len(start) - 1, np.int64)
    found, row = _distinct(cell, start, reading.astype(np.int32), truth[read], once)
    of_case = np.full(readings.n_cases, -1, np.int32)
    of_case[read] = row
    return found, of_case


def joined(parts: Sequence[ReadingPatterns], raters: Sequence[IntArray], n_labels: int) -> ReadingPatterns:
    """Patterns of several sets of cases together.

    Parameters
    ----------
    parts : sequence of ReadingPatterns
        Whose raters are numbered each in its own way, in the same order.
    raters : sequence of ndarray of int
        For each of them the common code of each of its raters, ascending.
    n_labels : int
        Number of labels of the task.

    Returns
    -------
    ReadingPatterns
        As `patterns_of` gives them for all cases at once, however they are divided.
    """
    return joined_rows(parts, raters, n_labels)[0]


def joined_rows(
    parts: Sequence[ReadingPatterns], raters: Sequence[IntArray], n_labels: int
) -> tuple[ReadingPatterns, IntArray]:
    """As `joined`, with the place that each pattern of each part takes, one part after the other."""
    cells = [
        code[part.cell // n_labels] * n_labels + part.cell % n_labels
        for part, code in zip(parts, raters, strict=True)
    ]
    cell = np.unique(np.concatenate(cells))
    reading = np.concatenate(
        [
            np.searchsorted(cell, of).astype(np.int32)[part.reading]
            for part, of in zip(parts, cells, strict=True)
        ]
    )
    lengths = np.concatenate([np.diff(part.start) for part in parts])
    start = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    known = np.concatenate([part.known for part in parts])
    return _distinct(cell, start, reading, known, np.concatenate([part.n_cases for part in parts]))


def _distinct(
    cell: IntArray, start: IntArray, reading: IntArray, known: IntArray, n_cases: IntArray
) -> tuple[ReadingPatterns, IntArray]:
    """Put equal rows together: shorter ones first, then by truth, then reading by reading; say which."""
    length = np.diff(start)
    # The place of a row among all is that of the first row that begins alike, refined reading by reading.
    key = length * (int(known.max(initial=UNKNOWN)) + 2) + known + 1
    place, alike = _refined(np.zeros(len(length), np.int64), key)
    active, at = np.flatnonzero(alike > 1), 0
    while len(active := active[length[active] > at]):
        place[active], alike = _refined(place[active], reading[start[active] + at].astype(np.int64))
        active, at = active[alike > 1], at + 1
    _, first, row = np.unique(place, return_index=True, return_inverse=True)
    lengths = length[first]
    begin = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    taken = np.repeat(start[first] - begin[:-1], lengths) + np.arange(begin[-1])
    weight = np.zeros(len(first), np.int64)
    np.add.at(weight, row, n_cases)
    return ReadingPatterns(cell, begin, reading[taken], known[first], weight), row


def _refined(place: IntArray, key: IntArray) -> tuple[IntArray, IntArray]:
    """Places of rows by their place so far and a further key, 0 or more; and how many share each."""
    distinct, row, number = np.unique(
        place * (int(key.max(initial=0)) + 1) + key, return_inverse=True, return_counts=True
    )
    before = distinct // (int(key.max(initial=0)) + 1)
    smaller = np.cumsum(number) - number
    group = np.searchsorted(before, before)  # First of those that were at the same place.
    return (before + smaller - smaller[group])[row], number[row]
