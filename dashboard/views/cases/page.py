"""Cases: a worklist, least certain first, and one case in detail."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.cases.chosen import Chosen
from core.analysis.cases.metadata_words import metadata_words
from core.analysis.cases.settle import is_certain
from core.analysis.export import provenance
from core.plausibility.settings import Aggregation
from core.study.model import Study, Task
from core.study.problems import shown
from core.study.references import reference_codes
from dashboard.components.text import count, element
from dashboard.shell import cache, reviews, sidebar, state
from dashboard.shell.view import CORNERS
from dashboard.views import apart, methods_text, parts
from dashboard.views.cases import (
    follow,
    headline,
    readings,
    reasons,
    review,
    simplex,
    style,
    what_if,
    worklist,
)
from dashboard.views.cases.image import follow_none, show_images
from dashboard.views.cases.pictures import Opened, draw_dots, draw_plausibility, draw_predictions
from dashboard.views.cases.tables import (
    case_chosen,
    case_reasons,
    case_settle,
    case_tables,
)

MOST_METADATA = 12
"""Columns named above a case."""
_PURPOSE = (
    "For clinicians: where is doubt, and is it dangerous? "
    "Open a case; flag it, have it re-read, or settle it."
)
"""What the page is for."""


def show(chosen: sidebar.Chosen) -> None:
    """Draw the page."""
    if chosen.study is None or chosen.task is None:
        parts.refused(chosen)
        return
    case_id = state.view().case
    if case_id and case_id not in state.positions(chosen.study):
        state.fall_back(
            f"“{case_id}” is not among the cases where {shown(chosen.study.condition)}: another is opened.",
            **state.reset_by("case") | {"case": ""},
        )
    style.apply()
    _page(chosen.study, chosen.task, chosen.published or chosen.study)


@st.fragment
def _page(study: Study, task: Task, published: Study) -> None:
    """Draw all that a step of the slider changes: the whole page."""
    aggregation = sidebar.reliability_slider(study, task)
    with st.container(key="wide"):
        left, right = st.columns([10, 16], gap="medium")
        with left:
            element("h1", "Cases")
            parts.note(_PURPOSE)
            again = partial(review.read_again, published, published.tasks[task.name])
            ids, listed = worklist.show(study, task, aggregation, on_mark=again)
            if reviews.is_anything_kept():
                apart.say(published)
        with right:
            # Fragments keep their places, whatever the case shows: two runs in quick succession may reach
            # the browser as the fragments of the first and all of the second.
            places = Places(*(st.container(key=f"case-{part}") for part in Places._fields))
            index = state.position(study)
            if index is None:
                with places.verdict:
                    parts.note("No case matches. Clear the search or a filter to see cases again.")
                    follow.way_back()
            else:
                with places.review:
                    # Written of the case as it was published, whichever cases are looked at.
                    place = published.case_ids.index(study.case_ids[index])
                    review.show(published, published.tasks[task.name], place, listed)
                _case(study, task, aggregation, index, ids, places)
            with st.container(key="case-methods"):
                methods_text.show_certainty(study, task, aggregation, page="cases", reported="the study")
    reviews.remember_visit(study)
    cache.steps(study, task, aggregation).compute_ahead(aggregation.reliability)
    state.write_address()


class Places(NamedTuple):
    """Where the parts of a case stand, from the top."""

    name: DeltaGenerator
    review: DeltaGenerator
    change: DeltaGenerator
    verdict: DeltaGenerator
    readings: DeltaGenerator
    why: DeltaGenerator
    details: DeltaGenerator
    expert: DeltaGenerator


def _case(
    study: Study, task: Task, aggregation: Aggregation, index: int, ids: list[str], places: Places
) -> None:
    """Draw one case."""
    address = what_if.read(study, task, index, state.view().what_if)
    asked = "What if · " if address.change else ""
    st.set_page_config(f"{asked}{worklist.case_title(study.case_ids[index])} · Cases · Loupe")
    tables = case_tables(study, task, aggregation, index, address.change)
    source = provenance(study, task, aggregation) | {"case": study.case_ids[index]}
    if address.change:
        source |= {"what if, not the study's readings": state.view().what_if}

    def draw_simplex() -> None:
        def find(marks: tuple[int, ...]) -> Chosen | None:
            return case_chosen(study, task, aggregation, index, address.change, marks)

        has_corners = task.kind != "score" and len(task.labels) >= CORNERS[0] and tables.n_named > 0
        missing = simplex.missing_words(tables.n_named) if address.change and has_corners else ""
        simplex.show(tables.simplexes, source, find, missing)

    opened = Opened(study, task, index, tables, source, draw_simplex)
    is_known = not tables.plausibility.empty
    is_settled = is_known and not tables.is_point and is_certain(tables.plausibility["leads"])
    which = study, task, aggregation, index, address.change
    if is_known and not is_settled:
        # Before the first word: what is drawn of this case must not wait beside what is left of another.
        case_settle(*which)
    with places.name:
        worklist.walk(study, index, ids)
    with places.change:
        what_if.banner(address, tables.effect, adopt=_adopt_change)
    with places.verdict:
        _metadata(study, task, index)
        headline.show(
            tables.headline,
            tables.other_first,
            tables.truths,
            contenders=tables.contenders,
            n_readings=len(tables.readings),
            hanging=tables.hanging,
        )
        if tables.beside:
            parts.note(f"{tables.beside}.")
        if tables.named:
            element("p", tables.named, role="strong")
        if tables.convergence is not None:
            _convergence(tables.convergence)
    with places.readings:
        beside = _readings(opened)
    if is_known:
        with places.why if opened.images else beside:
            reasons.show(partial(case_reasons, *which), partial(case_settle, *which), is_settled=is_settled)
    with places.details:
        what_if.show(study, task, index, address, tables.effect, adopt=_adopt_change)
        if is_known:
            _further_pictures(opened)
    with places.expert:
        _expert(study, task, index, source)


def _readings(opened: Opened) -> DeltaGenerator:
    """Draw who leads, and list the readings, beside the image; return the place beside them."""
    study, case_id, images = opened.study, opened.study.case_ids[opened.index], opened.images
    if not images:
        follow_none(study, case_id)
    left, right = st.columns([1, 1], gap="medium")
    if opened.tables.plausibility.empty:
        if images:
            show_images(images, study, case_id)
        return right
    with left:
        # A place of its own: what stands below is not made anew where doubt is switched off.
        with st.container():
            if not opened.tables.is_point:
                draw_dots(opened)
        parts.head("Scores" if opened.task.kind == "score" else "Readings")
        with st.container(key="readings"):
            readings.show(opened.tables.readings, opened.task, opened.tables.ties)
    with right:
        if images:
            parts.head("Image" if len(images) == 1 else f"Images ({len(images)})")
            show_images(images, study, case_id)
    return right


def _further_pictures(opened: Opened) -> None:
    """Draw the plausibility of each label, the leading ones, and what the models say, in two columns.

    What the models say stands beneath the plausibilities, or, where no triangle does, beside them.
    """
    left, right = st.columns([1, 1], gap="medium")
    with left:
        draw_plausibility(opened)
    with right:
        opened.draw_simplex()
    with left if opened.tables.simplexes else right:
        if len(opened.tables.predictions):
            draw_predictions(opened)
            _sets(opened)


def _adopt_change(text: str) -> None:
    """Keep changed readings in the address bar."""
    state.change(what_if=text)


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


def _metadata(study: Study, task: Task, index: int) -> None:
    """Show in a line what the files say of the case; its reference stands under the sentence."""
    left_out = {"image", "reference"} if reference_codes(study, task)[index] >= 0 else {"image"}
    given = metadata_words(study, index, without=left_out)
    said = given[:MOST_METADATA]
    if len(given) > MOST_METADATA:
        said.append(count(len(given) - MOST_METADATA, "more column"))
    if task.kind != "score" and "image" not in study.cases:
        said.append("no images in this study")
    if said:
        parts.note(" · ".join(said))


def _convergence(table: pd.DataFrame) -> None:
    """Warn where the draws cannot be trusted."""
    rhat, ess = float(table["rhat"].iloc[0]), float(table["ess"].iloc[0])
    if np.isnan(rhat):
        return
    from core.plausibility.convergence import RHAT_LIMIT

    if rhat > RHAT_LIMIT:
        element(
            "p",
            f"The sampled plausible truths do not agree with each other yet, so read these numbers with care "
            f"(R-hat {rhat:.3f}, above {RHAT_LIMIT}; {ess:,.0f} effective draws).",
            role="warning",
        )


def _sets(opened: Opened) -> None:
    """Offer, folded, the labels that each model must name to hold the truth."""
    if opened.task.probability_models:
        # It takes time to import, which the slider and the first page need not wait for.
        from dashboard.views.disagreement import conformal

        conformal.show_case(opened.study, opened.task, opened.index)
