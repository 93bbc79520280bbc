"""Who writes: known at this computer or asked once; where several write, every visit is asked."""

from __future__ import annotations

import streamlit as st

from core.reviews.author import known_author, remember_author

_AUTHOR = "loupe-author"
_names: set[str] = set()
"""Of those who have said so since the server began."""


def author() -> str | None:
    """Whoever has said so in this visit, else the one known on this computer.

    Where several have written since the server began, nobody signs with another's name unasked.
    """
    given: str | None = st.session_state.get(_AUTHOR)
    if given is not None:
        return given
    return None if len(_names) > 1 else known_author()


def stay(name: str) -> None:
    """Go on under the name under which this visit has just written, whoever else comes to write."""
    st.session_state.setdefault(_AUTHOR, name)


def sign(name: str) -> None:
    """Write under a name in this visit, and remember it for the next."""
    st.session_state[_AUTHOR] = name
    _names.update(filter(None, (known_author(), name)))
    remember_author(name)
