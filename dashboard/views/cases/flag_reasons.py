"""Why a case is flagged: reasons to press, one of one's own, and the way to take all of them back."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from core.reviews.content import LONGEST_NAME
from core.reviews.flags import UNSPECIFIC
from core.reviews.state import CaseReview
from dashboard.components import text
from dashboard.shell import waiting, widgets
from dashboard.shell.waiting import Waiting

_OWN_REASON = "review-own-reason"


def show(
    reasons: list[str],
    review: CaseReview,
    held: Sequence[Waiting],
    write: Callable[..., bool],
    close: Callable[[], None],
    taken_off: Callable[[Sequence[str]], None],
) -> None:
    """Offer the reasons; what is pressed is in force, or waits, and a reason takes the place of none.

    Who has given one, or takes the flag off, needs no other for now: ``close`` is called then. Of reasons
    that no other takes the place of ``taken_off`` is told, so that they can be given again.
    """
    waits = {str(one.content["reason"]): one for one in held if one.kind == "flag"}
    given = tuple(dict.fromkeys((*review.flags, *waits)))

    def give(said: tuple[str, ...]) -> bool:
        new = [reason for reason in said if reason not in given]
        if not all(write("flag", reason) for reason in new):
            return False
        for reason, one in waits.items():
            if reason not in said or (new and reason == UNSPECIFIC):
                waiting.drop(one)
        gone = [one for one in review.flags if one not in said or (new and one == UNSPECIFIC)]
        gone = [one for one in gone if write("withdrawal", "", review.flags[one])]
        if gone and not new:
            taken_off(gone)
        if new:
            close()
        return True

    def take(said: tuple[str, ...]) -> None:
        give(said)

    def take_own() -> None:
        reason = str(st.session_state.get(_OWN_REASON, "")).strip()
        # What could not be kept stays in the field.
        if not reason or give((*given, reason)):
            st.session_state[_OWN_REASON] = ""

    def take_off() -> None:
        take(())
        close()

    # Reasons, field and button stand in the same rows, as many as they need.
    with st.container(key="review-own", horizontal=True, vertical_alignment="center", gap="small"):
        st.pills(
            "Reasons for a flag: press one to give it, or to take it back.",
            label_visibility="collapsed",
            selection_mode="multi",
            **widgets.choices(
                "review-flags",
                list(given),
                [one for one in dict.fromkeys((*reasons, *given)) if one != UNSPECIFIC or one in given],
                words=text.unmarked,
                take=take,
            ),
        )
        st.text_input(
            "Another reason",
            label_visibility="collapsed",
            placeholder="Another reason",
            max_chars=LONGEST_NAME,
            key=_OWN_REASON,
            on_change=take_own,
            width=200,
        )
        if given:
            st.button("Remove the flag", key="review-unflag", type="tertiary", on_click=take_off)
