"""Reliability diagrams of the Disagreement page: probabilities of labels, and expected disagreement."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from core.analysis.disagreement.forecasts import Forecast
from core.metrics.calibration.bins import Binning
from core.metrics.calibration.label_histogram import LabelHistograms
from dashboard.charts.disagreement.diagram import reliability_diagram_chart
from dashboard.components.picture import picture
from dashboard.shell import theme
from dashboard.views import parts
from dashboard.views.disagreement import words
from dashboard.views.disagreement.model_forecasts import ModelForecasts

_BARS = Binning(number=20)
"""Of the histogram beneath, where the bins of the diagram are not equally wide."""

Diagram = Callable[[Forecast, Binning], pd.DataFrame]


def show(forecasts: ModelForecasts, histograms: LabelHistograms, label: str, binning: Binning) -> None:
    """Draw both diagrams side by side; ``label`` is empty for all labels together."""
    parts.beside(
        lambda: _probabilities(forecasts, histograms, label, binning),
        lambda: _disagreement(forecasts, histograms, binning),
    )


def _probabilities(
    forecasts: ModelForecasts, histograms: LabelHistograms, label: str, binning: Binning
) -> None:
    """Draw the diagram of class probabilities."""
    parts.head(f"Are the probabilities of {label or 'the labels'} right?")
    versions = forecasts.versions
    if np.array_equal(versions[0].probability, forecasts.last.probability, equal_nan=True):
        versions = versions[:1]
    line = "On the line, as many raters choose the label as the model says; above, more."
    if len(versions) < len(forecasts.versions):
        line += f" One curve: {words.title(forecasts.last.method)} leaves these probabilities as they are."
    if label and not histograms.counts[:, forecasts.task.labels.index(label)].any():
        line += f" No rater chose {label}: its share is 0 everywhere."
    _draw(
        forecasts,
        versions,
        lambda one, bins: forecasts.of_label(label, one, bins),
        binning,
        titles=("Probability that the model gives", "Share of raters who chose the label"),
        unit="cases" if label else "predictions",
        name="reliability-of-probabilities",
        alternative=f"Probability that {forecasts.last.model} gives "
        f"{label or 'a label'} against the share of raters who chose it",
        line=line,
    )


def _disagreement(forecasts: ModelForecasts, histograms: LabelHistograms, binning: Binning) -> None:
    """Draw the diagram of disagreement."""
    parts.head("Is the expected disagreement right?")
    if not (histograms.per_case > 1).any():
        parts.note(
            "No case has two readings that count, so nobody can be seen to disagree. Have some cases read "
            "twice to judge this."
        )
        return
    _draw(
        forecasts,
        forecasts.versions,
        forecasts.of_pairs,
        binning,
        titles=("Disagreement that the model expects", "Share of pairs of raters who disagreed"),
        unit="cases",
        name="reliability-of-disagreement",
        alternative=f"Disagreement of two raters that {forecasts.last.model} expects against how often they "
        "disagreed",
        line="On the line, raters disagree as often as the model expects; above, more often. As given, it "
        "expects what two labels drawn from its probabilities would do.",
    )


def _draw(  # noqa: PLR0913 - parts of a picture, by name
    forecasts: ModelForecasts,
    versions: Sequence[Forecast],
    diagram: Diagram,
    binning: Binning,
    *,
    titles: tuple[str, str],
    unit: str,
    name: str,
    alternative: str,
    line: str,
) -> None:
    """Draw one diagram of one or two forecasts."""
    tables = [diagram(one, binning) for one in versions]
    is_wide = binning.kind == "equal width"
    bars = tables if is_wide else [diagram(one, _BARS) for one in versions]
    dots = "A dot is a bin of predictions, small where it holds few."
    beneath = f"Beneath: how many {unit} are in each bin."
    if not is_wide:
        beneath = f"Each dot is of equally many {unit}, as far as they differ; beneath, how many lie where."
    picture(
        reliability_diagram_chart(
            tables,
            bars,
            [words.title(one.method) for one in versions],
            model=list(forecasts.task.predictions).index(forecasts.last.model),
            titles=titles,
            unit=unit,
            tokens=theme.tokens(),
        ),
        name=name,
        alternative=alternative,
        caption=f"{dots} {line} Bands: 95 % over resampled cases, none for a single one. {beneath}",
        table=pd.concat(tables, ignore_index=True),
        provenance=forecasts.source_of(binning),
    )
