"""Rater ability and case difficulty, where nobody knows the truth: a Rasch model over a hidden label."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from scipy.optimize import brentq

from core.plausibility.posterior import Candidates, candidates_of
from core.study.model import FloatArray, IntArray, Readings, freeze

NODES = np.linspace(-6, 6, 25)
"""Difficulties that a case may have, in logits."""
ABILITY_MEAN, ABILITY_SPREAD = 1.0, 2.0
"""Normal prior of abilities, in logits: keeps a rater who is always right from having infinite ability."""
LARGEST_ABILITY = 30.0
"""Logits beyond which no ability is sought."""
SPREAD_RANGE = (0.05, 4.0)
"""Within which the standard deviation of difficulties is sought."""


@dataclass(frozen=True, eq=False)
class RaterAbility:
    """A fitted model.

    Attributes
    ----------
    ability : ndarray of float64 with shape (n_raters,)
        θ in logits: 0 is right in half of the cases of average difficulty; NaN for a rater who reads nothing.
    standard_error : ndarray of float64 with shape (n_raters,)
        Of the ability, from the curvature of the expected log-posterior; it takes the truth as found.
    difficulty : ndarray of float64 with shape (n_cases,)
        Expected δ in logits, 0 on average; NaN for a case without readings.
    spread : float
        Standard deviation σ of the difficulties of cases.
    accuracy : ndarray of float64 with shape (n_raters,)
        P(right) in a case drawn from the difficulties: the mean of logistic(θ − δ) over δ ~ N(0, σ²).
    truth : ndarray of float64 with shape (n_candidates,)
        P(the label is the truth) for each slot of ``candidates``.
    candidates : Candidates
        The labels named in each case.
    log_posterior : ndarray of float64 with shape (n_iterations,)
        What was maximised, at the start and after each iteration; it never falls.
    converged : bool
        Whether the last iteration raised it by less than the tolerance.
    """

    ability: FloatArray
    standard_error: FloatArray
    difficulty: FloatArray
    spread: float
    accuracy: FloatArray
    truth: FloatArray
    candidates: Candidates
    log_posterior: FloatArray
    converged: bool

    def __post_init__(self) -> None:
        for name in ("ability", "standard_error", "difficulty", "accuracy", "truth", "log_posterior"):
            freeze(getattr(self, name))


def fit_rater_ability(
    readings: Readings,
    n_labels: int,
    n_raters: int,
    *,
    tolerance: float = 1e-9,
    max_iterations: int = 1000,
) -> RaterAbility:
    """Fit abilities of raters and the spread of difficulty of cases by expectation–maximisation.

    Parameters
    ----------
    readings : Readings
        Of a choice task.
    n_labels, n_raters : int
        Of the task, 2 or more, and of the study.
    tolerance : float
        Iteration ends when the log-posterior rises by less than this for each reading.
    max_iterations : int
        Largest number of iterations.

    Returns
    -------
    RaterAbility

    Raises
    ------
    ValueError
        If an option is out of range or a reading does not name exactly one label.

    Notes
    -----
    The truth of a case is any of the K labels with equal probability; its difficulty is δ ~ N(0, σ²), on a
    grid; a rater of ability θ is right with probability logistic(θ − δ), and otherwise gives any of the other
    labels (Rasch 1960, with the hidden truth of Whitehill et al. 2009, GLAD, whose difficulty scales ability
    instead of shifting it). θ ~ N(`ABILITY_MEAN`, `ABILITY_SPREAD`²). The E step takes the truth and the
    difficulty of a case together, so hard cases make the errors of its raters depend on one another; the M
    step is one concave Newton search a rater and one root for σ. Each iteration takes two such steps and a
    leap along them, kept only where it is the better, so the log-posterior never falls. It starts from able
    raters, which tells the truth from its mirror image.
    """
    if n_labels < 2:
        raise ValueError(f"n_labels must be 2 or more, got {n_labels}")
    if not tolerance > 0 or max_iterations < 1:
        raise ValueError(
            f"tolerance must be above 0 and max_iterations 1 or more, got {tolerance} and {max_iterations}"
        )
    named = np.diff(readings.entry_start)
    if (named != 1).any():
        raise ValueError(
            f"abilities need readings of one label, got readings of {named.min()} to {named.max()} labels"
        )
    candidates = candidates_of(readings, n_labels)
    slot = _slots(readings, candidates)
    model = _Model(readings, slot, candidates)
    now = model.expect(np.append(np.full(n_raters, ABILITY_MEAN + 1), 0.0))
    history = [now.objective]
    enough = tolerance * max(readings.n_readings, 1)
    converged = False
    while not converged and len(history) < max_iterations:
        better = model.expect(model.maximise(now))
        leap = model.expect(_extrapolate(now.at, better.at, model.maximise(better)))
        before, now = now, leap if leap.objective > better.objective else better
        history.append(now.objective)
        converged = now.objective - before.objective < enough
    ability, spread = now.at[:-1], float(np.exp(now.at[-1]))
    read = np.bincount(readings.rater, minlength=n_raters) > 0
    probability = 1 / (1 + np.exp(NODES - ability[:, None]))
    curvature = (now.reads * probability * (1 - probability)).sum(axis=1) + ABILITY_SPREAD**-2
    return RaterAbility(
        np.where(read, ability, np.nan),
        np.where(read, curvature**-0.5, np.nan),
        np.where(readings.per_case > 0, now.node @ NODES, np.nan),
        spread,
        np.where(read, probability @ _node_weights(spread), np.nan),
        now.truth,
        candidates,
        np.array(history),
        converged,
    )


@dataclass(frozen=True, eq=False)
class _Expectation:
    """What the E step finds at some parameters: abilities, then log σ."""

    at: FloatArray
    objective: float
    right: FloatArray
    reads: FloatArray
    truth: FloatArray
    node: FloatArray


class _Model:
    """E and M step for some readings."""

    def __init__(self, readings: Readings, slot: IntArray, candidates: Candidates) -> None:
        self._readings, self._slot, self._candidates = readings, slot, candidates

    def expect(self, at: FloatArray) -> _Expectation:
        """E step, with the log-posterior of the parameters."""
        ability, n_labels = at[:-1], self._candidates.n_labels
        likelihood, *found = _expect(
            self._readings.case_start,
            self._readings.rater,
            self._slot,
            self._candidates.start,
            -np.logaddexp(0, NODES - ability[:, None]),
            -np.logaddexp(0, ability[:, None] - NODES) - np.log(n_labels - 1),
            np.log(_node_weights(float(np.exp(at[-1])))),
            n_labels,
        )
        prior = ((ability - ABILITY_MEAN) ** 2).sum() / (2 * ABILITY_SPREAD**2)
        return _Expectation(at, float(likelihood - prior), *found)

    def maximise(self, expected: _Expectation) -> FloatArray:
        """M step."""
        ability = _best_ability(expected.at[:-1], expected.right, expected.reads)
        return np.append(ability, np.log(_best_spread(expected.node)))


def _extrapolate(first: FloatArray, second: FloatArray, third: FloatArray) -> FloatArray:
    """Leap along two steps of an iteration (SQUAREM, Varadhan and Roland 2008, scheme S3)."""
    step, bend = second - first, third - 2 * second + first
    curvature = float(np.linalg.norm(bend))
    length = max(1.0, float(np.linalg.norm(step)) / curvature) if curvature > 0 else 1.0
    leap = first + 2 * length * step + length**2 * bend
    low, high = np.log(SPREAD_RANGE)
    return np.append(np.clip(leap[:-1], -LARGEST_ABILITY, LARGEST_ABILITY), np.clip(leap[-1], low, high))


def _slots(readings: Readings, candidates: Candidates) -> IntArray:
    """Slot of the label of each reading, with shape (n_readings,)."""
    key = candidates.case * candidates.n_labels + candidates.label
    return np.searchsorted(key, readings.case * candidates.n_labels + readings.label)


def _node_weights(spread: float) -> FloatArray:
    """P(difficulty) on the grid for a standard deviation σ."""
    weight = np.exp(-0.5 * (NODES / spread) ** 2)
    return np.maximum(weight / weight.sum(), 1e-300)


def _best_ability(ability: FloatArray, right: FloatArray, reads: FloatArray) -> FloatArray:
    """Maximise the expected log-posterior of each rater, given expected right answers by difficulty.

    The derivative Σ_q (right_q − reads_q logistic(θ − δ_q)) − (θ − m) / s² falls throughout, so its root is
    bracketed and found by Newton steps that stay inside the bracket.
    """
    low, high = np.full(len(ability), -LARGEST_ABILITY), np.full(len(ability), LARGEST_ABILITY)
    for _ in range(60):
        probability = 1 / (1 + np.exp(NODES - ability[:, None]))
        slope = (right - reads * probability).sum(axis=1) - (ability - ABILITY_MEAN) / ABILITY_SPREAD**2
        low, high = np.where(slope > 0, ability, low), np.where(slope <= 0, ability, high)
        curvature = (reads * probability * (1 - probability)).sum(axis=1) + ABILITY_SPREAD**-2
        step = ability + slope / curvature
        step = np.where((step >= low) & (step <= high), step, (low + high) / 2)
        if np.abs(step - ability).max(initial=0) < 1e-9:
            break
        ability = step
    return ability


def _best_spread(node: FloatArray) -> float:
    """Standard deviation whose grid has the second moment that the cases have; the likelihood's maximum."""
    of_cases = node[node.sum(axis=1) > 0]
    if len(of_cases) == 0:
        return 1.0
    moment = float((of_cases @ NODES**2).mean())

    def excess(spread: float) -> float:
        return float(_node_weights(spread) @ NODES**2) - moment

    low, high = SPREAD_RANGE
    if excess(low) >= 0:
        return low
    return high if excess(high) <= 0 else float(brentq(excess, low, high, xtol=1e-12))


