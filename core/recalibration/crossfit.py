"""Cross-fitting: no case is judged by a fit, or by a choice of penalty, that saw it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeVar

import numpy as np

from core.progress import Progress
from core.study.model import FloatArray, IntArray
from core.study.seeds import case_seeds

Fit = TypeVar("Fit")


@dataclass(frozen=True, eq=False)
class Folds:
    """Cases dealt into folds, by their ids and the study's seed alone.

    Attributes
    ----------
    fold : ndarray of int64 with shape (n_cases,)
        0 … ``n_folds`` − 1; −1 for a case that takes no part.
    order : ndarray of int64 with shape (n_dealt,)
        The dealt cases in an order that does not depend on that of the study's rows. Fits take their cases in
        this order, so that not even rounding depends on it.
    n_folds : int
        3 or more.
    """

    fold: IntArray
    order: IntArray
    n_folds: int

    def training(self, *left_out: int) -> IntArray:
        """Cases of all folds but these."""
        return self.order[~np.isin(self.fold[self.order], left_out)]

    def held_out(self, fold: int) -> IntArray:
        """Cases of one fold."""
        return self.order[self.fold[self.order] == fold]


def deal_folds(seed: int, case_ids: Sequence[str], stratum: IntArray, *, n_folds: int = 5) -> Folds:
    """Deal cases into folds.

    Parameters
    ----------
    seed : int
        The study's seed.
    case_ids : sequence of str
        Ids of the cases.
    stratum : ndarray of int with shape (n_cases,)
        Kind of case, from 0: the cases of each kind are dealt evenly. −1 for one that takes no part.
    n_folds : int
        3 or more, for the choice of a penalty sets a second fold aside.

    Raises
    ------
    ValueError
        If there are fewer than 3 folds, or fewer cases than folds.
    """
    if n_folds < 3:
        raise ValueError(f"n_folds must be 3 or more, got {n_folds}")
    n_dealt = int((stratum >= 0).sum())
    if n_dealt < n_folds:
        raise ValueError(f"cross-fitting in {n_folds} folds needs {n_folds} cases or more, got {n_dealt}")
    seeds = case_seeds(seed, case_ids, "recalibration folds")
    order = np.lexsort((np.asarray(case_ids), seeds, stratum))
    order = order[stratum[order] >= 0]
    fold = np.full(len(seeds), -1, np.int64)
    fold[order] = np.arange(len(order)) % n_folds
    return Folds(fold, order, n_folds)


def cross_fit(folds: Folds, fit: Callable[[IntArray], Fit], *, progress: Progress | None = None) -> list[Fit]:
    """Fit once for each fold, on the cases of all others; ``fit`` takes indices of cases."""
    found = []
    for k in range(folds.n_folds):
        if progress is not None:
            progress(k / folds.n_folds, f"fold {k + 1} of {folds.n_folds}")
        found.append(fit(folds.training(k)))
    return found


def cross_fit_penalised(
    folds: Folds,
    fit: Callable[[IntArray, Sequence[float]], list[Fit]],
    loss: Callable[[Fit, IntArray], float],
    strengths: Sequence[float],
    *,
    progress: Progress | None = None,
) -> list[Fit]:
    """Fit once for each fold, with the strength of the penalty chosen by cross-validation among the others.

    Parameters
    ----------
    folds : Folds
        How cases are dealt.
    fit : callable of (cases, strengths)
        Fits the given cases, once for each strength.
    loss : callable of (fit, cases)
        Mean held-out loss of other cases.
    strengths : sequence of float
        To choose from; a tie goes to the first.
    progress : callable, optional
        Called with the share done, in [0, 1], and what is being done; may raise to end the work.

    Returns
    -------
    list
        The fit that judges each fold.

    Notes
    -----
    A fit without the folds a and b tells fold a's choice how well it does on b, and fold b's choice how well
    it does on a; so the nested choice takes half the fits that it would take done naively.
    """
    n, pairs = folds.n_folds, list(combinations(range(folds.n_folds), 2))
    total: FloatArray = np.zeros((n, len(strengths)))
    steps = len(pairs) + n
    for step, (a, b) in enumerate(pairs):
        if progress is not None:
            progress(step / steps, "choosing the strength of the penalty")
        fitted = fit(folds.training(a, b), strengths)
        for judged, other in ((a, b), (b, a)):
            cases = folds.held_out(other)
            total[judged] += [loss(one, cases) for one in fitted]
    found = []
    for k in range(n):
        if progress is not None:
            progress((len(pairs) + k) / steps, f"fold {k + 1} of {n}")
        best = strengths[int(np.argmin(total[k]))]
        found += fit(folds.training(k), [best])
    return found
