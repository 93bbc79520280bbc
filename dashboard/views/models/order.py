"""Does the order change? Ranks and values by a hard metric beside those by its counterpart.

What stands for a picture when it is not seen does not name the metric: the browser builds a picture anew when
that changes. Captions and downloads name it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from core.analysis.model_finding import distinct, signed
from dashboard.picture import data_button, picture
from dashboard.text import table
from dashboard.views import parts
from dashboard.views.models import figures
from dashboard.views.models.scene import Scene

_UNDEFINED = "–"
"""Stands for a metric that a model does not have."""


def show(scene: Scene) -> None:
    """Draw ranks, values, all metrics, and the labels that they rest on."""
    if scene.ranks:
        left, right = st.columns([6, 5], gap="large")
        with left:
            _slope(scene)
        with right:
            _scatter(scene)
    _all_metrics(scene)
    _labels(scene)


def _slope(scene: Scene) -> None:
    """Draw each model's rank by both metrics."""
    parts.head("Does the order change?")
    agreement = figures.agreement(scene)
    moves = "; ".join(
        f"{which}: {names}"
        for which, names in (("Gain", agreement["gains"]), ("Lose", agreement["loses"]))
        if names
    )
    picture(
        figures.slope(scene),
        name="rank-slope",
        alternative="Rank of every model by the hard metric and by its counterpart",
        caption="Each line is a model, the best on top; beside it rank and value. Models that predict the "
        f"very same are one line. {moves or 'No model gains or loses a rank'}.",
        table=scene.rows,
        provenance=scene.source,
    )


def _scatter(scene: Scene) -> None:
    """Draw each model's value by one metric against that by the other."""
    parts.head("How far do the two metrics agree?")
    agreement = figures.agreement(scene)
    words = agreement["reason"].capitalize() or (
        f"Over models, R² is {agreement['r_squared']:.2f}, Spearman's ρ {agreement['spearman']:.2f} and "
        f"Kendall's τ {agreement['kendall']:.2f} (1: the same order)"
    ).replace("-", "−")
    figure = figures.scatter(scene)
    equal = "On the dashed line both values are equal."
    if figure.data["equal"].empty:
        side = "lower" if scene.distinct["difference"].iloc[0] < 0 else "higher"
        equal = f"Every {scene.counterpart} is {side} than its {scene.measure}."
    picture(
        figure,
        name="hard-against-soft",
        alternative="Value of every model by the hard metric and by its counterpart",
        caption=f"Each mark is a model. {equal} {words}.",
        table=scene.found.agreement,
        provenance=scene.source,
    )


def _all_metrics(scene: Scene) -> None:
    """List all metrics, hard and with every reading kept, with their differences."""
    parts.head("Every metric")
    metrics = scene.found.metrics
    heads, rows = scene.kept("all metrics", lambda: _cells(scene))
    table(heads, rows, name="All metrics")
    with st.container(horizontal=True, wrap=False, gap="small"):
        undefined = " –: not defined for that model." if any(_UNDEFINED in row for row in rows) else ""
        parts.note(
            "The hard value, its counterpart and how far they differ; then the ranks by both. Of Brier score "
            f"and log loss less is better.{undefined}"
        )
        data_button(name="metrics", table=metrics, provenance=scene.source)


def _cells(scene: Scene) -> tuple[list[str], list[list[str]]]:
    """Heads and rows of the table of all metrics: a model, and a cell for each metric."""
    pairs = dict(zip(scene.found.metrics["metric"], scene.found.metrics["counterpart"], strict=True))
    offered = [metric for metric in pairs if metric not in scene.found.refused]
    models = distinct(scene.rows).sort_values("soft_rank", kind="stable")
    cells = {(row.metric, row.model): _cell(row) for row in scene.found.metrics.itertuples()}
    rows = [
        [names, *(cells[metric, model] for metric in offered)]
        for model, names in zip(models["model"], models["names"], strict=True)
    ]
    return ["Model", *(f"{metric} → {pairs[metric]}" for metric in offered)], rows


def _cell(row: Any) -> str:
    """Both values of a row of `core.analysis.rank_change.rank_change`, their difference, and both ranks."""
    if np.isnan(row.hard) or np.isnan(row.soft):
        return _UNDEFINED
    ranks = f"rank\u00a0{row.hard_rank}\u00a0→\u00a0{row.soft_rank}"
    return f"{row.hard:.3f} → {row.soft:.3f} ({signed(row.difference)}) {ranks}"


def _labels(scene: Scene) -> None:
    """Draw how the readings divide."""
    parts.head("How divided are the readings?")
    label = scene.found.compared.label
    share = f"the share of a case's readings that say “{label}”"
    picture(
        figures.soft_labels(scene),
        name="soft-labels",
        alternative=f"How many cases have which soft label, {share}",
        caption=f"A soft label is {share}. Dashed: where a hard label cuts; a hard metric forgets how far "
        "from it a case lies.",
        table=scene.found.labels,
        provenance=scene.source,
    )
