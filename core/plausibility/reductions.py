"""The usual ways to reduce the readings of a case to one answer, as point masses.

Each reading votes for the labels that it puts first: a choice for its label, a differential for its first
block, whose labels divide the vote equally. Labels with equally many votes are split: the answers are means
over all ways of choosing between them, unless the study's first label is asked for (``tie_rule``).
"""

from __future__ import annotations

import numpy as np

from core.plausibility.candidates import Candidates
from core.plausibility.irn import block_sizes, sum_by_candidate
from core.plausibility.one_hot import OneHotPosterior
from core.plausibility.point import check_tie_rule, point_mass
from core.plausibility.posterior import Posterior, SampledPosterior
from core.plausibility.reading_weights import stated_confidence, that_count
from core.plausibility.settings import TieRule
from core.study.model import FloatArray, Readings


def majority(readings: Readings, n_labels: int, *, tie_rule: TieRule = "split") -> Posterior:
    """Give all plausibility to the label with most votes.

    Parameters
    ----------
    readings : Readings
        Choices or differentials.
    n_labels : int
        Number of labels of the task.
    tie_rule : {"split", "first label"}
        Labels with equally many votes: split, or the first in the study's order.

    Returns
    -------
    Posterior
        A `OneHotPosterior` that finds tied labels equally probable, or a single draw.

    Notes
    -----
    λ_y = 1 for y = arg max_y Σ_r v_r(y), where v_r(y) is the vote of reading r for y (Cabitza 2020, eq. 5).
    """
    return _one_hot(*_votes(readings, n_labels, np.ones(readings.n_readings)), tie_rule)


def mean_frequency(
    readings: Readings, n_labels: int, *, weight: FloatArray | None = None, tie_rule: TieRule = "split"
) -> SampledPosterior:
    """Give each label its share of the votes.

    Parameters
    ----------
    readings : Readings
        Choices or differentials.
    n_labels : int
        Number of labels of the task.
    weight : ndarray of float with shape (n_readings,), optional
        How much each reading counts, 0 or more; 1 by default. A reading of weight 0 is left out.
    tie_rule : {"split", "first label"}
        Labels with equally many votes: split, or the first in the study's order.

    Returns
    -------
    SampledPosterior
        With a single draw.

    Notes
    -----
    λ_y = Σ_r v_r(y) / R for R readings (Cabitza 2020, eq. 6); with weights w, Σ_r w_r v_r(y) / Σ_r w_r.
    """
    readings, weight = that_count(readings, np.ones(readings.n_readings) if weight is None else weight)
    candidates, votes = _votes(readings, n_labels, weight)
    of_case = np.bincount(candidates.case, weights=votes, minlength=candidates.n_cases)
    return point_mass(candidates, votes / of_case[candidates.case], tie_rule=tie_rule)


def confidence_weighted_majority(
    readings: Readings, n_labels: int, *, tie_rule: TieRule = "split"
) -> Posterior:
    """Majority in which each vote counts with the confidence that came with it.

    Parameters
    ----------
    readings : Readings
        Choices or differentials. A reading without confidence counts fully: 1.
    n_labels : int
        Number of labels of the task.
    tie_rule : {"split", "first label"}
        Labels with equally many votes: split, or the first in the study's order.

    Returns
    -------
    Posterior
        A `OneHotPosterior` that finds tied labels equally probable, or a single draw; NaN for a case whose
        votes all have confidence 0.

    Notes
    -----
    λ_y = 1 for y = arg max_y Σ_r c_r v_r(y), with c_r the confidence of reading r (Cabitza 2020, eq. 7).
    """
    return _one_hot(*_votes(readings, n_labels, stated_confidence(readings)), tie_rule)


def accuracy_weighted_majority(
    readings: Readings, n_labels: int, *, accuracy: FloatArray, tie_rule: TieRule = "split"
) -> Posterior:
    """Majority in which each vote counts with its rater's accuracy.

    Parameters
    ----------
    readings : Readings
        Choices or differentials.
    n_labels : int
        Number of labels of the task.
    accuracy : ndarray of float with shape (n_raters,)
        In [0, 1]. A rater whose accuracy is unknown (NaN) counts with the mean of the known ones, or with 1
        where none is known.
    tie_rule : {"split", "first label"}
        Labels with equally many votes: split, or the first in the study's order.

    Returns
    -------
    Posterior
        A `OneHotPosterior` that finds tied labels equally probable, or a single draw; NaN for a case whose
        raters all have accuracy 0.

    Raises
    ------
    ValueError
        If an accuracy is outside [0, 1] or a rater has none.

    Notes
    -----
    λ_y = 1 for y = arg max_y Σ_r a_r v_r(y), with a_r the accuracy of the rater of reading r itself, not its
    log-odds (Cabitza 2020, eq. 8).
    """
    accuracy = np.asarray(accuracy, np.float64)
    n_raters = int(readings.rater.max(initial=-1)) + 1
    if accuracy.ndim != 1 or len(accuracy) < n_raters:
        raise ValueError(f"accuracy must have one value for each of {n_raters} raters, got {accuracy.shape}")
    if (accuracy < 0).any() or (accuracy > 1).any():
        raise ValueError(f"accuracy must be in [0, 1], got {np.nanmin(accuracy)} to {np.nanmax(accuracy)}")
    known = accuracy[~np.isnan(accuracy)]
    weight = np.where(np.isnan(accuracy), known.mean() if len(known) else 1.0, accuracy)
    return _one_hot(*_votes(readings, n_labels, weight[readings.rater]), tie_rule)


def _votes(readings: Readings, n_labels: int, weight: FloatArray) -> tuple[Candidates, FloatArray]:
    """Sum the votes for each label, those of a reading weighing ``weight``, with shape (n_readings,)."""
    share = weight[readings.entry_reading] * (readings.block == 0) / block_sizes(readings)
    return sum_by_candidate(readings, n_labels, share)


def _one_hot(candidates: Candidates, votes: FloatArray, tie_rule: TieRule) -> Posterior:
    """Put all plausibility on the candidate with most votes; NaN where no vote has any weight."""
    check_tie_rule(tie_rule)
    most = np.zeros(candidates.n_cases)
    np.maximum.at(most, candidates.case, votes)
    wins = votes == most[candidates.case]
    if tie_rule == "first label":
        winners = np.flatnonzero(wins)
        _, first = np.unique(candidates.case[winners], return_index=True)
        wins = np.isin(np.arange(len(votes)), winners[first])
    n_winners = np.bincount(candidates.case, wins, candidates.n_cases)[candidates.case]
    value = np.where(most[candidates.case] > 0, wins / np.maximum(n_winners, 1), np.nan)
    if tie_rule == "first label":
        return point_mass(candidates, value, tie_rule=tie_rule)
    return OneHotPosterior(candidates, value)
