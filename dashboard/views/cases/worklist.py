"""The worklist: which cases, in which order, and the way from one to the next."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.analysis.cases.select import ordered
from core.analysis.export import provenance
from core.plausibility.settings import Aggregation
from core.study.model import Study, Task
from dashboard.components import focus
from dashboard.components.case_list import Column, case_list
from dashboard.components.picture import MOST_ROWS, data_button
from dashboard.components.text import count, element
from dashboard.shell import cache, state
from dashboard.views import parts
from dashboard.views.cases import columns, filters, image, presets

MOST_HEIGHT = 760
"""In pixels."""
STEPS = {".st-key-walk-next button": 1, ".st-key-walk-previous button": -1}
"""Buttons that step through the worklist."""
NEXT, PREVIOUS, GO_TO = "alt+n", "alt+p", "alt+g"
KEYS = (
    ("Alt+N", "next case"),
    ("Alt+P", "previous case"),
    ("Alt+G", "go to a case"),
    ("↓ and ↑ in the worklist", "the row below, the row above"),
)
"""Keys of this page, as the buttons show them."""


def show(study: Study, task: Task, aggregation: Aggregation) -> list[str]:
    """Draw filters, presets and table; return the ids that pass, in their order."""
    table = cache.worklist_at(study, task, aggregation)
    # Places of their own: a line that comes or goes above the list moves nothing, and makes nothing anew.
    with st.container():
        filters.choose(study, task, table)
    with st.container():
        rows = _chosen(study, task, table)
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
        columns.choose(table)
        data_button(name="worklist", table=rows, provenance=provenance(study, task, aggregation))
    return ids


def _chosen(study: Study, task: Task, table: pd.DataFrame) -> pd.DataFrame:
    """Rows that pass the filters and the preset, in the order that is asked for."""
    now = state.view()
    rows = presets.choose(
        filters.passing(study, task, table),
        now.preset,
        adopt=lambda name: state.change(preset=name, sort=""),
    )
    return ordered(table[table.index.isin(rows.index)], now.sort) if now.sort else rows


def _table(rows: pd.DataFrame, ids: list[str]) -> None:
    """Draw the rows; a click opens a case."""
    shown = rows.head(MOST_ROWS)
    heads, words = columns.cells(shown, columns.chosen(rows))
    with st.container(key="worklist"):
        case_list(
            [Column("Case"), *heads],
            list(zip(ids[:MOST_ROWS], *words, strict=True)),
            name="Worklist of cases",
            key="worklist-rows",
            height=MOST_HEIGHT,
            shares=shown["certainty"].fillna(0).round(3).tolist(),
            chosen=state.view().case,
            on_open=state.choose_case,
            steps=STEPS,
        )


def case_title(case_id: str) -> str:
    """Name a case, as a heading does."""
    return case_id if case_id.casefold().startswith("case") else f"Case {case_id}"


def walk(study: Study, index: int, ids: list[str]) -> None:
    """Name the opened case, with the way to the one before, the one after, and any other.

    A case that search or filters leave out is said not to be listed.
    """
    case_id = study.case_ids[index]
    place = ids.index(case_id) if case_id in ids else -1
    before = ids[place - 1] if place > 0 else None
    after = ids[place + 1] if place + 1 < len(ids) else None
    with st.container(key="case-title", horizontal=True, vertical_alignment="center"):
        element("h2", case_title(case_id), role="h1")
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
            image.close()
            _go_to(study, ids)
    if place < 0:
        words = "None is: no case matches." if not ids else "Next opens the first that is."
        parts.warning(f"This case is not in the worklist: search or filters leave it out. {words}")


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
            parts.note(f"{len(found):,} cases match: {some}. Write more of the id.")
        else:
            parts.warning(f"No case of this study is called “{wanted}”.")
    keys = "; ".join(f"{key} {words}" for key, words in KEYS)
    parts.note(f"Keys on this page: {keys}.")


def find_case(wanted: str, case_ids: tuple[str, ...], ids: list[str]) -> list[str]:
    """Return the cases that an id, a part of one, or a place in the worklist (the first is 1) names."""
    if wanted in case_ids:
        return [wanted]
    if wanted.isdecimal() and 1 <= int(wanted) <= len(ids):
        return [ids[int(wanted) - 1]]
    folded = wanted.casefold()
    exact = [case_id for case_id in case_ids if case_id.casefold() == folded]
    start = [case_id for case_id in case_ids if case_id.casefold().startswith(folded)]
    return exact or start or [case_id for case_id in case_ids if folded in case_id.casefold()]
