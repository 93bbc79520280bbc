"""A study of some of its cases: those that fulfil a condition."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.study.condition import fulfilled
from core.study.fingerprint import fingerprint_of
from core.study.model import IntArray, Predictions, Study, Task


def narrowed(study: Study, condition: str) -> Study:
    """Keep the cases that fulfil a condition, with all that was observed of them.

    Parameters
    ----------
    study : Study
        What was observed.
    condition : str
        As `core.study.condition.fulfilled` takes it; empty for all cases.

    Returns
    -------
    Study
        As if the others had never been: what a model of readings learns, it learns from these cases alone.
        It has a fingerprint of its own, and `Study.condition` says what it is.

    Raises
    ------
    ValueError
        For a condition that cannot be read, or that no case fulfils.
    """
    if not condition.strip():
        return study
    kept = np.flatnonzero(fulfilled(condition, study.cases))
    if len(kept) == 0:
        raise ValueError(f"no case of {study.n_cases:,} fulfils {condition!r}")
    ids = tuple(study.case_ids[i] for i in kept)
    tasks = {name: _task(task, kept) for name, task in study.tasks.items()}
    cases = study.cases.iloc[kept]
    features, references = (
        None if of is None else of.iloc[kept] for of in (study.features, study.references)
    )
    part = replace(
        study,
        case_ids=ids,
        tasks=tasks,
        cases=cases,
        features=features,
        references=references,
        condition=condition.strip(),
        whole=study.whole or study,
    )
    return replace(part, fingerprint=fingerprint_of(part))


def _task(task: Task, kept: IntArray) -> Task:
    """The task of some cases."""
    return replace(
        task,
        readings=task.readings.take_cases(kept),
        predictions={model: _predictions(of, kept) for model, of in task.predictions.items()},
        reader_predictions={
            model: {reader: _predictions(of, kept) for reader, of in readers.items()}
            for model, readers in task.reader_predictions.items()
        },
        pooled=None,
    )


def _predictions(of: Predictions, kept: IntArray) -> Predictions:
    """Predictions of some cases."""
    ensemble = None if of.ensemble is None else of.ensemble[:, kept]
    score = None if of.score is None else of.score[kept]
    return Predictions(of.model, of.probability[kept], ensemble, score)
