"""Make a round from the worklist or a plan, say anew what one is, take one back and give it back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import pandas as pd
import streamlit as st

from core.analysis.cases.metadata_words import column_words
from core.reviews.event import LONGEST_NAME, Event, local_time
from core.reviews.in_round import round_event, telling_columns, told_columns
from core.reviews.rounds import Round
from core.study.model import Study, Task
from dashboard.components.note import made_on
from dashboard.components.text import count
from dashboard.shell import cache, conditions, reviews, state
from dashboard.shell.author import author
from dashboard.views import parts
from dashboard.views.cases import presets
from dashboard.views.cases.filters import active_filters, passing

MOST_CASES = 10_000
"""Of a round made in the page."""
USUAL_CASES = 50
"""Of a round of the least certain cases, unless another number is given."""
_PLANNED, _LISTED, _UNCERTAIN, _AGAIN, _FLAGGED = "planned", "listed", "uncertain", "re-read", "flagged"
MOST_TAKEN_BACK = 3
"""Rounds that were taken back and are listed."""
_FAULT, _PLAN = "loupe-round-fault", "loupe-round-plan"
MAKES, CHANGES, _ASKS = "loupe-makes-round", "loupe-changes-round", "loupe-asks-round-back"


class Plan(NamedTuple):
    """Cases that were planned on another page."""

    study: str
    task: str
    cases: tuple[str, ...]
    words: str


@dataclass(frozen=True)
class _Fields:
    """What was filled in."""

    name: str
    question: str
    readers: tuple[str, ...]
    blind: bool
    shown: tuple[str, ...] | None


def plan(study: Study, task_name: str, cases: Sequence[str], words: str) -> None:
    """Open the page, from a callback, with a round of these cases about to be made.

    Parameters
    ----------
    study : Study
    task_name : str
    cases : sequence of str
        In the order in which they are to be read.
    words : str
        What they were planned for.
    """
    st.session_state[_PLAN] = Plan(study.name, task_name, tuple(cases), words)
    st.session_state[MAKES] = True
    state.lead_to("review", round="", round_part="", round_case="")


def begin() -> None:
    """Open the page, from a callback, with a round about to be made of what is marked as to be re-read."""
    st.session_state[MAKES] = True
    state.lead_to("review", round="", round_part="", round_case="")


def make(study: Study, task: Task) -> None:
    """Fields that a round is made from."""
    parts.head("Make a round")
    _say_fault("The round was not made")
    cases = _cases(study, task)
    made = _form(study, None, f"Make the round of {count(len(cases), 'case')}", can_be=bool(cases))
    if made is not None:
        _keep(study, task, cases, made)


def _cases(study: Study, task: Task) -> list[str]:
    """Cases that are chosen, in the order in which they are to be read."""
    listed = conditions.kept(study).study
    of_list = listed.tasks[task.name]
    table = cache.worklist_at(listed, of_list, state.aggregation())
    rows = presets.kept(passing(listed, of_list, table), state.view().preset)
    active = [*([listed.condition] if listed.condition else []), *active_filters()]
    written = reviews.listing(study, task.name).reviews
    marked = {
        _AGAIN: [one for one in rows.index if one in written and written[one].status == "re-read"],
        # Whoever flagged a case and then listed others means it still.
        _FLAGGED: [one for one in study.case_ids if one in written and written[one].flags],
    }
    words = {
        _LISTED: f"The {count(len(rows), 'case')} that the worklist lists"
        + (f" (only: {'; '.join(active)})" if active else ""),
        _UNCERTAIN: "Of those, the least certain",
        _AGAIN: f"Of those, the {count(len(marked[_AGAIN]), 'case')} to re-read",
        _FLAGGED: f"The {count(len(marked[_FLAGGED]), 'flagged case')} of the study, listed or not",
    }
    planned = _planned(study, task)
    if planned is not None:
        of_plan = f"The {count(len(planned.cases), 'case')} planned on Raters ({planned.words})"
        words = {_PLANNED: of_plan} | words
    options = list(words)
    which = st.radio(
        "Which cases",
        options,
        format_func=words.__getitem__,
        # Whoever marked cases to be read again comes for these.
        index=0 if planned is not None else options.index(_AGAIN if marked[_AGAIN] else _UNCERTAIN),
        key=f"round-which{'' if planned is None else '-planned'}",
    )
    if which == _PLANNED and planned is not None:
        known = set(study.case_ids)
        return [case_id for case_id in planned.cases if case_id in known]
    if which == _UNCERTAIN:
        return _least_certain(rows)
    listed_now: list[str] = rows.index.tolist()
    return marked.get(which, listed_now)


def _least_certain(rows: pd.DataFrame) -> list[str]:
    """As many of the least certain cases as are asked for; what cannot be is said, and what is done."""
    asked = st.number_input("How many", value=min(USUAL_CASES, max(1, len(rows))), step=1, key="round-most")
    most = int(asked if asked is not None else 0)
    if most < 1:
        parts.warning("A round has at least one case.")
    elif most > len(rows):
        parts.note(f"The worklist lists {count(len(rows), 'case')}: all of them are taken.")
    order = rows.sort_values("certainty", kind="stable", na_position="first")
    cases: list[str] = order.index[: max(0, most)].tolist()
    return cases


def _planned(study: Study, task: Task) -> Plan | None:
    """What was planned for the study and task that are open."""
    planned: Plan | None = st.session_state.get(_PLAN)
    fits = planned is not None and (planned.study, planned.task) == (study.name, task.name)
    return planned if fits else None


def _form(study: Study, of: Round | None, words: str, *, can_be: bool = True) -> _Fields | None:
    """Ask what a round is; None until the button is pressed, which what cannot be made has not."""
    key = "round" if of is None else f"round-{of.id}"
    fixed = of is not None and bool(of.readings)
    columns = told_columns(study)
    hidden = [*telling_columns(study)] if of is None else []
    if of is not None and of.shown is not None:
        hidden = [name for name in columns if name not in of.shown]
    with st.form(f"{key}-form"):
        name = st.text_input(
            "Name of the round",
            f"Read again, {made_on()}".rstrip(", ") if of is None else of.name,
            key=f"{key}-name",
            max_chars=LONGEST_NAME,
            disabled=fixed,
        )
        question = st.text_area(
            "What is asked of the readers (may be empty)",
            "" if of is None else of.question,
            key=f"{key}-question",
            height=80,
        )
        readers = st.text_area(
            "Who reads, one name a line; empty for anyone",
            "" if of is None else "\n".join(of.readers),
            key=f"{key}-readers",
            height=80,
        )
        blind = st.checkbox(
            "Blind: whoever reads sees neither earlier readings nor models nor certainty",
            of is None or of.blind,
            key=f"{key}-blind",
            disabled=fixed,
        )
        hides = (
            st.multiselect(
                "Hidden from readers, as it would give the answer away",
                columns,
                hidden,
                format_func=column_words,
                placeholder="Nothing: readers see all columns",
                help="The reference is never shown; columns whose names say that they tell it are hidden "
                "to begin with.",
                key=f"{key}-hidden",
                disabled=fixed,
            )
            if columns
            else []
        )
        pressed = st.form_submit_button(words, type="primary", disabled=not can_be)
    if not pressed:
        return None
    shown = tuple(name for name in columns if name not in hides) if hides else None
    names = tuple(one for one in map(str.strip, readers.splitlines()) if one)
    return _Fields(name, question, names, blind, shown)


def _keep(study: Study, task: Task, cases: list[str], fields: _Fields, of: Round | None = None) -> None:
    """Make the round, or say it anew, and open it."""
    try:
        if not fields.name.strip():
            raise ValueError("give it a name.")
        if not cases:
            raise ValueError("no case is chosen; the filters of the worklist on Cases say which are listed.")
        if len(cases) > MOST_CASES:
            raise ValueError(
                f"expected at most {MOST_CASES:,} cases, got {len(cases):,}; filter the worklist"
            )
        event = round_event(
            study,
            task,
            author() or "",
            fields.name,
            cases,
            readers=fields.readers,
            blind=fields.blind,
            question=fields.question,
            shown=fields.shown,
            corrects=of,
        )
        reviews.write(study, event)
    except (ValueError, RuntimeError) as error:
        st.session_state[_FAULT] = str(error)
        st.rerun()  # It stands above the fields, where it is seen.
    for key in (MAKES, CHANGES) if of is not None else (MAKES, CHANGES, _PLAN):
        st.session_state.pop(key, None)
    journal = reviews.journal(study)
    made = next(one.name for one in journal.rounds().values() if one.event.id == event.id)
    state.change(round=made, round_part="", round_case="")
    st.rerun()


def change(study: Study, task: Task, of: Round) -> None:
    """Fields that say anew what a round is, and the way to take it back."""
    parts.head("Change the round")
    if of.readings:
        parts.note(
            "Somebody has read in this round: its name, its cases, what readers see and whether it is "
            "blind stay as they are."
        )
    _say_fault("The round was not changed")
    said = _form(study, of, "Keep the changes")
    if said is not None:
        _keep(study, task, list(of.cases), said, of)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button("Leave it as it is", key="round-unchanged", on_click=_leave)
        if st.session_state.get(_ASKS) != of.id:
            st.button(
                "Take the round back …",
                key="round-back",
                type="tertiary",
                on_click=lambda: st.session_state.update({_ASKS: of.id}),
            )
            return
        parts.note(
            f"With it {count(of.n_readings, 'reading')} and {count(len(of.outcomes), 'outcome')} no longer "
            "count. The history keeps them, and it can be given back."
        )
        st.button("Yes, take it back", key="round-back-yes", on_click=_take_back, args=(study, of))


def _leave() -> None:
    for key in (_ASKS, CHANGES):
        st.session_state.pop(key, None)


def _take_back(study: Study, of: Round) -> None:
    """Withdraw a round with all that is in it."""
    first = next(event for event in reviews.journal(study).events if event.id == of.id)
    event = Event(first.subject, author() or "", "withdrawal", {}, answers=first.id)
    if _written(study, event):
        _leave()
        state.change(round="", round_part="", round_case="")
        st.rerun()


def say_taken_back(study: Study, task: Task) -> None:
    """List the rounds that were taken back last, each with the way to give it back."""
    found = reviews.journal(study).rounds_taken_back()
    of_task = [(name, event) for name, event in found.items() if event.subject.task == task.name]
    for name, event in of_task[-MOST_TAKEN_BACK:]:
        with st.container(horizontal=True, vertical_alignment="center"):
            parts.note(f"“{name}” was taken back by {event.author}, {local_time(event)}.")
            if author() is not None:
                st.button(
                    "Give it back",
                    key=f"round-give-back-{event.id}",
                    type="tertiary",
                    on_click=_give_back,
                    args=(study, event),
                )


def _give_back(study: Study, event: Event) -> None:
    """Withdraw the withdrawal."""
    _written(study, Event(event.subject, author() or "", "withdrawal", {}, answers=event.id))
    st.rerun()  # What counts, in the sidebar, is no part of what is drawn anew here.


def _written(study: Study, event: Event) -> bool:
    """Write, or keep why it cannot be written."""
    try:
        reviews.write(study, event)
    except (ValueError, RuntimeError) as error:
        st.session_state[_FAULT] = str(error)
        return False
    return True


def _say_fault(words: str) -> None:
    """Say why something was not kept."""
    fault = st.session_state.pop(_FAULT, "")
    if fault:
        parts.warning(f"{words}: {fault}")
