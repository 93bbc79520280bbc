"""Expectation–maximisation of Dawid–Skene: its steps, compiled."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from core.compiled import njit
from core.study.model import FloatArray, IntArray


class PatternData(NamedTuple):
    """Patterns of choices as the kernels take them; ``used[r]`` is where the cells of rater r begin.

    ``weight`` is how many cases have a pattern, ``known`` their truth where that is known, else −1.
    """

    start: IntArray
    cell_of: IntArray
    weight: FloatArray
    known: IntArray
    used: IntArray
    label: IntArray


class _Estimates(NamedTuple):
    """Logarithms of the parameters: P(truth), P(reading of a cell | truth), P(label not used | truth)."""

    log_prevalence: FloatArray
    log_confusion: FloatArray
    log_unused: FloatArray


@njit(cache=True, nogil=True, error_model="numpy")
def fit_by_em(
    data: PatternData, n_labels: int, diagonal: float, even: float, tolerance: float, max_iterations: int
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Iterate; see `core.plausibility.dawid_skene.fit_dawid_skene`."""
    expected = np.zeros((len(data.label), n_labels))
    of_truth = np.zeros(n_labels)
    estimates = _Estimates(
        np.zeros(n_labels), np.zeros((len(data.label), n_labels)), np.zeros((len(data.used) - 1, n_labels, 2))
    )
    history = np.empty(max_iterations)
    _expect_by_shares(data, expected, of_truth)
    for iteration in range(max_iterations):
        log_prior = _maximise(data, diagonal, even, expected, of_truth, estimates)
        history[iteration] = _expect(data, estimates, log_prior, expected, of_truth)
        if iteration > 0 and history[iteration] - history[iteration - 1] < tolerance:
            history = history[: iteration + 1]
            break
    return np.exp(estimates.log_prevalence), estimates.log_confusion, estimates.log_unused, history


@njit(cache=True, nogil=True, error_model="numpy")
def _maximise(
    data: PatternData,
    diagonal: float,
    even: float,
    expected: FloatArray,
    of_truth: FloatArray,
    estimates: _Estimates,
) -> float:
    """M step: fill the estimates from the expected counts; return the log-prior there."""
    used, label = data.used, data.label
    log_prevalence, log_confusion, log_unused = estimates
    n_labels = len(of_truth)
    log_prior = 0.0
    all_truths = even * n_labels
    for k in range(n_labels):
        all_truths += of_truth[k]
    for k in range(n_labels):
        log_prevalence[k] = np.log((of_truth[k] + even) / all_truths)
        log_prior += even * log_prevalence[k]
    for r in range(len(used) - 1):
        n_used = used[r + 1] - used[r]
        for k in range(n_labels):
            total = diagonal + even * n_labels
            for cell in range(used[r], used[r + 1]):
                total += expected[cell, k]
            log_unused[r, k, 0] = np.log(even / total)
            log_unused[r, k, 1] = np.log((even + diagonal) / total)
            own_used = 0
            for cell in range(used[r], used[r + 1]):
                own = label[cell] == k
                own_used += own
                prior = even + diagonal if own else even
                log_confusion[cell, k] = np.log((expected[cell, k] + prior) / total)
                log_prior += prior * log_confusion[cell, k]
            own_unused = 1 - own_used
            log_prior += own_unused * (even + diagonal) * log_unused[r, k, 1]
            log_prior += (n_labels - n_used - own_unused) * even * log_unused[r, k, 0]
    return log_prior


@njit(cache=True, nogil=True, error_model="numpy")
def _expect(
    data: PatternData, estimates: _Estimates, log_prior: float, expected: FloatArray, of_truth: FloatArray
) -> float:
    """E step: fill the expected counts; return the log-posterior, the log-likelihood added to the prior."""
    start, cell_of = data.start, data.cell_of
    log_prevalence, log_confusion = estimates.log_prevalence, estimates.log_confusion
    n_labels = len(of_truth)
    truth = np.empty(n_labels)
    expected[:] = 0
    of_truth[:] = 0
    for pattern in range(len(start) - 1):
        first, last = start[pattern], start[pattern + 1]
        truth[:] = log_prevalence
        for reading in range(first, last):
            for k in range(n_labels):
                truth[k] += log_confusion[cell_of[reading], k]
        largest = -np.inf
        for k in range(n_labels):
            if data.known[pattern] >= 0 and data.known[pattern] != k:
                truth[k] = -np.inf
            largest = max(largest, truth[k])
        total = 0.0
        for k in range(n_labels):
            truth[k] = np.exp(truth[k] - largest)
            total += truth[k]
        log_prior += data.weight[pattern] * (largest + np.log(total))
        for k in range(n_labels):
            truth[k] *= data.weight[pattern] / total
        _count(truth, cell_of[first:last], expected, of_truth)
    return log_prior


@njit(cache=True, nogil=True, error_model="numpy")
def _expect_by_shares(data: PatternData, expected: FloatArray, of_truth: FloatArray) -> None:
    """Start: P(truth) of a case is the share of its readings."""
    start, cell_of, label = data.start, data.cell_of, data.label
    truth = np.empty(len(of_truth))
    for pattern in range(len(start) - 1):
        first, last = start[pattern], start[pattern + 1]
        truth[:] = 0
        if data.known[pattern] >= 0:
            truth[data.known[pattern]] = data.weight[pattern]
        else:
            for reading in range(first, last):
                truth[label[cell_of[reading]]] += data.weight[pattern] / (last - first)
        _count(truth, cell_of[first:last], expected, of_truth)


@njit(cache=True, nogil=True, error_model="numpy")
def _count(truth: FloatArray, cells: IntArray, expected: FloatArray, of_truth: FloatArray) -> None:
    """Add the expected cases of each truth to the expected counts of truths and of readings."""
    for k in range(len(truth)):
        of_truth[k] += truth[k]
    for cell in cells:
        for k in range(len(truth)):
            expected[cell, k] += truth[k]
