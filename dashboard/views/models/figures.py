"""Pictures of the page, each drawn once for what it shows."""

from __future__ import annotations

from typing import Any

import pandas as pd

from core.analysis.models.rank_change import AVERAGED, COUNTERPARTS
from dashboard.charts.figure import Figure
from dashboard.charts.models.best import best_bars_chart
from dashboard.charts.models.better import better_matrix_chart
from dashboard.charts.models.rank_change import rank_slope_chart
from dashboard.charts.models.scatter import model_scatter_chart
from dashboard.charts.models.soft_labels import soft_label_chart
from dashboard.charts.models.stability import rank_correlation_chart, rank_distribution_chart
from dashboard.views.models.model_comparison import ModelComparison, once


@once
def agreement(comparison: ModelComparison) -> dict[str, Any]:
    """How far the two metrics agree, as `core.analysis.models.rank_change.rank_agreement` says it."""
    table = comparison.found.agreement
    return dict(table[table["counterpart"] == comparison.counterpart].iloc[0])


@once
def slope(comparison: ModelComparison) -> Figure:
    """Each model's rank by both metrics."""
    return rank_slope_chart(
        comparison.rows,
        models=comparison.models,
        metric=comparison.measure,
        counterpart=comparison.counterpart,
        tokens=comparison.tokens,
    )


@once
def scatter(comparison: ModelComparison) -> Figure:
    """Each model's value by one metric against that by the other."""
    return model_scatter_chart(
        comparison.rows,
        models=comparison.models,
        metric=comparison.measure,
        counterpart=comparison.counterpart,
        r_squared=agreement(comparison)["r_squared"],
        tokens=comparison.tokens,
    )


@once
def soft_labels(comparison: ModelComparison) -> Figure:
    """How the readings divide."""
    return soft_label_chart(
        comparison.found.labels.rename(columns={"plausibility": "soft_label"}),
        label=comparison.found.compared.label,
        tokens=comparison.tokens,
    )


@once
def best(comparison: ModelComparison) -> Figure:
    """P(best), every source for itself."""
    assert comparison.drawn is not None
    metric, table = comparison.ranked_by, comparison.drawn.best
    drawn = comparison.drawn.drawn
    return best_bars_chart(
        comparison.in_order.merge(table[table["metric"] == metric], on="model"),
        models=comparison.models,
        titles={source: words for source, words in comparison.sources.items() if (source, metric) in drawn},
        tokens=comparison.tokens,
    )


@once
def pairs(comparison: ModelComparison) -> pd.DataFrame:
    """P(model better than other)."""
    names = {"model_a": "model", "model_b": "other"}
    return comparison.of_source("pairs").rename(columns=names)


@once
def better(comparison: ModelComparison) -> Figure:
    """P(row better than column)."""
    return better_matrix_chart(
        comparison.in_order.merge(pairs(comparison), on="model"),
        models=comparison.models,
        tokens=comparison.tokens,
    )


@once
def ranks(comparison: ModelComparison) -> pd.DataFrame:
    """How often each model has which rank by both metrics."""
    assert comparison.drawn is not None
    table = comparison.drawn.ranks
    both = table["metric"].isin([comparison.measure, comparison.counterpart])
    return table[(table["source"] == comparison.settings.source) & both]


@once
def rank_distribution(comparison: ModelComparison) -> Figure:
    """Draw how often each model has which rank by both metrics."""
    table = ranks(comparison)
    kind = table["metric"].map({comparison.measure: "hard", comparison.counterpart: "soft"})
    return rank_distribution_chart(
        comparison.in_order.merge(table.assign(kind=kind).drop(columns="metric"), on="model"),
        models=comparison.models,
        metric=comparison.measure,
        counterpart=comparison.counterpart,
        tokens=comparison.tokens,
    )


@once
def rank_correlation(comparison: ModelComparison) -> Figure:
    """How well the order under each draw agrees with the observed one, for every metric drawn."""
    assert comparison.drawn is not None
    draws = comparison.drawn.correlation_draws

    table = draws[draws["source"] == comparison.settings.source]
    kind = table["metric"].isin([*COUNTERPARTS, *AVERAGED]).map({True: "hard", False: "soft"})
    return rank_correlation_chart(
        table.assign(correlation=table["spearman"], kind=kind),
        coefficient="Spearman's ρ",
        tokens=comparison.tokens,
    )
