"""The worklist: one row a case, with what a clinician sorts and filters by."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd

from core.analysis.tie_words import first_in_words
from core.metrics.adjusted import RankedLabels
from core.metrics.agreement import leave_one_out_agreement
from core.metrics.certainty import leading_risk, risk_levels, top_certainty
from core.metrics.predicted_order import order_of_probabilities
from core.metrics.risk import expected_risk
from core.plausibility.posterior import Posterior
from core.study.model import RISK_NAMES, FloatArray, IntArray, Readings, Study, Task

PLAUSIBLE = 0.05
"""Probability from which on a label's leading is worth a thought."""
METADATA = "metadata: "
"""What the names of metadata columns begin with."""
_NOT_METADATA = ("image",)


def worklist(study: Study, task: Task, posterior: Posterior) -> pd.DataFrame:
    """Describe every case by its readings, its certainty, its risk and the models' answers.

    Parameters
    ----------
    study : Study
        For the case ids and metadata.
    task : Task
        For the labels, risks and predictions.
    posterior : Posterior
        Of all cases of the task.

    Returns
    -------
    DataFrame with n_cases rows, indexed by ``case_id``
        ``readings`` and ``labels`` (numbers of readings and of labels named); ``certainty`` (top-1, in
        [0, 1], NaN without readings); ``leading``, ``runner_up`` (labels, empty where there is none) and
        ``runner_up_probability`` (probability that it leads); ``disagreement`` (1 − leave-one-out agreement,
        NaN with fewer than two readings; a score counts as the side of the threshold that it is on).
        With risk levels, ``risk`` (of the leading label: low, medium, high), ``high_risk`` (probability that
        the leading label is a high-risk one), ``risk_certainty``, ``expected_risk`` (from 0, low, to 2,
        high), ``risk_at_stake`` (expected distance, in risk levels, from the leading label's level to the
        truth's; unknown levels count as no distance, NaN where the leading one is unknown) and
        ``risk_could_change`` (whether a label of another risk leads with a probability of `PLAUSIBLE` or
        more). For each model, ``MODEL: answer`` (of tied labels all, as `core.analysis.tie_words` names
        them), ``MODEL: right`` (probability that its first label is the truth, ties split), ``MODEL: right in
        3`` and ``MODEL: error`` (1 − right); with any such model, ``model_error``, the largest error. A model
        that gives scores has ``MODEL: score`` in their place. The study's
        metadata, reference included, as ``metadata: COLUMN``.
    """
    leading, runner_up = _leading_two(posterior)
    first_two = np.stack([leading, runner_up], axis=1)
    probability = posterior.top1.at(posterior.candidates.locate(first_two))
    columns: dict[str, np.ndarray] = {
        "readings": task.readings.per_case,
        "labels": posterior.candidates.per_case,
        "certainty": top_certainty(posterior),
        "leading": _names(task, leading),
        "runner_up": _names(task, runner_up),
        "runner_up_probability": np.where(runner_up >= 0, probability[:, 1], 0.0),
        "disagreement": 1 - leave_one_out_agreement(_as_choices(task)),
    }
    if task.has_risk:
        columns |= _risk_columns(task, posterior, leading)
    columns |= _model_columns(task, posterior)
    for name in study.cases.columns:
        if name not in _NOT_METADATA:
            columns[f"{METADATA}{name}"] = study.cases[name].array
    return pd.DataFrame(columns, index=pd.Index(study.case_ids, name="case_id"))


def _as_choices(task: Task) -> Readings:
    """Readings of the task; of a score task, choices of a side of the threshold."""
    readings = task.readings
    if task.kind != "score" or task.threshold is None:
        return readings
    n = readings.n_readings
    return replace(
        readings,
        entry_start=np.arange(n + 1, dtype=np.int64),
        label=(readings.score >= task.threshold).astype(np.int32),
        block=np.zeros(n, np.int32),
    )


def _leading_two(posterior: Posterior) -> tuple[IntArray, IntArray]:
    """Label codes of the two candidates that lead most often, each with shape (n_cases,), −1 if none."""
    candidates = posterior.candidates
    order = np.lexsort((candidates.label, -posterior.top1.candidate, candidates.case))
    ranked = candidates.label[order]
    padded = np.append(ranked, [-1, -1])
    start, count = candidates.start[:-1], candidates.per_case
    return np.where(count > 0, padded[start], -1), np.where(count > 1, padded[start + 1], -1)


def _risk_columns(task: Task, posterior: Posterior, leading: IntArray) -> dict[str, np.ndarray]:
    """Columns that need risk levels."""
    level_names = np.array([*RISK_NAMES, "unknown"])
    by_level = leading_risk(posterior, task.risk)
    level = risk_levels(task.risk)[leading]
    has_leader = leading >= 0
    other = np.where(has_leader, 1 - by_level[np.arange(len(level)), level], 0.0)
    return {
        "risk": np.where(has_leader, level_names[level], "").astype(object),
        "high_risk": by_level[:, RISK_NAMES.index("high")],
        "risk_certainty": by_level.max(axis=1),
        "expected_risk": expected_risk(posterior, task.risk),
        "risk_at_stake": np.where(has_leader, _at_stake(by_level, level), np.nan),
        "risk_could_change": other >= PLAUSIBLE,
    }


def _at_stake(by_level: FloatArray, level: IntArray) -> FloatArray:
    """Expected distance of the true level, with shape (n_cases,); NaN where the case's is unknown."""
    known = by_level[:, : len(RISK_NAMES)]
    distance = np.abs(np.arange(len(RISK_NAMES)) - level[:, None])
    return np.where(level < len(RISK_NAMES), (known * distance).sum(axis=1), np.nan)


def _model_columns(task: Task, posterior: Posterior) -> dict[str, np.ndarray]:
    """Columns of the models' answers, and the largest error of any."""
    columns: dict[str, np.ndarray] = {}
    errors: list[FloatArray] = []
    for name, predictions in task.predictions.items():
        if predictions.score is not None:
            columns[f"{name}: score"] = predictions.score
            continue
        predicted = order_of_probabilities(predictions.probability, min(3, len(task.labels)))
        scored = RankedLabels(posterior, predicted)
        right = scored.top_k_accuracy(1)
        columns[f"{name}: answer"] = first_in_words(predicted, task.labels)
        columns[f"{name}: right"] = right
        columns[f"{name}: right in 3"] = scored.top_k_accuracy(3)
        columns[f"{name}: error"] = 1 - right
        errors.append(1 - right)
    if errors:
        columns["model_error"] = np.fmax.reduce(errors)
    return columns


def _names(task: Task, codes: IntArray) -> np.ndarray:
    """Label names of the codes; empty for −1."""
    return np.array([*task.labels, ""], dtype=object)[codes]
