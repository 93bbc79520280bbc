"""Likelihood of abilities and leanings, with its gradient; see `core.plausibility.rater_ability.model`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.special import expit, log_softmax, logsumexp, softmax

from core.compiled import njit
from core.study.model import FloatArray, IntArray

NODES = np.linspace(-4, 4, 17)
"""Logarithms of the clarity that a case may have."""
CLARITY = np.exp(NODES)


ABILITY_MEAN, ABILITY_SPREAD = 2.0, 1.5
"""Normal prior of abilities, in logits."""
LEANING_SPREAD = 1.0
"""Standard deviation of the normal prior of each leaning, in logits; its mean is 0."""
SPREAD_MEDIAN, SPREAD_SPREAD = 0.6, 1.0
"""Log-normal prior of σ: its median, and the standard deviation of log σ."""


@dataclass(frozen=True, eq=False)
class Choices:
    """Readings of one label by raters of whom each reads something.

    Attributes
    ----------
    case_start : ndarray of int64 with shape (n_cases + 1,)
        Readings of each case.
    rater, label : ndarray of int64 with shape (n_readings,)
        Who says what.
    n_raters, n_labels : int
        Numbers of both.
    """

    case_start: IntArray
    rater: IntArray
    label: IntArray
    n_raters: int
    n_labels: int

    @cached_property
    def share(self) -> FloatArray:
        """Share of the readings that is each rater's, with shape (n_raters,)."""
        return np.bincount(self.rater, minlength=self.n_raters) / len(self.rater)

    def sum_by_rater(self, value: FloatArray) -> FloatArray:
        """Sum columns of values of readings by rater, with shape (n_raters, n_columns)."""
        columns = [np.bincount(self.rater, column, self.n_raters) for column in value.T]
        return np.column_stack(columns)


class Parameters(NamedTuple):
    """Of the model.

    Attributes
    ----------
    ability : ndarray of float64 with shape (n_raters,)
        θ.
    leaning : ndarray of float64 with shape (n_raters, n_labels)
        s.
    log_prevalence : ndarray of float64 with shape (n_labels,)
        log π.
    log_spread : float
        log σ.
    """

    ability: FloatArray
    leaning: FloatArray
    log_prevalence: FloatArray
    log_spread: float


@dataclass(frozen=True, eq=False)
class Scores:
    """What the readings say at some parameters.

    Attributes
    ----------
    log_likelihood : float
        Of all readings, truths and clarities summed out.
    reading : ndarray of float64 with shape (n_readings, n_labels + 1)
        Its derivatives by each leaning and, last, by the ability of the reading's rater, reading by reading.
    truth : ndarray of float64 with shape (n_cases, n_labels)
        P(the label is the truth), given the case's readings; 0 in a case without any.
    node : ndarray of float64 with shape (n_cases, n_nodes)
        P(clarity), given the case's readings; 0 in a case without any.
    """

    log_likelihood: float
    reading: FloatArray
    truth: FloatArray
    node: FloatArray

    def by_spread(self, log_spread: float) -> FloatArray:
        """Derivative of each case's log-likelihood by log σ, with shape (n_cases,)."""
        square = (NODES * np.exp(-log_spread)) ** 2
        expected = float(np.exp(log_node_weights(log_spread)) @ square)
        return self.node @ (square - expected)


def prior(at: Parameters) -> tuple[float, list[FloatArray]]:
    """Log-prior without its constant, and its derivatives by the parameters.

    Notes
    -----
    θ ~ N(`ABILITY_MEAN`, `ABILITY_SPREAD`²); s ~ N(0, `LEANING_SPREAD`²) each; log σ ~ N(log `SPREAD_MEDIAN`,
    `SPREAD_SPREAD`²); π weighs as one case more whose truth is any label alike: Σ_k log π_k / K.
    """
    ability, leaning, log_prevalence, log_spread = at
    off, far = (ability - ABILITY_MEAN) / ABILITY_SPREAD, (log_spread - np.log(SPREAD_MEDIAN)) / SPREAD_SPREAD
    value = log_prevalence.mean() - ((off**2).sum() + (leaning**2).sum() / LEANING_SPREAD**2 + far**2) / 2
    return float(value), [
        -off / ABILITY_SPREAD,
        -leaning / LEANING_SPREAD**2,
        1 / len(log_prevalence) - np.exp(log_prevalence),
        np.array([-far / SPREAD_SPREAD]),
    ]


