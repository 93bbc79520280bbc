"""Readings written as nested lists."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.study.model import Readings

Differential = Sequence[Sequence[int]]


def differentials(
    cases: Sequence[Sequence[Differential]],
    *,
    rater: Sequence[int] | None = None,
    confidence: Sequence[float] | None = None,
) -> Readings:
    """Readings of cases, each a list of differentials, each a list of blocks, each a list of label codes."""
    flat = [reading for case in cases for reading in case]
    raters = [i for case in cases for i in range(len(case))] if rater is None else rater
    entries = [(label, b) for reading in flat for b, block in enumerate(reading) for label in block]
    return Readings(
        case_start=np.cumsum([0, *(len(case) for case in cases)]).astype(np.int64),
        rater=np.array(raters, np.int32),
        repeat=np.ones(len(flat), np.int32),
        confidence=np.full(len(flat), np.nan) if confidence is None else np.array(confidence, np.float64),
        score=np.full(len(flat), np.nan),
        entry_start=np.cumsum([0, *(sum(map(len, reading)) for reading in flat)]).astype(np.int64),
        label=np.array([label for label, _ in entries], np.int32),
        block=np.array([block for _, block in entries], np.int32),
    )


def scores(cases: Sequence[Sequence[float]]) -> Readings:
    """Readings of a score task, a list of scores a case."""
    flat = [score for case in cases for score in case]
    return Readings(
        case_start=np.cumsum([0, *(len(case) for case in cases)]).astype(np.int64),
        rater=np.array([i for case in cases for i in range(len(case))], np.int32),
        repeat=np.ones(len(flat), np.int32),
        confidence=np.full(len(flat), np.nan),
        score=np.array(flat, np.float64),
        entry_start=np.zeros(len(flat) + 1, np.int64),
        label=np.empty(0, np.int32),
        block=np.empty(0, np.int32),
    )
