"""On top, where models are compared by accuracy: what Study says, and who is best by which question."""

from __future__ import annotations

import numpy as np
import pandas as pd

from core.analysis.formatting import of_hundred
from core.analysis.models.questions import ACCURACY, COLUMNS, who_is_best
from dashboard.components.text import element, table
from dashboard.shell.progress import wait_shortly
from dashboard.views import parts
from dashboard.views.models import words
from dashboard.views.models.model_comparison import ModelComparison
from dashboard.views.study.findings import MOST_CASES_JUDGED, PATIENCE, judging

_THE_SAME = "… the same question"
"""What stands in place of a question that the row above asks too."""
_WHY_THEY_DIFFER = (
    "They may differ: support keeps every label that the readings leave possible; agreement takes that of "
    "most readings for the truth, and rewards a model for matching it even where the readers were split."
)


def show(comparison: ModelComparison) -> None:
    """State what is found: by accuracy what the labels support, in the words of Study, then other notions."""
    said = _supported(comparison)
    if said is None:
        parts.sentence(words.finding(comparison))
        return
    headline, details, supported = said
    parts.sentence(f"{headline}.")
    parts.note(details)
    rows = _rows(comparison, supported)
    if len(supported) > 1 and rows:
        heads = [column.capitalize() for column in COLUMNS]
        table(heads, rows, name="Who is best, by what is asked", scrolls=True)
        if len({winner for _, _, winner, _ in rows}) > 1:
            parts.note(_WHY_THEY_DIFFER)
    element("p", words.finding_of_values(comparison), role="finding")


def look_ahead(comparison: ModelComparison) -> None:
    """Judge the models before somebody asks by accuracy."""
    if comparison.task.probability_models and comparison.study.n_cases <= MOST_CASES_JUDGED:
        coverage = comparison.settings.coverage
        job = judging(comparison.study, comparison.task, comparison.aggregation, coverage)
        if not job.begun:
            job.start()


def _supported(comparison: ModelComparison) -> tuple[str, str, pd.DataFrame] | None:
    """What Study says: headline, details and table; None while it is not known, or is not asked."""
    study, task = comparison.study, comparison.task
    if comparison.measure != ACCURACY or not task.probability_models:
        return None
    job = judging(study, task, comparison.aggregation, comparison.settings.coverage)
    if study.n_cases > MOST_CASES_JUDGED and not job.begun:
        return None
    wait_shortly(job, PATIENCE)
    said = parts.result_of(job, what="Judging the models against plausible truths", key="models-supported")
    return None if said is None else (said.headline, said.details, said.table)


def _rows(comparison: ModelComparison, supported: pd.DataFrame) -> list[list[str]]:
    """The table of who is best, as it is written."""
    best = pd.DataFrame({"source": [], "metric": [], "model": [], "probability": []})
    found = who_is_best(
        supported,
        comparison.rows,
        best if comparison.drawn is None else comparison.drawn.best,
        annotations=comparison.settings.annotations,
        is_point=bool(np.isinf(comparison.aggregation.reliability)),
    )
    asked = found["question"].where(found["question"] != found["question"].shift(), _THE_SAME)
    rows = found.assign(question=asked).itertuples(index=False)
    return [[*row[:3], f"best in {of_hundred(row[3])} of 100"] for row in rows]
