"""How far the successes of two curves go together: sums over pairs of observations that share cases.

Every variance of a reader study is made of these few sums, whatever its design.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.metrics.mrmc.choices import Metric
from core.metrics.mrmc.curves import Curves
from core.study.brief import brief
from core.study.model import FloatArray, IntArray

Shared = frozenset[str]
"""Which cases two observations share: some of "negative" and "positive", or "case"."""
NOTHING: Shared = frozenset()
NEGATIVE, POSITIVE, CASE = "negative", "positive", "case"
_TRUTHS_AT_ONCE = 250
_CELLS_AT_ONCE = 2**22


@dataclass(frozen=True, eq=False)
class PairSums:
    """Sums of products of successes over pairs of observations, one of each of two curves.

    An observation of AUROC is a negative and a positive case read by one reader; it succeeds by 1 where the
    positive has the higher score, by ½ where they tie. One of the other metrics is a case.

    Attributes
    ----------
    metric : str
        One of `core.metrics.mrmc.choices.METRICS`.
    total, weight : ndarray of float64 with shape (n_truths, n_curves)
        Sum of the successes of each curve, and the number of its observations.
    product : mapping of frozenset to ndarray of float64 with shape (n_truths, n_curves, n_curves)
        Sum of the products over all pairs that share at least these cases.
    count : mapping of frozenset to ndarray of float64 with shape (n_truths, n_curves, n_curves)
        Number of those pairs.
    n_cases : mapping of str to ndarray of float64 with shape (n_truths,)
        Cases of each kind that anybody read.
    """

    metric: Metric
    total: FloatArray
    weight: FloatArray
    product: Mapping[Shared, FloatArray]
    count: Mapping[Shared, FloatArray]
    n_cases: Mapping[str, FloatArray]

    __repr__ = brief

    @property
    def value(self) -> FloatArray:
        """The metric of each curve, with shape (n_truths, n_curves)."""
        return self.total / self.weight

    def under(self, truth: int) -> PairSums:
        """Sums under one of the truths."""
        one = slice(truth, truth + 1)
        return PairSums(
            self.metric,
            self.total[one],
            self.weight[one],
            {of: each[one] for of, each in self.product.items()},
            {of: each[one] for of, each in self.count.items()},
            {of: each[one] for of, each in self.n_cases.items()},
        )

    @property
    def kinds(self) -> tuple[str, ...]:
        """Kinds of cases that an observation is made of."""
        return tuple(self.n_cases)


def pair_sums(
    curves: Curves,
    truths: NDArray[np.bool_],
    *,
    metric: Metric = "AUROC",
    threshold: float | None = None,
) -> PairSums:
    """Sums of products of successes under each of some truths.

    Parameters
    ----------
    curves : Curves
        What was said.
    truths : ndarray of bool with shape (n_truths, n_cases) or (n_truths, n_curves, n_cases)
        Whether each case is positive; perhaps by a truth of each curve's own.
    metric : {"AUROC", "sensitivity", "specificity", "accuracy"}
        What is averaged.
    threshold : float, optional
        A score at or above it says positive; needed by all but AUROC.

    Raises
    ------
    ValueError
        Without a threshold that is needed.

    Notes
    -----
    With ψ_r(i, j) = 1, ½ or 0 for all cases i and j, made once, the sums of a truth t are products of
    matrices with t: Σ_j ψ(i, j) t_j for each case, and (1 − t)' (ψ_r ∘ ψ_s) t for pairs that share both
    cases. So a thousand truths cost little more than one. Sums in single precision are exact: they are
    multiples of ¼ well below 2^22. Where each curve has a truth of its own, two observations share a case if
    it is of the same class in both.
    """
    read = ~np.isnan(curves.score)
    parts = [truths[at : at + _TRUTHS_AT_ONCE] for at in range(0, len(truths), _TRUTHS_AT_ONCE)]
    if metric == "AUROC":
        return _joined([_auroc_sums(curves.score, read, part) for part in parts])
    if threshold is None:
        raise ValueError(f"{metric} needs a threshold: from which score on a reading says positive")
    says = np.where(read, curves.score >= threshold, False)
    return _joined([_case_sums(metric, says, read, part) for part in parts])


def _joined(parts: list[PairSums]) -> PairSums:
    """Sums of all truths."""
    if len(parts) == 1:
        return parts[0]
    first = parts[0]
    return PairSums(
        first.metric,
        np.concatenate([part.total for part in parts]),
        np.concatenate([part.weight for part in parts]),
        {of: np.concatenate([part.product[of] for part in parts]) for of in first.product},
        {of: np.concatenate([part.count[of] for part in parts]) for of in first.count},
        {of: np.concatenate([part.n_cases[of] for part in parts]) for of in first.n_cases},
    )


def _case_sums(
    metric: Metric, says: NDArray[np.bool_], read: NDArray[np.bool_], truths: NDArray[np.bool_]
) -> PairSums:
    """Sums where an observation is a case."""
    truths = by_curve(truths)
    entering = {"sensitivity": truths, "specificity": ~truths}.get(metric, np.ones_like(truths))
    weight = (entering & read).astype(np.float64)
    success = weight * (says == truths)
    total, n = success.sum(axis=2), weight.sum(axis=2)
    return PairSums(
        metric,
        total,
        n,
        {NOTHING: _outer(total), frozenset([CASE]): success @ success.transpose(0, 2, 1)},
        {NOTHING: _outer(n), frozenset([CASE]): weight @ weight.transpose(0, 2, 1)},
        {CASE: weight.any(axis=1).sum(axis=1).astype(np.float64)},
    )


def _auroc_sums(score: FloatArray, read: NDArray[np.bool_], truths: NDArray[np.bool_]) -> PairSums:
    """Sums where an observation is a negative and a positive case."""
    n_all = truths.shape[-1]
    rows, columns = (np.flatnonzero(of.reshape(-1, n_all).any(axis=0)) for of in (~truths, truths))
    # Truths last, so that the sums of all are one product of matrices, for each curve or for all.
    positive, negative = (
        np.ascontiguousarray(np.moveaxis(of, 0, -1), np.float32)
        for of in (truths[..., columns], ~truths[..., rows])
    )
    n_curves, n_truths = len(score), len(truths)
    of_row = np.zeros((n_curves, len(rows), n_truths), np.float32)
    of_column = np.zeros((n_curves, len(columns), n_truths), np.float32)
    both = np.zeros((n_truths, n_curves, n_curves))
    step = max(1, _CELLS_AT_ONCE // max(1, len(columns) * n_curves))
    for at in range(0, len(rows), step):
        part = slice(at, at + step)
        kernel = _kernel(score, rows[part], columns)
        of_row[:, part] = kernel @ positive
        of_column += kernel.transpose(0, 2, 1) @ negative[..., part, :]
        both += _sharing_both(kernel, negative[..., part, :], positive)
    of_row *= negative
    of_column *= positive
    total = of_row.sum(axis=1, dtype=np.float64).T
    both_read = {of: _common(by_curve(each) & read) for of, each in _classes(truths)}
    n0, n1 = (np.diagonal(both_read[of], axis1=1, axis2=2) for of in (NEGATIVE, POSITIVE))
    anybody = read.any(axis=0)
    return PairSums(
        "AUROC",
        total,
        n0 * n1,
        {
            NOTHING: _outer(total),
            frozenset([NEGATIVE]): _products(of_row),
            frozenset([POSITIVE]): _products(of_column),
            frozenset([NEGATIVE, POSITIVE]): both,
        },
        {
            NOTHING: _outer(n0 * n1),
            frozenset([NEGATIVE]): both_read[NEGATIVE] * _outer(n1),
            frozenset([POSITIVE]): both_read[POSITIVE] * _outer(n0),
            frozenset([NEGATIVE, POSITIVE]): both_read[NEGATIVE] * both_read[POSITIVE],
        },
        {of: (by_curve(each) & anybody).sum(axis=2).mean(axis=1) for of, each in _classes(truths)},
    )


def by_curve(truths: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Truths with an axis of curves, with shape (n_truths, 1 or n_curves, n_cases)."""
    return truths if truths.ndim == 3 else truths[:, None, :]


