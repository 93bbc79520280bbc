"""The worklist: one row a case, with what a clinician sorts and filters by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from core.analysis.cases.high_risk import high_risk_leads, high_risk_plausible
from core.analysis.cases.leading import SAME, leading_slots, point_portion
from core.analysis.cases.missed import MISSED, MISSES, misses_danger, missing_in_words
from core.analysis.cases.reference_risk import reference_risk, settled_by_reference
from core.analysis.portions import aggregate_portion, part_of, portions
from core.analysis.tied_labels import first_in_words, labels_in_words, listed_in_words, place_listed
from core.metrics.adjusted.metrics import RankedLabels
from core.metrics.adjusted.predicted_order import order_of_probabilities
from core.metrics.certainty import leading_risk, risk_levels, top_certainty
from core.metrics.risk import HIGH, expected_risk
from core.plausibility.candidates import Candidates, no_readings
from core.plausibility.posterior import Posterior
from core.plausibility.reading_agreement import leave_one_out_agreement, share_a_first_label
from core.plausibility.settings import Aggregation
from core.study.model import RISK_NAMES, UNKNOWN_RISK, FloatArray, IntArray, Readings, Study, Task

PLAUSIBLE = 0.05
"""Probability from which on a label's leading is worth a thought."""
WRONG = 0.5
"""Probability of being wrong from which on a model is said to differ."""
METADATA = "metadata: "
"""What the names of metadata columns begin with."""
LEADS = "leads: "
"""What the names of columns begin with that say how often a label leads (`with_labels`)."""
AGREE = "readers_agree"
"""Column of the worklist: whether all readings put the same label first, alone or tied."""
_NOT_METADATA = ("image",)


def models_with(cases: pd.DataFrame, column: str) -> list[str]:
    """Names of the models of which a worklist has a ``column``, such as “{}: error”; its metadata aside."""
    ends = column.format("")
    return [
        str(name).removesuffix(ends)
        for name in cases
        if str(name).endswith(ends) and not str(name).startswith(METADATA)
    ]


def worklist_of(study: Study, task: Task, aggregation: Aggregation) -> pd.DataFrame:
    """Aggregate and describe every case, one portion of the study after the other: see `worklist`."""
    tables = []
    for cases in portions(task, aggregation):
        posterior = aggregate_portion(study, task, aggregation, cases)
        point = point_portion(study, task, aggregation, cases)
        tables.append(worklist(*part_of(study, task, cases), posterior, point))
    return tables[0] if len(tables) == 1 else pd.concat(tables)


