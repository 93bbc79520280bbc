"""Cases that decide between two models: found, judged and written out as a list, each once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, cast

import pandas as pd

from core.analysis.formatting import percent
from core.analysis.models.deciding import DECIDING_METRICS, deciding_cases
from core.analysis.models.finding import pair_finding
from core.plausibility.settings import default_aggregation
from dashboard.components.case_list import Column
from dashboard.shell import cache
from dashboard.views.models.model_comparison import ModelComparison, once

MOST_CASES = 50
"""Listed; the data have all."""
_SOFT = "Share of the readings that say the label."
_deciding = cache.cached()(deciding_cases)
Listed = tuple[list[Column], list[list[str]], list[float]]
"""Columns, rows and shares of `dashboard.components.case_list.case_list`."""


def can_decide(comparison: ModelComparison) -> bool:
    """Whether cases decide by the metric that ranks: one of one label, or accuracy."""
    return comparison.ranked_by in DECIDING_METRICS


def leaders(comparison: ModelComparison, wanted: Sequence[str]) -> tuple[str, str]:
    """Two models: those that are asked for; else the leaders by both metrics."""
    models = comparison.distinct
    known = models["model"].tolist()
    hard = models.sort_values("hard_rank", kind="stable")["model"].iloc[0]
    a, b, *_ = dict.fromkeys([*[model for model in wanted if model in known][:2], hard, *known])
    return a, b


def cases_between(comparison: ModelComparison, a: str, b: str) -> pd.DataFrame:
    """Cases in the order of how much they decide."""
    metric = comparison.ranked_by
    usual = replace(default_aggregation(comparison.task), tie_rule=comparison.aggregation.tie_rule)
    aggregation = comparison.aggregation if metric == "adjusted accuracy" else usual
    label = comparison.settings.label
    return _deciding(
        comparison.study, comparison.task, a, b, metric=metric, label=label, aggregation=aggregation
    )


@once
def verdict(comparison: ModelComparison, a: str, b: str) -> str:
    """Say which of two models is better, how surely, and for whom the cases speak; or raise ValueError."""
    cases = cases_between(comparison, a, b)
    pairs = comparison.of_source("pairs")
    if pairs.empty:
        return f"{a} against {b}."
    pair = pairs[(pairs["model_a"] == a) & (pairs["model_b"] == b)].iloc[0]
    return pair_finding(pair, cases, draws=comparison.draws)


@once
def listed(comparison: ModelComparison, a: str, b: str) -> Listed:
    """Columns, rows and shares of the list, the most decisive case first."""
    cases = cases_between(comparison, a, b)
    decide = cases[cases["advantage"].fillna(0) != 0].head(MOST_CASES)
    of_all_labels = "accuracy" in comparison.ranked_by
    has_soft_label = not of_all_labels or len(comparison.task.labels) == 2
    by = "What the case adds to A's lead over B, on the cases that both predicted."
    columns = [
        Column("Case"),
        Column("Speaks for"),
        Column("By", is_number=True, help=by),
        *([Column("Soft label", is_share=True, help=_SOFT)] if has_soft_label else []),
        Column("Hard label"),
        Column("Readings", is_number=True),
        *(Column(f"{model} {'says' if of_all_labels else 'gives'}", not of_all_labels) for model in (a, b)),
    ]
    rows = [
        [
            row.case_id,
            row.favours,
            f"{row.advantage:+.5f}".replace("-", "−"),
            *([percent(row.plausibility)] if has_soft_label else []),
            row.hard_label,
            f"{row.n_readings}",
            *((row.predicted_a, row.predicted_b) if of_all_labels else _scores(row.score_a, row.score_b)),
        ]
        for row in cast("Iterable[Any]", decide.itertuples())
    ]
    return columns, rows, decide["plausibility"].tolist() if has_soft_label else [0.0] * len(rows)


def _scores(*scores: float) -> list[str]:
    """Probabilities or scores with three decimals."""
    return [f"{score:.3f}".replace("-", "−") for score in scores]
