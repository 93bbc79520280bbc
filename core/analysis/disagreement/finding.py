"""The finding of the page in a few numbers: what a model says of some cases, and what their raters did."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from core.analysis.disagreement.diagram import disagreement_diagram, probability_diagram
from core.analysis.disagreement.forecasts import RESAMPLES, Forecast
from core.metrics.calibration.bins import Binning
from core.study.model import Study, Task

PARTS = 3
"""The cases are cut into so many parts by what the model expects; the finding is about the lowest."""


@dataclass(frozen=True)
class Finding:
    """What a model says on average of some cases, beside what is seen in them.

    Attributes
    ----------
    said : float
        Mean of what the model says, in [0, 1].
    seen : float
        Mean of what the raters did, in [0, 1].
    low, high : float
        95 % interval of ``seen`` by resampling cases; NaN for a single prediction.
    n, n_all : int
        Predictions that the means are of, and all that could be judged.
    """

    said: float
    seen: float
    low: float
    high: float
    n: int
    n_all: int

    @property
    def verdict(self) -> int:
        """1 where more is seen than said, −1 where less, 0 where the interval holds what is said.

        0 also without an interval.
        """
        return int(self.said < self.low) - int(self.said > self.high)


def least_disagreement(
    study: Study, task: Task, forecast: Forecast, *, resamples: int = RESAMPLES
) -> Finding | None:
    """Judge the third of the cases where a model expects the least disagreement.

    Parameters
    ----------
    study : Study
        Gives the seed of the resamples.
    task : Task
        Gives the labels of the raters.
    resamples : int
        Of the cases, for the interval.
    forecast : Forecast
        Of one model.

    Returns
    -------
    Finding or None
        Cases of which the model says the same stay together, so that it may be more or less than a third.
        None where no case has two labels and a prediction.

    Notes
    -----
    A part that is fixed beforehand: the bin with the largest gap would be chosen by its noise too.
    """
    table = disagreement_diagram(
        study, task, [forecast], binning=Binning("equal mass", PARTS), resamples=resamples
    )
    return _first_filled(table)


def all_disagreement(
    study: Study, task: Task, forecast: Forecast, *, resamples: int = RESAMPLES
) -> Finding | None:
    """Judge what a model says of disagreement in all cases together; see `least_disagreement`."""
    table = disagreement_diagram(study, task, [forecast], binning=Binning(number=1), resamples=resamples)
    return _first_filled(table)


def probable_labels(
    study: Study, task: Task, forecast: Forecast, *, resamples: int = RESAMPLES
) -> Finding | None:
    """Judge the labels to which a model gives a probability of one half or more.

    For studies in which disagreement cannot be seen. None where it gives no label of a case with a
    reading so much.
    """
    halves = probability_diagram(study, task, [forecast], binning=Binning(number=2), resamples=resamples)
    if halves["n"].iloc[1] == 0:
        return None
    return _finding(halves, 1)


def _first_filled(table: pd.DataFrame) -> Finding | None:
    """The lowest bin that holds a prediction."""
    filled = table.index[table["n"] > 0]
    return _finding(table, int(filled[0])) if len(filled) else None


def _finding(table: pd.DataFrame, place: int) -> Finding:
    row = table.iloc[place]
    return Finding(
        float(row["predicted"]),
        float(row["observed"]),
        float(row["low"]),
        float(row["high"]),
        int(row["n"]),
        int(table["n"].sum()),
    )
