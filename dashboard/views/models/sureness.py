"""How sure is any order? The models measured again and again on truths and cases that could have been."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import pandas as pd
import streamlit as st

from core.analysis.model_tables import Resampled
from core.analysis.rank_change import COUNTERPARTS
from core.analysis.stability import SOURCES
from dashboard import state, theme
from dashboard.charts.best_bars import best_bars_chart
from dashboard.charts.better_matrix import PAIR, better_matrix_chart
from dashboard.charts.stability import rank_correlation_chart, rank_distribution_chart
from dashboard.picture import picture
from dashboard.views import parts
from dashboard.views.models import controls
from dashboard.views.models.controls import Scene

_CAUTIOUS = (
    "Both together is cautious: the scatter of the readings comes along with each case drawn, so that it is "
    "counted twice."
)
_ADJUSTED = (
    "Adjusted accuracy is an average over plausible truths already, so that only cases can be drawn for it: "
    "here the models are ranked by accuracy, against each truth in turn."
)


def metric_shown(scene: Scene, drawn: Resampled | None) -> str:
    """The metric that ranks, hard or soft; the hard one where no draw is made of the other."""
    wanted = scene.counterpart if controls.ranked_by() == "soft" else scene.measure
    if drawn is None or (controls.unsure(), wanted) in drawn.drawn:
        return wanted
    return scene.measure


def rows_of(scene: Scene, drawn: Resampled | None, name: Literal["pairs", "best"]) -> pd.DataFrame:
    """Rows of a table for the chosen source and the metric that ranks; none where nothing was drawn."""
    if drawn is None:
        return pd.DataFrame({"metric": [], "model": [], "probability": []})
    table: pd.DataFrame = getattr(drawn, name)
    chosen = (table["source"] == controls.unsure()) & (table["metric"] == metric_shown(scene, drawn))
    return table[chosen]


def show(scene: Scene, drawn: Resampled) -> Mapping[str, Any]:
    """Draw the pictures; return what is selected in the matrix of pairs."""
    if scene.measure not in COUNTERPARTS:
        parts.note(f"No draws are made of {scene.measure}. Choose a metric of one label, or accuracy.")
        return {}
    if scene.measure in drawn.refused:
        parts.note(f"No draws are made of {scene.measure}: {drawn.refused[scene.measure]}.")
        return {}
    if not scene.ranks:
        parts.note("An order needs two models that differ.")
        return {}
    _choose(scene)
    if metric_shown(scene, drawn) == "accuracy" and controls.ranked_by() == "soft":
        parts.note(_ADJUSTED)
    left, right = st.columns(2, gap="large")
    with left:
        _best(scene, drawn)
    with right:
        selected = _matrix(scene, drawn)
    left, right = st.columns(2, gap="large")
    with left:
        _ranks(scene, drawn)
    with right:
        _correlations(scene, drawn)
    return selected


def _choose(scene: Scene) -> None:
    """Offer the source of uncertainty, and the metric that ranks."""
    titles = _titles(scene)
    sides = {"soft": scene.counterpart, "hard": scene.measure}
    with st.container(horizontal=True, key="models-unsure"):
        st.segmented_control(
            "What is drawn",
            SOURCES,
            format_func=lambda source: titles[source],
            required=True,
            **state.bind("unsure", controls.unsure()),
        )
        st.segmented_control(
            "Ranked by",
            controls.SIDES,
            format_func=lambda side: sides[side],
            required=True,
            **state.bind("ranked_by", controls.ranked_by()),
        )
    words = {
        "annotations": "These very cases, had they been read otherwise.",
        "cases": "Other cases, read as these were.",
        "both": f"Other cases, and other readings of them. {_CAUTIOUS}",
    }
    parts.note(words[controls.unsure()])


def _titles(scene: Scene) -> dict[str, str]:
    """Each source in a word."""
    truths = "Plausible truths" if scene.basis.truths == "plausibility" else "Readings"
    return {"annotations": truths, "cases": "Cases", "both": "Both"}


def _in_order(scene: Scene, drawn: Resampled) -> pd.DataFrame:
    """``model`` and ``same_as``, the best by the metric that ranks first."""
    by = "soft_rank" if metric_shown(scene, drawn) == scene.counterpart else "hard_rank"
    return scene.rows.sort_values(by, kind="stable")[["model", "same_as"]]


def _best(scene: Scene, drawn: Resampled) -> None:
    """Draw P(best), every source for itself."""
    parts.head("Which model is the best?")
    metric = metric_shown(scene, drawn)
    table = drawn.best[drawn.best["metric"] == metric]
    titles = {source: words for source, words in _titles(scene).items() if (source, metric) in drawn.drawn}
    picture(
        best_bars_chart(
            _in_order(scene, drawn).merge(table, on="model"),
            models=scene.models,
            titles=titles,
            tokens=theme.tokens(),
        ),
        name="best-models",
        alternative="Probability that each model is the best, for each source of uncertainty",
        caption=f"In which share of {drawn.n_draws:,} draws a model is the best by {metric}. {_CAUTIOUS}",
        table=drawn.best,
        provenance=scene.source,
    )


def _matrix(scene: Scene, drawn: Resampled) -> Mapping[str, Any]:
    """Draw P(row better than column)."""
    parts.head("Which model is better than which?")
    metric = metric_shown(scene, drawn)
    words = controls.drawn_words(scene.basis, controls.unsure())
    table = rows_of(scene, drawn, "pairs").rename(columns={"model_a": "model", "model_b": "other"})
    return picture(
        better_matrix_chart(_in_order(scene, drawn).merge(table, on="model"), tokens=theme.tokens()),
        name="better",
        alternative="Probability in percent that the model of the row is better than that of the column",
        caption=f"In how many of 100 {words} the model of the row is better by {metric} than that of the "
        "column; equals count half. Click a cell to see below which cases decide.",
        table=table,
        provenance=scene.source,
        selections=(PAIR,),
    )


def _ranks(scene: Scene, drawn: Resampled) -> None:
    """Draw how often each model has which rank by both metrics."""
    parts.head("Which ranks does a model take?")
    kinds = {scene.measure: "hard", scene.counterpart: "soft"}
    ranks = drawn.ranks
    table = ranks[(ranks["source"] == controls.unsure()) & ranks["metric"].isin(list(kinds))]
    words = controls.drawn_words(scene.basis, controls.unsure())
    soft = f" Blue circles: {scene.counterpart}." if (table["metric"] == scene.counterpart).any() else ""
    shown = table.assign(kind=table["metric"].map(kinds)).drop(columns="metric")
    picture(
        rank_distribution_chart(
            _in_order(scene, drawn).merge(shown, on="model"),
            models=scene.models,
            metric=scene.measure,
            counterpart=scene.counterpart,
            tokens=theme.tokens(),
        ),
        name="rank-distribution",
        alternative="How often each model has which rank by the hard metric and by its counterpart",
        caption=f"The larger a mark, the more of {drawn.n_draws:,} {words} give the model that rank. Grey "
        f"squares: {scene.measure} (hard).{soft}",
        table=table,
        provenance=scene.source,
    )


def _correlations(scene: Scene, drawn: Resampled) -> None:
    """Draw how well the order under each draw agrees with the observed one, for every metric drawn."""
    parts.head("Does the order hold?")
    draws = drawn.correlation_draws
    table = draws[draws["source"] == controls.unsure()]
    kind = table["metric"].isin(list(COUNTERPARTS)).map({True: "hard", False: "soft"})
    words = controls.drawn_words(scene.basis, controls.unsure())
    picture(
        rank_correlation_chart(
            table.assign(correlation=table["spearman"], kind=kind),
            coefficient="Spearman's ρ",
            tokens=theme.tokens(),
        ),
        name="rank-correlation",
        alternative="Rank correlation of the order under each draw with the observed order, metric by metric",
        caption=f"Under each of {drawn.n_draws:,} {words} the models are ranked anew; 1 is the order "
        f"observed by the same metric. Line: mean. {_test(scene, drawn)}",
        table=drawn.correlations,
        provenance=scene.source,
    )


def _test(scene: Scene, drawn: Resampled) -> str:
    """Say whether the counterpart's order is the more stable."""
    tests = drawn.tests
    row = tests[
        (tests["source"] == controls.unsure())
        & (tests["metric"] == scene.measure)
        & (tests["coefficient"] == "spearman")
    ]
    if row.empty or row["p_value"].isna().all():
        return ""
    found = row.iloc[0]
    chance = "below 0.001" if found["p_value"] < 0.001 else f"{found['p_value']:.3f}"
    return (
        f"{scene.counterpart} keeps its order better in {found['wins']:,} draws and worse in "
        f"{found['losses']:,}; were it no more stable than {scene.measure}, so many would come with "
        f"probability {chance} (binomial test)."
    )
