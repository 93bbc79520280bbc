"""What a model must answer when it is unsure: sets of labels that hold the truth as often as is wanted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.analysis.disagreement.conformal_settings import ConformalSettings
from core.analysis.disagreement.conformal_truths import (
    LEADING_LABEL,
    PLAUSIBLE_LABEL,
    PLAUSIBLE_LEADER,
    Truths,
)
from core.recalibration.conformal import (
    corrected_limit,
    cross_limits,
    draw_labels,
    fewest_cases,
    is_certain,
    mean_limit,
    region_labels,
    region_leaders,
    score_limit,
    uniform_numbers,
)
from core.recalibration.conformal_scores import nonconformity
from core.recalibration.crossfit import Folds, deal_folds
from core.study.brief import brief, number_of
from core.study.model import FloatArray, IntArray, Study, Task
from core.study.seeds import case_seeds

ON_LEADING = "leading labels"
ON_PLAUSIBLE = "plausible truths"
ON_CORRECTED = "plausible truths, corrected"
ON_REGIONS = "plausibility regions"
CHOSEN = {"leader": PLAUSIBLE_LEADER, "label": PLAUSIBLE_LABEL}
"""Notion of the truth by `ConformalSettings.truth`."""
CALIBRATIONS = (ON_CORRECTED, ON_PLAUSIBLE, ON_REGIONS, ON_LEADING)
"""What sets are calibrated on, the one first that promises most."""


@dataclass(frozen=True, eq=False)
class ConformalSets:
    """Sets of labels of one model for every case, by what they were calibrated on.

    Attributes
    ----------
    model : str
        Name of the model.
    judged : ndarray of bool with shape (n_cases,)
        Cases with a prediction and a reading.
    holds : mapping of str to ndarray of bool with shape (n_cases, n_labels)
        By a calibration of `CALIBRATIONS`: the labels of each set; none where not judged.
    in_region : ndarray of float64 with shape (n_cases,), or None
        Share of the plausible truths that lie in the case's region; None without regions.
    notes : tuple of str
        Calibrations that are left out, and why.
    """

    model: str
    judged: NDArray[np.bool_]
    holds: Mapping[str, NDArray[np.bool_]]
    in_region: FloatArray | None
    notes: tuple[str, ...]

    __repr__ = brief


def conformal_sets(
    study: Study, task: Task, truths: Truths, model: str, settings: ConformalSettings
) -> ConformalSets:
    """Make the sets of one model, each case's by a calibration on other cases.

    Parameters
    ----------
    study : Study
        Gives the seeds.
    task : Task
        With predictions of the model, which gives probabilities.
    truths : Truths
        What is calibrated against.
    model : str
        Its name.
    settings : ConformalSettings
        Coverage, score, folds.

    Raises
    ------
    ValueError
        Where there are too few labels, or too few cases for the coverage that is wanted.
    """
    if len(task.labels) < 2:
        raise ValueError(_one_label(task))
    predictions = task.predictions[model]
    judged = predictions.covered & truths.known
    folds = _folds(study, judged, settings)
    ids, miss = study.case_ids, settings.miss
    position = None
    if settings.randomised:
        position = uniform_numbers(case_seeds(study.seed, ids, "conformal positions"))
    scores = nonconformity(
        predictions.probability, settings.score, penalty=settings.penalty, free=settings.free,
        position=position,
    )  # fmt: skip
    scores[~judged] = np.nan
    leading, plausible = truths.of[LEADING_LABEL], truths.of[CHOSEN[settings.truth]]
    drawn = draw_labels(plausible, case_seeds(study.seed, ids, "conformal labels"))
    certain = is_certain(plausible[judged])

    def on(truth: FloatArray) -> NDArray[np.bool_]:
        return _within(scores, folds, lambda cases: score_limit(scores[cases], truth[cases], miss=miss))

    def corrected(cases: IntArray) -> float:
        first, second = parts_to_correct(cases)
        return corrected_limit(scores[first], plausible[first], scores[second], drawn[second], miss=miss)

    holds = {ON_LEADING: on(leading), ON_PLAUSIBLE: on(plausible)}
    notes = []
    training = min(len(folds.training(k)) for k in range(folds.n_folds))
    to_correct = len(parts_to_correct(np.arange(training))[1])
    if certain:
        # All p-values of a case are one, and there is nothing to correct.
        holds[ON_CORRECTED] = holds[ON_PLAUSIBLE]
    elif to_correct >= fewest_cases(miss):
        holds[ON_CORRECTED] = _within(scores, folds, corrected)
    else:
        notes.append(_too_few(ON_CORRECTED, fewest_cases(miss), to_correct))
    part = miss if settings.truth == "leader" else 1.0 - np.sqrt(1.0 - miss)
    in_region = None
    if training >= fewest_cases(part):
        means = truths.mean_scores(scores).round(12)
        limit = cross_limits(folds, lambda cases: mean_limit(means[cases, 0], miss=part))
        by_leader = settings.truth == "leader"
        holds[ON_REGIONS] = (
            region_leaders(scores, limit) if by_leader else region_labels(scores, limit, outside=part)
        )
        in_region = np.where(judged, (means <= limit[:, None]).mean(axis=1), np.nan)
    else:
        notes.append(_too_few(ON_REGIONS, fewest_cases(part), training))
    ordered = {name: holds[name] for name in CALIBRATIONS if name in holds}
    return ConformalSets(model, judged, ordered, in_region, tuple(notes))


def parts_to_correct(cases: IntArray) -> tuple[IntArray, IntArray]:
    """Split cases for `core.recalibration.conformal.corrected_limit`.

    The first part, a third, does no more than put scores on a scale; the second decides.
    """
    first = np.arange(len(cases)) % 3 == 0
    return cases[first], cases[~first]


def _within(scores: FloatArray, folds: Folds, fit: Callable[[IntArray], float]) -> NDArray[np.bool_]:
    """Labels whose score is within the limit of their case's fold."""
    within: NDArray[np.bool_] = scores <= cross_limits(folds, fit)[:, None]
    return within


