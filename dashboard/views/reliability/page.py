"""Reliability: what trust in the raters does to certainty and to every model's score."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from core.analysis.export import format_reliability, provenance
from core.analysis.formatting import percent
from core.analysis.models.score_models import left_out
from core.analysis.reliability.fit import PREDICTING, best_reliability
from core.analysis.reliability.held_out_reader import reader_left_out
from core.analysis.reliability.measures import ANNOTATIONS, HELD_OUT, NOT_MIXED, SMALLEST_ESS, WORST_RHAT
from core.analysis.reliability.sweep import sweep
from core.plausibility.settings import MODELS, Aggregation, models_for
from core.progress import Progress
from core.study.model import Study, Task
from dashboard.charts.figure import Figure
from dashboard.charts.reliability import certainty
from dashboard.charts.reliability import fit as predictive
from dashboard.charts.reliability.sweep import chosen_place, sweep_chart
from dashboard.components.picture import picture
from dashboard.components.text import count, element
from dashboard.shell import cache, sidebar, state, theme, widgets
from dashboard.views import marked, parts
from dashboard.views.reliability import over_draws, risk

_CERTAINTIES = ("top-1 certainty", "top-2 certainty", "top-3 certainty", "risk certainty")
_AS_A_SET = r"^(?:top-|set accuracy @|overlap @)(\d+)"
"""Names of metrics that ask which labels lead, in whatever order, and of how many."""


def show(chosen: sidebar.Chosen) -> None:
    """Draw the page."""
    if chosen.study is None or chosen.task is None:
        parts.refused(chosen)
        return
    element("h1", "Reliability")
    element(
        "p",
        "How far do you trust the raters? The more, the more certain the truth appears, and the "
        "higher or lower a model scores. These pictures show what depends on that choice and what does not.",
    )
    _page(chosen.study, chosen.task)


@st.fragment
def _page(study: Study, task: Task) -> None:
    """Draw everything; the slider marks its place in each picture."""
    aggregation = sidebar.reliability_slider(study, task)
    source = provenance(study, task, aggregation)
    table = cache.worklist_at(study, task, aggregation)
    has_reliability = MODELS[aggregation.model].has_reliability
    swept = _sweep(study, task, aggregation) if has_reliability else None
    if not has_reliability:
        st.info(
            f"{MODELS[aggregation.model].title} is a point estimate, so nothing depends on reliability. "
            "Choose a model with a reliability on the left for the curves."
        )
    if swept is not None:
        words = _sampling(swept, aggregation)
        if words:
            parts.note(words)
    with st.container(key="wide"):
        left, right = st.columns(2, gap="large")
        if swept is not None:
            with left:
                _certainty(swept, aggregation, source)
            with right:
                _models(swept, task, aggregation, source)
        parts.beside(
            lambda: _sorted(table, source), lambda: _compare(study, task, aggregation, table, source)
        )
        if has_reliability:
            _supported(study, task, aggregation, source)
        over_draws.show(study, task, aggregation, source)
        risk.show(study, task, aggregation, source)
    cache.steps(study, task, aggregation).compute_ahead(aggregation.reliability)
    state.write_address()


def _sweep(study: Study, task: Task, aggregation: Aggregation) -> pd.DataFrame | None:
    """Metrics at every reliability, once they are there."""
    swept = parts.result_of(
        _sweeping(study, task, aggregation.point),
        what="Measuring certainty and models at every reliability",
        key="sweep",
    )
    return None if swept is None else telling(swept, len(task.labels))


@cache.background
def _sweeping(progress: Progress, study: Study, task: Task, aggregation: Aggregation) -> pd.DataFrame:
    return sweep(study, task, aggregation, progress=progress)


@cache.cached(16)
def telling(swept: pd.DataFrame, n_labels: int) -> pd.DataFrame:
    """Leave out which labels are the leading ones where that is all of them, whatever the readings."""
    depth = swept["metric"].str.extract(_AS_A_SET, expand=False).fillna("1").astype(int)
    return swept[(depth == 1) | (depth < n_labels)]


@cache.cached()
def _sampling(swept: pd.DataFrame, aggregation: Aggregation) -> str:
    """Whether the draws of a sampled posterior can be trusted, where the slider stands and elsewhere."""
    known = swept[swept["metric"].isin((WORST_RHAT, SMALLEST_ESS, NOT_MIXED))].dropna(subset="value")
    if known.empty:
        return ""
    # Whoever has swept a sampled posterior has imported it already; the first page need not.
    from core.plausibility.convergence import RHAT_LIMIT

    here = known[known["reliability"] == aggregation.reliability]
    at = dict(zip(here["metric"], here["value"], strict=True))
    worst = known[known["metric"] == WORST_RHAT].nlargest(1, "value")
    rhat, gamma = worst["value"].item(), worst["reliability"].item()
    words = f"Over the slider the worst R-hat is {rhat:.3f}, at γ = {format_reliability(gamma)}"
    words += "." if rhat <= RHAT_LIMIT else f": above {RHAT_LIMIT}, so read that step with care."
    if at:
        verdict = (
            "all chains have mixed"
            if at[NOT_MIXED] == 0
            else f"above {RHAT_LIMIT} in {percent(at[NOT_MIXED])} of the cases: read those with care"
        )
        words = (
            f"Sampled posterior: over {count(int(here['n_cases'].iloc[0]), 'case')} the worst R-hat is "
            f"{at[WORST_RHAT]:.3f} and the fewest effective draws are {at[SMALLEST_ESS]:,.0f}; {verdict}. "
            f"{words}"
        )
    return words


@cache.cached(16)
def _certainty_figure(
    swept: pd.DataFrame, tokens: theme.Tokens
) -> tuple[Figure, pd.Series, str, pd.DataFrame]:
    """Picture, its reliabilities, what it shows in words, and its data."""
    of_truth = swept[swept["subject"] == ANNOTATIONS]
    table = of_truth[of_truth["metric"].isin(_CERTAINTIES)]
    names = {name: name.removesuffix(" certainty") for name in _CERTAINTIES}
    figure = sweep_chart(
        table.assign(series=table["metric"].map(names)),
        subjects=[],
        tokens=tokens,
        title="Mean certainty over cases",
        chosen=1.0,
    )
    return figure, table["reliability"], _certainty_words(table), of_truth


def _certainty(swept: pd.DataFrame, aggregation: Aggregation, source: dict[str, str]) -> None:
    """Draw how certain the truth is, against reliability."""
    parts.head("How certain is the truth?")
    figure, steps, words, table = _certainty_figure(swept, theme.tokens())
    picture(
        figure.with_frame("chosen", chosen_place(steps, aggregation.reliability)),
        name="certainty-by-reliability",
        alternative="Mean annotation certainty against reliability",
        caption=words + " Dotted: the slider.",
        table=table,
        provenance=source,
    )


def _certainty_words(table: pd.DataFrame) -> str:
    """Say what certainty is of."""
    has = set(table["metric"])
    sets = [
        words for metric, words in (("top-2 certainty", "two"), ("top-3 certainty", "three")) if metric in has
    ]
    words = "Probability that the leading label leads in the truth too"
    if sets:
        words += f"; that the leading {' or '.join(sets)} are those of the truth, in any order"
    if "risk certainty" in has:
        words += "; that the leading risk level is the true one"
    return f"{words}; averaged over cases. Cross: a point estimate, certain but for its ties."


@cache.cached(16)
def _of_models(swept: pd.DataFrame) -> pd.DataFrame:
    return swept[swept["subject"] != ANNOTATIONS]


@cache.cached(64)
def _metric_figure(
    table: pd.DataFrame, metric: str, models: list[str], tokens: theme.Tokens
) -> tuple[Figure, pd.Series, bool]:
    """Picture of one metric, its reliabilities, and whether a held-out reader is in it."""
    shown = table[table["metric"] == metric]
    figure = sweep_chart(
        shown.assign(series=shown["subject"]),
        subjects=models,
        tokens=tokens,
        title=f"Adjusted {metric}",
        chosen=1.0,
        shares=bool(shown["value"].dropna().between(0, 1).all()) and "τ" not in metric,
    )
    return figure, shown["reliability"], bool((shown["subject"] == HELD_OUT).any())


def _models(swept: pd.DataFrame, task: Task, aggregation: Aggregation, source: dict[str, str]) -> None:
    """Draw one metric of every model against reliability."""
    parts.head("How good are the models?")
    table = _of_models(swept)
    if task.score_models:
        parts.note(left_out(task))
    if table.empty:
        if not task.predictions:
            parts.note("This study has no predictions. Add predictions.csv to compare models here.")
        return
    metrics = list(dict.fromkeys(table["metric"]))
    metric = st.selectbox(
        "Metric",
        label_visibility="collapsed",
        **widgets.choice("metric", widgets.own("metric", metrics), metrics),
    )
    figure, steps, held_out = _metric_figure(table, metric, list(task.predictions), theme.tokens())
    without = f" {reader_left_out(task)}" if (table["subject"] == HELD_OUT).any() else ""
    picture(
        figure.with_frame("chosen", chosen_place(steps, aggregation.reliability)),
        name="models-by-reliability",
        alternative=f"Uncertainty-adjusted {metric} of every model against reliability",
        caption="Line: mean over plausible truths. Band: 95 % of them. Cross: the point estimate, "
        f"{parts.TIES[aggregation.tie_rule]}."
        + (" Held-out reader: one reading a case, scored like a model." if held_out else without),
        table=table,
        provenance=source,
    )


@cache.cached(32)
def _sorted_figure(table: pd.DataFrame, tokens: theme.Tokens) -> tuple[Figure, pd.DataFrame, pd.DataFrame]:
    """Picture, its data, and the place of every case in it."""
    shown = table[[name for name in ("certainty", "risk_certainty") if name in table]]
    figure = certainty.sorted_certainty_chart(shown.reset_index(), tokens=tokens)
    return figure, shown, certainty.places(table["certainty"])


def _sorted(table: pd.DataFrame, source: dict[str, str]) -> None:
    """Draw all cases by certainty."""
    parts.head("Which share of the cases is uncertain?")
    figure, shown, places = _sorted_figure(table, theme.tokens())
    selected = picture(
        figure,
        name="sorted-cases",
        alternative="Certainty of all cases, in ascending order",
        caption="All cases, the least certain first. Where a curve is below the top, the truth is open. "
        "Drag over cases, or click one, to open them.",
        table=shown,
        provenance=source,
        selections=(certainty.BRUSH, certainty.CLICK),
    )
    marked.offer(places, selected, key="sorted")


@cache.cached(32)
def _comparison_figure(
    mine: pd.DataFrame, theirs: pd.DataFrame, titles: tuple[str, str], tokens: theme.Tokens
) -> tuple[Figure, float, pd.DataFrame]:
    """Picture of two worklists, their correlation, and the data."""
    pairs = pd.DataFrame({"certainty_a": mine["certainty"], "certainty_b": theirs["certainty"]})
    table = pairs.dropna().reset_index()
    varies = len(table) > 1 and (np.ptp(table[list(pairs)].to_numpy(), axis=0) > 0).all()
    correlation = table["certainty_a"].corr(table["certainty_b"]) if varies else np.nan
    return certainty.comparison_chart(table, titles, tokens=tokens), correlation, table


def _compare(
    study: Study, task: Task, aggregation: Aggregation, mine: pd.DataFrame, source: dict[str, str]
) -> None:
    """Draw two aggregation models against each other."""
    parts.head("Does another aggregation model agree?")
    others = [name for name in models_for(task) if name != aggregation.model]
    if not others:
        parts.note("Only one aggregation model suits this task.")
        return
    current = state.view().against if state.view().against in others else others[0]
    st.selectbox(
        "Compared with",
        format_func=lambda name: MODELS[name].title,
        label_visibility="collapsed",
        **widgets.choice("against", current, others),
    )
    other = Aggregation(current, MODELS[current].default_reliability, tie_rule=aggregation.tie_rule)
    theirs = cache.worklist_at(study, task, other)
    # γ of the slider stands in the caption: a picture whose axis names change is built anew at every step.
    titles = (MODELS[aggregation.model].title, _title(other))
    figure, correlation, table = _comparison_figure(mine, theirs, titles, theme.tokens())
    selected = picture(
        figure,
        name="two-aggregations",
        alternative=f"Certainty of each case under {titles[0]} against {titles[1]}",
        caption=(
            f"Each dot is a case, under {_title(aggregation)} and under {titles[1]}"
            + _points_in_words(len(table))
            + (f"; correlation {correlation:.2f}." if pd.notna(correlation) else ".")
            + " On the dashed line both are equally certain. Drag over cases, or click one, to open them."
        ),
        table=table,
        provenance=source | {"compared with": titles[1]},
        selections=(certainty.BRUSH, certainty.CLICK),
    )
    marked.offer(table, selected, key="compared")


def _points_in_words(n_cases: int) -> str:
    """Say how many cases a chart of single cases shows."""
    if n_cases <= certainty.MOST_POINTS:
        return f" ({count(n_cases, 'case')})"
    return f" ({certainty.MOST_POINTS:,} of {n_cases:,} cases drawn, evenly chosen; the data hold all)"


def _title(aggregation: Aggregation) -> str:
    """Name a model with its reliability."""
    model = MODELS[aggregation.model]
    return (
        f"{model.title}, γ = {format_reliability(aggregation.reliability)}"
        if model.has_reliability
        else model.title
    )


@cache.cached(16)
def _predictive_figure(curve: pd.DataFrame, tokens: theme.Tokens) -> Figure:
    return predictive.predictive_chart(curve, best_reliability(curve), chosen=1.0, tokens=tokens)


def _supported(study: Study, task: Task, aggregation: Aggregation, source: dict[str, str]) -> None:
    """Draw how well each reliability predicts readings that were left out."""
    parts.head("Which reliability do the readings support?")
    if aggregation.model not in PREDICTING:
        parts.note(
            f"{MODELS[aggregation.model].title} gives no probability to a label that other raters did not "
            "name, so it cannot predict a reading. Choose another model on the left to see which "
            "reliability the readings support."
        )
        return
    curve = parts.result_of(
        sidebar.predicting(study, task, aggregation.point),
        what="Predicting left-out readings",
        key="predictive",
    )
    if curve is None:
        return
    figure = _predictive_figure(curve, theme.tokens())
    picture(
        figure.with_frame("chosen", predictive.place_on(curve, aggregation.reliability)),
        name="predictive",
        alternative="Predictive log-likelihood of left-out readings against reliability",
        caption="Each reading in turn is predicted from the others of its case; higher is better. "
        "Band: standard error. Ring: the reliability that the readings support best. Dotted: the slider.",
        table=curve,
        provenance=source,
    )
