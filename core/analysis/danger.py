"""Danger behind the labels: in how many cases one of high risk may be the truth and is not the label kept."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import pandas as pd

from core.analysis.cases.percent_ranges import SETTLED
from core.analysis.cases.presets import HIGH_RISK_BEHIND, PRESETS
from core.analysis.cases.select import Filters, select
from core.analysis.cases.worklist import PLAUSIBLE
from core.analysis.formatting import percent
from core.plausibility.settings import MODELS, Aggregation


@dataclass(frozen=True)
class Danger:
    """Cases in which danger stands behind the label.

    Attributes
    ----------
    case_ids : tuple of str
        Of these cases, the most dangerous first.
    words : str
        How many they are; none are no silence.
    note : str
        What the aggregation cannot show of it; empty where it shows all.
    choices : dict of str to object
        What lists these cases: a preset, or fields of `core.analysis.cases.select.Filters`.
    """

    case_ids: tuple[str, ...]
    words: str
    note: str
    choices: dict[str, Any]


def danger_behind(cases: pd.DataFrame, aggregation: Aggregation) -> Danger | None:
    """Find the cases in which a high-risk label is plausible and does not lead, or is tied for the lead.

    Parameters
    ----------
    cases : DataFrame
        As `core.analysis.cases.worklist.worklist` gives it.
    aggregation : Aggregation
        How the readings were aggregated. A point estimate makes nothing plausible but what leads: there
        only labels that are tied can be found.

    Returns
    -------
    Danger or None
        None without risk levels, and where nobody read a case.
    """
    preset = PRESETS[HIGH_RISK_BEHIND]
    if not preset.suits(cases) or cases["certainty"].isna().all():
        return None
    choices: dict[str, Any]
    has_reliability = MODELS[aggregation.model].has_reliability
    if has_reliability and math.isfinite(aggregation.reliability):
        found, choices = preset.apply(cases), {"preset": HIGH_RISK_BEHIND}
        level = f"plausible ({percent(PLAUSIBLE)} or more)"
        some, none, note = HIGH_RISK_BEHIND.replace("plausible", level), f"{level} without leading", ""
    else:
        choices = {"risk": ("high",), "certainty": (0, SETTLED)}
        found = select(cases, Filters(**choices))
        some, none = "a high-risk label is tied for the lead", "tied for the lead"
        other = "finite reliability" if has_reliability else "model that has a reliability"
        note = (
            "A point estimate takes every label that does not lead for impossible, a dangerous one too: "
            f"choose a {other} to see where one is plausible."
        )
    noun = "case" if len(cases) == 1 else "cases"
    words = f"{len(found):,} of {len(cases):,} {noun}: {some}"
    if found.empty:
        words = f"In none of the {len(cases):,} {noun} is a high-risk label {none}."
    return Danger(tuple(found.index), words, note, choices)
