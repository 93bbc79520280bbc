"""s-AUROC and s-AP as they were printed: the variants behind the published table, under names of their own.

They differ from `core.metrics.soft.metrics` by terms of the order of 1 / n_cases. Use them to reproduce the
table, not to compare models.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from core.metrics.soft.metrics import checked_input, s_auroc
from core.study.model import FloatArray


def s_auroc_without_self_pairs(scores: ArrayLike, plausibility: ArrayLike) -> FloatArray:
    """s-AUROC in which no case is compared with itself.

    Parameters
    ----------
    scores : array of float with shape (n_cases,) or (n_models, n_cases)
        Any numbers but NaN, the largest the most positive.
    plausibility : array of float with shape (n_cases,)
        Soft labels in [0, 1].

    Returns
    -------
    ndarray of float64 with shape ([n_models])
        NaN where undefined.

    Raises
    ------
    ValueError
        For NaN scores, labels out of range or shapes that do not fit together.

    Notes
    -----
    s-AUROC − Σ_i p_i (1 − p_i) / (2 P N): the pairs i = j leave the sum, but not its denominator (how the
    table of Lionetti 2025 was made).
    """
    _, p, _ = checked_input(scores, _one_vector(plausibility), None)
    positive, negative = p.sum(), (1 - p).sum()
    itself = (p * (1 - p)).sum() / 2
    return s_auroc(scores, p) - (itself / (positive * negative) if itself > 0 else 0.0)


def s_ap_expected(scores: ArrayLike, plausibility: ArrayLike) -> FloatArray:
    """s-AP with the precision that is expected at a case given that it is positive.

    Parameters
    ----------
    scores : array of float with shape (n_cases,) or (n_models, n_cases)
        Any numbers but NaN, the largest the most positive.
    plausibility : array of float with shape (n_cases,)
        Soft labels in [0, 1].

    Returns
    -------
    ndarray of float64 with shape ([n_models])
        NaN where undefined.

    Raises
    ------
    ValueError
        For NaN scores, labels out of range or shapes that do not fit together.

    Notes
    -----
    Σ_i (p_i / P) (1 + Σ_{j<i} p_j) / i over cases by descending score (how the table of Lionetti 2025 was
    made; not its eq. 5). Where scores are equal, every case of the group has the whole group before it.
    """
    s, p, _ = checked_input(scores, _one_vector(plausibility), None)
    values = [_expected_precision(one, p) for one in np.atleast_2d(s)]
    return np.array(values).reshape(s.shape[:-1])[()]


def _expected_precision(scores: FloatArray, plausibility: FloatArray) -> float:
    """s-AP of one model."""
    order = np.argsort(-scores, kind="stable")
    s, p = scores[order], plausibility[order]
    last = np.searchsorted(-s, -s, side="right")
    until = np.concatenate([[0.0], np.cumsum(p)])[last]
    total = p.sum()
    return float((p * (1 + until - p) / last).sum() / total) if total > 0 else float("nan")


def _one_vector(plausibility: ArrayLike) -> FloatArray:
    """One soft label a case, and no more."""
    p = np.asarray(plausibility, np.float64)
    if p.ndim != 1:
        raise ValueError(f"plausibility must have shape (n_cases,), got {p.shape}")
    return p
