"""All that the list knows of its cases: what is computed, what was written, and what is asked for."""

from __future__ import annotations

import pandas as pd

from core.analysis.cases.reviewed import with_reviews
from core.analysis.cases.worklist import with_labels
from core.plausibility.settings import Aggregation
from core.study.model import Study, Task
from dashboard.shell import cache, misled, reviews, state
from dashboard.shell.derived import Derived

_TABLES: Derived[pd.DataFrame] = Derived()


def table(study: Study, task: Task, aggregation: Aggregation, listing: reviews.Listing) -> pd.DataFrame:
    """Worklist with what was written about its cases, labels that are asked for, and what accuracy counts."""
    of, plausible = cache.worklist_at(study, task, aggregation), state.view().plausible

    def make() -> pd.DataFrame:
        cases = with_labels(with_reviews(of, listing.reviews), plausible)
        return misled.with_counted(cases, task, aggregation)

    return _TABLES.of(of, (listing.key, plausible), make)
