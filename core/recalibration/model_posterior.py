"""An α-calibrated model as a distribution over plausibilities, like those that readings give."""

from __future__ import annotations

import numpy as np

from core.plausibility.candidates import Candidates
from core.plausibility.dirichlet import DirichletPosterior
from core.study.model import FloatArray


def model_posterior(probability: FloatArray, concentration: FloatArray) -> DirichletPosterior:
    """Distribution over plausibilities that an α-calibrated model stands for, λ ~ Dirichlet(α0 f).

    Parameters
    ----------
    probability : ndarray of float with shape (n_cases, n_labels)
        Class probabilities f; rows sum to 1, or are NaN.
    concentration : ndarray of float with shape (n_cases,)
        α0 > 0, or NaN.

    Returns
    -------
    DirichletPosterior
        Exact. Every label is a candidate of every case; a case that was not predicted has none.

    Raises
    ------
    ValueError
        If the shapes do not fit or a concentration is not above 0 and finite.
    """
    n_cases, n_labels = probability.shape
    if concentration.shape != (n_cases,):
        raise ValueError(f"concentration must have shape ({n_cases},), got {concentration.shape}")
    known = ~np.isnan(concentration) & ~np.isnan(probability).any(axis=1)
    if not (np.isfinite(concentration[known]) & (concentration[known] > 0)).all():
        raise ValueError("concentrations must be finite and above 0, or NaN")
    start = np.concatenate([[0], np.cumsum(np.where(known, n_labels, 0))]).astype(np.int64)
    label = np.tile(np.arange(n_labels, dtype=np.int32), int(known.sum()))
    shape = concentration[known, None] * probability[known].astype(np.float64)
    return DirichletPosterior(Candidates(start, label, n_labels), shape.ravel(), 0.0)
