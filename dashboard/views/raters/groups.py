"""Groups: what concordance and accuracy would be if only some of the raters had read."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from core.analysis.formatting import percent
from core.analysis.raters.concordance import Weights
from core.analysis.raters.groups import group_summary, group_table, group_work
from core.analysis.raters.panel import Panel
from core.metrics.agreement.concordance import RULE_OF_THUMB
from core.metrics.agreement.pairs import MOST_RATERS
from core.progress import Progress
from dashboard.charts.raters.groups import MOST_POINTS, groups_chart
from dashboard.components.picture import picture
from dashboard.components.text import table
from dashboard.shell import cache, theme, widgets
from dashboard.views import parts
from dashboard.views.raters import concordance

MOST_GROUPS = 150
"""Groups of each size; of more, so many are drawn at random."""
MOST_WORK, MOST_AT_ONCE = 3 * 10**8, 100
"""Pairs of readings, and raters, whose groups take less than half a second."""


def show(chosen: Panel, source: dict[str, str]) -> None:
    """Draw the panel."""
    parts.head("Does a concordant group get more cases right?")
    reason = _refused(chosen)
    if reason:
        parts.note(reason)
        return
    found = _measured(chosen)
    if found is None:
        return
    accuracy = "majority_accuracy" if chosen.has_reference else "mean_accuracy"
    summary = group_summary(found, accuracy)
    if summary.empty:
        parts.note("No group of these raters has read a case together, so it has no concordance.")
        return
    _groups(found, summary, accuracy, source)


@st.fragment
def _groups(found: pd.DataFrame, summary: pd.DataFrame, accuracy: str, source: dict[str, str]) -> None:
    """Draw the groups, those of one size in colour, and list what each size comes to."""
    words = {
        "majority_accuracy": "Cases that the group’s majority gets right",
        "mean_accuracy": "Mean accuracy of the group’s raters",
    }[accuracy]
    known = found.dropna(subset=["concordance", accuracy])
    left, right = st.columns([11, 10], gap="large")
    with right:
        sizes = summary["size"].tolist()
        size = st.segmented_control(
            "Raters in a group",
            required=True,
            **widgets.choices("group-size", widgets.own("group-size", sizes), sizes),
        )
        size = size or sizes[0]
        rows = [
            (
                str(row["size"]),
                f"{row['groups']:,}",
                f"{row['concordance']:.2f} ({row['concordance_low']:.2f} to {row['concordance_high']:.2f})",
                f"{percent(row['accuracy'])} ({100 * row['accuracy_low']:.0f} to "
                f"{100 * row['accuracy_high']:.0f}\u00a0%)",
                "" if np.isnan(row["correlation"]) else f"{row['correlation']:.2f}".replace("-", "−"),
            )
            for row in summary.to_dict("records")
        ]
        columns = ["Raters", "Groups", "ϱ: mean (range)", "Right: mean (range)", "Correlation"]
        table(columns, rows, name="Groups of raters by size")
        parts.note(
            "A group is some of the raters, as if only they had read. Right: "
            f"{words[0].lower()}{words[1:]}. {found.attrs['sentence']}"
        )
    with left:
        drawn = len(known)
        picture(
            groups_chart(
                known.assign(accuracy=known[accuracy]),
                size=size,
                accuracy=words,
                rule=RULE_OF_THUMB,
                tokens=theme.tokens(),
            ),
            name="groups",
            alternative=f"{words} against weighted concordance, for groups of raters",
            caption=f"Each dot is a group; blue: groups of {size}. Dashed: two thirds, the rule of thumb."
            + (f" {MOST_POINTS} of {drawn:,} groups are drawn." if drawn > MOST_POINTS else ""),
            table=found,
            provenance=source,
        )


def _refused(chosen: Panel) -> str:
    """Say why there are no groups; empty where there are."""
    if chosen.n_raters < 2 or not chosen.identified:
        return "Groups of raters need at least two raters who are the same persons in every case."
    if chosen.n_raters > MOST_RATERS:
        return (
            f"{chosen.n_raters:,} raters are too many to form groups of; pick up to {MOST_RATERS:,} of them "
            "above."
        )
    return ""


def _measured(chosen: Panel) -> pd.DataFrame | None:
    """Groups of the panel's raters; None while they are being measured."""
    weights = concordance.measured(chosen).weights
    if chosen.n_raters <= MOST_AT_ONCE and group_work(chosen, most=MOST_GROUPS) <= MOST_WORK:
        return _few(chosen, weights, most=MOST_GROUPS)
    return parts.result_of(_many(chosen, weights), what="Measuring groups of raters", key="raters-groups")


_few = cache.cached()(group_table)


@cache.background
def _many(progress: Progress, chosen: Panel, weights: Weights) -> pd.DataFrame:
    return group_table(chosen, weights, most=MOST_GROUPS, progress=progress)
