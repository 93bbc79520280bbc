"""Losses of what a model says about disagreement: the probability that raters of a case disagree."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.metrics.calibration.bins import Binning
from core.metrics.calibration.loss_sums import CASES_AT_ONCE, LossAccumulator, LossSums
from core.metrics.calibration.losses import (
    CALIBRATION,
    EXPECTED,
    REFINEMENT,
    Loss,
    LossEstimate,
    bin_calibration,
    refinement,
)
from core.study.model import FloatArray


def independent_disagreement(probability: FloatArray) -> FloatArray:
    """Probability that two raters disagree, if both draw their label from the model's class probabilities.

    Parameters
    ----------
    probability : ndarray of float with shape (n_cases, n_labels)
        Rows sum to 1; a row of NaN was not predicted.

    Returns
    -------
    ndarray of float64 with shape (n_cases,)
        1 − Σ_k f_k², in [0, 1 − 1/K]; NaN where not predicted (Mimori 2021, eq. 17).
    """
    # In ascending order: the sum is the same whatever the order of the labels, and falls into the same bin.
    f = np.sort(np.asarray(probability, dtype=np.float64), axis=1)
    return np.maximum(1 - np.einsum("ik,ik->i", f, f), 0)


def statistic_sums(
    observed: FloatArray,
    estimate: FloatArray,
    *,
    binning: Binning = Binning(),  # noqa: B008 - frozen
    weights: NDArray[np.uint8] | None = None,
) -> LossSums:
    """Add up the cases that have both an observed statistic and an estimate of it.

    Parameters
    ----------
    observed : ndarray of float64 with shape (n_cases,)
        Unbiased estimate, from the labels, of the probability that a statement about the raters is true, such
        as `core.metrics.calibration.u_statistics.pair_disagreement`, or the share of raters who chose a
        label; in [0, 1], NaN where there were too few labels.
    estimate : ndarray of float with shape (n_cases,)
        What the model says, in [0, 1]; NaN where it says nothing.
    binning : Binning
        Bins of the estimates.
    weights : ndarray of uint8 with shape (n_cases, S), optional
        How often each case enters each sample; once by default.

    Returns
    -------
    LossSums
        Of a single class, the statement. Nothing in it says how noisy an observed value is.

    Raises
    ------
    ValueError
        Where the shapes differ, or a value lies outside [0, 1].
    """
    if observed.ndim != 1 or estimate.shape != observed.shape:
        raise ValueError(
            f"observed and estimate must have one shape (n_cases,), got {observed.shape} and {estimate.shape}"
        )
    if ((observed < 0) | (observed > 1)).any():
        raise ValueError(
            f"observed values must lie between 0 and 1, got {np.nanmin(observed)} to {np.nanmax(observed)}"
        )
    edges = binning.edges(estimate[:, None])
    n_cases = len(observed)
    weights = np.ones((n_cases, 1), np.uint8) if weights is None else weights
    accumulator = LossAccumulator(edges, weights.shape[1])
    for first in range(0, n_cases, CASES_AT_ONCE):
        block = slice(first, first + CASES_AT_ONCE)
        known = observed[block, None]
        accumulator.add(known, estimate[block, None], np.ones(len(known)), weights[block])
    return accumulator.sums()


def statistic_losses(
    observed: FloatArray,
    estimate: FloatArray,
    *,
    binning: Binning = Binning(),  # noqa: B008 - frozen
    weights: NDArray[np.uint8] | None = None,
) -> dict[str, Loss]:
    """Estimate the expected squared loss of estimates of a binary statistic, and its calibration loss.

    Parameters
    ----------
    observed : ndarray of float64 with shape (n_cases,)
        Unbiased estimate, from the labels, of the probability that the statement is true, in [0, 1]; NaN
        where there were too few labels.
    estimate : ndarray of float with shape (n_cases,)
        What the model says, in [0, 1]; NaN where it says nothing.
    binning : Binning
        Bins of the estimates.
    weights : ndarray of uint8 with shape (n_cases, S), optional
        How often each case enters each sample; once by default.

    Returns
    -------
    dict of str to Loss
        ``expected squared loss``, ``calibration loss`` and ``refinement loss``, of a single class.

    Raises
    ------
    ValueError
        Where the shapes differ, or a value lies outside [0, 1].

    Notes
    -----
    With φ̂ the observed value and φ' the estimate: mean over cases of φ̂ (1 − φ')² + (1 − φ̂) φ'², which has no
    bias (L_φ of Mimori 2021); CL_φ as `core.metrics.calibration.losses.bin_calibration`, with φ̂ in place of
    μ̂.
    """
    return statistic_losses_of(statistic_sums(observed, estimate, binning=binning, weights=weights))


def statistic_losses_of(sums: LossSums) -> dict[str, Loss]:
    """Estimates of `statistic_losses` from sums over cases."""
    n_cases = int(sums.n[0])
    total = sums.squared_one + (sums.bins.observed - sums.bins.observed_squared).sum(axis=1)
    n = np.broadcast_to(sums.n, total.shape)
    mean = np.divide(total, n, out=np.full(total.shape, np.nan), where=n > 0)
    expected = LossEstimate(mean, n_cases)
    calibration = bin_calibration(sums.bins)
    return {
        EXPECTED: Loss(expected, expected, np.zeros(1, np.int64)),
        CALIBRATION: calibration,
        REFINEMENT: refinement(expected, calibration),
    }
