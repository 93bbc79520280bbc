"""The worklist: which cases, in which order, and the way from one to the next."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.analysis.aggregate import Aggregation
from core.analysis.export import provenance
from core.analysis.select import ORDERS, ordered, select, whole_percent
from core.study.model import Study, Task
from dashboard import cache, focus, state
from dashboard.picture import MOST_ROWS, data_button
from dashboard.text import count, element
from dashboard.views import arrows, filters, parts, presets

MOST_HEIGHT = 760
"""In pixels."""
ROW_HEIGHT = 35
NEXT, PREVIOUS, GO_TO = "alt+n", "alt+p", "alt+g"
KEYS = (
    ("Alt+N", "next case"),
    ("Alt+P", "previous case"),
    ("Alt+G", "go to a case"),
    ("↓ and ↑ in the worklist", "the row below, the row above"),
)
"""Keys of this page, as the buttons show them."""
_SHOWN = "loupe-worklist"
"""Where the session keeps the case ids of the worklist as it stands on the screen."""
_LETTERS_SHOWN = 18
"""Of a leading label: what is longer the column would cut without saying so."""
_LETTERS = {"low": "L", "medium": "M", "high": "H"}
_MEASURES = {
    "disagreement": ("Disagree", "Disagreement: 1 minus leave-one-out agreement of the readings"),
    "risk_at_stake": (
        "At stake",
        "Expected distance, in risk levels, from the leading level to the true one",
    ),
    "model_error": ("Error", "Largest probability that a model's first label is not the truth"),
}
"""Columns that are shown where the worklist is sorted by them: heading and meaning."""


def show(study: Study, task: Task, aggregation: Aggregation) -> list[str]:
    """Draw filters, presets and table; return the ids that pass, in their order."""
    table = cache.worklist_at(study, task, aggregation)
    filters.choose(task, table)
    rows = _chosen(table)
    ids: list[str] = rows.index.tolist()
    if ids and state.position(study) is None:
        state.choose_case(ids[0])
    _table(rows, ids)
    with st.container(horizontal=True, wrap=False, vertical_alignment="center"):
        words = (
            f"{len(ids):,} of {count(study.n_cases, 'case')}. Click a row to open it, or walk with ↓ and ↑."
        )
        if len(ids) > MOST_ROWS:
            words += f" The first {MOST_ROWS:,} are listed; search or filter to reach the others."
        parts.note(words)
        data_button(name="worklist", table=rows, provenance=provenance(study, task, aggregation))
    return ids


def _chosen(table: pd.DataFrame) -> pd.DataFrame:
    """Rows that pass the filters and the preset, in the order that is asked for."""
    now = state.view()
    rows = presets.choose(
        select(table, state.filters()),
        now.preset,
        adopt=lambda name: state.change(preset=name, sort=""),
    )
    return ordered(table[table.index.isin(rows.index)], now.sort) if now.sort else rows


def _table(rows: pd.DataFrame, ids: list[str]) -> None:
    """Draw the rows; a click opens a case."""
    measure = ORDERS[state.view().sort].column if state.view().sort else ""
    shown = rows.head(MOST_ROWS)
    shown = shown.assign(certainty=whole_percent(shown["certainty"]))
    if "risk" in shown:
        shown["risk"] = shown["risk"].map(_LETTERS)
    shown["leading"] = [
        name if len(name) <= _LETTERS_SHOWN else f"{name[: _LETTERS_SHOWN - 1]}…" for name in shown["leading"]
    ]
    st.session_state[_SHOWN] = ids[:MOST_ROWS]
    chosen = state.view().case
    row = ids.index(chosen) if chosen in st.session_state[_SHOWN] else None
    selection = {"selection": {"rows": [] if row is None else [row]}}
    if st.session_state.get("worklist") != selection:
        st.session_state["worklist"] = selection
    columns = ["certainty", "leading", *(["risk"] if "risk" in rows else [])]
    st.dataframe(
        shown[[*columns, measure if measure in _MEASURES else "readings"]].reset_index(),
        key="worklist",
        hide_index=True,
        height=min(MOST_HEIGHT, ROW_HEIGHT * (len(shown) + 1) + 3),
        on_select=_pick,
        # What is open stays marked, whatever is clicked; where it is not listed, no row is.
        selection_mode="single-row" if row is None else "single-row-required",
        column_config={
            "case_id": st.column_config.TextColumn("Case", width=74),
            "certainty": st.column_config.ProgressColumn(
                "Certainty", min_value=0, max_value=100, format="%d %%", width=78
            ),
            "leading": st.column_config.TextColumn("Leading label", width=122),
            "risk": st.column_config.TextColumn("Risk", width=40),
            "readings": st.column_config.NumberColumn("Read", width=42, help="Number of readings"),
            **{
                column: st.column_config.NumberColumn(heading, width=58, format="%.2f", help=meaning)
                for column, (heading, meaning) in _MEASURES.items()
                if column == measure
            },
        },
        alt="Worklist of cases",
    )
    arrows.follow(row, height=ROW_HEIGHT)


def _pick() -> None:
    """Open the case of the row that was clicked, by its id."""
    rows = st.session_state["worklist"]["selection"]["rows"]
    if rows and rows[0] < len(st.session_state[_SHOWN]):
        state.choose_case(st.session_state[_SHOWN][rows[0]])


def walk(study: Study, index: int, ids: list[str]) -> None:
    """Name the opened case, with the way to the one before, the one after, and any other."""
    case_id = study.case_ids[index]
    place = ids.index(case_id) if case_id in ids else -1
    before = ids[place - 1] if place > 0 else None
    after = ids[place + 1] if place + 1 < len(ids) else None
    with st.container(key="case-title", horizontal=True, vertical_alignment="center"):
        element("h1", case_id if case_id.casefold().startswith("case") else f"Case {case_id}")
        for words, target, shortcut in (("Previous", before, PREVIOUS), ("Next", after, NEXT)):
            st.button(
                words,
                key=f"walk-{words.lower()}",
                on_click=state.choose_case,
                args=(target or "",),
                disabled=target is None,
                shortcut=shortcut,
            )
        if st.button("Go to", shortcut=GO_TO):
            _go_to(study, ids)


@st.dialog("Go to a case")
def _go_to(study: Study, ids: list[str]) -> None:
    """Ask for a case by its id or its place in the worklist, and list the keys."""
    focus.go_to_field()
    wanted = st.text_input(
        "Case id, or its place in the worklist",
        key="go-to",
        placeholder=f"{ids[0]}, or 1" if ids else study.case_ids[0],
    ).strip()
    if wanted:
        found = find_case(wanted, study.case_ids, ids)
        if len(found) == 1:
            state.choose_case(found[0])
            st.rerun()
        elif found:
            some = ", ".join(found[:5]) + (" …" if len(found) > 5 else "")
            element("p", f"{len(found):,} cases match: {some}. Write more of the id.", role="note")
        else:
            element("p", f"No case of this study is called “{wanted}”.", role="warning")
    keys = "; ".join(f"{key} {words}" for key, words in KEYS)
    element("p", f"Keys on this page: {keys}.", role="note")


def find_case(wanted: str, case_ids: tuple[str, ...], ids: list[str]) -> list[str]:
    """Cases that an id, the beginning or a part of one, or a place in the worklist names.

    Parameters
    ----------
    wanted : str
        What somebody wrote.
    case_ids : tuple of str
        All cases of the study.
    ids : list of str
        The worklist; its first case has place 1.
    """
    if wanted in case_ids:
        return [wanted]
    if wanted.isdecimal() and 1 <= int(wanted) <= len(ids):
        return [ids[int(wanted) - 1]]
    folded = wanted.casefold()
    exact = [case_id for case_id in case_ids if case_id.casefold() == folded]
    start = [case_id for case_id in case_ids if case_id.casefold().startswith(folded)]
    return exact or start or [case_id for case_id in case_ids if folded in case_id.casefold()]
