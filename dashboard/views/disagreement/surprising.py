"""Surprising cases: the model expects agreement and the raters differ, or the reverse."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.analysis.cases.percent_ranges import whole_percent
from core.analysis.disagreement.recalibrated import Recalibrated
from core.analysis.disagreement.surprising import LESS, MORE, surprising_cases
from core.analysis.formatting import percent
from dashboard.components.picture import data_button
from dashboard.components.text import count
from dashboard.shell import cache, state, widgets
from dashboard.shell.address import fit_for_address
from dashboard.views import parts
from dashboard.views.disagreement import expert, words
from dashboard.views.disagreement.model_forecasts import ModelForecasts

MOST_CASES = 100
"""Listed of each kind; the download has all."""
_ROWS = 6
_ROW_HEIGHT = 35
_HEADS = {
    MORE: "The model expects agreement, the raters differ",
    LESS: "The model expects disagreement, the raters agree",
}


def show(forecasts: ModelForecasts) -> None:
    """Draw both lists."""
    parts.head("Which cases surprise?")
    cases = _cases(forecasts)
    if pd.isna(cases.attrs["usual"]):
        parts.note("No case has two readings and a prediction, so nothing can be compared.")
        return
    parts.note(
        f"As expected by {forecasts.last.model}, {words.title(forecasts.last.method)}. On average "
        f"{percent(cases.attrs['usual'])} of a case's pairs of raters disagree: listed is where model and "
        "raters lie on different sides of that, the largest difference first.",
        at_screen="Tick a row to open its case in Cases, with the list as worklist.",
    )
    for kind in _HEADS:
        _list(forecasts, cases[cases["kind"] == kind], kind)


_surprising = cache.cached()(surprising_cases)


def _cases(forecasts: ModelForecasts) -> pd.DataFrame:
    """Both kinds of cases, by what the recalibrated model expects."""
    return _surprising(forecasts.study, forecasts.task, forecasts.last)


def _list(forecasts: ModelForecasts, cases: pd.DataFrame, kind: str) -> None:
    """Draw the cases of one kind; a click opens one."""
    name = "unexpected-disagreement" if kind == MORE else "unexpected-agreement"
    parts.note(f"{_HEADS[kind]}: {count(len(cases), 'case')}.")
    if cases.empty:
        return
    shown = cases.head(MOST_CASES)
    event = st.dataframe(
        pd.DataFrame(
            {
                "case_id": shown["case_id"],
                "expected": whole_percent(shown["expected"]),
                "observed": whole_percent(shown["observed"]),
                "leading": shown["leading"],
                "given": shown["given"],
            }
        ),
        key=name,
        hide_index=True,
        height=_ROW_HEIGHT * (min(len(shown), _ROWS) + 1) + 3,
        on_select="rerun",
        selection_mode="single-row",
        column_config={
            "case_id": st.column_config.TextColumn("Case"),
            "expected": st.column_config.NumberColumn(
                "Expected", format="%d %%", width=74, help="Disagreement that the model expects"
            ),
            "observed": st.column_config.NumberColumn(
                "Seen", format="%d %%", width=60, help="Share of pairs of raters who disagreed"
            ),
            "leading": st.column_config.TextColumn("Model says"),
            "given": st.column_config.TextColumn("Raters said"),
        },
        alt=_HEADS[kind],
    )
    with st.container(horizontal=True, wrap=False, gap="small"):
        rest = len(cases) - len(shown)
        more = f"The first {MOST_CASES}; {rest:,} more are in the data."
        parts.note("", at_screen=more if rest else "All are listed.")
        data_button(name=name, table=cases, provenance=forecasts.source)
    rows = event["selection"]["rows"]
    if rows and rows[0] < len(shown):
        _open(shown["case_id"].tolist(), rows[0])


def _open(case_ids: list[str], row: int) -> None:
    """Open a case in Cases, the listed ones around it as the worklist."""
    named = fit_for_address(case_ids)
    if case_ids[row] not in named:
        named = (case_ids[row],)
    state.change(**state.ALL_CASES | {"only": named, "case": case_ids[row]})
    state.open_page("cases")


def show_expert(fit: Recalibrated, forecasts: ModelForecasts) -> None:
    """Let a case be chosen, and draw what the model makes of one more expert's label."""
    parts.head("One more expert says …")
    study = forecasts.study
    surprising = _cases(forecasts)["case_id"].head(MOST_CASES).tolist()
    opened = state.view().case
    options = list(dict.fromkeys([*([opened] if opened else []), *surprising])) or [study.case_ids[0]]
    case_id: str = opened or options[0]
    st.selectbox(
        "Case: the opened one, or one that surprises",
        **widgets.choice("expert-case", case_id, options, take=state.choose_case),
    )
    expert.show(study, forecasts.task, study.case_ids.index(case_id), fit, dict(forecasts.source))
