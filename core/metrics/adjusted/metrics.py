"""Uncertainty-adjusted metrics: ordinary metrics of a prediction, averaged over the plausibilities.

Every value is an expectation over the posterior of a case's plausibility λ, taken exactly through the
questions that a posterior answers; where λ is a single point the ordinary metric comes out. A tie, of
plausibilities or of predictions, is split: the metric is its mean over all ways of breaking it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.metrics.adjusted.predicted_order import PredictedOrder, order_of_lists, predicted_order
from core.metrics.adjusted.predicted_sets import possible_sets
from core.plausibility.candidates import Candidates
from core.plausibility.posterior import Posterior
from core.study.model import FloatArray, IntArray, Predictions

PAIRS_AT_ONCE = 2**21
"""Bounds the memory of Kendall's τ: pairs of candidates asked about in one go."""


class RankedLabels:
    """Ranked predictions of all cases beside their plausibilities.

    Its methods give one value for each case: NaN where nobody read the case or it was not predicted.

    Parameters
    ----------
    posterior : Posterior
        Distribution over plausibilities λ of n_cases cases.
    predicted : PredictedOrder, or ndarray of int with shape (n_cases, L)
        The leading labels, L places or more, as `core.metrics.adjusted.predicted_order` gives them; or
        distinct label codes, best first, where −1 pads a shorter list and a row of −1 is a case that was not
        predicted.

    Raises
    ------
    ValueError
        Where ``predicted`` has another number of cases or a code that is no label.

    Notes
    -----
    These are the metrics of Stutz 2025, eq. 12 to 20. The methods take a depth k, from 1 to L; y_1 … y_L are
    the labels predicted and top_k is the set of the k largest λ. Where labels are predicted alike, each is
    the mean over all ways of putting them in an order: P(y_i ∈ top_k), for one, is weighted by the
    probability that y_i is among the first k predicted.
    """

    def __init__(self, posterior: Posterior, predicted: PredictedOrder | IntArray) -> None:
        candidates = posterior.candidates
        if not isinstance(predicted, PredictedOrder):
            _check_lists(predicted, candidates)
            predicted = order_of_lists(predicted)
        if predicted.n_cases != candidates.n_cases:
            raise ValueError(
                f"predicted labels must be of {candidates.n_cases} cases, got {predicted.n_cases}"
            )
        self.posterior = posterior
        self.predicted = predicted
        self._slots = candidates.find(predicted.case, predicted.label)
        self._undefined = posterior.undefined | ~predicted.covered
        self._presence: dict[int, FloatArray] = {}
        self._counted: dict[tuple[int, int], FloatArray] = {}

    def _in_top(self, j: int) -> FloatArray:
        """P(label among the j largest) of each entry of the order."""
        if j not in self._presence:
            values = self.posterior.in_top(j)
            self._presence[j] = values.at(self._slots[:, None], self.predicted.case)[:, 0]
        return self._presence[j]

    def _shared(self, k: int, j: int) -> FloatArray:
        """Expected number of labels that are among the first k predicted and the j largest."""
        if (k, j) not in self._counted:
            self._counted[k, j] = self.predicted.total(self.predicted.places.within(k) * self._in_top(j))
        return self._counted[k, j]

    def _defined(self, per_case: FloatArray) -> FloatArray:
        """Put NaN where the metric is undefined."""
        return np.where(self._undefined, np.nan, per_case)

    def top_k_accuracy(self, k: int, *, among: NDArray[np.bool_] | None = None) -> FloatArray:
        """P(arg max λ is among y_1 … y_k), in [0, 1]; and is one of the labels ``among``, where given."""
        if among is None:
            return self._defined(self._shared(k, 1))
        held = self.predicted.places.within(k) * self._in_top(1) * among[self.predicted.label]
        return self._defined(self.predicted.total(held))

    def hits_by_label(self, k: int = 1, weight: FloatArray | None = None) -> FloatArray:
        """Σ_cases w P(y = arg max λ and y is among y_1 … y_k) for each label y, with shape (n_labels,).

        Cases of which the metric is undefined add nothing; the ``weight`` of each case, with shape
        (n_cases,), is 1 where none is given. Over all labels it is then the sum of ``top_k_accuracy(k)``.
        """
        held = self.predicted.places.within(k) * self._in_top(1)
        of_case = np.where(self._undefined, 0.0, 1.0 if weight is None else weight)
        held = held * of_case[self.predicted.case]
        return np.bincount(self.predicted.label, held, self.posterior.candidates.n_labels).astype(np.float64)

    def truths_by_label(self, weight: FloatArray | None = None) -> FloatArray:
        """Σ_cases w P(y = arg max λ) for each label y, of the cases of which the metric is defined.

        The ``weight`` of each case, with shape (n_cases,), is 1 where none is given.
        """
        top, candidates = self.posterior.top1, self.posterior.candidates
        weight = np.where(self._undefined, 0.0, 1.0 if weight is None else weight)
        other = weight * top.other
        lead = weight[candidates.case] * top.candidate - other[candidates.case]
        total = np.bincount(candidates.label, lead, candidates.n_labels) + other.sum()
        return np.maximum(total, 0.0)

    def set_accuracy(self, k: int) -> FloatArray:
        """P(top_k = {y_1, …, y_k}), in [0, 1].

        Notes
        -----
        Where b labels fill the first places and t tied ones the others up to k, it is the mean over the
        C(t, k − b) sets that they can form. Sets with equally many unmentioned labels and the same mentioned
        ones are equally probable and counted together; where more than `MOST_SETS` are left, as many of them
        are drawn, by a seed of their own.
        """
        cases, sets, weight = possible_sets(self.predicted, self._slots, k)
        probability = self.posterior.top_set(sets, cases)
        found = np.bincount(cases, weight * probability, self.predicted.n_cases)
        return self._defined(found.astype(np.float64))

    def overlap(self, k: int) -> FloatArray:
        """E|top_k ∩ {y_1, …, y_k}| / k = Σ_{i ≤ k} P(y_i ∈ top_k) / k, in [0, 1]."""
        return self._defined(self._shared(k, k) / k)

    def average_overlap(self, k: int) -> FloatArray:
        """Mean of the overlap at depths 1 to k, in [0, 1]."""
        return np.mean([self.overlap(j) for j in range(1, k + 1)], axis=0)

    def footrule(self, k: int) -> FloatArray:
        """Expected Spearman footrule of both top-k lists, a distance in [0, 1].

        Notes
        -----
        A label absent from a list stands at k + 1, and the largest distance k (k + 1) divides the sum (Fagin,
        Kumar and Sivakumar 2003, F^(k + 1)). With |position − rank| counted depth by depth,
        E F = Σ_{j ≤ k} (E|top_j| + |{y_1, …, y_j}| − 2 Σ_{i ≤ j} P(y_i ∈ top_j)): the rank of a label
        enters through its marginal distribution alone, and the labels named by nobody through E|top_j|.
        """
        total = np.zeros(self.predicted.n_cases)
        for j in range(1, k + 1):
            total += expected_size(self.posterior, j) + self.predicted.named(j) - 2 * self._shared(j, j)
        return self._defined(np.maximum(total, 0) / (k * (k + 1)))


