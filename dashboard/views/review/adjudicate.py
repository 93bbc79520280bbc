"""Where the readers of a round disagree: what each said, side by side, and what was decided."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.analysis.cases.what_if import Reading
from core.analysis.cases.worklist import PLAUSIBLE
from core.metrics.risk import HIGH
from core.reviews.event import Event, local_time, subject_of
from core.reviews.in_round import outcome_event, status_after
from core.reviews.round_table import round_table, standing_of, standing_words
from core.reviews.rounds import Round, reader_name
from core.study.brief import case_title
from core.study.model import Study, Task
from dashboard.components import text
from dashboard.components.text import count, element
from dashboard.shell import cache, reviews, state, widgets
from dashboard.shell.author import author
from dashboard.views import parts
from dashboard.views.cases.image import images_of, show_images
from dashboard.views.cases.reading_editor import Editor
from dashboard.views.review.said import as_reading, earlier_rows, labels_of, listed, said_words

MOST_SHOWN = 600
"""Characters of a reason that are shown at once."""
_DRAFTS, _FAULT = "loupe-outcome-drafts", "loupe-outcome-fault"
_UNSETTLED = "loupe-settle-fault"
_SEVERAL = 2
"""Readers who agree from which on a case may be settled at a press."""


def show(study: Study, task: Task, of: Round) -> None:
    """List the cases that are to be decided, and draw the one that is open."""
    name = reader_name(author() or "")
    table = round_table(of, study)
    if of.is_blind_for(name):
        left = sum(of.is_blind_to(name, case_id) for case_id in of.cases)
        parts.note(
            f"You have still to read {count(left, 'case')} blind: what others said is shown when you have "
            "read them all."
        )
        return
    standing = standing_of(table)
    waiting, decided = standing.waiting, standing.decided
    parts.sentence(standing_words(standing))
    parts.note(
        "A case is to be decided where two readers of the round put different labels first, or where one "
        "puts first what did not lead among the study’s own readings."
    )
    seen = table[table["fits"].notna()]
    _settle_agreed(study, task, of, seen[(seen["readings"] > 0) & ~seen["disagrees"]]["case_id"].tolist())
    cases = [*waiting, *decided]
    if not cases:
        parts.note("Nothing is to be decided: no case was read yet, or all who read agree.")
        return
    asked = state.view().round_case
    case_id = asked if asked in cases else cases[0]
    others = [one for one in waiting if one != case_id]
    after = [one for one in others if cases.index(one) > cases.index(case_id)] or others
    row = st.container(horizontal=True, vertical_alignment="bottom")
    row.selectbox(
        "Case",
        **widgets.choice(
            "decide-case",
            case_id,
            cases,
            words=lambda one: f"{case_title(one)}: {'decided' if one in decided else 'to decide'}",
            take=state.choose_case_of_round,
        ),
    )
    row.button(
        "Next to decide",
        key="decide-next",
        shortcut="alt+n",
        disabled=not after,
        on_click=state.choose_case_of_round,
        args=(after[0] if after else case_id,),
    )
    _case(study, task, of, case_id)


def _settle_agreed(study: Study, task: Task, of: Round, agreed: list[str]) -> None:
    """Offer to settle what all who were to read agree on and is still to be re-read.

    Neither one reader settles a case, nor do readers alone one in which a high-risk label is plausible.
    """
    reviewed = reviews.journal(study).reviews(task.name)
    asked = [
        case_id
        for case_id in agreed
        if {*of.readers} <= of.readings[case_id].keys()
        and case_id in reviewed
        and reviewed[case_id].status == "re-read"
    ]
    dangerous = _may_be_dangerous(study, task, of, asked)
    left = [one for one in asked if len(of.readings[one]) >= _SEVERAL and one not in dangerous]
    if others := len(asked) - len(left):
        parts.note(
            f"All who read agree on {count(others, 'case')} to be re-read, but a single reader settles none, "
            "nor do readers alone one that may be dangerous: what it awaits is its status on Cases."
        )
    if not left:
        return

    def settle() -> None:
        try:
            reviews.write(
                study,
                *(
                    Event(subject_of(study, task, one), author() or "", "status", {"status": "settled"})
                    for one in left
                ),
            )
        except (ValueError, RuntimeError) as error:
            st.session_state[_UNSETTLED] = str(error)

    with st.container(horizontal=True, vertical_alignment="center"):
        all_agree = "On one case that is" if len(left) == 1 else f"On {len(left):,} cases that are"
        parts.note(f"{all_agree} still marked as to re-read, all agree.")
        st.button(
            "Mark it as settled" if len(left) == 1 else "Mark them as settled",
            key="settle-agreed",
            disabled=author() is None,
            on_click=settle,
        )
    fault = st.session_state.pop(_UNSETTLED, "")
    if fault:
        parts.warning(f"This was not kept: {fault}")


def _may_be_dangerous(study: Study, task: Task, of: Round, cases: Sequence[str]) -> set[str]:
    """Cases in which a high-risk label is plausible by the study, or put first by a reader of the round."""
    if not task.has_risk or not cases:
        return set()
    danger = cache.worklist_at(study, task, state.aggregation())["high_risk"].reindex(list(cases))
    found = {str(one) for one in danger.index[danger >= PLAUSIBLE]}
    high = {task.labels[code] for code in (task.risk == HIGH).nonzero()[0]}
    for one in cases:
        firsts = (event.content["blocks"][:1] for event in of.readings[one].values())
        found |= {one for blocks in firsts if any(high.intersection(block) for block in blocks)}
    return found


def _case(study: Study, task: Task, of: Round, case_id: str) -> None:
    """Draw what was said of one case, and what is decided."""
    index = study.case_ids.index(case_id)
    left, right = st.columns([1, 1], gap="medium")
    with left:
        element("h2", case_title(case_id))
        images = images_of(study, index)
        if images:
            show_images(images, study, case_id)
        readings = of.readings.get(case_id, {})
        listed(
            f"Readings in {of.name}",
            [(reader, said_words(task, event.content)) for reader, event in readings.items()],
        )
        listed("Readings of the study", earlier_rows(study, task, index))
    with right:
        _outcome(study, task, of, case_id)


def _outcome(study: Study, task: Task, of: Round, case_id: str) -> None:
    """Fields for what those who met decided."""
    kept = of.outcomes.get(case_id)
    parts.head("Outcome")
    if kept is not None:
        by = ", ".join(kept.content["by"])
        parts.sentence(f"{said_words(task, kept.content)}.")
        parts.note(f"Decided by {by}; written down by {kept.author}, {local_time(kept)}.")
        if kept.content["why"]:
            text.quoted(kept.content["why"], most=MOST_SHOWN)
    before = None if kept is None else as_reading(task, kept.content)
    key = (of.id, case_id)
    drafts: dict[tuple[str, str], Reading] = st.session_state.setdefault(_DRAFTS, {})

    def take(said: Reading) -> None:
        drafts[key] = said

    names = f"outcome-{of.id}-{case_id}"
    unsettled = st.checkbox("It cannot be settled", key=f"{names}-unsettled")
    if not unsettled:
        Editor(task, names, lambda: drafts.get(key, before), take, first=()).draw()
    st.text_input("Decided by: names, with commas", value=author() or "", key=f"{names}-by")
    st.text_area("Why (may be empty)", key=f"{names}-why", height=80)
    with st.container(horizontal=True):
        st.button(
            "Record the outcome" if kept is None else "Record another outcome",
            key="record-outcome",
            type="primary",
            on_click=_record,
            args=(study, task, of, case_id, names),
        )
        if kept is not None:
            st.button(
                "Take it back", key="outcome-back", on_click=_take_back, args=(study, kept), type="tertiary"
            )
    fault = st.session_state.pop(_FAULT, "")
    if fault:
        parts.warning(f"This was not kept: {fault}")
    parts.note(
        "An outcome stays apart from the readings: it counts as the reference only where that is chosen in "
        "the sidebar. The case is settled with it in the worklist; one that cannot be settled is in "
        "discussion."
    )


def _record(study: Study, task: Task, of: Round, case_id: str, names: str) -> None:
    """Keep what was decided."""
    is_unsettled = bool(st.session_state.get(f"{names}-unsettled"))
    said = st.session_state.get(_DRAFTS, {}).get((of.id, case_id))
    kept = of.outcomes.get(case_id)
    if said is None and kept is not None and not is_unsettled:
        said = as_reading(task, kept.content)
    by = [one for one in map(str.strip, str(st.session_state.get(f"{names}-by", "")).split(",")) if one]
    try:
        event = outcome_event(
            study,
            task,
            of,
            case_id,
            author() or "",
            blocks=[] if is_unsettled or said is None else labels_of(task, said),
            score=None if is_unsettled or said is None else said.score,
            unsettled=is_unsettled,
            by=by,
            why=str(st.session_state.get(f"{names}-why", "")),
        )
        review = reviews.journal(study).review(task.name, case_id)
        reviews.write(study, event, *status_after(event, review))
    except (ValueError, RuntimeError) as error:
        st.session_state[_FAULT] = str(error)
        return
    st.session_state.get(_DRAFTS, {}).pop((of.id, case_id), None)
    state.choose_case_of_round(case_id)


def _take_back(study: Study, kept: Event) -> None:
    """Withdraw an outcome; the status that went with it goes with it."""
    try:
        reviews.write(study, Event(kept.subject, author() or "", "withdrawal", {}, answers=kept.id))
    except (ValueError, RuntimeError) as error:
        st.session_state[_FAULT] = str(error)
