"""Whether the models score and rank alike under another aggregation model."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from core.analysis.models.finding import signed
from core.analysis.reliability.measure_sums import ANNOTATIONS
from core.analysis.reliability.measures import HELD_OUT, TOP_1
from core.analysis.reliability.two_aggregations import CLAIM, two_aggregations, two_aggregations_finding
from core.analysis.reliability.words import aggregation_title
from core.plausibility.settings import Aggregation
from core.progress import Progress
from core.study.model import Study, Task
from dashboard.charts.models.rank_change import rank_slope_chart
from dashboard.components.picture import picture
from dashboard.components.text import table
from dashboard.shell import cache, theme, widgets
from dashboard.views import parts

_ARROW, _NONE = "\u00a0\u2192\u00a0", "\u2013"


@cache.background
def _compared(progress: Progress, study: Study, task: Task, a: Aggregation, b: Aggregation) -> pd.DataFrame:
    return two_aggregations(study, task, a, b, progress=progress)


@parts.folded("Do the models score and rank alike under both?", key="panel-two-aggregations")
def show(study: Study, task: Task, a: Aggregation, b: Aggregation, source: Mapping[str, str]) -> None:
    """Compare the metrics under two aggregation models; nothing is worked out while it is folded."""
    found = parts.result_of(_compared(study, task, a, b), what="Measuring under both", key="two-aggregations")
    if found is None:
        return
    titles = aggregation_title(a), aggregation_title(b)
    of_models = found[~found["subject"].isin([ANNOTATIONS, HELD_OUT])]
    metrics = list(dict.fromkeys(of_models["metric"])) or [TOP_1]
    metric = widgets.own("metric-under-both", metrics)
    if len(of_models):
        st.selectbox("Metric under both", width=260, **widgets.choice("metric-under-both", metric, metrics))
    parts.sentence(two_aggregations_finding(found, metric, titles))
    rows = found[found["metric"] == metric]
    made = {**source, "compared with": titles[1]}
    if of_models[of_models["metric"] == metric]["rank_b"].notna().sum() > 1:
        parts.beside(
            lambda: _slope(task, rows, found, metric, titles, made),
            lambda: _table(rows, titles),
            widths=(6, 5),
        )
    else:
        _table(found, titles)
    parts.note(CLAIM)


def _slope(
    task: Task,
    rows: pd.DataFrame,
    found: pd.DataFrame,
    metric: str,
    titles: tuple[str, str],
    made: Mapping[str, str],
) -> None:
    """Draw each model's rank under both."""
    shown = rows.rename(
        columns={
            "subject": "model",
            "value_a": "hard",
            "value_b": "soft",
            "rank_a": "hard_rank",
            "rank_b": "soft_rank",
        }
    ).assign(same_as="")
    picture(
        rank_slope_chart(
            shown,
            models=list(task.predictions),
            metric=titles[0],
            counterpart=titles[1],
            tokens=theme.tokens(),
        ),
        name="two-aggregations-ranks",
        alternative="Rank of every model under one aggregation model and under the other",
        caption=f"Each line is a model, the best by {metric} on top; beside it rank and value.",
        table=found,
        provenance=made,
    )


def _table(rows: pd.DataFrame, titles: tuple[str, str]) -> None:
    """List values under both, and how far they differ."""
    several = len(set(rows["metric"])) > 1
    lines = []
    for row in rows.to_dict("records"):
        name = f"{row['subject']}: {row['metric']}" if several else row["subject"]
        ranks = _NONE if pd.isna(row["rank_a"]) else f"{row['rank_a']}{_ARROW}{row['rank_b']}"
        error = f"\u00a0±\u00a0{row['standard_error']:.3f}" if pd.notna(row["standard_error"]) else ""
        difference = f"{signed(row['difference'])}{error}"
        lines.append((name, f"{row['value_a']:.3f}", f"{row['value_b']:.3f}", difference, ranks))
    heads = [title.replace(" = ", "\u00a0=\u00a0") for title in titles]
    table(["Model", *heads, "Difference ± standard error", "Ranks"], lines, name="Under both", scrolls=True)
