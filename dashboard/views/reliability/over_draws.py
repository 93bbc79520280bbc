"""One model against each of many plausible truths: how far its score depends on which of them holds."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
import streamlit as st

from core.analysis.models.score_models import left_out
from core.analysis.reliability.over_draws import OverDraws, histogram, marks, over_draws
from core.metrics.adjusted.metrics import adjusted_metrics
from core.plausibility.aggregate import aggregate
from core.plausibility.settings import MODELS, Aggregation
from core.study.model import Study, Task
from dashboard.charts.reliability.over_draws import over_draws_chart
from dashboard.components.picture import picture
from dashboard.components.text import count
from dashboard.shell import cache, theme, widgets
from dashboard.views import parts


@cache.cached()
def metric_names(study: Study, task: Task, aggregation: Aggregation, model: str) -> tuple[str, ...]:
    """Metrics that a model can be measured by."""
    return tuple(adjusted_metrics(aggregate(study, task, aggregation), task.predictions[model]))


_measured = cache.cached(32, waiting="Measuring the model against plausible truths …")(over_draws)


@parts.folded("One model over plausible truths", key="panel-over-draws")
def show(study: Study, task: Task, aggregation: Aggregation, source: Mapping[str, str]) -> None:
    """Draw the panel; it is measured only once it is opened."""
    lacking = _lacking(task, aggregation)
    if lacking:
        parts.note(lacking)
        return
    left, right = st.columns(2, gap="large")
    with left:
        model = _choose("Model", task.probability_models, name="draws-model")
    with right:
        names = metric_names(study, task, aggregation.point, model)
        metric = _choose("Metric", names, name="draws-metric")
    measured = _measured(study, task, aggregation, model, metric)
    _histogram(measured, parts.TIES[aggregation.tie_rule], source)


def _lacking(task: Task, aggregation: Aggregation) -> str:
    """Say why there is nothing to draw; empty where there is."""
    if not task.predictions:
        return "This study has no predictions. Add predictions.csv to measure models here."
    if not task.probability_models:
        return left_out(task)
    if not MODELS[aggregation.model].has_reliability or math.isinf(aggregation.reliability):
        return (
            "Under a point estimate there is one truth only, and each model has one score. A "
            "finite reliability, under a model that has one, shows the spread."
        )
    return ""


def _choose(label: str, options: Sequence[str], *, name: str) -> str:
    """Offer options, and keep what was chosen while it is among them."""
    chosen: str = st.selectbox(label, **widgets.choice(name, widgets.own(name, options), options))
    return chosen


def _histogram(measured: OverDraws, ties: str, source: Mapping[str, str]) -> None:
    """Draw the metric's values over draws."""
    bars = histogram(measured)
    title = f"{measured.metric[:1].upper()}{measured.metric[1:]} of {measured.model}"
    if bars.empty or np.isnan(measured.value).any():
        parts.note(f"{title} is undefined: no case has both readings and an answer.")
        return
    values = marks(measured)
    picture(
        over_draws_chart(bars, values, title=title, tokens=theme.tokens()),
        name="over-draws",
        alternative=f"Histogram of the {measured.metric} of {measured.model} over plausible truths, with its "
        "adjusted value and that against the point estimate",
        caption=f"The same answers to {count(measured.n_cases, 'case')}, scored against each of "
        f"{count(len(measured.value), 'plausible truth')}. Solid: adjusted, their expectation. Dashed: "
        f"scored against the point estimate alone, {ties}.",
        table=bars,
        provenance=dict(source)
        | {"model": measured.model, "metric": measured.metric}
        | dict(zip(values["mark"], values["value"].map("{:.6g}".format), strict=True)),
    )
