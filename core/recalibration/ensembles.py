"""An ensemble's members as a distribution over class probabilities, to compare with α-calibration."""

from __future__ import annotations

import numpy as np
from scipy.special import softmax

from core.metrics.calibration.disagreement import independent_disagreement
from core.metrics.calibration.label_histogram import label_histograms
from core.study.model import FloatArray, IntArray

CASES_AT_ONCE = 4096
"""Bounds the memory beside the input."""


def ensemble_weights(ensemble: FloatArray, counts: IntArray) -> FloatArray:
    """Weight of every member after expert labels, by how well it expected those.

    Parameters
    ----------
    ensemble : ndarray of float with shape (n_draws, n_cases, n_labels)
        Class probabilities of every member.
    counts : ndarray of int with shape (n_cases, n_labels)
        How often experts gave each label; 0 everywhere for none.

    Returns
    -------
    ndarray of float64 with shape (n_draws, n_cases)
        Sums to 1 over the draws; even where all members gave a label that was chosen the probability 0.

    Raises
    ------
    ValueError
        If a count is no whole number of 0 or more.

    Notes
    -----
    Member s has the weight Π_k ζ_sk^y_k, divided by the sum over members (Mimori 2021, eq. 18).
    """
    counts = label_histograms(counts).counts
    given = np.where(counts > 0, ensemble, 1.0)
    log_member = np.log(given, where=given > 0, out=np.full(ensemble.shape, -np.inf))
    log_weight = np.where(counts > 0, counts * log_member, 0.0).sum(axis=2)
    log_weight = np.where(np.isneginf(log_weight).all(axis=0), 0.0, log_weight)
    weight: FloatArray = softmax(log_weight, axis=0)
    return weight


def ensemble_disagreement(ensemble: FloatArray, counts: IntArray | None = None) -> FloatArray:
    """Probability that two raters give a case different labels, as the members of an ensemble expect it.

    Parameters
    ----------
    ensemble : ndarray of float with shape (n_draws, n_cases, n_labels)
        Class probabilities of every member.
    counts : ndarray of int with shape (n_cases, n_labels), optional
        How often experts gave each label before.

    Returns
    -------
    ndarray of float64 with shape (n_cases,)
        In [0, 1]; without labels, no more than the disagreement expected of the mean.

    Notes
    -----
    The mean over members, weighted after labels, of 1 − Σ_k ζ_k² (Mimori 2021, eq. 17).
    """
    expected = np.stack([independent_disagreement(member) for member in ensemble])
    if counts is None:
        return expected.mean(axis=0)
    return (ensemble_weights(ensemble, counts) * expected).sum(axis=0)


def ensemble_posterior(ensemble: FloatArray, counts: IntArray) -> FloatArray:
    """Class probabilities after expert labels, with shape (n_cases, n_labels): see `ensemble_weights`."""
    return np.einsum("sc,sck->ck", ensemble_weights(ensemble, counts), ensemble)


def ensemble_epistemic_loss(ensemble: FloatArray, counts: IntArray) -> FloatArray:
    """Unbiased epistemic loss of each case after one of its labels is told, judged by its other labels.

    Parameters
    ----------
    ensemble : ndarray of float with shape (n_draws, n_cases, n_labels)
        Class probabilities of every member.
    counts : ndarray of int with shape (n_cases, n_labels)
        Label histograms.

    Returns
    -------
    ndarray of float64 with shape (n_cases,)
        As `core.recalibration.estimates.posterior_epistemic_loss` gives it for α-calibration.

    Raises
    ------
    ValueError
        If a count is no whole number of 0 or more.
    """
    counts = label_histograms(counts).counts.astype(np.int64)
    n = counts.sum(axis=1)
    case, label = np.nonzero(counts * (n >= 3)[:, None])
    total = np.zeros(len(counts))
    for first in range(0, len(case), CASES_AT_ONCE):
        i, k = case[first : first + CASES_AT_ONCE], label[first : first + CASES_AT_ONCE]
        told = np.zeros((len(i), counts.shape[1]), np.int64)
        told[np.arange(len(i)), k] = 1
        after = ensemble_posterior(ensemble[:, i], told)
        others = counts[i] - told
        n_others = n[i] - 1
        cross = (after * others).sum(axis=1) / n_others
        pairs = (others * (others - 1)).sum(axis=1) / (n_others * (n_others - 1))
        loss = np.square(after).sum(axis=1) - 2 * cross + pairs
        total += np.bincount(i, loss * counts[i, k], minlength=len(counts))
    return np.divide(total, n, out=np.full(len(n), np.nan), where=n >= 3)


def ensemble_concentration(ensemble: FloatArray) -> FloatArray:
    """Concentration of the Dirichlet around the ensemble's mean that expects the same disagreement.

    Parameters
    ----------
    ensemble : ndarray of float with shape (n_draws, n_cases, n_labels)
        Class probabilities of every member.

    Returns
    -------
    ndarray of float64 with shape (n_cases,)
        α0, to lay beside that of α-calibration; infinite where the members are of one mind.

    Notes
    -----
    Solves α0/(α0 + 1) (1 − Σ f²) = the ensemble's disagreement, with f the mean.
    """
    expected = ensemble_disagreement(ensemble)
    spread = independent_disagreement(ensemble.mean(axis=0, dtype=np.float64)) - expected
    return np.divide(expected, spread, out=np.full(len(spread), np.inf), where=spread > 1e-12)
