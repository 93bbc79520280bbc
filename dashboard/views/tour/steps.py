"""How a step of the tour is laid out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st
from streamlit.delta_generator import DeltaGenerator


@contextmanager
def step(number: int, title: str, words: str) -> Iterator[DeltaGenerator]:
    """Write the words of a step on the left, which is handed out; what is drawn stands on the right."""
    with st.container(key=f"tour-step-{number}"):
        left, right = st.columns([4, 8], gap="large")
        left.header(f"{number}\u2002{title}", anchor=False)
        left.markdown(words)
        with right:
            yield left
