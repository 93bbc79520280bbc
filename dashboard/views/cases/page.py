"""Cases: a worklist, least certain first, and one case in detail."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.cases.simplex import Chosen
from core.analysis.export import provenance
from core.analysis.formatting import percent
from core.plausibility.settings import Aggregation
from core.study.model import Study, Task
from dashboard.charts.cases import dots, plausibility, predictions
from dashboard.components import text
from dashboard.components.picture import picture
from dashboard.components.text import count, element
from dashboard.shell import cache, sidebar, state, theme
from dashboard.views import parts
from dashboard.views.cases import reasons, simplex, what_if, worklist
from dashboard.views.cases.image import follow_none, image_of, show_image
from dashboard.views.cases.tables import CaseTables, case_chosen, case_reasons, case_tables

FEWEST_READINGS, MOST_READINGS, MOST_CHARACTERS = 4, 12, 1600
"""Readings that are shown at once; the others are folded."""
FEWEST_FOLDED = 3
MOST_METADATA = 12
"""Columns named above a case."""
_POINT = "Cross: the point estimate, taken for the truth."


def show(chosen: sidebar.Chosen) -> None:
    """Draw the page."""
    if chosen.study is None or chosen.task is None:
        parts.refused(chosen)
        return
    _page(chosen.study, chosen.task)


@st.fragment
def _page(study: Study, task: Task) -> None:
    """Draw all that a step of the slider changes: the whole page."""
    aggregation = sidebar.reliability_slider(study, task)
    with st.container(key="wide"):
        left, right = st.columns([10, 16], gap="medium")
        with left:
            element("h1", "Cases")
            ids = worklist.show(study, task, aggregation)
        with right:
            # Fragments keep their places, whatever the case shows: two runs in quick succession may reach
            # the browser as the fragments of the first and all of the second.
            places = Places(st.container(), st.container(), st.container(), st.container())
            index = state.position(study)
            if index is None:
                with places.verdict:
                    parts.note("No case matches. Clear the search or a filter to see cases again.")
            else:
                _case(study, task, aggregation, index, ids, places)
    cache.steps(study, task, aggregation).compute_ahead(aggregation.reliability)
    state.write_address()


class Places(NamedTuple):
    """Where the parts of a case stand, from the top."""

    verdict: DeltaGenerator
    why: DeltaGenerator
    details: DeltaGenerator
    expert: DeltaGenerator


def _case(
    study: Study, task: Task, aggregation: Aggregation, index: int, ids: list[str], places: Places
) -> None:
    """Draw one case."""
    st.set_page_config(f"{worklist.case_title(study.case_ids[index])} · Cases · Loupe")
    address = what_if.read(study, task, index, state.view().what_if)
    tables = case_tables(study, task, aggregation, index, address.change)
    source = provenance(study, task, aggregation) | {"case": study.case_ids[index]}
    if address.change:
        source |= {"what if, not the study's readings": state.view().what_if}

    def draw_simplex() -> None:
        def find(marks: tuple[int, ...]) -> Chosen | None:
            return case_chosen(study, task, aggregation, index, address.change, marks)

        simplex.show(tables.simplexes, source, find)

    with places.verdict:
        worklist.walk(study, index, ids)
        what_if.banner(address, tables.effect, adopt=_adopt_change)
        _metadata(study, index)
        parts.sentence(tables.sentence)
        if tables.convergence is not None:
            _convergence(tables.convergence)
        _first_pictures(study, task, tables, index, source, draw_simplex)
    is_known = not tables.plausibility.empty
    if is_known:
        with places.why:
            reasons.show(lambda: case_reasons(study, task, aggregation, index, address.change))
    with places.details:
        if is_known:
            parts.head("Scores" if task.kind == "score" else "Readings")
            _readings(tables.readings, task)
        what_if.show(study, task, index, address, adopt=_adopt_change)
        if is_known:
            _further_pictures(study, task, tables, index, source, draw_simplex)
    with places.expert:
        _expert(study, task, index, source)


def _first_pictures(
    study: Study,
    task: Task,
    tables: CaseTables,
    index: int,
    source: dict[str, str],
    draw_simplex: Callable[[], None],
) -> None:
    """Draw who leads, beside the image or, without one, the three leading labels."""
    image = image_of(study, index)
    if image is None:
        follow_none(study.case_ids[index])
    if tables.plausibility.empty:
        if image is not None:
            show_image(image, study.case_ids[index])
        return
    left, right = st.columns([1, 1], gap="medium")
    with left:
        _dots(tables, task, source)
    with right:
        if image is not None:
            parts.head("Image")
            show_image(image, study.case_ids[index])
        else:
            draw_simplex()


def _further_pictures(
    study: Study,
    task: Task,
    tables: CaseTables,
    index: int,
    source: dict[str, str],
    draw_simplex: Callable[[], None],
) -> None:
    """Draw the plausibility of each label, and what the models say."""
    left, right = st.columns([1, 1], gap="medium")
    with left:
        _plausibility(tables, source)
    with right:
        if image_of(study, index) is not None:
            draw_simplex()
        if len(tables.predictions):
            _predictions(tables.predictions, task, source)


def _dots(tables: CaseTables, task: Task, source: dict[str, str]) -> None:
    """Draw twenty plausible truths."""
    parts.head("Who leads in twenty plausible truths?")
    picture(
        dots.dot_chart(tables.dots, tokens=theme.tokens()),
        name="dots",
        alternative=dot_words(tables.dots),
        caption="Each dot is one of twenty equally plausible truths."
        + (" Letters: low, medium, high risk." if task.has_risk else ""),
        table=tables.dots,
        provenance=source,
        width="content",
    )


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


def _metadata(study: Study, index: int) -> None:
    """Show in a line what the files say of the case."""
    row = study.cases.iloc[index].dropna()
    given = [f"{name}: {value}" for name, value in row.items() if name != "image" and str(value)]
    if given:
        more = f" · {count(len(given) - MOST_METADATA, 'more column')}" if len(given) > MOST_METADATA else ""
        parts.note(" · ".join(given[:MOST_METADATA]) + more)


def _plausibility(tables: CaseTables, source: dict[str, str]) -> None:
    """Draw the plausibility of each label."""
    parts.head("Plausibility of each label")
    hidden = len(tables.plausibility) - plausibility.MOST_LABELS
    picture(
        plausibility.plausibility_chart(tables.plausibility, tables.draws, tokens=theme.tokens()),
        name="plausibility",
        alternative="Plausibility of each label with its draws",
        caption=(
            _POINT
            if tables.is_point
            else "Ticks: draws. Bar: 90 % of them. Dot: mean. Cross: point estimate."
        )
        + (f" {count(hidden, 'more label')} in the data." if hidden > 0 else ""),
        table=tables.plausibility,
        provenance=source,
    )


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


def _readings(table: pd.DataFrame, task: Task) -> None:
    """List the readings as they were given; a great many are folded."""
    shown = table.copy()
    if "confidence" in shown:
        shown["confidence"] = ["" if pd.isna(value) else percent(value) for value in shown["confidence"]]
    if "score" in shown:
        shown["score"] = [f"{value:g}" for value in shown["score"]]
    shown.columns = [name.capitalize() for name in shown.columns]
    first = _unfolded(shown)
    _reading_rows(shown.head(first))
    if len(shown) > first:
        with st.expander(f"{count(len(shown) - first, 'more reading')} of {len(shown):,}"):
            _reading_rows(shown.iloc[first:])
    if task.kind == "ranking":
        parts.note("One pair of braces: tied labels. The first pair is the rater's first choice.")


def _unfolded(shown: pd.DataFrame) -> int:
    """How many readings stand open: fewer where the names of the labels are long."""
    length = shown.astype(str).map(len).sum(axis=1).cumsum().to_numpy()
    fitting = int((length <= MOST_CHARACTERS).sum())
    fitting = min(max(fitting, FEWEST_READINGS), MOST_READINGS)
    return fitting if len(shown) - fitting >= FEWEST_FOLDED else len(shown)


def _reading_rows(shown: pd.DataFrame) -> None:
    """Show readings as a table."""
    rows = [[str(cell) for cell in row] for row in shown.itertuples(index=False, name=None)]
    text.table(list(shown.columns), rows, name="Readings of the case")


def _predictions(table: pd.DataFrame, task: Task, source: dict[str, str]) -> None:
    """Draw what each model says and how often it holds the truth."""
    parts.head("What the models say")
    # Of all labels together it goes without saying that one is true.
    k = max(1, min(3, len(task.labels) - 1))
    picture(
        predictions.predictions_chart(table, list(task.predictions), k=k, tokens=theme.tokens()),
        name="models",
        alternative="First labels of each model and how often they hold the truth",
        caption="Each model's first labels, with its probabilities. Bar: in how many plausible truths "
        + (
            f"the first of them is true (solid), any of the first {k} (pale)."
            if k > 1
            else "the first is true."
        )
        + (" A score names no label, and has no bar." if task.score_models else ""),
        table=table,
        provenance=source,
    )


def dot_words(table: pd.DataFrame) -> str:
    """Say what the dots show, for those who do not see them."""
    rows = [f"{label} leads in {n}" for label, n in zip(table["label"], table["dots"], strict=True)]
    return f"Of {int(table['dots'].sum())} plausible truths: " + "; ".join(rows)
