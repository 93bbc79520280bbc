"""What is left on a page of another study is not seen while this one is worked out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from dashboard.shell import state

_DRAWN = "study-drawn"
_SHOWN = (
    '<i class="loupe-veil" aria-hidden="true"></i>'
    "<style>.stElementContainer:has(.loupe-veil) { position: absolute; }</style>"
)
"""Styles alone would be kept one after the other; beside an element, without room, they are replaced."""
_HIDDEN = f"{_SHOWN}<style>.stMain [data-stale=true] {{ visibility: hidden; }}</style>"


@contextmanager
def of_other_study() -> Iterator[None]:
    """Hide what the last run drew, where that was of another study or task; all is seen again at the end.

    Streamlit leaves it in its place, only paler, beneath the name of the study that has been chosen since.
    """
    now = (state.view().study, state.view().task)
    is_other = st.session_state.get(_DRAWN, now) != now
    place = st.empty()
    place.html(_HIDDEN if is_other else _SHOWN)
    try:
        yield
        st.session_state[_DRAWN] = (state.view().study, state.view().task)
    finally:
        place.html(_SHOWN)
