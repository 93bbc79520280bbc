"""How models do by the study's own reference, beside what plausible truths say of the same cases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from core.analysis.models.danger_by_label import Missed
from core.analysis.models.judged_model import JudgedModel, label_by_label, often_first, where_risk_is_high
from core.metrics.adjusted.predicted_order import PredictedOrder
from core.metrics.bootstrap import seeded_case_weights
from core.metrics.estimate import mean_over_cases
from core.metrics.rank_correlation import TIE_DECIMALS
from core.metrics.ratio import ratio_over_cases
from core.plausibility.candidates import Candidates
from core.plausibility.one_hot import OneHotPosterior
from core.plausibility.posterior import Posterior
from core.study.brief import brief
from core.study.model import FloatArray, IntArray, Study, Task
from core.study.reference_standard import counted_standards, outweighs_readings
from core.study.references import reference_codes
from core.study.seeds import case_seeds

READ = "_read"
"""How columns end of what plausible truths say."""


NEARLY_ALL = 0.9
"""Share of the compared cases from which on those with a reference can stand for all.

Where fewer have one it is often the suspicious ones that were examined further: models do otherwise there.
"""
N_SAMPLES = 1000
"""Samples of cases, drawn with replacement, that say how surely one model is more accurate than another."""
_CELLS_AT_ONCE = 2**22


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
    judged : DataFrame
        The models judged by the reference instead of plausible truths, the one that is right most often
        first, with columns of
        `core.analysis.models.supported.Supported`: ``names``; ``value``, ``low`` and ``high``, all three the
        accuracy by the reference; ``hard``, by the label with most votes of the same cases; ``best``, the
        share of samples of the cases in which no other is more accurate; and those on danger. Empty unless
        the reference ``decides``.
    by_label, missed
        As of `core.analysis.models.supported.Supported`, by the reference; empty unless it ``decides``.
    """

    table: pd.DataFrame = field(default_factory=pd.DataFrame)
    n_cases: int = 0
    of: int = 0
    standards: Mapping[str, int] = field(default_factory=dict)
    judged: pd.DataFrame = field(default_factory=pd.DataFrame)
    by_label: pd.DataFrame = field(default_factory=pd.DataFrame)
    missed: Missed = field(default_factory=Missed)

    __repr__ = brief

    @property
    def decides(self) -> bool:
        """Whether models are to be judged by it and not by readings."""
        return does_decide(self.n_cases, self.of, self.standards)


def does_decide(n_cases: int, of: int, standards: Mapping[str, int]) -> bool:
    """Whether references outweigh the readings, each of them, and `NEARLY_ALL` cases have one.

    Parameters
    ----------
    n_cases, of, standards
        As of `ByReference`.
    """
    are_firm = bool(standards) and all(map(outweighs_readings, standards))
    return are_firm and 0 < n_cases >= NEARLY_ALL * of


@dataclass(frozen=True, eq=False)
class Read:
    """What plausible truths and the majority label say of a model.

    Attributes
    ----------
    names : str
        Of the model, and of those that predict the very same.
    answers : PredictedOrder
        What it puts first.
    hard : ndarray of float64 with shape (n_cases,)
        Whether it is right by the label with most votes, case by case; NaN where it predicted nothing.
    judged : JudgedModel
        What plausible truths say of it, of the same cases.
    listed : PredictedOrder
        Its first `core.analysis.models.danger_by_label.LISTED` choices.
    """

    names: str
    answers: PredictedOrder
    hard: FloatArray
    judged: JudgedModel
    listed: PredictedOrder


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


def by_reference(study: Study, task: Task, cases: IntArray, models: Sequence[Read]) -> ByReference:
    """Judge models by references, and by plausible truths on the same cases.

    Parameters
    ----------
    study, task : Study, Task
        What was predicted, and the study that it belongs to.
    cases : ndarray of int64 with shape (n_cases,)
        Places of the compared cases in the study.
    models : sequence of Read
        Of these cases.

    Returns
    -------
    ByReference
    """
    every = reference_codes(study, task)
    codes = every[cases]
    n = int((codes >= 0).sum())
    if n == 0:
        return ByReference(of=len(codes))
    judged = {of.names: JudgedModel() for of in models}
    known = np.flatnonzero(codes >= 0)
    truth = reference_truth(task, codes[known])
    for of in models:
        judged[of.names].add(truth, of.answers.taken(known), task, of.listed.taken(known))
    table = pd.DataFrame([_row(task, known, judged[of.names], of) for of in models])
    standards = counted_standards(study, every, cases.tolist())
    if not does_decide(n, len(codes), standards):
        return ByReference(table, n, len(codes), standards)
    rows = _judged(study.seed, judged, {of.names: of.hard[known] for of in models})
    by_label, missed = label_by_label(task, {name: judged[name] for name in rows["names"]})
    return ByReference(table, n, len(codes), standards, rows, by_label, missed)


def _row(task: Task, known: IntArray, by: JudgedModel, of: Read) -> dict[str, str | float]:
    """A row of `ByReference.table`."""
    hits, read = np.concatenate(by.hits), np.concatenate(of.judged.hits)[known]
    judged = ~np.isnan(hits) & ~np.isnan(read)
    row: dict[str, str | float] = {
        "names": of.names,
        "n": int(judged.sum()),
        "right": mean_over_cases(hits[judged]).value,
        "right_read": mean_over_cases(read[judged]).value,
    }
    if not task.has_risk:
        return row
    for which, one, places in (("", by, judged), (READ, of.judged, known[judged])):
        (caught, high), (wrong, warned) = (
            [of_each[places] for of_each in both] for both in (one.caught_in(), one.false_in())
        )
        row[f"dangers{which}"] = float(high.sum())
        row[f"missed{which}"] = float((high - caught).sum())
        row[f"false_alarms{which}"] = ratio_over_cases(wrong, warned).value
    return row


def _judged(seed: int, judged: Mapping[str, JudgedModel], hard: Mapping[str, FloatArray]) -> pd.DataFrame:
    """Rows of `ByReference.judged`."""
    hits = np.array([np.concatenate(of.hits) for of in judged.values()])
    right = np.array([mean_over_cases(of).value for of in hits])
    table = pd.DataFrame(
        {
            "names": [*judged],
            "value": right,
            "low": right,
            "high": right,
            "best": often_first(_over_samples(seed, hits)),
            "hard": [mean_over_cases(of).value for of in hard.values()],
            **where_risk_is_high([*judged.values()]),
        }
    )
    return table.iloc[np.argsort(-right.round(TIE_DECIMALS), kind="stable")].reset_index(drop=True)


def _over_samples(seed: int, hits: FloatArray) -> FloatArray:
    """Accuracy of each model in samples of the cases, drawn with replacement: (n_models, `N_SAMPLES`).

    All models are judged on the same samples.
    """
    is_judged, n_cases = ~np.isnan(hits), hits.shape[1]
    counted, step = np.where(is_judged, hits, 0.0), max(_CELLS_AT_ONCE // n_cases, 1)
    seeds = case_seeds(seed, [str(d) for d in range(N_SAMPLES)], "cases with a reference")
    found = []
    for begin in range(0, N_SAMPLES, step):
        weights = seeded_case_weights(n_cases, seeds[begin : begin + step])
        found.append((counted @ weights.T) / np.maximum(is_judged @ weights.T, 1.0))
    return np.concatenate(found, axis=1)
