"""s-AUROC and s-AP in one pass: scores sorted once, any number of label vectors and case weights."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from core.compiled import njit
from core.study.model import FloatArray, IntArray, freeze

_CHUNK = 1024
"""Cases whose labels are fetched together: fetched one by one, each would wait for the one before."""


@dataclass(frozen=True, eq=False)
class SortedScores:
    """Scores of several models, sorted once, for any number of label vectors.

    Attributes
    ----------
    order : ndarray of int with shape (n_models, n_cases)
        Cases by ascending score; those that a model did not score come last.
    score : ndarray of float64 with shape (n_models, n_cases)
        The scores, NaN for cases not scored.
    n_scored : ndarray of int64 with shape (n_models,)
        Number of cases that each model scored.
    """

    order: IntArray
    score: FloatArray
    n_scored: IntArray

    def __post_init__(self) -> None:
        for array in (self.order, self.score, self.n_scored):
            freeze(array)


def sort_scores(scores: ArrayLike) -> SortedScores:
    """Sort the scores of every model.

    Parameters
    ----------
    scores : array of float with shape (n_models, n_cases)
        Any numbers that order the cases, the largest the most positive; NaN where a model did not score the
        case, which then stays out of its metrics.
    """
    score = np.ascontiguousarray(np.atleast_2d(scores), np.float64).view()
    n_scored = np.full(len(score), score.shape[1], np.int64)
    if score.size and np.isnan(score.min()):
        n_scored -= np.isnan(score).sum(axis=1)
    return SortedScores(np.argsort(score, axis=1), score, n_scored)


def ranking_metrics(
    scores: SortedScores, plausibility: FloatArray, *, weight: FloatArray | None = None
) -> tuple[FloatArray, FloatArray]:
    """s-AUROC and s-AP of all models against many label vectors, in one pass over each pair.

    Parameters
    ----------
    scores : SortedScores
        Of n_models models.
    plausibility : ndarray of float with shape (n_vectors, n_cases) or (1, n_cases)
        Soft labels in [0, 1], not checked here; 0 and 1 give the ordinary metrics.
    weight : ndarray of float with shape (n_vectors, n_cases) or (1, n_cases), optional
        Weight of each case, finite and 0 or more; 1 for all if not given.

    Returns
    -------
    auroc, ap : ndarray of float64 with shape (n_models, n_vectors)
        In [0, 1]; NaN where undefined (`core.metrics.soft.metrics.undefined_reasons` says why).

    Raises
    ------
    ValueError
        Where shapes do not fit together.

    Notes
    -----
    The formulas stand in `core.metrics.soft.metrics.s_auroc` and `core.metrics.soft.metrics.s_ap`.
    """
    n_models, n_cases = scores.order.shape
    given = 1 if weight is None else len(weight)
    for name, array in {"plausibility": plausibility, "weight": weight}.items():
        if array is not None and (array.ndim != 2 or array.shape[1] != n_cases):
            raise ValueError(f"{name} must have shape (n_vectors, {n_cases}), got {array.shape}")
    if len(plausibility) != given and 1 not in (len(plausibility), given):
        raise ValueError(f"weight must have 1 or {len(plausibility)} rows, got {given}")
    n_vectors = max(len(plausibility), given) if len(plausibility) and given else 0
    auroc = np.empty((n_models, n_vectors))
    ap = np.empty((n_models, n_vectors))
    if n_vectors:
        weights = np.empty((0, 0)) if weight is None else weight
        _rank(
            scores.order,
            scores.score,
            scores.n_scored,
            _read_only(plausibility),
            _read_only(weights),
            auroc,
            ap,
        )
    return auroc, ap


def _read_only(array: FloatArray) -> FloatArray:
    """Read-only view, so that one compiled function serves frozen and other arrays alike."""
    return freeze(np.ascontiguousarray(array, np.float64).view())


@njit(cache=True, nogil=True, error_model="numpy")
def _closed(
    sums: tuple[float, float, float, float, float], group: float, positive: float
) -> tuple[float, float, float, float, float]:
    """Add a group of equal scores to positive mass, mass, ordered pairs and weighted precision so far.

    The last sum is what rounding has added to the positive mass (Kahan 1965): like shares of many cases
    round in the same direction.
    """
    above_positive, above, pairs, precision, lost = sums
    pairs += (group - positive) * (above_positive + 0.5 * positive)
    more = positive - lost
    total = above_positive + more
    lost = (total - above_positive) - more
    above_positive = total
    above += group
    if positive > 0.0:
        precision += positive * (above_positive / above)
    return above_positive, above, pairs, precision, lost


@njit(cache=True, nogil=True, error_model="numpy")
def _rank(
    order: IntArray,
    score: FloatArray,
    n_scored: IntArray,
    plausibility: FloatArray,
    weight: FloatArray,
    auroc: FloatArray,
    ap: FloatArray,
) -> None:
    """Walk down each model's scores with each label vector, closing a group where the score changes."""
    n_vectors = auroc.shape[1]
    mass = np.ones(_CHUNK)
    positive = np.empty(_CHUNK)
    value = np.empty(_CHUNK)
    for m in range(len(order)):
        cases, own = order[m], score[m]
        for v in range(n_vectors):
            label = plausibility[v if len(plausibility) > 1 else 0]
            sums = (0.0, 0.0, 0.0, 0.0, 0.0)
            group_positive = group = 0.0
            last = np.nan
            for end in range(n_scored[m], 0, -_CHUNK):
                size = min(_CHUNK, end)
                for k in range(size):
                    case = cases[end - 1 - k]
                    positive[k] = label[case]
                    value[k] = own[case]
                if len(weight) > 0:
                    of_case = weight[v if len(weight) > 1 else 0]
                    for k in range(size):
                        mass[k] = of_case[cases[end - 1 - k]]
                        positive[k] *= mass[k]
                for k in range(size):
                    if value[k] != last:
                        sums = _closed(sums, group, group_positive)
                        group_positive = group = 0.0
                        last = value[k]
                    group_positive += positive[k]
                    group += mass[k]
            above_positive, above, pairs, precision, _ = _closed(sums, group, group_positive)
            negative = above - above_positive
            defined = above_positive > 0.0 and negative > 0.0
            auroc[m, v] = pairs / (above_positive * negative) if defined else np.nan
            ap[m, v] = precision / above_positive if above_positive > 0.0 else np.nan
