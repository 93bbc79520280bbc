"""Where Study leads: to cases that show what its claims leave out, and for researchers to other pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import pandas as pd
import streamlit as st

from core.analysis.cases.preset_rules import missing_models
from core.analysis.cases.presets import ACCURACY_MISLEADS, DANGER_MISSED, PRESETS
from core.analysis.cases.select import Filters, select
from core.analysis.formatting import WHOLE, cases_on_average
from core.study.brief import number_of
from core.study.model import Task
from dashboard.components.landing import CERTAINTY_GRID
from dashboard.components.text import element, unmarked
from dashboard.shell import dangers, state
from dashboard.views import parts
from dashboard.views.study import opening

_MISSED_BY = "anchor-missed"


def show(cases: pd.DataFrame, task: Task, misled: Sequence[str], *, models: Mapping[str, float]) -> None:
    """Lead to cases where accuracy ``misled`` and where models miss danger; then to what researchers do.

    Those of ``models`` come first, in their order, with how many dangers each misses on average; NaN where
    that is not known. By callbacks: what is pressed while the page is still
    drawn is not lost.
    """
    with st.container(key="study-onward", horizontal=True, vertical_alignment="center"):
        _missed(cases, models)
        if misled:
            to = state.ALL_CASES | {"preset": ACCURACY_MISLEADS, "case": misled[0]}
            _button(
                f"{number_of(len(misled), 'case')} where accuracy misleads",
                "misled",
                f"Opens Cases. {PRESETS[ACCURACY_MISLEADS].meaning}",
                partial(state.lead_to, "cases", **to),
            )
        dangers.offer(task)
        element("p", "For researchers:", role="note")
        if task.probability_models:
            opened = partial(state.lead_to, "models", measure="accuracy")
            _button("Compare the models", "models", "Opens Models, by accuracy", opened)
        told = "Opens Raters, at certainty by the number of readings per case and by their reliability"
        _button("What more readings change", "planning", told, _plan)


def _button(words: str, key: str, told: str, go: Callable[[], None]) -> None:
    st.button(words, key=f"anchor-{key}", type="tertiary", help=told, on_click=go)


def _missed(cases: pd.DataFrame, models: Mapping[str, float]) -> None:
    """Offer the cases in which each model misses danger, where there are such."""
    preset = PRESETS[DANGER_MISSED]
    if not preset.suits(cases):
        return
    missed = preset.apply(cases)
    offered: dict[str, Filters] = {}
    known = missing_models(cases)
    for model in (*(one for one in models if one in known), *(one for one in known if one not in models)):
        of_model = Filters(missed_by=(model,))
        if n := len(select(missed, of_model)):
            said = f"{_expected(models.get(model, 0))}{number_of(n, 'case')} to check"
            offered[unmarked(f"{model}: {said}")] = of_model
    if offered:
        st.menu_button(
            "Danger that may be missed",
            list(offered),
            key=_MISSED_BY,
            type="tertiary",
            help=f"Opens Cases. {preset.meaning}",
            on_click=lambda: opening.lead_to_any(
                missed, offered, DANGER_MISSED, str(st.session_state[_MISSED_BY])
            ),
        )


def _expected(missed: float) -> str:
    """Say how many dangers can be expected in the cases that are to be checked, of which there are more."""
    if not missed > 0:
        return ""
    noun = "danger" if missed < 1 + WHOLE else "dangers"
    return f"{'about ' * (missed >= WHOLE)}{cases_on_average(missed)} {noun} missed, in "


def _plan() -> None:
    """Open Raters where more readings are planned."""
    parts.unfold(CERTAINTY_GRID)
    state.lead_to("raters", plan="certainty")
