"""The spread of the adjusted metrics over plausibility draws: how far the truth could move the mean."""

from __future__ import annotations

import numpy as np
from scipy.special import binom

from core.compiled import njit
from core.metrics.adjusted import adjusted_metrics, depth_limit, has_order, undefined
from core.metrics.estimate import mean_over_cases
from core.metrics.predicted_order import PredictedOrder, predicted_order
from core.plausibility.draws import NO_LABEL, SampledPosterior
from core.plausibility.point import PointPosterior
from core.plausibility.posterior import Posterior
from core.study.model import FloatArray, IntArray, Predictions


def spread_over_draws(
    posterior: Posterior, predictions: Predictions | PredictedOrder | IntArray, *, max_k: int = 3
) -> dict[str, FloatArray]:
    """Mean over cases of every adjusted metric, for each draw of the plausibilities.

    Parameters
    ----------
    posterior : Posterior
        Joint draws; `Posterior.sample` gives them for an exact posterior. Any other, and a point mass, whose
        draws are all alike, counts as one draw.
    predictions : Predictions, PredictedOrder, or ndarray of int with shape (n_cases, L)
        As `core.metrics.adjusted.adjusted_metrics` takes them.
    max_k : int
        Largest depth; the number of labels where that is smaller.

    Returns
    -------
    dict of str to ndarray of float64 with shape (n_draws,)
        The names of `adjusted_metrics`. The mean over draws is the mean over cases of its values. NaN where
        the metric is defined for no case.

    Notes
    -----
    Draw d of all cases together is one possible truth, and its metric is an ordinary one (the band of Stutz
    2025, fig. 6). A draw knows how many of the m unmentioned labels are in its top-j set, but not which: a
    predicted one is there with probability u / m, and a set with u of them is the right one with probability
    1 / C(m, u). Ties, of a prediction or of a point mass, are split as in `adjusted_metrics`.
    """
    if not isinstance(posterior, SampledPosterior) or isinstance(posterior, PointPosterior):
        metrics = adjusted_metrics(posterior, predictions, max_k=max_k)
        return {name: np.array([mean_over_cases(values).value]) for name, values in metrics.items()}
    candidates = posterior.candidates
    depth = depth_limit(candidates, max_k)
    order = predicted_order(predictions, depth)
    defined = ~undefined(posterior) & order.covered
    total = np.zeros((4, depth, posterior.draws.n_draws))
    slots = candidates.find(order.case, order.label)
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
        total,
    )
    accuracy, sets, shared, sizes = _mean(total, int(defined.sum()))
    depths = np.arange(1, depth + 1)
    spread = {f"top-{k} accuracy": accuracy[k - 1] for k in depths}
    spread |= {f"set accuracy @{k}": sets[k - 1] for k in depths[1:]}
    spread |= {f"overlap @{k}": shared[k - 1] / k for k in depths[1:]}
    spread[f"average overlap @{depth}"] = (shared / depths[:, None]).mean(axis=0)
    spread[f"footrule @{depth}"] = (sizes - 2 * shared).sum(axis=0) / (depth * (depth + 1))
    if isinstance(predictions, Predictions):
        spread["Kendall's τ"] = _kendall_spread(posterior, predictions.probability)
    return spread


def _mean(total: FloatArray, n_cases: int) -> FloatArray:
    """Divide by the number of cases; NaN if there is none."""
    return total / n_cases if n_cases else np.full(total.shape, np.nan)


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


@njit(cache=True, nogil=True)
def _add_cases(
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
) -> None:
    """Add each draw's accuracy, set accuracy, shared labels and list sizes at depths 1 … L over the cases.

    ``local`` holds the predicted labels as candidates of their case, −1 for any other.
    """
    depth, n_draws = total.shape[1:]
    most = per_case.max() if len(per_case) else 0
    presence = np.empty((depth, most + 1))  # P(among the first k predicted), the last: of an unmentioned one
    status = np.empty((depth, most + 1), np.int64)
    certain = np.empty((depth, 2), np.int64)  # mentioned labels, and all, that are there however ties break
    boundary = np.empty((depth, 2), np.int64)  # labels tied across the depth: unmentioned, and all
    named = np.empty(depth, np.int64)
    for case in cases:
        n = per_case[case]
        m = max(n_unmentioned[case], 1)
        presence[:, : n + 1] = 0.0
        status[:, : n + 1] = 0
        status[:, n] = 0
        certain[:] = 0
        boundary[:] = 0
        for entry in range(start[case], start[case + 1]):
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
        for d in range(n_draws):
            size = u = 0
            for k in range(depth):
                code = leaders[case, d, k]
                size += code != NO_LABEL
                u += NO_LABEL < code < 0
                shared = u * presence[k, n]
                found = 0
                for i in range(k + 1):
                    code = leaders[case, d, i]
                    if code >= 0:
                        shared += presence[k, code]
                        found += status[k, code]
                total[2, k, d] += shared
                total[3, k, d] += size + named[k]
                code = leaders[case, d, 0]
                if code != NO_LABEL:
                    total[0, k, d] += presence[k, code if code >= 0 else n]
                opened = found // _OPEN
                if size == named[k] and found % _OPEN == certain[k, 0] and certain[k, 0] + opened + u == size:
                    chance = 1.0
                    if boundary[k, 1] > 0:
                        left = size - certain[k, 1]
                        chance = _choose(boundary[k, 0], left - opened) / _choose(boundary[k, 1], left)
                    total[1, k, d] += chance / n_subsets[case, u]


def _kendall_spread(posterior: SampledPosterior, probability: FloatArray) -> FloatArray:
    """Mean over cases of Kendall's τ of each draw, with shape (n_draws,)."""
    candidates = posterior.candidates
    defined = has_order(posterior, probability)
    total = np.zeros(posterior.draws.n_draws)
    value = probability[candidates.case, candidates.label]
    _add_pairs(np.flatnonzero(defined), candidates.start, posterior.draws.value, value, total)
    return _mean(total, int(defined.sum()))


@njit(cache=True, nogil=True)
def _add_pairs(
    cases: IntArray, start: IntArray, drawn: FloatArray, value: FloatArray, total: FloatArray
) -> None:
    """Add each draw's τ-a over the cases; a pair tied on either side counts 0."""
    n_draws = len(total)
    for case in cases:
        n = start[case + 1] - start[case]
        weight = 2 / (n * (n - 1))
        for a in range(start[case], start[case + 1]):
            for b in range(a + 1, start[case + 1]):
                if value[a] == value[b]:
                    continue
                sign = weight if value[a] > value[b] else -weight
                for d in range(n_draws):
                    total[d] += sign * ((drawn[a, d] > drawn[b, d]) - (drawn[a, d] < drawn[b, d]))
