"""The line beneath the worklist that says where its readings support another reliability than is in force."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.export import format_reliability
from core.analysis.reliability.words import count_at_words, is_of_each, times_in_words
from core.plausibility.settings import MODELS, Aggregation
from core.study.model import Study, Task
from dashboard.shell import state, trust
from dashboard.shell.view import View
from dashboard.views import parts
from dashboard.views.cases import follow

PATIENCE = 0.5
"""Seconds that the end of the page waits for what is mostly known at once."""
_UNSURE = "How readings count: numbers may change"
"""Said while it is being found, in few words."""
_UNTOUCHED = "loupe-cases-untouched"
"""Where is kept what was chosen when the page was first drawn to its end, and at which visit."""


def show(where: DeltaGenerator, study: Study, task: Task, aggregation: Aggregation) -> None:
    """Say that readings support another reliability; to be called at the end of the page.

    At which the list is counted stands in the sidebar. Where nobody has chosen one, the reliability that the
    readings support is looked for, and is used here as soon as it is known, as on every page: but a list that
    somebody is at is not changed under the hand. Then it is offered.
    """
    if not MODELS[aggregation.model].has_reliability:
        return
    is_usual = state.is_reliability_usual()
    if is_usual:
        trust.predict(study, task, aggregation, PATIENCE)
        if _is_untouched(study, task) and trust.use_supported(study, task):
            follow.let_go()
            st.rerun()
    known = trust.known(study, task, aggregation)
    with where:
        if known.supported is None:
            if is_usual:
                trust.watch_sought(study, task, aggregation, _UNSURE)
        elif known.differs:
            parts.note(_other(aggregation, known.supported))
            st.button(
                count_at_words(aggregation.at(known.supported)),
                key="use-supported",
                help="Sets the reliability on the left, for every page.",
                on_click=trust.use,
                args=(study.fingerprint, known.supported, aggregation.reliability),
            )


def _other(aggregation: Aggregation, supported: float) -> str:
    """Say that readings support another reliability than is in force, in few words: a button follows."""
    if not is_of_each(aggregation):
        now = format_reliability(aggregation.reliability)
        return f"Counted at γ = {now}; γ = {supported:g} fits these readings best."
    now, then = times_in_words(aggregation.reliability), times_in_words(supported)
    return f"Readings count {now}; {then} fits them best."


def _is_untouched(study: Study, task: Task) -> bool:
    """Whether nobody has chosen anything since the page was first drawn to its end."""
    now = trust.visit(study, task)
    if st.session_state.get(_UNTOUCHED, (None,))[0] != now:
        st.session_state[_UNTOUCHED] = (now, state.view())
    found: tuple[object, View] = st.session_state[_UNTOUCHED]
    return found[1] == state.view()
