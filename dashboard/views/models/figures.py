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
from dashboard.views.models.scene import Scene


def shows_draws(scene: Scene) -> bool:
    """Whether there are draws of the metric to be shown."""
    return scene.drawn is not None and scene.measure not in scene.drawn.refused and scene.ranks


def agreement(scene: Scene) -> dict[str, Any]:
    """How far the two metrics agree, as `core.analysis.models.rank_change.rank_agreement` says it."""
    table = scene.found.agreement
    return scene.kept("agreement", lambda: dict(table[table["counterpart"] == scene.counterpart].iloc[0]))


def slope(scene: Scene) -> Figure:
    """Each model's rank by both metrics."""
    return scene.kept(
        "rank slope",
        lambda: rank_slope_chart(
            scene.rows,
            models=scene.models,
            metric=scene.measure,
            counterpart=scene.counterpart,
            tokens=scene.look.tokens,
        ),
    )


def scatter(scene: Scene) -> Figure:
    """Each model's value by one metric against that by the other."""
    return scene.kept(
        "hard against soft",
        lambda: model_scatter_chart(
            scene.rows,
            models=scene.models,
            metric=scene.measure,
            counterpart=scene.counterpart,
            r_squared=agreement(scene)["r_squared"],
            tokens=scene.look.tokens,
        ),
    )


def soft_labels(scene: Scene) -> Figure:
    """How the readings divide."""
    return scene.kept(
        "soft labels",
        lambda: soft_label_chart(
            scene.found.labels.rename(columns={"plausibility": "soft_label"}),
            label=scene.found.compared.label,
            tokens=scene.look.tokens,
        ),
    )


def best(scene: Scene) -> Figure:
    """P(best), every source for itself."""
    assert scene.drawn is not None
    metric, table = scene.ranked_by, scene.drawn.best
    drawn = scene.drawn.drawn
    return scene.kept(
        "best models",
        lambda: best_bars_chart(
            scene.in_order.merge(table[table["metric"] == metric], on="model"),
            models=scene.models,
            titles={source: words for source, words in scene.sources.items() if (source, metric) in drawn},
            tokens=scene.look.tokens,
        ),
    )


def pairs(scene: Scene) -> pd.DataFrame:
    """P(model better than other)."""
    names = {"model_a": "model", "model_b": "other"}
    return scene.kept("pairs", lambda: scene.of_source("pairs").rename(columns=names))


def better(scene: Scene) -> Figure:
    """P(row better than column)."""
    return scene.kept(
        "better",
        lambda: better_matrix_chart(
            scene.in_order.merge(pairs(scene), on="model"), models=scene.models, tokens=scene.look.tokens
        ),
    )


def ranks(scene: Scene) -> pd.DataFrame:
    """How often each model has which rank by both metrics."""
    assert scene.drawn is not None
    table = scene.drawn.ranks

    def choose() -> pd.DataFrame:
        both = table["metric"].isin([scene.measure, scene.counterpart])
        return table[(table["source"] == scene.look.unsure) & both]

    return scene.kept("ranks", choose)


def rank_distribution(scene: Scene) -> Figure:
    """Draw how often each model has which rank by both metrics."""

    def draw() -> Figure:
        table = ranks(scene)
        kind = table["metric"].map({scene.measure: "hard", scene.counterpart: "soft"})
        return rank_distribution_chart(
            scene.in_order.merge(table.assign(kind=kind).drop(columns="metric"), on="model"),
            models=scene.models,
            metric=scene.measure,
            counterpart=scene.counterpart,
            tokens=scene.look.tokens,
        )

    return scene.kept("rank distribution", draw)


def rank_correlation(scene: Scene) -> Figure:
    """How well the order under each draw agrees with the observed one, for every metric drawn."""
    assert scene.drawn is not None
    draws = scene.drawn.correlation_draws

    def draw() -> Figure:
        table = draws[draws["source"] == scene.look.unsure]
        kind = table["metric"].isin([*COUNTERPARTS, *AVERAGED]).map({True: "hard", False: "soft"})
        return rank_correlation_chart(
            table.assign(correlation=table["spearman"], kind=kind),
            coefficient="Spearman's ρ",
            tokens=scene.look.tokens,
        )

    return scene.kept("rank correlation", draw)
