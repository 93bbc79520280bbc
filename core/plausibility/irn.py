"""Inverse rank normalisation: differentials → one plausibility a case."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from core.plausibility.candidates import Candidates, candidates_of
from core.plausibility.point import point_mass
from core.plausibility.posterior import SampledPosterior
from core.plausibility.settings import TieRule
from core.study.model import FloatArray, IntArray, Readings

Ties = Literal["split", "full"]

_DENOMINATOR = 360_360
"""Divisible by 1 to 15: sums of inverse ranks and of parts of a vote are whole numbers of such a fraction."""

_DECIMALS = 6
"""Sums are rounded to so many decimals of that fraction, so that sums equal on paper are exactly equal."""


def irn(
    readings: Readings, n_labels: int, *, ties: Ties = "split", tie_rule: TieRule = "split"
) -> SampledPosterior:
    """Average the inverse ranks of every label over a case's readings: a point mass.

    Parameters
    ----------
    readings : Readings
        Differentials (a choice is a differential of one label).
    n_labels : int
        Number of labels of the task.
    ties : {"split", "full"}
        Whether the labels of a tied block divide its weight equally or each get all of it.
    tie_rule : {"split", "first label"}
        Labels whose plausibilities come out equal: split, or the first in the study's order.

    Returns
    -------
    SampledPosterior
        With a single draw.

    Raises
    ------
    ValueError
        If ``ties`` or ``tie_rule`` is unknown.
    """
    return point_mass(*irn_weights(readings, n_labels, ties=ties), tie_rule=tie_rule)


def irn_weights(
    readings: Readings, n_labels: int, *, ties: Ties = "split", reading_weight: FloatArray | None = None
) -> tuple[Candidates, FloatArray]:
    """Weigh the labels of every case by their inverse ranks.

    Parameters
    ----------
    readings : Readings
        Differentials (a choice is a differential of one label).
    n_labels : int
        Number of labels of the task.
    ties : {"split", "full"}
        Whether the labels of a tied block divide its weight equally or each get all of it.
    reading_weight : ndarray of float with shape (n_readings,), optional
        How much each reading counts, above 0; 1 by default.

    Returns
    -------
    candidates : Candidates
        The labels that the readings mention.
    weight : ndarray of float64 with shape (n_candidates,)
        Sums to 1 over the candidates of every case that has any.

    Raises
    ------
    ValueError
        If ``ties`` is unknown.

    Notes
    -----
    A reading with blocks B_1, B_2, … gives label y ∈ B_b the weight 1/b, divided by |B_b| with
    ``ties="split"``; the weights are summed over the readings of the case and then normalised (Stutz 2025,
    eq. 3 to 5). ``"split"`` is the printed equation 3; ``"full"`` is what the authors' released code does.
    """
    if ties not in get_args(Ties):
        raise ValueError(f"ties must be one of {', '.join(get_args(Ties))}, got {ties!r}")
    weight = 1.0 / (readings.block + 1)
    if ties == "split":
        weight = weight / block_sizes(readings)
    if reading_weight is not None:
        weight = weight * reading_weight[readings.entry_reading]
    candidates, total = sum_by_candidate(readings, n_labels, weight)
    of_case = np.bincount(candidates.case, weights=total, minlength=candidates.n_cases)
    return candidates, total / of_case[candidates.case]


def block_sizes(readings: Readings) -> IntArray:
    """Count the labels of the block that each entry is in, with shape (n_entries,)."""
    if len(readings.block) == 0:
        return np.zeros(0, np.int64)
    key = readings.entry_reading * (int(readings.block.max()) + 1) + readings.block
    _, block, size = np.unique(key, return_inverse=True, return_counts=True)
    return size[block]


def sum_by_candidate(readings: Readings, n_labels: int, weight: FloatArray) -> tuple[Candidates, FloatArray]:
    """Sum the weights of the entries, with shape (n_entries,), over every label of a case.

    Returns the candidates and the sums with shape (n_candidates,); sums equal on paper are exactly equal.
    """
    candidates = candidates_of(readings, n_labels)
    entry_case = readings.case[readings.entry_reading].astype(np.int64)
    slot = np.searchsorted(
        candidates.case * n_labels + candidates.label, entry_case * n_labels + readings.label
    )
    total = np.bincount(slot, weights=weight, minlength=len(candidates.label)).astype(np.float64)
    return candidates, (total * _DENOMINATOR).round(_DECIMALS) / _DENOMINATOR