def _check_lists(predicted: IntArray, candidates: Candidates) -> None:
    """Refuse lists of another shape or with codes that are no labels."""
    if predicted.ndim != 2 or len(predicted) != candidates.n_cases or predicted.shape[1] == 0:
        raise ValueError(
            f"predicted labels must have shape ({candidates.n_cases}, L), L at least 1, got {predicted.shape}"
        )
    if predicted.size and not -1 <= predicted.min() <= predicted.max() < candidates.n_labels:
        raise ValueError(
            f"predicted labels must be codes from 0 to {candidates.n_labels - 1}, or -1 for none, "
            f"got {predicted.min()} to {predicted.max()}"
        )


def expected_size(posterior: Posterior, j: int) -> FloatArray:
    """E|top-j set| with shape (n_cases,): j, or less where fewer labels have any mass."""
    candidates = posterior.candidates
    presence = posterior.in_top(j)
    among_candidates = np.bincount(candidates.case, presence.candidate, candidates.n_cases)
    return among_candidates + candidates.unmentioned * presence.other


def kendall_tau(posterior: Posterior, probability: FloatArray) -> FloatArray:
    """Expected Kendall's τ of the model's and the plausibility's order of a case's candidate labels.

    Parameters
    ----------
    posterior : Posterior
        Distribution over plausibilities λ.
    probability : ndarray of float with shape (n_cases, n_labels)
        The model's; a row of NaN is a case that was not predicted.

    Returns
    -------
    ndarray of float64 with shape (n_cases,)
        In [−1, 1]; NaN where fewer than two labels were mentioned or the case was not predicted.

    Raises
    ------
    ValueError
        Where ``probability`` has another shape.

    Notes
    -----
    τ-a: the mean over pairs of candidates of s (2 P(λ_a > λ_b) − 1), s = 1 where the model puts a before b,
    −1 where after (Stutz 2025, eq. 12 to 20). A pair that either side ties counts 0: the mean over both ways
    of breaking the tie.
    """
    candidates = posterior.candidates
    if probability.shape != (candidates.n_cases, candidates.n_labels):
        raise ValueError(
            f"probability must have shape ({candidates.n_cases}, {candidates.n_labels}), "
            f"got {probability.shape}"
        )
    value = probability[candidates.case, candidates.label]
    later = np.repeat(candidates.start[1:], candidates.per_case) - np.arange(len(value)) - 1
    pairs = np.concatenate([[0], np.cumsum(later)])
    concordance = np.zeros(candidates.n_cases)
    slot = 0
    while slot < len(value):
        end = max(int(np.searchsorted(pairs, pairs[slot] + PAIRS_AT_ONCE, side="right")) - 1, slot + 1)
        first, second = _pairs(slot, later[slot:end])
        sign = np.sign(value[first] - value[second])
        agreement = sign * (2 * posterior.precedes(first, second) - 1)
        concordance += np.bincount(candidates.case[first], agreement, candidates.n_cases)
        slot = end
    defined = has_order(posterior, probability)
    n_pairs = candidates.per_case * (candidates.per_case - 1) / 2
    return np.divide(concordance, n_pairs, out=np.full(candidates.n_cases, np.nan), where=defined)


