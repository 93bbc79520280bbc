"""What conformal sets come to in a sentence: how many labels a model must name to hold the truth."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from core.analysis.disagreement.conformal import CHOSEN, ON_CORRECTED, ON_LEADING, ON_PLAUSIBLE, ON_REGIONS
from core.analysis.disagreement.conformal_settings import ConformalSettings
from core.analysis.disagreement.conformal_tables import ALL_CASES
from core.analysis.disagreement.conformal_truths import LEADING_LABEL, PLAUSIBLE_LABEL, PLAUSIBLE_LEADER
from core.analysis.formatting import percent

PROMISES = {
    ON_CORRECTED: "the truth, as often as wanted; by one drawn label a case, so it scatters more",
    ON_PLAUSIBLE: "the truth, with at most twice the misses; mostly as wanted, and steadier",
    ON_REGIONS: "whole plausible truths, and with them the truth, as often as wanted",
    ON_LEADING: "the leading label, as often as wanted; no other truth",
}
"""What the sets of each calibration promise to hold in further cases like these."""
MEANINGS = {
    PLAUSIBLE_LEADER: "the label with the largest share of a plausible truth, as everywhere in Loupe",
    PLAUSIBLE_LABEL: "a label drawn with the shares of a plausible truth, as one more reading could say",
    LEADING_LABEL: "the one label that a normal evaluation takes for the truth",
}
"""What each notion of the truth is."""


NO_INTERVAL = "(too few cases for an interval)"


@dataclass(frozen=True)
class SetFinding:
    """Sets of one calibration over all cases: how many labels they name, how often they hold the truth.

    Attributes
    ----------
    size, size_low, size_high : float
        Mean number of labels, and its 95 % interval.
    held, low, high : float
        Share of the truths that are held, in [0, 1], and its 95 % interval.
    """

    size: float
    size_low: float
    size_high: float
    held: float
    low: float
    high: float


def set_finding(table: pd.DataFrame, model: str, calibration: str, truth: str) -> SetFinding | None:
    """Pick a finding from `core.analysis.disagreement.conformal_tables.coverage_table`.

    Parameters
    ----------
    table : DataFrame
        Of one or several models.
    model, calibration, truth : str
        Of the row, which is of all cases.

    Returns
    -------
    SetFinding or None
        None where the calibration is left out.
    """
    rows = table[
        (table["model"] == model)
        & (table["calibrated_on"] == calibration)
        & (table["truth"] == truth)
        & (table["by"] == ALL_CASES)
    ]
    if rows.empty:
        return None
    row = rows.iloc[0]
    names = ("set_size", "set_size_low", "set_size_high", "coverage", "low", "high")
    return SetFinding(*(float(row[name]) for name in names))


def shown_calibration(table: pd.DataFrame, model: str) -> str:
    """The calibration that is spoken of: the corrected one, where there are cases enough for it."""
    has = set(table.loc[table["model"] == model, "calibrated_on"])
    return ON_CORRECTED if ON_CORRECTED in has else ON_PLAUSIBLE


def set_sentence(table: pd.DataFrame, model: str, settings: ConformalSettings) -> str:
    """Say how many labels the model must name to hold the truth, and what one label a case would claim.

    Parameters
    ----------
    table : DataFrame
        `core.analysis.disagreement.conformal_tables.coverage_table`.
    model : str
        One of its models.
    settings : ConformalSettings
        That it was made with.
    """
    truth = CHOSEN[settings.truth]
    honest = set_finding(table, model, shown_calibration(table, model), truth)
    leading = set_finding(table, model, ON_LEADING, truth)
    if honest is None or leading is None:
        return ""
    said = (
        f"To hold the truth in {settings.coverage:g}\u00a0% of cases, {model} must name "
        f"{labels_words(honest.size)} {_range(honest.size_low, honest.size_high)}; it then holds it in "
        f"{percent(honest.held)}"
    )
    if leading == honest:
        return f"{said}. Calibrated on leading labels it would name the same: the truth is certain."
    return (
        f"{said}. Calibrated on leading labels it would name {leading.size:.1f} and hold it in "
        f"{percent(leading.held)} {share_range(leading.low, leading.high)}."
    )


def set_lines(table: pd.DataFrame, model: str) -> list[str]:
    """Say in a line for each calibration how many labels sets name, and how often they hold each truth."""
    lines = []
    for calibration in dict.fromkeys(table.loc[table["model"] == model, "calibrated_on"]):
        of = {truth: set_finding(table, model, calibration, truth) for truth in MEANINGS}
        held = [
            f"{truth} {percent(one.held)} {share_range(one.low, one.high)}"
            for truth, one in of.items()
            if one
        ]
        size = next(labels_words(one.size) for one in of.values() if one)
        lines.append(f"{model}, calibrated on {calibration}: {size}; holds the {'; '.join(held)}")
    return lines


def labels_words(size: float) -> str:
    """Write a mean number of labels: 1 label, 3.2 labels."""
    return "1 label" if size == 1 else f"{size:.1f} labels"


def _range(low: float, high: float) -> str:
    return (
        "(too few cases for an interval)" if low != low else f"(95\u00a0% interval {low:.1f} to {high:.1f})"
    )


def share_range(low: float, high: float) -> str:
    """Write an interval of a share in brackets."""
    if low != low:
        return NO_INTERVAL
    return f"({percent(low).removesuffix(chr(160) + '%')} to {percent(high)})"
