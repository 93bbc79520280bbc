"""Metrics under draws of truths and cases that could have been, and how these are drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from core.analysis.models.comparison import Comparison
from core.analysis.models.meter import divided
from core.analysis.models.rater_resamples import n_raters
from core.analysis.models.settings import RATER_SOURCES, Annotations, Source
from core.analysis.models.truth_draws import lost_scatter
from core.metrics.bootstrap import seeded_case_weights
from core.plausibility.settings import Aggregation
from core.study.brief import brief
from core.study.model import FloatArray, Study
from core.study.seeds import case_seeds

READ_AGAIN = "read again"
"""Readings drawn anew beside plausible truths: the source that intervals of these cases rest on."""
CELLS_AT_ONCE = 2**22
"""Bounds the memory: draws times cases that are measured in one go."""


@dataclass(frozen=True, eq=False)
class Resampling:
    """How truths and cases are drawn; see `core.analysis.models.stability.stability`."""

    study: Study
    sources: Sequence[Source]
    annotations: Annotations
    aggregation: Aggregation
    n_draws: int

    @property
    def draws_truths(self) -> bool:
        """Whether any source draws the truth."""
        return not set(self.sources) <= {"cases", *RATER_SOURCES}

    @property
    def draws_raters(self) -> bool:
        """Whether any source draws whole raters."""
        return not set(self.sources).isdisjoint(RATER_SOURCES)

    def parts(self, cells: int) -> Iterator[slice]:
        """Draws to be measured in one go, where each draw is of so many cells."""
        step = max(CELLS_AT_ONCE // cells, 1)
        for begin in range(0, self.n_draws, step):
            yield slice(begin, min(begin + step, self.n_draws))

    def case_weights(self, part: slice, compared: Comparison) -> FloatArray | None:
        """How often each draw has each case, with shape (n_draws, n_cases); None where none draws cases."""
        if set(self.sources) <= {"annotations", "raters"}:
            return None
        seeds = case_seeds(
            self.study.seed, [str(d) for d in range(part.start, part.stop)], "bootstrap of cases"
        )
        return seeded_case_weights(len(compared.cases), seeds)

    @property
    def measured(self) -> tuple[str, ...]:
        """The sources; and `READ_AGAIN`, where readings are to say how far plausible truths may be off."""
        by_plausibility = self.annotations == "plausibility" and "annotations" in self.sources
        alone = "all" in self.sources and "annotations" not in self.sources
        return (*self.sources, READ_AGAIN) if by_plausibility or alone else tuple(self.sources)

    def empty(self, metrics: Sequence[str], compared: Comparison) -> dict[tuple[str, str], FloatArray]:
        """Make room for the metrics under all draws."""
        shape = self.n_draws, len(compared.models)
        return {key: np.empty(shape) for key in product(self.measured, metrics)}

    def claims(
        self,
        compared: Comparison,
        observed: Mapping[str, FloatArray],
        drawn: Mapping[tuple[str, str], FloatArray],
        reasons: tuple[Mapping[str, Mapping[str, str]], Mapping[str, str]],
        rarer: Mapping[str, FloatArray],
    ) -> Stability:
        """Put together what was measured; ``reasons`` are `Stability.left_out` and `Stability.refused`."""
        readings = READ_AGAIN if READ_AGAIN in self.measured else "annotations"
        return Stability(
            models=compared.models,
            observed=observed,
            drawn={key: values for key, values in drawn.items() if key[0] != READ_AGAIN},
            left_out=reasons[0],
            refused=reasons[1],
            annotations=self.annotations,
            lost=lost_scatter(compared),
            read_again={metric: values for (source, metric), values in drawn.items() if source == readings},
            rarer=rarer,
            n_cases=len(compared.cases),
            n_raters=n_raters(compared),
        )


@dataclass(frozen=True, eq=False)
class Stability:
    """Metrics of all models under each draw of what could have been.

    Attributes
    ----------
    models : tuple of str
        In the study's order.
    observed : mapping of str to ndarray with shape (n_models,)
        Each metric on the readings and cases as they are.
    drawn : mapping of (source, metric) to ndarray with shape (n_draws, n_models)
        NaN where a draw leaves the metric undefined, and for a model that is left out. "annotations" keeps
        the cases and draws the truth, "cases" keeps the truth and draws the cases with replacement, "both"
        does both; "raters" keeps the cases and draws whole raters, "all" draws raters and cases.
        `ADJUSTED` is there for "cases" only.
    left_out : mapping of str to mapping of str to str
        For each metric, the models that it is not defined for, with the reason; the others are compared.
    refused : mapping of str to str
        Metrics asked for that are defined for no model, with the reason.
    annotations : {"bootstrap", "plausibility"}
        How truths were drawn.
    lost : float
        What the scatter of the readings must be multiplied with, as drawing them anew loses some of it
        (`core.analysis.models.truth_draws.lost_scatter`). NaN where single readings tell nothing of it:
        there are then no claims of annotations.
    read_again : mapping of str to ndarray with shape (n_draws, n_models)
        Each metric with readings drawn anew on these cases, however truths were drawn; empty where sources
        do not name annotations.
    rarer : mapping of str to ndarray with shape (n_models,)
        For each metric, how many cases its rarer side has, of those that the model is judged on: positive or
        negative ones, by hard or by soft labels; of accuracy, those answered rightly or wrongly; of averages
        over labels, all cases.
    n_cases : int
        That the models are judged on.
    n_raters : int
        Who read them.
    """

    models: tuple[str, ...]
    observed: Mapping[str, FloatArray]
    drawn: Mapping[tuple[str, str], FloatArray]
    left_out: Mapping[str, Mapping[str, str]]
    refused: Mapping[str, str]
    annotations: Annotations
    lost: float
    read_again: Mapping[str, FloatArray]
    rarer: Mapping[str, FloatArray]
    n_cases: int
    n_raters: int = 0

    __repr__ = brief

    def about_observed(self, source: str, metric: str) -> FloatArray:
        """Draws moved and stretched so that they say how far the observed values may be from the truth.

        Parameters
        ----------
        source, metric : str
            A key of ``drawn``.

        Returns
        -------
        ndarray of float64 with shape (n_draws, n_models)
            With the observed values as their mean; those of a model without one stay where they are.

        Notes
        -----
        As they are drawn, truths lie about another place than the observed values: readings drawn anew
        scatter about readings that scatter already, and a posterior over plausibilities knows nothing of the
        models' scores and pulls every case towards its prior. Both make models look worse than they are. So
        the draws give the scatter alone. Of the readings it is too small by `lost`; of both cases and
        readings it counts the readings twice, for each case drawn brings their scatter along, and is brought
        to what drawing cases has. Ranks and chances come from these draws, intervals from
        `core.analysis.models.intervals`. A model that has learnt from the readings that judge it looks better
        by their chance, of which draws know nothing.

        As many raters drawn anew scatter (R − 1)/R of what raters do. Raters and cases together count the
        scatter of the single readings in both, so that the variance is that of cases and that of raters less
        that of readings (as for clusters of two kinds, Cameron, Gelbach and Miller 2011); no less
        than the larger of the two.
        """
        drawn, observed = self.drawn[source, metric], self.observed[metric]
        mean = mean_of(drawn)
        away = drawn - mean
        if source == "annotations" and self.annotations == "bootstrap":
            away = away * self.lost
        elif source == "both" and ("cases", metric) in self.drawn:
            once, twice = (
                float(np.nansum(mean_of(np.square(of - mean_of(of)))))
                for of in (self.drawn["cases", metric], drawn)
            )
            away = away * (np.sqrt(once / twice) if twice > 0 else 1.0)
        elif source == "raters":
            away = away * self.lost_raters
        elif source == "all":
            away = away * self._of_all(metric, away)
        return np.where(np.isnan(observed), mean, observed) + away

    @property
    def lost_raters(self) -> float:
        """What the scatter of raters drawn anew must be multiplied with, as drawing loses some of it."""
        return float(np.sqrt(self.n_raters / (self.n_raters - 1))) if self.n_raters > 1 else np.nan

    def scatter_of_all(self, metric: str) -> tuple[float, float, float]:
        """Variances over other cases, over other raters, and over both with no scatter counted twice.

        Each is summed over models. Raters and cases both bring that of the single readings along.
        """

        def scatter(values: FloatArray) -> float:
            return float(np.nansum(mean_of(np.square(values - mean_of(values)))))

        cases, raters = (scatter(self.drawn[source, metric]) for source in ("cases", "raters"))
        raters *= self.lost_raters**2
        readings = scatter(self.read_again[metric]) * self.lost**2
        together = cases + raters - (0.0 if np.isnan(readings) else readings)
        return cases, raters, max(together, cases, raters)

    def _of_all(self, metric: str, away: FloatArray) -> float:
        """What draws of raters and cases must be multiplied with to count no scatter twice."""
        drawn = float(np.nansum(mean_of(np.square(away))))
        return float(np.sqrt(self.scatter_of_all(metric)[2] / drawn)) if drawn > 0 else 1.0

    def compares(self, metric: str) -> NDArray[np.bool_]:
        """Which models a metric compares, with shape (n_models,)."""
        return np.array([model not in self.left_out[metric] for model in self.models])


def joined(parts: Sequence[Stability]) -> Stability:
    """Put together what was drawn of several metrics of the same models, by as many draws."""
    whole = parts[0]
    for part in parts[1:]:
        whole = replace(
            whole,
            observed={**whole.observed, **part.observed},
            drawn={**whole.drawn, **part.drawn},
            left_out={**whole.left_out, **part.left_out},
            refused={**whole.refused, **part.refused},
            read_again={**whole.read_again, **part.read_again},
            rarer={**whole.rarer, **part.rarer},
        )
    return whole


def mean_of(values: FloatArray) -> FloatArray:
    """Mean of what is defined, over the draws; NaN where nothing is."""
    defined = ~np.isnan(values)
    return divided(np.where(defined, values, 0.0).sum(axis=0), defined.sum(axis=0, dtype=np.float64))
