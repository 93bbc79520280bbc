"""The case that is open follows what the worklist is asked for, with a way back to the one that was left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from core.analysis.cases.presets import MARKED, PRESETS, list_name
from core.analysis.cases.select import Filters
from core.study.model import Study, Task
from dashboard.shell import state
from dashboard.views import parts

_FOLLOWED = "loupe-list-followed"
_OPENED = "loupe-opened-by-list"
"""Where is kept which case the list opened where nobody had asked for one."""


class Asked(NamedTuple):
    """What the worklist is asked for: other cases are listed when it changes."""

    study: str
    task: str
    filters: Filters
    preset: str


class _Followed(NamedTuple):
    """The last list that was followed: what it was asked for, and which case was open then.

    ``left`` is the case that was open before a list, and no person, opened ``opened``; empty for none. It is
    named until the list changes (``is_told``).
    """

    asked: Asked
    case: str
    left: str = ""
    opened: str = ""
    is_told: bool = False


def follow(study: Study, task: Task, ids: Sequence[str]) -> None:
    """Open the first case of the list where the open one is listed no longer.

    One that is listed stays open, unless nobody has asked for it and another list was chosen, whose first
    case it gives way to. What somebody has marked is no list of others: there it stays. Without any case in
    the list none is open. A case that a link names together with a list stays; so does
    one that leaves the list for another reason than search, filters or the choice of a list, as by what was
    just written about it, or by another reliability, and one whose readings are changed: it is said not to be
    listed. Where a list is given up the case stays open.
    """
    now, asked = state.view(), Asked(study.fingerprint, task.name, state.filters(), state.view().preset)
    last: _Followed | None = st.session_state.get(_FOLLOWED)
    if last is not None and last.case != now.case:
        # Somebody came to it, by whatever way: also where a list once opened it by itself.
        st.session_state[_OPENED] = ""
    is_same = last is not None and last.asked == asked
    left = last.left if last is not None and last.asked[:2] == asked[:2] and now.case == last.opened else ""
    has_changed = last is not None and not is_same and last.asked[:2] == asked[:2] and last.case == now.case
    opened = last.opened if last is not None and left else ""
    is_open = state.position(study) is not None
    is_other = last is not None and last.asked.preset != now.preset
    is_unasked = bool(now.case) and now.case == st.session_state.get(_OPENED)
    is_new = has_changed and is_other and is_unasked and now.preset not in ("", MARKED)
    is_told = is_same and last is not None and last.is_told
    leaves = has_changed and is_open and not now.what_if and (is_new or now.case not in ids)
    if leaves or (ids and not is_open):
        wanted, is_told = left or now.case, not left
        opened = wanted if wanted in ids and not is_new else ids[0] if ids else ""
        # What nobody has asked for nobody misses.
        left = "" if wanted in (opened, st.session_state.get(_OPENED)) else wanted
        st.session_state[_OPENED] = "" if wanted else opened
        state.choose_case(opened)
    st.session_state[_FOLLOWED] = _Followed(asked, state.view().case, left, opened, is_told)


def let_go() -> None:
    """Let the list open its first case again, where nobody has asked for the one that is open.

    To be called where the list is counted anew before anybody was at it: its first case is another then.
    """
    case = state.view().case
    if case and st.session_state.get(_OPENED) == case:
        state.choose_case("")


def way_back() -> None:
    """Name the case that was left for the first of the list, and lead back to it.

    Whoever changes the list once more goes on from there: the line goes, unless no case is open then.
    """
    last: _Followed | None = st.session_state.get(_FOLLOWED)
    if last is None or not last.left or state.view().case != last.opened:
        return
    if last.opened and not last.is_told:
        return
    with st.container(key="case-left", horizontal=True, vertical_alignment="center", gap="small"):
        parts.note(f"{last.left}, which you had open, is not in this list.")
        st.button(
            "Back to it", key="back-to-left", type="tertiary", on_click=state.choose_case, args=(last.left,)
        )


def not_listed(ids: Sequence[str]) -> None:
    """Say that the list leaves the open case out, and lead to its first case, or to the list of all."""
    preset = state.view().preset
    of_list = f", filters or the list “{list_name(preset)}”" if preset in PRESETS else " or filters"
    with st.container(key="case-unlisted", horizontal=True, vertical_alignment="center", gap="small"):
        parts.note("Not in the list.")
        if ids:
            st.button(
                "Open the first of the list",
                key="open-first",
                type="tertiary",
                on_click=state.choose_case,
                args=(ids[0],),
            )
        st.button(
            "Show it in the list of all cases",
            key="list-all",
            type="tertiary",
            on_click=_list_all,
            help=f"Search{of_list} leave it out: this clears them.",
        )


def _list_all() -> None:
    """Take off the preset and all filters; the case stays open."""
    state.change(**state.NO_FILTER, preset="")
