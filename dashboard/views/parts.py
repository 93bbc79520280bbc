"""Parts that several pages share: headings, facts, what to do where there is nothing to show."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from html import escape
from typing import Any, Literal, ParamSpec, TypeVar

import streamlit as st

from core.study.model import RISK_NAMES
from core.study.problems import Problem
from dashboard.components.picture import KEPT
from dashboard.components.text import count, element, fold_html, table
from dashboard.shell import widgets
from dashboard.shell.jobs import Job
from dashboard.shell.progress import start, watch
from dashboard.shell.sidebar import Chosen

P = ParamSpec("P")
T = TypeVar("T")

TIES = {"split": "its ties split", "first label": "of tied labels the study’s first"}
"""What a point estimate does with labels that lead alike, by `core.plausibility.settings.TieRule`."""
MOST_PROBLEMS = 100
"""Problems listed on a page; the command ``loupe check`` lists all."""


def note(text: str, *, at_screen: str = "") -> None:
    """Write a secondary line, and behind it what is for those at the screen alone."""
    element("p", text, role="note", at_screen=at_screen)


def folded_note(summary: str, text: str) -> None:
    """Write a secondary line that unfolds."""
    st.html(fold_html(summary, f"<p>{escape(text)}</p>", role="note loupe-about"))


def warning(text: str) -> None:
    """Write what has to be noticed."""
    element("p", text, role="warning")


def unsaved(text: str) -> None:
    """Write what is lost unless something is done."""
    element("p", text, role="warning loupe-unsaved")


def sentence(text: str) -> None:
    """Write what a page or a panel comes to."""
    element("p", text, role="sentence")


def head(text: str) -> None:
    """Write the heading of a panel."""
    element("h2", text)


def risk_key(text: str) -> None:
    """Say what the colours and letters of risk levels stand for."""
    levels = "".join(
        f'<span><b data-level="{name[0].upper()}" aria-hidden="true">{name[0].upper()}</b> {name}</span>'
        for name in RISK_NAMES
    )
    st.html(f'<p class="loupe-text loupe-note loupe-key">{escape(text)} {levels}</p>')


def marks_key(marks: Sequence[tuple[str, str]]) -> None:
    """Say what the marks of a picture stand for: styles of `dashboard.charts`, each with its words."""
    items = "".join(
        f'<span><i style="{style}" aria-hidden="true"></i>{escape(words)}</span>' for style, words in marks
    )
    st.html(f'<p class="loupe-text loupe-note loupe-key">{items}</p>')


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


def unfold(key: str) -> None:
    """Have a panel of `folded` stand open when it is drawn next, on another page."""
    st.session_state[key] = True


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


def result_of(
    job: Job[T], *, what: str, key: str, quiet: bool = False, also: Sequence[Job[Any]] = ()
) -> T | None:
    """Return the result of long work; until then start it, show how far it is, and return None.

    ``quiet`` and ``also`` are those of `dashboard.shell.progress.watch`.
    """
    if job.result is None and not job.begun:
        job.start()
    # Its place stays when it has ended: the browser takes a widget that moves for another, and a person at
    # it loses what was typed.
    with st.container():
        if job.result is not None:
            return job.result
        if job.running:
            watch(job, what, key=key, quiet=quiet, also=also)
        elif job.failure:
            note(f"{what}: {job.failure.rstrip('.')}.")
            if job.stopped:
                st.button("Start again", key=f"start-{key}", on_click=start, args=(job,))
    return job.result


def refused(chosen: Chosen) -> None:
    """Say why a study cannot be shown and what to do next."""
    element("h1", "This study needs mending")
    again = "drop them once more on the page Study" if chosen.source.folder is None else "reload this page"
    # What may be worth a look is told once the study is open.
    errors = tuple(one for one in chosen.problems if one.severity == "error")
    element(
        "p",
        f"{chosen.source.title} was not opened: {count(len(errors), 'problem')} found, nothing was "
        "guessed or dropped. Each line says what is wrong and how to put it right. Correct the files and "
        f"{again}, or choose another study on the left.",
    )
    problems(errors)


def problems(found: Sequence[Problem]) -> None:
    """Show problems or warnings of a study as a table."""
    problem_table(found, of="the study")
    if len(found) > MOST_PROBLEMS:
        note(f"The first {MOST_PROBLEMS} of {len(found):,}; the command loupe check lists all.")


def problem_table(problems: Sequence[Problem], *, of: str) -> None:
    """Show the first problems of something: where, what is wrong, how to mend it."""
    rows = [(_place(problem), problem.what, problem.mend) for problem in problems[:MOST_PROBLEMS]]
    table(["Where", "What is wrong", "How to mend it"], rows, name=f"Problems of {of}")


def _place(problem: Problem) -> str:
    """File, row and column, as far as they are known."""
    row = "" if problem.row is None else f"row {problem.row}"
    column = f"column {problem.column}" if problem.column else ""
    return ", ".join(part for part in (problem.file, row, column) if part)
