"""Does the order change? Ranks and values by a hard metric beside those by its counterpart.

What stands for a picture when it is not seen does not name the metric: the browser builds a picture anew when
that changes. Captions and downloads name it.
"""

from __future__ import annotations

import streamlit as st

from dashboard.components.picture import data_button, picture
from dashboard.components.text import table
from dashboard.views import parts
from dashboard.views.models import figures, words
from dashboard.views.models.model_comparison import ModelComparison

COLUMNS = (6, 5)
"""Shares of the width that two pictures side by side have."""


def show(comparison: ModelComparison) -> None:
    """Draw ranks and values by both metrics."""
    if comparison.ranks:
        parts.beside(lambda: _slope(comparison), lambda: _scatter(comparison), widths=COLUMNS)


def behind(comparison: ModelComparison) -> None:
    """Show what the order rests on: all metrics, and the labels."""
    _all_metrics(comparison)
    _labels(comparison)


def _slope(comparison: ModelComparison) -> None:
    """Draw each model's rank by both metrics."""
    parts.head("Does the order change?")
    agreement = figures.agreement(comparison)
    moves = "; ".join(
        f"{which}: {names}"
        for which, names in (("Gain", agreement["gains"]), ("Lose", agreement["loses"]))
        if names
    )
    picture(
        figures.slope(comparison),
        name="rank-slope",
        alternative="Rank of every model by the hard metric and by its counterpart",
        caption="Each line is a model, the best on top; beside it rank and value. Models that predict the "
        f"very same are one line. {moves or 'No model gains or loses a rank'}.",
        table=comparison.rows,
        provenance=comparison.source,
    )


def _scatter(comparison: ModelComparison) -> None:
    """Draw each model's value by one metric against that by the other."""
    parts.head("How far do the two metrics agree?")
    agreement = figures.agreement(comparison)
    words = agreement["reason"].capitalize() or (
        f"Over {len(comparison.distinct)} models, R² is {agreement['r_squared']:.2f}, Spearman's ρ "
        f"{agreement['spearman']:.2f} and Kendall's τ {agreement['kendall']:.2f} (1: the same order)"
    ).replace("-", "−")
    figure = figures.scatter(comparison)
    equal = "On the dashed line both values are equal."
    if figure.data["equal"].empty:
        side = "lower" if comparison.distinct["difference"].iloc[0] < 0 else "higher"
        equal = f"Every {comparison.counterpart} is {side} than its {comparison.measure}."
    picture(
        figure,
        name="hard-against-soft",
        alternative="Value of every model by the hard metric and by its counterpart",
        caption=f"Each mark is a model. {equal} {words}.",
        table=comparison.found.agreement,
        provenance=comparison.source,
    )


def _all_metrics(comparison: ModelComparison) -> None:
    """List all metrics, hard and with every reading kept, with their differences."""
    parts.head("Every metric")
    metrics = comparison.found.metrics
    heads, rows = words.all_metrics(comparison)
    table(heads, rows, name="All metrics", scrolls=True)
    with st.container(horizontal=True, wrap=False, gap="small"):
        undefined = " –: not defined for that model." if any(words.UNDEFINED in row for row in rows) else ""
        parts.note(
            "The hard value, its counterpart and how far they differ; then the ranks by both. Of Brier score "
            f"and log loss less is better.{undefined}"
        )
        data_button(name="metrics", table=metrics, provenance=comparison.source)


@parts.folded("How divided are the readings?", key="panel-divided")
def _labels(comparison: ModelComparison) -> None:
    """Draw how the readings divide."""
    label = comparison.found.compared.label
    share = f"the share of a case's readings that say “{label}”"
    picture(
        figures.soft_labels(comparison),
        name="soft-labels",
        alternative=f"How many cases have which soft label, {share}",
        caption=f"A soft label is {share}. Dark: the hard label says it, having most votes; pale: it says "
        "another; between: tied. A hard metric forgets how far a case is from changing sides.",
        table=comparison.found.labels,
        provenance=comparison.source,
    )
