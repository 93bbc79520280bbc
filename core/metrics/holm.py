"""P-values corrected for how many comparisons were made."""

from __future__ import annotations

import numpy as np

from core.study.model import FloatArray


def holm(p: FloatArray) -> FloatArray:
    """Correct p-values for the number of comparisons by Holm's step-down rule.

    Parameters
    ----------
    p : ndarray of float with shape (..., n_comparisons)
        In [0, 1]; NaN where a comparison could not be made, which then does not count.

    Returns
    -------
    ndarray of float64 of the same shape
        Each comparison whose value is at most α may be claimed, and all claims together are wrong with a
        probability of at most α, whatever depends on what. NaN stays.

    Notes
    -----
    In ascending order, max over j ≤ i of (m − j + 1) p_(j), at most 1 (Holm 1979).
    """
    p = np.asarray(p, np.float64)
    order = np.argsort(p, axis=-1)  # NaN comes last
    number = (~np.isnan(p)).sum(axis=-1, keepdims=True)
    stepped = np.take_along_axis(p, order, axis=-1) * (number - np.arange(p.shape[-1]))
    corrected = np.empty(p.shape)
    np.put_along_axis(corrected, order, np.minimum(np.maximum.accumulate(stepped, axis=-1), 1.0), axis=-1)
    return corrected
