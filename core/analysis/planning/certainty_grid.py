"""How certain the leading label is over the number of readings a case and their reliability, simulated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.analysis.planning.certainty import cases_like, counting_model
from core.analysis.planning.raters_and_cases import raters_in_words
from core.metrics.estimate import mean_over_cases
from core.plausibility.aggregate import aggregate_readings
from core.progress import Progress
from core.study.model import Study, Task

GRID_SIZES = (1, 3, 5, 7, 9, 13, 21, 35)
GRID_RELIABILITIES = (0.3, 1.0, 3.0, 10.0, 30.0)
"""Numbers of readings, odd so that two labels do not tie, and reliabilities of the grid."""
GRID_CASES, GRID_DIFFERENTIALS = 1_000, 200
"""Simulated cases of choices, and of differentials, which take much longer."""


@dataclass(frozen=True, eq=False)
class CertaintyGrid:
    """Certainty over numbers of readings and reliabilities, and where the study itself stands.

    Attributes
    ----------
    table : DataFrame
        ``n_readings``, ``reliability``, ``certainty`` (mean over simulated cases, in [0, 1]) and its
        ``standard_error``; by reliability, then by number of readings.
    readings : float
        Mean number of readings of the study's cases that were read.
    reliability : float
        At which the study is marked.
    certainty : float
        Mean certainty of the study's own cases at it, of their own readings and not of simulated ones.
    """

    table: pd.DataFrame
    readings: float
    reliability: float
    certainty: float


def certainty_grid(
    study: Study,
    task: Task,
    *,
    reliability: float = 1.0,
    sizes: Sequence[int] = GRID_SIZES,
    reliabilities: Sequence[float] = GRID_RELIABILITIES,
    n_cases: int | None = None,
    progress: Progress | None = None,
) -> CertaintyGrid:
    """Work out the mean certainty of the leading label on a grid.

    Parameters
    ----------
    study, task
        Choices or rankings with at least one reading.
    reliability : float
        Finite γ at which the study's own place is marked.
    sizes : sequence of int
        Numbers of readings a case, ascending.
    reliabilities : sequence of float
        Values of γ, above 0 and finite, ascending.
    n_cases : int, optional
        Cases that are simulated; by default `GRID_CASES`, or `GRID_DIFFERENTIALS` for rankings.
    progress : callable, optional
        Called with the share done and what is being done.

    Returns
    -------
    CertaintyGrid
        Of the model in which each reading counts γ times (`core.analysis.planning.certainty`).

    Raises
    ------
    ValueError
        For a score task, or a task without readings.

    Notes
    -----
    All places share one simulation: 5 readings are the first 5 of 10, and the same at every γ. The readings
    are drawn as for a plan at γ = 1, for what readers say does not depend on how much they are trusted.
    """
    model = counting_model(task)
    most = (GRID_CASES if task.kind == "choice" else GRID_DIFFERENTIALS) if n_cases is None else n_cases
    drawn, simulated = cases_like(study, task, model, n_raters=max(sizes), n_cases=most)
    rows: list[tuple[float, ...]] = []
    total = len(sizes) * len(reliabilities)
    for gamma in reliabilities:
        for n in sizes:
            if progress is not None:
                progress(len(rows) / total, f"{raters_in_words(n)} a case, γ = {gamma:g}")
            readings = simulated.readings.keep(simulated.readings.rater < n)
            posterior = aggregate_readings(drawn, simulated, model.at(gamma), readings, drawn.case_ids)
            mean = mean_over_cases(posterior.certainty(1))
            rows.append((n, gamma, mean.value, mean.standard_error))
    per_case = task.readings.per_case
    read = np.flatnonzero(per_case > 0)
    own = aggregate_readings(
        study,
        task,
        model.at(reliability),
        task.readings.take_cases(read),
        tuple(study.case_ids[case] for case in read),
    )
    table = pd.DataFrame(rows, columns=["n_readings", "reliability", "certainty", "standard_error"])
    return CertaintyGrid(table, float(per_case[read].mean()), reliability, float(own.certainty(1).mean()))
