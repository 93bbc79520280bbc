"""The raters of a study as its readers: each judged by a truth that does not rest on what he or she said."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from core.analysis.models.truth_draws import plausible_truths
from core.analysis.raters.identified import raters_are_identified
from core.metrics.agreement.rating_counts import first_readings
from core.metrics.mrmc.curves import NO_READER, Curves
from core.plausibility.settings import Aggregation
from core.study.model import FloatArray, IntArray, Study, Task

OWN_RATERS = "raters"
"""Name of the modality that a study's own raters are."""
MOST_OWN = 60
"""Raters that are compared with one another case by case; of more the sums take too long."""
_UNSURE = 1e-6
"""Confidence of a reading without any: it still says which side it is on."""


def own_curves(study: Study, task: Task, label: str, models: tuple[str, ...], *, beside: bool) -> Curves:
    """Scores of models, and of the raters as the last modality.

    Parameters
    ----------
    study : Study
        Knows the raters.
    task : Task
        Of choices.
    label : str
        The positive one.
    models : tuple of str
        Models by themselves, in that order.
    beside : bool
        Whether each model is judged once beside each rater, on the cases that he or she read and by the same
        truth; else once by itself.

    Returns
    -------
    Curves
        A rater's first reading of a case counts ½ + c/2 where it says the label, ½ − c/2 where not, with c
        its confidence, 1 where none was given.

    Raises
    ------
    ValueError
        Where raters are numbered anew in each case, do not choose labels, or are fewer than two or too many.
    """
    name = OWN_RATERS
    if task.kind != "choice":
        raise ValueError(
            f'the raters of the task "{task.name}" do not choose one label ({task.kind}), so nothing says '
            "whether a reading of theirs is positive; take predictions with readers"
        )
    if not raters_are_identified(study, task):
        raise ValueError(
            "raters are numbered anew in each case, so that nobody's readings can be told from another's; "
            "name raters by person in annotations.csv"
        )
    if name in models:
        raise ValueError(f'a model is called "{name}", as the raters are here; call the model otherwise')
    readings = first_readings(task.readings)
    codes = np.unique(readings.rater)
    if not 2 <= len(codes) <= MOST_OWN:
        raise ValueError(f"from 2 to {MOST_OWN} raters can be compared as readers, got {len(codes):,}")
    says: FloatArray = np.full((len(codes), study.n_cases), np.nan)
    sure = np.maximum(np.nan_to_num(readings.confidence, nan=1.0), _UNSURE)
    is_label = readings.label[readings.entry_start[:-1]] == task.labels.index(label)
    at = np.searchsorted(codes, readings.rater), readings.case
    says[at] = 0.5 + np.where(is_label, sure, -sure) / 2
    own = np.arange(len(codes))
    scores: list[FloatArray] = []
    modality: list[int] = []
    reader: list[int] = []
    for place, model in enumerate(models):
        score = task.numbers_for(task.predictions[model], label)
        scores += [np.where(np.isnan(each), np.nan, score) for each in says] if beside else [score]
        modality += [place] * (len(own) if beside else 1)
        reader += own.tolist() if beside else [NO_READER]
    return Curves(
        (*models, name),
        tuple(study.rater_ids[code] for code in codes),
        np.array([*modality, *[len(models)] * len(own)]),
        np.array([*reader, *own.tolist()]),
        np.array([*scores, *says], np.float64),
    )


def without_each(
    study: Study,
    task: Task,
    curves: Curves,
    cases: IntArray,
    label: str,
    aggregation: Aggregation,
    n_truths: int,
) -> tuple[Curves, NDArray[np.bool_]]:
    """Plausible truths of each reader's cases, drawn from the readings of all others.

    Parameters
    ----------
    study, task
        What was observed.
    curves : Curves
        Of `own_curves`, of all cases of the study; every curve has a reader.
    cases : ndarray of int with shape (n_cases,)
        Which ones.
    label : str
        The positive one.
    aggregation : Aggregation
        Of a finite reliability.
    n_truths : int
        How many are drawn.

    Returns
    -------
    Curves
        Of these cases; those that nobody else read are taken as not read.
    ndarray of bool with shape (n_truths, n_curves, n_cases)
        Whether each case is positive.

    Notes
    -----
    Draws of one number go together: a case's draws have its own seed, whoever is left out.
    """
    codes = np.array([study.rater_ids.index(reader) for reader in curves.readers])
    truths = np.empty((n_truths, len(curves.reader), len(cases)), bool)
    score = np.array(curves.score[:, cases])
    for reader, code in enumerate(codes.tolist()):
        others = task.readings.keep(task.readings.rater != code)
        drawn = plausible_truths(study, replace(task, readings=others), cases, label, aggregation, n_truths)
        of = np.flatnonzero(curves.reader == reader)
        truths[:, of] = drawn[:, None]
        score[np.ix_(of, others.per_case[cases] == 0)] = np.nan
    return replace(curves, score=score), truths


def who_read_both(curves: Curves, truths: NDArray[np.bool_]) -> tuple[Curves, NDArray[np.bool_], int]:
    """Leave out readers who, by some truth, read no case of a class; say how many.

    Parameters
    ----------
    curves : Curves
        Of `own_curves`.
    truths : ndarray of bool with shape (n_truths, n_cases) or (n_truths, n_curves, n_cases)
        Whether each case is positive.
    """
    read = ~np.isnan(curves.score)
    by_curve = truths if truths.ndim == 3 else np.broadcast_to(truths[:, None], (len(truths), *read.shape))
    has_both = np.ones(len(read), bool)
    for of_class in (by_curve, ~by_curve):
        has_both &= (of_class & read).any(axis=2).all(axis=0)
    lacking = np.unique(curves.reader[~has_both & (curves.reader != NO_READER)])
    if not len(lacking):
        return curves, truths, 0
    kept = ~np.isin(curves.reader, lacking)
    left = replace(
        curves, modality=curves.modality[kept], reader=curves.reader[kept], score=curves.score[kept]
    )
    return left, truths[:, kept] if truths.ndim == 3 else truths, len(lacking)
