"""Which cases a ready-made worklist keeps: of a worklist, whether each case stays, as a boolean series."""

from __future__ import annotations

import pandas as pd

from core.analysis.cases.high_risk import high_risk_leads, high_risk_plausible
from core.analysis.cases.missed import MISSED, MISSES
from core.analysis.cases.reference_risk import SETTLED
from core.analysis.cases.reviewed import ASKED
from core.analysis.cases.select import EVERY_MODEL, missed_by
from core.analysis.cases.worklist import AGREE, PLAUSIBLE, WRONG, models_with
from core.reviews.event import STATUSES


def read(cases: pd.DataFrame) -> pd.Series:
    """Whether the case has a certainty."""
    return cases["certainty"].notna()


def unsettled(cases: pd.DataFrame) -> pd.Series:
    """Whether both a truth of high risk and one without are plausible, and no reference settles it."""
    return open_by_readings(cases) & ~settled(cases)


def open_by_readings(cases: pd.DataFrame) -> pd.Series:
    """Whether both are plausible by the readings, whatever settles the case."""
    return cases["high_risk"].between(PLAUSIBLE, 1 - PLAUSIBLE)


def settled(cases: pd.DataFrame) -> pd.Series:
    """Whether a reference settles the case that more than readers established."""
    return cases[SETTLED].astype(bool) if SETTLED in cases else pd.Series(False, cases.index)


def from_half(probability: pd.Series) -> pd.Series:
    """How far a probability is from one half; equal distances are equal, whatever the side."""
    return (probability - 0.5).abs().round(9)


def unsettled_first(cases: pd.DataFrame) -> pd.Series:
    """How far high risk is from one half where it is unsettled; more where it is certain, and most else."""
    known, settles = from_half(cases["high_risk"]), settled(cases)
    is_certain = known > 0.5 - PLAUSIBLE
    order = known.mask(is_certain | (settles & known.notna()), 2.0)
    return order.mask(is_certain & ~settles & (cases["high_risk"] > 1 - PLAUSIBLE), 1.0)


def by_certainty(cases: pd.DataFrame) -> pd.Series:
    """Certainty, of cases that a reference settles behind all others."""
    return cases["certainty"] + settled(cases)


def high_risk_first(cases: pd.DataFrame) -> pd.Series:
    """Whether the leading label, or every one of a tie, is of high risk."""
    return (cases["risk"] == "high") & ~high_risk_tied(cases)


def high_risk_tied(cases: pd.DataFrame) -> pd.Series:
    """Whether a high-risk label leads and another is tied with it that is none."""
    return cases["high_risk_tied"].astype(bool)


def high_risk_together(cases: pd.DataFrame) -> pd.Series:
    """Whether high-risk labels lead together, though the label that leads most often is none."""
    return (cases["risk"] != "high") & high_risk_leads(cases["high_risk"])


def high_risk_behind(cases: pd.DataFrame) -> pd.Series:
    """Whether high-risk labels lead often enough to matter, and others together more often."""
    return (cases["high_risk"] >= PLAUSIBLE) & (cases["risk"] != "high") & ~high_risk_together(cases)


def any_high_risk(cases: pd.DataFrame) -> pd.Series:
    """Whether a case is in any of the four lists of high-risk labels that share none."""
    found = high_risk_plausible(cases["high_risk"], cases["risk"], cases["high_risk_tied"], PLAUSIBLE)
    return pd.Series(found, cases.index)


def named_only(cases: pd.DataFrame) -> pd.Series:
    """Whether a reading names a high-risk label, and none is plausible."""
    return cases["high_risk_named"].astype(bool) & ~any_high_risk(cases)


def danger_missed(cases: pd.DataFrame) -> pd.Series:
    """Whether high risk is plausible, and a model puts no high-risk label first."""
    return cases[MISSED] != ""


def missing_models(cases: pd.DataFrame) -> list[str]:
    """Names of the models of which a worklist says whether they miss danger; the study's columns aside."""
    return models_with(cases, MISSES)


def missed_by_all(cases: pd.DataFrame) -> pd.Series:
    """Whether every model misses such danger."""
    return pd.Series(missed_by(cases, (EVERY_MODEL,)), cases.index)


def likely_missed(cases: pd.DataFrame) -> pd.Series:
    """Whether a high-risk label leads there or is tied for the lead, or such labels lead together."""
    return danger_missed(cases) & leads_at_all(cases)


def behind_missed(cases: pd.DataFrame) -> pd.Series:
    """Whether such danger is plausible and no more."""
    return danger_missed(cases) & ~leads_at_all(cases)


def leads_at_all(cases: pd.DataFrame) -> pd.Series:
    """Whether high risk leads in any way."""
    return (cases["risk"] == "high") | high_risk_tied(cases) | high_risk_leads(cases["high_risk"])


def unsettled_missed(cases: pd.DataFrame) -> pd.Series:
    """Whether such danger is neither ruled out nor settled."""
    return danger_missed(cases) & unsettled(cases)


def model_differs(cases: pd.DataFrame) -> pd.Series:
    """Whether all readers put one label first, and a model is probably wrong."""
    return cases[AGREE].astype(bool) & (cases["model_error"] >= WRONG)


def marked(cases: pd.DataFrame) -> pd.Series:
    """Whether the case is flagged, has a note, is in discussion, awaits a result, or is to be read again."""
    is_asked = cases["status"].isin([STATUSES[status] for status in ASKED])
    return (cases["flags"] != "") | (cases["notes"] != "") | is_asked
