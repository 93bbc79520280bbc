"""Cases that are unlike the rest, one by one, and the split whose parts are least alike."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from core.analysis.formatting import percent
from core.analysis.raters.comparable_rows import Rows
from core.analysis.raters.representativeness import MOST_SPLIT, least_alike, unusual_cases
from core.metrics.correspondence.correspondence import MOST_CASES
from core.progress import Progress
from core.study.model import Study
from dashboard.charts.raters import representativeness as charts
from dashboard.charts.reliability.certainty import BRUSH, CLICK
from dashboard.components.picture import Caption, data_button, picture
from dashboard.components.text import count, element
from dashboard.shell import cache, progress, theme
from dashboard.views import marked, parts

SPLITS = 199
"""Random splits that sets of cases are compared with."""
HARD_SHARE = 0.2
"""Of the cases that go into a hard test set."""


def show(study: Study, rows: Rows, source: dict[str, str]) -> None:
    """Draw both panels side by side."""
    parts.beside(lambda: _unusual(rows, source), lambda: _hard_set(study, rows, source))


@cache.background
def _one_by_one(progress: Progress, rows: Rows) -> pd.DataFrame:
    progress(0.1, f"{len(rows.case):,} cases one by one")
    table = unusual_cases(rows)
    return table.assign(place=np.arange(1, len(table) + 1))


@cache.background
def _least_alike(progress: Progress, rows: Rows, seed: int) -> tuple[pd.DataFrame, float]:
    return least_alike(rows, HARD_SHARE, splits=SPLITS, seed=seed, progress=progress)


def _unusual(rows: Rows, source: dict[str, str]) -> None:
    """Draw the cases that are least like the others."""
    parts.head("Which cases are unlike the rest?")
    if len(rows.case) > MOST_CASES:
        parts.note(
            f"At most {MOST_CASES:,} cases can be compared one by one, and these are {len(rows.case):,}.",
            at_screen="Filter on the page Cases and choose those cases above.",
        )
        return
    table = parts.result_of(_one_by_one(rows), what="Comparing cases one by one", key="unusual")
    if table is None:
        return
    drawn = min(len(table), charts.MOST_POINTS)
    selected = picture(
        charts.unusual_chart(table, tokens=theme.tokens()),
        name="unusual-cases",
        alternative="Deviation of single cases from all others, largest first",
        caption=Caption(
            f"Each dot is a case ({drawn:,} of {len(table):,}): how far all distances change when it "
            "takes the place of its nearest neighbour. Some case is always the first; look for those that "
            "stand out.",
            marked.HOW,
        ),
        table=table,
        provenance=source,
        selections=(BRUSH, CLICK),
    )
    marked.offer(table, selected, key="unusual")


def _hard_set(study: Study, rows: Rows, source: dict[str, str]) -> None:
    """Offer the split whose parts are least alike."""
    parts.head("A hard test set")
    parts.note(
        f"Of {SPLITS} random splits, the one whose parts are least alike: {percent(HARD_SHARE)} of the "
        "cases, on which a model that was developed on the others is tried hardest that chance allows."
    )
    if len(rows.case) > MOST_SPLIT:
        parts.note(
            f"Up to {MOST_SPLIT:,} cases can be split like this, and these are {len(rows.case):,}. Filter "
            "on the page Cases and choose those cases above."
        )
        return
    job = _least_alike(rows, study.seed)
    if not job.begun:
        st.button("Find it", key="start-least-alike", on_click=progress.start, args=(job,))
        return
    found = parts.result_of(job, what="Splitting the cases at random", key="least-alike")
    if found is None:
        return
    table, deviation = found
    n_second = int((table["part"] == "second").sum())
    with st.container(horizontal=True, vertical_alignment="center"):
        element(
            "p",
            f"{count(n_second, 'case')} against {len(table) - n_second:,}; their distances deviate by "
            f"{deviation:.3f}.",
        )
        data_button(
            name="least-alike-split", table=table, provenance=source | {"deviation": f"{deviation:.6g}"}
        )
    ids = table.loc[table["part"] == "second", ["case_id"]]
    marked.offer(ids, {CLICK: ids.to_dict("records")}, key="least-alike")
