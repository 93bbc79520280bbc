"""What labels like the tour's support of a claim, by cases, readers a case and how often they agree."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
import pandas as pd
from scipy.optimize import brentq
from scipy.stats import norm

from core.analysis.tour import MEANS, N_CASES, N_RATERS, class_plausibility, observed, toy_study
from core.analysis.tour_leads import counts_of, leads, votes
from core.analysis.tour_proof import MODEL, read_by
from core.metrics.adjusted.ceiling import accuracies, ceiling_range, ends_of, reached_in
from core.study.model import FloatArray
from core.study.simulation.truth import SimulatedStudy

MOST_READERS = 100
LEAST_CASES, MOST_CASES = 20, 10_000
AGREEMENT = 0.6
"""How often two readers of a case of the tour agree, as it is written."""
LEAST_AGREEMENT, MOST_AGREEMENT = 0.4, 1.0
"""On three conditions readers who guess agree in a third of the cases; the least is little more than that."""
POSSIBLE = 0.1
"""Share of the plausible truths from which on a claim that is reached there is called possible."""
BETTER = (0.8, 0.9, 0.95)
"""How often readers agree who may be asked for instead of more of them."""
AGREEMENTS = (LEAST_AGREEMENT, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, MOST_AGREEMENT)
"""How often readers may agree of whom that is not told."""
SHOWN_AGREEMENTS = (0.4, 0.6, 0.8, 0.95)
"""Those of them for which the range is said."""
FEW = 10
"""Readers a case that can be asked for in earnest."""
N_TRUTHS = 100
"""Plausible truths of all cases that stand for all: people read counts out of a hundred well."""
_ALL_BUT, _ALMOST_ALL = 0.995, 99.9
"""Share from which on it is written as more than 99 %, and the highest claim, in percent, below 100 %."""
_FARTHEST = 50.0
"""Times as far apart as in the tour: there all readers agree."""
_PLAIN = 0.5
"""Standard deviations from the bound beyond which a normal distribution is near enough, of many cases."""

_EACH = (np.arange(N_TRUTHS) + 0.5) / N_TRUTHS

Grade = Literal["unproved", "barely", "possible", "less"]
"""What becomes of a claim: above the range; within it, yet reached seldom; reached often; below the range."""


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
    n_cases : int
        Cases.
    low, high : float
        Between these the model's accuracy lies in the middle `core.metrics.adjusted.ceiling.MIDDLE` of the
        plausible truths: what the labels support.
    ceiling_low, ceiling_high : float
        The same of the best possible model, which names the likeliest label of every case.
    ceiling : float
        Mean of its accuracy over plausible truths.
    reached : float
        Share of the plausible truths in which the model is right as often as is claimed, or more often.
    truths : tuple of float
        The model's accuracy in `N_TRUTHS` plausible truths, in ascending order.
    """

    claimed: float
    n_readers: int
    agreement: float
    n_cases: int
    low: float
    high: float
    ceiling_low: float
    ceiling_high: float
    ceiling: float
    reached: float
    truths: tuple[float, ...] = ()

    @property
    def row(self) -> pd.Series:
        """The same as a row of a table, without the single truths."""
        return pd.Series({name: value for name, value in asdict(self).items() if name != "truths"})

    @property
    def excess(self) -> float:
        """Percentage points by which the claim, as said, lies above the range as written; 0 if none."""
        # More than 99 %, as it is written, reaches to any claim short of 100 %.
        high = _ALMOST_ALL if _ALL_BUT <= self.high < 1 else _written(self.high)
        return max(round(_as_said(self.claimed) - high, 1), 0.0)

    @property
    def grade(self) -> Grade:
        """What becomes of the claim.

        It is compared, as it is said, with the range as that is written, in whole percents, so that no
        sentence contradicts its numbers.
        """
        if self.excess:
            return "unproved"
        if _as_said(self.claimed) < _written(self.low):
            return "less"
        return "possible" if self.reached >= POSSIBLE else "barely"


