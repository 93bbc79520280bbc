"""Profiles: each rater in a row, with accuracy judged in several ways."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from core.analysis.raters.marks import ACCURACIES, accuracy_marks, severity_marks
from core.analysis.raters.panel import Panel
from dashboard.charts.raters.coefficients import intervals_chart
from dashboard.components.picture import MOST_ROWS, data_button, picture
from dashboard.shell import theme
from dashboard.views import parts
from dashboard.views.raters import concordance, tables

MOST_RATERS = 20
"""Raters that are drawn: those who read most cases."""
_COLUMNS = {
    "rater": ("Rater", ""),
    "readings": ("Readings", "Readings done, repeats included"),
    "cases": ("Cases", "Cases read"),
    "accuracy_reference": ("Reference", "Accuracy, %: readings that say the reference label"),
    "accuracy_majority": ("Others", "Accuracy, %: readings that say what most others say; a tie counts half"),
    "accuracy_given": ("Given", "Accuracy, %, as given above"),
    "accuracy_model": (
        "Model",
        "Accuracy, %, by Dawid–Skene: the truth and everybody’s errors estimated together; prior: one "
        "right reading for each rater and truth, and one spread over all labels",
    ),
    "accuracy_ability": (
        "Ability",
        "Accuracy, %, that the rater would have without leaning to any label; by a model of ability, leaning "
        "and how clear each case is",
    ),
    "leans_to": ("Leans to", "What the rater says most where a case tells nothing"),
    "leaning": (
        "Leaning",
        "How often the rater says that where a case tells nothing, %; all raters together lean to no label",
    ),
    "sensitivity": ("Sens.", "Sensitivity, %, leaning included, by the same model as ability"),
    "specificity": ("Spec.", "Specificity, %, leaning included, by the same model as ability"),
    "confidence": ("Sure", "Mean of the confidence stated, %"),
    "confidence_variability": ("Sure ±", "How far confidence moves between readings of the same case, %"),
    "overconfidence": ("Too sure", "Mean confidence minus accuracy on the same readings, %"),
    "calibration_error": ("Off", "Mean distance of accuracy from the confidence stated, %"),
    "self_agreement": ("Self", "Repeated readings with the label of the first, %"),
    "severity": ("Severity", ""),
}
"""Columns of the table: heading and meaning."""
_TEXTS = ("rater", "leans_to")
_NOT_PERCENT = (*_TEXTS, "readings", "cases", "severity")


def show(chosen: Panel, source: dict[str, str]) -> None:
    """Draw the panel."""
    parts.head("Who reads how?")
    if not chosen.identified:
        parts.note(
            "Raters of this study are numbered anew in each case, so there is nobody to describe. Name "
            "raters the same in every case, in rater_id of annotations.csv, for accuracy, confidence and "
            "severity of each."
        )
        return
    given = concordance.weighting(chosen).rater_accuracy
    profile = tables.profiles(chosen, given, watched=True)
    if profile is None:
        return
    _table(profile, source)
    busiest = profile.nlargest(MOST_RATERS, "cases", keep="first")
    folded = (
        f" The {MOST_RATERS} who read most cases, of {len(profile):,}." if len(profile) > MOST_RATERS else ""
    )
    unit = profile.attrs["severity_unit"]
    parts.beside(lambda: _accuracy(busiest, folded, source), lambda: _severity(busiest, unit, folded, source))


def _table(profile: pd.DataFrame, source: dict[str, str]) -> None:
    """List the raters; columns of which nothing is known are left out."""
    unit = profile.attrs["severity_unit"]
    known = [name for name in _COLUMNS if profile[name].replace("", None).notna().any()]
    shown = profile[known].head(MOST_ROWS)
    config: dict[str, Any] = {}
    for name in map(str, shown):
        heading, meaning = _COLUMNS[name]
        if name == "severity":
            meaning = f"How much higher the rater goes than others on the same cases ({unit})"
        if name in _TEXTS:
            config[name] = st.column_config.TextColumn(heading, help=meaning, pinned=name == "rater")
            continue
        config[name] = st.column_config.NumberColumn(
            heading,
            help=meaning,
            format="%.2f" if name == "severity" else "%.0f" if name not in _NOT_PERCENT else "localized",
        )
    percent = [name for name in config if name not in _NOT_PERCENT]
    st.dataframe(
        # Adding 0 turns −0 into 0.
        shown.assign(**{name: (100 * shown[name]).round() + 0 for name in percent}),
        column_config=config,
        hide_index=True,
        height=min(35 * (len(shown) + 1) + 2, 530),
        key="profiles",
    )
    with st.container(horizontal=True, wrap=False, gap="small"):
        sure = "overconfidence" in shown
        standard = "the reference" if profile["judged_by"].iloc[0] == "reference" else "most of the others"
        words = (
            "One row a rater; reference, others, model, ability: accuracy, judged in so many ways. "
            "Everything but counts and severity in %. "
            + (
                f"Too sure: confidence minus accuracy by {standard}; off: mean distance of the two. "
                if sure
                else ""
            )
        ).strip()
        withdrawn = profile.attrs["ability_withdrawn"]
        if withdrawn:
            words += f" {withdrawn}"
        elif "leaning" in shown:
            words += (
                " Leaning: how often the rater says that label where a case tells nothing; ability leaves it "
                "aside. The truth is what all raters together make likely, no reference."
            )
        if len(profile) > MOST_ROWS:
            words += f" The first {MOST_ROWS:,} of {len(profile):,} raters; the data hold all."
        parts.note(words, at_screen="Hover over a heading for more, click it to sort.")
        data_button(name="rater-profiles", table=profile, provenance=source)


def _accuracy(profile: pd.DataFrame, folded: str, source: dict[str, str]) -> None:
    """Draw the accuracies of each rater, judged in several ways."""
    marks = accuracy_marks(profile)
    if marks.empty:
        parts.note("No accuracy is known: there is no reference, and no case has two readings.")
        return
    ways = tuple(dict.fromkeys(marks["judged_by"]))
    aside = "Ability: each rater’s leaning left aside. " if ACCURACIES["accuracy_ability"] in ways else ""
    picture(
        intervals_chart(
            marks.rename(columns={"rater": "row", "judged_by": "series"}),
            series=ways,
            neutral=tuple(words for words in ways if words != ACCURACIES["accuracy_majority"]),
            title="Accuracy",
            shares=True,
            tokens=theme.tokens(),
        ),
        name="accuracy",
        alternative="Accuracy of each rater, judged in several ways",
        caption="Accuracy of each rater, by what it is judged; lines: 95 % intervals over readings. "
        f"{aside}Where the marks lie apart, it matters what raters are "
        f"judged by.{folded}",
        table=profile,
        provenance=source,
    )


def _severity(profile: pd.DataFrame, unit: str, folded: str, source: dict[str, str]) -> None:
    """Draw how much higher or lower each rater goes than the others."""
    marks = severity_marks(profile)
    if marks.empty:
        parts.note(
            "Severity, whether a rater goes higher than others on the same cases, needs a positive label, "
            "risk levels or scores, and cases with two readings."
        )
        return
    picture(
        intervals_chart(
            marks.assign(row=marks["rater"], series="severity"),
            series=("severity",),
            title=f"Severity against the others ({unit})",
            guide=0.0,
            tokens=theme.tokens(),
        ),
        name="severity",
        alternative="Severity of each rater against the others",
        caption="Right of the dashed line a rater goes higher than the others do on the same cases, left "
        f"of it lower; lines: 95 % intervals over readings.{folded}",
        table=profile,
        provenance=source | {"severity in": unit},
    )
