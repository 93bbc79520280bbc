"""A mean over cases of which some are selected with a probability, such as by how a tie is broken."""

from __future__ import annotations

import numpy as np
from scipy.stats import binom

from core.metrics.estimate import Estimate
from core.study.model import FloatArray


def mean_of_selected(value: FloatArray, probability: FloatArray) -> Estimate:
    """Mean of a metric over the selected cases, expected over the selections.

    Parameters
    ----------
    value : ndarray of float with shape (n_cases,)
        NaN where undefined: such a case is never selected.
    probability : ndarray of float with shape (n_cases,)
        That a case is selected, independently of the others; in [0, 1].

    Returns
    -------
    Estimate
        Cases that cannot be selected do not count; NaN where none can. The standard error is that of a ratio
        of means, to first order.

    Notes
    -----
    E[Σ_i B_i v_i / Σ_i B_i | Σ_i B_i > 0] = Σ_i p_i v_i E[1 / (1 + S_i)] / P(S > 0), where B_i are
    independent with P(B_i = 1) = p_i, S is their sum and S_i the sum of all but B_i: exact, since there are
    few different p, and equal ones are binomial together.
    """
    p = np.where(np.isnan(value) | np.isnan(probability), 0.0, probability)
    entering = p > 0
    v, p = value[entering], p[entering].round(12)
    if len(v) == 0:
        return Estimate(float("nan"), float("nan"), 0)
    distinct, of_case, number = np.unique(p, return_inverse=True, return_counts=True)
    inverse = np.empty(len(distinct))
    for c in range(len(distinct)):
        others = number - (np.arange(len(number)) == c)
        chance = number_selected(others, distinct)
        inverse[c] = (chance / np.arange(1, len(chance) + 1)).sum()
    none = number_selected(number, distinct)[0]
    mean = float((p * v * inverse[of_case]).sum() / (1 - none))
    error = float("nan")
    if len(v) > 1:
        error = float(((v - mean) * p).std(ddof=1) * np.sqrt(len(v)) / p.sum())
    return Estimate(mean, error, len(v))


def number_selected(number: np.ndarray, probability: FloatArray) -> FloatArray:
    """P(0, 1, 2 … are selected) of ``number`` cases of each ``probability``."""
    chance = np.ones(1)
    for n, p in zip(number, probability, strict=True):
        chance = np.convolve(chance, binom.pmf(np.arange(n + 1), n, p))
    return chance
