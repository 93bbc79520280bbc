"""Who writes: known at this computer or asked once, and another in another visit if need be."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from core.reviews.event import LONGEST_NAME, author_name
from dashboard.components import focus
from dashboard.components.text import unmarked
from dashboard.shell import waiting
from dashboard.shell.author import sign
from dashboard.views import parts

_FAULT = "loupe-author-fault"
_FIELD = "review-author"
NAMELESS = "Give a name first, such as your initials: it stands beside what you write."
TOO_LONG = f"This name is too long: at most {LONGEST_NAME} characters."
MOST_KNOWN = 8
"""Names that are offered."""


def name_field(go_on: Callable[[], None], *, known: Sequence[str] = ()) -> None:
    """Ask who writes, write what waited for the name, and go on.

    Who is ``known`` is offered, and is spelt so however it is typed.
    """

    def take(given: str = "") -> None:
        try:
            name = author_name(typed := given or str(st.session_state.get(_FIELD, "")))
        except ValueError:
            st.session_state[_FAULT] = fault_in_words(typed)
            return
        name = next((one for one in known if one.casefold() == name.casefold()), name)
        sign(name)
        waiting.write(name)
        go_on()

    waits = waiting.words()
    with st.container(key="writer", gap="xxsmall"):
        if waits:
            parts.unsaved(waits)
        _ask(take, known, "Save" if waits else "Go on")
    focus.into_field(_FIELD)
    fault = st.session_state.pop(_FAULT, "")
    if fault:
        parts.warning(fault)


def fault_in_words(typed: str) -> str:
    """Say to whoever typed it why it is no name."""
    return TOO_LONG if len(typed.strip()) > LONGEST_NAME else NAMELESS


def _ask(take: Callable[..., None], known: Sequence[str], go_on: str) -> None:
    """Names to press, and a field for another."""
    if 0 < len(known) <= MOST_KNOWN:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            parts.note("Who are you?")
            for place, one in enumerate(known):
                st.button(unmarked(one), key=f"review-known-{place}", on_click=take, args=(one,))

    with (
        st.form("review-author-form", border=False),
        st.container(horizontal=True, wrap=False, vertical_alignment="bottom", gap="small"),
    ):
        st.text_input(
            "Your name, kept on this computer: it stands beside what you write",
            label_visibility="collapsed",
            placeholder="Your name, kept on this computer",
            key=_FIELD,
            max_chars=LONGEST_NAME,
            width="stretch",
        )
        st.form_submit_button(go_on, on_click=take)
