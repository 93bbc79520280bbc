"""The reference label of every case of a task, where the study has one."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from core.study.model import IntArray, Study, Task
from core.study.reading.case_table import REFERENCE


def reference_codes(study: Study, task: Task) -> IntArray:
    """Code of every case's reference label in one task.

    Parameters
    ----------
    study : Study
        Has a reference in its case table, for all tasks, or one for each task (`Study.references`). Where the
        case table has one, it goes first: there stand the outcomes of a review.
    task : Task
        One of the study's. A number, for a score task, counts as its side of the threshold.

    Returns
    -------
    ndarray of int64 with shape (n_cases,)
        −1 where there is none that is a label of the task.
    """
    found: IntArray = np.full(study.n_cases, -1, np.int64)
    if study.references is not None and task.name in study.references:
        found = _codes(task, study.references[task.name])
    if REFERENCE not in study.cases:
        return found
    of_all = _codes(task, study.cases[REFERENCE])
    return np.where(of_all >= 0, of_all, found)


def _codes(task: Task, given: Iterable[object]) -> IntArray:
    """Codes of texts."""
    known = {label: code for code, label in enumerate(task.labels)}
    texts = ["" if one is None or one != one else str(one) for one in given]
    if task.kind == "score" and task.threshold is not None:
        return np.array([known.get(text, _side(text, task.threshold)) for text in texts], np.int64)
    return np.array([known.get(text, -1) for text in texts], np.int64)


def _side(text: str, threshold: float) -> int:
    """Side of the threshold that a number is on; −1 for what is no finite number."""
    try:
        number = float(text)
    except ValueError:
        return -1
    return int(number >= threshold) if np.isfinite(number) else -1
