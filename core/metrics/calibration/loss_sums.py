"""Sums over cases and bins, from which every loss against label histograms follows, on all resamples."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.compiled import njit
from core.study.model import FloatArray

CASES_AT_ONCE = 4096
"""Bounds the memory beside the input, and keeps a block of cases in the processor's cache."""

ROUNDING = 1e-6
"""A probability may leave [0, 1] by so much, as sums in single precision do."""

_N, _PREDICTED, _OBSERVED, _OBSERVED_SQUARED = range(4)
_ONE_LABEL, _MORE_LABELS, _NOISE = range(3)


@dataclass(frozen=True, eq=False)
class BinSums:
    """What each bin of predictions holds; S is 1 + resamples, the first for the cases as they are.

    Attributes
    ----------
    edges : ndarray of float64 with shape (n_classes, n_bins + 1)
        As `core.metrics.calibration.bins.Binning.edges` gives them.
    n : ndarray of float64 with shape (n_classes, n_bins, S)
        Cases.
    predicted, observed, observed_squared : ndarray of float64 with shape (n_classes, n_bins, S)
        Sums of the predictions z, of the shares of labels μ̂ and of μ̂².
    """

    edges: FloatArray
    n: FloatArray
    predicted: FloatArray
    observed: FloatArray
    observed_squared: FloatArray

    def __add__(self, other: BinSums) -> BinSums:
        """Sums of both, whose edges are the same."""
        return BinSums(
            self.edges,
            self.n + other.n,
            self.predicted + other.predicted,
            self.observed + other.observed,
            self.observed_squared + other.observed_squared,
        )

    def of_class(self, k: int) -> BinSums:
        """Keep one class alone."""
        return BinSums(*(getattr(self, name)[[k]] for name in self.__dataclass_fields__))


@dataclass(frozen=True, eq=False)
class LossSums:
    """Sums over the cases that were predicted and have a label.

    Attributes
    ----------
    bins : BinSums
        By class and bin.
    n_one, n_more : ndarray of float64 with shape (S,)
        Cases with a single label, and with more.
    squared_one, squared_more : ndarray of float64 with shape (n_classes, S)
        Sums of (μ̂ − z)² over these.
    noise : ndarray of float64 with shape (n_classes, S)
        Sum of μ̂ (1 − μ̂)/(n − 1) over the cases with more.
    """

    bins: BinSums
    n_one: FloatArray
    n_more: FloatArray
    squared_one: FloatArray
    squared_more: FloatArray
    noise: FloatArray

    @property
    def n(self) -> FloatArray:
        """Cases, with shape (S,)."""
        return self.n_one + self.n_more

    def __add__(self, other: LossSums) -> LossSums:
        """Sums of both, whose bins have the same edges."""
        return LossSums(
            self.bins + other.bins,
            self.n_one + other.n_one,
            self.n_more + other.n_more,
            self.squared_one + other.squared_one,
            self.squared_more + other.squared_more,
            self.noise + other.noise,
        )


class LossAccumulator:
    """Adds up blocks of cases.

    Parameters
    ----------
    edges : ndarray of float64 with shape (n_classes, n_bins + 1)
        Edges of each class's bins.
    n_samples : int
        S, 1 + resamples.
    """

    def __init__(self, edges: FloatArray, n_samples: int) -> None:
        n_classes, n_edges = edges.shape
        self._edges = edges
        self._bins = np.zeros((n_classes, n_edges - 1, 4, n_samples))
        self._classes = np.zeros((n_classes, 3, n_samples))
        self._cases = np.zeros((2, n_samples))

    def add(
        self,
        observed: FloatArray,
        predicted: FloatArray,
        per_case: NDArray[np.number],
        weights: NDArray[np.uint8],
    ) -> None:
        """Add a block of cases.

        Parameters
        ----------
        observed : ndarray of float64 with shape (n_cases, n_classes)
            Shares μ̂; a row that begins with NaN has none.
        predicted : ndarray of float with shape (n_cases, n_classes)
            In [0, 1]; a row of NaN was not predicted.
        per_case : ndarray with shape (n_cases,)
            Number of labels of each case.
        weights : ndarray of uint8 with shape (n_cases, S)
            How often each case enters each sample.

        Raises
        ------
        ValueError
            Where a probability lies outside [0, 1], or only some of a row are NaN.
        """
        inverse = np.divide(1.0, per_case - 1, out=np.zeros(len(per_case)), where=per_case > 1)
        z = np.ascontiguousarray(predicted, dtype=np.float64)
        row, column = _add_cases(
            observed, z, inverse, weights, self._edges, self._bins, self._classes, self._cases
        )
        if row >= 0:
            raise ValueError(
                "predicted probabilities must lie between 0 and 1, or be NaN for a whole case, "
                f"got {z[row].tolist() if z.shape[1] < 6 else z[row, column]} for a case"
            )

    def sums(self) -> LossSums:
        """Return what has been added."""
        bins = [self._bins[:, :, i] for i in (_N, _PREDICTED, _OBSERVED, _OBSERVED_SQUARED)]
        return LossSums(BinSums(self._edges, *bins), *self._cases, *self._classes.swapaxes(0, 1))


@njit(cache=True, nogil=True, error_model="numpy")
def _add_cases(
    observed: FloatArray,
    predicted: FloatArray,
    inverse: FloatArray,
    weights: NDArray[np.uint8],
    edges: FloatArray,
    bins: FloatArray,
    classes: FloatArray,
    cases: FloatArray,
) -> tuple[int, int]:
    """Add cases to the sums, ``inverse`` being 1/(n − 1), or 0 for a single label.

    Return the place of a prediction that is none, else (−1, −1).
    """
    n_cases, n_classes = observed.shape
    n_bins = edges.shape[1] - 1
    n_samples = weights.shape[1]
    for k in range(n_classes):
        for i in range(n_cases):
            z = predicted[i, k]
            if np.isnan(z) != np.isnan(predicted[i, 0]) or z < -ROUNDING or z > 1 + ROUNDING:
                return i, k
            if np.isnan(z) or np.isnan(observed[i, 0]):
                continue
            mu = observed[i, k]
            b = max(min(int(z * n_bins), n_bins - 1), 0)
            while b > 0 and z < edges[k, b]:
                b -= 1
            while b < n_bins - 1 and z >= edges[k, b + 1]:
                b += 1
            group = _MORE_LABELS if inverse[i] > 0 else _ONE_LABEL
            square = (mu - z) ** 2
            noise = mu * (1 - mu) * inverse[i]
            for s in range(n_samples):
                bins[k, b, _N, s] += weights[i, s]
                bins[k, b, _PREDICTED, s] += weights[i, s] * z
                classes[k, group, s] += weights[i, s] * square
            if mu > 0:
                for s in range(n_samples):
                    bins[k, b, _OBSERVED, s] += weights[i, s] * mu
                    bins[k, b, _OBSERVED_SQUARED, s] += weights[i, s] * (mu * mu)
                    classes[k, _NOISE, s] += weights[i, s] * noise
            if k == 0:
                for s in range(n_samples):
                    cases[group, s] += weights[i, s]
    return -1, -1
