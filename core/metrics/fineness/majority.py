"""Fineness Φ: the probability that readings, reduced to one label, give the true one.

Readings are taken to be independent given the case; `core.metrics.fineness.difficulty` lifts that. With more
than two labels a wrong reading is equally likely to name each of the wrong labels. Ties are broken by lot, so
that of t + 1 labels that tie the true one wins with probability 1 / (t + 1).
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.signal import fftconvolve
from scipy.stats import poisson

from core.study.model import FloatArray, freeze

MOST_RATERS = 10_000
"""The largest group that is computed, exactly, for the majority."""
MOST_TABLED = 199
"""Up to so many raters, what wins is worked out for groups of all sizes at once, and kept."""
NEGLIGIBLE = 1e-17
"""Counts of right readings less probable than this change no digit of a fineness."""
_AT_ONCE = 2**16
"""Numbers that are worked on at once: so many stay near the processor."""


def checked_accuracy(accuracy: ArrayLike) -> FloatArray:
    """Accuracies as float64, refused where one lies outside [0, 1], is unknown, or there are too many.

    Raises
    ------
    ValueError
        For no rater, for more than `MOST_RATERS`, and for a value that is no probability.
    """
    accuracy = np.asarray(accuracy, np.float64)
    n_raters = accuracy.shape[-1] if accuracy.ndim else 0
    if not 1 <= n_raters <= MOST_RATERS:
        raise ValueError(f"a group must have 1 to {MOST_RATERS:,} raters, got {n_raters:,}")
    if not ((accuracy >= 0) & (accuracy <= 1)).all():
        hint = "; divide percentages by 100" if np.max(accuracy) > 1 else ""
        raise ValueError(
            f"accuracy must be known and in [0, 1], got {np.min(accuracy):g} to {np.max(accuracy):g}{hint}"
        )
    return accuracy


def check_labels(n_labels: int) -> None:
    """Refuse fewer than two labels."""
    if n_labels < 2:
        raise ValueError(f"n_labels must be 2 or more, got {n_labels}")


def right_counts(accuracy: FloatArray) -> FloatArray:
    """Distribution of the number of right readings of a case.

    Parameters
    ----------
    accuracy : ndarray of float with shape (…, n_raters)
        Each rater's probability of a right reading, in [0, 1].

    Returns
    -------
    ndarray of float64 with shape (…, n_raters + 1)
        P(0 right), P(1 right) …: a Poisson-binomial distribution, by adding one rater after another.
    """
    by_rater = np.ascontiguousarray(np.moveaxis(checked_accuracy(accuracy), -1, 0))
    counts = np.zeros((len(by_rater) + 1, *by_rater.shape[1:]))
    counts[0] = 1
    for rater, right in enumerate(by_rater):
        moved = counts[: rater + 1] * right
        counts[: rater + 1] -= moved
        counts[1 : rater + 2] += moved
    return np.moveaxis(counts, 0, -1)


def majority_fineness(accuracy: FloatArray, *, n_labels: int = 2) -> FloatArray:
    """Fineness of the majority (with more than two labels: of the plurality), exactly.

    Parameters
    ----------
    accuracy : ndarray of float with shape (…, n_raters)
        Each rater's probability of a right reading, in [0, 1].
    n_labels : int
        Number of labels, K ≥ 2.

    Returns
    -------
    ndarray of float64 with shape (…)

    Raises
    ------
    ValueError
        For accuracies outside [0, 1], fewer than two labels, no rater or more than `MOST_RATERS`.

    Notes
    -----
    For two labels Φ = P(X > n/2) + P(X = n/2) / 2 with X the number of right readings, a Poisson-binomial
    variable (Cabitza 2020, eq. 9 and 10, whose groups are odd). An even group is as good as the odd one with
    one rater fewer, where all are equally accurate.
    """
    check_labels(n_labels)
    accuracy = checked_accuracy(accuracy)
    n_raters = accuracy.shape[-1]
    flat = accuracy.reshape(-1, n_raters)
    step = max(1, _AT_ONCE // (n_raters + 1))
    parts = []
    for start in range(0, max(1, len(flat)), step):
        counts = right_counts(flat[start : start + step])
        possible = counts.max(axis=0, initial=0) > NEGLIGIBLE
        parts.append(counts @ winning(n_raters, n_labels, possible))
    return np.clip(np.concatenate(parts).reshape(accuracy.shape[:-1])[()], 0, 1)


def winning(n_raters: int, n_labels: int, possible: NDArray[np.bool_] | None = None) -> FloatArray:
    """P(the true label wins | c readings are right), for c = 0 … n_raters.

    Of groups of more than `MOST_TABLED` raters, 0 may be given for counts that are not ``possible``.
    """
    if n_labels > 2 and n_raters <= MOST_TABLED:
        return _tabled(n_labels)[n_raters, : n_raters + 1]
    right = np.arange(n_raters + 1)
    wins = _by_more_than_half(n_raters)
    if n_labels > 2:
        is_open = (n_labels * right >= n_raters) & (2 * right <= n_raters)
        for count in np.flatnonzero(is_open if possible is None else is_open & possible).tolist():
            wins[count] = _plurality(count, n_raters - count, n_labels - 1)
    return wins


def _by_more_than_half(n_raters: int) -> FloatArray:
    """P(the true label wins | c readings are right) of two labels."""
    right = np.arange(n_raters + 1)
    return np.where(2 * right == n_raters, 0.5, np.where(2 * right > n_raters, 1.0, 0.0))


@lru_cache(maxsize=16)
def _tabled(n_labels: int) -> FloatArray:
    """P(the true label wins) by the number of raters, up to `MOST_TABLED`, and that of right readings.

    Notes
    -----
    As `_plurality`, whose power of a polynomial holds the coefficients for every number of wrong readings: so
    one power for each number of right readings serves groups of all sizes. Cells are Poisson counts with the
    same rate for all of these; whatever rate it is, it cancels, as all terms are of one degree.
    """
    table = np.zeros((MOST_TABLED + 1, MOST_TABLED + 1))
    for n_raters in range(MOST_TABLED + 1):
        table[n_raters, : n_raters + 1] = _by_more_than_half(n_raters)
    n_cells, mean = n_labels - 1, MOST_TABLED / 2
    for right in range(1, MOST_TABLED // 2 + 1):
        most = min(n_cells * right, MOST_TABLED - right)
        nodes, weights = np.polynomial.legendre.leggauss(min(n_cells, most // right) // 2 + 1)
        cell = poisson.pmf(np.arange(right + 1), mean / n_cells)
        total = np.zeros(most + 1)
        for node, weight in zip((nodes + 1) / 2, weights / 2, strict=True):
            terms = np.append(cell[:-1], cell[-1] * node)[: most + 1]
            total += weight * _power(terms, n_cells, most)
        wrong = np.arange(right, most + 1)
        table[right + wrong, right] = total[wrong] / poisson.pmf(wrong, mean)
    return freeze(table)


def _plurality(right: int, wrong: int, n_cells: int) -> float:
    """P(the true label wins with ``right`` votes against ``wrong`` ones thrown at ``n_cells`` other labels).

    Notes
    -----
    The cells are independent Poisson counts, given their sum. With f(x, s) = Σ_{j<c} p_j x^j + s p_c x^c the
    coefficient of x^m in f^J is the probability that no cell has more than c votes, each tie weighted by s;
    ∫ s^t ds = 1 / (1 + t) over [0, 1] then breaks a tie of t cells, exactly by Gauss–Legendre nodes.
    """
    most_ties = min(n_cells, wrong // max(right, 1))
    nodes, weights = np.polynomial.legendre.leggauss(most_ties // 2 + 1)
    cell = poisson.pmf(np.arange(min(right, wrong) + 1), wrong / n_cells)
    total = 0.0
    for node, weight in zip((nodes + 1) / 2, weights / 2, strict=True):
        terms = cell.copy()
        if right < len(terms):
            terms[right] *= node
        total += weight * _power(terms, n_cells, wrong)[wrong]
    return float(total / poisson.pmf(wrong, wrong))


def _power(terms: FloatArray, power: int, degree: int) -> FloatArray:
    """Coefficients of 1 … x^degree in a polynomial raised to a power, by repeated squaring."""
    result: FloatArray = np.ones(1)
    square = terms
    while power:
        if power & 1:
            result = _product(result, square)[: degree + 1]
        power >>= 1
        if power:
            square = _product(square, square)[: degree + 1]
    return np.pad(result, (0, degree + 1 - len(result)))


def _product(first: FloatArray, second: FloatArray) -> FloatArray:
    """Product of two polynomials with coefficients of 0 or more."""
    if min(len(first), len(second)) < 512:
        return np.convolve(first, second)
    return np.maximum(fftconvolve(first, second), 0)


def probabilistic_fineness(accuracy: FloatArray) -> FloatArray:
    """Fineness of the probabilistic reduction: a label is drawn with its share of the readings.

    Parameters
    ----------
    accuracy : ndarray of float with shape (…, n_raters)
        Each rater's probability of a right reading, in [0, 1].

    Returns
    -------
    ndarray of float64 with shape (…)
        The mean accuracy.

    Notes
    -----
    The true label's share of n readings has the expectation Σ a_r / n, whatever n and however many labels, so
    this reduction gains nothing from more raters (Cabitza 2020, eq. 12 and 13). The paper's P_prob is
    another number: for 13 raters with accuracy .81 the printed expression gives an error of .0172, while a
    label drawn from their shares is wrong with probability .19, eleven times as often, and their majority
    with probability .0052. It is no probability of error of this reduction, and is not used.
    """
    return checked_accuracy(accuracy).mean(axis=-1)
