"""Resampling of cases with replacement, as the number of times that each case is drawn."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def case_weights(n_cases: int, resamples: int, rng: np.random.Generator) -> NDArray[np.uint8]:
    """Count how often each case enters each resample.

    Parameters
    ----------
    n_cases : int
        Number of cases.
    resamples : int
        Number of resamples, 0 or more.
    rng : numpy.random.Generator
        Source of the draws.

    Returns
    -------
    ndarray of uint8 with shape (n_cases, 1 + resamples)
        Column 0 is all ones: the cases as they are. Every other column, drawn with replacement, sums to
        n_cases.
    """
    weights = np.ones((1 + resamples, n_cases), np.uint8)
    for resample in range(1, 1 + resamples if n_cases else 1):
        weights[resample] = _times_drawn(n_cases, rng)
    return np.ascontiguousarray(weights.T)


def seeded_case_weights(n_cases: int, seeds: NDArray[np.uint64]) -> NDArray[np.float64]:
    """Count how often each case enters the resample of each seed, with shape (n_seeds, n_cases)."""
    weights = [_times_drawn(n_cases, np.random.default_rng(int(seed))) for seed in seeds]
    return np.array(weights, np.float64)


def _times_drawn(n_cases: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Draw as many cases as there are; count each."""
    return np.bincount(drawn_cases(n_cases, rng), minlength=n_cases)


def drawn_cases(n_cases: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Cases of a resample, as many as there are, with replacement."""
    return rng.integers(n_cases, size=n_cases)
