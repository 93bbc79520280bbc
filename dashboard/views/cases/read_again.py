"""What rounds of reading say of the case that is open: who read it again, and what becomes of it by that."""

from __future__ import annotations

import streamlit as st

from core.analysis.cases.what_if import MOST_ADDED, WhatIf
from core.reviews.journal import Journal
from core.reviews.rounds import Round
from core.study.model import Study, Task
from dashboard.shell import state
from dashboard.shell.author import author
from dashboard.views import parts
from dashboard.views.cases.tables import effect_words
from dashboard.views.review.changes import count_round
from dashboard.views.review.said import as_reading, said_words

_GIVEN = "If it counts,"
"""Begins what a round would change."""


def show(study: Study, task: Task, index: int, journal: Journal) -> None:
    """Say of each round what its readers read in the case, what that changes, and let it count or not.

    Whoever has still to read the round blind is told nothing of it.
    """
    case_id, name = study.case_ids[index], author() or ""
    rounds = [
        of
        for of in journal.rounds().values()
        if of.task == task.name and case_id in of.readings and not of.is_blind_for(name)
    ]
    for place, of in enumerate(rounds):
        counts = of.name in state.view().counted
        with st.container(
            key=f"read-again-{place}", horizontal=True, vertical_alignment="center", gap="small"
        ):
            parts.note(f"{_read(task, of, case_id)} {_effect(study, task, index, of, counts=counts)}".strip())
            st.button(
                "Count it no more" if counts else "Count it",
                key=f"anchor-count-{place}",
                type="tertiary",
                help=f"All readings of round “{of.name}”, on all pages; so does What counts, in the sidebar",
                on_click=count_round,
                args=(of.name, counts),
            )


def _read(task: Task, of: Round, case_id: str) -> str:
    """Say who read the case in a round, and what."""
    said = [f"{who}: {said_words(task, one.content)}" for who, one in of.readings[case_id].items()]
    return f"Read again. {'. '.join(said)}."


def _effect(study: Study, task: Task, index: int, of: Round, *, counts: bool) -> str:
    """Say what the readings of a round change in the case, unless that cannot be told apart."""
    if counts:
        return "That counts."
    added = [as_reading(task, one.content) for one in of.readings[study.case_ids[index]].values()]
    readings = tuple(one for one in added if one is not None)
    if state.view().counted or len(readings) < len(added) or len(added) > MOST_ADDED:
        return ""
    return effect_words(study, task, state.aggregation(), index, WhatIf(added=readings), _GIVEN)
