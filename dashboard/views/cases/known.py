"""All that the list knows of its cases: what is computed, what was written, and what is asked for alone."""

from __future__ import annotations

import pandas as pd

from core.analysis.cases.presets import ACCURACY_MISLEADS
from core.analysis.cases.reviewed import with_reviews
from core.analysis.cases.worklist import with_labels
from core.plausibility.settings import Aggregation
from core.study.model import Study, Task
from dashboard.shell import cache, misled, reviews, state
from dashboard.shell.derived import Derived

_TABLES: Derived[pd.DataFrame] = Derived()


def table(study: Study, task: Task, aggregation: Aggregation, listing: reviews.Listing) -> pd.DataFrame:
    """Worklist with what was written about its cases, labels that are asked for, and what accuracy counts.

    The last for the list that is about it alone: no step of the slider takes longer for the others.
    """
    of, plausible = cache.worklist_at(study, task, aggregation), state.view().plausible
    is_counted = state.view().preset == ACCURACY_MISLEADS

    def make() -> pd.DataFrame:
        cases = with_labels(with_reviews(of, listing.reviews), plausible)
        return misled.with_counted(cases, task, aggregation) if is_counted else cases

    return _TABLES.of(of, (listing.key, plausible, is_counted), make)
