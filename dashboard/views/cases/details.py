"""The parts of a case beneath what it comes to: why, plausible truths, models, what if; one or all."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.cases.brief import BY_VOTE
from core.study.model import Study, Task
from dashboard.components.picture import KEPT
from dashboard.components.text import element
from dashboard.shell import state, widgets
from dashboard.shell.view import ALL_PARTS, CASE_PARTS
from dashboard.views import methods_text, part_choice, parts
from dashboard.views.cases import headline, readings, reasons, what_if
from dashboard.views.cases.image import follow_none, show_images
from dashboard.views.cases.pictures import Opened, draw_dots, draw_plausibility, draw_predictions
from dashboard.views.cases.tables import case_reasons, case_settle
from dashboard.views.cases.what_if import AddressChange

WHY, TRUTHS, MODELS, WHAT_IF = CASE_PARTS[:4]
_PARTS = {
    WHY: "Why",
    TRUTHS: "Plausible truths",
    MODELS: "Models",
    WHAT_IF: "What if",
    ALL_PARTS: "All",
}
"""What is shown of a case, one at a time, as the choice names it."""
_ALL_MARKS = "all-marks"


class Places(NamedTuple):
    """Where the parts of a case stand, from the top."""

    name: DeltaGenerator
    review: DeltaGenerator
    change: DeltaGenerator
    verdict: DeltaGenerator
    part: DeltaGenerator
    readings: DeltaGenerator
    why: DeltaGenerator
    truths: DeltaGenerator
    models: DeltaGenerator
    what_if: DeltaGenerator


def show(
    opened: Opened, address: AddressChange, places: Places, *, is_settled: bool, adopt: what_if.Adopt
) -> None:
    """Offer the parts of a case, and draw the one that is asked for, or all; each in its place."""
    tables, offered = opened.tables, _offered(opened)
    with places.part:
        part = part_choice.choose("case_part", offered, "What is shown of the case")
    is_all, is_known = part == ALL_PARTS, tables.is_known
    if is_all or part == WHY:
        with places.readings:
            beside = _readings(opened)
        if is_known:
            with places.why if opened.images else beside:
                why = partial(case_reasons, *opened.which), partial(case_settle, *opened.which)
                has_answer = tables.reference is not None and tables.reference.settles
                reasons.show(*why, tables.hanging, is_settled=is_settled, has_answer=has_answer)
    if is_known and (is_all or part == TRUTHS):
        with places.truths:
            _truths(opened)
            methods_text.show_certainty(
                opened.study, opened.task, opened.aggregation, page="cases", reported="the study"
            )
    if MODELS in offered and (is_all or part == MODELS):
        with places.models:
            _models(opened)
    if is_all or part == WHAT_IF:
        with places.what_if:
            what_if.show(opened.study, opened.task, opened.index, address, tables.effect, adopt=adopt)
            # Without a change they are those of *Plausible truths*.
            if is_known and address.change and not is_all:
                _truths(opened)


def _offered(opened: Opened) -> dict[str, str]:
    """The parts that a case has: one that nobody read has no truths, and a study need not have models."""
    is_known = opened.tables.is_known
    left_out = set() if is_known else {TRUTHS}
    # What models predict is known of a case whose readings carry no weight, too.
    if opened.tables.plausibility.empty or not (opened.task.probability_models or opened.task.score_models):
        left_out.add(MODELS)
    return {part: name for part, name in _PARTS.items() if part not in left_out}


def _readings(opened: Opened) -> DeltaGenerator:
    """List the labels that the case is between, and its readings; return the place beside these."""
    study, case_id, images = opened.study, opened.study.case_ids[opened.index], opened.images
    tables = opened.tables
    if not images:
        follow_none(study, case_id)
    headline.show_labels(
        tables.headline,
        tables.contenders,
        len(tables.readings),
        tables.truths,
        tables.unlisted,
        tables.spelled,
    )
    # Where there is no image to stand beside, each takes the width that its words need.
    left, right = st.columns([1, 1], gap="medium") if images else (st.container(), st.container())
    if tables.is_known:
        with left:
            parts.head("Scores" if opened.task.kind == "score" else "Readings")
            with st.container(key="readings"):
                readings.show(tables.readings, opened.task, tables.ties)
            with st.container():
                other = tables.other_first
                if other is not None:
                    # What first choices alone would say stands in the brief, where it is riskier.
                    parts.note(other.why if other.is_riskier else f"{other.why} {other.alone}".strip())
    if images:
        with right:
            parts.head("Image" if len(images) == 1 else f"Images ({len(images)})")
            show_images(images, study, case_id)
    return right


def _truths(opened: Opened) -> None:
    """Say what plausible truths are for, and draw how often each label leads, and the leading ones.

    All marks, and how plausible each label is, stand there where they are asked for, and for a point
    estimate, which has no dots.
    """
    element("p", opened.tables.use)
    is_point = opened.tables.is_point
    # A place of its own: what stands below is not made anew where doubt is switched off.
    with st.container():
        all_marks = is_point or _asks_for_all_marks()
    left, right = st.columns([1, 1], gap="medium")
    with left:
        with st.container():
            if not is_point:
                draw_dots(opened)
        if all_marks:
            draw_plausibility(opened)
    with right:
        opened.draw_simplex(all_marks)


def _asks_for_all_marks() -> bool:
    """Offer all that can be drawn of plausible truths; pictures that are kept have it."""
    now = widgets.own(_ALL_MARKS, (False, True), usual=KEPT in st.session_state)
    return st.toggle("All marks", **widgets.bind(_ALL_MARKS, now))


@st.fragment
def _expert(study: Study, task: Task, index: int, source: dict[str, str]) -> None:
    """Offer, folded, what a model would learn from one more expert; nothing is fitted until it is opened."""
    if not task.probability_models:
        return
    panel = st.expander("What if one more expert spoke?", key="expert", on_change="rerun")
    if panel.open:
        # It takes time to import, which the slider and the first page need not wait for.
        from dashboard.views.disagreement import expert

        with panel:
            expert.fit_and_show(study, task, index, source)
        state.write_address()


def _models(opened: Opened) -> None:
    """Draw what the models say; beneath it, folded, which labels each must name, and what an expert tells.

    Whom plain accuracy counts right is said here where it does not stand in the brief.
    """
    tables = opened.tables
    if len(tables.predictions):
        draw_predictions(opened)
    with st.container():
        if tables.by_vote is not None and (tables.misled or not tables.by_vote.is_open):
            parts.note(f"{BY_VOTE}: {tables.by_vote.sentence}")
    if opened.task.probability_models:
        # It takes time to import, which the slider and the first page need not wait for.
        from dashboard.views.disagreement import conformal

        conformal.show_case(opened.study, opened.task, opened.index)
        _expert(opened.study, opened.task, opened.index, opened.source)
