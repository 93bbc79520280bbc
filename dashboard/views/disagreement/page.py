"""Disagreement: whether a model's probabilities, and its idea of how often raters disagree, are right."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import streamlit as st

from core.analysis.disagreement.finding import (
    Finding,
    all_disagreement,
    least_disagreement,
    probable_labels,
)
from core.analysis.disagreement.forecasts import ALL_LABELS, AS_GIVEN, Forecast, given_forecasts, label_notes
from core.analysis.disagreement.methods import of_conformal, of_disagreement
from core.analysis.disagreement.recalibrated import (
    DEFAULT_METHODS,
    ENSEMBLE,
    METHODS,
    TEMPERATURE_ALPHA,
    Recalibrated,
)
from core.analysis.disagreement.settings import MOST_BINS_SHOWN, DisagreementSettings
from core.analysis.export import provenance
from core.analysis.methods_text import of_data
from core.analysis.models.score_models import left_out
from core.analysis.recipe import page_recipe
from core.metrics.calibration.bins import Binning
from core.metrics.calibration.label_histogram import LabelHistograms, task_histograms
from core.metrics.calibration.settings import BIN_KINDS
from core.settings import part
from core.study.model import Study, Task
from dashboard.components.text import element
from dashboard.shell import cache, sidebar, state, widgets
from dashboard.views import methods_text, no_models, parts
from dashboard.views.disagreement import conformal, diagrams, losses, surprising, words
from dashboard.views.disagreement.model_forecasts import ModelForecasts, recalibrating

_BIN_KINDS = {"equal width": "equally wide", "equal mass": "equally many predictions"}

ANSWERS = (
    "Are a model's probabilities right, before and after they are recalibrated?",
    "Is the disagreement that a model expects the one that is seen?",
    "How many labels must a model name to hold an uncertain truth?",
    "Which cases surprise, because model and raters differ most?",
)
"""What the page says of models, for who has none yet."""


def show(chosen: sidebar.Chosen) -> None:
    """Draw the page."""
    if chosen.study is None or chosen.task is None:
        parts.refused(chosen)
        return
    element("h1", "Disagreement")
    element(
        "p",
        "A model gives each label of a case a probability, and with that says how often two raters would "
        "choose different labels. Are both right? Where not, recalibration tries to mend them with the "
        "readings: each case by a fit that has not seen it.",
    )
    refusal = _refusal(chosen.task)
    if refusal:
        st.info(refusal)
        return
    if not chosen.task.predictions:
        no_models.show(chosen, chosen.study, chosen.task, answers=ANSWERS, like="mixed_digits")
        return
    _page(chosen.study, chosen.task)


def _refusal(task: Task) -> str:
    """Why nothing can be forecasts, and what to do; empty where something can."""
    if task.kind == "score" and task.threshold is None:
        return (
            "A score is judged by the side of a threshold that it is on, and this task has none. Write one "
            "into study.toml, such as threshold = 5."
        )
    if task.predictions and not task.probability_models:
        return left_out(task)
    return ""


@st.fragment
def _page(study: Study, task: Task) -> None:
    """Draw everything; a choice repaints this alone."""
    sidebar.saved_views(study)
    with st.container(key="wide"):
        _panels(study, task)
    state.write_address()


_histograms = cache.cached()(task_histograms)
_given = cache.cached()(given_forecasts)


def _panels(study: Study, task: Task) -> None:
    """Draw the finding, what can be chosen, and the panels."""
    histograms = _histograms(task)
    if not histograms.per_case.any():
        st.info("No case has a reading that counts as one label, so there is nothing to judge a model by.")
        parts.note(" ".join(label_notes(task, histograms)))
        return
    given = _given(task)
    finding, controls = st.container(), st.container()
    by_model = {one.model: one for one in given}
    state.keep_choice("predictor", by_model)
    before = by_model.get(state.view().predictor, given[0])
    job = recalibrating(study, task, before.model)
    fit = parts.result_of(job, what=f"Recalibrating {before.model}", key="recalibrate")
    with controls:
        method = _choose(given, before, fit, task)
    after = None
    if fit is not None and method != AS_GIVEN:
        after = next(one for one in fit.forecasts() if one.method == method)
    forecasts = ModelForecasts(
        study,
        task,
        (before,) if after is None else (before, after),
        provenance(study, task, state.aggregation())
        | {"model": before.model, "recalibration": AS_GIVEN if after is None else method},
    )
    with finding:
        _finding(forecasts)
    not_fitted = () if fit is None else fit.notes
    parts.note(" ".join([words.about(method), *label_notes(task, histograms), *not_fitted]))
    _binned(forecasts, histograms)
    conformal.show(study, task, before.model)
    if fit is not None:
        losses.show_expert_label(fit, forecasts)
    surprising.show(forecasts)
    if fit is not None:
        surprising.show_expert(fit, forecasts)
    settings = replace(
        part(DisagreementSettings, state.view()),
        predictor=before.model,
        recalibration="" if after is None else method,
    )
    methods_text.show(
        lambda: (
            of_data(study, task),
            of_disagreement(settings),
            methods_text.aggregated(study, task, state.aggregation()),
            of_conformal(replace(conformal.asked(), predictor=before.model)),
        ),
        lambda link: page_recipe(
            "disagreement",
            study,
            task,
            [replace(settings, recalibrate=after is not None, methods=() if after is None else (method,))],
            link=link,
        ),
        why_none=methods_text.rounds_count(study),
    )


def _choose(given: Sequence[Forecast], before: Forecast, fit: Recalibrated | None, task: Task) -> str:
    """Offer models and recalibrations; return how the model is recalibrated."""
    state.keep_choice("recalibration", METHODS)
    has_draws = task.predictions[before.model].ensemble is not None
    methods = fit.methods if fit is not None else [m for m in DEFAULT_METHODS if m != ENSEMBLE or has_draws]
    wanted = state.view().recalibration
    usual = TEMPERATURE_ALPHA if TEMPERATURE_ALPHA in methods else methods[-1]
    method = wanted if wanted in methods else usual
    with st.container(key="disagreement-models", horizontal=True, vertical_alignment="bottom"):
        st.selectbox(
            "Model",
            width=230,
            **widgets.choice("predictor", before.model, [one.model for one in given]),
        )
        st.selectbox(
            "Recalibration",
            width=230,
            format_func=lambda name: "none" if name == AS_GIVEN else words.title(name),
            help="Fitted with the readings of the other cases, never with a case's own.",
            **widgets.choice("recalibration", method, methods),
        )
    if wanted and wanted != method:
        parts.note(
            f"There is no {words.title(wanted)} of {before.model} here; {words.title(method)} is shown."
        )
    return method


@st.fragment
def _binned(forecasts: ModelForecasts, histograms: LabelHistograms) -> None:
    """Draw what depends on bins and label; these repaint nothing else."""
    labels = forecasts.task.labels
    state.keep_choice("probability_of", labels)
    label = state.view().probability_of
    with st.container(key="disagreement-bins", horizontal=True, vertical_alignment="bottom"):
        st.selectbox(
            "Label",
            width=200,
            format_func=lambda name: name or "all labels together",
            **widgets.choice("probability_of", label, [ALL_LABELS, *labels]),
        )
        st.number_input(
            "Number of bins", 1, MOST_BINS_SHOWN, width=130, **widgets.bind("bins", state.view().bins)
        )
        st.selectbox(
            "Bins",
            width=200,
            format_func=_BIN_KINDS.__getitem__,
            **widgets.choice("bin_kind", state.view().bin_kind, BIN_KINDS),
        )
    binning = Binning(state.view().bin_kind, state.view().bins)
    diagrams.show(forecasts, histograms, label, binning)
    losses.show(forecasts, histograms, label, binning)
    state.write_address()


def _finding(forecasts: ModelForecasts) -> None:
    """Say at the top what comes of it, with a number and its uncertainty."""
    first, last = forecasts.versions[0], forecasts.last
    least = _finding_of(forecasts, first, least_disagreement)
    whole = _finding_of(forecasts, first, all_disagreement)
    if least is None or whole is None:
        found = _finding_of(forecasts, first, probable_labels)
        if found is not None:
            parts.sentence(words.labels(found, first.model))
        return
    parts.sentence(words.pairs(least, first.model))
    more = words.behind_pairs(least, whole)
    recalibrated = _finding_of(forecasts, last, least_disagreement) if last is not first else None
    if recalibrated is not None:
        more += " " + words.after_pairs(recalibrated, last.method)
    parts.note(more)


_Find = Callable[[Study, Task, Forecast], Finding | None]
_FINDINGS: dict[_Find, _Find] = {
    find: cache.cached()(find) for find in (least_disagreement, all_disagreement, probable_labels)
}


def _finding_of(forecasts: ModelForecasts, forecast: Forecast, find: _Find) -> Finding | None:
    return _FINDINGS[find](forecasts.study, forecasts.task, forecast)
