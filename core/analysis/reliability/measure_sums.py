"""The table of certainty and metrics from sums over cases, which may come from many parts of a study."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd

from core.analysis.portions import N_DRAWS
from core.metrics.adjusted.spread import SpreadOverDraws
from core.metrics.estimate import Estimate
from core.metrics.exact_sums import Moments
from core.plausibility.settings import MODELS, Aggregation
from core.study.model import FloatArray

ANNOTATIONS = "annotations"
WORST_RHAT = "worst R-hat"
SMALLEST_ESS = "smallest effective sample size"
NOT_MIXED = "share of cases whose chains have not mixed"
_COLUMNS = ["reliability", "subject", "metric", "value", "standard_error", "low", "high", "n_cases"]
_UNDEFINED = (np.nan, np.nan)
_NORMAL = 1.959963984540054
"""97.5 % quantile of the standard normal distribution."""


class Sampling(NamedTuple):
    """Whether draws of some cases can be trusted.

    Attributes
    ----------
    worst_rhat, smallest_ess : float
        NaN where no case was diagnosed.
    n_above, n : int
        Cases with an R-hat above the limit, and cases diagnosed.
    """

    worst_rhat: float
    smallest_ess: float
    n_above: int
    n: int

    @classmethod
    def of(cls, table: pd.DataFrame) -> Sampling:
        """Summarise a table as `core.plausibility.convergence.convergence` gives it."""
        # It takes half a second to import, which a first page need not wait for.
        from core.plausibility.convergence import RHAT_LIMIT

        diagnosed = table.dropna()
        above = int((diagnosed["rhat"] > RHAT_LIMIT).sum())
        return cls(float(diagnosed["rhat"].max()), float(diagnosed["ess"].min()), above, len(diagnosed))

    def joined(self, other: Sampling) -> Sampling:
        """Summary of both together."""
        return Sampling(
            float(np.fmax(self.worst_rhat, other.worst_rhat)),
            float(np.fmin(self.smallest_ess, other.smallest_ess)),
            self.n_above + other.n_above,
            self.n + other.n,
        )

    def estimates(self) -> list[tuple[str, Estimate]]:
        """Rows of the table, without an error."""
        share = self.n_above / self.n if self.n else np.nan
        return [
            (WORST_RHAT, Estimate(self.worst_rhat, np.nan, self.n)),
            (SMALLEST_ESS, Estimate(self.smallest_ess, np.nan, self.n)),
            (NOT_MIXED, Estimate(share, np.nan, self.n)),
        ]


@dataclass(frozen=True, eq=False)
class MeasureSums:
    """Sums over some cases of a study; those of other cases are added by `joined`.

    Attributes
    ----------
    metrics : mapping of (str, str) to Moments
        By subject and metric.
    below : mapping of str to Moments
        Of whether a case lies below 99 % certainty.
    spread : mapping of str to SpreadOverDraws
        By subject; empty where no draws were asked for.
    sampling : Sampling or None
        None where the posterior is not sampled.
    """

    metrics: Mapping[tuple[str, str], Moments]
    below: Mapping[str, Moments]
    spread: Mapping[str, SpreadOverDraws]
    sampling: Sampling | None

    def joined(self, other: MeasureSums) -> MeasureSums:
        """Sums of both together; a subject or metric that one of them lacks is the other's."""
        metrics = dict(self.metrics)
        for key, value in other.metrics.items():
            metrics[key] = metrics.get(key, Moments()) + value
        below = dict(self.below)
        for title, value in other.below.items():
            below[title] = below.get(title, Moments()) + value
        spread = dict(self.spread)
        for subject, of in other.spread.items():
            spread[subject] = spread[subject].joined(of) if subject in spread else of
        both = [one for one in (self.sampling, other.sampling) if one is not None]
        sampling = both[0].joined(both[1]) if len(both) == 2 else both[0] if both else None
        return MeasureSums(metrics, below, spread, sampling)

    def table(self, aggregation: Aggregation, n_draws: int) -> pd.DataFrame:
        """Rows of `core.analysis.reliability.sweep.metrics_at`; parameters as for `metrics_table`."""
        estimates = {key: value.estimate() for key, value in self.metrics.items()}
        below = {title: value.estimate() for title, value in self.below.items()}
        sampling = [] if self.sampling is None else self.sampling.estimates()
        return metrics_table(aggregation, estimates, below, sampling, self.spread, n_draws)


def metrics_table(
    aggregation: Aggregation,
    estimates: Mapping[tuple[str, str], Estimate],
    below: Mapping[str, Estimate],
    sampling: Sequence[tuple[str, Estimate]],
    spread: Mapping[str, SpreadOverDraws],
    n_draws: int,
) -> pd.DataFrame:
    """Lay out one row a subject and metric.

    Parameters
    ----------
    aggregation : Aggregation
        Model and reliability.
    estimates : mapping of (str, str) to Estimate
        By subject and metric, those of the annotations first.
    below : mapping of str to Estimate
        Shares of cases below 99 %, by what they are called.
    sampling : sequence of (str, Estimate)
        Whether the draws can be trusted.
    spread : mapping of str to SpreadOverDraws
        By subject.
    n_draws : int
        Draws of each case under an exact posterior.

    Returns
    -------
    DataFrame
        As `core.analysis.reliability.sweep.metrics_at`.
    """
    rows: list[tuple[str, str, Estimate, tuple[float, float]]] = [
        (subject, name, value, _UNDEFINED)
        for (subject, name), value in estimates.items()
        if subject == ANNOTATIONS
    ]
    rows += [
        (ANNOTATIONS, f"share of cases below 99 % {title}", value, _UNDEFINED)
        for title, value in below.items()
    ]
    rows += [(ANNOTATIONS, name, value, _UNDEFINED) for name, value in sampling]
    is_thinned = MODELS[aggregation.model].answer != "draws" and n_draws < N_DRAWS
    for subject, over in spread.items():
        by_draw, deviation = over.by_draw(), over.deviation()
        for name, over_draws in by_draw.items():
            if (subject, name) in estimates:
                estimate = estimates[subject, name]
                band = _band(estimate, over_draws, deviation[name], is_thinned=is_thinned)
                rows.append((subject, name, estimate, band))
    return pd.DataFrame(
        [
            (aggregation.reliability, subject, name, e.value, e.standard_error, *band, e.n_cases)
            for subject, name, e, band in rows
        ],
        columns=_COLUMNS,
    )


def _band(
    mean: Estimate, over_draws: FloatArray, deviation: float, *, is_thinned: bool
) -> tuple[float, float]:
    """2.5 % and 97.5 % quantiles over draws; of few draws of many cases, a normal distribution's."""
    if 1 < len(over_draws) < N_DRAWS and is_thinned:
        return mean.value - _NORMAL * deviation, mean.value + _NORMAL * deviation
    low, high = np.quantile(over_draws, [0.025, 0.975])
    return float(low), float(high)
