"""All that was ever written of a case."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import streamlit as st

from core.reviews.acts import Act, acts_of
from core.reviews.event import SAYS, Event, local_time, readings_hash, status_words
from core.reviews.journal import Journal
from core.reviews.rounds import reader_name
from core.reviews.state import CaseReview
from core.reviews.table import history_table
from core.study.model import Study, Task
from dashboard.components import text
from dashboard.components.picture import data_button
from dashboard.shell.author import author
from dashboard.views import parts

MOST_SHOWN = 600
"""Characters of a note that are shown at once."""


def show(study: Study, task: Task, index: int, journal: Journal) -> None:
    """List, folded, everything that was written of a case in a task, taken back or not."""
    review, hidden = _open_to(author() or "", journal, task, study.case_ids[index])
    acts = acts_of(review.history)
    panel = st.expander(
        f"History: {text.count(len(acts), 'entry', 'entries')}",
        key="review-history",
        on_change="rerun",
    )
    if not panel.open:
        return
    with panel:
        now = readings_hash(study, task, index)
        written = {event.id: event for event in review.history}
        rows = [
            [
                local_time(act.event),
                act.event.author,
                _words_of_act(act, written)[:MOST_SHOWN] + _marks(act.event, review, now),
            ]
            for act in reversed(acts)
        ]
        text.table(["When", "Who", "What"], rows, name="History of the case")
        if hidden:
            entries = text.count(hidden, "entry", "entries")
            parts.note(f"{entries} of a blind round: shown when you have read all of it.")
        data_button(
            name="history",
            table=history_table(journal.events, study, only=lambda event: event.id in written),
            provenance={"study": study.name, "case": study.case_ids[index]},
        )


def _words_of_act(act: Act, written: Mapping[str, Event]) -> str:
    """Say in words what somebody did; of a flag that has another reason than before, which it was."""
    if act.event.kind != "flag":
        return words_of(act.event, written)
    before = f" (before: {act.replaced})" if act.replaced else ""
    return f"Flagged: {act.event.said}{before}"


def _marks(event: Event, review: CaseReview, now: str) -> str:
    """What else is to be known of an event."""
    taken_back = " (taken back)" if event.id in review.withdrawn else ""
    return taken_back + (" (the case had other readings then)" if event.subject.readings != now else "")


def _open_to(name: str, journal: Journal, task: Task, case_id: str) -> tuple[CaseReview, int]:
    """What somebody may see of a history: no one else's reading of a round that is still to be read blind.

    Returns
    -------
    review : CaseReview
        With what may be seen.
    hidden : int
        How many readings and outcomes may not.
    """
    review = journal.review(task.name, case_id)
    blind = {one.id for one in journal.rounds().values() if one.is_blind_for(name)}
    own = reader_name(name)
    seen = tuple(
        one
        for one in review.history
        if one.kind in SAYS or one.answers not in blind or reader_name(one.author) == own
    )
    return replace(review, history=seen), len(review.history) - len(seen)


def words_of(event: Event, written: Mapping[str, Event] | None = None) -> str:
    """Say in words what was said; of what took something back, what, if it is among the ``written``."""
    match event.kind:
        case "note":
            return f"Note: {event.said}"
        case "flag":
            return f"Flag: {event.said}"
        case "status":
            return f"Status: {status_words(event.said)}"
        case "withdrawal":
            before = (written or {}).get(event.answers or "")
            return "Took back what was said before" if before is None else f"Took back: {words_of(before)}"
        case _:
            return f"{event.kind.capitalize()}: {_labels_of(event) or event.said}"


def _labels_of(event: Event) -> str:
    """What a reading or an outcome puts where, for people; empty where it is none, or one of another kind."""
    blocks = event.content.get("blocks", ())
    said = [" and ".join(block) + ", tied" * (len(block) > 1) for block in blocks]
    return said[0] if len(said) == 1 else "; ".join(f"{place}. {one}" for place, one in enumerate(said, 1))
