"""Vector, matrix and Dirichlet scaling drawn towards a temperature, so that few cases do not ruin them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.recalibration.scaling import Method, Scaling, fit_scaling
from core.study.model import FloatArray, IntArray

STRENGTHS: tuple[float, ...] = (1000.0, 30.0, 1.0, 0.01)
"""Strengths of the penalty to choose from, strongest first: under the first a temperature is all but left."""


@dataclass(frozen=True, eq=False)
class TemperedScaling:
    """A temperature, then a scaling of what it gives.

    Attributes
    ----------
    tempering : Scaling
        Temperature scaling.
    scaling : Scaling
        Of the probabilities under that temperature.
    strength : float
        Strength of the penalty that the scaling was fitted with.
    """

    tempering: Scaling
    scaling: Scaling
    strength: float

    def apply(self, probability: FloatArray) -> FloatArray:
        """Scale class probabilities with shape (n_cases, n_labels), which are above 0 and stay so."""
        return self.scaling.apply(self.tempering.apply(probability))

    def loss(self, probability: FloatArray, counts: IntArray) -> float:
        """Mean negative log-likelihood of the labels of some cases, which must hold one."""
        return float(-np.vdot(counts, np.log(self.apply(probability))) / counts.sum())


def fit_tempered(
    probability: FloatArray, counts: IntArray, *, method: Method, strengths: Sequence[float] = STRENGTHS
) -> list[TemperedScaling]:
    """Fit a temperature, then a scaling of what it gives, once for each strength of the penalty.

    Parameters
    ----------
    probability : ndarray of float with shape (n_cases, n_labels)
        The model's, above 0.
    counts : ndarray of int with shape (n_cases, n_labels)
        Label histograms.
    method : {"vector", "matrix", "Dirichlet"}
        The scaling.
    strengths : sequence of float
        Above 0. Each fit starts from the one before, so strongest first is quickest.

    Returns
    -------
    list of TemperedScaling
        In the order of ``strengths``.

    Raises
    ------
    ValueError
        As `core.recalibration.scaling.fit_scaling` does.

    Notes
    -----
    The penalty draws W to the identity and b to 0. Of probabilities under the best temperature, that is
    temperature scaling and not the model as it was given: with few cases nothing worse is left.
    """
    tempering = fit_scaling(probability, counts)
    tempered = tempering.apply(probability)
    fitted: list[TemperedScaling] = []
    start: Scaling | None = None
    for strength in strengths:
        start = fit_scaling(tempered, counts, method=method, strength=strength, start=start)
        fitted.append(TemperedScaling(tempering, start, strength))
    return fitted
