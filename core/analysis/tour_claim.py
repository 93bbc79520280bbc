"""What labels like the tour's support of a claimed accuracy, by readers a case and how often they agree."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import lru_cache

import numpy as np
import pandas as pd
from scipy.optimize import brentq

from core.analysis.tour import N_RATERS, SEED, toy_study
from core.analysis.tour_proof import (
    MODEL,
    N_TRUTHS,
    aggregated,
    best_possible,
    middle,
    plausible_truths,
    read_by,
)
from core.metrics.ratio import NORMAL_95
from core.plausibility.reductions import majority
from core.study.model import FloatArray, IntArray, Readings
from core.study.simulation.truth import SimulatedStudy

MOST_READERS = 100
AGREEMENT = 0.6
"""How often two readers of a case of the tour agree, as it is written."""
LEAST_AGREEMENT, MOST_AGREEMENT = 0.4, 0.95
BETTER = (0.8, 0.9, MOST_AGREEMENT)
"""How often readers agree who may be asked for instead of more of them."""
_CLOSE = 0.03
"""Distance of a claim from the upper end of what is supported that is not plain without draws."""
_ROUNDING = 1e-9
_FARTHEST = 50.0
"""Times as far apart as in the tour: there all readers agree."""


@dataclass(frozen=True)
class Claim:
    """What labels support of a claim.

    Attributes
    ----------
    claimed : float
        Share of the cases in which a model names the label that was kept, in [0, 1].
    n_readers : int
        Readings a case.
    agreement : float
        How often two readers of a case say the same.
    low, high : float
        Between these the model's accuracy lies in the middle `core.analysis.tour_proof.MIDDLE` of the
        plausible truths: what is supported.
    ceiling_low, ceiling_high : float
        The same of the best possible model, which names the likeliest label of every case.
    reached : float
        Share of the plausible truths in which the model is right as often as is claimed, or more often.
    """

    claimed: float
    n_readers: int
    agreement: float
    low: float
    high: float
    ceiling_low: float
    ceiling_high: float
    reached: float

    @property
    def row(self) -> pd.Series:
        """The same as a row of `core.analysis.tour_proof.proof_table`."""
        return pd.Series(asdict(self))

    @property
    def holds(self) -> bool:
        """Whether the labels are compatible with the claim: it does not lie above the range.

        Compared as they are written, in whole percents, so that no sentence contradicts its numbers.
        """
        return _written(self.claimed) <= _written(self.high)


def claim(claimed: float, n_readers: int, agreement: float = AGREEMENT) -> Claim:
    """Say what labels support of a claimed accuracy, for cases like those of the toy problem.

    Parameters
    ----------
    claimed : float
        In [0, 1].
    n_readers : int
        From 1 to `MOST_READERS`.
    agreement : float
        How often two readers of a case say the same, from `LEAST_AGREEMENT` to `MOST_AGREEMENT`; as it is in
        the toy problem, the cases are its own.

    Raises
    ------
    ValueError
        If any of them lies outside.

    Notes
    -----
    The range is over plausible truths, as in `core.analysis.tour_proof.proof_table`: of one model, whose
    accuracy in truth d is a_d = (1/N) Σ_i r_id, with r_id the probability that it names the label that leads
    case i there (Stutz 2025, fig. 6); its ends are quantiles over d.

    Which cases the model has right nobody says. It is taken to err as `core.analysis.tour_proof.MODEL` does,
    which names the label kept in a share c₀. To claim c > c₀, it names the label kept instead with
    probability t = (c − c₀) / (1 − c₀); to claim c < c₀, another label, each alike, with t = (c₀ − c) / c₀;
    case by case and truth by truth, so that the range holds the choice of cases as well. As c₀ itself is
    written, t = 0, and the range is that model's. Of labels with equally many votes one is kept by lot.
    Readings count once, γ = 1. The ceiling is that of `core.analysis.tour_proof.best_possible`.
    """
    _check("claimed", claimed, 0, 1)
    over_truths = _over_truths(claimed, n_readers, agreement)
    low, high = middle(over_truths)
    least, most = _odds(n_readers, agreement).ceiling
    reached = float((over_truths >= claimed - _ROUNDING).mean())
    return Claim(claimed, n_readers, agreement, low, high, max(least, low), max(most, high), reached)


@lru_cache(maxsize=64)
def readers_needed(claimed: float, agreement: float = AGREEMENT) -> int | None:
    """Fewest readers a case from whom on, up to `MOST_READERS`, the labels are compatible with a claim.

    Parameters and errors are those of `claim`.

    Returns
    -------
    int or None
        With one reader less they do not; None where `MOST_READERS` do not either.
    """
    needed = None
    for n_readers in range(MOST_READERS, 0, -1):
        if not _holds(claimed, n_readers, agreement):
            break
        needed = n_readers
    return needed


def plainly_holds(claimed: float, n_readers: int, agreement: float) -> bool | None:
    """Say without draws whether labels are compatible with a claim; None where it is too close to say.

    Notes
    -----
    Cases are independent, so the accuracy over plausible truths has the mean Σ m_i / N and a variance of at
    most Σ m_i (1 − m_i) / N², with m_i the probability that the model of `claim` is right; its upper end is
    near that of a normal distribution, and `_CLOSE` is several times what the two are apart.
    """
    _check("claimed", claimed, 0, 1)
    odds = _odds(n_readers, agreement)
    chance, kept = _mixed(odds, claimed)
    instead = odds.right[1] if kept else (1 - odds.right[1]) / (odds.kept.shape[1] - 1)
    right = (1 - chance) * odds.right[0] + chance * instead
    high = right.mean() + NORMAL_95 * np.sqrt((right * (1 - right)).sum()) / len(right)
    return None if abs(high - claimed) < _CLOSE else bool(high > claimed)


def better_readers(claimed: float, agreement: float = AGREEMENT) -> tuple[float, int] | None:
    """Readers that agree more, the least of `BETTER`, and how many of them are enough (`readers_needed`).

    Returns
    -------
    (float, int) or None
        How often two of them agree, and readers a case; None where there is no such number.
    """
    for more in BETTER:
        needed = readers_needed(claimed, more) if more > agreement else None
        if needed is not None:
            return more, needed
    return None


def _holds(claimed: float, n_readers: int, agreement: float) -> bool:
    """Whether labels are compatible with a claim, without draws where that is plain."""
    holds = plainly_holds(claimed, n_readers, agreement)
    return claim(claimed, n_readers, agreement).holds if holds is None else holds


@dataclass(frozen=True, eq=False)
class _Odds:
    """How the model of step 3 stands to what readings of all cases leave open.

    Attributes
    ----------
    readings : Readings
        What was said.
    named : ndarray of float64 with shape (n_cases, n_labels)
        1 for the label that the model names.
    kept : ndarray of float64 with shape (n_cases, n_labels)
        P(label is kept): 1, or shared by those with equally many votes.
    right : ndarray of float64 with shape (2, n_cases)
        P(the label named leads), and P(the label kept leads).
    claimed : float
        The model's own claim, c₀.
    ceiling : (float, float)
        Range of the best possible model over plausible truths.
    """

    readings: Readings
    named: FloatArray
    kept: FloatArray
    right: FloatArray
    claimed: float
    ceiling: tuple[float, float]


@lru_cache(maxsize=4 * MOST_READERS)
def _odds(n_readers: int, agreement: float) -> _Odds:
    _check("n_readers", n_readers, 1, MOST_READERS)
    _check("agreement", agreement, LEAST_AGREEMENT, MOST_AGREEMENT)
    simulated = _problem(agreement)
    (task,) = simulated.study.tasks.values()
    n_labels = len(task.labels)
    readings = read_by(simulated, max(n_readers, N_RATERS))
    readings = readings.keep(readings.rater < n_readers)
    voted, posterior = majority(readings, n_labels), aggregated(readings, n_labels)
    kept, leads = (of.candidates.table(of.top1) for of in (voted, posterior))
    named = np.eye(n_labels)[task.predictions[MODEL].probability.argmax(axis=1)]
    right = np.array([(of * leads).sum(axis=1) for of in (named, kept)])
    own = float((named * kept).sum(axis=1).mean())
    return _Odds(readings, named, kept, right, own, best_possible(posterior))


@lru_cache(maxsize=MOST_READERS)
def _leaders(n_readers: int, agreement: float) -> tuple[IntArray, FloatArray]:
    """Who leads plausible truths.

    Returns
    -------
    leader : ndarray of int8 with shape (n_cases, N_TRUTHS)
        A label; −1 is one of those that nobody named.
    unnamed : ndarray of float64 with shape (n_cases, n_labels)
        P(label | one that nobody named), rows summing to 1, or 0 where all were named.
    """
    odds = _odds(n_readers, agreement)
    drawn = plausible_truths(_problem(agreement), aggregated(odds.readings, odds.kept.shape[1]))
    slots, candidates = drawn.leaders(1)[:, :, 0], drawn.candidates
    at = np.clip(candidates.start[:-1, None] + slots, 0, len(candidates.label) - 1)
    unnamed = np.ones(odds.kept.shape)
    unnamed[candidates.case, candidates.label] = 0
    unnamed /= np.maximum(unnamed.sum(axis=1, keepdims=True), 1)
    return np.where(slots >= 0, candidates.label[at], -1).astype(np.int8), unnamed


def _mixed(odds: _Odds, claimed: float) -> tuple[float, bool]:
    """With which probability another label is named than by the model of step 3, and whether the one kept."""
    own = odds.claimed
    if _written(claimed) == _written(own):
        return 0.0, True
    return ((claimed - own) / (1 - own), True) if claimed > own else ((own - claimed) / own, False)


def _over_truths(claimed: float, n_readers: int, agreement: float) -> FloatArray:
    """Accuracy in each plausible truth of a model that claims so much, with shape (N_TRUTHS,)."""
    odds = _odds(n_readers, agreement)
    named, kept = (_right(of, *_leaders(n_readers, agreement)) for of in (odds.named, odds.kept))
    chance, as_kept = _mixed(odds, claimed)
    instead = kept if as_kept else (1 - kept) / (odds.kept.shape[1] - 1)
    return np.where(_lots(len(kept)) < chance, instead, named).mean(axis=0)


def _right(named: FloatArray, leader: IntArray, unnamed: FloatArray) -> FloatArray:
    """P(the label named leads), by case and truth, of labels named with probabilities, one row a case."""
    by_leader = np.hstack([named, (named * unnamed).sum(axis=1, keepdims=True)])
    return np.take_along_axis(by_leader, leader.astype(np.intp), axis=1)


@lru_cache(maxsize=1)
def _lots(n_cases: int) -> FloatArray:
    """Numbers in [0, 1), one for each case and truth, the same for every claim and number of readers."""
    return np.random.default_rng([SEED, n_cases]).random((n_cases, N_TRUTHS))


@lru_cache(maxsize=8)
def _problem(agreement: float) -> SimulatedStudy:
    """The toy problem, its classes as far apart as makes two readers of a case agree so often."""
    own = toy_study()
    if _written(_agreement(own)) == _written(agreement):
        return own
    return toy_study(apart=brentq(lambda apart: _agreement(toy_study(apart=apart)) - agreement, 0, _FARTHEST))


def _agreement(simulated: SimulatedStudy) -> float:
    """How often two readers of a case say the same, Σ_k λ_ik² on average over cases."""
    return float((simulated.truth.plausibility**2).sum(axis=1).mean())


def _written(share: float) -> int:
    """Whole percents as `core.analysis.formatting.percent` writes them: 100 is all, and nothing less."""
    return 99 if 0.995 <= share < 1 else round(100 * share)


def _check(name: str, value: float, low: float, high: float) -> None:
    """Refuse what lies outside."""
    if not low <= value <= high:
        raise ValueError(f"{name} must lie between {low:g} and {high:g}, got {value:g}")
