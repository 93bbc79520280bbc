"""Raters needed for a wanted fineness, with sliders for what they are like."""

from __future__ import annotations

import math

import pandas as pd
import streamlit as st

from core.analysis.formatting import percent
from core.analysis.raters.fineness import (
    PanelAccuracies,
    accuracies_for,
    agreement_of_two,
    raters_needed_table,
)
from core.analysis.raters.panel import Panel
from core.metrics.fineness.raters_needed import MOST_NEEDED, MOST_NEEDED_OF_MANY
from core.progress import Progress
from dashboard.charts.raters.needed import COUNTS, raters_needed_chart
from dashboard.components.picture import picture
from dashboard.components.text import count
from dashboard.shell import cache, state, theme, widgets
from dashboard.views import parts
from dashboard.views.raters import accuracies

WANTED = (0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.975, 0.99)
USUAL = 0.95
MOST_DEPENDENCE = 6.0
"""End of the slider, unless more was fitted."""
STEP = 0.1


@parts.folded("How many raters would a wanted fineness take?", key="panel-needed")
def show(chosen: Panel, source: dict[str, str]) -> None:
    """Draw the panel."""
    raters = accuracies.accuracies_of(chosen)
    if raters is not None and _prepared(chosen.n_labels):
        _page(raters, source)


def _prepared(n_labels: int) -> bool:
    """Whether what every step of the sliders needs is there: with many labels it takes some seconds, once."""
    if n_labels == 2:
        return True
    table = parts.result_of(
        _first_table(n_labels),
        what="Counting how often ties and pluralities are right",
        key="raters-needed",
    )
    return table is not None


@cache.background
def _first_table(progress: Progress, n_labels: int) -> pd.DataFrame:
    """Make the table once, with a difficulty that takes it to the largest number of raters."""
    progress(0.1, count(n_labels, "label"))
    return raters_needed_table(USUAL, difficulty=1.0, n_labels=n_labels)


_needed = cache.cached()(raters_needed_table)


@st.fragment
def _page(raters: PanelAccuracies, source: dict[str, str]) -> None:
    """Draw sliders, numbers and picture."""
    n_labels = raters.panel.n_labels
    wanted, accuracy, difficulty = parts.beside(
        _wanted, lambda: _accuracy(raters), lambda: _dependence(raters)
    )
    table = _needed(wanted, difficulty=difficulty, n_labels=n_labels, accuracies=_accuracies(raters))
    here = table[(table["accuracy"] - accuracy).abs() < 5e-4].iloc[0]
    most = MOST_NEEDED if n_labels == 2 else MOST_NEEDED_OF_MANY
    parts.facts(
        [
            ("no number" if here.isna()[name] else f"{here[name]:,.0f}", words)
            for name, (words, *_) in COUNTS.items()
            if n_labels == 2 or not name.startswith("bound")
        ]
    )
    agreement = agreement_of_two(accuracy, difficulty, n_labels=n_labels)
    alone = agreement_of_two(accuracy, 0.0, n_labels=n_labels)
    parts.note(
        f"Dependence {difficulty:.1f} means that two such raters agree on {percent(agreement)} of the "
        f"cases; independent ones would on {percent(alone)}. Fitted to this study: {raters.difficulty:.1f}."
    )
    bounds = (
        " The Chernoff bound holds for independent raters and asks for more than they need; the figure in "
        "print was drawn with the decimal logarithm, which asks for fewer than the bound and is not "
        "guaranteed to suffice."
        if n_labels == 2
        else " The bound of the paper is about two labels and is left out."
    )
    picture(
        raters_needed_chart(table, accuracy=accuracy, tokens=theme.tokens()),
        name="raters-needed",
        alternative=f"Raters needed for a fineness of {wanted:.1%} against the accuracy of a rater",
        caption="Raters whose majority is right in "
        f"{wanted * 100:.3g} % of the cases, all equally accurate; vertical: the accuracy that is chosen. "
        f"Where a curve ends, no number up to {most:,} is enough.{bounds}",
        table=table,
        provenance=source | {"wanted fineness": f"{wanted:g}", "dependence": f"{difficulty:g}"},
    )
    state.write_address()


def _wanted() -> float:
    """Offer the fineness that is wanted; a link may name any other."""
    given = state.view().needed_fineness
    now = USUAL if given is None or not 0.5 < given < 1 else given
    words = "Share of the cases that the majority is to get right."
    return parts.share_slider("Wanted fineness", "needed_fineness", WANTED, now, help=words)


def _accuracies(raters: PanelAccuracies) -> list[float]:
    """Accuracies that are tabulated, these raters' mean among them where it is within their reach."""
    steps = accuracies_for(raters.panel.n_labels)
    mean = round(float(raters.accuracy.mean()), 3)
    return sorted({*steps, mean} if steps[0] < mean < steps[-1] else steps)


def _accuracy(raters: PanelAccuracies) -> float:
    """Offer the accuracy of a rater, in the steps that are tabulated."""
    steps, mean = _accuracies(raters), float(raters.accuracy.mean())
    given = state.view().needed_accuracy
    now = min(steps, key=lambda step: abs(step - (mean if given is None else given)))
    words = f"The mean of these raters is {mean * 100:.3g} %."
    return parts.share_slider("Accuracy of a rater", "needed_accuracy", steps, now, help=words)


def _dependence(raters: PanelAccuracies) -> float:
    """Offer how far raters err on the same cases."""
    given = state.view().needed_difficulty
    now = round(raters.difficulty if given is None else given, 1)
    end = max(MOST_DEPENDENCE, math.ceil(max(now, raters.difficulty)))
    dependence: float = st.slider(
        "Dependence of their errors",
        0.0,
        float(end),
        step=STEP,
        format="%.1f",
        help="How unevenly difficult cases are, as a standard deviation on the logit scale: 0 where raters "
        "err independently, large where they err on the same cases.",
        **widgets.bind("needed_difficulty", now),
    )
    return round(dependence, 1)
