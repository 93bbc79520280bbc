"""How far long work is, on the page that waits for it."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dashboard.jobs import Job
from dashboard.text import element


@st.fragment(run_every=0.5)
def watch(job: Job[Any], what: str, *, key: str) -> None:
    """Show how far long work is, with a button that stops it, and bring the page up to date when it ends."""
    job.show()
    if not job.running:
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center"):
        with st.container(gap="xxsmall"):
            # Not as the bar's own text, which is Markdown: models are named in it.
            element("p", f"{what}: {job.doing}", role="note")
            st.progress(min(job.share, 1.0))
        st.button("Stop", key=f"stop-{key}", on_click=job.stop)
