"""The spread of the adjusted metrics over plausibility draws: how far the truth could move the mean."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import binom

from core.compiled import inlined, njit
from core.metrics.adjusted.metrics import adjusted_metrics, depth_limit, has_order
from core.metrics.adjusted.predicted_order import PredictedOrder, predicted_order
from core.plausibility.point import PointPosterior
from core.plausibility.posterior import NO_LABEL, Posterior, SampledPosterior
from core.study.model import FloatArray, IntArray, Predictions


class SpreadOverDraws:
    """Means over cases of every adjusted metric for each draw, gathered from one portion of cases at a time.

    Parameters
    ----------
    max_k : int
        Largest depth; the number of labels where that is smaller.

    Notes
    -----
    Draw d of all cases together is one possible truth, and its metric is an ordinary one (the band of Stutz
    2025, fig. 6). A draw knows how many of the m unmentioned labels are in its top-j set, but not which: a
    predicted one is there with probability u / m, and a set with u of them is the right one with probability
    1 / C(m, u). Ties, of a prediction or of a point mass, are split as in `adjusted_metrics`.
    """

    def __init__(self, *, max_k: int = 3) -> None:
        self._max_k = max_k
        self._names: list[str] = []
        self._sum = self._variance = self._n_cases = np.zeros(0)

    def add(
        self,
        posterior: Posterior,
        predictions: Predictions | PredictedOrder | IntArray,
        *,
        order: PredictedOrder | None = None,
    ) -> None:
        """Add some cases.

        Parameters
        ----------
        posterior : Posterior
            Joint draws, as many for every portion; `Posterior.sample` gives them for an exact posterior. Any
            other, and a point mass, whose draws are all alike, counts as one draw.
        predictions : Predictions, PredictedOrder, or ndarray of int with shape (n_cases, L)
            As `core.metrics.adjusted.metrics.adjusted_metrics` takes them, of the same cases.
        order : PredictedOrder, optional
            That of the predictions to the largest depth, where it is known already.
        """
        if not isinstance(posterior, SampledPosterior) or isinstance(posterior, PointPosterior):
            metrics = adjusted_metrics(posterior, predictions, max_k=self._max_k, order=order)
            self._begin(list(metrics), 1)
            for row, values in enumerate(metrics.values()):
                self._sum[row] += np.nansum(values)
                self._n_cases[row] += int((~np.isnan(values)).sum())
            return
        candidates = posterior.candidates
        depth = depth_limit(candidates, self._max_k)
        has_order_of_all = isinstance(predictions, Predictions)
        self._begin(_names(depth, with_order=has_order_of_all), posterior.draws.n_draws)
        order = order or predicted_order(predictions, depth)
        defined = ~posterior.undefined & order.covered
        slots = candidates.find(order.case, order.label)
        ranked = slice(0, 3 * depth)
        _add_cases(
            posterior.leaders(depth),
            np.flatnonzero(defined),
            order.start,
            np.where(slots >= 0, slots - candidates.start[order.case], -1),
            order.places.before,
            order.places.tied,
            candidates.per_case,
            candidates.unmentioned,
            binom(candidates.unmentioned[:, None], np.arange(depth + 1)),
            self._sum[ranked],
            self._variance[ranked],
        )
        self._n_cases[ranked] += int(defined.sum())
        if isinstance(predictions, Predictions):
            ordered = has_order(posterior, predictions.probability)
            _add_pairs(
                np.flatnonzero(ordered),
                candidates.start,
                posterior.draws.value,
                predictions.probability[candidates.case, candidates.label],
                self._sum[-1],
                self._variance[-1:],
            )
            self._n_cases[-1] += int(ordered.sum())

    def _begin(self, names: list[str], n_draws: int) -> None:
        """Make room, the first time."""
        if not self._names:
            self._names = names
            self._sum = np.zeros((len(names), n_draws))
            self._variance = np.zeros(len(names))
            self._n_cases = np.zeros(len(names), np.int64)

    def joined(self, other: SpreadOverDraws) -> SpreadOverDraws:
        """Spread over the cases of both, which have as many draws each."""
        both = SpreadOverDraws(max_k=self._max_k)
        both._names = self._names or other._names
        if self._names and other._names:
            both._sum = self._sum + other._sum
            both._variance = self._variance + other._variance
            both._n_cases = self._n_cases + other._n_cases
        else:
            given = self if self._names else other
            both._sum, both._variance, both._n_cases = given._sum, given._variance, given._n_cases
        return both

    def by_draw(self) -> dict[str, FloatArray]:
        """Mean over the cases so far of every metric, for each draw.

        Returns
        -------
        dict of str to ndarray of float64 with shape (n_draws,)
            The names of `adjusted_metrics`. The mean over draws is the mean over cases of its values. NaN
            where the metric is defined for no case.
        """
        n = np.where(self._n_cases > 0, self._n_cases, np.nan)
        return dict(zip(self._names, self._sum / n[:, None], strict=True))

    def deviation(self) -> dict[str, float]:
        """Standard deviation, over plausible truths, of the mean over the cases so far of every metric.

        Notes
        -----
        √(Σ_i s_i²) / n, with s_i² the variance of case i over its draws: plausibilities of different cases
        are independent, so that few draws of many cases give it precisely.
        """
        n = np.where(self._n_cases > 0, self._n_cases, np.nan)
        return dict(zip(self._names, (np.sqrt(self._variance) / n).tolist(), strict=True))


def _names(depth: int, *, with_order: bool) -> list[str]:
    """Names of the metrics, in the order of the sums."""
    names = [f"top-{k} accuracy" for k in range(1, depth + 1)]
    names += [f"set accuracy @{k}" for k in range(2, depth + 1)]
    names += [f"overlap @{k}" for k in range(2, depth + 1)]
    names += [f"average overlap @{depth}", f"footrule @{depth}"]
    return names + (["Kendall's τ"] if with_order else [])


@njit(cache=True, nogil=True)
def _choose(n: int, k: int) -> float:
    """Number of ways to choose k of n; 0 where there is none."""
    if not 0 <= k <= n:
        return 0.0
    ways = 1.0
    for i in range(k):
        ways *= (n - i) / (i + 1)
    return ways


_OPEN = 1 << 16
"""Counts leaders that are tied across a depth, beside those that are certainly above it."""


class _Places(NamedTuple):
    """Where the predicted labels of a case stand at each depth k, ties broken in every way alike.

    Attributes
    ----------
    presence : ndarray of float64 with shape (L, most + 1)
        P(each candidate is among the first k predicted); the last: an unmentioned label.
    status : ndarray of int64 with shape (L, most + 1)
        1 where it is there however ties break, `_OPEN` where it is tied across the depth.
    certain : ndarray of int64 with shape (L, 2)
        Number of mentioned labels, and of all, that are there however ties break.
    boundary : ndarray of int64 with shape (L, 2)
        Number of unmentioned labels, and of all, that are tied across the depth.
    named : ndarray of int64 with shape (L,)
        How many labels are predicted.
    """

    presence: FloatArray
    status: IntArray
    certain: IntArray
    boundary: IntArray
    named: IntArray


@njit(cache=True, nogil=True)
def _add_cases(  # noqa: PLR0913, PLR0917 - compiled code takes arrays one by one
    leaders: IntArray,
    cases: IntArray,
    start: IntArray,
    local: IntArray,
    before: IntArray,
    tied: IntArray,
    per_case: IntArray,
    n_unmentioned: IntArray,
    n_subsets: FloatArray,
    total: FloatArray,
    variance: FloatArray,
) -> None:
    """Add each draw's metrics at depths 1 … L over the cases, and each case's variance over its draws.

    ``local`` holds the predicted labels as candidates of their case, −1 for any other. Rows of ``total`` are
    L accuracies, L − 1 set accuracies, L − 1 overlaps, the average overlap and the footrule.
    """
    n_metrics, n_draws = total.shape
    depth = n_metrics // 3
    value, first, second = np.empty(n_metrics), np.empty(n_metrics), np.empty(n_metrics)
    most = per_case.max() if len(per_case) else 0
    places = _Places(
        np.empty((depth, most + 1)),
        np.empty((depth, most + 1), np.int64),
        np.empty((depth, 2), np.int64),
        np.empty((depth, 2), np.int64),
        np.empty(depth, np.int64),
    )
    for case in cases:
        n, m, entries = per_case[case], max(n_unmentioned[case], 1), slice(start[case], start[case + 1])
        _place_labels(local[entries], before[entries], tied[entries], n, m, places)
        first[:] = 0.0
        second[:] = 0.0
        for d in range(n_draws):
            _measure_draw(leaders[case, d], n, n_subsets[case], places, value)
            for row in range(n_metrics):
                total[row, d] += value[row]
                first[row] += value[row]
                second[row] += value[row] * value[row]
        if n_draws > 1:
            for row in range(n_metrics):
                variance[row] += max(second[row] - first[row] * first[row] / n_draws, 0.0) / (n_draws - 1)


@njit(cache=True, nogil=True)
def _place_labels(local: IntArray, before: IntArray, tied: IntArray, n: int, m: int, places: _Places) -> None:
    """Fill the places of the predicted labels of a case with n candidates and m unmentioned labels."""
    presence, status, certain, boundary, named = places
    depth = len(named)
    presence[:, : n + 1] = 0.0
    status[:, : n + 1] = 0
    certain[:] = 0
    boundary[:] = 0
    for entry in range(len(local)):
        at = local[entry] if local[entry] >= 0 else n
        for k in range(1, depth + 1):
            inside = min(max((k - before[entry]) / tied[entry], 0.0), 1.0)
            presence[k - 1, at] += inside / m if at == n else inside
            if inside == 1.0:
                certain[k - 1, 0] += at < n
                certain[k - 1, 1] += 1
                status[k - 1, at] = 0 if at == n else 1
            elif inside > 0.0:
                boundary[k - 1, 0] += at == n
                boundary[k - 1, 1] += 1
                status[k - 1, at] = 0 if at == n else _OPEN
    for k in range(depth):
        named[k] = k + 1 if boundary[k, 1] > 0 else certain[k, 1]


@inlined
def _measure_draw(
    leaders: IntArray, n: int, n_subsets: FloatArray, places: _Places, value: FloatArray
) -> None:
    """Fill one draw's metrics of a case with n candidates, from the draw's leading labels."""
    presence, status, certain, boundary, named = places
    depth = len(named)
    value[:] = 0.0
    size = u = 0
    for k in range(depth):
        code = leaders[k]
        size += code != NO_LABEL
        u += NO_LABEL < code < 0
        shared = u * presence[k, n]
        found = 0
        for i in range(k + 1):
            code = leaders[i]
            if code >= 0:
                shared += presence[k, code]
                found += status[k, code]
        if k > 0:
            value[2 * depth + k - 2] = shared / (k + 1)
        value[3 * depth - 2] += shared / ((k + 1) * depth)
        value[3 * depth - 1] += (size + named[k] - 2 * shared) / (depth * (depth + 1))
        code = leaders[0]
        if code != NO_LABEL:
            value[k] = presence[k, code if code >= 0 else n]
        if k == 0:
            continue
        opened = found // _OPEN
        if size == named[k] and found % _OPEN == certain[k, 0] and certain[k, 0] + opened + u == size:
            chance = 1.0
            if boundary[k, 1] > 0:
                left = size - certain[k, 1]
                chance = _choose(boundary[k, 0], left - opened) / _choose(boundary[k, 1], left)
            value[depth + k - 1] = chance / n_subsets[u]


@njit(cache=True, nogil=True)
def _add_pairs(
    cases: IntArray,
    start: IntArray,
    drawn: FloatArray,
    value: FloatArray,
    total: FloatArray,
    variance: FloatArray,
) -> None:
    """Add each draw's τ-a over the cases, and its variance; a pair tied on either side counts 0."""
    n_draws = len(total)
    tau = np.empty(n_draws)
    for case in cases:
        n = start[case + 1] - start[case]
        weight = 2 / (n * (n - 1))
        tau[:] = 0.0
        for a in range(start[case], start[case + 1]):
            for b in range(a + 1, start[case + 1]):
                if value[a] == value[b]:
                    continue
                sign = weight if value[a] > value[b] else -weight
                for d in range(n_draws):
                    tau[d] += sign * ((drawn[a, d] > drawn[b, d]) - (drawn[a, d] < drawn[b, d]))
        total += tau
        if n_draws > 1:
            variance[0] += tau.var() * n_draws / (n_draws - 1)