def worklist(study: Study, task: Task, posterior: Posterior, point: Posterior | None = None) -> pd.DataFrame:
    """Describe every case by its readings, its certainty, its risk and the models' answers.

    Parameters
    ----------
    study : Study
        For the case ids and metadata.
    task : Task
        For the labels, risks and predictions.
    posterior : Posterior
        Of all cases of the task.
    point : Posterior, optional
        Its point estimate, as `core.analysis.cases.leading.point_portion` gives it.

    Returns
    -------
    DataFrame with n_cases rows, indexed by ``case_id``
        ``readings`` and ``labels`` (numbers of readings and of labels named); ``certainty`` (top-1, in
        [0, 1], NaN without readings); ``leading``, ``runner_up`` (labels; all that lead, as
        `core.analysis.cases.leading.leading_slots` finds them, the highest risk first, and of those that
        follow all equal ones, named by `core.analysis.tied_labels`; empty where none ever leads) and
        ``runner_up_probability`` (probability that it leads); ``plausible`` (labels that lead with a
        probability of `PLAUSIBLE` or more, the most probable first, equals by the alphabet, named by
        `core.analysis.tied_labels.listed_in_words`) and ``plausible_probability`` (that of each, in the same
        order and joined alike); ``disagreement`` (1 − leave-one-out agreement, NaN with
        fewer than two readings; a score counts as the side of the threshold that it is on);
        ``readers_agree`` (whether there are two readings or more, and all put the same label first, alone or
        tied).
        With risk levels, ``risk`` (of the leading label: low, medium, high; the highest of a tie),
        ``high_risk`` (probability that the leading label is a high-risk one), ``high_risk_leads`` (whether
        high-risk labels lead together, by `core.analysis.cases.high_risk`), ``high_risk_tied`` (whether a
        high-risk label leads and one that is not of high risk is tied with it), ``high_risk_named`` (whether
        a reading names a high-risk label, in whatever place), with references ``reference_risk`` (level
        of the case's own; empty where it has none), ``high_risk_label`` (the
        high-risk label that leads most often; empty where none ever leads), ``high_risk_label_probability``
        (that it leads), ``risk_certainty``, ``expected_risk`` (from 0, low, to 2, high), ``risk_at_stake``
        (expected distance, in risk levels,
        from the leading label's level to the truth's; unknown levels count as no distance, NaN where the
        leading one is unknown) and ``risk_could_change`` (whether a label of another risk leads with a
        probability of `PLAUSIBLE` or
        more). Where the study says how its references were established, ``settled_by_reference`` (whether
        more than readers established this one). For each model, ``MODEL: answer`` (of tied labels all, as
        `core.analysis.tied_labels` names them), ``MODEL: right`` (probability that its first label is the
        truth, ties split), ``MODEL: right in 3`` and ``MODEL: error`` (1 − right); with any such model,
        ``model_error``, the largest error. A model that gives scores has ``MODEL: score`` in their place.
        With ``model_error`` goes ``models_wrong``, the models whose error is `WRONG` or more, the largest
        first, each with its answer. With risk levels too, ``MODEL: misses danger`` (whether high risk is
        plausible and it puts no high-risk label first, as `core.analysis.cases.missed`), and
        ``models_missing``, the models that do. The study's metadata, reference included, as ``metadata:
        COLUMN``.
    """
    choices = _as_choices(task)
    leads = leading_slots(posterior, point)
    follows, probability = _runners_up(posterior, leads)
    candidates = posterior.candidates
    first, second = (
        labels_in_words(candidates.n_cases, candidates.case[of], candidates.label[of], task.labels)
        for of in (_worst_first(candidates, leads, task.risk), follows)
    )
    plausible, chances = _plausible(posterior, task.labels)
    columns: dict[str, np.ndarray] = {
        "readings": task.readings.per_case,
        "labels": candidates.per_case,
        "certainty": top_certainty(posterior),
        "leading": first,
        "runner_up": second,
        "runner_up_probability": probability,
        "plausible": plausible,
        "plausible_probability": chances,
        "disagreement": 1 - leave_one_out_agreement(choices),
        AGREE: share_a_first_label(choices),
    }
    if task.has_risk:
        columns |= _risk_columns(task, posterior, leads) | reference_risk(study, task)
    columns |= settled_by_reference(study, task)
    columns |= _model_columns(task, posterior, _may_be_dangerous(columns) if task.has_risk else None)
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


def _worst_first(candidates: Candidates, slots: IntArray, risk: IntArray) -> IntArray:
    """Slots in the order of their cases, the highest risk first: room may cut off the others."""
    level = np.where(risk == UNKNOWN_RISK, -1, risk)[candidates.label[slots]]
    return slots[np.lexsort((slots, -level.astype(int), candidates.case[slots]))]


def _runners_up(posterior: Posterior, leads: IntArray) -> tuple[IntArray, FloatArray]:
    """Slots of the candidates that lead most often of all but those that lead, and how often each does.

    Equal ones are all there: the slots of several labels of a case are tied. The probability has the shape
    (n_cases,); 0 where none ever leads.
    """
    candidates, left = posterior.candidates, posterior.top1.candidate.copy()
    left[leads] = 0.0
    most = np.zeros(candidates.n_cases)
    np.fmax.at(most, candidates.case, left)
    return np.flatnonzero((left > 0) & (left >= most[candidates.case] - SAME)), most


