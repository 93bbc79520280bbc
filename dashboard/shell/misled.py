"""Cases in which plain accuracy misleads, of the worklist in force: for their list, and for ways to it."""

from __future__ import annotations

import math

import pandas as pd

from core.analysis.cases import misleads
from core.analysis.cases.presets import ACCURACY_MISLEADS, PRESETS
from core.plausibility.settings import Aggregation
from core.study.model import Study, Task
from dashboard.shell import cache

_counted_right = cache.cached()(misleads.counted_right)


def with_counted(cases: pd.DataFrame, task: Task, aggregation: Aggregation) -> pd.DataFrame:
    """Add to a whole worklist how accuracy counts each model, as `core.analysis.cases.misleads` does."""
    is_point = math.isinf(aggregation.reliability)
    return misleads.with_counted(cases, _counted_right(task), is_point=is_point)


def case_ids(study: Study, task: Task, aggregation: Aggregation) -> tuple[str, ...]:
    """Ids of the cases that the list has, in its order; none where it is not for such a study."""
    known = with_counted(cache.worklist_at(study, task, aggregation), task, aggregation)
    preset = PRESETS[ACCURACY_MISLEADS]
    return tuple(preset.apply(known).index) if preset.suits(known) else ()
