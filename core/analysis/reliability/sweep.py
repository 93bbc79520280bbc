"""Certainty and adjusted metrics: at one reliability, and against reliability."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from core.analysis.portions import aggregate_portion, portions
from core.analysis.reliability.measures import Measures
from core.plausibility.settings import RELIABILITIES, Aggregation
from core.progress import Progress
from core.study.model import Study, Task


def metrics_at(study: Study, task: Task, aggregation: Aggregation, *, max_k: int = 3) -> pd.DataFrame:
    """Measure certainty and every model at one reliability.

    Parameters
    ----------
    study, task : Study, Task
        The task, and the study that it belongs to.
    aggregation : Aggregation
        Model and reliability, with their options.
    max_k : int
        Largest k of the top-k metrics; no more than there are labels.

    Returns
    -------
    DataFrame
        One row a subject and metric: ``reliability``; ``subject`` ("annotations", the name of a model that
        gives probabilities, or "held-out reader"); ``metric``; ``value`` and ``standard_error`` over cases;
        ``low`` and ``high``, the 2.5 % and 97.5 % quantiles over plausibility draws (NaN for certainty, which
        is itself a statement about all draws; those of a normal distribution where there are more than
        `core.analysis.portions.MOST_CASES_FULLY_DRAWN` cases with exact plausibilities); ``n_cases`` that
        entered. The held-out reader of a choice has top-1 accuracy alone
        (`core.analysis.reliability.held_out_reader.reader_left_out`). Of a posterior that is sampled, the
        annotations have `WORST_RHAT`, `SMALLEST_ESS` and `NOT_MIXED` of `core.analysis.reliability.measures`
        too (`core.plausibility.convergence`), without an error.
    """
    measures = Measures(study, task, aggregation, max_k=max_k)
    for cases in portions(task, aggregation):
        measures.add(cases, aggregate_portion(study, task, aggregation, cases))
    return measures.table()


def sweep(
    study: Study,
    task: Task,
    aggregation: Aggregation,
    *,
    reliabilities: Sequence[float] = RELIABILITIES,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Measure certainty and every model against reliability (Stutz 2025, fig. 6).

    Parameters
    ----------
    study, task : Study, Task
        The task, and the study that it belongs to.
    aggregation : Aggregation
        Model and reliability; its own reliability does not matter.
    reliabilities : sequence of float
        In any order; ∞ gives the point estimates (the crosses of the figure).
    progress : callable, optional
        Called with the share done, in [0, 1], and what is being done.

    Returns
    -------
    DataFrame
        The rows of `metrics_at` for each reliability.
    """
    tables = []
    for step, reliability in enumerate(reliabilities):
        if progress is not None:
            progress(step / len(reliabilities), f"reliability {reliability:g}")
        tables.append(metrics_at(study, task, aggregation.at(reliability)))
    if progress is not None:
        progress(1.0, "done")
    return pd.concat(tables, ignore_index=True)
