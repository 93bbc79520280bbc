"""Danger behind the labels: in how many cases one of high risk may be the truth, and how near it is."""

from __future__ import annotations

import math
from dataclasses import dataclass

import pandas as pd

from core.analysis.cases.preset_rules import missing_models
from core.analysis.cases.presets import (
    DANGER_MISSED,
    HIGH_RISK_BEHIND,
    HIGH_RISK_FIRST,
    HIGH_RISK_LEADS,
    HIGH_RISK_LISTS,
    HIGH_RISK_TIED,
    PRESETS,
    UNSETTLED,
)
from core.analysis.cases.reference_risk import dangerous_by_reference
from core.analysis.cases.worklist import PLAUSIBLE
from core.analysis.formatting import WHOLE, cases_on_average, percent
from core.plausibility.settings import MODELS, Aggregation

_DOES = {
    HIGH_RISK_FIRST: "where a high-risk label leads",
    HIGH_RISK_TIED: "where one ties for the lead",
    HIGH_RISK_LEADS: "where several lead only together",
    HIGH_RISK_BEHIND: "where one is plausible but does not lead",
}
"""What a high-risk label does in the cases of each list, after how many they are."""


@dataclass(frozen=True)
class Danger:
    """Cases in which danger stands behind the label in one way.

    Attributes
    ----------
    preset : str
        What lists these cases, of `core.analysis.cases.presets.PRESETS`.
    case_ids : tuple of str
        Of these cases, the most dangerous first.
    words : str
        How many they are, and what a high-risk label does in them.
    """

    preset: str
    case_ids: tuple[str, ...]
    words: str


@dataclass(frozen=True)
class Dangers:
    """Every case in which a high-risk label may be the truth.

    Attributes
    ----------
    total : int
        How many they are.
    words : str
        The same in words, of all; none are no silence.
    lists : tuple of Danger
        The cases, each once: their numbers add up to that of ``words``. Empty where there is none.
    first : Danger or None
        Those of them that are worth the first look, across the ``lists``: it is plausible as well that there
        is no danger, and a model puts no high-risk label first; where there is no such case, those of which
        one of the two holds. None where there is none of these either.
    note : str
        What the aggregation cannot show of it; empty where it shows all.
    expected : float
        Mean over plausible truths of the number of cases, of all that are read, whose truth is of high risk;
        NaN under a point estimate.
    referenced : (int, int)
        Cases whose reference is a high-risk label, and those that have a reference.
    """

    total: int
    words: str
    lists: tuple[Danger, ...]
    first: Danger | None
    note: str
    expected: float = math.nan
    referenced: tuple[int, int] = (0, 0)

    @property
    def in_short(self) -> str:
        """In how many cases danger may be, and in how many it is expected: 81 cases, about 50 expected."""
        noun = "case" if self.total == 1 else "cases"
        if math.isnan(self.expected):
            return f"{self.total:,} {noun}"
        return f"{self.total:,} {noun}, {self._few} expected"

    @property
    def _few(self) -> str:
        """In how many cases danger is expected."""
        return "about " * (self.expected >= WHOLE) + cases_on_average(self.expected)

    @property
    def on_average(self) -> str:
        """In how many cases danger is the truth on average, which are fewer than those in which it may be.

        And in how many by the study's own reference, where it has one of any case.
        """
        if math.isnan(self.expected):
            return ""
        few = self._few
        noun = "case" if self.expected < 1 + WHOLE else "cases"
        which = "which one is" if noun == "case" else "which ones is"
        dangerous, n = self.referenced
        if not n:
            return f"Danger is expected in {few} {noun}; {which} unknown."
        found = f"{dangerous:,}" if dangerous else "none"
        return f"Danger is expected in {few} {noun}; by the study’s reference in {found} of {n:,}."


def danger_behind(cases: pd.DataFrame, aggregation: Aggregation) -> Dangers | None:
    """Find the cases in which a high-risk label leads, alone, tied or with others, or is plausible.

    Parameters
    ----------
    cases : DataFrame
        As `core.analysis.cases.worklist.worklist` gives it.
    aggregation : Aggregation
        How the readings were aggregated. A point estimate makes nothing plausible but what leads: there
        only the lists of labels that lead or are tied say anything.

    Returns
    -------
    Dangers or None
        None without risk levels, and where nobody read a case.
    """
    if not PRESETS[HIGH_RISK_BEHIND].suits(cases) or cases["certainty"].isna().all():
        return None
    has_reliability = MODELS[aggregation.model].has_reliability
    is_point = not has_reliability or math.isinf(aggregation.reliability)
    of = {name: tuple(PRESETS[name].apply(cases).index) for name in HIGH_RISK_LISTS}
    shown = (HIGH_RISK_FIRST, HIGH_RISK_TIED) if is_point else HIGH_RISK_LISTS
    total = sum(len(of[name]) for name in shown)
    noun = "case" if len(cases) == 1 else "cases"
    note = ""
    if is_point:
        other = "finite reliability" if has_reliability else "model that has a reliability"
        note = (
            "A point estimate treats every label that does not lead as impossible, even a dangerous one. "
            f"Choose a {other} to see where one is plausible."
        )
    if not total:
        does = "does a high-risk label lead" if is_point else "is a high-risk label plausible"
        share = "" if is_point else f" ({percent(PLAUSIBLE)} or more)"
        return Dangers(0, f"In none of the {len(cases):,} {noun} {does}{share}.", (), None, note)
    words = f"{total:,} of {len(cases):,} {noun} may be of high risk"
    lists = (Danger(name, of[name], f"{len(of[name]):,} {_DOES[name]}") for name in shown)
    expected = math.nan if is_point else float(cases["high_risk"].sum())
    first, referenced = _first(cases, knows_doubt=not is_point), dangerous_by_reference(cases)
    return Dangers(total, f"{words}.", tuple(lists), first, note, expected, referenced)


def _first(cases: pd.DataFrame, *, knows_doubt: bool) -> Danger | None:
    """Cases worth the first look; of a point estimate, which knows no doubt, none is unsettled."""
    who = "a" if len(missing_models(cases)) > 1 else "the"
    said = {
        DANGER_MISSED: f"of these: {who} model does not warn",
        UNSETTLED: "of these: danger is open, neither ruled out nor certain",
    }
    for name, words in said.items():
        preset = PRESETS[name]
        if preset.suits(cases) and (knows_doubt or not preset.needs_doubt):
            found = tuple(preset.apply(cases).index)
            if found:
                certain = int((cases.loc[[*found], "high_risk"] > 1 - PLAUSIBLE).sum()) * knows_doubt
                sure = f"; danger is nearly certain in {certain:,}" * (certain > 0)
                return Danger(name, found, f"{len(found):,} {words}{sure}")
    return None
