"""How well draws of an aggregation model have converged, wherever its methods are told."""

from __future__ import annotations

import math

import pandas as pd

from core.analysis.portions import aggregate_portion, portions
from core.analysis.reliability.measure_sums import NOT_MIXED, SMALLEST_ESS, WORST_RHAT
from core.plausibility.posterior import SampledPosterior
from core.plausibility.settings import MODELS, Aggregation
from core.study.model import Study, Task

_NAMES = {WORST_RHAT: "worst_rhat", SMALLEST_ESS: "smallest_ess", NOT_MIXED: "share_above_limit"}


def convergence_of(study: Study, task: Task, aggregation: Aggregation) -> dict[str, float]:
    """Draw the cases and diagnose their draws; nothing where the model does not sample.

    Returns
    -------
    dict of str to float
        `core.plausibility.convergence.convergence_summary`.
    """
    if MODELS[aggregation.model].answer != "draws" or math.isinf(aggregation.reliability):
        return {}
    # It takes half a second to import, which a first page need not wait for.
    from core.plausibility.convergence import convergence, convergence_summary

    found = []
    for cases in portions(task, aggregation):
        posterior = aggregate_portion(study, task, aggregation, cases)
        if isinstance(posterior, SampledPosterior):
            found.append(convergence(posterior))
    return convergence_summary(pd.concat(found, ignore_index=True)) if found else {}


def convergence_in(metrics: pd.DataFrame) -> dict[str, float]:
    """The same as a table of metrics has it (`core.analysis.reliability.sweep.metrics_at`)."""
    told = metrics.drop_duplicates("metric").set_index("metric")["value"]
    found = {key: float(told[name]) for name, key in _NAMES.items() if name in told.index}
    return found if len(found) == len(_NAMES) else {}
