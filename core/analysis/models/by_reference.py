"""How models do by the study's own reference, beside what plausible truths say of the same cases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from core.metrics.adjusted.metrics import RankedLabels
from core.metrics.adjusted.predicted_order import PredictedOrder
from core.metrics.estimate import mean_over_cases
from core.metrics.ratio import ratio_over_cases
from core.metrics.risk import expected_false_alarms, expected_high_risk_hits
from core.plausibility.candidates import Candidates
from core.plausibility.one_hot import OneHotPosterior
from core.plausibility.posterior import Posterior
from core.study.brief import brief
from core.study.model import FloatArray, IntArray, Task

READ = "_read"
"""How columns end of what plausible truths say."""


@dataclass(frozen=True, eq=False)
class ByReference:
    """How models do by the study's reference, and by plausible truths of the cases that have one.

    Attributes
    ----------
    table : DataFrame
        One row a model: ``names``, as of `core.analysis.models.supported.Supported`; ``n``, the cases that it
        predicted and that have a reference; ``right``, the accuracy by the reference, in [0, 1]; ``dangers``
        and ``missed``, the number of cases whose reference is a high-risk label, and of those of them in
        which it puts no such label first; ``false_alarms``, the share of its warnings whose reference is of
        no high risk, in [0, 1]. A tie of m first labels counts as each in 1 / m. The same over plausible
        truths, as means: ``right_read``, ``dangers_read``, ``missed_read`` and ``false_alarms_read``. NaN
        where a model warns of nothing, and of danger without risk levels. Empty where no compared case has a
        reference.
    n_cases : int
        Compared cases that have a reference that is a label of the task.
    of : int
        All compared cases.
    standards : mapping of str to int
        These cases by how their reference was established, as
        `core.study.reference_standard.counted_standards` gives it.
    """

    table: pd.DataFrame = field(default_factory=pd.DataFrame)
    n_cases: int = 0
    of: int = 0
    standards: Mapping[str, int] = field(default_factory=dict)

    __repr__ = brief


@dataclass(frozen=True, eq=False)
class Read:
    """What plausible truths say of a model, case by case, with shape (n_cases,).

    Attributes
    ----------
    names : str
        Of the model, and of those that predict the very same.
    answers : PredictedOrder
        What it puts first.
    hits : ndarray of float64
        Probability that it is right; NaN where it predicted nothing.
    caught, dangerous : ndarray of float64
        Probability of a high-risk truth where it warns, and of a high-risk truth; empty without risk levels.
    false, alarms : ndarray of float64
        Probability that it warns of danger where there is none, and how far it warns; empty as well.
    """

    names: str
    answers: PredictedOrder
    hits: FloatArray
    caught: FloatArray
    dangerous: FloatArray
    false: FloatArray
    alarms: FloatArray


def reference_truth(task: Task, codes: IntArray) -> Posterior:
    """Take references for the truth: one label each, without doubt.

    Parameters
    ----------
    task : Task
        Whose labels the codes are of.
    codes : ndarray of int64 with shape (n_cases,)
        Of `core.study.references.reference_codes`; −1 for a case without one, of which nothing is known.
    """
    known = codes >= 0
    start = np.concatenate([[0], np.cumsum(known)]).astype(np.int64)
    candidates = Candidates(start, codes[known].astype(np.int32), len(task.labels))
    return OneHotPosterior(candidates, np.ones(int(known.sum())))


def by_reference(task: Task, codes: IntArray, models: Sequence[Read]) -> ByReference:
    """Judge models by references, and by plausible truths on the same cases.

    Parameters
    ----------
    task : Task
        What was predicted.
    codes : ndarray of int64 with shape (n_cases,)
        The reference of each compared case, as `reference_truth` takes them.
    models : sequence of Read
        Of the same cases.

    Returns
    -------
    ByReference
    """
    n = int((codes >= 0).sum())
    if n == 0:
        return ByReference(of=len(codes))
    truth = reference_truth(task, codes)
    rows = [_row(task, truth, codes >= 0, of) for of in models]
    return ByReference(pd.DataFrame(rows), n, len(codes))


def _row(task: Task, truth: Posterior, known: NDArray[np.bool_], of: Read) -> dict[str, str | float]:
    """A row of `ByReference`."""
    hits = RankedLabels(truth, of.answers).top_k_accuracy(1)
    judged = known & ~np.isnan(of.hits)
    row: dict[str, str | float] = {
        "names": of.names,
        "n": int(judged.sum()),
        "right": mean_over_cases(hits[judged]).value,
        "right_read": mean_over_cases(of.hits[judged]).value,
    }
    if not task.has_risk:
        return row
    dangerous = expected_high_risk_hits(truth, of.answers, task.risk, 1)[1]
    false, alarms = expected_false_alarms(truth, of.answers, task.risk)
    by_both = (
        ("", (dangerous, alarms - false, false, alarms)),
        (READ, (of.dangerous, of.caught, of.false, of.alarms)),
    )
    for which, cases in by_both:
        high, caught, wrong, warned = (of_each[judged] for of_each in cases)
        row[f"dangers{which}"] = float(high.sum())
        row[f"missed{which}"] = float((high - caught).sum())
        row[f"false_alarms{which}"] = ratio_over_cases(wrong, warned).value
    return row
