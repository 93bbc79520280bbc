"""Which labels count as dangers: chosen in the sidebar or on Study, put to the study, said on every page."""

from __future__ import annotations

import numpy as np
import streamlit as st

from core.analysis.formatting import percent
from core.study.brief import first_names, number_of
from core.study.high_risk import counting_as_high_risk, high_risk_labels
from core.study.model import HIGH_RISK, Study, Task
from core.study.settings import MOST_LINKED
from dashboard.components.text import element
from dashboard.shell import cache, state, widgets

NAME = "What counts as danger"
_OPENED = "loupe-dangers-opened"
_NAMED, _DESCRIBED = 4, 12
"""Labels that are named on every page, and those that are described where they are chosen."""
_MOST = 0.5
"""Share of what readers named beyond which dangers are unlikely to be meant."""
_BACK = "As the study says"
_TOLD = (
    "Every page and export counts these alone. Others that the study calls high-risk count as medium risk."
)
_NONE = "The study calls no label high-risk. Every page and export counts the ones that are chosen here."


def counting(study: Study) -> Study:
    """Let count as high risk what is chosen; the study as it is where nothing is."""
    if not state.view().high_risk_labels:
        return study
    state.keep_known("high_risk_labels", {label for task in study.tasks.values() for label in task.labels})
    chosen = state.view().high_risk_labels
    return _counting(cache.identity(study), study, chosen) if chosen else study


# By the study itself, as a condition is put to it.
@cache.cached(8)
def _counting(number: int, study: Study, labels: tuple[str, ...]) -> Study:  # noqa: ARG001
    return counting_as_high_risk(study, labels)


def ask(task: Task) -> None:
    """Draw the field of the sidebar, folded while nothing is chosen."""
    # It goes on as it was left on the page before.
    is_chosen = task.published_risk is not None
    drawn = widgets.as_first_drawn("what-is-danger", st.session_state.get(_OPENED, is_chosen))
    panel = st.expander(NAME, expanded=drawn, key="what-is-danger", on_change="rerun")
    st.session_state[_OPENED] = panel.open
    if panel.open:
        with panel:
            _field(task, "dangers")


def offer(task: Task) -> None:
    """Offer the same list where dangers are counted."""
    # Of a study that names none the same button says what is to be done; what was chosen keeps it so.
    is_named = bool(high_risk_labels(task, published=True))
    called = NAME if is_named else f"Choose {NAME[:1].lower()}{NAME[1:]}"
    popover = st.popover(called, type="tertiary", key="anchor-choose-danger", on_change="rerun")
    if popover.open:
        with popover:
            _field(task, "dangers-here")


def _field(task: Task, name: str) -> None:
    """Draw the list from which dangers are chosen; under a ``name`` of its own wherever it stands."""
    published = high_risk_labels(task, published=True)
    options = [*published, *(label for label in task.labels if label not in published)]

    def take(said: tuple[str, ...]) -> None:
        is_published = not said or set(said) == set(published)
        state.change(high_risk_labels=() if is_published else said)
        st.rerun()

    st.multiselect(
        "Dangers: labels of high risk",
        placeholder="Choose a label",
        max_selections=max(MOST_LINKED, len(published)),
        **widgets.choices(name, _as_chosen(task), options, take=take),
    )
    if task.published_risk is not None:
        st.button(_BACK, key=f"{name}-back", type="tertiary", on_click=_take_back)
    element("p", _TOLD if published else _NONE, role="note")
    if described := _described(task):
        element("p", f"{described}.", role="note")


def _as_chosen(task: Task) -> tuple[str, ...]:
    """Labels that count, in the order in which they were chosen: in another the list would be made anew.

    Who takes one out right after would press on the one that goes, and be heard by nobody.
    """
    counted = high_risk_labels(task)
    chosen = tuple(label for label in state.view().high_risk_labels if label in counted)
    return chosen if len(chosen) == len(counted) else counted


def say(task: Task) -> None:
    """Say on the page which labels count, where they were chosen, with a button that takes that back."""
    # Its place stays where there is nothing to say: what stands below would be made anew.
    with st.container():
        if task.published_risk is None:
            return
        said = high_risk_labels(task, published=True)
        by_study = f"the study says {number_of(len(said), 'label')}" if said else "the study names none"
        words = (
            f"Danger here: {first_names(high_risk_labels(task), _NAMED)} (chosen; {by_study}).{_usual(task)}"
        )
        with st.container(
            key="dangers", horizontal=True, wrap=False, vertical_alignment="center", gap="small"
        ):
            element("p", words)
            st.button(_BACK, key="dangers-off", type="tertiary", on_click=_take_back)


def _usual(task: Task) -> str:
    """Ask whether it was meant where most readings name what was chosen: a danger is seldom usual."""
    share = float(np.isin(task.readings.label, np.flatnonzero(task.risk == HIGH_RISK)).mean())
    asked = f" {percent(share)} of what readers named counts as danger: is that meant?"
    return asked if share > _MOST else ""


def _described(task: Task) -> str:
    """Say what the study itself says of its dangers, where it does."""
    told = dict(zip(task.labels, task.description, strict=False))
    known = [label for label in high_risk_labels(task, published=True) if told.get(label)]
    return ". ".join(f"{label}: {told[label]}" for label in known[:_DESCRIBED])


def _take_back() -> None:
    state.change(high_risk_labels=())
    st.rerun()