def _says(at: Parameters) -> tuple[FloatArray, FloatArray]:
    """Log-probabilities of a reading by truth and clarity, each with shape (n_raters, n_labels, n_nodes).

    The first is of naming the truth, the second of any other label, less the rater's leaning to it.
    """
    leaning = at.leaning
    others = leaning[:, None, :] + np.where(np.eye(leaning.shape[1], dtype=bool), -np.inf, 0.0)
    towards = leaning[:, :, None] + at.ability[:, None, None] * CLARITY
    total = np.logaddexp(towards, logsumexp(others, axis=2)[:, :, None])
    return towards - total, -total


def log_node_weights(log_spread: float) -> FloatArray:
    """Log-probability of each clarity on the grid."""
    return log_softmax(-0.5 * (NODES * np.exp(-log_spread)) ** 2)


def describe(at: Parameters) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Accuracy without leaning, what is said of an unclear case, and recall, rater by rater.

    Returns
    -------
    accuracy : ndarray of float64 with shape (n_raters,)
        E[e^{θc} / (e^{θc} + K − 1)] over the clarities c.
    unclear : ndarray of float64 with shape (n_raters, n_labels)
        P(says the label) at c = 0.
    recall : ndarray of float64 with shape (n_raters, n_labels)
        P(says the label | it is the truth) over the clarities.
    """
    weight = np.exp(log_node_weights(at.log_spread))
    towards = at.ability[:, None] * CLARITY
    accuracy = expit(towards - np.log(at.leaning.shape[1] - 1)) @ weight
    return accuracy, softmax(at.leaning, axis=1), np.exp(_says(at)[0]) @ weight


def scores(at: Parameters, data: Choices) -> Scores:
    """Evaluate the likelihood and what its derivatives are made of."""
    right, wrong = _says(at)
    return Scores(
        *_scores(
            data.case_start,
            data.rater,
            data.label,
            right,
            wrong,
            np.exp(right),
            np.exp(wrong),
            at.leaning,
            np.exp(at.leaning),
            at.log_prevalence,
            log_node_weights(at.log_spread),
            CLARITY,
        )
    )


@njit(cache=True, nogil=True, error_model="numpy")
def _scores(  # noqa: C901, PLR0912, PLR0913, PLR0917 - compiled code takes arrays one by one
    case_start: IntArray,
    rater: IntArray,
    label: IntArray,
    log_right: FloatArray,
    log_wrong: FloatArray,
    right: FloatArray,
    wrong: FloatArray,
    leaning: FloatArray,
    odds: FloatArray,
    log_prevalence: FloatArray,
    log_weight: FloatArray,
    clarity: FloatArray,
) -> tuple[float, FloatArray, FloatArray, FloatArray]:
    """Go through the cases; see `Scores`."""
    n_cases, n_labels, n_nodes = len(case_start) - 1, len(log_prevalence), len(log_weight)
    likelihood = 0.0
    by_reading = np.zeros((len(rater), n_labels + 1))
    truth = np.zeros((n_cases, n_labels))
    node = np.zeros((n_cases, n_nodes))
    joint = np.empty((n_labels, n_nodes))
    elsewhere = np.empty(n_labels)
    for case in range(n_cases):
        first, last = case_start[case], case_start[case + 1]
        if first == last:
            continue
        for k in range(n_labels):
            for q in range(n_nodes):
                joint[k, q] = log_prevalence[k] + log_weight[q]
            for reading in range(first, last):
                r, said = rater[reading], label[reading]
                if said == k:
                    for q in range(n_nodes):
                        joint[k, q] += log_right[r, k, q]
                else:
                    for q in range(n_nodes):
                        joint[k, q] += log_wrong[r, k, q] + leaning[r, said]
        largest = joint.max()
        total = 0.0
        for k in range(n_labels):
            for q in range(n_nodes):
                joint[k, q] = np.exp(joint[k, q] - largest)
                total += joint[k, q]
        likelihood += largest + np.log(total)
        for k in range(n_labels):
            for q in range(n_nodes):
                joint[k, q] /= total
                truth[case, k] += joint[k, q]
                node[case, q] += joint[k, q]
        for reading in range(first, last):
            r, said = rater[reading], label[reading]
            all_elsewhere = 0.0
            by_ability = 0.0
            for k in range(n_labels):
                elsewhere[k] = 0.0
                named = 0.0
                for q in range(n_nodes):
                    elsewhere[k] += joint[k, q] * wrong[r, k, q]
                    expected = joint[k, q] * right[r, k, q]
                    named += expected
                    by_ability -= clarity[q] * expected
                all_elsewhere += elsewhere[k]
                by_reading[reading, k] = -named
            for q in range(n_nodes):
                by_ability += clarity[q] * joint[said, q]
            for k in range(n_labels):
                by_reading[reading, k] -= odds[r, k] * (all_elsewhere - elsewhere[k])
            by_reading[reading, said] += 1.0
            by_reading[reading, n_labels] = by_ability
    return likelihood, by_reading, truth, node
