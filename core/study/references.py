"""The reference label of every case of a task, where the study has one."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from core.study.model import IntArray, Study, Task
from core.study.reading.case_table import REFERENCE
from core.study.reading.checks import is_plain_number

MOST = 0.5
"""Share of the cases from which on those with a reference stand for all."""


def reference_codes(study: Study, task: Task) -> IntArray:
    """Code of every case's reference label in one task.

    Parameters
    ----------
    study : Study
        Has a reference in its case table, for all tasks, or one for each task (`Study.references`), which is
        then the only one.
    task : Task
        One of the study's. A number, for a score task, counts as its side of the threshold.

    Returns
    -------
    ndarray of int64 with shape (n_cases,)
        −1 where there is none that is a label of the task.
    """
    given = study.cases.get(REFERENCE) if study.references is None else study.references.get(task.name)
    return np.full(study.n_cases, -1, np.int64) if given is None else _codes(task, given)


def has_references(study: Study, task: Task) -> bool:
    """Whether a study has a place for the references of a task; single cases may have none."""
    return REFERENCE in study.cases if study.references is None else task.name in study.references


def are_for_most(study: Study, task: Task) -> bool:
    """Whether `MOST` of a study's cases or more have a reference that is a label of the task."""
    return bool((reference_codes(study, task) >= 0).mean() >= MOST)


def references_by_task(study: Study) -> dict[str, list[str]]:
    """References of the cases by task, as texts, empty where there is none.

    What stands in the case table is the reference of every task that has such a label, or asks for a number.
    """
    if study.references is not None:
        of_task = {str(name): study.references[name].tolist() for name in study.references}
        return {name: of_task.get(name, [""] * study.n_cases) for name in study.tasks}
    given = study.cases[REFERENCE].tolist() if REFERENCE in study.cases else [""] * study.n_cases
    return {
        task.name: [text if _suits(task, text) else "" for text in given] for task in study.tasks.values()
    }


def _suits(task: Task, text: object) -> bool:
    """Whether a text can be the reference of a case of a task."""
    return text in task.labels or (task.kind == "score" and is_plain_number(str(text)))


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
