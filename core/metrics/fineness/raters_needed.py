"""How many raters of a given accuracy a wanted fineness takes: exactly, and by a bound."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np
from scipy.stats import binom

from core.metrics.fineness.difficulty import WEIGHTS, accuracy_by_difficulty
from core.metrics.fineness.majority import MOST_TABLED, check_labels, checked_accuracy, winning
from core.study.model import FloatArray

MOST_NEEDED = 9_999
"""The largest number of raters that is looked for with two labels."""
MOST_NEEDED_OF_MANY = MOST_TABLED
"""The same with more labels."""
_ROUNDING = 1e-12
"""A fineness this little below the wanted one is that: one rater of accuracy .95 has .95."""
_AT_ONCE = 512
"""Accuracies, at each difficulty of a case, that are worked on at once."""


def equal_fineness_by_size(
    accuracies: Sequence[float],
    sizes: Sequence[int],
    *,
    difficulty: float | Sequence[float] = 0.0,
    n_labels: int = 2,
) -> FloatArray:
    """Fineness of the majority of raters who are equally accurate.

    Parameters
    ----------
    accuracies : sequence of float
        In [0, 1].
    sizes : sequence of int
        Numbers of raters, 1 or more; an even number is as good as one fewer (with two labels: ties are broken
        by lot).
    difficulty : float, or sequence of float
        Standard deviation of the cases' difficulty on the logit scale (`core.metrics.fineness.difficulty`):
        one for all accuracies, or one for each.
    n_labels : int
        Number of labels, 2 or more.

    Returns
    -------
    ndarray of float64 with shape (n_sizes, n_accuracies)
        In [0, 1].
    """
    check_labels(n_labels)
    if min(sizes) < 1:
        raise ValueError(f"n_raters must be 1 or more, got {min(sizes)}")
    at = _at_each(accuracies, difficulty)
    if n_labels == 2:
        return np.array([_two_label_fineness(at, n_raters) for n_raters in sizes])
    parts = []
    for part in _in_parts(at):
        found = {n: fineness for n, fineness in _one_after_another(part, n_labels, max(sizes)) if n in sizes}
        parts.append([found[n_raters] for n_raters in sizes])
    return np.concatenate(parts, axis=1)


def _at_each(accuracies: Sequence[float], difficulty: float | Sequence[float]) -> FloatArray:
    """Accuracies at each difficulty of a case, with shape (n_nodes, n_accuracies).

    Without difficulty, one node is all there are.
    """
    accuracy = np.asarray(accuracies, np.float64)
    if not np.any(difficulty):
        return checked_accuracy(accuracy)[None]
    if not isinstance(difficulty, Sequence):
        return accuracy_by_difficulty(accuracy, difficulty)
    pairs = zip(accuracy, difficulty, strict=True)
    return np.concatenate([accuracy_by_difficulty(np.array([a]), d) for a, d in pairs], axis=1)


def _two_label_fineness(at: FloatArray, n_raters: int) -> FloatArray:
    """Fineness with two labels for accuracies at each difficulty."""
    odd = n_raters - 1 + n_raters % 2
    return _mean(np.asarray(binom.sf(odd // 2, odd, at)))


def _mean(fineness: FloatArray) -> FloatArray:
    """Mean over the difficulties of cases, the first axis."""
    return WEIGHTS @ fineness if len(fineness) > 1 else fineness[0]


def _in_parts(at: FloatArray) -> Iterator[FloatArray]:
    """Some accuracies after the other: so few that what is worked on stays near the processor."""
    step = max(1, _AT_ONCE // len(at))
    yield from (at[:, start : start + step] for start in range(0, at.shape[1], step))


def _one_after_another(at: FloatArray, n_labels: int, most: int) -> Iterator[tuple[int, FloatArray]]:
    """Number of raters, and fineness with more than two labels, for accuracies at each difficulty."""
    counts = np.zeros((most + 1, *at.shape))
    counts[0] = 1
    for n_raters in range(1, most + 1):
        moved = counts[:n_raters] * at
        counts[:n_raters] -= moved
        counts[1 : n_raters + 1] += moved
        wins = winning(n_raters, n_labels)
        yield n_raters, np.clip(_mean(np.tensordot(wins, counts[: n_raters + 1], 1)), 0, 1)


def raters_needed(
    accuracy: float, fineness: float, *, difficulty: float = 0.0, n_labels: int = 2
) -> int | None:
    """Fewest equally accurate raters whose majority has at least the wanted fineness.

    Parameters
    ----------
    accuracy : float
        In [0, 1].
    fineness : float
        Wanted, in (0, 1).
    difficulty : float
        Standard deviation of the cases' difficulty on the logit scale; 0 for independent errors.
    n_labels : int
        Number of labels, 2 or more.

    Returns
    -------
    int or None
        None where no number up to `MOST_NEEDED` (`MOST_NEEDED_OF_MANY` for more labels) is enough: where
        raters guess or worse, or err on the same cases so often that no number would help.

    Notes
    -----
    Exact: with accuracy .81 and a wanted .95, 7 raters (Φ = .9721; 5 raters: .9495).
    """
    return raters_needed_each([accuracy], fineness, difficulty=difficulty, n_labels=n_labels)[0]


def raters_needed_each(
    accuracies: Sequence[float],
    fineness: float,
    *,
    difficulty: float | Sequence[float] = 0.0,
    n_labels: int = 2,
) -> list[int | None]:
    """`raters_needed` for raters of each of several accuracies, with one difficulty or one for each."""
    _check_wanted(fineness)
    check_labels(n_labels)
    at = _at_each(accuracies, difficulty)
    if n_labels == 2:
        return [_bisected(column[:, None], fineness) for column in at.T]
    return [needed for part in _in_parts(at) for needed in _first_enough(part, fineness, n_labels)]


def _first_enough(at: FloatArray, fineness: float, n_labels: int) -> list[int | None]:
    """Fewest raters for more than two labels, of each accuracy."""
    found: list[int | None] = [None] * at.shape[1]
    for n_raters, value in _one_after_another(at, n_labels, MOST_NEEDED_OF_MANY):
        found = [
            n_raters if known is None and enough else known
            for known, enough in zip(found, (value >= fineness - _ROUNDING).tolist(), strict=True)
        ]
        if None not in found:
            break
    return found


def _bisected(at: FloatArray, fineness: float) -> int | None:
    """Fewest raters for two labels, where more are never worse; ``at`` has shape (n_nodes, 1)."""

    def enough(n_raters: int) -> bool:
        return bool(_two_label_fineness(at, n_raters)[0] >= fineness - _ROUNDING)

    if enough(1):
        return 1
    if not enough(MOST_NEEDED):
        return None
    low, high = 0, MOST_NEEDED // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(2 * middle + 1) else (middle, high)
    return 2 * high + 1


def raters_bound(
    accuracy: float, fineness: float, *, logarithm: Literal["natural", "decimal"] = "natural"
) -> int | None:
    """Raters that suffice for a fineness by a Chernoff bound.

    Parameters
    ----------
    accuracy : float
        In [0, 1]; two labels, independent errors.
    fineness : float
        Wanted, in (0, 1).
    logarithm : {"natural", "decimal"}
        The bound holds with the natural one; the published figure was drawn with the decimal one.

    Returns
    -------
    int or None
        None where the accuracy is one half or less.

    Notes
    -----
    P(err) ≤ exp(−δ² n η / (2 + δ)) with δ = 1/(2η) − 1 and η the error rate, so that
    n ≥ 2 (1 + 2η) / (1 − 2η)² · log(1 / (1 − Φ)) (Cabitza 2020, eq. 23 and fig. 10). With accuracy .81 and a
    wanted .95 this is 22 raters, and 10 with the decimal logarithm of the printed figure, which is not
    guaranteed to suffice; exactly, 7 do.
    """
    _check_wanted(fineness)
    if not 0 <= accuracy <= 1:
        raise ValueError(f"accuracy must be in [0, 1], got {accuracy}")
    if logarithm not in ("natural", "decimal"):
        raise ValueError(f"logarithm must be natural or decimal, got {logarithm!r}")
    if accuracy <= 0.5:
        return None
    error = 1 - accuracy
    log = math.log if logarithm == "natural" else math.log10
    return max(1, math.ceil(2 * (1 + 2 * error) / (1 - 2 * error) ** 2 * log(1 / (1 - fineness)) - 1e-9))


def _check_wanted(fineness: float) -> None:
    """Refuse a fineness that nobody can want."""
    if not 0 < fineness < 1:
        raise ValueError(f"the wanted fineness must lie between 0 and 1, got {fineness}")
