"""Cases: a worklist, unsettled danger first, and one case in detail."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from core.analysis.cases.chosen import Chosen
from core.analysis.cases.metadata_words import metadata_words
from core.analysis.export import provenance
from core.analysis.origin import invented_in_a_word, told_in_words
from core.plausibility.settings import Aggregation
from core.study.brief import case_title
from core.study.model import Study, Task
from core.study.problems import shown
from core.study.reading.case_table import IMAGE, NO_METADATA
from core.study.references import reference_codes
from dashboard.components.text import count, element
from dashboard.shell import reviews, sidebar, state, trust
from dashboard.shell.together import together
from dashboard.shell.view import CORNERS
from dashboard.views import apart, parts
from dashboard.views.cases import (
    brief,
    counted_at,
    details,
    follow,
    headline,
    review,
    simplex,
    style,
    what_if,
    worklist,
)
from dashboard.views.cases.pictures import Opened
from dashboard.views.cases.tables import (
    case_chosen,
    case_settle,
    case_tables,
)

WHAT_IF = "What if · "
"""Stands before the title and the sentence of a case whose readings were changed."""
MOST_METADATA = 12
"""Columns named above a case."""


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
@together
def _page(study: Study, task: Task, published: Study) -> None:
    """Draw all that a step of the slider changes: the whole page."""
    aggregation = sidebar.reliability_slider(study, task)
    with st.container(key="wide"):
        left, right = st.columns([10, 16], gap="medium")
        with left:
            head = st.container(key="cases-head", horizontal=True, vertical_alignment="center", wrap=False)
            with head:
                element("h1", "Cases")
            again = partial(review.have_read_again, published, published.tasks[task.name])
            ids, listed = worklist.show(study, task, aggregation, head, on_mark=again)
            # Beneath the list, which does not move when `counted_at.show` fills it.
            counted = st.container(
                key="counted-at", horizontal=True, wrap=False, vertical_alignment="center", gap="small"
            )
            if reviews.is_anything_kept():
                apart.say(published)
        with right:
            # Fragments keep their places, whatever the case shows: two runs in quick succession may reach
            # the browser as the fragments of the first and all of the second.
            places = details.Places(*(st.container(key=f"case-{part}") for part in details.Places._fields))
            index = state.position(study)
            if index is None:
                with places.verdict:
                    parts.note("No case is listed.")
                    follow.way_back()
            else:
                with places.review:
                    # Written of the case as it was published, whichever cases are looked at.
                    place = published.case_ids.index(study.case_ids[index])
                    review.show(published, published.tasks[task.name], place, listed)
                _case(study, task, aggregation, index, ids, places)
    reviews.remember_visit(study)
    state.write_address()
    counted_at.show(counted, study, task, aggregation)
    trust.compute_ahead(study, task, aggregation)


def _case(
    study: Study, task: Task, aggregation: Aggregation, index: int, ids: list[str], places: details.Places
) -> None:
    """Draw one case: what it comes to, and the part of it that is asked for."""
    address = what_if.read(study, task, index, state.view().what_if)
    asked = WHAT_IF if address.change else ""
    st.set_page_config(f"{asked}{case_title(study.case_ids[index])} · Cases · Loupe")
    tables = case_tables(study, task, aggregation, index, address.change)
    source = provenance(study, task, aggregation) | {"case": study.case_ids[index]}
    if address.change:
        source |= {"what if, not the study's readings": state.view().what_if}

    def draw_simplex(all_marks: bool) -> None:
        def find(marks: tuple[int, ...]) -> Chosen | None:
            return case_chosen(study, task, aggregation, index, address.change, marks)

        has_corners = task.kind != "score" and len(task.labels) >= CORNERS[0] and tables.n_named > 0
        missing = simplex.missing_words(tables.n_named) if address.change and has_corners else ""
        simplex.show(tables.simplexes, source, find, missing, all_marks=all_marks)

    opened = Opened(study, task, aggregation, index, address.change, tables, source, draw_simplex)
    is_known = tables.is_known
    # Before the first word: what is drawn of this case must not wait beside what is left of another.
    to_settle = case_settle(*opened.which) if is_known and not tables.is_settled else None
    with places.name:
        worklist.walk(study, index, ids)
    with places.change:
        what_if.banner(address, tables.effect, adopt=_adopt_change)
    with places.verdict:
        _metadata(study, task, index)
        headline.show(tables.headline, tables.misled, before=asked)
        brief.show(brief.rows(tables, to_settle, state.view().missed_by), is_changed=bool(asked))
        if tables.convergence is not None:
            _convergence(tables.convergence)
    details.show(opened, address, places, is_settled=tables.is_settled, adopt=_adopt_change)


def _adopt_change(text: str) -> None:
    """Keep changed readings in the address bar."""
    state.change(what_if=text)


def _metadata(study: Study, task: Task, index: int) -> None:
    """Show in a line what the files say of the case, and whatever the study's description says of it.

    Its reference stands under the sentence.
    """
    left_out = set(NO_METADATA) if reference_codes(study, task)[index] >= 0 else {IMAGE}
    given = metadata_words(study, index, without=left_out)
    told = told_in_words(study, study.case_ids[index])
    invented = "" if told else invented_in_a_word(study)
    said = [invented] * bool(invented) + given[:MOST_METADATA]
    if len(given) > MOST_METADATA:
        said.append(count(len(given) - MOST_METADATA, "more column"))
    if task.kind != "score" and "image" not in study.cases:
        said.append("no images in this study" if said else "No images in this study")
    if said:
        parts.note(" · ".join(said))
    if told:
        parts.note(told)


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
