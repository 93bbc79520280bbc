"""What somebody tried on the readings of a case, kept for the session while other cases are open."""

from __future__ import annotations

import streamlit as st

from dashboard.shell.view import View

_TRIED = "loupe-tried"


def leave(now: View, then: View) -> str:
    """Keep what is tried on the case that is open now; what was tried before on the one that is open then.

    On the way through a list a case is left without a word; only who takes it back loses what was tried.
    """
    tried: dict[tuple[str, str, str], str] = st.session_state.setdefault(_TRIED, {})
    tried[which(now)] = now.what_if
    return tried.get(which(then), "")


def which(now: View) -> tuple[str, str, str]:
    """Say which case is open: its study, task and id."""
    return now.study, now.task, now.case
