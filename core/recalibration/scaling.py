"""Temperature, vector, matrix and Dirichlet scaling of class probabilities with label histograms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from scipy.optimize import minimize
from scipy.special import softmax

from core.compiled import njit
from core.recalibration.probabilities import check_histograms
from core.study.model import FloatArray, IntArray, freeze

Method = Literal["temperature", "vector", "matrix", "Dirichlet"]
METHODS: tuple[Method, ...] = get_args(Method)

HOTTEST = 100.0
"""Temperatures are sought from 1/100 to 100."""

SMALLEST = float(np.finfo(np.float64).tiny)
"""What a scaled probability that is too small for a number becomes."""


@dataclass(frozen=True, eq=False)
class Scaling:
    """A fitted map of class probabilities, softmax(W z + b).

    Attributes
    ----------
    method : {"temperature", "vector", "matrix", "Dirichlet"}
        What W may be: a number, a diagonal, or any matrix.
    weight : ndarray of float64 with shape (), (n_labels,) or (n_labels, n_labels)
        W.
    bias : ndarray of float64 with shape (n_labels,)
        b; 0 for temperature scaling.
    loss : float
        Mean negative log-likelihood of a label at the fit, penalty included.
    """

    method: Method
    weight: FloatArray
    bias: FloatArray
    loss: float

    @property
    def temperature(self) -> float:
        """Temperature, 1/W: above 1 where the model was too sure of itself."""
        if self.method != "temperature":
            raise ValueError(f"only temperature scaling has a temperature, got {self.method} scaling")
        return float(1 / self.weight)

    def apply(self, probability: FloatArray) -> FloatArray:
        """Scale class probabilities with shape (n_cases, n_labels), which are above 0 and stay so."""
        logits = _linear(_scores(probability, self.method), self.weight, self.bias)
        return np.maximum(softmax(logits, axis=1), SMALLEST)


def fit_scaling(
    probability: FloatArray,
    counts: IntArray,
    *,
    method: Method = "temperature",
    strength: float = 0.01,
    start: Scaling | None = None,
) -> Scaling:
    """Fit a scaling to label histograms by the multinomial likelihood.

    Parameters
    ----------
    probability : ndarray of float with shape (n_cases, n_labels)
        The model's, above 0.
    counts : ndarray of int with shape (n_cases, n_labels)
        Label histograms.
    method : {"temperature", "vector", "matrix", "Dirichlet"}
        The form of W.
    strength : float
        Strength of the penalty, above 0, on the mean squares of W − I and of b; temperature scaling has none.
        It keeps the bias of a label that nobody chose finite.
    start : Scaling, optional
        A fit of the same method to begin from, such as one with a stronger penalty: it changes the path, not
        the optimum. Temperature scaling needs none.

    Raises
    ------
    ValueError
        If the method is unknown, the strength is not above 0, and as
        `core.recalibration.probabilities.check_histograms` does.

    Notes
    -----
    Minimises −Σ_i Σ_k y_ik log p_ik / Σ_i n_i, with p = softmax(W z + b). Vector and matrix scaling take
    z = log f less its mean over labels, for logits are known up to a constant only; Dirichlet scaling takes
    z = log f (Kull 2019); for a temperature it makes no difference (Guo 2017).
    """
    if method not in METHODS:
        raise ValueError(f"method must be one of {', '.join(METHODS)}, got {method!r}")
    if not 0 < strength < np.inf:
        raise ValueError(f"strength must be finite and above 0, got {strength}")
    counts = check_histograms(probability, counts)
    n_labels = counts.shape[1]
    scores = _scores(probability, method)
    if method == "temperature":
        return _fit_temperature(scores, counts)
    neutral = np.ones(n_labels) if method == "vector" else np.eye(n_labels)
    found = minimize(
        _objective,
        _parameters(neutral, np.zeros(n_labels)) if start is None else _parameters(start.weight, start.bias),
        args=(scores, counts, neutral, strength),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": 2000, "ftol": 1e-12, "gtol": 1e-7, "maxcor": 20},
    )
    weight = found.x[:-n_labels].reshape(neutral.shape)
    return Scaling(method, freeze(weight), freeze(found.x[-n_labels:].copy()), float(found.fun))


def _parameters(weight: FloatArray, bias: FloatArray) -> FloatArray:
    """W and b in one row."""
    return np.concatenate([weight.ravel(), bias])


def _fit_temperature(scores: FloatArray, counts: IntArray) -> Scaling:
    """Find the temperature; its logarithm is sought."""
    n_labels = counts.shape[1]
    no_bias = np.zeros(n_labels)

    def objective(parameters: FloatArray) -> tuple[float, FloatArray]:
        weight = float(np.exp(-parameters[0]))
        loss, by_weight, _ = _loss(scores, np.full(n_labels, weight), no_bias, counts)
        return loss, np.array([-weight * by_weight.sum()])

    edge = float(np.log(HOTTEST))
    found = minimize(
        objective,
        np.zeros(1),
        jac=True,
        method="L-BFGS-B",
        bounds=[(-edge, edge)],
        options={"maxiter": 200, "ftol": 1e-15, "gtol": 1e-10},
    )
    weight = np.array(np.exp(-found.x[0]))
    return Scaling("temperature", freeze(weight), freeze(np.zeros(counts.shape[1])), float(found.fun))


def _scores(probability: FloatArray, method: Method) -> FloatArray:
    """Return z of the model's probabilities."""
    scores = np.log(np.asarray(probability, np.float64))
    return scores if method == "Dirichlet" else scores - scores.mean(axis=1, keepdims=True)


