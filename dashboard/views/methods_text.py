"""What was done on a page, in words that a paper can print, and the works that it rests on."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import streamlit as st

from core.analysis.methods_text import Paragraph, methods_bibtex, methods_text, of_data
from core.analysis.recipe import RECIPE, page_recipe
from core.analysis.reliability.methods import of_aggregation, of_certainty
from core.analysis.reliability.sampling import convergence_of
from core.plausibility.settings import Aggregation
from core.streamed.aggregates import are_some
from core.study.model import Study, Task
from dashboard.components.picture import KEPT
from dashboard.shell import cache
from dashboard.views import parts, report_panel


@st.fragment
def show(
    paragraphs: Callable[[], Iterable[Paragraph | None]],
    recipe: Callable[[str], str],
    *,
    why_none: str = "",
    reported: str = "it",
) -> None:
    """Offer, folded, the methods of what the page shows, and its recipe; written when the panel is opened.

    Parameters
    ----------
    paragraphs : callable
        Returns them, from the settings that are in force.
    recipe : callable
        Returns the text of ``recipe.toml`` (`core.analysis.recipe.page_recipe`) from the address of the page.
    why_none : str
        Why there is no recipe; empty where there is one.
    reported : str
        What the report is of that the recipe writes.
    """
    panel = st.expander(
        "Methods, for a paper", expanded=KEPT in st.session_state, key="methods", on_change="rerun"
    )
    if not panel.open:
        return
    with panel:
        said = [one for one in paragraphs() if one is not None]
        copies = "The button at the top right copies it."
        parts.note("Written from the settings in force on this page.", at_screen=copies)
        st.code(methods_text(said), language=None, wrap_lines=True)
        works = methods_bibtex(said)
        if works:
            parts.note("The works that it names, as BibTeX:")
            st.code(works, language=None, wrap_lines=True)
        if why_none:
            parts.note("", at_screen=f"There is no recipe of this page: {why_none}.")
            return
        parts.note(
            "",
            at_screen=f"The settings in force as a file; loupe run {RECIPE} --study FOLDER --out DIR writes "
            f"the tables and pictures of this page and a report of {reported}.",
        )
        st.download_button(
            f"Save {RECIPE}",
            recipe(report_panel.link()),
            file_name=RECIPE,
            mime="application/toml",
            key="recipe",
            on_click="ignore",
        )


@cache.cached(16)
def _convergence(study: Study, task: Task, aggregation: Aggregation) -> dict[str, float]:
    return convergence_of(study, task, aggregation)


def aggregated(study: Study, task: Task, aggregation: Aggregation) -> Paragraph:
    """Say how readings were aggregated, and how well what was drawn for it has converged."""
    return of_aggregation(aggregation, _convergence(study, task, aggregation), task=task)


def rounds_count(study: Study) -> str:
    """Why there is no recipe of a study whose rounds count: it has no folder that has them."""
    if are_some(study.counted):
        return "these are some cases of a study in parts; loupe evaluate writes the tables of all"
    return "readings of rounds count; loupe review export writes a study with them" if study.counted else ""


def show_certainty(
    study: Study, task: Task, aggregation: Aggregation, *, page: str, reported: str = "it"
) -> None:
    """Offer what `show` does for a page of how certain all cases are; ``page`` is its name."""
    show(
        lambda: (
            of_data(study, task),
            aggregated(study, task, aggregation),
            of_certainty(has_models=bool(task.predictions), has_risk=task.has_risk),
        ),
        lambda link: page_recipe("evaluate", study, task, [aggregation], link=link, page=page),
        why_none=rounds_count(study),
        reported=reported,
    )
