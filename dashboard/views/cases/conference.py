"""Cases on paper, for a case conference: the listed ones above what saves the view, and all marked ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.cases.presets import MARKED, PRESETS, list_name, listed_in_words
from core.analysis.cases.reviewed import is_marked_by
from core.analysis.file_names import ORDER, PRESET, file_stem, slug
from core.plausibility.settings import Aggregation
from core.reviews.state import CaseReview
from core.study.model import Study, Task
from dashboard.components.note import made_on, offered
from dashboard.components.text import count, element
from dashboard.shell import state, waiting
from dashboard.shell.author import author
from dashboard.views import parts
from dashboard.views.cases import filters

TITLE = "List for a conference"
FEW = 10
"""Cases for whoever is asked to look at some first."""
MOST_STUDY, MOST_LIST = 24, 32
"""Characters of a study and of a list in the name of a file."""


class _Taken(NamedTuple):
    """What stands on a sheet.

    Attributes
    ----------
    rows : DataFrame
        Its cases, in their order.
    said : tuple of str
        Which these are, in sentences; the first matters most.
    name : str
        The same in the name of a file.
    """

    rows: pd.DataFrame
    said: tuple[str, ...]
    name: str


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
        taken = _taken(rows, tuple(_listed(rows, of, source[ORDER])))
        _sheet(study, task, aggregation, taken, found, source, key="conference")


def offer_marked(
    study: Study,
    task: Task,
    aggregation: Aggregation,
    cases: pd.DataFrame,
    rows: pd.DataFrame,
    *,
    found: Mapping[str, CaseReview],
    source: Mapping[str, str],
) -> None:
    """Offer the marked ones of all ``cases`` to be printed, whatever is listed; nothing where none is.

    ``rows`` are those that are listed, in their order. ``found`` is what was written about the cases, and
    ``source`` says what made the list and in which order it stands.
    """
    marked = PRESETS[MARKED].apply(cases)
    if marked.empty:
        return
    here = rows[rows.index.isin(marked.index)]
    in_all = " in all" if len(here) < len(marked) else ""
    popover = st.popover(
        f"{len(marked):,} marked{in_all}: sheet to print",
        icon=":material/print:",
        key="print-marked",
        on_change="rerun",
    )
    if not popover.open:
        return
    with popover:
        of_list = tuple(_listed(rows, len(cases), source[ORDER])) if in_all else ()
        taken = _taken_of_marked(marked, here, cases, found, source[ORDER], of_list)
        _sheet(study, task, aggregation, taken, found, source, key="conference-marked")


def _sheet(
    study: Study,
    task: Task,
    aggregation: Aggregation,
    taken: _Taken,
    found: Mapping[str, CaseReview],
    source: Mapping[str, str],
    *,
    key: str,
) -> None:
    """Offer what is ``taken`` as a sheet to print, or as text, and say what stands on it."""
    # It is needed only where the box is open.
    from core.analysis.cases.conference import MOST_CASES, conference_note

    rows = taken.rows
    if waits := waiting.words():
        parts.warning(f"{waits} It is not on the list until you give it.")
    few = f"{count(len(rows), 'case')}, each" if len(rows) > 1 else "the case"
    first = f"the first {MOST_CASES} cases, each" if len(rows) > MOST_CASES else few
    parts.note(
        f"For paper: {first} with its label, danger and readings, where accuracy misleads, what the files "
        "say, how stable the answer is, what would be useful next, flags, notes and a line to write on."
    )
    is_taught = st.toggle(
        "For teaching: readings first, answers on a page after them",
        key=f"{key}-taught",
        help="What the models say, what leads, and what is useful next come after all cases.",
    )
    note = conference_note(
        study,
        task,
        aggregation,
        rows,
        listed=taken.said,
        made_on=made_on(),
        found=found,
        answers_last=is_taught,
    )
    name = f"teaching {taken.name}" if is_taught else taken.name
    named = {"study": slug(study.name, MOST_STUDY), PRESET: slug(name, MOST_LIST)}
    stem = file_stem("", "conference", named | {"reliability": source.get("reliability", "")})
    offered(note, key=key, stem=stem, paper="For A4 paper, several cases to a page.")


def _taken_of_marked(
    marked: pd.DataFrame,
    here: pd.DataFrame,
    cases: pd.DataFrame,
    found: Mapping[str, CaseReview],
    order: str,
    of_list: tuple[str, ...],
) -> _Taken:
    """Let all ``marked`` cases be taken, those of the list (``here``), or those of whoever prints them.

    Where the list has them all they stand in its order; else ``of_list`` says what it is.
    """
    preset, name = PRESETS[MARKED], author() or ""
    own = marked[[case in found and is_marked_by(found[case], name) for case in marked.index]]
    options = {"all": f"All {len(marked):,} marked"}
    if 0 < len(here) < len(marked):
        options["listed"] = f"The {len(here):,} marked of this list"
    if 0 < len(own) < len(marked) and {*own.index} != {*here.index}:
        options["own"] = f"The {len(own):,} I marked"
    # Who has a list open wants what is marked of it.
    which = _asked(options, "listed" if "listed" in options else "all", key="marked-which")
    if which == "listed":
        return _marked_of(here, of_list)
    rows, first = (here, order) if len(here) == len(marked) else (marked, preset.comes_first(cases))
    if which == "own":
        rows = rows[rows.index.isin(own.index)]
    by = f" by {name}" if which == "own" else ""
    words = f"{preset.short}{by}: {listed_in_words(len(rows), len(cases), first)}"
    return _Taken(rows, (words, preset.meaning), f"{preset.short}{by}")


def _taken(rows: pd.DataFrame, said: tuple[str, ...]) -> _Taken:
    """Let the listed ``rows`` be taken, the marked ones, or the case that is open alone.

    ``said`` is what is listed.
    """
    from core.analysis.cases.conference import MOST_CASES

    preset, opened = PRESETS[MARKED], state.view().case or str(rows.index[0])
    marked = rows[preset.keep(rows)] if preset.suits(rows) else rows
    is_long = len(rows) > MOST_CASES
    options = {
        "listed": f"The first {MOST_CASES} of {len(rows):,}" if is_long else f"All {len(rows):,} listed"
    }
    if len(rows) > FEW:
        options["few"] = f"The first {FEW}"
    if 0 < len(marked) < len(rows):
        options["marked"] = f"The {len(marked):,} marked"
    if len(rows) > 1 and opened in rows.index:
        options["open"] = f"{opened} alone"
    # Who marks cases wants a list of these.
    which = _asked(options, "marked" if "marked" in options else "listed", key="conference-which")
    if which == "marked":
        return _marked_of(marked, said)
    if which == "few":
        return _Taken(rows.head(FEW), (f"Only the first {FEW} of the list.", *_the_list(said)), _list_name())
    if which == "open":
        return _Taken(rows.loc[[opened]], (f"Only {opened} of the list.", *_the_list(said)), opened)
    return _Taken(rows, said, _list_name())


def _asked(options: Mapping[str, str], usual: str, *, key: str) -> str:
    """Ask which of the cases to take; where there is no choice nothing is asked."""
    if len(options) == 1:
        return usual
    return st.radio(
        "Which cases",
        [*options],
        index=[*options].index(usual),
        key=key,
        format_func=options.__getitem__,
        horizontal=True,
        label_visibility="collapsed",
    )


def _marked_of(rows: pd.DataFrame, said: tuple[str, ...]) -> _Taken:
    """The marked ``rows`` of the list that is ``said``, in its order."""
    preset = PRESETS[MARKED]
    meant = f"{preset.meaning[0].lower()}{preset.meaning[1:]}"
    words = f"Only {count(len(rows), 'marked case')} of the list: {meant}"
    return _Taken(rows, (words, *_the_list(said)), f"{preset.short} {_list_name()}")


def _the_list(said: tuple[str, ...]) -> tuple[str, ...]:
    """What a list is, where a part of it is named before."""
    return f"The list: {said[0]}", *said[1:]


def _list_name() -> str:
    """Name what is listed, in few words: the ready-made list, and what was searched for."""
    now = state.view()
    return f"{list_name(now.preset) if now.preset in PRESETS else ''} {now.search}".strip()


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
