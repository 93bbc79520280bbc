"""Where the tour leads: past it, and at its end to the study that is open and one's own data."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from core.analysis import tour_onward
from core.study.model import Study, Task
from dashboard.components.text import element
from dashboard.shell import cache, state, studies


def straight() -> None:
    """Lead whoever was quoted an accuracy to where it is typed, and others to a page, in one line."""
    ward = tour_onward.for_clinicians(_open_task())
    with st.container(key="tour-straight", horizontal=True, vertical_alignment="center"):
        _to_claim()
        element("p", "Skip the tour:")
        for action, go in (
            (f"Clinicians: {ward.listed}", _open_for_clinicians),
            ("Researchers: models", lambda: state.lead_to("models")),
            ("Own labels: load them", lambda: _open_study(other=True)),
        ):
            st.button(action, key=f"tour-straight-{action.split()[0].lower()}", on_click=go)


@st.fragment
def _to_claim() -> None:
    """Offer the fields of a claim, to which the browser moves."""
    st.button("Were you quoted an accuracy? Type it here", key="onto-claim")


def onto_study() -> None:
    """Lead on from the answer to a claim, whose labels nobody has here, to labels that are there."""
    with st.container(key="tour-onto-study", horizontal=True, vertical_alignment="center"):
        element("p", tour_onward.AFTER_CLAIM)
        st.button(
            "Go on to Study", key="tour-to-study", type="tertiary", on_click=lambda: _open_study(other=False)
        )


def show() -> None:
    """Offer whoever decides, sees patients or has labels one thing to do next, each on another page."""
    with st.container(key="tour-onward"):
        st.header("Three things to do next", anchor=False)
        source = loaded()
        if not source.is_own:
            element("p", tour_onward.of_the_example(source.title))
        deciding, seeing, own = st.columns(3, gap="large")
        with deciding:
            _offer(
                "You decide about a model",
                f"What the labels of “{source.title}” support, for its models or any other, and a page of "
                "questions for the vendor.",
                "See what its labels support" if source.is_own else "See what the example’s labels support",
                lambda: _open_study(other=False),
                first=True,
            )
        with seeing:
            ward = tour_onward.for_clinicians(_open_task())
            _offer("You see patients", ward.words, f"Look at {ward.listed}", _open_for_clinicians, first=True)
        with own:
            _offer(
                "Your own labels",
                "A table with three columns is enough: which case, which reader, which label. It stays on "
                "this computer.",
                "Bring your own study",
                lambda: _open_study(other=True),
            )


def _offer(title: str, words: str, action: str, go: Callable[[], None], *, first: bool = False) -> None:
    """Draw one of the things to do."""
    st.subheader(title, anchor=False)
    element("p", words)
    button(action, go, first=first)


def button(action: str, go: Callable[[], None], *, first: bool, is_how: str | None = None) -> None:
    """Draw the button of what can be done; ``is_how`` tells the pointer more of it."""
    key = f"tour-{action.split()[0].lower()}"
    # A callback: what is pressed while the page is still drawn is not lost.
    st.button(action, type="primary" if first else "secondary", key=key, help=is_how, on_click=go)


def loaded() -> studies.Source:
    """The study that the other pages show."""
    known = studies.sources()
    return known.get(state.view().study) or next(iter(known.values()))


def task_name(study: Study | None) -> str:
    """Name of the task that the other pages show."""
    return state.view().task or ("" if study is None else next(iter(study.tasks)))


def _open_task() -> Task | None:
    """Return the task that the other pages show; None where its study cannot be read."""
    study = cache.open_source(loaded()).study
    return None if study is None else study.tasks.get(task_name(study), next(iter(study.tasks.values())))


def _open_cases(preset: str) -> None:
    """Open a list of cases at its first case."""
    state.lead_to("cases", **state.ALL_CASES | {"preset": preset})


def _open_for_clinicians() -> None:
    """Open the list that shows whoever sees patients where harm may hide."""
    _open_cases(tour_onward.for_clinicians(_open_task()).preset)


def _open_study(*, other: bool) -> None:
    """Open the page Study, with the place where another is opened on top if that is wanted."""
    state.ask_for_another(other)
    state.lead_to("study")
