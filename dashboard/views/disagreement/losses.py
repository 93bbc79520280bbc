"""Losses on the Disagreement page: what a model's errors cost, and what one expert label saves."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from core.analysis.disagreement.forecasts import ALL_LABELS, CLASS_PROBABILITIES, DISAGREEMENT
from core.analysis.disagreement.recalibrated import Recalibrated
from core.analysis.disagreement.recalibrated_tables import expert_label_table
from core.metrics.calibration.bins import Binning
from core.metrics.calibration.label_histogram import LabelHistograms
from dashboard.components.picture import data_button
from dashboard.components.text import count, table
from dashboard.shell import cache
from dashboard.views import parts
from dashboard.views.disagreement import words
from dashboard.views.disagreement.model_forecasts import ModelForecasts

_WAYS = ("plug-in", "debiased")


def show(forecasts: ModelForecasts, histograms: LabelHistograms, label: str, binning: Binning) -> None:
    """Draw the losses of probabilities and of disagreement; ``label`` is empty for all labels together."""
    parts.head("What do the errors cost?")
    per_case = histograms.per_case[histograms.per_case > 0]
    least, most = int(per_case.min()), int(per_case.max())
    readings = count(most, "reading") if least == most else f"{least:,} to {most:,} readings"
    recalibrated = ""
    if len(forecasts.versions) > 1:
        recalibrated = f" before and after {words.title(forecasts.last.method)}"
    parts.note(
        f"Squared losses{recalibrated}; smaller is better, ± standard error over cases. Plug-in takes the "
        "shares among a case's readings for the truth, although it has only "
        f"{readings}: what chance does with so few looks like a fault of "
        "the model. Debiased takes that off. The calibration error is the root of the calibration loss: how "
        "far off a number is, typically"
        + (
            "."
            if label
            else "; of all labels together, whose losses are summed first, it is larger than that."
        )
    )
    losses = [forecasts.losses(one, binning, by_label=bool(label)) for one in forecasts.versions]
    shown = [of[of["label"].isin([label, ALL_LABELS])] for of in losses]
    of_label = [of[(of["about"] == CLASS_PROBABILITIES) & (of["label"] == label)] for of in shown]
    _table(f"Probabilities of {label or 'all labels'}", of_label, words.OF_CLASSES)
    if (per_case > 1).any():
        of_pairs = [of[of["about"] == DISAGREEMENT] for of in shown]
        _table("Expected disagreement", of_pairs, words.OF_PAIRS)
    with st.container(horizontal=True, wrap=False, gap="small"):
        parts.note(words.remarks(pd.concat(shown)))
        data_button(
            name="losses",
            table=pd.concat(losses, ignore_index=True),
            provenance=forecasts.source_of(binning),
        )


def _table(name: str, losses: list[pd.DataFrame], meaning: Mapping[str, str]) -> None:
    """Draw the losses of one subject, before and after, and what each is."""
    heads = [way.capitalize() for way in _WAYS]
    if len(losses) > 1:
        heads = [f"{when}, {way}" for when in ("Before", "After") for way in _WAYS]
    found = [of.set_index("loss").to_dict("index") for of in losses]
    rows = [
        [loss, means, *(cell for of in found for cell in words.cells(of[loss]))]
        for loss, means in meaning.items()
    ]
    table([name, "What it is", *heads], rows, name=f"Losses: {name}")


_expert_labels = cache.cached()(expert_label_table)


def show_expert_label(fit: Recalibrated, forecasts: ModelForecasts) -> None:
    """Draw the epistemic loss before and after one label of an expert."""
    parts.head("What would one expert label save?")
    found = _expert_labels(fit)
    if found.empty:
        parts.note("No method here is a distribution over plausibilities, so a label would change nothing.")
        return
    if not found["n_cases"].any():
        parts.note("No case has three readings: one to tell the model, and two to judge it by.")
        return
    rows = [
        [
            words.title(row["method"]),
            *(words.kept_at_zero(row[name], row[f"{name}_error"]) for name in ("before", "after")),
            words.number(row["change"], row["change_error"]),
            f"{row['n_cases']:,}",
        ]
        for row in found.to_dict("records")
    ]
    heads = ["Method", "Before", "After one label", "Change", "Cases"]
    table(heads, rows, name="Epistemic loss before and after one expert label")
    with st.container(horizontal=True, wrap=False, gap="small"):
        parts.note(
            "Debiased epistemic loss of the probabilities, ± standard error over cases. One reading of a "
            "case is told to the model as an expert's, each in turn, and the others judge what it then says; "
            f"a change below 0 is a gain. {words.saved(found)} Cases with three readings or more."
        )
        data_button(name="expert-label", table=found, provenance=forecasts.source)
