"""Confusion: what each rater says where the truth is this label or that."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from core.analysis.raters.confusion import confusion_table
from core.analysis.raters.panel import Panel, busiest
from core.progress import Progress
from dashboard.charts.raters.coefficients import intervals_chart
from dashboard.components.picture import picture
from dashboard.shell import cache, theme, widgets
from dashboard.views import parts

MOST_RATERS, MOST_LABELS = 20, 3
"""Raters that are drawn, those who read most cases; labels that they say, those said most often."""
_GOLD, _TRUTH = "confusion-gold", "confusion-truth"


@cache.background
def _confusion(progress: Progress, chosen: Panel, gold: bool) -> pd.DataFrame:
    progress(0.0, "drawing truths and errors of raters")
    return confusion_table(chosen, gold=gold)


@parts.folded("What does each rater say for each truth?", key="panel-confusion")
def show(chosen: Panel, source: dict[str, str]) -> None:
    """Draw the panel; nothing is worked out until it is opened."""
    parts.note(
        "Nobody knows the truth, but who errs how can be told from all readings together: the truth that "
        "makes them most probable, and each rater's errors under it (Dawid and Skene 1979)."
    )
    gold = widgets.own(_GOLD, [False, True])
    if chosen.has_reference:
        st.toggle(
            "The references are known truths",
            help="Raters are then judged by the reference where a case has one, and by each other elsewhere.",
            **widgets.bind(_GOLD, gold),
        )
    found = parts.result_of(
        _confusion(chosen, gold and chosen.has_reference), what="Telling errors apart", key="confusion"
    )
    if found is None:
        return
    if found.empty:
        parts.note(str(found.attrs["withdrawn"]))
        return
    _drawn(chosen, found, source)


def _drawn(chosen: Panel, found: pd.DataFrame, source: dict[str, str]) -> None:
    """Draw what raters say for one truth."""
    truths = found["truth"].unique().tolist()
    truth: str = widgets.own(_TRUTH, truths)
    st.selectbox("Where the truth is", width=260, **widgets.choice(_TRUTH, truth, truths))
    busy = set(busiest(chosen, MOST_RATERS).rater_ids)
    rows = found[(found["truth"] == truth) & found["rater"].isin(busy)]
    often = rows.groupby("says", sort=False)["probability"].mean().sort_values(ascending=False, kind="stable")
    said = [truth, *(label for label in often.index if label != truth)][:MOST_LABELS]
    shown = rows[rows["says"].isin(said)].rename(columns={"rater": "row", "says": "series"})
    picture(
        intervals_chart(
            shown.assign(value=shown["probability"], series=shown["series"].map(lambda of: f"says {of}")),
            series=[f"says {label}" for label in said],
            neutral=[f"says {label}" for label in said[1:]],
            title=f"How often it is said where the truth is {truth}",
            domain=(0.0, 1.0),
            tokens=theme.tokens(),
            shares=True,
        ),
        name="confusion",
        alternative=f"How often each rater says each label where the truth is {truth}",
        caption="Dot: estimate. Line: 95 % of what the readings leave plausible, with one right reading for "
        "each rater and truth, and one spread over all labels, as a prior."
        + (f" The {MOST_RATERS} who read most cases." if chosen.n_raters > MOST_RATERS else "")
        + (f" The {MOST_LABELS} labels said most." if len(truths) > MOST_LABELS else "")
        + _without_lines(rows),
        table=found,
        provenance=source,
    )


def _without_lines(rows: pd.DataFrame) -> str:
    """Why there are no intervals; empty where there are."""
    if not np.isnan(rows["low"].to_numpy(float)).all():
        return ""
    return f" No intervals: {rows['why_no_interval'].iloc[0]}."
