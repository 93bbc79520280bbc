"""Raters who err on the same cases: accuracy by the difficulty of a case.

Independent errors make fineness optimistic: where a case is hard, it is hard for everybody, and the majority
is wrong with them. Here each case has a difficulty, normally distributed with standard deviation s on the
logit scale, and a rater of ability b is right with probability 1 / (1 + exp(−(b − difficulty))), as in a
Rasch model. Given the difficulty, raters err independently; s = 0 is independence.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq
from scipy.special import expit, logit

from core.metrics.fineness.majority import check_labels, checked_accuracy, majority_fineness
from core.study.model import FloatArray

LARGEST_DIFFICULTY = 30.0
"""Standard deviation at which nearly every case is right for all equally good raters, or wrong for all."""
_NODES = np.linspace(-6.5, 6.5, 131)
_DENSITY = np.exp(-(_NODES**2) / 2)
WEIGHTS: FloatArray = _DENSITY / _DENSITY.sum()
"""Probability of each node of difficulty: the trapezoid rule on a normal density, spectrally accurate."""


def accuracy_by_difficulty(accuracy: ArrayLike, difficulty: float) -> FloatArray:
    """Accuracy of every rater at each difficulty of a case.

    Parameters
    ----------
    accuracy : ndarray of float with shape (n_raters,)
        Accuracy over all cases, in [0, 1].
    difficulty : float
        Standard deviation s of the cases' difficulty on the logit scale, from 0 to `LARGEST_DIFFICULTY`.

    Returns
    -------
    ndarray of float64 with shape (n_nodes, n_raters)
        Easiest node first; their mean with the probabilities `WEIGHTS` is ``accuracy``.

    Raises
    ------
    ValueError
        Where an argument lies outside its range.
    """
    accuracy = checked_accuracy(accuracy)
    if not 0 <= difficulty <= LARGEST_DIFFICULTY:
        raise ValueError(f"difficulty must be from 0 to {LARGEST_DIFFICULTY:g}, got {difficulty}")
    shift = difficulty * _NODES[:, None]
    inside = np.clip(accuracy, 1e-12, 1 - 1e-12)
    distinct, place = np.unique(inside, return_inverse=True)
    ability = _abilities(distinct, shift)[place]
    return np.where((accuracy == 0) | (accuracy == 1), accuracy, expit(ability - shift))


def _abilities(accuracy: FloatArray, shift: FloatArray) -> FloatArray:
    """Ability that gives each mean accuracy, with shape (n_raters,).

    By Newton's method on the logit of the mean, which is nearly a straight line, and by halving where a step
    would leave the interval that is known to hold the ability.
    """
    wanted = logit(accuracy)
    reach = np.abs(shift).max()
    low, high = wanted - reach, wanted + reach
    ability = wanted
    for _ in range(60):
        at = expit(ability - shift)
        mean = WEIGHTS @ at
        if (np.abs(mean - accuracy) <= 1e-15 * accuracy).all():
            break
        enough = mean >= accuracy
        high, low = np.where(enough, ability, high), np.where(enough, low, ability)
        slope = WEIGHTS @ (at * (1 - at))
        with np.errstate(divide="ignore", invalid="ignore"):
            step = ability - (logit(mean) - wanted) * mean * (1 - mean) / slope
        ability = np.where((step >= low) & (step <= high), step, (low + high) / 2)
    return ability


def dependent_fineness(accuracy: ArrayLike, difficulty: float, *, n_labels: int = 2) -> float:
    """Fineness of the majority where raters err on the same, difficult cases.

    Parameters
    ----------
    accuracy : array-like of float with shape (n_raters,)
        Accuracy over all cases, in [0, 1].
    difficulty : float
        Standard deviation of the cases' difficulty on the logit scale; 0 for independent errors.
    n_labels : int
        Number of labels, 2 or more.

    Returns
    -------
    float
        Exact up to the quadrature over difficulty (error below 1e-7 for s up to 10).

    Notes
    -----
    Φ = E[Φ(a_1(d), …, a_n(d))] over the difficulty d. The paper's independent fineness is higher than the
    accuracy that majorities of its 13 radiologists reach (Cabitza 2020, fig. 5): with accuracy .81 and their
    observed agreement of .818, 7 raters have .972 as independent readers and .850 as dependent ones,
    and no number of such raters reaches .87.
    """
    return float(WEIGHTS @ majority_fineness(accuracy_by_difficulty(accuracy, difficulty), n_labels=n_labels))


def expected_agreement(accuracy: FloatArray, difficulty: float, *, n_labels: int = 2) -> float:
    """P(two raters give a case the same label), averaged over pairs of raters.

    Parameters
    ----------
    accuracy : ndarray of float with shape (n_raters,)
        Accuracy over all cases, in [0, 1]; two raters or more.
    difficulty : float
        Standard deviation of the cases' difficulty on the logit scale.
    n_labels : int
        Number of labels, 2 or more.
    """
    check_labels(n_labels)
    at = accuracy_by_difficulty(accuracy, difficulty)
    n_raters = at.shape[1]
    if n_raters < 2:
        raise ValueError(f"agreement needs 2 raters or more, got {n_raters}")
    wrong = 1 - at
    both = at.sum(axis=1) ** 2 - (at**2).sum(axis=1)
    neither = wrong.sum(axis=1) ** 2 - (wrong**2).sum(axis=1)
    return float(WEIGHTS @ (both + neither / (n_labels - 1)) / (n_raters * (n_raters - 1)))


def difficulty_from_agreement(accuracy: FloatArray, agreement: float, *, n_labels: int = 2) -> float:
    """Spread of difficulty that explains how often raters of known accuracy agree.

    Parameters
    ----------
    accuracy : ndarray of float with shape (n_raters,)
        Accuracy over all cases, in [0, 1]; two raters or more.
    agreement : float
        Observed share of agreeing pairs of readings, in [0, 1].
    n_labels : int
        Number of labels, 2 or more.

    Returns
    -------
    float
        Standard deviation on the logit scale: 0 where raters agree no more than independent ones would,
        `LARGEST_DIFFICULTY` where they agree more than any spread explains.

    Raises
    ------
    ValueError
        Where an argument lies outside its range.
    """
    if not 0 <= agreement <= 1:
        raise ValueError(f"agreement must be in [0, 1], got {agreement}")

    def excess(difficulty: float) -> float:
        return expected_agreement(accuracy, difficulty, n_labels=n_labels) - agreement

    if excess(0.0) >= 0:
        return 0.0
    if excess(LARGEST_DIFFICULTY) <= 0:
        return LARGEST_DIFFICULTY
    return float(brentq(excess, 0.0, LARGEST_DIFFICULTY, xtol=1e-6))
