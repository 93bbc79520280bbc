"""Review: the rounds of a study, one of them open, and the way to make one."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from core.reviews.rounds import Round
from core.reviews.store import StoreError
from core.study.model import Study, Task
from dashboard.components import text
from dashboard.components.text import count, element
from dashboard.shell import reviews, sidebar, state, widgets
from dashboard.shell.author import author
from dashboard.shell.view import ROUND_PARTS
from dashboard.views import apart, parts
from dashboard.views.review import adjudicate, changes, make, reading
from dashboard.views.writer import name_field

MOST_SHOWN = 2_000
"""Characters of a question that are shown at once."""
_NAMES_WRITER = "loupe-names-writer"
_NAMES = {"read": "Read", "disagreements": "Decide", "changes": "What it changed"}


def show(chosen: sidebar.Chosen) -> None:
    """Draw the page."""
    if chosen.published is None or chosen.task is None:
        parts.refused(chosen)
        return
    _page(chosen.published, chosen.published.tasks[chosen.task.name])


@st.fragment
def _page(study: Study, task: Task) -> None:
    """Draw the rounds, or the one that is open."""
    sidebar.saved_views(study)
    element("h1", "Review")
    try:
        journal = reviews.journal(study)
    except (StoreError, RuntimeError) as error:
        parts.warning(f"Nothing can be read again at the moment: {error}.")
        return
    known = {name: one for name, one in journal.rounds().items() if one.task == task.name}
    opened = known.get(state.view().round)
    with st.container():
        if opened is None:
            state.keep_choice("round", known, "the round")
            _rounds(study, task, known)
        else:
            _open_round(study, task, opened)
    state.write_address()


def _rounds(study: Study, task: Task, known: Mapping[str, Round]) -> None:
    """List the rounds, and offer to make one."""
    parts.sentence(
        f"{count(len(known), 'round')} of reading again." if known else "No case has been read again yet."
    )
    parts.note(
        "In a round, readers look at some cases once more, blind or knowing what was read before. "
        "Where they still disagree, those who meet record an outcome. Neither changes the study: which "
        "rounds count is chosen in the sidebar."
    )
    for one in known.values():
        with st.container(horizontal=True, vertical_alignment="center", key=f"round-{one.id}"):
            element("p", f"{one.name}: {_progress_words(one)}")
            st.button("Open", key=f"open-round-{one.id}", on_click=_open, args=(one.name,))
    make.say_taken_back(study, task)
    apart.say(study)
    if known and not st.session_state.get(make.MAKES):
        st.button(
            "Make a round", key="make-round", on_click=lambda: st.session_state.update({make.MAKES: True})
        )
    elif author() is None:
        name_field(lambda: None)
    else:
        make.make(study, task)


def _progress_words(one: Round) -> str:
    """How far a round is, in words."""
    kind = "blind" if one.blind else "open"
    said = [f"{reader} {of.read} of {len(one.cases):,}" for reader, of in one.progress().items()]
    return f"{count(len(one.cases), 'case')}, {kind}. " + (
        f"Read: {', '.join(said)}." if said else "Nothing read yet."
    )


def _open(name: str) -> None:
    state.change(round=name, round_part="", round_case="")


def _open_round(study: Study, task: Task, of: Round) -> None:
    """Draw one round."""
    with st.container(horizontal=True, vertical_alignment="center"):
        element("h2", of.name)
        st.button("All rounds", key="all-rounds", type="tertiary", on_click=_open, args=("",))
        if author() is not None:
            st.button(
                "Write under another name",
                key="another-writer",
                type="tertiary",
                on_click=lambda: st.session_state.update({_NAMES_WRITER: True}),
            )
            st.button(
                "Change the round",
                key="change-round",
                type="tertiary",
                on_click=lambda: st.session_state.update({make.CHANGES: of.id}),
            )
    parts.note(f"{_progress_words(of)} Made by {of.event.author}.")
    asks_name = author() is None or bool(st.session_state.get(_NAMES_WRITER))
    if of.question:
        text.quoted(of.question, most=MOST_SHOWN)
    now = state.view().round_part or ROUND_PARTS[0]
    st.segmented_control(
        "What to do in the round",
        label_visibility="collapsed",
        required=True,
        **widgets.choices(
            "round_part",
            now,
            ROUND_PARTS,
            words=_NAMES.__getitem__,
            take=lambda part: state.change(
                round_part="" if part in (None, ROUND_PARTS[0]) else part, round_case=""
            ),
        ),
    )
    if asks_name:
        name_field(lambda: st.session_state.pop(_NAMES_WRITER, None), known=of.readers)
        return
    if st.session_state.get(make.CHANGES) == of.id:
        make.change(study, task, of)
        return
    if now == "read":
        reading.show(study, task, of)
    elif now == "disagreements":
        adjudicate.show(study, task, of)
    else:
        changes.show(study, task.name, of)
