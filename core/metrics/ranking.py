"""The most probable labels of every case."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.compiled import njit
from core.study.model import FloatArray


def top_labels(probability: FloatArray, length: int) -> NDArray[np.int32]:
    """Find the most probable labels of every case, best first.

    Parameters
    ----------
    probability : ndarray of float with shape (n_cases, n_labels)
        A row with a NaN is a case that was not predicted.
    length : int
        Number of labels wanted, at least 1.

    Returns
    -------
    ndarray of int32 with shape (n_cases, length)
        Label codes, equal probabilities in the label order (those of probability 0 too); −1 throughout the
        row of a case that was not predicted, and after the last of fewer than ``length`` labels.

    Raises
    ------
    ValueError
        Where ``length`` is below 1.
    """
    if length < 1:
        raise ValueError(f"length must be 1 or more, got {length}")
    return _largest(np.asarray(probability), length)


@njit(cache=True, nogil=True)
def _largest(probability: FloatArray, length: int) -> NDArray[np.int32]:
    """Indices of the largest values of each row by insertion into a short sorted list."""
    n_rows, n_columns = probability.shape
    best = np.full((n_rows, length), -1, np.int32)
    value = np.empty(length, probability.dtype)
    for i in range(n_rows):
        value[:] = -np.inf
        for k in range(n_columns):
            p = probability[i, k]
            if p > value[length - 1]:
                at = length - 1
                while at > 0 and p > value[at - 1]:
                    value[at] = value[at - 1]
                    best[i, at] = best[i, at - 1]
                    at -= 1
                value[at] = p
                best[i, at] = k
            elif np.isnan(p):
                best[i, :] = -1
                break
    return best
