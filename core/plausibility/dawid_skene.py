"""Dawid–Skene: the truth and every rater's confusion matrix, each from the other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.compiled import njit
from core.plausibility.candidates import candidates_of
from core.plausibility.dawid_skene_em import PatternData, fit_by_em
from core.plausibility.point import point_mass
from core.plausibility.posterior import SampledPosterior
from core.plausibility.reading_patterns import ReadingPatterns, patterns_of
from core.plausibility.settings import TieRule
from core.study.model import FloatArray, IntArray, Readings, freeze

LEAST_TOTAL = 1e-9
"""Prior readings that stand for none."""
MOST_NUMBERS = 2 * 10**8
"""Numbers that a fit may hold in memory, about 8 bytes each."""


@dataclass(frozen=True, eq=False)
class DawidSkene:
    """A fitted model.

    Attributes
    ----------
    prevalence : ndarray of float64 with shape (n_labels,)
        p_k, the share of cases whose truth is k.
    log_confusion : ndarray of float64 with shape (n_cells, n_labels)
        log P(the rater says l | the truth is k) for cell (rater, l) and truth k.
    cell : ndarray of int64 with shape (n_cells,)
        ``rater · n_labels + l``, ascending: the labels that each rater ever gave.
    log_unused : ndarray of float64 with shape (n_raters, n_labels, 2)
        The same for a label that the rater never gave: l ≠ k, and l = k.
    log_posterior : ndarray of float64 with shape (n_iterations,)
        What was maximised, after each iteration; it never falls.
    converged : bool
        Whether the last iteration raised it by less than the tolerance.
    """

    prevalence: FloatArray
    log_confusion: FloatArray
    cell: IntArray
    log_unused: FloatArray
    log_posterior: FloatArray
    converged: bool

    def __post_init__(self) -> None:
        for array in (
            self.prevalence,
            self.log_confusion,
            self.cell,
            self.log_unused,
            self.log_posterior,
        ):
            freeze(array)

    def confusion(self, rater: int) -> FloatArray:
        """P(the rater says column l | the truth is row k), with shape (n_labels, n_labels); rows sum to 1."""
        n_labels = len(self.prevalence)
        off, diagonal = self.log_unused[rater].T
        log = np.where(np.eye(n_labels, dtype=bool), diagonal[:, None], off[:, None])
        first, last = np.searchsorted(self.cell, [rater * n_labels, (rater + 1) * n_labels])
        log[:, self.cell[first:last] % n_labels] = self.log_confusion[first:last].T
        return np.exp(log)

    @property
    def accuracy(self) -> FloatArray:
        """P(the rater is right) = Σ_k p_k P(says k | truth is k), with shape (n_raters,)."""
        n_labels = len(self.prevalence)
        diagonal = self.log_unused[:, :, 1].copy()
        rater, label = self.cell // n_labels, self.cell % n_labels
        diagonal[rater, label] = self.log_confusion[np.arange(len(label)), label]
        return np.exp(diagonal) @ self.prevalence


def fit_dawid_skene(
    readings: Readings,
    n_labels: int,
    n_raters: int,
    *,
    diagonal: float = 1.0,
    total: float = 1.0,
    known: IntArray | None = None,
    tolerance: float = 1e-9,
    max_iterations: int = 1000,
) -> DawidSkene:
    """Fit prevalence and confusion matrices by expectation–maximisation.

    Parameters
    ----------
    readings : Readings
        Of a choice task; repeated readings count as readings of their own.
    n_labels, n_raters : int
        Of the task and the study.
    diagonal : float
        Prior readings in which a rater is right, for each truth; 0 or more.
    total : float
        Prior readings spread evenly over all labels, for each truth, and prior cases spread evenly over all
        truths; 0 or more. With both 0 this is the maximum-likelihood estimate of Dawid and Skene (1979), to
        within the `LEAST_TOTAL` that keeps logarithms finite.
    known : ndarray of int with shape (n_cases,), optional
        The truth of cases where it is known (a gold label), −1 elsewhere: raters are then judged by it there,
        and by each other where it is not.
    tolerance : float
        Iteration ends when the log-posterior rises by less than this for each reading.
    max_iterations : int
        Largest number of iterations.

    Returns
    -------
    DawidSkene

    Raises
    ------
    ValueError
        If an option is out of range, a reading does not name exactly one label, or the matrices would not fit
        into memory (`MOST_NUMBERS`).

    Notes
    -----
    The truth z_i of case i has P(z_i = k) = p_k, and rater r then says l with probability π_r[k, l],
    independently of the others (Dawid and Skene 1979). Maximised is the log-posterior

    Σ_i log Σ_k p_k ∏_{readings of i} π_r[k, l] + Σ_k a log p_k + Σ_r Σ_k Σ_l (a + d [k = l]) log π_r[k, l]

    with a = ``total`` / K and d = ``diagonal``: Dirichlet priors, each counted once, which are Loupe's and
    not those authors': without them, a rater of few readings is taken to be never, or always, right. The M
    step adds a and d to the expected counts, which maximises exactly what the E step bounds, so the
    log-posterior never falls. Of a case whose truth is known, the sum over k has that term alone. It starts
    from the shares of the readings of each case. Cases that the same raters read alike are counted together,
    so the fit does not depend on their order. Memory and time grow with distinct readings × labels, not with
    raters × labels².
    """
    _require_choices(readings)
    truth = np.full(readings.n_cases, -1, np.int64) if known is None else np.asarray(known, np.int64)
    if truth.shape != (readings.n_cases,) or truth.min(initial=-1) < -1 or truth.max(initial=-1) >= n_labels:
        raise ValueError(
            f"known must have a label code below {n_labels}, or −1, for each of {readings.n_cases} cases"
        )
    patterns = patterns_of(readings, n_labels, known=truth)
    _require_room(len(patterns.cell), n_raters, readings.n_cases, n_labels)
    return fit_patterns(
        patterns,
        n_labels,
        n_raters,
        diagonal=diagonal,
        total=total,
        tolerance=tolerance,
        max_iterations=max_iterations,
    )


def fit_patterns(
    patterns: ReadingPatterns,
    n_labels: int,
    n_raters: int,
    *,
    diagonal: float = 1.0,
    total: float = 1.0,
    tolerance: float = 1e-9,
    max_iterations: int = 1000,
) -> DawidSkene:
    """Fit prevalence and confusion matrices to patterns of readings, each counting as often as it occurs.

    Parameters
    ----------
    patterns : ReadingPatterns
        Of all cases; those of `core.plausibility.reading_patterns.patterns_of` give what `fit_dawid_skene`
        gives for the readings.
    n_labels, n_raters, diagonal, total, tolerance, max_iterations
        As `fit_dawid_skene`.

    Raises
    ------
    ValueError
        If an option is out of range, or the matrices would not fit into memory (`MOST_NUMBERS`).
    """
    if not (0 <= diagonal < np.inf and 0 <= total < np.inf):
        raise ValueError(f"diagonal and total must be finite and 0 or more, got {diagonal} and {total}")
    if not tolerance > 0 or max_iterations < 1:
        raise ValueError(
            f"tolerance must be above 0 and max_iterations 1 or more, got {tolerance} and {max_iterations}"
        )
    cell = patterns.cell
    _require_room(len(cell), n_raters, 0, n_labels)
    data = PatternData(
        patterns.start,
        patterns.reading,
        patterns.n_cases.astype(np.float64),
        patterns.known,
        np.searchsorted(cell // n_labels, np.arange(n_raters + 1)).astype(np.int64),
        cell % n_labels,
    )
    enough = tolerance * max(patterns.n_readings, 1)
    even = max(total, LEAST_TOTAL) / max(n_labels, 1)
    prevalence, log_confusion, log_unused, history = fit_by_em(
        data, n_labels, diagonal, even, enough, max_iterations
    )
    converged = len(history) > 1 and history[-1] - history[-2] < enough
    return DawidSkene(prevalence, log_confusion, cell, log_unused, history, bool(converged))


def _require_room(n_cells: int, n_raters: int, n_cases: int, n_labels: int) -> None:
    """Raise ValueError where the matrices would not fit into memory."""
    numbers = (2 * n_cells + 4 * n_raters + n_cases) * n_labels
    if numbers > MOST_NUMBERS:
        some = f"{n_raters:,}, {n_cases:,} and {n_labels:,}" if n_cases else f"{n_raters:,} and {n_labels:,}"
        what = "raters, cases or labels" if n_cases else "raters or labels"
        raise ValueError(
            f"Dawid–Skene may need {MOST_NUMBERS:,} numbers for its confusion matrices, got {numbers:,}: "
            f"choose fewer {what} than {some}"
        )


def dawid_skene(
    readings: Readings, n_labels: int, fitted: DawidSkene, *, tie_rule: TieRule = "split"
) -> SampledPosterior:
    """Give each label the probability that it is the truth, under a fitted model.

    Parameters
    ----------
    readings : Readings
        Of a choice task. A rater that the fit does not know (code ``n_raters`` or above) counts as right with
        the mean accuracy of the others, and equally likely to give any wrong label.
    n_labels : int
        Number of labels of the task.
    fitted : DawidSkene
        From these readings or others by the same raters.
    tie_rule : {"split", "first label"}
        Labels of equal plausibility: split, or the first in the study's order.

    Returns
    -------
    SampledPosterior
        A point mass: λ_k = P(z_i = k | readings of case i). The mass of labels that nobody mentioned for the
        case is right in total, and divided equally among them.

    Raises
    ------
    ValueError
        If a reading does not name exactly one label.
    """
    _require_choices(readings)
    candidates = candidates_of(readings, n_labels)
    given = readings.rater.astype(np.int64) * n_labels + readings.label
    at = np.minimum(np.searchsorted(fitted.cell, given), max(len(fitted.cell) - 1, 0))
    known = fitted.cell[at] == given if len(fitted.cell) else np.zeros(len(given), bool)
    n_raters = len(fitted.log_unused)
    accuracy = np.clip(fitted.accuracy.mean() if n_raters else 0.5, 1e-9, 1 - 1e-9)
    stranger = np.log([(1 - accuracy) / max(n_labels - 1, 1), accuracy])
    value, rest = _posterior(
        readings.case_start,
        np.minimum(readings.rater, n_raters),
        readings.label,
        np.where(known, at, -1),
        np.log(fitted.prevalence),
        fitted.log_confusion,
        np.concatenate([fitted.log_unused, np.broadcast_to(stranger, (1, n_labels, 2))]),
        candidates.start,
        candidates.label,
    )
    return point_mass(candidates, value, rest, tie_rule=tie_rule)


def _require_choices(readings: Readings) -> None:
    """Raise ValueError unless every reading names exactly one label."""
    named = np.diff(readings.entry_start)
    if (named != 1).any():
        raise ValueError(
            f"Dawid–Skene needs readings of one label, got readings of {named.min()} to {named.max()} labels"
        )


@njit(cache=True, nogil=True, error_model="numpy")
def _posterior(  # noqa: PLR0913, PLR0917 - compiled code takes arrays one by one
    case_start: IntArray,
    rater: IntArray,
    label: IntArray,
    cell: IntArray,
    log_prevalence: FloatArray,
    log_confusion: FloatArray,
    log_unused: FloatArray,
    candidate_start: IntArray,
    candidate: IntArray,
) -> tuple[FloatArray, FloatArray]:
    """P(truth) of each candidate, and of all unmentioned labels of each case together."""
    n_labels = len(log_prevalence)
    value = np.empty(len(candidate))
    rest = np.zeros(len(case_start) - 1)
    truth = np.empty(n_labels)
    for case in range(len(case_start) - 1):
        if case_start[case + 1] == case_start[case]:
            continue
        largest = -np.inf
        for k in range(n_labels):
            truth[k] = log_prevalence[k]
            for reading in range(case_start[case], case_start[case + 1]):
                if cell[reading] >= 0:
                    truth[k] += log_confusion[cell[reading], k]
                else:
                    truth[k] += log_unused[rater[reading], k, 1 if label[reading] == k else 0]
            largest = max(largest, truth[k])
        total = 0.0
        for k in range(n_labels):
            truth[k] = np.exp(truth[k] - largest)
            total += truth[k]
        for slot in range(candidate_start[case], candidate_start[case + 1]):
            value[slot] = truth[candidate[slot]] / total
            truth[candidate[slot]] = 0
        for k in range(n_labels):
            rest[case] += truth[k] / total
    return value, rest
