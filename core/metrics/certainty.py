"""Annotation certainty: how sure the readings make us of the labels that lead."""

from __future__ import annotations

import numpy as np

from core.metrics.estimate import Estimate, mean_over_cases
from core.plausibility.candidates import Candidates, LabelValues, no_readings
from core.plausibility.posterior import Posterior
from core.study.model import RISK_NAMES, UNKNOWN_RISK, FloatArray, IntArray


def top_certainty(posterior: Posterior, j: int = 1) -> FloatArray:
    """Top-j annotation certainty of every case.

    Parameters
    ----------
    posterior : Posterior
        Distribution over plausibilities λ.
    j : int
        Size of the set, at least 1.

    Returns
    -------
    ndarray of float64 with shape (n_cases,)
        In [0, 1]; NaN where nobody read the case.

    Notes
    -----
    max over sets C of P(the j largest λ are exactly C) (Stutz 2025, eq. 7 to 11). The certainty of a single
    label, P(label is the arg max of λ), is `Posterior.top1`. `core.metrics.estimate.mean_over_cases` gives
    the mean over the data set.
    """
    return np.where(no_readings(posterior.candidates), np.nan, posterior.certainty(j))


def share_below(certainty: FloatArray, level: float = 0.99) -> Estimate:
    """Share of the cases with a certainty below a level.

    Parameters
    ----------
    certainty : ndarray of float with shape (n_cases,)
        NaN where undefined: such a case does not count.
    level : float
        In (0, 1].
    """
    return mean_over_cases(is_below(certainty, level))


def is_below(certainty: FloatArray, level: float = 0.99) -> FloatArray:
    """Whether each case lies below a level of certainty, 1 or 0; NaN where undefined.

    Parameters and shapes are those of `share_below`.
    """
    return np.where(np.isnan(certainty), np.nan, certainty < level)


def leading_risk(posterior: Posterior, risk: IntArray) -> FloatArray:
    """P(the leading label has this risk level), for every level of every case.

    Parameters
    ----------
    posterior : Posterior
        Distribution over plausibilities λ of labels.
    risk : ndarray of int with shape (n_labels,)
        0 low, 1 medium, 2 high, `core.study.model.UNKNOWN_RISK` where not given.

    Returns
    -------
    ndarray of float64 with shape (n_cases, 3), or (n_cases, 4) where any risk is unknown
        Rows sum to 1. Labels of unknown risk form a level of their own, in the last of four columns. NaN
        where nobody read the case.

    Notes
    -----
    Σ P(y = arg max λ) over the labels y of the level, unmentioned ones included. The largest of a row is the
    annotation certainty of risk (Stutz 2025, eq. 7 to 11, with the risk of the arg max for the arg max).
    Which level has most plausibility in all (``top1`` of `core.metrics.risk.by_risk`) is more certain: the
    labels of a level share it.
    """
    return sum_by_level(posterior.candidates, posterior.top1, risk)


def sum_by_level(candidates: Candidates, values: LabelValues, risk: IntArray) -> FloatArray:
    """Sum a number over the labels of each risk level, unmentioned ones included.

    Parameters
    ----------
    candidates : Candidates
        Of all cases.
    values : LabelValues
        A number for every label of every case.
    risk : ndarray of int with shape (n_labels,)
        As `leading_risk` takes it.

    Returns
    -------
    ndarray of float64 with shape (n_cases, 3), or (n_cases, 4) where any risk is unknown
        NaN where nobody read the case.
    """
    levels = risk_levels(risk)
    n_levels = max(int(levels.max()) + 1, len(RISK_NAMES))
    cell = candidates.case * n_levels + levels[candidates.label]
    n_cells = candidates.n_cases * n_levels
    summed = np.bincount(cell, values.candidate, n_cells).reshape(-1, n_levels)
    mentioned = np.bincount(cell, minlength=n_cells).reshape(-1, n_levels)
    unmentioned = np.bincount(levels, minlength=n_levels) - mentioned
    total = summed + unmentioned * values.other[:, None]
    return np.where(no_readings(candidates)[:, None], np.nan, total)


def risk_levels(risk: IntArray) -> IntArray:
    """Risk of each label with a level of its own, 3, for unknown risk."""
    return np.where(np.asarray(risk) == UNKNOWN_RISK, len(RISK_NAMES), risk)


def certainties(
    posterior: Posterior, risk: IntArray | None = None, *, max_j: int = 3
) -> dict[str, FloatArray]:
    """Annotation certainty of every case at several depths.

    Parameters
    ----------
    posterior : Posterior
        Distribution over plausibilities.
    risk : ndarray of int with shape (n_labels,), optional
        Risk level of each label, as `leading_risk` takes it.
    max_j : int
        Largest set; the number of labels where that is smaller.

    Returns
    -------
    dict of str to ndarray of float64 with shape (n_cases,)
        ``top-1 certainty`` … ``top-3 certainty`` and, where ``risk`` is given, ``risk certainty``, the
        largest `leading_risk` of the case. NaN where nobody read the case.

    Raises
    ------
    ValueError
        Where ``max_j`` is below 1.
    """
    if max_j < 1:
        raise ValueError(f"max_j must be 1 or more, got {max_j}")
    depth = min(max_j, posterior.candidates.n_labels)
    values = {f"top-{j} certainty": top_certainty(posterior, j) for j in range(1, depth + 1)}
    if risk is not None:
        values["risk certainty"] = leading_risk(posterior, risk).max(axis=1)
    return values
