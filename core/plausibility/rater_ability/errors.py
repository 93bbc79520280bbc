"""Standard errors of abilities and leanings; see `core.plausibility.rater_ability.model`."""

from __future__ import annotations

import numpy as np
from scipy.linalg import pinvh
from scipy.sparse import csr_array

from core.plausibility.rater_ability.likelihood import (
    ABILITY_SPREAD,
    LEANING_SPREAD,
    SPREAD_SPREAD,
    Choices,
    Parameters,
    Scores,
    describe,
)
from core.study.model import FloatArray

MOST_PARAMETERS = 1200
"""Parameters whose covariance is computed, from a matrix of their square."""
_STEP = 1e-4


def standard_errors(
    data: Choices, at: Parameters, found: Scores
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Standard errors of ability and of the three answers of `describe`, in this order and their shapes.

    NaN where there are more than `MOST_PARAMETERS` parameters.

    Notes
    -----
    The information of the parameters is Σ_i g_i g_iᵀ, with g_i the derivative of the log-likelihood of
    case i (Berndt, Hall, Hall and Hausman 1974), plus that of the prior. Its inverse, kept to
    the centred leanings, is their covariance; answers follow by the delta method, with derivatives by central
    differences: those of a rater depend on the rater's own parameters and on σ alone.
    """
    answers = describe(at)
    n, k = data.n_raters, data.n_labels
    if n * (k + 1) + k + 1 > MOST_PARAMETERS:
        nothing = (np.full(np.shape(value), np.nan) for value in (at.ability, *answers))
        one, two, three, four = nothing
        return one, two, three, four
    covariance = _covariance(data, at, found)
    own = np.column_stack([np.arange(n), n + np.arange(n * k).reshape(n, k), np.full(n, n * (k + 1) + k)])
    block = covariance[own[:, :, None], own[:, None, :]]
    errors = [np.sqrt(block[:, 0, 0])]
    for derivative in _derivatives(at):
        variance = np.einsum("par...,pab,pbr...->pr...", derivative, block, derivative)
        errors.append(np.sqrt(np.maximum(variance, 0)))
    ability, accuracy, unclear, recall = errors
    return ability, accuracy[:, 0], unclear, recall


def _covariance(data: Choices, at: Parameters, found: Scores) -> FloatArray:
    """Covariance of abilities, leanings, logits of prevalence and log σ."""
    n, k = data.n_raters, data.n_labels
    n_cases = len(data.case_start) - 1
    case = np.repeat(np.arange(n_cases), np.diff(data.case_start))
    column = np.column_stack([n + data.rater[:, None] * k + np.arange(k), data.rater])
    of_raters = csr_array(
        (found.reading.ravel(), (np.repeat(case, k + 1), column.ravel())), shape=(n_cases, n * (k + 1))
    ).toarray()
    prevalence = np.exp(at.log_prevalence)
    of_truth = found.truth - found.truth.sum(axis=1, keepdims=True) * prevalence
    gradient = np.column_stack([of_raters, of_truth, found.by_spread(at.log_spread)])
    information = gradient.T @ gradient
    size = n * (k + 1)
    information[np.arange(n), np.arange(n)] += ABILITY_SPREAD**-2
    information[np.arange(n, size), np.arange(n, size)] += LEANING_SPREAD**-2
    information[size:-1, size:-1] += np.diag(prevalence) - np.outer(prevalence, prevalence)
    information[-1, -1] += SPREAD_SPREAD**-2
    centre = np.eye(len(information))
    centre[n:size, n:size] = np.kron(
        np.eye(n) - np.outer(np.ones(n), data.share), np.eye(k) - np.full((k, k), 1 / k)
    )
    centre[size:-1, size:-1] -= 1 / k
    return centre @ pinvh(centre.T @ information @ centre) @ centre.T


def _derivatives(at: Parameters) -> list[FloatArray]:
    """Derivatives of the answers by ability, each leaning and log σ: (n_raters, n_parameters, n_columns)."""
    n, k = at.leaning.shape
    moves = [at._replace(ability=at.ability + sign * _STEP) for sign in (1, -1)]
    pairs = [moves]
    for label in range(k):
        step = np.zeros(k)
        step[label] = _STEP
        pairs.append([at._replace(leaning=at.leaning + sign * step) for sign in (1, -1)])
    pairs.append([at._replace(log_spread=at.log_spread + sign * _STEP) for sign in (1, -1)])
    slopes = []
    for up, down in pairs:
        found = zip(describe(up), describe(down), strict=True)
        slopes.append([(a - b).reshape(n, -1) / (2 * _STEP) for a, b in found])
    return [np.stack(of_answer, axis=1) for of_answer in zip(*slopes, strict=True)]
