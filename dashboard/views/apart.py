"""What was written about another study of the same name: said once, and taken over if it is this one."""

from __future__ import annotations

import streamlit as st

from core.reviews.event import StoreError
from core.reviews.fit import adoptions
from core.study.model import Study
from dashboard.components.text import count
from dashboard.shell import reviews
from dashboard.shell.author import author
from dashboard.views import parts

_FAULT = "loupe-adoption-fault"


def say(study: Study) -> None:
    """Say how much is set apart, and offer to take it over; ``study`` is as published."""
    try:
        n = sum(reviews.journal(study).apart.values())
    except (StoreError, RuntimeError):
        return
    if not n:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="set-apart"):
        parts.note(
            f"{count(n, 'entry', 'entries')} about a study of this name, whose cases all had other readings, "
            "count for nothing here."
        )
        if author() is not None:
            st.button(
                "They are about this study",
                key="adopt",
                type="tertiary",
                help="Its files have changed since: what was written then is in force again, and says so",
                on_click=_adopt,
                args=(study,),
            )
    fault = st.session_state.pop(_FAULT, "")
    if fault:
        parts.warning(f"This was not kept: {fault}")


def _adopt(study: Study) -> None:
    """Take over what is set apart."""
    try:
        reviews.write(study, *adoptions(study, author() or "", reviews.journal(study).apart))
    except (ValueError, RuntimeError) as error:
        st.session_state[_FAULT] = str(error)
