"""What a round changed: certainty, leading labels and the order of models, without its readings and with."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from core.analysis.cases.percent_ranges import of_hundreds
from core.analysis.formatting import percent
from core.analysis.round_changes import RoundChanges, round_changes
from core.analysis.round_words import MODEL_HEADS, error_words, model_rows
from core.plausibility.settings import Aggregation
from core.progress import Progress
from core.reviews.rounds import Round
from core.study.model import Study
from dashboard.components import text
from dashboard.components.case_list import Column, case_list
from dashboard.components.picture import data_button
from dashboard.components.text import count
from dashboard.shell import cache, reviews, state
from dashboard.shell.author import author
from dashboard.views import parts

MOST_CASES = 100
"""That are listed; the download has all."""
_HEIGHT = 420


def show(study: Study, task_name: str, of: Round) -> None:
    """Compare the study as published with the study and the readings of the round."""
    if not of.readings:
        parts.note("Nobody has read a case of this round yet, so nothing has changed.")
        return
    if of.is_blind_for(author() or ""):
        parts.note("You have still to read some of this round blind: what it changed is shown when you have.")
        return
    try:
        after = reviews.applied(study, (of.name,), ())
    except (ValueError, RuntimeError) as error:
        parts.warning(f"The round cannot be counted: {error}.")
        return
    job = _compare(study, after, task_name, state.aggregation())
    found = parts.result_of(job, what="Aggregating the readings before and after", key="round-changes")
    if found is None:
        return
    for problem in after.notes[len(study.notes) :]:
        parts.warning(f"{problem.what}. {problem.mend}")
    for number, sentence in enumerate(found.sentences):
        text.element("p", sentence, role="sentence" if number < 2 else "p")
    counts = of.name in state.view().counted
    st.button(
        "Let it count no more, on all pages" if counts else "Let its readings count, on all pages",
        key="round-counts",
        on_click=count_round,
        args=(of.name, counts),
    )
    source = dict(found.settings) | {"round": of.name}
    _cases(found.tables["cases"], source)
    if "models" in found.tables:
        _models(found.tables["models"], source, len(found.tables["cases"]))


@cache.background
def _compare(
    progress: Progress, before: Study, after: Study, task_name: str, aggregation: Aggregation
) -> RoundChanges:
    """Compare the two studies."""
    progress(0.0, "Both studies")
    return round_changes(before, after, task_name, aggregation)


def count_round(name: str, counts: bool) -> None:
    """Let the readings of a round count from now on, or no more."""
    now = state.view().counted
    state.change(counted=tuple(one for one in now if one != name) if counts else (*now, name))
    st.rerun()  # The sidebar says so too, and is no part of what is drawn anew here.


def _cases(table: pd.DataFrame, source: dict[str, str]) -> None:
    """List the cases that moved most."""
    parts.head("Cases that moved most")
    danger = []
    if "high_risk_before" in table:
        both = (of_hundreds(table[f"high_risk_{when}"]) for when in ("before", "after"))
        danger = list(zip(*both, strict=True))
    rows = [
        [
            str(row.case_id),
            f"{_percent(row.certainty_before)} → {_percent(row.certainty_after)}",
            *[f"{of[0] or '–'} → {of[1] or '–'}" for of in danger[place : place + 1]],
            str(row.leading_before) or "nothing read",
            str(row.leading_after),
            f"{row.readings_before} + {row.further_readings}",
        ]
        for place, row in enumerate(table.head(MOST_CASES).itertuples(index=False))
    ]
    opened = case_list(
        [
            Column("Case"),
            Column("Certainty", is_number=True, help="Of the leading label, before and with the round"),
            *[
                Column(
                    "Danger",
                    is_number=True,
                    help="In how many of 100 plausible truths danger leads, before and with the round",
                )
            ]
            * bool(danger),
            Column("Led before", is_wide=True),
            Column("Leads now", is_wide=True),
            Column("Readings", is_number=True, help="The study's own, and those of the round"),
        ],
        rows,
        name="Cases that moved most",
        key="round-cases",
        height=_HEIGHT,
    )
    with st.container(horizontal=True, wrap=False, vertical_alignment="center"):
        parts.note(
            f"{count(len(rows), 'case')} of {len(table):,} read again, those whose plausibilities moved most "
            "first. Click a row to open it in Cases."
        )
        data_button(name="round-cases", table=table, provenance=source)
    if opened is not None:
        state.choose_case(opened)
        state.open_page("cases")


def _models(table: pd.DataFrame, source: dict[str, str], n_read: int) -> None:
    """List how each model is judged before and after."""
    with st.expander("For researchers: how each model is judged before and after"):
        text.table(MODEL_HEADS, model_rows(table), name="Models before and after", scrolls=True)
        parts.note(error_words(n_read))
        data_button(name="round-models", table=table, provenance=source)


def _percent(share: Any) -> str:
    return "–" if share != share else percent(share)