def _linear(scores: FloatArray, weight: FloatArray, bias: FloatArray) -> FloatArray:
    """W z + b of each case."""
    return (scores @ weight.T if weight.ndim == 2 else scores * weight) + bias


def _loss(
    scores: FloatArray, weight: FloatArray, bias: FloatArray, counts: IntArray
) -> tuple[float, FloatArray, FloatArray]:
    """Mean negative log-likelihood of a label, and its derivatives by W, a matrix or its diagonal, and b."""
    by_weight, by_bias = np.zeros_like(weight), np.zeros_like(bias)
    rows = (len(bias), -1)
    loss = _add_cases(scores, weight.reshape(rows), bias, counts, by_weight.reshape(rows), by_bias)
    total = counts.sum()
    return float(loss / total), by_weight / total, by_bias / total


# Compiled, case by case: whole matrices are slower on one core, and the threads of a product of matrices so
# small cost more than they save.


@njit(cache=True, nogil=True)
def _residual(logits: FloatArray, counts: IntArray, residual: FloatArray) -> float:
    """Negative log-likelihood of one case's labels; fills in its derivative by the logits."""
    largest = logits.max()
    total = 0.0
    for k in range(len(logits)):
        residual[k] = np.exp(logits[k] - largest)
        total += residual[k]
    log_total = np.log(total) + largest
    n = counts.sum()
    loss = 0.0
    for k in range(len(logits)):
        loss += counts[k] * (log_total - logits[k])
        residual[k] = n * residual[k] / total - counts[k]
    return loss


@njit(cache=True, nogil=True)
def _add_cases(
    scores: FloatArray,
    weight: FloatArray,
    bias: FloatArray,
    counts: IntArray,
    by_weight: FloatArray,
    by_bias: FloatArray,
) -> float:
    """Sum the loss of all cases, and its derivatives, for a W with shape (n, n), or (n, 1) for a diagonal."""
    n_cases, n_labels = scores.shape
    width = weight.shape[1]
    logits, residual = np.empty(n_labels), np.empty(n_labels)
    loss = 0.0
    for i in range(n_cases):
        for k in range(n_labels):
            first = k if width < n_labels else 0
            logits[k] = bias[k]
            for m in range(width):
                logits[k] += weight[k, m] * scores[i, first + m]
        loss += _residual(logits, counts[i], residual)
        for k in range(n_labels):
            first = k if width < n_labels else 0
            by_bias[k] += residual[k]
            for m in range(width):
                by_weight[k, m] += residual[k] * scores[i, first + m]
    return loss


def _objective(
    parameters: FloatArray, scores: FloatArray, counts: IntArray, neutral: FloatArray, strength: float
) -> tuple[float, FloatArray]:
    """Penalised loss and its gradient by W and b."""
    n_labels = counts.shape[1]
    weight, bias = parameters[:-n_labels].reshape(neutral.shape), parameters[-n_labels:]
    loss, by_weight, by_bias = _loss(scores, weight, bias, counts)
    away = weight - neutral
    loss += strength * float(np.mean(away**2) + np.mean(bias**2))
    by_weight += 2 * strength * away / away.size
    by_bias += 2 * strength * bias / n_labels
    return loss, _parameters(by_weight, by_bias)
