"""Which field stands open beneath a case, and what is written in one of a note but not kept yet."""

from __future__ import annotations

import streamlit as st

from core.study.model import Study
from dashboard.shell import state, widgets

OPENED, DRAFTS = "loupe-review-opened", "loupe-review-drafts"
"""Where the session keeps both."""
_SEEN = "loupe-review-seen"
"""Where the session keeps at which visit of the page a case was last shown."""


def opened(case_id: str) -> str:
    """Which field stands open for the case."""
    at, what = st.session_state.get(OPENED, ("", ""))
    return what if at == case_id else ""


def toggle(what: str) -> None:
    """Open a field, or close it."""
    case_id = state.view().case
    is_open = opened(case_id) == what
    st.session_state[OPENED] = ("", "") if is_open else (case_id, what)


def close() -> None:
    """Close whichever field is open."""
    st.session_state.pop(OPENED, None)


def leave_reasons(case_id: str) -> None:
    """Close the reasons of a flag once their case or the page was left; a note waits for its end."""
    now, (at, what) = widgets.visits(), st.session_state.get(OPENED, ("", ""))
    was_left = now != st.session_state.get(_SEEN, now)
    st.session_state[_SEEN] = now
    if what == "flag" and (at != case_id or was_left):
        close()


def draft_again(study: Study, case_id: str, words: str) -> None:
    """Put a note that is not kept back into its field."""
    st.session_state.setdefault(DRAFTS, {})[study.fingerprint, case_id] = words
