"""What the pictures of the page show, and what they rest on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, wraps
from typing import Concatenate, Literal, ParamSpec, TypeVar

import pandas as pd

from core.analysis.models.comparison import Coverage
from core.analysis.models.finding import distinct
from core.analysis.models.stability import Annotations, Source
from core.analysis.models.tables import Measured, Resampled
from core.plausibility.settings import Aggregation
from core.study.model import Study, Task
from dashboard.shell import cache
from dashboard.shell.theme import Tokens

P = ParamSpec("P")
T = TypeVar("T")

MOST_MODELS_KEPT = 50
"""Pictures of more models are large, and made each time that they are shown."""
Side = Literal["soft", "hard"]
"""By which metric models are put in order."""


@dataclass(frozen=True)
class Basis:
    """What a comparison rests on.

    Attributes
    ----------
    label : str or None
        That counts as positive; None for the task's own.
    coverage : {"common", "own"}
        Which cases models are judged on.
    truths : {"bootstrap", "plausibility"}
        How truths are drawn.
    """

    label: str | None
    coverage: Coverage
    truths: Annotations


@dataclass(frozen=True)
class Look:
    """How a comparison is looked at; it changes no number.

    Attributes
    ----------
    unsure : {"annotations", "cases", "both"}
        What is drawn.
    side : {"soft", "hard"}
        Which metric puts the models in order.
    tokens : Tokens
        Colours of the pictures.
    """

    unsure: Source
    side: Side
    tokens: Tokens


@dataclass(frozen=True, eq=False)
class Scene:
    """What the pictures of the page show.

    Attributes
    ----------
    study, task, aggregation
        As chosen in the sidebar.
    basis : Basis
        What the comparison rests on.
    look : Look
        How it is looked at.
    found : Measured
        All models by all metrics.
    drawn : Resampled or None
        How sure the order is; None where nothing is drawn yet, or can be.
    measure : str
        A hard metric.
    source : mapping of str to str
        Goes with every download.
    """

    study: Study
    task: Task
    aggregation: Aggregation
    basis: Basis
    look: Look
    found: Measured
    drawn: Resampled | None
    measure: str
    source: Mapping[str, str]

    @cached_property
    def key(self) -> tuple[object, ...]:
        """All that pictures, texts and tables depend on; what is measured and drawn, by its identity."""
        look = self.look.unsure, self.look.side, cache.identity(self.look.tokens)
        measured = cache.identity(self.found), None if self.drawn is None else cache.identity(self.drawn)
        of = self.study.fingerprint, cache.identity(self.task), repr(self.aggregation), repr(self.basis)
        return (*of, self.measure, look, measured)

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
        wanted = self.counterpart if self.look.side == "soft" else self.measure
        if self.drawn is None or (self.look.unsure, wanted) in self.drawn.drawn:
            return wanted
        return self.measure

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
        return table[(table["source"] == self.look.unsure) & (table["metric"] == self.ranked_by)]

    @property
    def draws(self) -> str:
        """What the draws are, in plain words."""
        truths = "resamplings of the readings"
        if self.basis.truths == "plausibility":
            truths = "draws of plausible truths"
        if self.look.unsure == "annotations":
            return truths
        return "resamplings of the cases" if self.look.unsure == "cases" else f"{truths} and of the cases"

    @property
    def sources(self) -> dict[str, str]:
        """Each source of uncertainty in a word."""
        truths = "Plausible truths" if self.basis.truths == "plausibility" else "Readings"
        return {"annotations": truths, "cases": "Cases", "both": "Both"}


def once(make: Callable[Concatenate[Scene, P], T]) -> Callable[Concatenate[Scene, P], T]:
    """Decorate what makes a picture, text or table of a scene, so that it is made once for each scene."""
    kept = cache.cached(96)(make)

    @wraps(make)
    def give(scene: Scene, *given: P.args, **named: P.kwargs) -> T:
        many = len(scene.models) > MOST_MODELS_KEPT
        return make(scene, *given, **named) if many else kept(scene, *given, **named)

    return give
