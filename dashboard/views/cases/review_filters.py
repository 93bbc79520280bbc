"""Filters of the worklist by what was decided about its cases."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.analysis.cases.reviewed import asked_for
from core.analysis.cases.select import Filters
from core.reviews.event import STATUSES, status_words
from core.reviews.flags import flags_of
from core.reviews.state import review_of
from core.study.model import Study
from dashboard.shell import reviews, state, widgets


def choose(study: Study, task: str) -> None:
    """Draw the filters."""
    now = state.view()
    written = reviews.listing(study, task).reviews
    # All in sight, and quicker to answer than a list that unfolds: four there will always be.
    st.pills(
        "Status",
        selection_mode="multi",
        format_func=status_words,
        **widgets.choices("status", list(now.status), list(STATUSES)),
    )
    used = [reason for review in written.values() for reason in review.flags]
    reasons = list(dict.fromkeys((*flags_of(study, review_of(())), *used, *now.flag)))
    st.multiselect("Flagged because", **widgets.choices("flag", list(now.flag), reasons))
    people = {event.author for review in written.values() for event in review.history}
    if people or now.reviewer:
        st.multiselect(
            "Who wrote something",
            **widgets.choices("reviewer", list(now.reviewer), sorted({*people, *now.reviewer})),
        )
    st.checkbox("Something written since the last visit", **widgets.bind("changed", now.changed))


def passing(study: Study, task: str, rows: pd.DataFrame) -> pd.DataFrame:
    """Rows about which was decided what the filters ask for."""
    now = state.filters()
    if not (now.status or now.flag or now.reviewer or now.changed):
        return rows
    written = reviews.listing(study, task).reviews
    return rows[asked_for(rows, now, written, seen=reviews.seen_before(study))]


def active(now: Filters) -> list[str]:
    """Name each of these filters that is on, in a few words."""
    words = []
    if now.status:
        words.append(" or ".join(map(status_words, now.status)))
    if now.flag:
        words.append(f"flagged: {' or '.join(now.flag)}")
    if now.reviewer:
        words.append(f"{' or '.join(now.reviewer)} wrote something")
    if now.changed:
        words.append("something written since the last visit")
    return words