def why_no_sets(task: Task, settings: ConformalSettings) -> str:
    """Say why sets of some model of a task cannot be made; empty where those of all can."""
    if len(task.labels) < 2:
        return _one_label(task)
    models = [settings.predictor] if settings.predictor else task.probability_models
    read = task.readings.per_case > 0
    said = (_few_cases(int((task.predictions[model].covered & read).sum()), settings) for model in models)
    return next(filter(None, said), "")


def _one_label(task: Task) -> str:
    return f"task {task.name!r} has one label, so every set of labels is this one"


def _few_cases(n: int, settings: ConformalSettings) -> str:
    """Say why so many cases are too few; empty where they are enough."""
    needed = fewest_cases(settings.miss)
    left = n - -(-n // settings.folds)
    if n >= settings.folds and left >= needed:
        return ""
    return (
        f"to hold the truth in {settings.coverage:g} % of cases takes {number_of(needed, 'case')} "
        f"or more to calibrate on, and {settings.folds} folds of the {number_of(n, 'case')} with a "
        f"reading and a prediction leave {left}; ask for less coverage, or for more folds"
    )


def _folds(study: Study, judged: NDArray[np.bool_], settings: ConformalSettings) -> Folds:
    """Deal the cases, and refuse too few of them."""
    refused = _few_cases(int(judged.sum()), settings)
    if refused:
        raise ValueError(refused)
    return deal_folds(study.seed, study.case_ids, np.where(judged, 0, -1), n_folds=settings.folds)


def _too_few(calibration: str, needed: int, there: int) -> str:
    return (
        f"Left out: sets calibrated on {calibration}, which at this coverage need "
        f"{number_of(needed, 'case')} to calibrate on; there are {there}."
    )
