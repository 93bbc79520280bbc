"""The worklist: which cases, in which order, and the way from one to the next."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from html import escape

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.cases.missed_words import MISSED_RULES
from core.analysis.cases.orders import ORDERS, ordered, usual_order
from core.analysis.cases.presets import MARKED, OF_MISSED, PRESETS
from core.analysis.export import provenance
from core.analysis.file_names import ORDER, PRESET
from core.analysis.risk_words import WHO_SAYS
from core.plausibility.settings import Aggregation
from core.reviews.state import CaseReview
from core.settings import entries
from core.study.brief import case_title
from core.study.model import Study, Task
from core.study.problems import shown
from dashboard.components import focus
from dashboard.components.case_list import Column, case_list, written
from dashboard.components.landing import UP
from dashboard.components.picture import MOST_ROWS, data_button
from dashboard.components.text import AT_SCREEN, element
from dashboard.shell import cache, reviews, state
from dashboard.shell.derived import Derived
from dashboard.views import parts
from dashboard.views.cases import (
    bring_back,
    columns,
    conference,
    filters,
    follow,
    image,
    known,
    presets,
    review,
    signs,
    sorting,
)
from dashboard.views.cases.presets import ByModel

_LETTERS = "Risk, by the study: L low, M medium, H high"
_CHOSEN = "Risk: L low, M medium, H high (as chosen)"
_DANGER = (
    "Danger: in how many of 100 plausible truths it leads, as far as readings tell; an examination decides"
)
_LEVELS = (
    "The levels are the study’s own, one for each label (labels.csv); Loupe sets none. “What counts as "
    f"danger”, on the left, takes other labels for dangers. Study lists them all: “{WHO_SAYS}”"
)
"""The same in full, and where it is said of which label."""
_PLACE = "loupe-place-in-list"
"""Where the case that is open stood in the worklist while it was listed, and in which list."""
_ORDERED: Derived[pd.DataFrame] = Derived()
_SORTED = "loupe-orders-of-lists"
"""Where the session keeps the order that somebody chose for a list, by study, task and list."""
_ASKED = "missed-by-asked"
"""Where a visit keeps by which models danger was asked to be missed, by study and task."""
_CELLS: Derived[tuple[list[Column], bytes]] = Derived()
MOST_HEIGHT = 760
"""In pixels."""
STEPS = {".st-key-walk-next button": 1, ".st-key-walk-previous button": -1}
"""Buttons that step through the worklist."""
NEXT, PREVIOUS, GO_TO = "alt+n", "alt+p", "alt+g"
KEYS = (
    ("Alt+N", "next case"),
    ("Alt+P", "previous case"),
    ("Alt+G", "go to a case"),
    ("↓ and ↑ in the worklist, once a row has been clicked", "the row below, the row above"),
    *review.KEYS,
)
"""Keys of this page, as the buttons show them."""


def show(
    study: Study,
    task: Task,
    aggregation: Aggregation,
    head: DeltaGenerator,
    *,
    on_mark: Callable[[str], None],
) -> tuple[list[str], int]:
    """Draw filters, presets and table; ``on_mark`` is called with the id of a case to be read again.

    Buttons that filter the list and keep its view stand in the ``head`` of the page.

    Returns
    -------
    ids : list of str
        Of the cases that pass, in their order.
    listed : int
        Number of the last thing written about a case that the table knows.
    """
    listing = reviews.listing(study, task.name)
    found, table = listing.reviews, known.table(study, task, aggregation, listing)
    is_point = math.isinf(aggregation.reliability)
    # Places of their own: a line that comes or goes above the list moves nothing, and makes nothing anew.
    marked_at = head.container(key="marked-list")
    with st.container():
        to_save = filters.choose(study, task, table, head)
    with st.container():
        rows, meaning = _chosen(study, task, table, found, marked_at, is_point=is_point)
    ids: list[str] = rows.index.tolist()
    source = provenance(study, task, aggregation) | _which(table)
    conference.offer(to_save, study, task, aggregation, rows, found=found, of=len(table), source=source)
    follow.follow(study, task, ids)
    with st.container():
        if rows.empty:
            bring_back.offer()
    heads = _table(task, rows, signs.behind(ids[:MOST_ROWS], found), on_mark, is_point=is_point)
    with st.container():
        conference.offer_marked(study, task, aggregation, table, rows, found=found, source=source)
    with st.container(key="beneath-list", horizontal=True, wrap=False, gap="small"):
        _about(task, heads, rows, meaning)
        columns.choose(table)
        data_button(name="worklist", table=rows, provenance=source)
    if any(review.history for review in found.values()):
        parts.note(signs.counted(rows, found))
    return ids, listing.last


def _about(task: Task, heads: Sequence[Column], rows: pd.DataFrame, meaning: str) -> None:
    """Say what the letters are, and, folded, what list and columns say, the keys, and who says risk.

    What a column says stands at its head too, for a pointer alone.
    """
    first = f"The first {MOST_ROWS:,} are listed; search or filter to reach the others."
    keys = "; ".join(f"{key} {words}" for key, words in KEYS)
    rules = MISSED_RULES if state.view().preset in OF_MISSED else ""
    lists = presets.above(rows, state.view().preset)
    letters = _LETTERS if task.published_risk is None else _CHOSEN
    st.html(
        '<div class="loupe-text loupe-note loupe-about">'
        + f"<p>{first}</p>" * (len(rows) > MOST_ROWS)
        + f"<p>{escape(letters)}</p>" * (task.has_risk and len(rows) > 0)
        + f"<p>{escape(_DANGER)}</p>" * (any(of.is_danger for of in heads) and len(rows) > 0)
        + "<details><summary>What lists and columns mean, and keys</summary>"
        + "".join(f"<p>{escape(words)}</p>" for words in (meaning, rules) if words)
        + "".join(f"<p>List <b>{escape(name)}</b>: {escape(words)}</p>" for name, words in lists.items())
        + "".join(f"<p><b>{escape(of.title)}</b>: {escape(of.help)}</p>" for of in heads if of.help)
        + f"<p>{escape(_LEVELS)}</p>" * task.has_risk
        + f"<p>{escape(signs.in_words())}</p>"
        + f'<p class="{AT_SCREEN}">A click on a row opens it. {escape(keys)}.</p></details></div>'
    )


def _chosen(
    study: Study,
    task: Task,
    table: pd.DataFrame,
    found: Mapping[str, CaseReview],
    marked_at: DeltaGenerator,
    *,
    is_point: bool,
) -> presets.Listed:
    """Rows that pass the filters and the preset, in the order that is asked for, and what they are."""
    now = state.view()
    models = task.probability_models
    has_models = now.preset in OF_MISSED and len(models) > 0
    by_model = ByModel(models, now.missed_by, lambda said: state.change(missed_by=said))
    rows, meaning = presets.choose(
        # Which model it is is chosen beneath these presets, whose buttons count the dangers of all of them.
        filters.passing(study, task, table, without={"missed_by": ()} if has_models else {}),
        now.preset,
        adopt=_adopt_preset,
        by_model=by_model if has_models else None,
        of=len(table),
        offered=[MARKED] if found and PRESETS[MARKED].keep(table).any() else [],
        marked_at=marked_at,
        is_point=is_point,
        is_sorted=bool(now.sort),
    )
    if now.sort:
        choice = (cache.identity(table), now.sort)
        rows = _ORDERED.of(rows, choice, lambda: ordered(table[table.index.isin(rows.index)], now.sort))
    return presets.Listed(rows, meaning)


def _adopt_preset(name: str) -> None:
    """List what a preset means; which model misses danger is asked in its lists alone, and kept for them.

    So is the order of each list, for whoever comes back to it.
    """
    now = state.view()
    place, asked = (now.study, now.task), st.session_state.setdefault(_ASKED, {})
    sorts: dict[tuple[str, ...], str] = st.session_state.setdefault(_SORTED, {})
    sorts[*place, now.preset] = now.sort
    changed: dict[str, tuple[str, ...]] = {}
    if now.preset in OF_MISSED and name not in OF_MISSED:
        asked[place] = now.missed_by
        changed = {"missed_by": ()}
    elif name in OF_MISSED and now.preset not in OF_MISSED and not now.missed_by:
        changed = {"missed_by": asked.get(place, ())}
    state.change(preset=name, sort=sorts.get((*place, name), ""), **changed)


def _which(table: pd.DataFrame) -> dict[str, str]:
    """Say which cases of a worklist are listed, and in which order."""
    now = state.view()
    is_preset = now.preset in PRESETS and PRESETS[now.preset].suits(table)
    return entries(state.filters()) | ({PRESET: now.preset} if is_preset else {}) | {ORDER: _order(table)}


def _order(table: pd.DataFrame) -> str:
    """Name the order of what is listed of a worklist."""
    now = state.view()
    if now.sort:
        return ORDERS[now.sort].words
    is_preset = now.preset in PRESETS and PRESETS[now.preset].suits(table)
    return PRESETS[now.preset].comes_first(table) if is_preset else ORDERS[usual_order(table)].words


def _table(
    task: Task,
    rows: pd.DataFrame,
    signs: Mapping[int, tuple[str, str]],
    on_mark: Callable[[str], None],
    *,
    is_point: bool,
) -> list[Column]:
    """Draw the rows, of which a click opens a case, and return the heads of their columns."""
    names, missed_by = columns.chosen(rows), state.view().missed_by
    choice = (cache.identity(task), tuple(names), missed_by, is_point)
    heads, sent = _CELLS.of(rows, choice, lambda: _cells(task, rows, names, missed_by, is_point=is_point))
    case_list(
        [Column("Case"), *sorting.sortable(rows, names, heads)],
        sent,
        name="Worklist of cases",
        key="worklist",
        height=MOST_HEIGHT,
        badges=signs,
        chosen=state.view().case,
        on_open=state.choose_case,
        steps=STEPS,
        on_mark=on_mark,
        on_sort=lambda order: sorting.sort_by(order, sorting.in_force(rows)),
        order=state.view().sort,
        of=state.view().preset,
    )
    return heads


def _cells(
    task: Task, rows: pd.DataFrame, names: Sequence[str], missed_by: Sequence[str], *, is_point: bool
) -> tuple[list[Column], bytes]:
    """Heads of the columns; and what stands in each row and how far its bar reaches, as it is sent."""
    shown = rows.head(MOST_ROWS)
    heads, words = columns.cells(shown, names, task, missed_by=missed_by, is_point=is_point)
    shares = [0.0] * len(shown) if is_point else shown["certainty"].fillna(0).round(3).tolist()
    return heads, written(list(zip(shown.index.tolist(), *words, strict=True)), shares)


def walk(study: Study, index: int, ids: list[str]) -> None:
    """Name the opened case, with the way to the one before, the one after, and any other.

    A case that search or filters leave out is said not to be listed.
    """
    case_id = study.case_ids[index]
    is_listed = case_id in ids
    place = ids.index(case_id) if is_listed else _stood_at(case_id)
    if is_listed:
        st.session_state[_PLACE] = (case_id, place, state.view().preset)
    before = ids[place - 1] if 0 < place <= len(ids) else None
    after = dict(enumerate(ids)).get(place + is_listed)
    with st.container(key=f"{AT_SCREEN}-case-up"):
        st.html(f'<button type="button" class="{UP}">↑ Back to the list</button>')
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
    if is_listed:
        follow.way_back()
    else:
        follow.not_listed(ids)


def _stood_at(case_id: str) -> int:
    """Where a case stood that is no longer listed; 0 if it never was. What took its place comes next.

    Of another list than it stood in, the first comes next.
    """
    stood, place, preset = st.session_state.get(_PLACE, ("", 0, ""))
    return int(place) if (stood, preset) == (case_id, state.view().preset) else 0


@st.dialog("Go to a case")
def _go_to(study: Study, ids: list[str]) -> None:
    """Ask for a case by its id or its place in the worklist, and list the keys."""
    focus.into_field("go-to")
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
            parts.note(f"{len(found):,} cases match: {some}. Type more of the id.")
        elif study.whole is not None and find_case(wanted, study.whole.case_ids, []):
            parts.warning(
                f"“{wanted}” is in this study, but not among the cases where {shown(study.condition)}."
            )
        else:
            parts.warning(f"No case of this study is called “{wanted}”.")
    keys = "; ".join(f"{key} {words}" for key, words in KEYS)
    parts.note(f"Keys on this page: {keys}.")


def find_case(wanted: str, case_ids: tuple[str, ...], ids: list[str]) -> list[str]:
    """Return the cases that an id, a part of one, or a place in the worklist (the first is 1) names.

    What begins with a zero, as numbers in ids do, is no place.
    """
    if wanted in case_ids:
        return [wanted]
    if wanted.isdecimal() and not wanted.startswith("0") and 1 <= int(wanted) <= len(ids):
        return [ids[int(wanted) - 1]]
    folded = wanted.casefold()
    exact = [case_id for case_id in case_ids if case_id.casefold() == folded]
    start = [case_id for case_id in case_ids if case_id.casefold().startswith(folded)]
    return exact or start or [case_id for case_id in case_ids if folded in case_id.casefold()]
