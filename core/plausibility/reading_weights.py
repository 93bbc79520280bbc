"""Readings that count more or less than one: by the confidence that raters state."""

from __future__ import annotations

import numpy as np

from core.study.model import FloatArray, Readings


def stated_confidence(readings: Readings) -> FloatArray:
    """Confidence of each reading, in [0, 1]; 1 where none is stated. Shape (n_readings,)."""
    return np.where(np.isnan(readings.confidence), 1.0, readings.confidence)


def that_count(readings: Readings, weight: FloatArray) -> tuple[Readings, FloatArray]:
    """Leave out the readings of weight 0: such a reading counts as if it had not been given.

    Parameters
    ----------
    readings : Readings
        Choices or differentials.
    weight : ndarray of float with shape (n_readings,)
        Of each reading, finite and at least 0.

    Returns
    -------
    readings : Readings
        Those of a weight above 0.
    weight : ndarray of float64
        Theirs.

    Raises
    ------
    ValueError
        If a weight is out of range or there is not one for each reading.
    """
    weight = np.asarray(weight, np.float64)
    if weight.shape != (readings.n_readings,):
        raise ValueError(f"weight must have shape ({readings.n_readings},), got {weight.shape}")
    if not (np.isfinite(weight) & (weight >= 0)).all():
        raise ValueError(f"weight must be finite and at least 0, got {weight.min()} to {weight.max()}")
    kept = weight > 0
    return (readings, weight) if kept.all() else (readings.keep(kept), weight[kept])


def mean_weight(readings: Readings, weight: FloatArray) -> FloatArray:
    """Mean weight of each case's readings, with shape (n_cases,); 1 where there are none."""
    total = np.bincount(readings.case, weight, readings.n_cases)
    return np.divide(total, readings.per_case, out=np.ones(readings.n_cases), where=readings.per_case > 0)
