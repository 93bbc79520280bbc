"""*Undo* at a case: what was said last goes, and a flag that was taken off is given again."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import streamlit as st

from core.reviews.event import Event
from core.reviews.flags import UNSPECIFIC
from core.reviews.state import CaseReview
from core.study.model import Study
from dashboard.shell import state, waiting
from dashboard.shell.author import author
from dashboard.shell.waiting import Waiting
from dashboard.views import parts
from dashboard.views.cases import review_fields
from dashboard.views.cases.history import words_of

_DONE = "loupe-review-taken-back"
"""Where the session keeps of which case something was undone last, and what, in words."""
_OFF = "loupe-review-taken-off"
"""Where the session keeps by case which reasons of its flag were taken off last, if nothing came since."""


def button(study: Study, review: CaseReview, held: Sequence[Waiting], write: Any) -> None:
    """Draw the button, which names what it undoes: what waits for a name, and then what was done last."""
    undone = review.last_said_by(author() or "")
    last, about = "" if undone is None else _kind_of(undone), None
    undo: Any = partial(_undo, study, write, undone, review)
    off = _taken_off().get((study.fingerprint, state.view().case), ())
    if held:
        last, undo = held[-1].kind, partial(_undo_waiting, held[-1])
    elif off:
        what = "reason" if review.flags else "flag"
        last, about = f"{what} off", f"Gives again: {'; '.join(off)[:80]}"
        undo = partial(_undo_taken_off, study, write, off, what)
    elif undone is not None:
        about = f"Takes back: {words_of(undone)[:80]}"
    st.button(
        f"Undo {last}".rstrip(),
        key="review-undo",
        type="tertiary",
        disabled=not last,
        help=about,
        on_click=undo,
    )


def said(study: Study, case_id: str) -> None:
    """Say what *Undo* did, until something else is said or another case is opened."""
    *of, what = st.session_state.get(_DONE, ("", "", ""))
    if of == [study.fingerprint, case_id]:
        parts.note(f"{what.capitalize()}.")
    else:
        st.session_state.pop(_DONE, None)


def forget(study: Study, case_id: str) -> None:
    """Something else is said of the case: what was undone is no news any more, nor what was taken off."""
    st.session_state.pop(_DONE, None)
    _taken_off().pop((study.fingerprint, case_id), None)


def keep_taken_off(study: Study, case_id: str, reasons: Sequence[str]) -> None:
    """Remember what was taken off: a withdrawal is nothing that the history could take back."""
    _taken_off()[study.fingerprint, case_id] = tuple(reasons)


def _undo(study: Study, write: Any, event: Event | None, review: CaseReview) -> None:
    """Take back what was said last, and say so; with the flag goes the question for its reasons.

    A case whose only reason is taken back is flagged still, as it was before the reason was given.
    """
    if event is None or not write("withdrawal", "", event):
        return
    was_last = event.kind == "flag" and all(flag.id == event.id for flag in review.flags.values())
    if was_last and event.said != UNSPECIFIC:
        write("flag", UNSPECIFIC)
    elif was_last and review_fields.opened(state.view().case) == "flag":
        review_fields.close()
    if event.kind == "note" and event.answers is None:
        # Words are never lost by a press too many: they stand in their field again.
        review_fields.draft_again(study, event.subject.case_id, event.said)
        st.session_state[review_fields.OPENED] = (event.subject.case_id, "note")
    _say_done(study, event.subject.case_id, f"{_kind_of(event)} taken back")


def _taken_off() -> dict[tuple[str, str], tuple[str, ...]]:
    """By study and case, the reasons that were taken off last."""
    kept: dict[tuple[str, str], tuple[str, ...]] = st.session_state.setdefault(_OFF, {})
    return kept


def _undo_taken_off(study: Study, write: Any, reasons: Sequence[str], what: str) -> None:
    """Give again what was taken off, and say so."""
    if all(write("flag", reason) for reason in reasons):
        _say_done(study, state.view().case, f"{what} given again")


def _say_done(study: Study, case_id: str, what: str) -> None:
    """Keep what *Undo* did, to be said of the case."""
    st.session_state[_DONE] = study.fingerprint, case_id, what


def _undo_waiting(one: Waiting) -> None:
    """Take back what waits for a name, and say so; the words of a note stand in their field again."""
    waiting.drop(one)
    if one.kind == "note":
        review_fields.draft_again(one.study, one.case_id, str(one.content["text"]))
        st.session_state[review_fields.OPENED] = (one.case_id, "note")
    _say_done(one.study, one.case_id, f"{one.kind} taken back")


def _kind_of(event: Event) -> str:
    """What is taken back: of a flag, whether it is one of its reasons."""
    return "reason" if event.kind == "flag" and event.said != UNSPECIFIC else event.kind
