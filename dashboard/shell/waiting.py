"""What was said of cases before it was known who says it: held in the visit, and written under the name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import streamlit as st

from core.reviews.event import Event, Kind, subject_of
from core.study.model import Study, Task
from dashboard.shell import reviews

_WAITING, _REFUSED = "loupe-waiting", "loupe-waiting-refused"


class Waiting(NamedTuple):
    """Something that is said of a case; ``answers`` is the id of what it takes back."""

    study: Study
    task: Task
    case_id: str
    kind: Kind
    content: Mapping[str, Any]
    answers: str | None


def wait(one: Waiting) -> None:
    """Hold something until there is a name; the same twice is held once."""
    held: list[Waiting] = st.session_state.setdefault(_WAITING, [])
    if all((of.study.name, *of[2:]) != (one.study.name, *one[2:]) for of in held):
        held.append(one)


def words() -> str:
    """Say how much waits, and that it is not kept yet; empty where nothing does."""
    n = len(st.session_state.get(_WAITING, []))
    if not n:
        return ""
    what = "What you said waits" if n == 1 else f"{n} things that you said wait"
    return f"{what} for your name, and {'is' if n == 1 else 'are'} not kept until you give it."


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
