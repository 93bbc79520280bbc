"""Parts that several pages share: headings, facts, what to do where there is nothing to show."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from html import escape
from typing import Any, Literal, ParamSpec, TypeVar

import streamlit as st

from core.study.problems import Problem
from dashboard.components.picture import KEPT
from dashboard.components.text import count, element, table
from dashboard.shell import studies, widgets
from dashboard.shell.jobs import Job
from dashboard.shell.progress import start, watch
from dashboard.shell.sidebar import Chosen

P = ParamSpec("P")
T = TypeVar("T")

TIES = {"split": "its ties split", "first label": "of tied labels the study’s first"}
"""What a point estimate does with labels that lead alike, by `core.plausibility.settings.TieRule`."""
_ASKED = "loupe-asked-for-another-study"
_PATH, _REFUSED = "folder-to-open", "loupe-folder-refused"
MOST_PROBLEMS = 100
"""Problems listed on a page; the command ``loupe check`` lists all."""


def note(text: str) -> None:
    """Write a secondary line."""
    element("p", text, role="note")


def warning(text: str) -> None:
    """Write what has to be noticed."""
    element("p", text, role="warning")


def sentence(text: str) -> None:
    """Write what a page or a panel comes to."""
    element("p", text, role="sentence")


def head(text: str) -> None:
    """Write the heading of a panel."""
    element("h2", text)


def facts(pairs: Sequence[tuple[str, str]]) -> None:
    """Show a line of numbers, each above what it counts."""
    items = "".join(f"<div><dd>{escape(value)}</dd><dt>{escape(words)}</dt></div>" for value, words in pairs)
    st.html(f'<dl class="loupe-facts">{items}</dl>')


def folded(title: str, *, key: str, opened: bool = False) -> Callable[[Callable[P, None]], Callable[P, None]]:
    """Decorate what draws a panel: it stands folded, or ``opened``, and is drawn only while it is open."""

    def decorate(draw: Callable[P, None]) -> Callable[P, None]:
        @wraps(draw)
        def show(*given: P.args, **named: P.kwargs) -> None:
            panel = st.expander(
                title, expanded=opened or KEPT in st.session_state, key=key, on_change="rerun"
            )
            if panel.open:
                with panel:
                    draw(*given, **named)

        return show

    return decorate


def beside(
    *panels: Callable[[], object],
    widths: Sequence[int] | None = None,
    gap: Literal["medium", "large"] = "large",
) -> list[Any]:
    """Draw panels side by side, and return what they give."""
    given = []
    for column, draw in zip(st.columns(widths or len(panels), gap=gap), panels, strict=True):
        with column:
            given.append(draw())
    return given


def share_input(label: str, **more: Any) -> float | None:
    """Offer a field for a share from 0 to 1."""
    return st.number_input(label, min_value=0.0, max_value=1.0, step=0.01, **more)


def share_slider(label: str, field: str, steps: Sequence[float], now: float, **more: Any) -> float:
    """Offer steps of a share; a link may name any other, in the field of the view."""
    share: float = st.select_slider(
        label,
        sorted({*steps, now}),
        format_func=lambda share: f"{share * 100:.3g} %",
        **more,
        **widgets.bind(field, now),
    )
    return share


def result_of(job: Job[T], *, what: str, key: str) -> T | None:
    """Return the result of long work; until then start it, show how far it is, and return None."""
    if job.result is None and not job.begun:
        job.start()
    # Its place stays when it has ended: the browser takes a widget that moves for another, and a person at
    # it loses what was typed.
    with st.container():
        if job.result is not None:
            return job.result
        if job.running:
            watch(job, what, key=key)
        elif job.failure:
            note(f"{what}: {job.failure.rstrip('.')}.")
            if job.stopped:
                st.button("Start again", key=f"start-{key}", on_click=start, args=(job,))
    return job.result


def refused(chosen: Chosen) -> None:
    """Say why a study cannot be shown and what to do next."""
    element("h1", "This study needs mending")
    element(
        "p",
        f"{chosen.source.title} was not opened: {count(len(chosen.problems), 'problem')} found, nothing was "
        "guessed or dropped. Each line says what is wrong and how to put it right. Correct the files and "
        "reload this page, or choose another study on the left.",
    )
    problems(chosen)


def problems(chosen: Chosen) -> None:
    """Show problems or warnings as a table."""
    rows = [(_place(problem), problem.what, problem.mend) for problem in chosen.problems[:MOST_PROBLEMS]]
    table(["Where", "What is wrong", "How to mend it"], rows, name="Problems of the study")
    if len(chosen.problems) > MOST_PROBLEMS:
        note(f"The first {MOST_PROBLEMS} of {len(chosen.problems):,}; the command loupe check lists all.")


def _place(problem: Problem) -> str:
    """File, row and column, as far as they are known."""
    row = "" if problem.row is None else f"row {problem.row}"
    column = f"column {problem.column}" if problem.column else ""
    return ", ".join(part for part in (problem.file, row, column) if part)


def ask_for_another(asked: bool) -> None:
    """Have the place where studies are opened on top and unfolded, until one is opened there; or no more."""
    st.session_state[_ASKED] = asked


def is_asked_for_another() -> bool:
    """Whether somebody came to open another study."""
    return st.session_state.get(_ASKED, False)


def open_another() -> None:
    """Let a folder on this computer or an upload be opened."""
    with st.expander("Open another study", expanded=is_asked_for_another()):
        note(
            "A study is a folder of tables. One is enough: annotations.csv with the columns case_id, "
            "rater_id and label, a row for each reading. The command “loupe check FOLDER” says what is wrong "
            "with it; “Bring your own data” in the README names all tables and columns."
        )
        with st.form("open-folder", border=False):
            left, right = st.columns([5, 1], vertical_alignment="bottom")
            path = left.text_input("Folder on this computer", placeholder="/path/to/study", key=_PATH)
            # A run that is overtaken may never come as far as this button; what is called is called first.
            right.form_submit_button("Open folder", width="stretch", on_click=_open_folder)
        tried, why = st.session_state.get(_REFUSED, ("", ""))
        if why and path.strip() == tried:
            warning(why)
        upload = st.file_uploader(
            "Or a zip file of a study folder; it stays in the memory of this computer until Loupe ends",
            type="zip",
            key="upload",
        )
        if upload is not None and st.session_state.get("loupe-upload") != upload.file_id:
            _open(studies.add_upload(upload.name, upload.getvalue()))
            st.session_state["loupe-upload"] = upload.file_id
            st.rerun()


def _open_folder() -> None:
    """Switch to the study in the folder that was named, or keep why there is none."""
    path = st.session_state[_PATH].strip()
    try:
        source = studies.add_folder(path)
    except ValueError as why:
        st.session_state[_REFUSED] = (path, str(why))
    else:
        st.session_state.pop(_REFUSED, None)
        _open(source)


def _open(source: studies.Source) -> None:
    """Switch to a study."""
    from dashboard.shell import state

    ask_for_another(False)
    state.change(study=source.key)