def _classes(truths: NDArray[np.bool_]) -> list[tuple[str, NDArray[np.bool_]]]:
    """Which cases are of each class."""
    return [(NEGATIVE, ~truths), (POSITIVE, truths)]


def _common(read: NDArray[np.bool_]) -> FloatArray:
    """Cases that two curves have in common, with shape (n_truths, n_curves, n_curves)."""
    each = read.astype(np.float32)
    return (each @ each.transpose(0, 2, 1)).astype(np.float64)


def _kernel(score: FloatArray, rows: IntArray, columns: IntArray) -> FloatArray:
    """1 where the case of the column has the higher score, ½ where they tie; 0 where one was not read."""
    low, high = score[:, rows, None], score[:, None, columns]
    # Half a sum of two comparisons: NaN is neither above nor equal, so that what was not read gives 0.
    kernel: FloatArray = (high > low).astype(np.float32)
    kernel += high >= low
    kernel *= np.float32(0.5)
    return kernel


def _sharing_both(kernel: FloatArray, negative: FloatArray, positive: FloatArray) -> FloatArray:
    """Sums of products over pairs that share both cases, with shape (n_truths, n_curves, n_curves)."""
    n_curves, n_truths, is_common = len(kernel), positive.shape[-1], positive.ndim == 2
    if n_truths == 1 and is_common:  # all rows are negative and all columns positive
        flat = kernel.reshape(n_curves, -1)
        return (flat @ flat.T).astype(np.float64)[None]
    sums = np.empty((n_truths, n_curves, n_curves))
    for one in range(n_curves):
        for other in range(one + 1):
            of_column = positive if is_common else positive[one] * positive[other]
            in_row = negative if is_common else negative[one] * negative[other]
            of_row = (kernel[one] * kernel[other]) @ of_column
            sums[:, one, other] = sums[:, other, one] = np.einsum("ib,ib->b", of_row, in_row)
    return sums


def _outer(values: FloatArray) -> FloatArray:
    """Products of all pairs of curves, with shape (n_truths, n_curves, n_curves)."""
    return values[:, :, None] * values[:, None, :]


def _products(of_case: FloatArray) -> FloatArray:
    """Sums over cases of products of curves; cases have shape (n_curves, n_cases, n_truths)."""
    by_truth = of_case.transpose(2, 0, 1).astype(np.float64)
    return by_truth @ by_truth.transpose(0, 2, 1)