def with_labels(cases: pd.DataFrame, labels: Sequence[str]) -> pd.DataFrame:
    """Say of every case how often some labels lead, in columns ``leads: LABEL``; NaN where not plausible.

    Parameters
    ----------
    cases : DataFrame
        As `worklist` gives it.
    labels : sequence of str
        Names of labels.

    Returns
    -------
    DataFrame with the same rows
    """
    if not labels:
        return cases
    return cases.assign(**{f"{LEADS}{label}": _chances(cases, label) for label in labels})


def _chances(cases: pd.DataFrame, label: str) -> list[float]:
    """How often a label leads each case."""
    chances = []
    for words, listed in zip(cases["plausible"], cases["plausible_probability"], strict=True):
        place, numbers = place_listed(words, label), str(listed).split("; ")
        chances.append(float(numbers[place]) if 0 <= place < len(numbers) else np.nan)
    return chances


def _plausible(posterior: Posterior, labels: tuple[str, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Name the labels that lead often enough to be worth a thought, unmentioned ones too; and how often."""
    candidates, top = posterior.candidates, posterior.top1
    slots = np.flatnonzero(top.candidate >= PLAUSIBLE)
    others = np.flatnonzero((top.other >= PLAUSIBLE) & ~no_readings(candidates))
    place = np.full(candidates.n_cases, -1)
    place[others] = np.arange(len(others))
    row = place[candidates.case]
    unmentioned = np.ones((len(others), len(labels)), bool)
    unmentioned[row[row >= 0], candidates.label[row >= 0]] = False
    of_other, other = np.nonzero(unmentioned)
    case = np.concatenate([candidates.case[slots], others[of_other]])
    label = np.concatenate([candidates.label[slots], other])
    leads = np.concatenate([top.candidate[slots], top.other[others][of_other]])
    # Equals, as far as computing can tell, in the alphabet's order, whatever the order of the labels.
    alphabet = np.argsort(np.argsort(np.array(labels, dtype=object), kind="stable"), kind="stable")
    order = np.lexsort((alphabet[label], -np.round(leads, 9), case))
    names = [labels[code] for code in label[order].tolist()]
    numbers = [f"{chance:.4f}" for chance in leads[order].tolist()]
    words, chances = (np.full(candidates.n_cases, "", dtype=object) for _ in range(2))
    end = 0
    for one, number in enumerate(np.bincount(case, minlength=candidates.n_cases).tolist()):
        words[one] = listed_in_words(names[end : end + number])
        chances[one] = listed_in_words(numbers[end : end + number])
        end += number
    return words, chances


def _risk_columns(task: Task, posterior: Posterior, leads: IntArray) -> dict[str, np.ndarray]:
    """Columns that need risk levels; ``leads`` are the slots of the labels that lead."""
    level_names = np.array([*RISK_NAMES, "unknown", ""], dtype=object)
    by_level = leading_risk(posterior, task.risk)
    n_cases, unknown = posterior.candidates.n_cases, len(RISK_NAMES)
    case = posterior.candidates.case[leads]
    of_leader = risk_levels(task.risk)[posterior.candidates.label[leads]]
    n_leaders = np.bincount(case, minlength=n_cases)
    n_dangerous = np.bincount(case[of_leader == HIGH], minlength=n_cases)
    has_leader = n_leaders > 0
    level = np.full(n_cases, -1)
    np.maximum.at(level, case, np.where(of_leader < unknown, of_leader, -1))
    level = np.where(has_leader, np.where(level < 0, unknown, level), unknown + 1)
    own = np.minimum(level, by_level.shape[1] - 1)
    other = np.where(has_leader, 1 - by_level[np.arange(n_cases), own], 0.0)
    likeliest, leads_in = _most_probable(posterior, task.risk == HIGH, task.labels)
    dangerous = risk_levels(task.risk)[posterior.candidates.label] == HIGH
    return {
        "risk": level_names[level],
        "high_risk": by_level[:, HIGH],
        "high_risk_leads": high_risk_leads(pd.Series(by_level[:, HIGH])),
        "high_risk_tied": (n_dangerous > 0) & (n_dangerous < n_leaders),
        "high_risk_named": np.bincount(posterior.candidates.case[dangerous], minlength=n_cases) > 0,
        "high_risk_label": likeliest,
        "high_risk_label_probability": leads_in,
        "risk_certainty": by_level.max(axis=1),
        "expected_risk": expected_risk(posterior, task.risk),
        "risk_at_stake": _at_stake(by_level, case, of_leader),
        "risk_could_change": other >= PLAUSIBLE,
    }


def _most_probable(
    posterior: Posterior, among: NDArray[np.bool_], labels: tuple[str, ...]
) -> tuple[np.ndarray, FloatArray]:
    """Name the label among some that leads each case most often, or all that are tied, with how often."""
    candidates = posterior.candidates
    leads = np.where(among[candidates.label], posterior.top1.candidate, 0.0)
    most = np.zeros(candidates.n_cases)
    np.fmax.at(most, candidates.case, leads)
    slots = np.flatnonzero((leads > 0) & (leads >= most[candidates.case] - SAME))
    words = labels_in_words(candidates.n_cases, candidates.case[slots], candidates.label[slots], labels)
    return words, most


def _at_stake(by_level: FloatArray, case: IntArray, of_leader: IntArray) -> FloatArray:
    """Expected distance of the true level from that of a leader, their mean; NaN where none is known."""
    has_level = of_leader < len(RISK_NAMES)
    case, level = case[has_level], of_leader[has_level]
    distance = np.abs(np.arange(len(RISK_NAMES)) - level[:, None])
    total = np.bincount(case, (by_level[case, : len(RISK_NAMES)] * distance).sum(axis=1), len(by_level))
    count = np.bincount(case, minlength=len(by_level))
    return np.divide(total, count, out=np.full(len(by_level), np.nan), where=count > 0)


def _may_be_dangerous(columns: dict[str, np.ndarray]) -> NDArray[np.bool_]:
    """Whether high risk is plausible, by the columns that `_risk_columns` gives."""
    probability, level, tied = (pd.Series(columns[name]) for name in ("high_risk", "risk", "high_risk_tied"))
    return high_risk_plausible(probability, level, tied, PLAUSIBLE)


def _model_columns(
    task: Task, posterior: Posterior, dangerous: NDArray[np.bool_] | None
) -> dict[str, np.ndarray]:
    """Columns of the models' answers, the largest error of any, and who misses the ``dangerous`` cases."""
    columns: dict[str, np.ndarray] = {}
    errors: dict[str, FloatArray] = {}
    missed: dict[str, NDArray[np.bool_]] = {}
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
        errors[name] = 1 - right
        if dangerous is not None:
            missed[name] = columns[MISSES.format(name)] = misses_danger(predicted, task.risk, dangerous)
    if errors:
        columns["model_error"] = np.fmax.reduce(list(errors.values()))
        columns["models_wrong"] = _models_wrong(errors, columns)
    if missed:
        columns[MISSED] = missing_in_words(missed, {name: columns[f"{name}: answer"] for name in missed})
    return columns


def _models_wrong(errors: dict[str, FloatArray], columns: dict[str, np.ndarray]) -> np.ndarray:
    """Name the models that are probably wrong, the surest error first, with their answers: “A: x; B: y”."""
    of_model = list(errors)
    error = np.nan_to_num(np.stack([errors[name] for name in of_model]))
    words = np.full(error.shape[1], "", dtype=object)
    for case in np.flatnonzero((error >= WRONG).any(axis=0)):
        order = [model for model in np.argsort(-error[:, case], kind="stable") if error[model, case] >= WRONG]
        said = [f"{of_model[model]}: {columns[f'{of_model[model]}: answer'][case]}" for model in order]
        words[case] = listed_in_words(said)
    return words
