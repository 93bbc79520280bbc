"""What is in force for a case elsewhere: a round in which it is still to be read, and other tasks."""

from __future__ import annotations

import streamlit as st

from core.reviews.event import STATUSES
from core.reviews.journal import Journal
from core.study.model import Study, Task
from dashboard.components import text
from dashboard.shell import state
from dashboard.shell.author import author
from dashboard.views import parts


def blind_still(journal: Journal, case_id: str) -> None:
    """Warn whoever has still to read the case blind: this page shows what would give it away."""
    name = author() or ""
    waits = [one.name for one in journal.rounds().values() if name and one.is_blind_to(name, case_id)]
    if waits:
        with st.container(horizontal=True, vertical_alignment="center"):
            parts.warning(
                f"You still have to read this case blind, in round “{waits[0]}”, and this page shows what "
                "others read."
            )
            st.button(
                "Read it there",
                key="review-read-there",
                on_click=state.lead_to,
                args=("review",),
                kwargs={"round": waits[0], "round_part": "", "round_case": case_id},
            )


def other_tasks(study: Study, task: Task, journal: Journal, case_id: str) -> None:
    """Say what is in force for the case in other tasks, which have a state of their own."""
    said = []
    for name in study.tasks:
        review = journal.review(name, case_id)
        words = [STATUSES[review.status]] if review.status != next(iter(STATUSES)) else []
        words += [f"flagged: {', '.join(review.flags)}"] if review.flags else []
        words += [text.count(len(review.notes), "note")] if review.notes else []
        if words and name != task.name:
            said.append(f"{name}: {', '.join(words)}")
    if said:
        parts.note(f"In other tasks: {'; '.join(said)}.")
