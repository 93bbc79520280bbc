"""Bins of predicted probabilities: equally wide, or with equally many predictions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

import numpy as np

from core.metrics.calibration.settings import MOST_BINS, BinKind
from core.study.model import FloatArray


@dataclass(frozen=True)
class Binning:
    """How predictions in [0, 1] are put into bins.

    Attributes
    ----------
    kind : {"equal width", "equal mass"}
        Whether bins are equally wide or hold equally many predictions.
    number : int
        Number of bins, from 1 to `MOST_BINS`; Mimori 2021 takes 15.
    """

    kind: BinKind = "equal width"
    number: int = 15

    def __post_init__(self) -> None:
        if self.kind not in get_args(BinKind):
            raise ValueError(f"kind of bins must be one of {', '.join(get_args(BinKind))}, got {self.kind!r}")
        if not (isinstance(self.number, (int, np.integer)) and 1 <= self.number <= MOST_BINS):
            raise ValueError(
                f"number of bins must be a whole number from 1 to {MOST_BINS}, got {self.number!r}"
            )

    def edges(self, predicted: FloatArray) -> FloatArray:
        """Edges of the bins for predictions of some classes.

        Parameters
        ----------
        predicted : ndarray of float with shape (n_cases, n_classes)
            In [0, 1]; NaN is passed over.

        Returns
        -------
        ndarray of float64 with shape (n_classes, number + 1)
            Ascending from 0 to 1. A bin holds its lower edge and not its upper one, except for the last,
            which holds both. Equal predictions share a bin: under equal mass, where many are equal, edges
            coincide and the bins between them are empty.
        """
        n_classes = predicted.shape[1]
        edges = np.tile(np.arange(self.number + 1) / self.number, (n_classes, 1))
        if self.kind == "equal mass":
            for k in range(n_classes):
                edges[k, 1:-1] = self._inner_quantiles(predicted[:, k], edges[k, 1:-1])
        return edges

    def _inner_quantiles(self, predicted: FloatArray, if_none: FloatArray) -> FloatArray:
        """Smallest prediction of each bin but the first."""
        known = np.sort(predicted[~np.isnan(predicted)])
        if not len(known):
            return if_none
        # The first of N·j/B: as many predictions lie below it as the first j bins should hold.
        place = np.arange(1, self.number) * len(known) // self.number
        return known[place]
