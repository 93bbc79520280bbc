"""Cases on paper, for a case conference: the listed ones beneath what saves the view, and all marked ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.cases.presets import MARKED, PRESETS, list_name, listed_in_words
from core.analysis.cases.reviewed import signed_notes_of
from core.analysis.file_names import ORDER, PRESET, file_stem
from core.plausibility.settings import Aggregation
from core.reviews.state import CaseReview
from core.study.model import Study, Task
from dashboard.components.note import made_on, offered
from dashboard.components.text import count, element
from dashboard.shell import state, waiting
from dashboard.views import parts
from dashboard.views.cases import filters

TITLE = "List for a conference"


def offer(
    place: DeltaGenerator | None,
    study: Study,
    task: Task,
    aggregation: Aggregation,
    rows: pd.DataFrame,
    *,
    found: Mapping[str, CaseReview],
    of: int,
    source: Mapping[str, str],
) -> None:
    """Offer the listed ``rows``, ``of`` so many cases, to be printed; without a place nothing is made.

    ``found`` is what was written about them. ``source`` says what made them, in which order they stand, and
    so what the files are called.
    """
    if place is None:
        return
    with place:
        element("p", TITLE, role="strong")
        if rows.empty:
            parts.note("No case is listed.")
            return
        every = tuple(_listed(rows, of, source[ORDER]))
        rows, only, case = _taken(rows)
        of_case = {"case": case} if case else {}
        _sheet(
            study, task, aggregation, rows, (*every, *only), found, {**source, **of_case}, key="conference"
        )


def offer_marked(
    study: Study,
    task: Task,
    aggregation: Aggregation,
    cases: pd.DataFrame,
    *,
    found: Mapping[str, CaseReview],
    source: Mapping[str, str],
) -> None:
    """Offer all marked ``cases`` of a worklist to be printed, whatever is listed; nothing where none is.

    ``found`` is what was written about them, and ``source`` says what made them.
    """
    preset = PRESETS[MARKED]
    rows = preset.apply(cases)
    if rows.empty:
        return
    words = f"{len(rows):,} marked: sheet to print"
    popover = st.popover(words, icon=":material/print:", key="print-marked", on_change="rerun")
    if not popover.open:
        return
    order = preset.comes_first(cases)
    listed = (f"{preset.short}: {listed_in_words(len(rows), len(cases), order)}", preset.meaning)
    source = {**source, PRESET: MARKED, ORDER: order}
    with popover:
        _sheet(study, task, aggregation, rows, listed, found, source, key="conference-marked")


def _sheet(
    study: Study,
    task: Task,
    aggregation: Aggregation,
    rows: pd.DataFrame,
    listed: tuple[str, ...],
    found: Mapping[str, CaseReview],
    source: Mapping[str, str],
    *,
    key: str,
) -> None:
    """Offer ``rows`` as a sheet to print, or as text, and say what stands on it."""
    # It is needed only where the box is open.
    from core.analysis.cases.conference import MOST_CASES, conference_note

    if waits := waiting.words():
        parts.warning(f"{waits} It is not on the list until you give it.")
    few = f"{count(len(rows), 'case')}, each" if len(rows) > 1 else "the case"
    first = f"the first {MOST_CASES} cases, each" if len(rows) > MOST_CASES else few
    parts.note(
        f"For paper: {first} with label, danger, where accuracy misleads, what the files say, readings, how "
        "firm it is, what is useful next, flags, notes and a line to write on."
    )
    signed = {case: signed_notes_of(found[case]) for case in rows.index[:MOST_CASES] if case in found}
    note = conference_note(study, task, aggregation, rows, listed=listed, made_on=made_on(), signed=signed)
    stem = file_stem("cases", "conference", source)
    offered(note, key=key, stem=stem, paper="For paper of A4, several cases on a page.")


def _taken(rows: pd.DataFrame) -> tuple[pd.DataFrame, tuple[str, ...], str]:
    """Let the listed ``rows`` be taken, the marked ones, or the case that is open alone.

    Returns
    -------
    rows : DataFrame
        Those that are taken.
    said : tuple of str
        Which they are, where others are listed too.
    case : str
        Id of the one that is taken alone; empty where it is not.
    """
    from core.analysis.cases.conference import MOST_CASES

    preset, opened = PRESETS[MARKED], state.view().case or str(rows.index[0])
    marked = rows[preset.keep(rows)] if preset.suits(rows) else rows
    is_long = len(rows) > MOST_CASES
    options = {
        "listed": f"The first {MOST_CASES} of {len(rows):,}" if is_long else f"All {len(rows):,} listed"
    }
    if 0 < len(marked) < len(rows):
        options["marked"] = f"The {len(marked):,} marked"
    if len(rows) > 1 and opened in rows.index:
        options["open"] = f"{opened} alone"
    if len(options) == 1:
        return rows, (), ""
    # Who marks cases wants a list of these.
    which = st.radio(
        "Which cases",
        [*options],
        index=int("marked" in options),
        key="conference-which",
        format_func=options.__getitem__,
        horizontal=True,
        label_visibility="collapsed",
    )
    if which == "marked":
        meant = f"{preset.meaning[0].lower()}{preset.meaning[1:]}"
        return marked, (f"Of these only {count(len(marked), 'marked case')}: {meant}",), ""
    if which == "open":
        return rows.loc[[opened]], (f"Of these only {opened}.",), opened
    return rows, (), ""


def _listed(rows: pd.DataFrame, of: int, order: str) -> Iterator[str]:
    """Say what is listed: which list, of how many cases, in which order, what it means, and what else."""
    now = state.view()
    preset = PRESETS.get(now.preset)
    is_preset = preset is not None and preset.suits(rows)
    listed = listed_in_words(len(rows), of, order)
    yield f"{list_name(now.preset)}: {listed}" if is_preset else listed
    if preset is not None and is_preset:
        yield preset.meaning
    if now.search.strip():
        yield f"Search: {now.search.strip()}"
    only = filters.active_filters()
    if only:
        yield f"Only: {'; '.join(only)}."
