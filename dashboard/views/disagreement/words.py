"""Words of the Disagreement page: what methods are called, and findings as sentences."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import pandas as pd

from core.analysis.disagreement.finding import Finding
from core.analysis.disagreement.forecasts import AS_GIVEN, CALIBRATION_ERROR
from core.analysis.disagreement.recalibrated import ALPHA, ENSEMBLE, TEMPERATURE, TEMPERATURE_ALPHA
from core.analysis.formatting import percent
from core.metrics.calibration.losses import (
    CALIBRATION,
    DISPERSION,
    EPISTEMIC,
    EXPECTED,
    IRREDUCIBLE,
    REFINEMENT,
)
from dashboard.components.text import count

FLAG = "⚑"
_TWO_SIDED = 1.96
"""Standard errors beyond which chance is left in 5 of 100 times."""

_TITLES = {
    TEMPERATURE: "temperature scaling",
    ALPHA: "α-calibration",
    TEMPERATURE_ALPHA: "temperature and α-calibration",
    ENSEMBLE: "ensemble of its draws",
}
_ABOUT = {
    AS_GIVEN: "What the model says, taken at its word.",
    TEMPERATURE: "One number makes all probabilities of the model more or less extreme.",
    ALPHA: "Leaves the probabilities as they are and learns how far they vary from case to case: a "
    "distribution over plausibilities whose disagreement fits the readings.",
    TEMPERATURE_ALPHA: "First a temperature for the probabilities, then α for how far they vary: the "
    "disagreement is judged on its own.",
    ENSEMBLE: "The model's several predictions of a case, taken as plausibilities.",
}
_SCALING = "Stretches and shifts the logarithms of the probabilities label by label, on top of a temperature."

OF_CLASSES = {
    EXPECTED: "distance from a single reading",
    EPISTEMIC: "part a better model could save",
    IRREDUCIBLE: "part no model can: raters differ",
    CALIBRATION: "epistemic loss that shifting bins saves",
    DISPERSION: "epistemic loss within bins",
    REFINEMENT: "expected less calibration loss",
    CALIBRATION_ERROR: "root of the calibration loss",
}
"""What each loss of class probabilities measures, so short that it fits beside the numbers."""
OF_PAIRS = {
    EXPECTED: "distance from a pair of readings",
    CALIBRATION: "part that shifting bins saves",
    REFINEMENT: "expected less calibration loss",
    CALIBRATION_ERROR: "root of the calibration loss",
}
"""What each loss of disagreement measures."""


def title(method: str) -> str:
    """Name of a method in a sentence."""
    return method if method == AS_GIVEN else _TITLES.get(method, f"{method} scaling")


def about(method: str) -> str:
    """What a method does, in a sentence."""
    return _ABOUT.get(method, _SCALING)


def interval(finding: Finding) -> str:
    """The interval of what is seen, in brackets."""
    if math.isnan(finding.low):
        return "(too few cases for an interval)"
    low = percent(finding.low).removesuffix("\u00a0%")
    return f"(95\u00a0% interval {low} to {percent(finding.high)})"


def pairs(finding: Finding, model: str) -> str:
    """What a model says of disagreement, and what is seen."""
    words = (
        f"When {model} says that two raters would disagree in {percent(finding.said)} of cases, they "
        f"disagree in {percent(finding.seen)} {interval(finding)}"
    )
    return words + _verdict(finding)


def _verdict(finding: Finding) -> str:
    """Whether that is more or less than what is said."""
    verdict = {1: ": more than it says.", -1: ": less than it says.", 0: ": about as it says."}
    return "." if math.isnan(finding.low) else verdict[finding.verdict]


def labels(finding: Finding, model: str) -> str:
    """What a model says of labels that it takes for probable, and what is seen."""
    return (
        f"When {model} gives a label a probability of one half or more, {percent(finding.said)} on average, "
        f"{percent(finding.seen)} of the raters choose it {interval(finding)}."
    )


def behind_pairs(least: Finding, whole: Finding) -> str:
    """What the sentence on disagreement is a mean of, and the same for all cases."""
    of = f"the {least.n:,} of {count(least.n_all, 'case')} where it expects the least disagreement"
    if least.n == least.n_all:
        return f"Averages over {count(least.n, 'case')} with two readings or more."
    return (
        f"Averages over {of}. Over all of them it says {percent(whole.said)}, and raters disagree in "
        f"{percent(whole.seen)} {interval(whole)}."
    )


def after_pairs(least: Finding, method: str) -> str:
    """The same after a recalibration."""
    return (
        f"After {title(method)}: it says {percent(least.said)} where it then expects the least, and they "
        f"disagree in {percent(least.seen)} {interval(least)}{_verdict(least)}"
    )


def number(value: float, error: float) -> str:
    """A loss with its standard error."""
    if math.isnan(value):
        return "cannot be estimated"
    sign = "−" if value < 0 and f"{value:.3f}" != "-0.000" else ""
    text = f"{sign}{abs(value):.3f}"
    return text if math.isnan(error) else f"{text} ±\u00a0{error:.3f}"


def cells(row: Mapping[Any, Any]) -> tuple[str, str]:
    """A loss, plug-in and debiased; a debiased one that is negative is shown as 0, with a flag."""
    plug_in = number(row["plug_in"], row["plug_in_error"])
    debiased = number(row["debiased"], row["debiased_error"])
    if not row["below_zero"]:
        return plug_in, debiased
    return plug_in, f"0 {FLAG}" if row["debiased"] == 0 else f"0 {FLAG} ({debiased})"


def kept_at_zero(value: float, error: float) -> str:
    """A loss with its standard error; a negative estimate is shown as 0, with a flag, and in brackets."""
    text = number(value, error)
    return f"0 {FLAG} ({text})" if value < 0 else text


def saved(losses: pd.DataFrame) -> str:
    """Whether an expert's label makes each method better or worse, by more than chance."""
    said = []
    for row in losses.to_dict("records"):
        if not math.isnan(row["change_error"]):
            clear = abs(row["change"]) > _TWO_SIDED * row["change_error"]
            verdict = "neither better nor worse, as far as the cases can tell"
            if clear:
                verdict = "better" if row["change"] < 0 else "worse"
            said.append(f"{title(row['method'])}: {verdict}")
    text = f"After the label, {'; '.join(said)}." if said else ""
    if (losses[["before", "after"]] < 0).any(axis=None):
        text += f" {FLAG}: negative by chance; it stands for 0."
    return text.strip()


def remarks(losses: pd.DataFrame) -> str:
    """What has to be known to read a table of losses."""
    words = []
    if losses["below_zero"].any():
        words.append(
            f"{FLAG}: the debiased estimate, in brackets, is negative, as it can be by chance where the "
            "true loss is small; it stands for 0."
        )
    lone = int(losses["lone_bins"].max())
    if lone:
        which = "1 bin holds" if lone == 1 else f"Up to {lone:,} bins hold"
        words.append(
            f"{which} a single case, which cannot be debiased: their part makes the calibration loss too "
            "high. Fewer bins, or bins of equal mass, help."
        )
    kinds = losses[losses["n_cases_debiased"] < losses["n_cases"]]
    if len(kinds):
        n, of = int(kinds["n_cases_debiased"].min()), int(kinds["n_cases"].max())
        words.append(f"Debiased epistemic, irreducible and dispersion losses: {n:,} of {count(of, 'case')}.")
    return " ".join(words) or f"All numbers are of {count(int(losses['n_cases'].max()), 'case')}."
