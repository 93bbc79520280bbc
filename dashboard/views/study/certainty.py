"""A part of Study: how certain the leading labels are, and what is at stake."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from core.analysis import overview
from core.analysis.cases.bars import PERHAPS_HIGH, certainty_bars, risk_bars
from core.analysis.cases.percent_ranges import SETTLED, within_percent
from core.analysis.cases.worklist import PLAUSIBLE
from core.analysis.formatting import percent
from core.analysis.models.by_reliability import UNSURE
from core.analysis.risk_words import WHO_SAYS
from core.study.model import Task
from dashboard.charts.study import counts
from dashboard.charts.study.certainty import certainty_histogram
from dashboard.components import text
from dashboard.components.picture import Caption, picture
from dashboard.components.text import element
from dashboard.shell import theme
from dashboard.views import parts
from dashboard.views.study import opening


def show(task: Task, table: pd.DataFrame, source: dict[str, str]) -> None:
    """Draw the part; ``table`` is the worklist."""
    parts.beside(partial(_certainty, table, source), partial(_stake, task, table, source))
    below = within_percent(table["certainty"].dropna(), 0, UNSURE).astype(float)
    if others := overview.range_for_others(below):
        parts.note(
            f"In other cases of this kind, {others} of the leading labels would be less than {UNSURE}\u00a0% "
            "certain (95\u00a0% interval)."
        )
    if task.has_risk:
        parts.risk_key("Risk of the leading label, as this study’s labels.csv gives it:")
        with st.expander(WHO_SAYS, key="risk-levels"):
            for words in overview.risk_levels_in_words(task):
                element("p", words)
            with st.container(key=f"{text.AT_SCREEN}-risk-levels"):
                parts.note(
                    "All labels, high risk first; search with the magnifier in the corner of the table."
                )
                st.dataframe(overview.risk_table(task), hide_index=True, height=320)


def _certainty(table: pd.DataFrame, source: dict[str, str]) -> None:
    """Draw the cases by the certainty of their leading label."""
    parts.head("How certain is the leading label?")
    opening.show(
        table,
        certainty_bars(table),
        partial(certainty_histogram, tokens=theme.tokens()),
        name="certainty",
        alternative="Histogram of the certainty of the leading label over cases",
        caption=Caption(
            "Cases by how often their leading label leads in the plausible truths. Grey, on the right: "
            f"{SETTLED}\u00a0% or more.",
            "A click on a bar opens its cases.",
        ),
        table=table[["certainty"]].round(6),
        provenance=source,
    )


def _stake(task: Task, table: pd.DataFrame, source: dict[str, str]) -> None:
    """Draw the cases by the risk of their leading label; of scores the scores, which have none."""
    if task.has_risk:
        parts.head("What is at stake?")
        risks = risk_bars(table)
        behind = int(risks.table.loc[risks.table["part"] == PERHAPS_HIGH, "cases"].sum())
        led = int((table["risk"] == "high").sum())
        same = (
            f"; these {behind:,} and the {led:,} of the lowest bar make up the {behind + led:,} cases named "
            "above that may be of high risk"
            if behind
            else ""
        )
        opening.show(
            table,
            risks,
            partial(counts.risk_chart, tokens=theme.tokens()),
            name="risk",
            alternative="Cases by the risk level of their leading label, certain and uncertain",
            caption="By the risk of the leading label. Full colour: the level (not the label) is at least "
            f"{SETTLED}\u00a0% certain. Pale: another level may be true. Pale red in the upper bars, "
            f"“perhaps high risk”: a high-risk label is plausible ({percent(PLAUSIBLE)} or more), but "
            f"another label leads{same}.",
            table=_risk_table(risks.table),
            provenance=source,
        )
    elif task.kind == "score":
        _scores(task, source)
    else:
        parts.head("What is at stake?")
        parts.note(
            "This study gives no risk levels. With a column risk in labels.csv (0 low, 1 medium, 2 high), "
            "this page and Cases show where a high-risk label is plausible."
        )


def _risk_table(bars: pd.DataFrame) -> pd.DataFrame:
    """Cases by risk level, a column for each part."""
    return bars.pivot_table("cases", "risk", "part", "sum", fill_value=0, sort=False).reset_index()


def _scores(task: Task, source: dict[str, str]) -> None:
    """Draw all scores with the threshold."""
    parts.head("Scores")
    picture(
        counts.score_histogram(task.readings.score, task.threshold, tokens=theme.tokens()),
        name="scores",
        alternative="Histogram of all scores",
        caption="All scores that the raters gave; the two labels are the sides of the threshold.",
        table=pd.DataFrame({"score": task.readings.score}),
        provenance=source,
    )