def has_order(posterior: Posterior, probability: FloatArray) -> NDArray[np.bool_]:
    """Whether model and plausibility both order two candidate labels or more, with shape (n_cases,)."""
    return (posterior.candidates.per_case > 1) & ~np.isnan(probability[:, 0]) & ~posterior.undefined


def _pairs(slot: int, later: IntArray) -> tuple[IntArray, IntArray]:
    """Pair each slot, from ``slot`` on, with the given number of slots after it."""
    first = np.repeat(np.arange(slot, slot + len(later)), later)
    offset = np.arange(len(first)) - np.repeat(np.cumsum(later) - later, later)
    return first, first + 1 + offset


def depth_limit(candidates: Candidates, max_k: int) -> int:
    """Largest depth that makes sense: ``max_k``, or the number of labels where that is smaller."""
    if max_k < 1:
        raise ValueError(f"max_k must be 1 or more, got {max_k}")
    return min(max_k, candidates.n_labels)


def adjusted_metrics(
    posterior: Posterior,
    predictions: Predictions | PredictedOrder | IntArray,
    *,
    max_k: int = 3,
    order: PredictedOrder | None = None,
) -> dict[str, FloatArray]:
    """All uncertainty-adjusted metrics of one model, or of one list of labels a case.

    Parameters
    ----------
    posterior : Posterior
        Distribution over plausibilities.
    predictions : Predictions, PredictedOrder, or ndarray of int with shape (n_cases, L)
        What a model predicts; an order of labels, such as a held-out reader's differential; or ranked label
        codes (−1 pads a shorter list, a row of −1 was not predicted). Scores in place of probabilities name
        no label: no case counts as predicted.
    max_k : int
        Largest depth; the number of labels where that is smaller.
    order : PredictedOrder, optional
        That of the predictions to this depth, where it is known already.

    Returns
    -------
    dict of str to ndarray of float64 with shape (n_cases,)
        ``top-1 accuracy`` … ``top-3 accuracy``, ``set accuracy @2``, ``set accuracy @3``, ``overlap @2``,
        ``overlap @3``, ``average overlap @3``, ``footrule @3`` and, where there are probabilities to rank all
        candidates by, ``Kendall's τ``. NaN where nobody read the case or it was not predicted.
    """
    depth = depth_limit(posterior.candidates, max_k)
    scored = RankedLabels(posterior, order or predicted_order(predictions, depth))
    metrics = {f"top-{k} accuracy": scored.top_k_accuracy(k) for k in range(1, depth + 1)}
    metrics |= {f"set accuracy @{k}": scored.set_accuracy(k) for k in range(2, depth + 1)}
    metrics |= {f"overlap @{k}": scored.overlap(k) for k in range(2, depth + 1)}
    metrics[f"average overlap @{depth}"] = scored.average_overlap(depth)
    metrics[f"footrule @{depth}"] = scored.footrule(depth)
    if isinstance(predictions, Predictions):
        metrics["Kendall's τ"] = kendall_tau(posterior, predictions.probability)
    return metrics
