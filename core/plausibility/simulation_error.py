"""How far shares that are counted over draws may be from those of endless draws."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import special

from core.plausibility.posterior import Posterior, SampledPosterior
from core.study.model import FloatArray, IntArray

LEVEL = 0.95
"""Confidence level of a simulation error."""
_PAIRS = 2048
"""Pairs of labels whose draws are laid out at once, to keep memory small."""


def is_simulated(posterior: Posterior) -> bool:
    """Whether probabilities are counted over draws: not those of a point mass, nor exact ones."""
    return isinstance(posterior, SampledPosterior) and posterior.draws.n_draws > 1


def error_of_difference(posterior: SampledPosterior, first: IntArray, second: IntArray) -> FloatArray:
    """Simulation error of how much more often one label leads than another one.

    Parameters
    ----------
    posterior : SampledPosterior
        Draws chain after chain.
    first, second : ndarray of int with shape (n_pairs,)
        Slots of candidates, both of the same case.

    Returns
    -------
    ndarray of float64 with shape (n_pairs,)
        Half the length of the `LEVEL` interval of P(first leads) − P(second leads), 0 or more.

    Notes
    -----
    In draw t let D_t be 1 where the first leads, −1 where the second does and 0 elsewhere; labels that are
    alike share what any of them has. Draws of a chain depend on each other, so the variance of the mean is
    taken from the means of batches of √n draws in a row, with Student's t for their number (batch means:
    Flegal and Jones 2010). It is not taken to be less than that of independent draws, (E D² − (E D)²)/n.
    """
    of, draws = posterior.candidates, posterior.draws
    if len(first) == 0:
        return np.zeros(0)
    alike = draws.alike
    size = np.bincount(alike, minlength=len(alike))[alike]
    error = np.empty(len(first))
    leaders = posterior.leaders(1)[:, :, 0]
    for begin in range(0, len(first), _PAIRS):
        pairs = slice(begin, begin + _PAIRS)
        case = of.case[first[pairs]]
        code = leaders[case].astype(np.int64)
        slot = np.where(code >= 0, code + of.start[case][:, None], -1)
        group = np.where(slot >= 0, alike[np.maximum(slot, 0)], -1)
        series = np.zeros(group.shape)
        for sign, wanted in ((1.0, first[pairs]), (-1.0, second[pairs])):
            series += sign / size[wanted][:, None] * (group == alike[wanted][:, None])
        error[pairs] = _half_length(series, draws.n_chains)
    return error


def leading_error(posterior: Posterior) -> FloatArray:
    """Simulation error of the certainty: of how often the label that leads most often does.

    Returns
    -------
    ndarray of float64 with shape (n_cases,)
        Half the length of the `LEVEL` interval, 0 or more; 0 where nothing is simulated, NaN for a case
        without readings.

    Notes
    -----
    With the effective number of draws n that follows from batch means (`error_of_difference`), and 2 draws
    more on either side, so that a label that leads in all draws has an error too (Agresti and Coull 1998).
    """
    n_cases = posterior.candidates.n_cases
    if not isinstance(posterior, SampledPosterior) or not is_simulated(posterior):
        return np.zeros(n_cases)
    labels = posterior.best_set(1)
    known = np.flatnonzero(labels[:, 0] >= 0)
    of, draws = posterior.candidates, posterior.draws
    slot = of.locate(labels)[:, 0]
    error = np.full(n_cases, np.nan)
    for begin in range(0, len(known), _PAIRS):
        cases = known[begin : begin + _PAIRS]
        code = posterior.leaders(1)[cases, :, 0].astype(np.int64)
        is_leader = np.where(
            slot[cases, None] >= 0, code == (slot[cases] - of.start[cases])[:, None], code < 0
        )
        effective = draws.n_draws / _inflation(is_leader.astype(float), draws.n_chains)
        share = (is_leader.mean(axis=1) * effective + 2) / (effective + 4)
        error[cases] = special.ndtri((1 + LEVEL) / 2) * np.sqrt(share * (1 - share) / (effective + 4))
    return error


def _half_length(series: FloatArray, n_chains: int) -> FloatArray:
    """Half the length of the interval of the mean of each row, whose draws come chain after chain."""
    independent = series.var(axis=1) / series.shape[1]
    batch = _batch_means(series, n_chains)
    n_batches = batch.shape[1]
    error = special.ndtri((1 + LEVEL) / 2) * np.sqrt(independent)
    if n_batches < 2:
        return np.asarray(error)
    quantile = special.stdtrit(n_batches - 1, (1 + LEVEL) / 2)
    return np.maximum(error, quantile * np.sqrt(batch.var(axis=1, ddof=1) / n_batches))


def _inflation(series: FloatArray, n_chains: int) -> FloatArray:
    """How many times the variance of independent draws the mean of each row has, at least 1."""
    independent = series.var(axis=1) / series.shape[1]
    batch = _batch_means(series, n_chains)
    if batch.shape[1] < 2:
        return np.ones(len(series))
    variance = batch.var(axis=1, ddof=1) / batch.shape[1]
    times = np.divide(variance, independent, out=np.ones(len(series)), where=independent > 0)
    return np.maximum(times, 1.0)


def _batch_means(series: FloatArray, n_chains: int) -> NDArray[np.float64]:
    """Means of batches of √length draws in a row, no batch in two chains, with shape (n_rows, n_batches)."""
    length = series.shape[1] // n_chains
    size = max(int(np.sqrt(length)), 1)
    chains = series[:, : n_chains * length].reshape(len(series), n_chains, length)
    whole = chains[..., : length // size * size]
    return np.asarray(whole.reshape(len(series), -1, size).mean(axis=2))