def claim(
    claimed: float,
    n_readers: int,
    agreement: float = AGREEMENT,
    n_cases: int = N_CASES,
    *,
    reliability: float = 1.0,
) -> Claim:
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
    n_cases : int
        From `LEAST_CASES` to `MOST_CASES`.
    reliability : float
        γ: how many times each reading counts, positive.

    Raises
    ------
    ValueError
        If any of them lies outside.

    Notes
    -----
    The range is over plausible truths of one model, whose accuracy in truth d is a_d = (1/N) Σ_i r_id, with
    r_id whether it names the label that leads case i there (Stutz 2025, fig. 6). Truths of cases are
    independent, so N·a_d is a sum of independent Bernoulli variables, counted exactly:
    `core.metrics.adjusted.ceiling`. Of `N_TRUTHS` truths number i has the quantile (i + ½) / `N_TRUTHS` of
    that same distribution.

    Which cases the model has right nobody says. It is taken to err as `core.analysis.tour_proof.MODEL` does,
    which names the label kept in a share c₀. To claim c > c₀, it names the label kept instead with
    probability t = (c − c₀) / (1 − c₀); to claim c < c₀, another label, each alike, with t = (c₀ − c) / c₀;
    case by case and truth by truth, so that the range holds the choice of cases as well. As c₀ itself is
    written, t = 0, and the range is that model's. Of labels with equally many votes one is kept by lot.

    More cases than the toy problem's are its own again, as often as needed, each with a truth of its own;
    fewer are some of them, evenly by how likely the model is right. So the number of cases changes how wide
    the range is, about as 1/√N, and hardly where it lies.
    """
    _check("claimed", claimed, 0, 1)
    right, certainty = _chances(claimed, n_readers, agreement, n_cases, reliability)
    low, high, *truths = accuracies(right, np.concatenate([ends_of(), _EACH])).tolist()
    least, most = ceiling_range(certainty)
    reached = reached_in(right, claimed)
    at_most = max(least, low), max(most, high), float(certainty.mean())
    return Claim(claimed, n_readers, agreement, n_cases, low, high, *at_most, reached, tuple(truths))


@lru_cache(maxsize=64)
def readers_needed(claimed: float, agreement: float = AGREEMENT, n_cases: int = N_CASES) -> int | None:
    """Fewest readers a case from whom on, up to `MOST_READERS`, a claim is possible or less than supported.

    Parameters and errors are those of `claim`.

    Returns
    -------
    int or None
        With one reader less it is not; None where it is not with `MOST_READERS` either.
    """
    needed = None
    for n_readers in range(MOST_READERS, 0, -1):
        if not is_possible(claimed, n_readers, agreement, n_cases):
            break
        needed = n_readers
    return needed


def is_possible(claimed: float, n_readers: int, agreement: float, n_cases: int) -> bool:
    """Whether a claim is reached in as many plausible truths as `POSSIBLE` says.

    Notes
    -----
    Where the normal distribution is plain, it is enough: Σ r_i has the mean Σ p_i and the variance
    Σ p_i (1 − p_i), and is counted only where the claim is near to the bound.
    """
    _check("claimed", claimed, 0, 1)
    right, _ = _chances(claimed, n_readers, agreement, n_cases)
    deviation = np.sqrt((right * (1 - right)).sum())
    bound = right.sum() - norm.ppf(POSSIBLE) * deviation
    beyond = claimed * n_cases - bound
    if abs(beyond) > _PLAIN * deviation + 1:
        return bool(beyond < 0)
    return reached_in(right, claimed) >= POSSIBLE


def better_readers(
    claimed: float, agreement: float = AGREEMENT, n_cases: int = N_CASES
) -> tuple[float, int] | None:
    """Readers that agree more, the least of `BETTER`, of whom `FEW` or fewer are enough (`readers_needed`).

    Returns
    -------
    (float, int) or None
        How often two of them agree, and readers a case; None where there is no such number.
    """
    for more in BETTER:
        needed = readers_needed(claimed, more, n_cases) if more > agreement else None
        if needed is not None and needed <= FEW:
            return more, needed
    return None


def not_ruled_out_from(claimed: float, n_readers: int, n_cases: int = N_CASES) -> float | None:
    """Least of `AGREEMENTS` from which on a claim no longer lies above what labels support; None for none.

    Parameters and errors are those of `claim`.
    """
    found = None
    for agreement in reversed(AGREEMENTS):
        if claim(claimed, n_readers, agreement, n_cases).grade == "unproved":
            break
        found = agreement
    return found


@dataclass(frozen=True, eq=False)
class _Odds:
    """How the tour’s model stands to what readings of all cases leave open.

    Attributes
    ----------
    agrees : ndarray of float64 with shape (n_cases,)
        P(the model names the label kept), of labels with equally many votes one being kept by lot.
    right : ndarray of float64 with shape (2, n_cases)
        P(the label named leads), and P(the label kept leads).
    certainty : ndarray of float64 with shape (n_cases,)
        P(the likeliest label leads).
    n_labels : int
        Labels.
    """

    agrees: FloatArray
    right: FloatArray
    certainty: FloatArray
    n_labels: int


@lru_cache(maxsize=4 * MOST_READERS)
def _odds(n_readers: int, agreement: float, reliability: float) -> _Odds:
    _check("n_readers", n_readers, 1, MOST_READERS)
    _check("agreement", agreement, LEAST_AGREEMENT, MOST_AGREEMENT)
    simulated = _problem(agreement)
    (task,) = simulated.study.tasks.values()
    n_labels = len(task.labels)
    readings = read_by(simulated, max(n_readers, N_RATERS))
    readings = readings.keep(readings.rater < n_readers)
    counts = counts_of(readings, n_labels)
    kept, leading = votes(counts), leads(counts, reliability)
    named = np.eye(n_labels)[task.predictions[MODEL].probability.argmax(axis=1)]
    right = np.array([(of * leading).sum(axis=1) for of in (named, kept)])
    return _Odds((named * kept).sum(axis=1), right, leading.max(axis=1), n_labels)


def _chances(
    claimed: float, n_readers: int, agreement: float, n_cases: int, reliability: float = 1.0
) -> tuple[FloatArray, FloatArray]:
    """P(right) of a model that claims so much, and of the best possible one, both with shape (n_cases,)."""
    _check("n_cases", n_cases, LEAST_CASES, MOST_CASES)
    odds = _odds(n_readers, agreement, reliability)
    named, kept = odds.right
    own = float(odds.agrees.mean())
    chance, instead = 0.0, kept
    if _as_said(claimed) == _written(own):
        pass
    elif claimed > own:
        chance = (claimed - own) / (1 - own)
    else:
        chance, instead = (own - claimed) / own, (1 - kept) / (odds.n_labels - 1)
    right = (1 - chance) * named + chance * instead
    return _of_so_many(right, n_cases), _of_so_many(odds.certainty, n_cases)


def _of_so_many(chances: FloatArray, n_cases: int) -> FloatArray:
    """Chances of so many cases: evenly spread quantiles of those of the toy problem's, in ascending order."""
    return np.sort(chances)[((np.arange(n_cases) + 0.5) * len(chances) / n_cases).astype(np.int64)]


@lru_cache(maxsize=2 * len(AGREEMENTS))
def _problem(agreement: float) -> SimulatedStudy:
    """The toy problem, its classes as far apart as makes two readers of a case agree so often."""
    if _written(_agreement(1.0)) == _written(agreement):
        return toy_study()
    return toy_study(apart=brentq(lambda apart: _agreement(apart) - agreement, 0, _FARTHEST))


def _agreement(apart: float) -> float:
    """How often two readers of a case say the same, Σ_k λ_ik² on average over cases, by `toy_study`."""
    plausibility = class_plausibility(observed(apart=apart), MEANS * apart)
    return float((plausibility**2).sum(axis=1).mean())


def _written(share: float) -> int:
    """Whole percents as `core.analysis.formatting.percent` writes them: 100 is all, and nothing less."""
    return 99 if _ALL_BUT <= share < 1 else round(100 * share)


def _as_said(share: float) -> float:
    """Tenths of a percent, as `core.analysis.formatting.percent_as_said` writes them."""
    return round(100 * share, 1)


def _check(name: str, value: float, low: float, high: float) -> None:
    """Refuse what lies outside."""
    if not low <= value <= high:
        raise ValueError(f"{name} must lie between {low:g} and {high:g}, got {value:g}")
