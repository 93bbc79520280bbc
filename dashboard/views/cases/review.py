"""What should be done about a case: its status, flags, notes, and all that was ever written of it."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from core.analysis.cases.reviewed import signed_flags_of
from core.reviews.event import (
    SAYS,
    STATUSES,
    Event,
    Kind,
    local_time,
    subject_of,
)
from core.reviews.flags import UNSPECIFIC, flags_of
from core.reviews.state import CaseReview
from core.reviews.store import StoreError
from core.study.model import Study, Task
from dashboard.components import focus, text
from dashboard.shell import reviews, state, waiting, widgets
from dashboard.shell.author import author
from dashboard.shell.waiting import Waiting
from dashboard.views import parts
from dashboard.views.cases import elsewhere, flag_reasons, history, read_again, review_fields, review_undo
from dashboard.views.cases.history import MOST_SHOWN, words_of
from dashboard.views.review import make
from dashboard.views.writer import name_field

FLAG, NOTE = "alt+f", "alt+m"
KEYS = (("Alt+F", "flag the case"), ("Alt+R", "to re-read"), ("Alt+M", "write a note"))
"""Keys of this panel, as the buttons show them."""
_FAULT = "loupe-review-fault"
_WHY = "loupe-review-why"
"""Where the session keeps which cases were flagged before there was a name: their reasons are asked for."""
_AGAIN = "re-read"
_NOTE = "Note: plain text, kept with your name and the time"
_ASKED = {
    "settled": "What settled it, such as a result of histology (optional)",
    "awaited": "Which result is awaited (optional)",
}
"""What a note is asked to say of a case whose status was set to this."""
_SHORT = 12
"""Characters of a fingerprint that tell one study from another."""
_PAINT = 0.15
"""Seconds in which the browser shows what was written, before it gets the whole page to draw anew."""


@st.fragment
def show(study: Study, task: Task, index: int, listed: int) -> None:
    """Draw what is in force for a case, and the ways to change it.

    Parameters
    ----------
    study : Study
    task : Task
    index : int
        Position of the case.
    listed : int
        Number of the last event that the worklist knows; with later ones the page is drawn once more.
    """
    case_id = study.case_ids[index]
    try:
        journal = reviews.journal(study)
    except (StoreError, RuntimeError) as error:
        parts.warning(f"Nothing can be written down about cases at the moment: {error}.")
        return
    last = journal.last
    review = journal.review(task.name, case_id)
    elsewhere.blind_still(journal, case_id)
    write = partial(_write, study, task, case_id)
    held = waiting.of_case(study, task, case_id)
    _buttons(study, review, held, write, partial(have_read_again, study, task, case_id))
    _refused()
    review_fields.leave_reasons(case_id)
    _ask_why(case_id, review)
    # Places of their own: what is said or asked in one makes nothing in the others anew.
    with st.container(key="review-read-again"):
        read_again.show(study, task, index, journal)
    with st.container(key="review-said", horizontal=True, vertical_alignment="center", gap="small"):
        review_undo.said(study, case_id)
        if review.flags:
            parts.note(f"Flagged: {signed_flags_of(review)}")
        if review.status == _AGAIN:
            st.button(
                "Have it read on Review",
                key="anchor-reread",
                type="tertiary",
                help="Review makes a round of the cases that are to be re-read",
                on_click=make.begin,
            )
        if review.history:
            history.show(study, task, index, journal)
    with st.container():
        if review_fields.opened(case_id) == "flag":
            off = partial(review_undo.keep_taken_off, study, case_id)
            flag_reasons.show(flags_of(study, review), review, held, write, review_fields.close, off)
        elif review_fields.opened(case_id).startswith("note"):
            changed = [one for one in review.notes if review_fields.opened(case_id) == _of_note(one)]
            asked = _NOTE if changed else _ASKED.get(review.status, _NOTE)
            _note_field(study, case_id, write, next(iter(changed), None), asked)
    with st.container():
        if review_fields.opened(case_id) == "name" or waiting.words():
            name_field(partial(_name_given, waiting.flagged(study, task)))
    fault = st.session_state.pop(_FAULT, "")
    if fault:
        parts.warning(f"This was not kept: {fault}")
    _in_force(review, held)
    elsewhere.other_tasks(study, task, journal, case_id)
    if last != listed:
        time.sleep(_PAINT)
        st.rerun()


def _buttons(study: Study, review: CaseReview, held: Sequence[Waiting], write: Any, again: Any) -> None:
    """One row: the status, what can be said with a key, and the way back.

    A case is called flagged once that is kept: a flag that waits for a name is not saved, as its button says.
    """
    is_flagged = bool(review.flags)
    flag = "Flag, not saved" if _said(held, "flag") else "Flagged" if is_flagged else "Flag"
    status = [review.status, *_said(held, "status")][-1]
    with st.container(key="review-row", horizontal=True, vertical_alignment="center", gap="small"):
        st.selectbox(
            "Status of the case",
            label_visibility="collapsed",
            width=150,
            **widgets.choice(
                "review-status",
                status,
                list(STATUSES),
                words=lambda status: "Status: none" if status == "open" else STATUSES[status].capitalize(),
                take=partial(_decide, write),
            ),
        )
        for words, key, shortcut, act, given in (
            (flag, "flag", FLAG, _flag, (is_flagged, write)),
            ("Re-read :gray[Alt + R]", "re-read", None, again, ()),
            ("Note", "note", NOTE, review_fields.toggle, ("note",)),
        ):
            st.button(
                words,
                key=f"review-{key}",
                type="primary" if key == "flag" and is_flagged else "secondary",
                shortcut=shortcut,
                on_click=act,
                args=given,
            )
        review_undo.button(study, review, held, write)
        if author():
            st.button(
                f"Name: {text.unmarked(author() or '')}",
                key="review-another-name",
                type="tertiary",
                help="Stands beside what you write, kept on this computer; press to write under another name",
                on_click=review_fields.toggle,
                args=("name",),
            )


def have_read_again(study: Study, task: Task, case_id: str) -> None:
    """Have a case read again, if it is not to be already."""
    try:
        journal = reviews.journal(study)
    except (StoreError, RuntimeError) as error:
        st.session_state[_FAULT] = str(error)
        return
    if journal.review(task.name, case_id).status != _AGAIN:
        _write(study, task, case_id, "status", _AGAIN)


def _decide(write: Any, status: str) -> None:
    """Keep the status, and open the field of a note where one would say what it goes by."""
    if write("status", status) and status in _ASKED and author() is not None:
        st.session_state[review_fields.OPENED] = (state.view().case, "note")


def _flag(is_flagged: bool, write: Any) -> None:
    """Flag the case at once, if it is not yet; why can be said then, in the row of reasons.

    Where nobody knows yet who says it, that is asked first, and alone.
    """
    if is_flagged:
        review_fields.toggle("flag")
        return
    write("flag", UNSPECIFIC)
    if author() is None:
        review_fields.close()
    else:
        st.session_state[review_fields.OPENED] = (state.view().case, "flag")


def _note_field(study: Study, case_id: str, write: Any, changed: Event | None, label: str) -> None:
    """Field for a note, a new one or one that is changed; what could not be kept stays in it."""
    name = case_id if changed is None else f"{case_id}-{changed.id}"
    key, draft = f"review-note-{study.fingerprint[:_SHORT]}-{name}", (study.fingerprint, name)
    drafts: dict[tuple[str, str], str] = st.session_state.setdefault(review_fields.DRAFTS, {})

    def hold() -> None:
        drafts[draft] = str(st.session_state.get(key, ""))

    def keep() -> None:
        hold()
        if drafts[draft].strip() and write("note", drafts[draft], changed):
            drafts.pop(draft, None)
            review_fields.close()

    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        # Outside of a form: what is written is held when the field is left, by whatever way.
        st.text_area(
            label,
            value=drafts.get(draft, "" if changed is None else changed.said),
            key=key,
            height=76,
            on_change=hold,
            label_visibility="collapsed",
            placeholder=label,
        )
        st.button("Keep the note", key="review-keep-note", on_click=keep, shortcut="ctrl+enter")
    focus.into_field("review-note")


def _name_given(flagged: Sequence[str]) -> None:
    """What waited is written; of cases that were ``flagged`` without a reason it is asked why."""
    if review_fields.opened(state.view().case) == "name":
        review_fields.close()
    st.session_state.setdefault(_WHY, set()).update(flagged)


def _ask_why(case_id: str, review: CaseReview) -> None:
    """Open the reasons of a case that was flagged before there was a name; another field comes first."""
    asked: set[str] = st.session_state.get(_WHY, set())
    if case_id in asked and UNSPECIFIC in review.flags and not review_fields.opened(case_id):
        asked.discard(case_id)
        st.session_state[review_fields.OPENED] = (case_id, "flag")


def _refused() -> None:
    """Keep what could not be written as drafts, and say why."""
    for one, fault in waiting.refused():
        st.session_state[_FAULT] = fault
        if one.kind == "note":
            review_fields.draft_again(one.study, one.case_id, str(one.content["text"]))


def _in_force(review: CaseReview, held: Sequence[Waiting]) -> None:
    """Say which notes are in force, what waits for a name, and what was said of other readings."""
    for note in _said(held, "note"):
        text.quoted(note, by="waits for your name", most=MOST_SHOWN)
    name = author()
    for event in review.notes:
        with st.container(key=f"review-noted-{event.id}", horizontal=True, wrap=False, gap="small"):
            text.quoted(event.said, by=f"{event.author}, {local_time(event)}", most=MOST_SHOWN)
            if event.author == name:
                st.button(
                    "Change the note",
                    key=f"review-change-{event.id}",
                    type="tertiary",
                    on_click=review_fields.toggle,
                    args=(_of_note(event),),
                )
    if review.outdated:
        said = "; ".join(words_of(event)[:80] for event in review.outdated)
        parts.warning(f"Said when the case had other readings than now: {said}.")


def _of_note(event: Event) -> str:
    """Name of the field in which a note is changed."""
    return f"note {event.id}"


def _write(
    study: Study, task: Task, case_id: str, kind: Kind, said: str, answers: Event | None = None
) -> bool:
    """Keep what is said, or ask first who says it; whether it is kept, or waits for the name."""
    review_undo.forget(study, case_id)
    name = author()
    content: Mapping[str, Any] = {SAYS[kind]: said} if kind in SAYS else {}
    if name is None:
        taken_back = None if answers is None else answers.id
        waiting.wait(Waiting(study, task, case_id, kind, content, taken_back))
        return True
    try:
        subject = subject_of(study, task, case_id)
        event = Event(subject, name, kind, content, answers=None if answers is None else answers.id)
        reviews.write(study, event)
    except (ValueError, RuntimeError) as error:
        st.session_state[_FAULT] = str(error)
        return False
    return True


def _said(held: Sequence[Waiting], kind: Kind) -> list[str]:
    """What waits of one kind, as it was said."""
    return [str(one.content[SAYS[kind]]) for one in held if one.kind == kind]
