"""Ranks of models with ties shared, and correlations between orders, many at once."""

from __future__ import annotations

from typing import Literal

import numpy as np
from scipy.stats import rankdata

from core.study.model import FloatArray

TIE_DECIMALS = 12
"""Metrics are rounded so far before they are ranked, so that values equal on paper share their rank."""

PAIRS_AT_ONCE = 2**24
"""Bounds the memory of Kendall's τ: pairs of models, times orders, compared in one go."""


def shared_ranks(values: FloatArray, *, larger_is_better: bool = True) -> FloatArray:
    """Rank models, the best first; equals share the best of their ranks.

    Parameters
    ----------
    values : ndarray of float with shape (…, n_models)
        A metric; NaN is not ranked.
    larger_is_better : bool
        False for losses.

    Returns
    -------
    ndarray of float64 with shape (…, n_models)
        1 for the best; NaN where the value is.
    """
    return _ranks(values if larger_is_better else -values, "min")


def _ranks(values: FloatArray, ties: Literal["min", "average"]) -> FloatArray:
    """Rank descending along the last axis, NaN staying NaN."""
    values = np.asarray(values, np.float64)
    if values.size == 0:
        return np.empty(values.shape)
    rounded = -np.round(values, TIE_DECIMALS) + 0.0
    return rankdata(rounded, method=ties, axis=-1, nan_policy="omit")


def pearson(a: FloatArray, b: FloatArray) -> FloatArray:
    """Pearson's correlation along the last axis.

    Parameters
    ----------
    a, b : ndarray of float with shapes that broadcast to (…, n_models)
        Without missing values for a number; NaN in a row gives NaN.

    Returns
    -------
    ndarray of float64 with shape (…)
        In [−1, 1]; NaN where one side does not vary.
    """
    a, b = a - a.mean(axis=-1, keepdims=True), b - b.mean(axis=-1, keepdims=True)
    scale = np.sqrt((a * a).sum(axis=-1) * (b * b).sum(axis=-1))
    product = (a * b).sum(axis=-1)
    varies = scale > np.finfo(np.float64).tiny
    return np.clip(np.divide(product, scale, out=np.full(product.shape, np.nan), where=varies), -1, 1)[()]


def spearman(a: FloatArray, b: FloatArray) -> FloatArray:
    """Spearman's ρ along the last axis: Pearson's correlation of ranks, equals having their mean rank.

    Parameters and result are those of `pearson`; values are equal where they agree to 12 decimals.
    """
    return pearson(_ranks(a, "average"), _ranks(b, "average"))


def kendall(a: FloatArray, b: FloatArray) -> FloatArray:
    """Kendall's τ-b along the last axis.

    Parameters
    ----------
    a : ndarray of float with shape (n_orders, n_models) or (n_models,)
        NaN in a row gives NaN.
    b : ndarray of float with shape (n_models,)
        The order that each row of ``a`` is compared with.

    Returns
    -------
    ndarray of float64 with shape (n_orders,) or a number
        In [−1, 1]; NaN where one side does not vary.

    Notes
    -----
    (concordant − discordant) / √(pairs not tied in a · pairs not tied in b).
    """
    orders, n_models = np.atleast_2d(a), len(b)
    first, second = np.triu_indices(n_models, 1)
    rounded = np.round(b, TIE_DECIMALS)
    sign_b = np.sign(rounded[first] - rounded[second])
    tau = np.full(len(orders), np.nan)
    step = max(PAIRS_AT_ONCE // max(len(first), 1), 1)
    for begin in range(0, len(orders), step):
        block = np.round(orders[begin : begin + step], TIE_DECIMALS)
        sign_a = np.sign(block[:, first] - block[:, second])
        scale = np.sqrt(np.abs(sign_a).sum(axis=1) * np.abs(sign_b).sum())
        out = tau[begin : begin + step]
        np.divide(sign_a @ sign_b, scale, out=out, where=scale > 0)
    return tau.reshape(np.shape(a)[:-1])[()]