@njit(cache=True, nogil=True, error_model="numpy")
def _expect(
    case_start: IntArray,
    rater: IntArray,
    slot: IntArray,
    candidate_start: IntArray,
    log_right: FloatArray,
    log_wrong: FloatArray,
    log_weight: FloatArray,
    n_labels: int,
) -> tuple[float, FloatArray, FloatArray, FloatArray, FloatArray]:
    """Log-likelihood, expected right answers and readings by rater and node, truths, and nodes of cases."""
    n_cases, n_nodes = len(case_start) - 1, len(log_weight)
    likelihood = 0.0
    right = np.zeros(log_right.shape)
    reads = np.zeros(log_right.shape)
    truth = np.zeros(candidate_start[-1])
    node = np.zeros((n_cases, n_nodes))
    most = 1
    for case in range(n_cases):
        most = max(most, candidate_start[case + 1] - candidate_start[case])
    joint = np.empty((most + 1, n_nodes))
    for case in range(n_cases):
        first, last = case_start[case], case_start[case + 1]
        if first == last:
            continue
        slots = candidate_start[case]
        n_slots = candidate_start[case + 1] - slots
        # The last row stands for all unmentioned labels: there, everybody is wrong.
        unmentioned = n_labels - n_slots
        share = np.log(unmentioned) if unmentioned > 0 else -np.inf
        for q in range(n_nodes):
            all_wrong = log_weight[q] - np.log(n_labels)
            for reading in range(first, last):
                all_wrong += log_wrong[rater[reading], q]
            for k in range(n_slots):
                joint[k, q] = all_wrong
            joint[n_slots, q] = all_wrong + share
        for reading in range(first, last):
            r = rater[reading]
            for q in range(n_nodes):
                joint[slot[reading] - slots, q] += log_right[r, q] - log_wrong[r, q]
        largest = -np.inf
        for k in range(n_slots + 1):
            for q in range(n_nodes):
                largest = max(largest, joint[k, q])
        total = 0.0
        for k in range(n_slots + 1):
            for q in range(n_nodes):
                joint[k, q] = np.exp(joint[k, q] - largest)
                total += joint[k, q]
        likelihood += largest + np.log(total)
        for k in range(n_slots + 1):
            for q in range(n_nodes):
                joint[k, q] /= total
                node[case, q] += joint[k, q]
                if k < n_slots:
                    truth[slots + k] += joint[k, q]
        for reading in range(first, last):
            for q in range(n_nodes):
                reads[rater[reading], q] += node[case, q]
                right[rater[reading], q] += joint[slot[reading] - slots, q]
    return likelihood, right, reads, truth, node
