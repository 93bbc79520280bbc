"""Cases in portions, so that draws of a large study are never in memory all at once."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from core.plausibility.aggregate import aggregate
from core.plausibility.posterior import Posterior, SampledPosterior
from core.plausibility.settings import MODELS, Aggregation
from core.study.model import Predictions, Study, Task
from core.study.seeds import case_seeds

CELLS_AT_ONCE = 2**25
"""Draws times labels named that are in memory at once, in plausibilities of four bytes each."""
MOST_CASES_FULLY_DRAWN = 20_000
"""Beyond, the spread over exact plausibilities is taken from fewer draws of each case."""
N_DRAWS, FEWEST_DRAWS = 1000, 100
"""Draws for the spread of a metric under an exact posterior: of few cases, and of however many."""
FEWEST_FOR_DEVIATION = 2
"""Draws of each of many cases where only the standard deviation of a mean over them is wanted."""


def draws_for_spread(n_cases: int, *, fewest: int = FEWEST_DRAWS) -> int:
    """Draws of each case that show the spread of a mean over cases under an exact posterior.

    Notes
    -----
    The mean over n cases of D draws each rests on n·D draws: `MOST_CASES_FULLY_DRAWN` cases of `N_DRAWS`
    are as many as more cases of fewer draws.
    """
    most = MOST_CASES_FULLY_DRAWN * N_DRAWS
    return min(N_DRAWS, max(fewest, most // max(n_cases, 1)))


def portions(task: Task, aggregation: Aggregation, *, n_draws: int | None = None) -> Iterator[range]:
    """Divide the cases of a task, in order, so that the draws of a portion fit `CELLS_AT_ONCE`.

    The portions follow from the task and the aggregation alone, or from how many draws are made of an exact
    posterior where that is said. There is one at least, and a case is never
    divided.
    """
    readings = task.readings
    if MODELS[aggregation.model].answer == "draws":
        n_draws = aggregation.draws
    n_draws = n_draws or draws_for_spread(readings.n_cases)
    # Each label named, and all other labels of a case together; of scores, the two sides of the threshold.
    named = readings.entry_start[readings.case_start] + np.arange(readings.n_cases + 1)
    if task.kind == "score":
        named += 2 * np.arange(readings.n_cases + 1)
    begin = 0
    while begin < readings.n_cases or begin == 0:
        most = int(named[begin]) + CELLS_AT_ONCE // n_draws
        end = max(int(named.searchsorted(most, side="right")) - 1, begin + 1)
        end = min(end, readings.n_cases)
        yield range(begin, end)
        if end == readings.n_cases:
            return
        begin = end


def aggregate_portion(study: Study, task: Task, aggregation: Aggregation, cases: range) -> Posterior:
    """Aggregate the readings of a portion, or of all cases where that is one."""
    whole = len(cases) == study.n_cases
    return aggregate(study, task, aggregation, cases=None if whole else cases)


def drawn_portion(
    study: Study,
    posterior: Posterior,
    aggregation: Aggregation,
    cases: Sequence[int],
    *,
    n_draws: int | None = None,
    seeds: NDArray[np.uint64] | None = None,
) -> Posterior:
    """Draws of some cases' posterior: its own, or new ones of an exact one; a point estimate has none.

    Of an exact one `draws_for_spread` of the study's cases are made, unless ``n_draws`` says how many;
    ``seeds`` are those of `spread_seeds`, where they are known already.
    """
    if isinstance(posterior, SampledPosterior) or math.isinf(aggregation.reliability):
        return posterior
    if seeds is None:
        seeds = spread_seeds(study, aggregation, cases)
    return posterior.sample(n_draws or draws_for_spread(study.n_cases), seeds)


def spread_seeds(study: Study, aggregation: Aggregation, cases: Sequence[int]) -> NDArray[np.uint64]:
    """Seed of each case for draws of an exact posterior, with shape (n_cases,)."""
    ids = [study.case_ids[case] for case in cases]
    return case_seeds(study.seed, ids, f"{aggregation.model} spread")


def part_of(study: Study, task: Task, cases: range) -> tuple[Study, Task]:
    """Return what was observed of some cases; posteriors must still be aggregated from the whole task.

    The part has neither features nor another task, and predictions are views of the whole.
    """
    if len(cases) == study.n_cases:
        return study, task
    kept = slice(cases.start, cases.stop)
    part = replace(
        task,
        readings=task.readings.take_cases(cases),
        predictions=predictions_of(task, cases),
        reader_predictions={},
    )
    return (
        replace(
            study,
            case_ids=study.case_ids[kept],
            cases=study.cases.iloc[kept],
            tasks={task.name: part},
            features=None,
            references=None,
        ),
        part,
    )


def predictions_of(task: Task, cases: range) -> Mapping[str, Predictions]:
    """Return the predictions of some cases by model, without their ensembles."""
    kept = slice(cases.start, cases.stop)
    return {
        model: Predictions(model, of.probability[kept], score=None if of.score is None else of.score[kept])
        for model, of in task.predictions.items()
    }
