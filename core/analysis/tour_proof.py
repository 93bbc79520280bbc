"""What the labels of the toy problem prove of its model: whose readings count, and ranges in words.

The range that is supported says what readings alone support. It is no estimate of the known truth: a model
that sees the observation may be better than readings, which know nothing of it, can prove.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from core.analysis.formatting import percent_range
from core.analysis.tour import N_RATERS
from core.study.model import Readings
from core.study.simulation.readers import assign, draw_choices, plain_readings
from core.study.simulation.truth import SimulatedStudy

MODEL = "Shifted"
"""The model that is judged."""
TAKE_HOME = (
    "An accuracy proves no more than the labels behind it: before you ask which model is best, ask who gave "
    "those labels, and which dangers the model misses."
)


def read_by(simulated: SimulatedStudy, n_raters: int) -> Readings:
    """Readings of the toy problem's cases by its own raters and, beyond these, by others like them.

    Parameters
    ----------
    simulated : SimulatedStudy
        From `core.analysis.tour.toy_study`.
    n_raters : int
        Readings of each case; at least `N_RATERS`.

    Raises
    ------
    ValueError
        If that is fewer.
    """
    (task,) = simulated.study.tasks.values()
    if n_raters < N_RATERS:
        raise ValueError(f"n_raters must be {N_RATERS} or more, got {n_raters}")
    if n_raters == N_RATERS:
        return task.readings
    n_cases, more = simulated.study.n_cases, n_raters - N_RATERS
    rng = np.random.default_rng([simulated.study.seed, n_raters])
    others = assign(rng, n_cases, raters_per_case=more, n_raters=more)
    drawn = draw_choices(rng, others, simulated.truth.plausibility, np.ones(more))
    label = np.hstack([one.label.reshape(n_cases, -1) for one in (task.readings, drawn)]).ravel()
    every = assign(rng, n_cases, raters_per_case=n_raters, n_raters=n_raters)
    return plain_readings(every, np.ones(len(label), np.int64), label, np.zeros_like(label))


def range_in_words(row: pd.Series, between: str = " to ") -> str:
    """Write what is supported: 61 to 73 %; one number where both ends are the same as written."""
    return percent_range(row["low"], row["high"], between)


def ceiling_in_words(row: pd.Series, between: str = " to ") -> str:
    """Write what is granted to any model at most, as `range_in_words`: 73 to 85 %."""
    return percent_range(row["ceiling_low"], row["ceiling_high"], between)


def wrong_labels(n_cases: int, ceiling: float) -> int:
    """Number of labels kept that are expected to be wrong, as uncertain as they are."""
    return round(n_cases * (1 - ceiling))
