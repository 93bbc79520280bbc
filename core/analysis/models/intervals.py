"""95 % intervals of the models' metrics and of their differences, and where they promise too much."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit
from scipy.stats import t as student

from core.analysis.models.meter import divided
from core.analysis.models.rank_change import AVERAGED, COUNTERPARTS
from core.analysis.models.resampling import Stability, mean_of
from core.study.model import FloatArray

SOFT = frozenset({*COUNTERPARTS.values(), *AVERAGED.values()})
"""Metrics that speak of plausibilities."""
Stretching = Callable[[FloatArray], FloatArray]

STATED = 0.95
"""How often an interval says that it holds the truth."""
FEWEST = 5
"""Cases that the rarer side must have for intervals to hold the truth so often, in simulated studies."""
UNKNOWN = "no interval: single readings tell nothing of their scatter"
UNDRAWN = "no interval: fewer than two draws define the metric"
LESS = "may hold the truth less often than stated"
UNMOVED = f"{LESS}: every draw gives the same value"
_SAME = 1e-12
"""Values that differ by less are equal on paper."""


class Intervals(NamedTuple):
    """Ends of intervals, and where they promise too much.

    Attributes
    ----------
    low, high : ndarray of float64
        Within the metric's range, with the observed value between them; NaN where there is no value, or
        where single readings tell nothing of their scatter.
    caution : ndarray of str
        Why an interval may hold the truth less often than stated, or why there is none; empty where neither.
    """

    low: FloatArray
    high: FloatArray
    caution: NDArray[np.object_]


def value_intervals(stable: Stability, source: str, metric: str) -> Intervals:
    """Tell where each model's metric may truly be.

    Parameters
    ----------
    stable : Stability
        Draws of the metrics.
    source, metric : str
        A key of ``stable.drawn``.

    Returns
    -------
    Intervals
        With shape (n_models,).

    Notes
    -----
    With x the observed value, f a stretching of the metric's range onto the whole line and s the standard
    deviation of f(metric) over the draws, the ends are f⁻¹(f(x − b) ± t·s).

    - **Which draws.** An interval is wrong by sampling error alone, so its width is that of readings drawn
      anew (times `Stability.lost`) where it speaks of these cases, and of cases drawn anew, which bring the
      scatter of their readings along, where it speaks of others. A posterior over plausibilities is no
      such scatter: it is as wide as its prior makes it, and knows no scores.
    - **Stretching.** A metric near the end of its range scatters less than one further away, and draws lie
      further away than the observed value, for they blur what is blurred already. A spread measured there is
      too wide here for hard metrics; and where the observed value is too good by chance, its spread is too
      small, so that quantiles of draws about it miss the truth on the far side. On the scale of log odds
      the spread hardly depends on the place; log loss has no upper end, and f is its logarithm.
    - **Bias** b. A soft metric of these cases speaks of their plausibilities, of which there are shares of
      readings only; s-AP multiplies each share by itself, and the square of a share is too large by its
      variance. Readings drawn anew show that bias, (R − 1)/R of it, and so it is taken off. A hard metric
      speaks of what such readings give on average, and has none.
    - **Student's t** instead of the normal distribution, with one degree of freedom less than the rarer side
      has cases (`Stability.rarer`), for the spread is itself known from so few; of other raters, with one
      less than there are raters, if these are fewer.
    """
    observed = stable.observed[metric]
    drawn, lost = _drawn(stable, source, metric)
    there, back = _stretching(metric, stable.n_cases)
    # Draws of raters and cases, stretched so that no scatter counts twice, may leave the metric's range.
    spread = _spread(there(np.clip(drawn, 0.0, _most(metric))))
    half = _quantile(_rarest(stable, source, metric, stable.rarer[metric])) * lost * spread
    centre = np.clip(_unbiased(stable, source, metric), 0.0, _most(metric))
    low, high = (back(there(centre) + side * half) for side in (-1, 1))
    caution = _cautions(metric, observed, half, stable.rarer[metric], lost)
    return Intervals(np.clip(low, 0.0, observed), np.clip(high, observed, _most(metric)), caution)


def _stretching(metric: str, n: int) -> tuple[Stretching, Stretching]:
    """Take values of a metric of n cases to a scale on which their scatter depends little on them; and back.

    With f(x) = log(n x + ½) − log(n (1 − x) + ½), as Anscombe takes log odds, values of 0 and 1 have a place;
    a metric without upper end lacks the second term.
    """
    if _most(metric) > 1:
        return lambda x: np.log(n * x + 0.5), lambda y: (np.exp(y) - 0.5) / n
    return lambda x: logit((n * x + 0.5) / (n + 1)), lambda y: ((n + 1) * expit(y) - 0.5) / n


def _most(metric: str) -> float:
    """Largest value that a metric can have."""
    return np.inf if "log loss" in metric else 1.0


class Differences(NamedTuple):
    """`Intervals` of differences, and what they say against there being none.

    Attributes
    ----------
    low, high, caution : ndarray
        As `Intervals`.
    p : ndarray of float64
        Two-sided, in [0, 1]; NaN where there is a caution, or two models always agree: nothing is tested.
    """

    low: FloatArray
    high: FloatArray
    caution: NDArray[np.object_]
    p: FloatArray


def difference_intervals(stable: Stability, source: str, metric: str) -> Differences:
    """Tell where the metric of one model (row) less that of another (column) may truly be.

    Parameters
    ----------
    stable : Stability
        Draws of the metrics.
    source, metric : str
        A key of ``stable.drawn``.

    Returns
    -------
    Differences
        With shape (n_models, n_models).

    Notes
    -----
    The observed difference ± t·s, as for `value_intervals`; a difference is rarely near the end of its range
    and needs no stretching.

    p is the probability, were the two models equal in what the interval is of, of a difference at least as
    far from 0: 2 P(T ≥ |d|/s), with the Student's t of the interval, so that p < 0.05 where the 95 % interval
    lies on one side of 0. A distribution gives it and not the share of draws beyond 0, so it may be less than
    one in the number of draws. From n draws s is known to 1/√(2n), 2 % for 1,000, and a p near 0.0001 to a
    third of it; counting could give none below 1/(n + 1), which the correction for fifty pairs takes to 0.05.
    """
    observed = stable.observed[metric]
    drawn, lost = _drawn(stable, source, metric)
    scatter = lost * np.array([_spread(of[:, None] - drawn) for of in drawn.T])
    rarer = np.minimum(stable.rarer[metric][:, None], stable.rarer[metric])
    rarest = _rarest(stable, source, metric, rarer)
    half = _quantile(rarest) * scatter
    difference, centre = (of[:, None] - of for of in (observed, _unbiased(stable, source, metric)))
    most = _most(metric)
    low, high = np.clip(centre - half, -most, difference), np.clip(centre + half, difference, most)
    caution = _cautions(metric, difference, half, rarer, lost)
    tested = (scatter > _SAME) & (caution == "")
    away = np.divide(np.abs(centre), scatter, out=np.full(scatter.shape, np.nan), where=tested)
    return Differences(low, high, caution, np.asarray(2 * student.sf(away, np.maximum(rarest - 1, 1))))


def _unbiased(stable: Stability, source: str, metric: str) -> FloatArray:
    """Observed values, of soft metrics of these cases less what the scatter of the readings adds to them."""
    observed = stable.observed[metric]
    if source not in {"annotations", "raters"} or metric not in SOFT:
        return observed
    drawn, lost = _drawn(stable, source, metric)
    return observed - lost**2 * (mean_of(drawn) - observed)


def _drawn(stable: Stability, source: str, metric: str) -> tuple[FloatArray, float]:
    """Draws that scatter as estimates do, and what their scatter must be multiplied with."""
    if source == "annotations":
        return stable.read_again[metric], stable.lost
    if source == "raters":
        return stable.drawn[source, metric], stable.lost_raters
    if source == "all":
        return stable.about_observed(source, metric), 1.0
    return stable.drawn["cases" if ("cases", metric) in stable.drawn else source, metric], 1.0


def _rarest(stable: Stability, source: str, metric: str, rarer: FloatArray) -> FloatArray:
    """Cases on the rarer side; or raters where these are drawn, with cases as many as both amount to.

    Of both, the degrees of freedom are V²/(V_c²/(n − 1) + V_r²/(R − 1)), after Satterthwaite.
    """
    if source == "raters":
        return np.minimum(rarer, stable.n_raters)
    if source != "all":
        return rarer
    cases, raters, together = stable.scatter_of_all(metric)
    below = cases**2 / np.maximum(rarer - 1, 1) + raters**2 / (stable.n_raters - 1)
    return 1 + np.divide(together**2, below, out=np.array(rarer - 1.0), where=below > 0)


def _spread(values: FloatArray) -> FloatArray:
    """Standard deviation of what is defined, over the draws; NaN for fewer than two."""
    away = np.square(values - mean_of(values))
    return np.sqrt(divided(np.nansum(away, axis=0), (~np.isnan(away)).sum(axis=0) - 1.0))


def _quantile(rarer: FloatArray) -> FloatArray:
    """Student's t that leaves half of what is not stated on either side."""
    return np.asarray(student.ppf((1 + STATED) / 2, np.maximum(rarer - 1, 1)))


def _cautions(
    metric: str, value: FloatArray, half: FloatArray, rarer: FloatArray, lost: float
) -> NDArray[np.object_]:
    """As `Intervals.caution`, by half the width and cases on the rarer side."""
    sides = "right or wrong" if metric in {"accuracy", COUNTERPARTS["accuracy"]} else "positive or negative"
    said = np.full(value.shape, "", object)
    said[(half < _SAME) & (value != 0)] = UNMOVED
    few = rarer < FEWEST
    said[few] = [f"{LESS}: the rarer side ({sides}) has {n:.3g} of {FEWEST} cases needed" for n in rarer[few]]
    said[np.isnan(half)] = UNKNOWN if np.isnan(lost) else UNDRAWN
    said[np.isnan(value)] = ""
    return said
