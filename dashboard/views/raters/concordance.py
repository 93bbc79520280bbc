"""Concordance: how much of the agreement can be relied on, overall and case by case."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st

from core.analysis.formatting import percent
from core.analysis.raters.accuracy import STANDARDS, Standard, best_standard
from core.analysis.raters.concordance import (
    Weights,
    case_table,
    concordance_table,
    concordance_weights,
    ordered_cases,
    weighted_concordance,
)
from core.analysis.raters.panel import Panel
from core.analysis.raters.settings import RaterSettings
from core.metrics.agreement.concordance import RULE_OF_THUMB
from core.settings import entries
from dashboard.charts.raters.concordance import concordance_chart
from dashboard.components.picture import Caption, picture
from dashboard.components.text import table
from dashboard.shell import cache, state, theme, widgets
from dashboard.views import marked, parts
from dashboard.views.raters.tables import unbroken

JUDGED_BY: dict[Standard, str] = {
    "reference": "the reference",
    "majority": "most other raters",
    "given": "what is given",
    "model": "a model of errors",
}
"""What accuracy is judged by, in words that fit their field; the line below it has more."""
GIVEN = 0.8
"""Accuracy that is offered first where it is to be given."""


@dataclass(frozen=True, eq=False)
class Measured:
    """Concordance of a panel: its weights, its steps, and its cases in ascending order."""

    weights: Weights
    steps: pd.DataFrame
    cases: pd.DataFrame


def measured(chosen: Panel) -> Measured:
    """Measure concordance with the accuracies and the variability that are chosen."""
    return _measure(chosen, weighting(chosen))


@cache.cached()
def _measure(chosen: Panel, settings: RaterSettings) -> Measured:
    weights = concordance_weights(
        chosen,
        standard=settings.standard,
        given=settings.rater_accuracy,
        variability=settings.variability,
    )
    found = weighted_concordance(chosen, weights)
    return Measured(
        weights, concordance_table(chosen, weights, found), ordered_cases(case_table(chosen, found))
    )


def weighting(chosen: Panel) -> RaterSettings:
    """What accuracy is judged by, an accuracy where it is to be given, and the variability of confidence."""
    now = state.view()
    judged_by = now.judged_by or best_standard(chosen)
    if judged_by == "reference" and not chosen.has_reference:
        judged_by = best_standard(chosen)
    given = None
    if judged_by == "given":
        given = GIVEN if now.rater_accuracy is None else now.rater_accuracy
    return RaterSettings(judged_by=judged_by, rater_accuracy=given, variability=now.variability)


def show(chosen: Panel, source: dict[str, str]) -> None:
    """Draw the panel."""
    parts.head("Can their agreement be relied on?")
    found = measured(chosen)
    left, right = st.columns([11, 10], gap="large")
    with right:
        _choose_weights(chosen)
        parts.note(found.weights.assumed)
        rows = [
            (f"{row['measure'][0].upper()}{row['measure'][1:]}", f"{_value(row)}{unbroken(row['sentence'])}")
            for _, row in found.steps.iterrows()
        ]
        table(
            ["Counted", "Value (95 % interval over cases)"],
            rows,
            name="From agreement to weighted concordance",
        )
        _variability(found.steps.iloc[-1])
    with left:
        _cases(found, chosen, source)


def _choose_weights(chosen: Panel) -> None:
    """Offer what accuracy is judged by, and the variability of confidence."""
    now = weighting(chosen)
    names = [name for name in STANDARDS if name != "reference" or chosen.has_reference]
    left, right = st.columns(2)
    with left:
        st.selectbox(
            "A rater’s accuracy is judged by",
            format_func=lambda name: JUDGED_BY[name],
            **widgets.choice("judged_by", now.judged_by, names),
        )
        if now.rater_accuracy is not None:
            parts.share_input(
                "Accuracy of every rater",
                **widgets.bind("rater_accuracy", now.rater_accuracy),
            )
    with right:
        parts.share_input(
            "Confidence varies by ±",
            placeholder="as repeated readings show",
            help="How far the confidence of a rater moves between readings of the same case, from 0 to 1. "
            "Empty: as measured from repeated readings, where there are any.",
            **widgets.bind("variability", now.variability),
        )


def _value(row: pd.Series) -> str:
    """Value and interval over cases, as they begin a line."""
    if np.isnan(row["value"]):
        return ""
    ends = "" if np.isnan(row["error_low"]) else f" ({row['error_low']:.2f} to {row['error_high']:.2f})"
    return f"{row['value']:.2f}{ends}. "


def _variability(weighted: pd.Series) -> None:
    """Say how far ϱ moves with the raters' confidence."""
    if np.isnan(weighted["low"]):
        return
    parts.note(
        f"Had the raters read again, ϱ could lie from {weighted['low']:.2f} to {weighted['high']:.2f}: "
        "confidence of every reading lowered, and raised, by the variability of its rater. ϱ is not in the "
        "middle, as confidence ends at 100 %."
    )


def _cases(found: Measured, chosen: Panel, source: dict[str, str]) -> None:
    """Draw the concordance of every case."""
    weighted = found.steps.iloc[-1]
    if found.cases.empty:
        parts.note(weighted["sentence"])
        return
    reach = float((found.cases["concordance"] >= RULE_OF_THUMB).mean())
    banded = not np.isnan(weighted["low"])
    made = entries(weighting(chosen))
    del made["resamples"]  # of the coefficients
    selected = picture(
        concordance_chart(
            found.cases, rule=RULE_OF_THUMB, mean=float(weighted["value"]), tokens=theme.tokens()
        ),
        name="concordance-by-case",
        alternative="Weighted concordance of all cases in ascending order, against two thirds",
        caption=Caption(
            "ϱ of a case: the share of its pairs of readings that agree, each pair counting only as "
            f"far as both are sure and likely right. {percent(reach)} of the cases reach two thirds."
            + (
                " Band: had the raters’ confidence varied as it does between readings of a case."
                if banded
                else ""
            ),
            marked.HOW,
        ),
        table=found.cases,
        provenance=source | made,
        selections=("brush", "click"),
    )
    marked.offer(found.cases, selected, key="concordance")
