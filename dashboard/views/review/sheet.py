"""A round on paper: the sheet to be filled in, and the way back."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from core.analysis.file_names import slug
from core.analysis.round_page import round_page
from core.analysis.round_sheet import HOW, read_sheet, sheet_csv
from core.reviews.rounds import Round, reader_name
from core.study.model import Study
from core.study.problems import Problem, StudyError
from core.study.reading.scratch import scratch_folder
from dashboard.components.text import count
from dashboard.shell import reviews
from dashboard.shell.author import author
from dashboard.views import parts

_SAID, _PROBLEMS = "loupe-sheet-said", "loupe-sheet-problems"
_SHEET, _BROUGHT = "round-sheet", "loupe-sheets-brought"


@parts.folded("Read on paper, or in a spreadsheet", key="on-paper")
def offer(study: Study, of: Round, name: str) -> None:
    """Give the cases that somebody has still to read as a sheet, and bring it back filled in."""
    _sheet(study, of, name, "The cases you have still to read, as")


@parts.folded("Hand the round out, on paper or as a table", key="hand-out", opened=True)
def hand_out(study: Study, of: Round) -> None:
    """Give each reader of a round a sheet, and bring it back filled in."""
    name = of.readers[0]
    if len(of.readers) > 1:
        name = st.selectbox("For", of.readers, key=f"round-sheet-for-{of.id}", width=320)
    _sheet(study, of, name, f"The cases that {name} has still to read, as")


def _sheet(study: Study, of: Round, name: str, words_before: str) -> None:
    """Offer the sheet of a reader, and the way back."""
    stem = f"{slug(study.name)}-{slug(of.name)}-{slug(name)}"
    with st.container(horizontal=True, vertical_alignment="center"):
        parts.note(words_before)
        for words, content, ending, mime in (
            ("a table to fill in", sheet_csv(of, reader=name), "csv", "text/csv"),
            ("a page to print", round_page(of, study, reader=name), "html", "text/html"),
        ):
            st.download_button(words, content, file_name=f"{stem}.{ending}", mime=mime, on_click="ignore")
    said = st.session_state.pop(_SAID, "")
    if said:
        parts.note(said)
    problems: tuple[Problem, ...] = st.session_state.pop(_PROBLEMS, ())
    if problems:
        parts.warning(f"Nothing was kept: {count(len(problems), 'problem')} in the sheet.")
        parts.problem_table(problems, of="the sheet")
    parts.note(f"{HOW[study.tasks[of.task].kind]} Confidence, if you state one, is a number from 0 to 1.")
    key = f"{_SHEET}-{st.session_state.get(_BROUGHT, 0)}"
    upload = st.file_uploader(f"The sheet, filled in by {name}", type="csv", key=key)
    st.button("Bring it in", disabled=upload is None, on_click=_bring_in, args=(study, of, name, key))


def _bring_in(study: Study, of: Round, name: str, key: str) -> None:
    """Keep what the sheet says; nothing, if anything is wrong. What was brought in leaves the field."""
    upload = st.session_state.get(key)
    if upload is None:
        return
    try:
        with scratch_folder() as folder:
            path = folder / Path(upload.name).name
            path.write_bytes(upload.getvalue())
            found = read_sheet(path, study, reviews.journal(study).rounds(), name, name=of.name)
        reviews.write(study, *found.events, own=name == reader_name(author() or ""))
    except StudyError as error:
        st.session_state[_PROBLEMS] = error.problems
    except (ValueError, RuntimeError, OSError) as error:
        st.session_state[_PROBLEMS] = (Problem("sheet.csv", str(error), "Mend it and bring it in again."),)
    else:
        known = f", {found.n_known:,} known already" if found.n_known else ""
        empty = f", {count(found.n_empty, 'case')} left empty" if found.n_empty else ""
        st.session_state[_BROUGHT] = st.session_state.get(_BROUGHT, 0) + 1
        st.session_state[_SAID] = f"{count(len(found.events), 'reading')} kept{known}{empty}."
