"""Search, filters and order of the worklist."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st
from pandas.api.types import is_numeric_dtype
from streamlit.delta_generator import DeltaGenerator

from core.analysis.cases.bars import LEVELS, risk_words
from core.analysis.cases.metadata_words import column_words, is_drawn
from core.analysis.cases.orders import ORDERS, orders_of, usual_order
from core.analysis.cases.percent_ranges import of_hundred_words, percent_words
from core.analysis.cases.presets import OF_MISSED, PRESETS
from core.analysis.cases.search import holds
from core.analysis.cases.select import (
    ANY_MODEL,
    EVERY_MODEL,
    NO_LEADER,
    Filters,
    model_words,
    number_span,
    parse_span,
    select,
)
from core.analysis.cases.worklist import METADATA, PLAUSIBLE, WRONG
from core.analysis.formatting import of_hundred
from core.analysis.tied_labels import labels_listed, labels_named
from core.metrics.risk import HIGH
from core.study.model import Study, Task
from dashboard.components.text import count
from dashboard.shell import reviews, saved_panel, state, widgets
from dashboard.views import parts
from dashboard.views.cases import presets, review_filters, searched

FILTER_WIDTH = 96
MOST_COLUMNS = 12
"""Columns of metadata that can be filtered by in the page."""
MOST_VALUES = 200
"""Different values of such a column; with more, it tells cases apart rather than groups them."""
_NONE = Filters()
_AS_THE_PRESET = ""
"""Order that leaves a preset as it is."""


def choose(study: Study, task: Task, cases: pd.DataFrame, head: DeltaGenerator) -> DeltaGenerator | None:
    """Draw search and order of the list, its filters in the ``head``; what is chosen stands in the view.

    ``cases`` are all of the worklist.

    Where the list can be saved, what is returned is the place of `dashboard.shell.saved_panel.save`.
    """
    now = state.view()
    active = active_filters()
    # With another name it would be another one, and closed. What is on stands below.
    popover = head.popover("Filter", width=FILTER_WIDTH, key="filter", on_change="rerun")
    with head:
        to_save = saved_panel.save(study)
    row = st.container(key="search-row", horizontal=True, wrap=False, gap="small")
    row.text_input(
        "Search",
        placeholder="Search readings, notes …",
        label_visibility="collapsed",
        **widgets.bind("search", now.search),
    )
    orders = orders_of(cases)
    row.selectbox(
        "Order",
        label_visibility="collapsed",
        **widgets.choice(
            "sort",
            now.sort if now.sort or now.preset in PRESETS else usual_order(cases),
            [*([_AS_THE_PRESET] if now.preset in PRESETS else []), *orders],
            words=partial(_order_words, cases),
        ),
    )
    with st.container():
        if now.search.strip():
            left = len(presets.kept(passing(study, task, cases), now.preset))
            searched.show(study, task, left, is_filtered=bool(active_filters()))
    if popover.open:
        with popover:
            if reviews.is_anything_kept():
                review_filters.choose(study, task.name)
                _widgets(study, task, cases)
            else:
                _widgets(study, task, cases)
                review_filters.choose(study, task.name)
            st.button("Clear filters", on_click=clear, disabled=not active)
    # The model that misses danger stands in a box of its own beneath that list.
    is_in_its_box = now.preset in OF_MISSED and len(now.missed_by) == 1 < len(task.probability_models)
    said = active_filters(replace(state.filters(), missed_by=())) if is_in_its_box else active
    if said:
        with st.container(horizontal=True, wrap=False, vertical_alignment="center", gap="small"):
            parts.note(f"Only: {'; '.join(said)}.")
            kept = {"missed_by": now.missed_by} if is_in_its_box else {}
            st.button("Clear", key="clear", type="tertiary", on_click=clear, kwargs=kept)
    return to_save


def _order_words(cases: pd.DataFrame, name: str) -> str:
    """Name an order; without a name what comes first by the preset, in words that no order of its own has."""
    if name:
        return ORDERS[name].words
    first, _, _ = PRESETS[state.view().preset].comes_first(cases).partition(",")
    return f"Usual: {first[:1].lower()}{first[1:]}"


def passing(
    study: Study, task: Task, cases: pd.DataFrame, *, without: Mapping[str, Any] | None = None
) -> pd.DataFrame:
    """Rows of the worklist that pass the search and all filters, but for those that ``without`` takes off."""
    found = searched.found(study, task) if state.view().search.strip() else None
    now = replace(state.filters(), **without or {})
    if now == _NONE:
        return cases
    rows = select(cases, now, found=None if found is None else found.index[holds(found)])
    return review_filters.passing(study, task.name, rows)


def clear(**kept: object) -> None:
    """Take all filters off, the search included, but for those that are ``kept``."""
    state.change(**state.NO_FILTER | kept)


def active_filters(asked: Filters | None = None) -> list[str]:
    """Name each filter that is on, or asked for, in a few words; the search, which has its field, aside."""
    now = state.filters() if asked is None else asked
    words = _label_words(now)
    if now.certainty is not None:
        words.append(f"certainty {percent_words(*now.certainty)}")
    if now.risk_certainty is not None:
        words.append(f"certainty of the risk level {percent_words(*now.risk_certainty)}")
    if now.high_risk is not None:
        words.append(f"danger in {of_hundred_words(*now.high_risk)}")
    if now.could_change:
        words.append("risk could change")
    if now.wrong:
        words.append(f"{_either([model_words(name) for name in now.wrong])} probably wrong")
    if now.missed_by:
        words.append(f"danger missed by {_either([model_words(name) for name in now.missed_by])}")
    if now.readers is not None:
        words.append(_so_many(*now.readers, "reading"))
    if now.labels_named is not None:
        words.append(_so_many(*now.labels_named, "different label"))
    for column in dict.fromkeys(column for column, _ in now.metadata):
        values = [value for name, value in now.metadata if name == column]
        either = _either([value.replace("..", " to ") or "not given" for value in values])
        words.append(f"{column_words(column)} {either}")
    words += review_filters.active(now)
    if now.only:
        words.append(f"the {count(len(now.only), 'case')} that a link names")
    return words


def _label_words(now: Filters) -> list[str]:
    """Say what is asked of the labels that lead, or could."""
    words = []
    if now.label:
        words.append(f"{_either(now.label)} leads")
    if now.plausible:
        words.append(f"{_either(now.plausible)} plausible")
    if now.risk:
        words.append(_either([risk_words(level) for level in now.risk]))
    return words


def _either(names: tuple[str, ...] | list[str]) -> str:
    return " or ".join(names)


def _so_many(low: int, high: int, noun: str) -> str:
    return count(low, noun) if low == high else f"{low} to {count(high, noun)}"


def _widgets(study: Study, task: Task, cases: pd.DataFrame) -> None:
    """Draw what stands in the filter box; only while it is open."""
    now = state.view()
    leading = sorted({*labels_named(cases["leading"], task.labels), *now.label})
    st.multiselect("Leading label", select_all=False, **widgets.choices("label", list(now.label), leading))
    _plausible(task, cases)
    _percent("certainty", "Certainty of the leading label, in %")
    if task.has_risk:
        st.multiselect(
            "Risk of the leading label",
            format_func=lambda level: level if level != NO_LEADER else risk_words(level),
            **widgets.choices("risk", list(now.risk), LEVELS),
        )
        _percent("risk_certainty", "Certainty of the risk level, in %")
        _percent("high_risk", "Danger: in how many of 100 plausible truths a high-risk label leads")
        st.checkbox(
            "Risk could change",
            help=f"A label of another risk leads in {of_hundred(PLAUSIBLE)} or more of 100 plausible truths.",
            **widgets.bind("could_change", now.could_change),
        )
    if task.probability_models:
        st.multiselect(
            "Model wrong",
            format_func=model_words,
            help=f"The model's first label is wrong in {of_hundred(WRONG)} or more of 100 plausible truths.",
            **widgets.choices("wrong", list(now.wrong), [ANY_MODEL, *task.probability_models]),
        )
        if task.has_risk:
            st.multiselect(
                "Danger missed by",
                format_func=model_words,
                help=f"A high-risk label leads in {of_hundred(PLAUSIBLE)} or more of 100 plausible truths, "
                "and the model puts none first.",
                **widgets.choices("missed_by", list(now.missed_by), _missing(task)),
            )
    _span("readers", "Readings of the case", int(cases["readings"].min()), int(cases["readings"].max()))
    if task.kind != "score":
        _span(
            "labels_named",
            "Different labels that are named",
            int(cases["labels"].min()),
            int(cases["labels"].max()),
        )
    _metadata(study, cases)


def _missing(task: Task) -> list[str]:
    """Models that may miss danger: any, every one where there are several, and each."""
    models = task.probability_models
    return [ANY_MODEL, *[EVERY_MODEL] * (len(models) > 1), *models]


def _plausible(task: Task, cases: pd.DataFrame) -> None:
    """Filter by labels that are plausible whatever leads; those of high risk are offered first."""
    chosen = list(state.view().plausible)
    offered = [*labels_listed(cases["plausible"], task.labels), *chosen]
    high = [label for label, risk in zip(task.labels, task.risk, strict=True) if risk == HIGH]
    st.multiselect(
        "Plausible label, leading or not",
        # A part of a name and Enter take the first label that has it, not all.
        select_all=False,
        help=f"It leads in {of_hundred(PLAUSIBLE)} or more of 100 plausible truths. High-risk labels come "
        "first.",
        **widgets.choices(
            "plausible",
            chosen,
            sorted(set(offered), key=lambda label: (label not in high, label)),
            words=lambda label: f"{label}, high risk" if label in high else label,
        ),
    )


def _percent(name: str, title: str) -> None:
    """Slider for a range of percent."""
    _span(name, title, 0, 100, about="The upper end is not included, unless it is 100.")


def _span(name: str, title: str, fewest: int, most: int, *, about: str | None = None) -> None:
    """Slider with two ends for a filter that is a range; at full length the filter is off."""
    if fewest == most:
        return
    low, high = getattr(state.view(), name) or (fewest, most)
    shown = (min(max(low, fewest), most), max(min(high, most), fewest))

    def take(said: tuple[int, int]) -> None:
        state.change(**{name: None if said == (fewest, most) else said})

    # A slider with other ends is another one.
    st.slider(title, fewest, most, help=about, **widgets.bind(f"{name}-{fewest}-{most}", shown, take=take))


def _metadata(study: Study, cases: pd.DataFrame) -> None:
    """Draw a filter for each column of metadata that groups cases.

    What only a simulation knows has one where a link asks for it.
    """
    asked = {column for column, _ in state.view().metadata}
    named = [str(name).removeprefix(METADATA) for name in cases if str(name).startswith(METADATA)]
    columns = [column for column in named if column in asked or not is_drawn(study, column)]
    drawn, folded = 0, []
    for column in columns:
        values = cases[f"{METADATA}{column}"]
        draw = _number if is_numeric_dtype(values) else _values
        if drawn < MOST_COLUMNS and draw(column, values):
            drawn += 1
        elif len(values.unique()) > 1:
            folded.append(column)
    if folded:
        others = ", ".join(map(column_words, folded[:MOST_COLUMNS])) + (
            " …" if len(folded) > MOST_COLUMNS else ""
        )
        parts.note(
            f"No filter for {count(len(folded), 'column')} with more than {MOST_VALUES} values or beyond the "
            f"first {MOST_COLUMNS}: {others}."
        )


def _values(column: str, values: pd.Series) -> bool:
    """Filter by values of a column of text; false where it has only one, or too many."""
    options = sorted(values.astype(str).unique())
    chosen = [value for name, value in state.view().metadata if name == column]
    if not 1 < len(options) <= MOST_VALUES and not chosen:
        return False
    st.multiselect(
        column_words(column),
        format_func=lambda value: value or "not given",
        **widgets.choices(
            f"metadata-{column}",
            chosen,
            sorted({*options, *chosen}),
            take=lambda said: _take(column, [(column, value) for value in said]),
        ),
    )
    return True


def _number(column: str, values: pd.Series) -> bool:
    """Filter by a range of a column of numbers; false where it has only one value."""
    low, high = float(values.min()), float(values.max())
    if not low < high:
        return False
    wanted = [value for name, value in state.view().metadata if name == column]
    start, end = parse_span(wanted[-1]) if wanted else (low, high)
    shown = (min(max(start, low), high), max(min(end, high), low))
    st.slider(
        column_words(column),
        low,
        high,
        **widgets.bind(
            f"metadata-{column}-{low}-{high}",
            shown,
            take=lambda said: _take(column, [] if said == (low, high) else [(column, number_span(*said))]),
        ),
    )
    return True


def _take(column: str, pairs: list[tuple[str, str]]) -> None:
    """Take over what is asked of one column of metadata."""
    others = tuple(pair for pair in state.view().metadata if pair[0] != column)
    state.change(metadata=(*others, *pairs))
