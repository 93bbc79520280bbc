"""Study: what is loaded, what deserves a look, and how certain its truth is."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from core.analysis import overview
from core.analysis.export import provenance
from core.analysis.origin import origin_in_words
from core.analysis.raters.identified import raters_are_identified
from core.plausibility.settings import Aggregation
from core.study.model import Study, Task
from dashboard.components import text
from dashboard.components.text import element
from dashboard.shell import cache, sidebar, state, trust
from dashboard.shell.together import together
from dashboard.shell.view import ALL_PARTS
from dashboard.views import in_parts, methods_text, open_study, part_choice, parts
from dashboard.views.study import certainty, findings, readings


def show(chosen: sidebar.Chosen) -> None:
    """Draw the page."""
    if chosen.study is None or chosen.task is None:
        parts.refused(chosen)
        open_study.open_another(opened=chosen.source.folder is None)
        return
    study, task = chosen.study, chosen.task
    element("h1", study.name)
    is_asked = state.is_asked_for_another()
    if is_asked:
        open_study.open_another()
    opened = chosen.opened
    if opened is not None and opened.in_parts is not None and opened.counted is not None:
        in_parts.of_all(opened.in_parts, opened.counted)
        parts.head(f"{study.counted.capitalize()}")
    _personal(study)
    if origin := origin_in_words(study):
        element("p", origin, role="strong loupe-origin")
    of_task = findings.task_words(study, task)
    if of_task:
        words = f"{of_task}. All numbers and pictures here are for this task."
        parts.note(words, at_screen="Choose another on the left.")
    parts.facts(_facts(study, task))
    with st.container(key="wide"):
        _findings(study, task)
    if chosen.problems:
        parts.head("Worth a look")
        parts.note("The study was read, but these points may affect what you conclude from it.")
        parts.problems(chosen.problems)
    with st.expander("About this study and its files", key="about-study"):
        if study.description:
            element("p", study.description)
        _files(study, "uploaded" if chosen.source.folder is None else str(chosen.source.folder))
    if not is_asked:
        open_study.open_another()


def _personal(study: Study) -> None:
    """Warn of columns that may identify a person, before anything of them is shared."""
    found = overview.personal_columns(study)
    if found:
        named = "; ".join(f"{column} ({content})" for column, content in found.items())
        parts.warning(
            f"May identify a person: {named}. Remove from cases.csv what is not needed or must not be "
            "shared: the page Cases shows it, and links and downloads can contain it."
        )


def _facts(study: Study, task: Task) -> list[tuple[str, str]]:
    """Numbers that say how big the study is."""
    labels = len(task.labels)
    return [
        (f"{study.n_cases:,}", "cases"),
        (f"{task.readings.n_readings:,}", "scores" if task.kind == "score" else "readings"),
        _readers(study, task),
        (f"{labels:,}", "sides of the threshold" if task.kind == "score" else "labels"),
        (f"{len(task.predictions)}", "models"),
    ]


def _readers(study: Study, task: Task) -> tuple[str, str]:
    """Count the raters; where each case numbers its own, the most that read one case is all that is known."""
    if raters_are_identified(study, task):
        return f"{len(np.unique(task.readings.rater)):,}", "raters"
    return f"≤ {task.readings.per_case.max():,}", "raters per case, not identified"


@st.fragment
@together
def _findings(study: Study, task: Task) -> None:
    """Draw everything that depends on the reliability, and what stands beside it."""
    trust.use_supported(study, task)
    aggregation = sidebar.reliability_slider(study, task)
    table = cache.worklist_at(study, task, aggregation)
    cards = findings.show(study, task, table, aggregation)
    places = _part(study, task, table, aggregation)
    state.write_address()
    findings.show_later(study, task, aggregation, cards, places)
    trust.compute_ahead(study, task, aggregation)


def _part(study: Study, task: Task, table: pd.DataFrame, aggregation: Aggregation) -> findings.Places:
    """Draw the part that is chosen, beneath what a decision needs, and return places for what comes later."""
    offered = parts_of(task, is_read=bool(table["certainty"].notna().any()))
    shown = part_choice.choose("study_part", offered, "What is shown of the study")
    places, source = findings.Places(), provenance(study, task, aggregation)
    has_claims = "claims" in offered
    with st.container(key="study-part"):
        if shown in ("claims", ALL_PARTS) and has_claims:
            places = findings.claims(study, task, aggregation)
        if shown in ("certainty", ALL_PARTS) and "certainty" in offered:
            certainty.show(task, table, source)
            if not has_claims:
                places = findings.Places(support=findings.support(study, task, aggregation))
            methods_text.show_certainty(study, task, aggregation, page="study")
        if shown in ("readings", ALL_PARTS):
            readings.show(study, task, table, source)
    return places


def parts_of(task: Task, *, is_read: bool) -> dict[str, str]:
    """Parts of the page that have something to show of a task, with their names.

    Parameters
    ----------
    task : Task
        The task.
    is_read : bool
        Whether any case has a reading.
    """
    offered = {}
    if is_read and task.probability_models:
        offered["claims"] = "Claims and danger" if task.has_risk else "Claims"
    if is_read:
        other = " and scores" if task.kind == "score" else ""
        offered["certainty"] = "Certainty and risk" if task.has_risk else f"Certainty{other}"
    return offered | {"readings": "Readings and raters"} | ({ALL_PARTS: "All"} if is_read else {})


def _files(study: Study, place: str) -> None:
    """Show what tells these files from others."""
    rows = [("Fingerprint", state.published(study)), ("Seed", str(study.seed))]
    # Where a study lies tells who uses this computer.
    text.table(["What", "As the files say"], rows, name="About this study", at_screen=[("Folder", place)])
