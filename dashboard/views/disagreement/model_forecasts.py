"""What the Disagreement page shows: a model's forecasts, as given and recalibrated, with tables of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from core.analysis.disagreement.diagram import disagreement_diagram, probability_diagram
from core.analysis.disagreement.forecasts import Forecast, loss_table
from core.analysis.disagreement.recalibrated import Recalibrated, recalibrate
from core.metrics.calibration.bins import Binning
from core.progress import Progress
from core.study.model import Study, Task
from dashboard.shell import cache

_losses = cache.cached()(loss_table)
_of_label = cache.cached()(probability_diagram)
_of_pairs = cache.cached()(disagreement_diagram)


@dataclass(frozen=True, eq=False)
class ModelForecasts:
    """What one model says: as given, and where there is one recalibrated."""

    study: Study
    task: Task
    versions: tuple[Forecast, ...]
    source: Mapping[str, str]

    @property
    def last(self) -> Forecast:
        """The recalibrated forecast, or the given one where there is no other."""
        return self.versions[-1]

    def source_of(self, binning: Binning) -> dict[str, str]:
        """What goes with a download of what depends on bins."""
        return {**self.source, "bins": f"{binning.number}, {binning.kind}"}

    def losses(self, one: Forecast, binning: Binning, *, by_label: bool) -> pd.DataFrame:
        """Table of losses, of each label too where that is asked for."""
        return _losses(self.study, self.task, [one], binning=binning, by_label=by_label)

    def of_label(self, label: str, one: Forecast, binning: Binning) -> pd.DataFrame:
        """Reliability diagram of a label's probabilities, or of all labels' together."""
        return _of_label(self.study, self.task, [one], label=label, binning=binning)

    def of_pairs(self, one: Forecast, binning: Binning) -> pd.DataFrame:
        """Reliability diagram of disagreement."""
        return _of_pairs(self.study, self.task, [one], binning=binning)


@cache.background
def recalibrating(progress: Progress, study: Study, task: Task, model: str) -> Recalibrated:
    """Recalibrate a model in the background, for whichever page asks first."""
    return recalibrate(study, task, model, progress=progress)
