"""A study of whose labels others count as high risk than its files say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.settings import nearest
from core.study.model import HIGH_RISK, MEDIUM_RISK, Study, Task


def counting_as_high_risk(study: Study, labels: Sequence[str]) -> Study:
    """Let these labels count as high risk, and no others.

    Parameters
    ----------
    study : Study
        What was observed.
    labels : sequence of str
        In any order; empty for those that the study's files say. What was chosen before counts no more.

    Returns
    -------
    Study
        The same observations, and the same fingerprint; `Study.high_risk_labels` says what was chosen. Labels
        that the files say are of high risk and that are not among these count as medium. A task that has
        none of them is left as it is.

    Raises
    ------
    ValueError
        For a label that no task has.
    """
    chosen = tuple(dict.fromkeys(labels))
    known = list(dict.fromkeys(label for task in study.tasks.values() for label in task.labels))
    for label in chosen:
        if label not in known:
            near = nearest(label, known)
            hint = f"; did you mean {near!r}?" if near else f"; there are {', '.join(map(repr, known[:5]))}"
            raise ValueError(f"no label {label!r} in study {study.name!r}{hint}")
    tasks = {name: _counting(task, chosen) for name, task in study.tasks.items()}
    if all(tasks[name] is task for name, task in study.tasks.items()):
        return study
    counts = any(task.published_risk is not None for task in tasks.values())
    in_order = tuple(label for label in known if label in chosen and counts)
    return replace(study, tasks=tasks, high_risk_labels=in_order)


def high_risk_labels(task: Task, *, published: bool = False) -> tuple[str, ...]:
    """Labels of a task that count as high risk, in its order; or those that its files say."""
    risk = task.risk if task.published_risk is None or not published else task.published_risk
    return tuple(label for label, of in zip(task.labels, risk, strict=True) if of == HIGH_RISK)


def _counting(task: Task, chosen: tuple[str, ...]) -> Task:
    """The task with these dangers; as its files say where it has none of them, or they are its own."""
    published = task.risk if task.published_risk is None else task.published_risk
    is_chosen = np.isin(task.labels, chosen)
    if not is_chosen.any() or np.array_equal(is_chosen, published == HIGH_RISK):
        return task if task.published_risk is None else replace(task, risk=published, published_risk=None)
    risk = np.where(is_chosen, HIGH_RISK, np.where(published == HIGH_RISK, MEDIUM_RISK, published))
    return replace(task, risk=risk.astype(published.dtype), published_risk=published)
