"""How sure is any order? The models measured again and again on truths and cases that could have been."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, cast

import streamlit as st

from core.analysis.models.settings import RATER_SOURCES, SIDES, SOURCES
from core.analysis.models.tables import Resampled
from dashboard.charts.models.better import PAIR
from dashboard.components.picture import Caption, picture
from dashboard.shell import widgets
from dashboard.views import parts
from dashboard.views.models import deciding, figures, order, words
from dashboard.views.models.measuring import no_raters
from dashboard.views.models.model_comparison import ModelComparison

_ONCE = "The scatter of the readings comes along with each case drawn; of both together it is counted once."
_SHARED = "What raters and cases share of the scatter is counted once."
_ABOUT = "A draw says how far a value may be off; all draws are laid about the values that were observed."
_ADJUSTED = (
    "Adjusted accuracy is an average over plausible truths already: only cases can be drawn for it. Here the "
    "models are ranked by accuracy, against the labels of each draw in turn; with Cases, by either."
)

_SINGLE = (
    "No case has two readings, so readings drawn anew cannot tell how they scatter. Choose Cases, or let "
    "other truths come from plausibilities."
)

_TITLES = {
    "annotations": "Readings",
    "cases": "Cases",
    "both": "Readings and cases",
    "raters": "Raters",
    "all": "Raters and cases",
}
_CLAIMS = {
    "annotations": "These very cases, had as many raters read them again.",
    "cases": "Other cases, read by as many raters.",
    "both": f"Other cases, and other readings of them. {_ONCE}",
    "raters": "These very cases, read by other raters of the same kind: whole raters are drawn anew, each "
    "with all of his or her readings.",
    "all": f"Other cases, read by other raters of the same kind: whole raters are drawn anew, and cases. "
    f"{_SHARED}",
}
"""What each draw claims, and of whom."""
_OF_TRUTHS = {"annotations": "Plausible truths", "both": "Plausible truths and cases"}
_PLAUSIBLE = "These very cases, under other truths that their readings leave plausible."

_SIDES = {"soft": "Every reading kept", "hard": "Hard labels"}
"""The metrics' names are not here: a widget whose options change is built anew, which takes time."""


def show(comparison: ModelComparison, drawn: Resampled) -> Mapping[str, Any]:
    """Draw the pictures; return what is selected in the matrix of pairs."""
    if comparison.measure in drawn.refused:
        parts.note(f"No draws are made of {comparison.measure}: {drawn.refused[comparison.measure]}.")
        return {}
    if not comparison.ranks:
        parts.note("An order needs two models that differ.")
        return {}
    _choose(comparison)
    if comparison.falls_back:
        parts.note(_ADJUSTED)
    panels = (lambda: _best(comparison, drawn), lambda: _matrix(comparison))
    _, selected = parts.beside(*panels, widths=order.COLUMNS)
    _over_draws(comparison, drawn)
    return cast("Mapping[str, Any]", selected)


def _choose(comparison: ModelComparison) -> None:
    """Offer the source of uncertainty, and the metric that ranks."""
    by_plausibility = comparison.settings.annotations == "plausibility"
    without = no_raters(comparison.study, comparison.found, comparison.measure)
    titles = _TITLES | (_OF_TRUTHS if by_plausibility else {})
    with st.container(horizontal=True, key="models-unsure"):
        st.segmented_control(
            "What is drawn",
            required=True,
            **widgets.choices(
                "source",
                comparison.settings.source,
                SOURCES if without else (*SOURCES, *RATER_SOURCES),
                words=titles.__getitem__,
            ),
        )
        st.segmented_control(
            "Ranked by",
            format_func=_SIDES.__getitem__,
            required=True,
            disabled=comparison.falls_back,
            help=_ADJUSTED if comparison.falls_back else None,
            **widgets.choices(
                "ranked_by", "hard" if comparison.falls_back else comparison.settings.ranked_by, SIDES
            ),
        )
    claims = _CLAIMS | ({"annotations": _PLAUSIBLE} if by_plausibility else {})
    parts.note(f"{claims[comparison.settings.source]} {_ABOUT}")
    if without:
        parts.note(f"Nothing is claimed of other raters: {without}.")
    drawn_anew = comparison.settings.source == "annotations" and not by_plausibility
    if drawn_anew and comparison.found.labels["n_readings"].max() == 1:
        parts.note(_SINGLE)


def _best(comparison: ModelComparison, drawn: Resampled) -> None:
    """Draw P(best), every source for itself."""
    parts.head("Which model is the best?")
    picture(
        figures.best(comparison),
        name="best-models",
        alternative="Probability that each model is the best, for each source of uncertainty",
        caption=f"In which share of {drawn.n_draws:,} draws a model is the best by {comparison.ranked_by}. "
        f"{_SHARED if comparison.settings.draw_raters else _ONCE}",
        table=drawn.best,
        provenance=comparison.source,
    )


def _matrix(comparison: ModelComparison) -> Mapping[str, Any]:
    """Draw P(row better than column)."""
    parts.head("Which model is better than which?")
    click = "Click a cell to see below which cases decide." if deciding.can_decide(comparison) else ""
    return picture(
        figures.better(comparison),
        name="better",
        alternative="Probability in percent that the model of the row is better than that of the column",
        caption=Caption(
            f"In how many of 100 {comparison.draws} the model of the row is better by "
            f"{comparison.ranked_by} than that of the column; equals count half.",
            click,
        ),
        table=figures.pairs(comparison),
        provenance=comparison.source,
        selections=(PAIR,),
    )


@parts.folded("Which ranks does a model take, and does the order hold?", key="panel-ranks")
def _over_draws(comparison: ModelComparison, drawn: Resampled) -> None:
    """Draw ranks and rank correlations over draws."""
    panels = (partial(draw, comparison, drawn) for draw in (_ranks, _correlations))
    parts.beside(*panels, widths=order.COLUMNS)


def _ranks(comparison: ModelComparison, drawn: Resampled) -> None:
    """Draw how often each model has which rank by both metrics."""
    parts.head("Which ranks does a model take?")
    table = figures.ranks(comparison)
    soft = (
        f" Blue circles: {comparison.counterpart}."
        if (table["metric"] == comparison.counterpart).any()
        else ""
    )
    picture(
        figures.rank_distribution(comparison),
        name="rank-distribution",
        alternative="How often each model has which rank by the hard metric and by its counterpart",
        caption=f"The larger a mark, the more of {drawn.n_draws:,} {comparison.draws} give the model that "
        f"rank. Grey squares: {comparison.measure} (hard).{soft}",
        table=table,
        provenance=comparison.source,
    )


def _correlations(comparison: ModelComparison, drawn: Resampled) -> None:
    """Draw how well the order under each draw agrees with the observed one, for every metric drawn."""
    parts.head("Does the order hold?")
    picture(
        figures.rank_correlation(comparison),
        name="rank-correlation",
        alternative="Rank correlation of the order under each draw with the observed order, metric by metric",
        caption=f"Under each of {drawn.n_draws:,} {comparison.draws} the models are ranked anew; 1 is the "
        f"order observed by the same metric. Line: mean. {words.more_stable(comparison)}",
        table=drawn.correlations,
        provenance=comparison.source,
    )
