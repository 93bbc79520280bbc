"""Plausible truths of one case on the simplex of its leading labels."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.analysis.cases.case import ANY_OTHER, Case, is_known, risk_letter
from core.analysis.cases.truths import of_hundred_truths
from core.analysis.cases.worklist import PLAUSIBLE
from core.analysis.risk_words import RISK_LETTERS, risk_phrase
from core.metrics.risk import HIGH
from core.study.model import FloatArray, IntArray

OTHER_LABELS = "other labels"
DRAW, MEAN, POINT = "plausible truth", "mean", "point estimate"
"""What a row of `Simplex.table` is."""
_LEADER, _KIND = "leading label", "kind"
ELSEWHERE = -1
"""Leader of a draw in which a label leads that the simplex does not show."""
_DIGITS = 6
"""Of a point estimate; what differs further on is how far its search went."""
RISK_WORDS = {letter: risk_phrase(name) for name, letter in RISK_LETTERS.items()}


@dataclass(frozen=True, eq=False)
class Before:
    """How the labels of a simplex stood before the readings were changed; each with shape (n,).

    Attributes
    ----------
    leads : ndarray of float64
        Probability that each had the largest plausibility of all labels.
    mean, point : ndarray of float64
        Mean plausibility, and the point estimate.
    """

    leads: FloatArray
    mean: FloatArray
    point: FloatArray


@dataclass(frozen=True, eq=False)
class Simplex:
    """Draws of a case's plausibility as far as they concern its leading labels.

    Attributes
    ----------
    labels, risk : tuple of str
        The n labels that lead most often, the likeliest plausible danger among them, each at its corner
        (`corners`), and their risk letters.
    leads : ndarray of float64 with shape (n,)
        Probability that each has the largest plausibility of all labels.
    share : ndarray of float64 with shape (n_draws, n)
        Plausibility of each in each draw, in [0, 1]; what is missing to 1 is that of the other labels. A
        single row where all draws are the same.
    leader : ndarray of int64 with shape (n_draws,)
        Position of the label with the largest plausibility of all; `ELSEWHERE` where it is not shown.
    mean, point : ndarray of float64 with shape (n,)
        Mean plausibility, and the point estimate.
    before : Before or None
        How it was before the readings were changed, where they are.
    n_named, n_unnamed : int
        Labels that are not shown: those that readings name, and those that nobody named.
    unnamed, unnamed_point : float
        Mean plausibility of the latter together, and their point estimate.
    danger : tuple of (str, int)
        High-risk labels that are not shown though they are plausible
        (`core.analysis.cases.worklist.PLAUSIBLE`), the one that leads most often first, and in how many of
        100 truths each leads.
    """

    labels: tuple[str, ...]
    risk: tuple[str, ...]
    leads: FloatArray
    share: FloatArray
    leader: IntArray
    mean: FloatArray
    point: FloatArray
    before: Before | None = None
    n_named: int = 0
    n_unnamed: int = 0
    unnamed: float = 0.0
    unnamed_point: float = 0.0
    danger: tuple[tuple[str, int], ...] = ()

    @property
    def table(self) -> pd.DataFrame:
        """One row a mark: plausibility of each label and of the others together, who leads, what it is."""
        marks = {MEAN: self.mean, POINT: self.point}
        if self.before is not None:
            marks |= {f"{MEAN} before": self.before.mean, f"{POINT} before": self.before.point}
        share = np.vstack([self.share, *marks.values()])
        table = pd.DataFrame(share, columns=list(self.labels)).astype(float)
        table[OTHER_LABELS] = others(share)
        names = np.array([*self.labels, ANY_OTHER], dtype=object)
        table[_LEADER] = np.append(names[self.leader], [""] * len(marks))
        table[_KIND] = [DRAW] * len(self.share) + list(marks)
        return table


def others(share: FloatArray) -> FloatArray:
    """Plausibility of the labels that are not shown, from that of those that are, along the last axis."""
    return np.clip(1.0 - share.sum(axis=-1), 0.0, 1.0)


def corners(case: Case, n: int, *, was: Case | None = None) -> IntArray:
    """Place the labels of a case that lead most often, danger included, so that pictures can be compared.

    Who leads most changes with the reliability and with changed readings. A label stands at the corner that
    it has in the point estimate, which no reliability moves, or had before a change; what is new among the
    leading labels takes the corners that are left.

    Parameters
    ----------
    case : Case
        As `core.analysis.cases.case.open_case` gives it, with ``n`` candidates or more.
    n : int
        Number of corners.
    was : Case, optional
        The case before its readings were changed.

    Returns
    -------
    ndarray of int64
        Codes of the labels.
    """
    if was is None:
        slots = case.posterior.candidates.locate(case.order[None, :])[0]
        point = case.point.mean.candidate[slots].round(_DIGITS)
        kept = case.order[np.lexsort((case.order, -point))][:n]
    else:
        kept = corners(was, n)
    leading = _with_danger(case, n)
    new = [label for label in leading if label not in kept]
    at = [label if label in leading else new.pop(0) for label in kept.tolist()]
    return np.array([*at, *new], np.int64)


def _with_danger(case: Case, n: int) -> list[int]:
    """Codes of the labels with a corner: those that lead most often, and the likeliest plausible danger.

    A danger that is plausible, and behind all of these, takes the place of the last.
    """
    leading = case.order[:n].tolist()
    if math.isinf(case.aggregation.reliability) or (case.task.risk[leading] == HIGH).any():
        return leading
    behind = _plausible_danger(case, case.order[n:])
    return [*leading[:-1], behind[0][0]] if behind else leading


def simplex_of(case: Case, n: int, *, was: Case | None = None) -> Simplex | None:
    """Give the draws of a case on the simplex of its ``n`` leading labels.

    Parameters
    ----------
    case : Case
        As `core.analysis.cases.case.open_case` gives it.
    n : int
        Number of labels: 3 for a triangle, 4 for a tetrahedron.
    was : Case, optional
        The case before its readings were changed: its labels keep their corners.

    Returns
    -------
    Simplex or None
        None where fewer labels are candidates, or nothing is known of the case.
    """
    if len(case.order) < n or not is_known(case):
        return None
    codes = corners(case, n, was=was)
    slots = case.posterior.candidates.locate(codes[None, :])[0]
    share = case.draws.draws.value[slots].T.astype(float)
    # A single case: its candidates begin in slot 0.
    leader = case.draws.leaders(1)[0, :, 0]
    if (share == share[0]).all():
        share, leader = share[:1], leader[:1]
    n_unnamed = int(case.posterior.candidates.unmentioned[0])
    return Simplex(
        labels=tuple(case.task.labels[k] for k in codes),
        risk=tuple(risk_letter(case.task, k) for k in codes),
        leads=case.posterior.top1.candidate[slots].astype(float),
        share=share,
        leader=np.where(leader[:, None] == slots, np.arange(n), ELSEWHERE).max(axis=1),
        mean=case.posterior.mean.candidate[slots].astype(float),
        point=case.point.mean.candidate[slots].astype(float),
        n_named=len(case.order) - n,
        n_unnamed=n_unnamed,
        unnamed=n_unnamed * float(case.posterior.mean.other[0]) if n_unnamed else 0.0,
        unnamed_point=n_unnamed * float(case.point.mean.other[0]) if n_unnamed else 0.0,
        danger=_undrawn_danger(case, codes),
    )


def _undrawn_danger(case: Case, codes: IntArray) -> tuple[tuple[str, int], ...]:
    """High-risk labels without a corner that are plausible, and how often each leads; none without doubt."""
    if math.isinf(case.aggregation.reliability):
        return ()
    undrawn = case.order[~np.isin(case.order, codes)]
    return tuple((case.task.labels[code], n) for code, n in _plausible_danger(case, undrawn))


def _plausible_danger(case: Case, codes: IntArray) -> list[tuple[int, int]]:
    """Which of some labels are plausible dangers, and of how many of 100 truths; the likeliest first."""
    often = zip(case.order.tolist(), of_hundred_truths(case).tolist(), strict=False)
    is_one = np.isin(case.order, codes) & (case.task.risk[case.order] == HIGH)
    least = round(100 * PLAUSIBLE)
    return [(code, n) for (code, n), one in zip(often, is_one, strict=False) if one and n >= least]
