"""What was said of cases before it was known who says it: held in the visit, and written under the name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import streamlit as st

from core.reviews.event import Event, Kind, status_words, subject_of
from core.reviews.flags import UNSPECIFIC
from core.study.model import Study, Task
from dashboard.shell import reviews

_WAITING, _REFUSED = "loupe-waiting", "loupe-waiting-refused"
MOST_NAMED = 5
"""Things that wait which are named; the others are counted."""


class Waiting(NamedTuple):
    """Something that is said of a case; ``answers`` is the id of what it takes back."""

    study: Study
    task: Task
    case_id: str
    kind: Kind
    content: Mapping[str, Any]
    answers: str | None


def wait(one: Waiting) -> None:
    """Hold something until there is a name; what is said twice is held once, where it was said last."""
    drop(one)
    st.session_state[_WAITING].append(one)


def drop(one: Waiting) -> None:
    """Forget something that waits."""
    held: list[Waiting] = st.session_state.setdefault(_WAITING, [])
    held[:] = [of for of in held if _key(of) != _key(one)]


def _key(one: Waiting) -> tuple[Any, ...]:
    """What tells things that wait apart: studies and tasks are read anew, and have names."""
    return one.study.name, one.task.name, *one[2:]


def of_case(study: Study, task: Task, case_id: str) -> list[Waiting]:
    """What waits that was said of a case in a task, in the order in which it was said."""
    held: list[Waiting] = st.session_state.get(_WAITING, [])
    return [one for one in held if _key(one)[:3] == (study.name, task.name, case_id)]


def flagged(study: Study, task: Task) -> list[str]:
    """Cases of a task whose flag waits, and has no reason yet."""
    held: list[Waiting] = st.session_state.get(_WAITING, [])
    return [
        one.case_id
        for one in held
        if _key(one)[:2] == (study.name, task.name)
        and one.kind == "flag"
        and one.content["reason"] == UNSPECIFIC
    ]


def words() -> str:
    """Say what waits, of which case, and that it is not kept yet; empty where nothing does."""
    held: list[Waiting] = st.session_state.get(_WAITING, [])
    n = len(held)
    if not n:
        return ""
    named = [_named(one) for one in held[:MOST_NAMED]]
    named += [f"{n - MOST_NAMED} more"] if n > MOST_NAMED else []
    return f"Not saved yet, waits for your name: {'; '.join(named)}."


def _named(one: Waiting) -> str:
    """Name something that waits, with its case."""
    case = one.case_id if one.case_id.casefold().startswith("case") else f"case {one.case_id}"
    if one.kind == "flag" and one.content["reason"] == UNSPECIFIC:
        return f"flag of {case}"
    if one.kind == "flag":
        return f"flag “{one.content['reason']}” of {case}"
    if one.kind == "status":
        return f"status “{status_words(str(one.content['status']))}” of {case}"
    return f"{one.kind} {'on' if one.kind == 'note' else 'of'} {case}"


def write(name: str) -> None:
    """Write all that waits under a name; what is refused is held for `refused`."""
    for one in st.session_state.pop(_WAITING, []):
        try:
            subject = subject_of(one.study, one.task, one.case_id)
            reviews.write(one.study, Event(subject, name, one.kind, one.content, answers=one.answers))
        except (ValueError, RuntimeError) as error:
            st.session_state.setdefault(_REFUSED, []).append((one, str(error)))


def refused() -> list[tuple[Waiting, str]]:
    """What could not be written, each with why; told once."""
    found: list[tuple[Waiting, str]] = st.session_state.pop(_REFUSED, [])
    return found
