"""Before and after a review round: what its readings change in the models' metrics and ranks."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from core.analysis.export import provenance
from core.analysis.models.rank_change import COUNTERPARTS
from core.analysis.models.settings import ComparisonSettings
from core.analysis.round_changes import model_changes
from core.analysis.round_words import MODEL_HEADS, error_words, model_rows, order_sentence
from core.plausibility.settings import Aggregation
from core.progress import Progress
from core.reviews.rounds import Round
from core.settings import entries
from core.study.brief import number_of
from core.study.chosen import as_chosen, choice_of
from core.study.model import Study
from core.study.settings import StudyChoice
from dashboard.components.picture import data_button
from dashboard.components.text import table
from dashboard.shell import cache, reviews, state, widgets
from dashboard.shell.author import author
from dashboard.views import parts
from dashboard.views.models.model_comparison import ModelComparison

_ROUND = "before-after-round"


@cache.background
def _compare(
    progress: Progress,
    before: Study,
    after: Study,
    task_name: str,
    aggregation: Aggregation,
    settings: ComparisonSettings,
    choice: StudyChoice,
) -> pd.DataFrame:
    """Measure the models without the round and with it, on the cases that are chosen."""
    progress(0.0, "both studies")
    before, after = (as_chosen(one, choice) for one in (before, after))
    return model_changes(before, after, task_name, aggregation, settings)


@st.fragment
def show(comparison: ModelComparison, published: Study) -> None:
    """Offer the panel, folded, where a round counts or was read whole; nowhere else."""
    known = rounds_to_show(published, comparison.task.name)
    if known:
        _panel(comparison, published, known)
        state.write_address()


def rounds_to_show(published: Study, task_name: str) -> Mapping[str, Round]:
    """Rounds of a task that count or are finished, by name; none that this person has yet to read blind."""
    if not reviews.is_anything_kept():
        return {}
    try:
        known = reviews.journal(published).rounds()
    except (ValueError, RuntimeError):
        return {}
    counted, name = state.view().counted, author() or ""
    return {
        one.name: one
        for one in known.values()
        if one.task == task_name
        and one.readings
        and (one.name in counted or one.is_finished)
        and not one.is_blind_for(name)
    }


@parts.folded("Before and after a review round", key="panel-before-after")
def _panel(comparison: ModelComparison, published: Study, known: Mapping[str, Round]) -> None:
    names = list(known)
    counted = [name for name in state.view().counted if name in known]
    name = widgets.own(_ROUND, names, usual=[*names, *counted][-1])
    if len(names) > 1:
        st.selectbox("Round", width=280, **widgets.choice(_ROUND, name, names))
    try:
        after = reviews.applied(published, (name,), ())
    except (ValueError, RuntimeError) as error:
        parts.warning(f"The round cannot be counted: {error}.")
        return
    label = comparison.found.compared.label
    settings = ComparisonSettings(positive=label, coverage=comparison.settings.coverage)
    choice = choice_of(comparison.study)
    job = _compare(published, after, comparison.task.name, comparison.aggregation, settings, choice)
    found = parts.result_of(job, what="Measuring the models before and after", key="before-after")
    if found is None:
        return
    for problem in after.notes[len(published.notes) :]:
        parts.warning(f"{problem.what}. {problem.mend}")
    _shown(comparison, known[name], found, published)


def _shown(comparison: ModelComparison, of: Round, found: pd.DataFrame, published: Study) -> None:
    """Say whether the order changes by the metric of the page, and list what changes."""
    metric = next((one for one in COUNTERPARTS if comparison.measure.startswith(one)), "AUROC")
    pair = [metric, COUNTERPARTS[metric]]
    for said in filter(None, (order_sentence(found, one) for one in pair)):
        parts.sentence(said)
    parts.note(
        f"Before: the readings of the study. After: with {number_of(of.n_readings, 'reading')} of "
        f"{number_of(len(of.readings), 'case')} in “{of.name}”, whatever else counts on this page. "
        f"{error_words(len(of.readings))}"
    )
    shown = found[found["metric"].isin(pair)]
    table(MODEL_HEADS, model_rows(shown), name="Models before and after a review round", scrolls=True)
    with st.container(horizontal=True, wrap=False, gap="small"):
        parts.note("", at_screen="The data have every metric.")
        made = provenance(published, published.tasks[of.task], comparison.aggregation)
        about = {"positive": comparison.found.compared.label, "round": of.name}
        about |= entries(choice_of(comparison.study))
        data_button(name="before-after", table=found, provenance=made | about)
