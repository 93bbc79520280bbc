"""Which part of a long page is shown: one at a time, or all below one another."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from dashboard.components.picture import KEPT
from dashboard.shell import state, widgets
from dashboard.shell.view import ALL_PARTS


def choose(field: str, parts: Mapping[str, str], title: str) -> str:
    """Offer parts of a page, and return the one to draw; what is not shown is not drawn at all.

    Parameters
    ----------
    field : str
        Of the view, where the choice is kept; empty there is the first part.
    parts : mapping of str to str
        The parts that there are, with their names; the first is shown unasked, and in place of one that is
        asked for and that there is not.
    title : str
        What is chosen, for those who hear it.

    Returns
    -------
    str
        `dashboard.shell.view.ALL_PARTS` where pictures of the page are kept, whatever is chosen.
    """
    if KEPT in st.session_state:
        return ALL_PARTS
    first, asked = next(iter(parts)), getattr(state.view(), field)
    now = asked if asked in parts else first

    def take(said: str | None) -> None:
        state.change(**{field: "" if said in (None, first) else said})

    with st.container(key=f"parts-of-{field.removesuffix('_part')}"):
        st.segmented_control(
            title,
            label_visibility="collapsed",
            required=True,
            # Another study has other parts, or other names for them.
            **widgets.choices(field, now, tuple(parts), words=parts.__getitem__, take=take),
        )
    return now
