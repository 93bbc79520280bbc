"""The steps of the tour: which of them is shown, how one leads to the next, and how each is laid out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard.components.text import element
from dashboard.shell import state
from dashboard.shell.view import TOUR_STEPS
from dashboard.views import part_choice

_TITLES = dict(zip(TOUR_STEPS, ("One case", "All cases", "Where it errs"), strict=True))


def choose() -> str:
    """Offer the steps under their heading, and return the one that is shown.

    All of them are drawn; the style sheet shows one. So each is at once there, and as it was left.
    """
    with st.container(key="tour-steps"):
        element("h2", "Why, in three steps", role="tour-why")
        named = {step: f"{number}\u2002{title}" for number, (step, title) in enumerate(_TITLES.items(), 1)}
        shown = part_choice.choose("tour_step", named, "Step")
        st.html(f'<i data-shown-step="{shown}" aria-hidden="true"></i>')
    return shown


def offer_next(shown: str) -> None:
    """Lead on to the step after the one that is shown, if there is one."""
    if shown in TOUR_STEPS[:-1]:
        after = TOUR_STEPS[TOUR_STEPS.index(shown) + 1]
        st.button(f"Next: {_TITLES[after].lower()}", key="onto-step", on_click=go_to, args=(after,))


def lead_to(step: str, words: str) -> None:
    """Offer to show a step; the browser moves to it."""
    st.button(words, key=f"onto-step-{step}", type="tertiary", on_click=go_to, args=(step,))


def go_to(step: str) -> None:
    """Show a step; the first is the usual one."""
    state.change(tour_step="" if step == TOUR_STEPS[0] else step)


@contextmanager
def step(number: int, title: str, words: str) -> Iterator[DeltaGenerator]:
    """Write the words of a step on the left, which is handed out; what is drawn stands on the right."""
    with st.container(key=f"tour-step-{number}"):
        left, right = st.columns([4, 8], gap="large")
        left.header(f"{number}\u2002{title}", anchor=False)
        left.markdown(words)
        with right:
            yield left
