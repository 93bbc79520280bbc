"""Conformal calibration under an ambiguous truth: how bad a score may be for its label to be in the set.

What is calibrated against is a distribution over labels for each case: all on one label where the truth is
certain, else a plausibility. Scores are those of `core.recalibration.conformal_scores`; a set holds the
labels whose score is no larger than a limit.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from core.recalibration.crossfit import Folds, cross_fit
from core.study.model import FloatArray, IntArray

_SLACK = 1e-9
"""Sums of shares that differ by less are equal on paper."""
_UNIT = 2.0**-64


def fewest_cases(miss: float) -> int:
    """Fewest cases to calibrate on that can ever leave a label out: the smallest n with miss·(n + 1) ≥ 1.

    Parameters
    ----------
    miss : float
        α, the share of cases in which the set may lack the truth, in (0, 1).
    """
    return max(int(np.ceil(1.0 / miss - 1.0 - _SLACK)), 1)


def score_limit(scores: FloatArray, truth: FloatArray, *, miss: float) -> float:
    """Calibrate against a truth that is a distribution over labels, all its labels at once.

    Parameters
    ----------
    scores : ndarray of float with shape (n_cases, n_labels)
        Of the cases to calibrate on.
    truth : ndarray of float with shape (n_cases, n_labels)
        Rows sum to 1.
    miss : float
        α, in (0, 1).

    Returns
    -------
    float
        The largest score of a set's labels; ∞ where there are too few cases to leave any label out.

    Notes
    -----
    A label with score e has the p-value (1 + Σ_i Σ_k λ_ik [e_ik ≥ e]) / (n + 1) and is in the set where that
    is above α. That is the mean of the p-values that Monte Carlo labels drawn from λ give, in the limit of
    many (Stutz et al. 2023, Monte Carlo conformal prediction). Where the truth is certain all of them are
    one, and the set is that of split conformal prediction (Papadopoulos et al. 2002; Vovk et al. 2005): it
    holds the truth with probability 1 − α or more. A mean of p-values that differ promises no more than
    1 − 2α, although mostly it keeps 1 − α.
    """
    value, above = _weight_at_or_above(scores, truth)
    return _largest_passing(value, above, miss * (len(scores) + 1) - 1.0)


def corrected_limit(
    first: FloatArray, truth: FloatArray, second: FloatArray, drawn: IntArray, *, miss: float
) -> float:
    """Calibrate against a distribution over labels so that 1 − α is promised, and not 1 − 2α.

    Parameters
    ----------
    first, truth : ndarray of float with shape (n_first, n_labels)
        Scores and distributions of the first part of the cases.
    second : ndarray of float with shape (n_second, n_labels)
        Scores of the second part.
    drawn : ndarray of int with shape (n_second,)
        One label for each case of the second part, drawn from its distribution (`draw_labels`).
    miss : float
        α, in (0, 1).

    Returns
    -------
    float
        As `score_limit`.

    Notes
    -----
    Stutz et al. 2023, the correction by the empirical distribution: the mean p-values of the first part (see
    `score_limit`) are scores themselves. How the labels drawn in the second part are distributed over them
    tells how small such a mean is for a true label, and takes the place of the uniform distribution that
    single p-values have.
    """
    value, above = _weight_at_or_above(first, truth)
    own = np.sort(_above(value, above, second[np.arange(len(second)), drawn]))
    # (1 + number of drawn labels whose mean is no larger) / (n + 1) has to be above α.
    place = int(np.floor(miss * (len(second) + 1) - 1.0 + _SLACK))
    if place < 0:
        return np.inf
    least = own[place]
    if least <= _SLACK:
        return np.inf
    return float(value[np.flatnonzero(above >= least - _SLACK)[-1]])


def mean_limit(scores: FloatArray, *, miss: float) -> float:
    """Calibrate one number for each case, such as the mean score of the labels of a plausibility.

    Parameters
    ----------
    scores : ndarray of float with shape (n_cases,)
        Of the cases to calibrate on.
    miss : float
        α, in (0, 1).

    Returns
    -------
    float
        As `score_limit`: a further case's number is no larger with probability 1 − α or more.
    """
    return score_limit(scores[:, None], np.ones((len(scores), 1)), miss=miss)


def region_leaders(scores: FloatArray, limit: FloatArray) -> NDArray[np.bool_]:
    """Find the labels that lead some plausibility of a region.

    Parameters
    ----------
    scores : ndarray of float with shape (n_cases, n_labels)
        Of each label.
    limit : ndarray of float with shape (n_cases,)
        Of a plausibility's mean score (`mean_limit`): the region of a case is {λ : Σ_k λ_k e_k ≤ limit}.

    Returns
    -------
    ndarray of bool with shape (n_cases, n_labels)
        If the region holds the plausibility, the set holds the label that leads it.

    Notes
    -----
    The regions are the plausibility regions of Stutz et al. 2023. A label leads the most easily beside m
    − 1 others with equal shares, the lowest in score: (e + the sum of theirs) / m ≤ limit. The best m takes
    all whose score is within the limit, which gives e ≤ limit + Σ_j max(limit − e_j, 0).
    """
    room = np.maximum(limit[:, None] - scores, 0.0).sum(axis=1)
    led: NDArray[np.bool_] = scores <= (limit + room)[:, None] + _SLACK
    return led & (room > 0)[:, None] | (scores <= limit[:, None])


def region_labels(scores: FloatArray, limit: FloatArray, *, outside: float) -> NDArray[np.bool_]:
    """Find the labels that every plausibility of a region keeps together, but for a small share.

    Parameters
    ----------
    scores, limit : ndarray of float
        As `region_leaders`.
    outside : float
        δ, the share that a plausibility may have outside of the set, in (0, 1).

    Returns
    -------
    ndarray of bool with shape (n_cases, n_labels)
        The smallest set, of the labels lowest in score, so that no λ of the region has more than δ outside
        of it; none where the region is empty.

    Notes
    -----
    Plausibility regions of Stutz et al. 2023. The largest share of a label of score e is reached beside the
    lowest score e₀: (limit − e₀) / (e − e₀). So a label is in the set where e < e₀ + (limit − e₀) / δ. If the
    region holds the plausibility with probability 1 − α, the set holds a label drawn from it with probability
    (1 − α)(1 − δ) or more.
    """
    lowest = np.min(scores, axis=1, initial=np.inf, where=~np.isnan(scores))
    far = lowest + (limit - lowest) / outside
    held: NDArray[np.bool_] = (scores < far[:, None]) | (scores <= limit[:, None])
    return held & (lowest <= limit)[:, None]


def cross_limits(folds: Folds, fit: Callable[[IntArray], float]) -> FloatArray:
    """Calibrate for each fold on the cases of all others, so that no case is judged by itself.

    Parameters
    ----------
    folds : Folds
        How cases are dealt.
    fit : callable
        From indices of cases to a limit.

    Returns
    -------
    ndarray of float64 with shape (n_cases,)
        The limit of each case's fold; NaN for a case that takes no part.
    """
    found = np.array([*cross_fit(folds, fit), np.nan])
    return found[folds.fold]


def draw_labels(truth: FloatArray, seeds: NDArray[np.uint64]) -> IntArray:
    """Draw one label of each case from its distribution.

    Parameters
    ----------
    truth : ndarray of float with shape (n_cases, n_labels)
        Rows sum to 1, or are NaN: such a case gets the first label.
    seeds : ndarray of uint64 with shape (n_cases,)
        One for each case (`core.study.seeds.case_seeds`).

    Returns
    -------
    ndarray of int64 with shape (n_cases,)
    """
    sums = np.cumsum(np.nan_to_num(truth), axis=1)
    wanted = uniform_numbers(seeds) * sums[:, -1]
    return np.minimum((sums <= wanted[:, None]).sum(axis=1), np.argmax(sums, axis=1))


def uniform_numbers(seeds: NDArray[np.uint64]) -> FloatArray:
    """Turn seeds, which are evenly spread over their range, into numbers in [0, 1)."""
    return np.asarray(seeds >> np.uint64(11), np.float64) * (_UNIT * 2.0**11)


def is_certain(truth: FloatArray) -> bool:
    """Whether every distribution has all on one label."""
    return bool((np.max(truth, axis=1, initial=0.0) >= 1.0 - _SLACK).all())


def _weight_at_or_above(scores: FloatArray, truth: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Distinct scores of labels that may be true, ascending, and the weight that lies at each or above."""
    possible = truth > 0
    value, place = np.unique(np.asarray(scores[possible], np.float64), return_inverse=True)
    weight = np.bincount(place, truth[possible], minlength=len(value)).astype(np.float64)
    return value, np.cumsum(weight[::-1])[::-1]


def _above(value: FloatArray, above: FloatArray, scores: FloatArray) -> FloatArray:
    """Weight at or above each of the given scores."""
    return np.append(above, 0.0)[np.searchsorted(value, scores, side="left")]


def _largest_passing(value: FloatArray, above: FloatArray, needed: float) -> float:
    """Find the largest score that more than the needed weight lies at or above."""
    if needed < -_SLACK:
        return np.inf
    passing = np.flatnonzero(above > needed + _SLACK)
    return float(value[passing[-1]]) if len(passing) else -np.inf
