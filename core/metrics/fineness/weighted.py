"""Fineness of a weighted majority: of raters who count by their confidence or their accuracy.

Readings are independent given the case, wrong ones equally likely to name each wrong label, ties broken by
lot, as in `core.metrics.fineness.majority`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from core.metrics.fineness.majority import check_labels, checked_accuracy
from core.study.model import FloatArray, IntArray

MOST_OUTCOMES = 2**20
"""The most distinct sums of weights that are enumerated; beyond it a weighted majority is simulated."""
WEIGHT_STEPS = 10**9
"""Weights are compared in steps of the largest one by this: sums that should tie then do."""


@dataclass(frozen=True)
class Fineness:
    """A fineness and how well it is known.

    Attributes
    ----------
    value : float
        In [0, 1]; NaN where every weight is 0.
    standard_error : float
        Of the simulation; 0 where the value is exact.
    """

    value: float
    standard_error: float = 0.0

    @property
    def exact(self) -> bool:
        """Whether the value was computed and not simulated."""
        return self.standard_error == 0


def weighted_fineness(
    accuracy: ArrayLike,
    weight: ArrayLike,
    *,
    n_labels: int = 2,
    draws: int = 100_000,
    seed: int = 0,
) -> Fineness:
    """Fineness of a weighted majority.

    Parameters
    ----------
    accuracy : array-like of float with shape (n_raters,)
        Each rater's probability of a right reading, in [0, 1].
    weight : array-like of float with shape (n_raters,)
        What each rater's vote counts, 0 or more: mean confidence for the confidence-weighted reduction
        (Cabitza 2020, eq. 7), the accuracy itself for the accuracy-weighted one (eq. 8).
    n_labels : int
        Number of labels, K ≥ 2.
    draws : int
        Simulated cases, where there are too many outcomes to go through.
    seed : int
        Of the simulation.

    Returns
    -------
    Fineness
        Exact where the votes have at most `MOST_OUTCOMES` distinct sums: always up to 20 raters with two
        labels, and for any number with weights on a coarse grid. Else simulated, with its standard error.

    Raises
    ------
    ValueError
        For accuracies outside [0, 1], weights below 0, or fewer than two labels.
    """
    accuracy = checked_accuracy(accuracy)
    check_labels(n_labels)
    votes = whole_weights(weight, len(accuracy))
    if not votes.any():
        return Fineness(float("nan"))
    outcomes = _enumerate(accuracy, votes, n_labels)
    if outcomes is not None:
        scores, probability = outcomes
        return Fineness(float(probability @ _true_wins(scores)))
    return simulated_fineness(
        accuracy, votes, n_labels=n_labels, draws=draws, rng=np.random.default_rng(seed)
    )


def simulated_fineness(
    accuracy: FloatArray, votes: IntArray, *, n_labels: int, draws: int, rng: np.random.Generator
) -> Fineness:
    """Fineness of a weighted majority from simulated cases, with its standard error.

    Parameters
    ----------
    accuracy : ndarray of float with shape (n_raters,)
        Each rater's probability of a right reading.
    votes : ndarray of int with shape (n_raters,)
        Weights in whole steps (`whole_weights`).
    n_labels, draws : int
        Number of labels, and of simulated cases, 2 or more each.
    rng : numpy.random.Generator
        Source of randomness.
    """
    if draws < 2:
        raise ValueError(f"draws must be 2 or more, got {draws}")
    won = np.concatenate(
        [
            _true_wins(_draw_scores(rng, accuracy, votes, n_labels, size))
            for size in _chunks(draws, max(1, 2**22 // (len(accuracy) + n_labels)))
        ]
    )
    # Where every draw ends alike, the error is about what one other draw would make of it: never exactly 0.
    return Fineness(float(won.mean()), float(max(won.std(ddof=1) / np.sqrt(draws), 1 / draws)))


def whole_weights(weight: ArrayLike, n_raters: int) -> IntArray:
    """Weights in whole steps of the largest by `WEIGHT_STEPS`, with shape (n_raters,).

    Raises
    ------
    ValueError
        For another number of weights, or one that is negative, unknown or infinite.
    """
    weight = np.asarray(weight, np.float64)
    if weight.shape != (n_raters,):
        raise ValueError(f"weight must have one value for each of {n_raters} raters, got {weight.shape}")
    if not ((weight >= 0) & np.isfinite(weight)).all():
        raise ValueError(f"weight must be known, finite and 0 or more, got {weight.min()} to {weight.max()}")
    largest = weight.max(initial=0)
    return np.round(weight / (largest if largest > 0 else 1) * WEIGHT_STEPS).astype(np.int64)


def _enumerate(accuracy: FloatArray, votes: IntArray, n_labels: int) -> tuple[IntArray, FloatArray] | None:
    """Sums of votes with their probabilities; None where there may be more than `MOST_OUTCOMES`.

    Scores have shape (n_outcomes, n_labels), the true label's first. With two labels only the difference of
    both matters; with more, the wrong labels are alike and are kept in order.
    """
    if _most_outcomes(votes, n_labels) > MOST_OUTCOMES:
        return None
    scores: IntArray = np.zeros((1, n_labels), np.int64)
    probability: FloatArray = np.ones(1)
    for right, vote in zip(accuracy.tolist(), votes.tolist(), strict=True):
        scores = np.concatenate([_voted(scores, label, vote) for label in range(n_labels)])
        share = np.repeat([right, *[(1 - right) / (n_labels - 1)] * (n_labels - 1)], len(probability))
        probability = np.tile(probability, n_labels) * share
        if n_labels == 2:
            scores -= scores.min(axis=1, keepdims=True)
        else:
            scores[:, 1:].sort(axis=1)
        scores, probability = _merge(scores, probability)
    return scores, probability


def _most_outcomes(votes: IntArray, n_labels: int) -> int:
    """Bound the number of different sums: by the outcomes of all raters, and by the grid of the weights."""
    grid = int(votes.sum()) // int(np.gcd.reduce(votes)) + 1
    return min(n_labels ** len(votes), grid ** (n_labels - 1))


def _voted(scores: IntArray, label: int, vote: int) -> IntArray:
    """Scores after one more vote for a label."""
    after = scores.copy()
    after[:, label] += vote
    return after


def _merge(scores: IntArray, probability: FloatArray) -> tuple[IntArray, FloatArray]:
    """Add up the probabilities of equal scores."""
    order = np.lexsort(scores.T)
    ordered = scores[order]
    first = np.flatnonzero(np.append(True, (np.diff(ordered, axis=0) != 0).any(axis=1)))
    return ordered[first], np.add.reduceat(probability[order], first)


def _true_wins(scores: IntArray | FloatArray) -> FloatArray:
    """P(label 0 wins) for each row of scores: 1, 0, or a share of a tie; with shape (n_outcomes,)."""
    best = scores.max(axis=1)
    return (scores[:, 0] == best) / (scores == best[:, None]).sum(axis=1)


def _draw_scores(
    rng: np.random.Generator, accuracy: FloatArray, votes: IntArray, n_labels: int, n_cases: int
) -> FloatArray:
    """Sums of votes of simulated cases, the true label's first, with shape (n_cases, n_labels)."""
    wrong = rng.random((n_cases, len(accuracy))) >= accuracy
    label = np.where(wrong, rng.integers(1, n_labels, wrong.shape), 0)
    cell = np.arange(n_cases)[:, None] * n_labels + label
    # Whole numbers below 2^53: sums of floats are exact.
    scores = np.bincount(cell.ravel(), np.tile(votes.astype(np.float64), n_cases), n_cases * n_labels)
    return scores.astype(np.float64).reshape(n_cases, n_labels)


def _chunks(total: int, size: int) -> list[int]:
    """Sizes of parts, none above ``size``, that add up to ``total``."""
    return [min(size, total - start) for start in range(0, total, size)]
