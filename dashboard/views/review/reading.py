"""A case of a round, read again: what is seen of it, and what the reader says."""

from __future__ import annotations

import streamlit as st

from core.analysis.cases.metadata_words import told
from core.analysis.cases.what_if import Reading
from core.reviews.in_round import reading_event, status_when_read, told_columns
from core.reviews.rounds import Round, reader_name
from core.study.brief import case_title
from core.study.model import Study, Task
from dashboard.components.text import count, element
from dashboard.shell import reviews, state
from dashboard.shell.author import author
from dashboard.views import parts
from dashboard.views.cases.image import images_of, show_images
from dashboard.views.cases.reading_editor import Editor
from dashboard.views.review import sheet
from dashboard.views.review.said import as_reading, earlier_rows, labels_of, listed, said_words

NEXT, PREVIOUS, KEEP = "alt+n", "alt+p", "alt+k"
_DRAFTS, _FAULT, _KEPT = "loupe-reading-drafts", "loupe-reading-fault", "loupe-reading-kept"


def show(study: Study, task: Task, of: Round) -> None:
    """Draw the case that is open, or the first that is left, for the person who writes."""
    name = reader_name(author() or "")
    if not of.may_read(name):
        parts.warning(
            f"This round is read by {', '.join(of.readers)}; you write as {name}. Whoever of them is at this "
            "computer chooses “Write under another name” above; to all others give their sheet, and bring it "
            "in here when it is filled in."
        )
        sheet.hand_out(study, of)
        return
    known = set(study.case_ids)
    cases = [case_id for case_id in of.cases if case_id in known]
    left = [case_id for case_id in cases if name not in of.readings.get(case_id, {})]
    n_read = len(cases) - len(left)
    st.progress(n_read / max(1, len(cases)), text=f"{n_read:,} of {count(len(cases), 'case')} read by {name}")
    said = st.session_state.pop(_KEPT, "")
    if said:
        parts.note(said)
    if not cases:
        parts.note("The study has none of the cases of this round any more.")
        return
    asked = state.view().round_case
    case_id = asked if asked in cases else left[0] if left else ""
    if case_id:
        _case(study, task, of, cases, case_id)
    else:
        parts.sentence("You have read all of it.")
        parts.note(
            "“What it changed” says what your readings would move; on Cases each case lets them count."
        )
        st.button(
            "Look at what you read", key="round-first", on_click=state.choose_case_of_round, args=(cases[0],)
        )
    sheet.offer(study, of, name)


def _case(study: Study, task: Task, of: Round, cases: list[str], case_id: str) -> None:
    """Draw one case, what the reader says of it, and the ways on."""
    index, place = study.case_ids.index(case_id), cases.index(case_id)
    with st.container(key="case-title", horizontal=True, vertical_alignment="center"):
        element("h2", f"{case_title(case_id)}, {place + 1:,} of {len(cases):,}")
        for words, at, shortcut in (("Previous", place - 1, PREVIOUS), ("Next", place + 1, NEXT)):
            st.button(
                words,
                key=f"round-{words.lower()}",
                shortcut=shortcut,
                disabled=not 0 <= at < len(cases),
                on_click=state.choose_case_of_round,
                args=(cases[min(max(at, 0), len(cases) - 1)],),
            )
    left, right = st.columns([1, 1], gap="medium")
    with left:
        _seen(study, of, index, case_id)
        if not of.blind:
            listed("Readings of the study", earlier_rows(study, task, index))
    with right:
        _said(study, task, of, cases, case_id)


def _seen(study: Study, of: Round, index: int, case_id: str) -> None:
    """Show the case itself: its images and what the round lets a reader see of the files."""
    row = study.cases.iloc[index].dropna()
    shown = [name for name in told_columns(study) if of.shown is None or name in of.shown]
    given = [told(name, row[name]) for name in shown if name in row.index and str(row[name])]
    if given:
        parts.note(" · ".join(given))
    images = images_of(study, index)
    if images:
        show_images(images, study, case_id)
    elif not given:
        parts.note("The study holds no image of this case; look at it where you have it.")


def _said(study: Study, task: Task, of: Round, cases: list[str], case_id: str) -> None:
    """Fields for what the reader says; kept when asked to, and a draft until then."""
    name = reader_name(author() or "")
    kept = of.readings.get(case_id, {}).get(name)
    before = None if kept is None else as_reading(task, kept.content)
    key = (of.id, name, case_id)
    drafts: dict[tuple[str, str, str], Reading] = st.session_state.setdefault(_DRAFTS, {})

    def take(said: Reading) -> None:
        drafts[key] = said

    parts.head("Your reading")
    if kept is not None and of.stands_for(name):
        parts.sentence(f"{said_words(task, kept.content)}.")
        parts.note(
            "You have read the whole round blind, and what others said is open to you now: your readings "
            "stand as they are. What is agreed on later is an outcome, under Decide."
        )
        return
    Editor(
        task,
        f"round-{of.id}-{case_id}",
        lambda: drafts.get(key, before),
        take,
        first=(),
        asks_confidence=True,
    ).draw()
    # It can always be pressed: whoever names a label and presses at once is ahead of what is drawn.
    st.button(
        "Keep and go on",
        key="round-keep",
        shortcut=KEEP,
        on_click=_keep,
        args=(study, task, of, cases, case_id, key),
    )
    fault = st.session_state.pop(_FAULT, "")
    if fault:
        parts.warning(f"This was not kept: {fault}")
    if kept is not None:
        parts.note("You have read this case. What you keep now takes its place; the history keeps both.")


def _keep(
    study: Study, task: Task, of: Round, cases: list[str], case_id: str, key: tuple[str, str, str]
) -> None:
    """Keep what is said, and open the next case that is left."""
    drafts: dict[tuple[str, str, str], Reading] = st.session_state.get(_DRAFTS, {})
    now = drafts.get(key)
    if now is None and key[1] not in of.readings.get(case_id, {}):
        st.session_state[_FAULT] = "nothing is said of this case yet."
        return
    try:
        if now is not None:
            event = reading_event(
                study,
                task,
                of,
                case_id,
                author() or "",
                blocks=labels_of(task, now),
                score=now.score,
                confidence=now.confidence,
            )
            review = reviews.journal(study).review(of.task, case_id)
            reviews.write(study, event, *status_when_read(event, of, review))
            st.session_state[_KEPT] = f"Kept: {case_title(case_id)}, {said_words(task, event.content)}."
    except (ValueError, RuntimeError) as error:
        st.session_state[_FAULT] = str(error)
        return
    drafts.pop(key, None)
    fresh = reviews.journal(study).rounds().get(of.name, of)
    left = [one for one in cases if key[1] not in fresh.readings.get(one, {})]
    place = cases.index(case_id)
    later = [one for one in left if cases.index(one) > place] or left
    state.choose_case_of_round(later[0] if later else "")
