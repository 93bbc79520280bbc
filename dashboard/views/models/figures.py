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
from dashboard.views.models.scene import Scene, once


def shows_draws(scene: Scene) -> bool:
    """Whether there are draws of the metric to be shown."""
    return scene.drawn is not None and scene.measure not in scene.drawn.refused and scene.ranks


@once
def agreement(scene: Scene) -> dict[str, Any]:
    """How far the two metrics agree, as `core.analysis.models.rank_change.rank_agreement` says it."""
    table = scene.found.agreement
    return dict(table[table["counterpart"] == scene.counterpart].iloc[0])


@once
def slope(scene: Scene) -> Figure:
    """Each model's rank by both metrics."""
    return rank_slope_chart(
        scene.rows,
        models=scene.models,
        metric=scene.measure,
        counterpart=scene.counterpart,
        tokens=scene.tokens,
    )


@once
def scatter(scene: Scene) -> Figure:
    """Each model's value by one metric against that by the other."""
    return model_scatter_chart(
        scene.rows,
        models=scene.models,
        metric=scene.measure,
        counterpart=scene.counterpart,
        r_squared=agreement(scene)["r_squared"],
        tokens=scene.tokens,
    )


@once
def soft_labels(scene: Scene) -> Figure:
    """How the readings divide."""
    return soft_label_chart(
        scene.found.labels.rename(columns={"plausibility": "soft_label"}),
        label=scene.found.compared.label,
        tokens=scene.tokens,
    )


@once
def best(scene: Scene) -> Figure:
    """P(best), every source for itself."""
    assert scene.drawn is not None
    metric, table = scene.ranked_by, scene.drawn.best
    drawn = scene.drawn.drawn
    return best_bars_chart(
        scene.in_order.merge(table[table["metric"] == metric], on="model"),
        models=scene.models,
        titles={source: words for source, words in scene.sources.items() if (source, metric) in drawn},
        tokens=scene.tokens,
    )


@once
def pairs(scene: Scene) -> pd.DataFrame:
    """P(model better than other)."""
    names = {"model_a": "model", "model_b": "other"}
    return scene.of_source("pairs").rename(columns=names)


@once
def better(scene: Scene) -> Figure:
    """P(row better than column)."""
    return better_matrix_chart(
        scene.in_order.merge(pairs(scene), on="model"), models=scene.models, tokens=scene.tokens
    )


@once
def ranks(scene: Scene) -> pd.DataFrame:
    """How often each model has which rank by both metrics."""
    assert scene.drawn is not None
    table = scene.drawn.ranks
    both = table["metric"].isin([scene.measure, scene.counterpart])
    return table[(table["source"] == scene.settings.source) & both]


@once
def rank_distribution(scene: Scene) -> Figure:
    """Draw how often each model has which rank by both metrics."""
    table = ranks(scene)
    kind = table["metric"].map({scene.measure: "hard", scene.counterpart: "soft"})
    return rank_distribution_chart(
        scene.in_order.merge(table.assign(kind=kind).drop(columns="metric"), on="model"),
        models=scene.models,
        metric=scene.measure,
        counterpart=scene.counterpart,
        tokens=scene.tokens,
    )


@once
def rank_correlation(scene: Scene) -> Figure:
    """How well the order under each draw agrees with the observed one, for every metric drawn."""
    assert scene.drawn is not None
    draws = scene.drawn.correlation_draws

    table = draws[draws["source"] == scene.settings.source]
    kind = table["metric"].isin([*COUNTERPARTS, *AVERAGED]).map({True: "hard", False: "soft"})
    return rank_correlation_chart(
        table.assign(correlation=table["spearman"], kind=kind),
        coefficient="Spearman's ρ",
        tokens=scene.tokens,
    )
