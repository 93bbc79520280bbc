"""What the pictures of the page show, and what they rest on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, wraps
from typing import Concatenate, Literal, ParamSpec, TypeVar

import pandas as pd

from core.analysis.models.finding import distinct
from core.analysis.models.settings import ComparisonSettings
from core.analysis.models.tables import Measured, Resampled
from core.plausibility.settings import Aggregation
from core.study.model import Study, Task
from dashboard.shell import cache
from dashboard.shell.theme import Tokens

P = ParamSpec("P")
T = TypeVar("T")

MOST_MODELS_KEPT = 50
"""Pictures of more models are large, and made each time that they are shown."""


@dataclass(frozen=True, eq=False)
class ModelComparison:
    """What the pictures of the page show.

    ``settings`` hold only what can be had, the hard metric named; ``drawn`` is None where nothing is drawn
    yet, or can be; ``source`` goes with every download.
    """

    study: Study
    task: Task
    aggregation: Aggregation
    settings: ComparisonSettings
    tokens: Tokens
    found: Measured
    drawn: Resampled | None
    source: Mapping[str, str]

    @cached_property
    def key(self) -> tuple[object, ...]:
        """All that pictures, texts and tables depend on; what is measured and drawn, by its identity."""
        measured = cache.identity(self.found), None if self.drawn is None else cache.identity(self.drawn)
        of = self.study.fingerprint, cache.identity(self.task), repr(self.aggregation), repr(self.settings)
        return (*of, cache.identity(self.tokens), measured)

    @property
    def measure(self) -> str:
        """The hard metric."""
        return self.settings.measure

    @property
    def models(self) -> list[str]:
        """All models of the task: they decide colours and marks."""
        return list(self.task.predictions)

    @cached_property
    def rows(self) -> pd.DataFrame:
        """Rows of ``found.metrics`` of the metric."""
        return self.found.metrics[self.found.metrics["metric"] == self.measure]

    @property
    def counterpart(self) -> str:
        """The metric that keeps every reading."""
        return str(self.rows["counterpart"].iloc[0])

    @cached_property
    def distinct(self) -> pd.DataFrame:
        """Rows of the models that differ and have both values, the best by the counterpart first."""
        rows = distinct(self.rows).dropna(subset=["hard", "soft"])
        return rows.sort_values("soft_rank", kind="stable")

    @property
    def ranks(self) -> bool:
        """Whether there is an order: two models that differ."""
        return len(self.distinct) > 1

    @property
    def ranked_by(self) -> str:
        """The metric that ranks, hard or soft; the hard one where no draw is made of the other."""
        wanted = self.counterpart if self.settings.ranked_by == "soft" else self.measure
        if self.drawn is None or (self.settings.source, wanted) in self.drawn.drawn:
            return wanted
        return self.measure

    @property
    def falls_back(self) -> bool:
        """Whether accuracy ranks though adjusted accuracy was asked for, of which no such draw is made."""
        asked = self.settings.ranked_by == "soft" and self.measure == "accuracy"
        return asked and self.ranked_by == self.measure

    @property
    def in_order(self) -> pd.DataFrame:
        """``model`` and ``same_as`` of those that have values, the best by the metric that ranks first."""
        by = "soft_rank" if self.ranked_by == self.counterpart else "hard_rank"
        rows = self.rows.dropna(subset=["hard", "soft"])
        return rows.sort_values(by, kind="stable")[["model", "same_as"]]

    def of_source(self, name: Literal["pairs", "best"]) -> pd.DataFrame:
        """Rows of a table for the chosen source and the metric that ranks; none where nothing was drawn."""
        if self.drawn is None:
            return pd.DataFrame({"metric": [], "model": [], "probability": []})
        table: pd.DataFrame = getattr(self.drawn, name)
        return table[(table["source"] == self.settings.source) & (table["metric"] == self.ranked_by)]

    @property
    def draws(self) -> str:
        """What the draws are, in plain words."""
        truths = "resamplings of the readings"
        if self.settings.annotations == "plausibility":
            truths = "draws of plausible truths"
        named = {
            "annotations": truths,
            "cases": "resamplings of the cases",
            "both": f"{truths} and of the cases",
            "raters": "resamplings of the raters",
            "all": "resamplings of the raters and of the cases",
        }
        return named[self.settings.source]

    @property
    def against(self) -> str:
        """What is right in the draws by the metric that ranks, where that is not every reading."""
        if self.ranked_by != self.measure:
            return ""
        if self.settings.source == "cases":
            return ", against the majority label"
        draws_plausibilities = self.settings.annotations == "plausibility" and not self.settings.draw_raters
        return f", each against its own {'leading' if draws_plausibilities else 'majority'} labels"

    @property
    def sources(self) -> dict[str, str]:
        """Each source of uncertainty that is shown beside the chosen one, in a word."""
        if self.settings.draw_raters:
            return {"raters": "Raters", "cases": "Cases", "all": "Both"}
        truths = "Plausible truths" if self.settings.annotations == "plausibility" else "Readings"
        return {"annotations": truths, "cases": "Cases", "both": "Both"}


def once(make: Callable[Concatenate[ModelComparison, P], T]) -> Callable[Concatenate[ModelComparison, P], T]:
    """Decorate what makes a picture, text or table of a comparison, so that each is made once."""
    kept = cache.cached(96)(make)

    @wraps(make)
    def give(comparison: ModelComparison, *given: P.args, **named: P.kwargs) -> T:
        many = len(comparison.models) > MOST_MODELS_KEPT
        return make(comparison, *given, **named) if many else kept(comparison, *given, **named)

    return give
