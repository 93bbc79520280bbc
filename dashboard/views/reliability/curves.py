"""Certainty and every model's score against reliability, and whether the draws behind them can be trusted."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.analysis.export import format_reliability
from core.analysis.formatting import percent
from core.analysis.models.score_models import left_out
from core.analysis.reliability.held_out_reader import reader_left_out
from core.analysis.reliability.measure_sums import ANNOTATIONS, NOT_MIXED, SMALLEST_ESS, WORST_RHAT
from core.analysis.reliability.measures import HELD_OUT
from core.analysis.reliability.sweep import sweep
from core.plausibility.settings import Aggregation
from core.progress import Progress
from core.study.model import Study, Task
from dashboard.charts.figure import Figure
from dashboard.charts.reliability.sweep import chosen_place, sweep_chart
from dashboard.components.picture import picture
from dashboard.components.text import blank, count
from dashboard.shell import cache, theme, widgets
from dashboard.views import parts

CARE = "read those with care"
"""What is said where chains have not mixed at the reliability in force."""
_OF_TRUTH, _MODELS = "How certain is the truth?", "How good are the models?"
_AWAITED = 450
"""Height of both pictures with their captions, about, in pixels."""
_CERTAINTIES = ("top-1 certainty", "top-2 certainty", "top-3 certainty", "risk certainty")
_AS_A_SET = r"^(?:top-|set accuracy @|overlap @)(\d+)"
"""Names of metrics that ask which labels lead, in whatever order, and of how many."""


def swept_at(study: Study, task: Task, aggregation: Aggregation) -> pd.DataFrame | None:
    """Metrics at every reliability, once they are there."""
    swept = parts.result_of(
        _sweeping(study, task, aggregation.point),
        what="Measuring certainty and models at every reliability",
        key="sweep",
    )
    return None if swept is None else telling(swept, len(task.labels))


def keep_places(study: Study, task: Task, aggregation: Aggregation) -> None:
    """Keep the place of both pictures while they are made, so that what stands below does not move."""
    if not _sweeping(study, task, aggregation.point).running:
        return
    for column, title in zip(st.columns(2, gap="large"), (_OF_TRUTH, _MODELS), strict=True):
        with column:
            parts.head(title)
            blank(_AWAITED)


@cache.background
def _sweeping(progress: Progress, study: Study, task: Task, aggregation: Aggregation) -> pd.DataFrame:
    return sweep(study, task, aggregation, progress=progress)


@cache.cached(16)
def telling(swept: pd.DataFrame, n_labels: int) -> pd.DataFrame:
    """Leave out which labels are the leading ones where that is all of them, whatever the readings."""
    depth = swept["metric"].str.extract(_AS_A_SET, expand=False).fillna("1").astype(int)
    return swept[(depth == 1) | (depth < n_labels)]


@cache.cached()
def sampling(swept: pd.DataFrame, aggregation: Aggregation) -> str:
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
    words = f"Over all reliabilities drawn the worst R-hat is {rhat:.3f}, at γ = {format_reliability(gamma)}"
    words += "." if rhat <= RHAT_LIMIT else f": above {RHAT_LIMIT}, so read that step with care."
    if at:
        verdict = (
            "all chains have mixed"
            if at[NOT_MIXED] == 0
            else f"above {RHAT_LIMIT} in {percent(at[NOT_MIXED])} of the cases: {CARE}"
        )
        words = (
            "Plausible truths are drawn in chains; an R-hat of 1 says that all have come to the same. Over "
            f"{count(int(here['n_cases'].iloc[0]), 'case')} the worst R-hat is "
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


def certainty(swept: pd.DataFrame, aggregation: Aggregation, source: dict[str, str]) -> None:
    """Draw how certain the truth is, against reliability."""
    parts.head(_OF_TRUTH)
    figure, steps, words, table = _certainty_figure(swept, theme.tokens())
    picture(
        figure.with_frame("chosen", chosen_place(steps, aggregation.reliability)),
        name="certainty-by-reliability",
        alternative="Mean annotation certainty against reliability",
        caption=words + " Dotted: the reliability in force.",
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


def models(swept: pd.DataFrame, task: Task, aggregation: Aggregation, source: dict[str, str]) -> None:
    """Draw one metric of every model against reliability."""
    parts.head(_MODELS)
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
