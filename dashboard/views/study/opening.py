"""Pictures whose bars open the cases that they count: by a click, or from a menu beside the caption."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import pandas as pd
import streamlit as st

from core.analysis.cases.bars import Bars
from core.analysis.cases.orders import ordered, usual_order
from core.analysis.cases.presets import PRESETS
from core.analysis.cases.select import Filters, select
from core.analysis.cases.worklist import with_labels
from dashboard.charts.figure import Figure
from dashboard.charts.study.opening import OPENS, SAID
from dashboard.components.picture import Answers, Caption, picture
from dashboard.components.text import count, unmarked
from dashboard.shell import state
from dashboard.shell.address import filters_text, read_filters


def show(
    cases: pd.DataFrame,
    bars: Bars,
    draw: Callable[[pd.DataFrame], Figure],
    *,
    name: str,
    alternative: str,
    caption: str | Caption,
    table: pd.DataFrame,
    provenance: Mapping[str, str],
) -> None:
    """Show a picture of bars; ``draw`` takes their table with what each opens, the rest is `picture`'s."""
    links, said, offered = _said(bars)
    # A browser that comes back to this page says again what was clicked: of the pictures of that time.
    key = f"chart-{name}--{state.times_led()}"
    figure = draw(bars.table.assign(**{OPENS: links, SAID: said}))
    picture(
        figure,
        name=name,
        alternative=alternative,
        caption=caption,
        table=table,
        provenance=provenance,
        selections=Answers(
            tuple(of["name"] for of in figure.spec["params"]),
            partial(_open_clicked, cases, key),
            partial(_menu, cases, offered, name),
            key,
        ),
    )


def menu(cases: pd.DataFrame, bars: Bars, name: str) -> Answers:
    """What a picture answers to that counts no cases itself: a menu alone, of what ``bars`` count."""
    return Answers((), offer=partial(offer, cases, bars, name))


def offer(cases: pd.DataFrame, bars: Bars, name: str, preset: str = "") -> None:
    """Offer the cases that each of some ``bars`` counts where none is drawn, as beneath a table.

    With a ``preset`` the ``cases`` are those of its list, in which they open.
    """
    _menu(cases, {unmarked(words): link for words, link in _said(bars)[2].items()}, name, preset)


def _said(bars: Bars) -> tuple[list[str], list[str], dict[str, str]]:
    """Link of each bar, what it says, and the links by what is said of those that have a case."""
    links = [filters_text(filters) for filters in bars.filters]
    cases = bars.table["cases"]
    said = [f"{words}: {count(n, 'case')}" for words, n in zip(bars.table["words"], cases, strict=True)]
    return links, said, {words: link for words, link, n in zip(said, links, cases, strict=True) if n}


def _open_clicked(cases: pd.DataFrame, key: str) -> None:
    """Open the cases of the bar that is clicked in a chart."""
    selection = st.session_state[key]["selection"]
    for row in (row for rows in selection.values() for row in rows):
        _open(cases, row.get(OPENS))


def _menu(cases: pd.DataFrame, offered: dict[str, str], name: str, preset: str = "") -> None:
    """Offer the same by keyboard: what each bar says, and opens."""
    if offered:
        key = f"open-bars-{name}"
        st.menu_button(
            "Show cases",
            list(offered),
            key=key,
            type="tertiary",
            on_click=lambda: _open(cases, offered.get(str(st.session_state[key])), preset),
        )


def lead_to_any(cases: pd.DataFrame, offered: Mapping[str, Filters], preset: str, wanted: str) -> None:
    """Go to those of the ``cases`` that are ``offered`` under what is ``wanted``, if any are.

    The browser is not trusted to send one of the names.
    """
    if wanted in offered:
        _lead_to(cases, offered[wanted], preset)


def _open(cases: pd.DataFrame, link: object, preset: str = "") -> None:
    """Go to Cases with the filters of a bar, and a ``preset``; the browser is not trusted to send any."""
    filters = read_filters(link) if isinstance(link, str) else None
    if filters is not None:
        _lead_to(cases, filters, preset)


def _lead_to(cases: pd.DataFrame, filters: Filters, preset: str) -> None:
    """Go to these on Cases.

    The first is named: an address that a page has to complete is one more to go back through.
    """
    # As the list there has them: those of a label begin where it leads most often.
    of = with_labels(select(cases, filters), filters.plausible)
    first = (PRESETS[preset].apply(of) if preset else ordered(of, usual_order(cases))).index[:1]
    opened = {"preset": preset, "case": "".join(first)}
    state.lead_to("cases", **state.ALL_CASES | vars(filters) | opened)
