"""All cases by their certainty, and under another aggregation model beside this one."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from core.analysis.reliability.words import aggregation_title
from core.plausibility.settings import MODELS, Aggregation, models_for
from core.study.model import Study, Task
from dashboard.charts.figure import Figure
from dashboard.charts.reliability import certainty
from dashboard.components.picture import Caption, picture
from dashboard.components.text import count
from dashboard.shell import cache, state, theme, widgets
from dashboard.views import marked, parts


@cache.cached(32)
def _sorted_figure(table: pd.DataFrame, tokens: theme.Tokens) -> tuple[Figure, pd.DataFrame, pd.DataFrame]:
    """Picture, its data, and the place of every case in it."""
    shown = table[[name for name in ("certainty", "risk_certainty") if name in table]]
    figure = certainty.sorted_certainty_chart(shown.reset_index(), tokens=tokens)
    return figure, shown, certainty.places(table["certainty"])


def show_sorted(table: pd.DataFrame, source: dict[str, str]) -> None:
    """Draw all cases by certainty."""
    parts.head("Which share of the cases is uncertain?")
    figure, shown, places = _sorted_figure(table, theme.tokens())
    selected = picture(
        figure,
        name="sorted-cases",
        alternative="Certainty of all cases, in ascending order",
        caption=Caption(
            "All cases, the least certain first. Where a curve is below the top, the truth is open.",
            marked.HOW,
        ),
        table=shown,
        provenance=source,
        selections=(certainty.BRUSH, certainty.CLICK),
    )
    marked.offer(places, selected, key="sorted")


@cache.cached(32)
def _comparison_figure(
    mine: pd.DataFrame, theirs: pd.DataFrame, titles: tuple[str, str], tokens: theme.Tokens
) -> tuple[Figure, float, pd.DataFrame]:
    """Picture of two worklists, their correlation, and the data."""
    pairs = pd.DataFrame({"certainty_a": mine["certainty"], "certainty_b": theirs["certainty"]})
    table = pairs.dropna().reset_index()
    varies = len(table) > 1 and (np.ptp(table[list(pairs)].to_numpy(), axis=0) > 0).all()
    correlation = table["certainty_a"].corr(table["certainty_b"]) if varies else np.nan
    return certainty.comparison_chart(table, titles, tokens=tokens), correlation, table


def compare(
    study: Study, task: Task, aggregation: Aggregation, mine: pd.DataFrame, source: dict[str, str]
) -> Aggregation | None:
    """Draw two aggregation models against each other; return the other, None where there is none."""
    parts.head("Does another aggregation model agree?")
    others = [name for name in models_for(task) if name != aggregation.model]
    if not others:
        parts.note("Only one aggregation model suits this task.")
        return None
    current = state.view().against if state.view().against in others else others[0]
    st.selectbox(
        "Compared with",
        format_func=lambda name: MODELS[name].title,
        label_visibility="collapsed",
        **widgets.choice("against", current, others),
    )
    other = Aggregation(current, MODELS[current].default_reliability, tie_rule=aggregation.tie_rule)
    theirs = cache.worklist_at(study, task, other)
    # γ of the slider stands in the caption: a picture whose axis names change is built anew at every step.
    titles = (MODELS[aggregation.model].title, aggregation_title(other))
    figure, correlation, table = _comparison_figure(mine, theirs, titles, theme.tokens())
    selected = picture(
        figure,
        name="two-aggregations",
        alternative=f"Certainty of each case under {titles[0]} against {titles[1]}",
        caption=Caption(
            f"Each dot is a case, under {aggregation_title(aggregation)} and under {titles[1]}"
            + _points_in_words(len(table))
            + (f"; correlation {correlation:.2f}." if pd.notna(correlation) else ".")
            + " On the dashed line both are equally certain.",
            marked.HOW,
        ),
        table=table,
        provenance=source | {"compared with": titles[1]},
        selections=(certainty.BRUSH, certainty.CLICK),
    )
    marked.offer(table, selected, key="compared")
    return other


def _points_in_words(n_cases: int) -> str:
    """Say how many cases a chart of single cases shows."""
    if n_cases <= certainty.MOST_POINTS:
        return f" ({count(n_cases, 'case')})"
    return f" ({certainty.MOST_POINTS:,} of {n_cases:,} cases drawn, evenly chosen; the data hold all)"
