"""Metrics of scores against soft labels: s-AUROC, s-AP, soft Brier score and soft log loss.

A soft label p is the plausibility that a case is positive. Its metrics are the ordinary ones on a sample in
which every case stands twice: as a positive of weight w·p and as a negative of weight w·(1 − p).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from core.metrics.soft.ranking import ranking_metrics, sort_scores
from core.study.model import FloatArray


def s_auroc(scores: ArrayLike, plausibility: ArrayLike, *, weight: ArrayLike | None = None) -> FloatArray:
    """Area under the ROC curve against soft labels.

    Parameters
    ----------
    scores : array of float with shape (n_cases,) or (n_models, n_cases)
        Any numbers but NaN, the largest the most positive.
    plausibility : array of float with shape (n_cases,) or (n_vectors, n_cases)
        Soft labels in [0, 1].
    weight : array of float with shape (n_cases,), optional
        Weight of each case, finite and 0 or more; 1 if not given.

    Returns
    -------
    ndarray of float64 with shape ([n_models,] [n_vectors])
        In [0, 1]; a number for a single model and vector. NaN where all the plausibility is on one side.

    Raises
    ------
    ValueError
        For NaN scores, labels out of range, impossible weights or shapes that do not fit together.

    Notes
    -----
    With groups g of equal scores, descending, P_g = Σ w p, N_g = Σ w (1 − p) and running sums CP:
    Σ_g N_g (CP_{g−1} + P_g / 2) / (P N). This is Lionetti 2025, eq. 4, with ties counted half, so that it
    depends on the order of rows in nothing.
    """
    return _ranking(scores, plausibility, weight)[0]


def s_ap(scores: ArrayLike, plausibility: ArrayLike, *, weight: ArrayLike | None = None) -> FloatArray:
    """Average precision against soft labels.

    Parameters and errors are those of `s_auroc`.

    Returns
    -------
    ndarray of float64 with shape ([n_models,] [n_vectors])
        In [0, 1]; NaN where no case has any plausibility of being positive. Where none has any of being
        negative, it is 1 whatever the scores.

    Notes
    -----
    Σ_g (P_g / P) CP_g / (CP_g + CN_g) over groups g of equal scores, descending, with P_g = Σ w p,
    N_g = Σ w (1 − p) and running sums CP, CN (Lionetti 2025, eq. 5, with equal scores grouped).
    """
    return _ranking(scores, plausibility, weight)[1]


def _ranking(
    scores: ArrayLike, plausibility: ArrayLike, weight: ArrayLike | None
) -> tuple[FloatArray, FloatArray]:
    """Check the input, measure, and give the results the shape of the input."""
    s, p, w = checked_input(scores, plausibility, weight)
    auroc, ap = ranking_metrics(sort_scores(s), np.atleast_2d(p), weight=None if w is None else w[None])
    shape = s.shape[:-1] + p.shape[:-1]
    return auroc.reshape(shape)[()], ap.reshape(shape)[()]


def checked_input(
    scores: ArrayLike, plausibility: ArrayLike, weight: ArrayLike | None
) -> tuple[FloatArray, FloatArray, FloatArray | None]:
    """Scores, soft labels and weights as arrays of float64, after checking shapes and ranges.

    Raises
    ------
    ValueError
        As `s_auroc` says.
    """
    s, p = np.asarray(scores, np.float64), np.asarray(plausibility, np.float64)
    if s.ndim not in (1, 2) or s.shape[-1] == 0:
        raise ValueError(f"scores must have shape (n_cases,) or (n_models, n_cases), got {s.shape}")
    if p.ndim not in (1, 2) or p.shape[-1] != s.shape[-1]:
        n = s.shape[-1]
        raise ValueError(f"plausibility must have shape ({n},) or (n_vectors, {n}), got {p.shape}")
    if s.size and np.isnan(s.min()):
        raise ValueError(f"scores must be numbers, got NaN in {int(np.isnan(s).sum())} places")
    if p.size and not 0 <= p.min() <= p.max() <= 1:
        raise ValueError(f"plausibility must be in [0, 1], got {p.min():g} to {p.max():g}")
    if weight is None:
        return s, p, None
    w = np.asarray(weight, np.float64)
    if w.shape != s.shape[-1:]:
        raise ValueError(f"weight must have shape {s.shape[-1:]}, got {w.shape}")
    if not 0 <= w.min() <= w.max() < np.inf:
        raise ValueError(f"weight must be finite and 0 or more, got {w.min():g} to {w.max():g}")
    return s, p, w


def undefined_reasons(plausibility: ArrayLike, *, weight: ArrayLike | None = None) -> list[str]:
    """Why ranking metrics are undefined, or mean nothing, for each label vector.

    Parameters
    ----------
    plausibility : array of float with shape (n_vectors, n_cases) or (n_cases,)
        Soft or hard labels in [0, 1].
    weight : array of float with shape (n_cases,), optional
        Weight of each case.

    Returns
    -------
    list of str
        Empty text where both s-AUROC and s-AP are defined.
    """
    p = np.atleast_2d(np.asarray(plausibility, np.float64))
    w = np.ones(p.shape[1]) if weight is None else np.asarray(weight, np.float64)
    reasons = []
    for positive, negative in zip(p @ w, (1 - p) @ w, strict=True):
        if not positive > 0:
            reasons.append("no case is positive to any degree")
        elif not negative > 0:
            reasons.append("no case is negative to any degree")
        else:
            reasons.append("")
    return reasons


def soft_brier(scores: ArrayLike, plausibility: ArrayLike, *, weight: ArrayLike | None = None) -> FloatArray:
    """Brier score expected under soft labels.

    Parameters
    ----------
    scores : array of float with shape (n_cases,) or (n_models, n_cases)
        Probabilities of being positive, in [0, 1].
    plausibility : array of float with shape (n_cases,) or (n_vectors, n_cases)
        Soft labels in [0, 1].
    weight : array of float with shape (n_cases,), optional
        Weight of each case, finite and 0 or more; 1 if not given.

    Returns
    -------
    ndarray of float64 with shape ([n_models,] [n_vectors])
        In [0, 1], smaller is better; NaN where all weights are 0.

    Raises
    ------
    ValueError
        For scores or labels out of range, impossible weights or shapes that do not fit together.

    Notes
    -----
    Mean of p (1 − s)² + (1 − p) s² = (s − p)² + p (1 − p). The last term is the same for every model.
    """
    s, p, w = checked_input(scores, plausibility, weight)
    check_probabilities(s)
    return _mean_loss(np.square(1 - s), np.square(s), p, w)


def soft_log_loss(
    scores: ArrayLike, plausibility: ArrayLike, *, weight: ArrayLike | None = None
) -> FloatArray:
    """Logarithmic loss expected under soft labels.

    Parameters
    ----------
    scores : array of float with shape (n_cases,) or (n_models, n_cases)
        Probabilities of being positive, in [0, 1]. 0 and 1 are moved inwards by 2.2e-16, as scikit-learn
        does, so that one false certainty costs 36 and not infinity.
    plausibility : array of float with shape (n_cases,) or (n_vectors, n_cases)
        Soft labels in [0, 1].
    weight : array of float with shape (n_cases,), optional
        Weight of each case, finite and 0 or more; 1 if not given.

    Returns
    -------
    ndarray of float64 with shape ([n_models,] [n_vectors])
        In nats, 0 or more, smaller is better; NaN where all weights are 0.

    Raises
    ------
    ValueError
        For scores or labels out of range, impossible weights or shapes that do not fit together.

    Notes
    -----
    Mean of −p log s − (1 − p) log(1 − s).
    """
    s, p, w = checked_input(scores, plausibility, weight)
    check_probabilities(s)
    return _mean_loss(*log_losses(s), p, w)


def log_losses(probability: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return −log s and −log(1 − s), the losses if the case is positive and if it is negative."""
    tiny = np.finfo(np.float64).eps
    s = np.clip(probability, tiny, 1 - tiny)
    return -np.log(s), -np.log(1 - s)


def check_probabilities(scores: FloatArray) -> None:
    """Refuse scores out of [0, 1], which Brier score and log loss are not defined for.

    Raises
    ------
    ValueError
        With the range of the scores.
    """
    if scores.size and not 0 <= np.nanmin(scores) <= np.nanmax(scores) <= 1:
        raise ValueError(
            "scores must be probabilities in [0, 1] for Brier score and log loss, got "
            f"{np.nanmin(scores):g} to {np.nanmax(scores):g}; ranking metrics take any numbers"
        )


def _mean_loss(
    if_positive: FloatArray, if_negative: FloatArray, plausibility: FloatArray, weight: FloatArray | None
) -> FloatArray:
    """Weighted mean of p · if_positive + (1 − p) · if_negative, as matrix products."""
    w = np.ones(plausibility.shape[-1]) if weight is None else weight
    if not w.any():
        return np.full(if_positive.shape[:-1] + plausibility.shape[:-1], np.nan)[()]
    w = w / w.sum()
    total = if_positive @ (w * plausibility).T + if_negative @ (w * (1 - plausibility)).T
    return np.asarray(total)[()]
