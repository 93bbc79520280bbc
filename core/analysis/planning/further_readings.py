"""How certain cases are expected to be after so many further readings, before these are given."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.analysis.planning.certainty import counting_model
from core.analysis.planning.further_counts import expected_by_counts
from core.analysis.planning.further_draws import expected_by_draws
from core.analysis.planning.questions import Question
from core.plausibility.aggregate import aggregate
from core.plausibility.dirichlet import DirichletPosterior
from core.plausibility.posterior import Posterior, SampledPosterior
from core.plausibility.settings import Aggregation
from core.progress import Progress
from core.study.model import FloatArray, IntArray, Study, Task
from core.study.seeds import case_seeds

PURPOSE = "further readings"
"""Names the random numbers of all that is here."""


@dataclass(frozen=True, eq=False)
class Outlook:
    """What further readings are expected to tell, case by case.

    Attributes
    ----------
    cases : ndarray of int64 with shape (n,)
        Cases that were read and can matter, ascending.
    need, worth : ndarrays of float64 with shape (n, most + 1)
        As `core.analysis.planning.questions.Question.measure` has them, expected after 0, 1 … ``most``
        further readings of the case.
    posterior : Posterior
        As it is now, of all cases.
    n_read : int
        Cases that were read, whether they can matter or not.
    aggregation : Aggregation
        The model that it comes from.
    """

    cases: IntArray
    need: FloatArray
    worth: FloatArray
    posterior: Posterior
    n_read: int
    aggregation: Aggregation

    @property
    def most(self) -> int:
        """Largest number of further readings of a case."""
        return self.worth.shape[1] - 1


def planning_model(task: Task, aggregation: Aggregation | None) -> Aggregation:
    """Return the model to plan with: the one chosen where each reading counts in it and leaves some doubt.

    A point estimate leaves nothing open, and PrIRN knows only the average of the readings, however many there
    are; the counting model at γ = 1 stands in for both.
    """
    suits = aggregation is not None and aggregation.model in ("label-counts", "plackett-luce")
    if aggregation is not None and suits and math.isfinite(aggregation.reliability):
        return aggregation
    return Aggregation(counting_model(task).model, 1.0)


def outlook(
    study: Study,
    task: Task,
    asked: Question,
    *,
    most: int,
    aggregation: Aggregation | None = None,
    progress: Progress | None = None,
) -> Outlook:
    """Work out what further readings of each case are expected to tell.

    Parameters
    ----------
    study, task : Study, Task
        Choices or rankings, some of which were read.
    asked : Question
        What cases are to be read again for.
    most : int
        Largest number of further readings of a case, 1 or more.
    aggregation : Aggregation, optional
        See `planning_model`.
    progress : callable, optional
        Called with the share done and what is being done.

    Raises
    ------
    ValueError
        For a score task, a task without readings, where no case can matter, and ``most`` below 1.

    Notes
    -----
    Readings are drawn from the posterior predictive and counted as often as all others, γ times; of a
    differential its first choice counts. Label counts are exact; Plackett–Luce uses its own draws.
    """
    if task.kind == "score":
        raise ValueError(f"task must ask for labels (choice or ranking), got the score task {task.name!r}")
    if most < 1:
        raise ValueError(f"most must be 1 or more, got {most}")
    read = task.readings.per_case > 0
    cases = np.flatnonzero(read & asked.of(study.n_cases))
    if len(cases) == 0:
        which = "was read" if asked.first_labels is None else "was read in which the two models differ"
        raise ValueError(f"there is nothing to plan: no case of task {task.name!r} {which}")
    chosen = planning_model(task, aggregation)

    def tell(share: float) -> None:
        if progress is not None:
            progress(share, "further readings")

    tell(0.0)
    posterior = aggregate(study, task, chosen)
    need, worth = _expected(study, posterior, asked, cases, most, chosen.reliability, tell)
    return Outlook(cases, need, worth, posterior, int(read.sum()), chosen)


def _expected(
    study: Study,
    posterior: Posterior,
    asked: Question,
    cases: IntArray,
    most: int,
    gamma: float,
    tell: Callable[[float], None],
) -> tuple[FloatArray, FloatArray]:
    """Ask the kind of posterior that there is."""
    if isinstance(posterior, DirichletPosterior):
        return expected_by_counts(posterior, asked, cases, most=most, gamma=gamma, tell=tell)
    if not isinstance(posterior, SampledPosterior):
        raise TypeError(f"the posterior must be counted or sampled, got {type(posterior).__name__}")
    seeds: NDArray[np.uint64] = case_seeds(study.seed, [study.case_ids[i] for i in cases], PURPOSE)
    return expected_by_draws(posterior, asked, cases, most=most, gamma=gamma, seeds=seeds, tell=tell)
