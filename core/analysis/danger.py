"""Danger behind the labels: in how many cases one of high risk may be the truth and is not the label kept."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from core.analysis.cases.high_risk import LEADING
from core.analysis.cases.presets import HIGH_RISK_BEHIND, HIGH_RISK_LEADS, HIGH_RISK_TIED, PRESETS
from core.analysis.cases.worklist import PLAUSIBLE
from core.analysis.formatting import percent
from core.plausibility.settings import MODELS, Aggregation

_PLAUSIBLE = f"plausible ({percent(PLAUSIBLE)} or more)"
_LEADS = f"lead together ({LEADING}\u00a0% or more)"


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
        What lists these cases: a preset.
    """

    case_ids: tuple[str, ...]
    words: str
    note: str
    choices: dict[str, Any]


def danger_behind(cases: pd.DataFrame, aggregation: Aggregation) -> tuple[Danger, ...]:
    """Find the cases with danger behind a leading label that is not of high risk, or in a tie for the lead.

    Parameters
    ----------
    cases : DataFrame
        As `core.analysis.cases.worklist.worklist` gives it.
    aggregation : Aggregation
        How the readings were aggregated. A point estimate makes nothing plausible but what leads: there
        only labels that are tied can be found.

    Returns
    -------
    tuple of Danger
        First the cases in which a high-risk label is tied for the lead with another, then those that
        high-risk labels lead together (`core.analysis.cases.high_risk`), then those in which one is plausible
        and they do not; of a point estimate the ties alone. No case is in two of them. Empty without risk
        levels, and where nobody read a case.
    """
    if not PRESETS[HIGH_RISK_BEHIND].suits(cases) or cases["certainty"].isna().all():
        return ()
    has_reliability = MODELS[aggregation.model].has_reliability
    tied = _counted(cases, HIGH_RISK_TIED, HIGH_RISK_TIED, "is a high-risk label tied for the lead")
    if not has_reliability or math.isinf(aggregation.reliability):
        other = "finite reliability" if has_reliability else "model that has a reliability"
        note = (
            "A point estimate takes every label that does not lead for impossible, a dangerous one too: "
            f"choose a {other} to see where one is plausible."
        )
        return (replace(tied, note=note),)
    leads = _counted(
        cases,
        HIGH_RISK_LEADS,
        HIGH_RISK_LEADS.replace("lead together", _LEADS),
        f"do high-risk labels {_LEADS} without one of them leading alone",
    )
    behind = _counted(
        cases,
        HIGH_RISK_BEHIND,
        HIGH_RISK_BEHIND.replace("plausible", _PLAUSIBLE),
        f"is a high-risk label {_PLAUSIBLE} without leading",
    )
    return tied, leads, behind


def _counted(cases: pd.DataFrame, preset: str, some: str, none: str) -> Danger:
    """Find the cases of a preset, and say in words how many they are."""
    found = PRESETS[preset].apply(cases)
    noun = "case" if len(cases) == 1 else "cases"
    words = f"{len(found):,} of {len(cases):,} {noun}: {some}"
    if found.empty:
        words = f"In none of the {len(cases):,} {noun} {none}."
    return Danger(tuple(found.index), words, "", {"preset": preset})
