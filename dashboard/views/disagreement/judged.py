"""What the Disagreement page shows: a model's forecasts, as given and recalibrated, with tables of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

import pandas as pd

from core.analysis.disagreement.diagram import disagreement_diagram, probability_diagram
from core.analysis.disagreement.forecasts import Forecast, loss_table
from core.metrics.calibration.bins import Binning
from core.study.model import Study, Task
from dashboard.shell import cache

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Judged:
    """What one model says, and how it is judged.

    Attributes
    ----------
    study, task
        What was observed.
    forecasts : tuple of Forecast
        As given, and where there is one recalibrated: one or two, of one model.
    source : mapping of str to str
        Goes with every download.
    """

    study: Study
    task: Task
    forecasts: tuple[Forecast, ...]
    source: Mapping[str, str]

    @property
    def last(self) -> Forecast:
        """The recalibrated forecast, or the given one where there is no other."""
        return self.forecasts[-1]

    def source_of(self, binning: Binning) -> dict[str, str]:
        """What goes with a download of what depends on bins."""
        return {**self.source, "bins": f"{binning.number}, {binning.kind}"}

    def losses(self, one: Forecast, binning: Binning, *, by_label: bool) -> pd.DataFrame:
        """Table of losses, of each label too where that is asked for."""
        return self.kept(
            "losses",
            one,
            binning,
            by_label,
            compute=lambda: loss_table(self.study, self.task, [one], binning=binning, by_label=by_label),
        )

    def of_label(self, label: str, one: Forecast, binning: Binning) -> pd.DataFrame:
        """Reliability diagram of a label's probabilities, or of all labels' together."""
        return self.kept(
            "probability diagram",
            one,
            binning,
            label,
            compute=lambda: probability_diagram(self.study, self.task, [one], label=label, binning=binning),
        )

    def of_pairs(self, one: Forecast, binning: Binning) -> pd.DataFrame:
        """Reliability diagram of disagreement."""
        return self.kept(
            "disagreement diagram",
            one,
            binning,
            compute=lambda: disagreement_diagram(self.study, self.task, [one], binning=binning),
        )

    def kept(self, kind: str, forecast: Forecast, *settings: object, compute: Callable[[], T]) -> T:
        """Compute once what is said of a forecast; model and method tell forecasts apart."""
        return cache.kept(
            kind, self.study, self.task, forecast.model, forecast.method, *settings, compute=compute
        )
