"""How far every rater's confusion matrix is known: draws of the Dawid–Skene posterior."""

from __future__ import annotations

import numpy as np

from core.plausibility.dawid_skene import DawidSkene
from core.study.model import FloatArray, IntArray, Readings

N_DRAWS, WARMUP = 1000, 100
MOST_ENTRIES = 20_000
"""Entries of all confusion matrices together that draws are kept of."""
MOST_WORK = 10**6
"""Readings times labels that a draw goes through."""


def too_large(readings: Readings, n_labels: int, n_raters: int) -> str:
    """Say why draws would take too long, or too much memory; empty where they do not."""
    if n_raters * n_labels**2 > MOST_ENTRIES:
        return f"{n_raters:,} raters and {n_labels:,} labels have more than {MOST_ENTRIES:,} entries"
    if readings.n_readings * n_labels > MOST_WORK:
        return f"readings times labels are more than {MOST_WORK:,}"
    return ""


def confusion_draws(
    readings: Readings,
    fitted: DawidSkene,
    rng: np.random.Generator,
    *,
    known: IntArray | None = None,
    diagonal: float = 1.0,
    total: float = 1.0,
    n_draws: int = N_DRAWS,
    warmup: int = WARMUP,
) -> FloatArray:
    """Draw confusion matrices by Gibbs sampling, from the fit on.

    Parameters
    ----------
    readings : Readings
        That the model was fitted to.
    fitted : DawidSkene
        Where the chain begins.
    rng : numpy.random.Generator
        Source of the draws.
    known : ndarray of int with shape (n_cases,), optional
        As `core.plausibility.dawid_skene.fit_dawid_skene`.
    diagonal, total : float
        Prior of that fit; ``total`` above 0.
    n_draws, warmup : int
        Draws kept, and dropped before them.

    Returns
    -------
    ndarray of float32 with shape (n_draws, n_raters, n_labels, n_labels)
        P(the rater says the last | the truth is the one before); rows sum to 1.

    Raises
    ------
    ValueError
        Without a prior, or where there would be too many numbers (`too_large`).

    Notes
    -----
    The prior is Dirichlet(total / K + diagonal·[k = l]) for each rater and truth, Dirichlet(total / K) for
    the prevalences: given the truths, the posterior mean of an entry is the very number that the M step of
    the fit gives. Truths and matrices are drawn in turn, each given the other, so that what is not known of
    the truths widens what is known of the raters.
    """
    n_raters, n_labels = len(fitted.log_unused), len(fitted.prevalence)
    reason = too_large(readings, n_labels, n_raters)
    if reason:
        raise ValueError(f"confusion cannot be drawn: {reason}")
    if not total > 0:
        raise ValueError(f"confusion can be drawn under a prior only: total must be above 0, got {total}")
    even = total / n_labels
    prior = even + diagonal * np.eye(n_labels)
    filled = np.flatnonzero(readings.per_case > 0)
    starts, case = readings.case_start[filled], readings.case
    gold = None if known is None else np.asarray(known)[filled]
    place = np.zeros(readings.n_cases, np.int64)
    place[filled] = np.arange(len(filled))
    offset = readings.rater.astype(np.int64) * n_labels**2 + readings.label
    log_confusion = np.log(np.stack([fitted.confusion(rater) for rater in range(n_raters)]))
    log_prevalence = np.log(fitted.prevalence)
    kept = np.empty((n_draws, n_raters, n_labels, n_labels), np.float32)
    for draw in range(-warmup, n_draws):
        log_truth = np.add.reduceat(log_confusion[readings.rater, :, readings.label], starts, axis=0)
        log_truth += log_prevalence
        # The largest of log-probabilities with Gumbel noise is a draw of the label.
        truth = np.argmax(log_truth + rng.gumbel(size=log_truth.shape), axis=1)
        if gold is not None:
            truth = np.where(gold >= 0, gold, truth)
        given = np.bincount(offset + truth[place[case]] * n_labels, minlength=n_raters * n_labels**2)
        confusion = _dirichlet(given.reshape(n_raters, n_labels, n_labels) + prior, rng)
        log_confusion = np.log(confusion)
        log_prevalence = np.log(_dirichlet(np.bincount(truth, minlength=n_labels) + even, rng))
        if draw >= 0:
            kept[draw] = confusion
    return kept


def _dirichlet(parameters: FloatArray, rng: np.random.Generator) -> FloatArray:
    """Draw along the last axis; never 0, so that logarithms are finite."""
    drawn = np.maximum(rng.standard_gamma(parameters), np.finfo(np.float64).tiny)
    shares: FloatArray = drawn / drawn.sum(axis=-1, keepdims=True)
    return np.maximum(shares, np.finfo(np.float64).tiny)
