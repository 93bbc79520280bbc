"""Ready-made worklists: which cases to keep, and in which order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd

from core.analysis.cases.high_risk import LEADING, high_risk_leads, high_risk_plausible
from core.analysis.cases.missed import EXPECTED_MISSES, MISSED
from core.analysis.cases.worklist import PLAUSIBLE, WRONG
from core.analysis.formatting import rounded_percent
from core.reviews.event import STATUSES

AGREED = 0.0
"""Largest disagreement at which readers are said to agree."""
HIGH_RISK_FIRST = "a high-risk label leads"
HIGH_RISK_TIED = "a high-risk label is tied for the lead"
HIGH_RISK_LEADS = "high-risk labels lead together, none of them alone"
HIGH_RISK_BEHIND = "a high-risk label is plausible but does not lead"
HIGH_RISK_LISTS = (HIGH_RISK_FIRST, HIGH_RISK_TIED, HIGH_RISK_LEADS, HIGH_RISK_BEHIND)
"""Lists that share no case; together they hold every case in which a high-risk label is plausible.

The first two are the cases whose leading label is said to be of high risk.
"""
ANY_HIGH_RISK = "any high-risk label is plausible"
"""List of all of these together."""
UNSETTLED = "dangerous and unsettled"
"""List that cuts across those: high risk is plausible, and so is that there is none."""
NAMED_ONLY = "a high-risk label is named but not plausible"
"""List of what those leave out: somebody names danger, and it leads too rarely to be plausible."""
OF_HIGH_RISK = (*HIGH_RISK_LISTS, NAMED_ONLY)
"""Lists that stand beneath `ANY_HIGH_RISK`: its parts, and what it leaves out."""
DANGER_MISSED = "a model misses danger"
"""List of the cases in which high risk is plausible and a model puts no high-risk label first."""
MISSED_LIKELY = "a model misses danger that is likely"
MISSED_BEHIND = "a model misses danger that is hidden"
MISSED_UNSETTLED = "a model misses danger that is unsettled"
MISSED_PARTS = (MISSED_LIKELY, MISSED_BEHIND, MISSED_UNSETTLED)
"""Lists that stand beneath `DANGER_MISSED`: each of its cases is in one of the first two; the third cuts
across them. Links and saved views name a list by these words, so they stay, whatever a button says."""
_OF_RISK = ("high_risk", "risk", "high_risk_tied")
_ONCE = "Of the lists Leads, Tied, Together and Behind, every case in which high risk is plausible is in one."
MODEL_DIFFERS = "readers agree, model differs"
MARKED = "marked"
"""List of the cases about which somebody has said that they matter."""


@dataclass(frozen=True)
class Preset:
    """A way to shorten and sort a worklist.

    Attributes
    ----------
    keep : callable
        From the frame of `core.analysis.cases.worklist.worklist` to whether each case stays, a boolean
        series.
    sort : tuple of str
        Columns, the most important first; equal cases stay in the study's order.
    ascending : tuple of bool
        One for each column of ``sort``.
    needs : tuple of str
        Columns without which the preset makes no sense.
    meaning : str
        Which cases stay, in one plain sentence.
    first : str
        Which of them come first, in plain words.
    short : str
        Name on a button.
    key : callable, optional
        What of the columns of ``sort`` is compared, in place of themselves: a series from a series.
    is_quiet : bool
        Whether it is not offered while no case is in it.
    """

    keep: Callable[[pd.DataFrame], pd.Series]
    sort: tuple[str, ...]
    ascending: tuple[bool, ...]
    needs: tuple[str, ...]
    meaning: str
    first: str
    short: str
    key: Callable[[pd.Series], pd.Series] | None = None
    is_quiet: bool = False

    def suits(self, cases: pd.DataFrame) -> bool:
        """Whether the worklist has what the preset needs."""
        return set(self.needs) <= set(cases.columns)

    def apply(self, cases: pd.DataFrame) -> pd.DataFrame:
        """Return the cases that stay, in the preset's order.

        Raises
        ------
        ValueError
            If the worklist lacks a column that the preset needs.
        """
        if not self.suits(cases):
            missing = [column for column in self.needs if column not in cases]
            raise ValueError(f"the preset needs {', '.join(self.needs)}, got no {', '.join(missing)}")
        kept = cases[self.keep(cases)]
        # One column after the other, the last one first: a stable sort keeps equal cases in order.
        for column, ascending in zip(reversed(self.sort), reversed(self.ascending), strict=True):
            kept = kept.sort_values(column, ascending=ascending, kind="stable", key=self.key)
        return kept


def _read(cases: pd.DataFrame) -> pd.Series:
    """Whether the case has a certainty."""
    return cases["certainty"].notna()


def _unsettled(cases: pd.DataFrame) -> pd.Series:
    """Whether high risk is plausible, and that the truth is of no high risk is as well."""
    return cases["high_risk"].between(PLAUSIBLE, 1 - PLAUSIBLE)


def _from_half(probability: pd.Series) -> pd.Series:
    """How far a probability is from one half; equal distances are equal, whatever the side."""
    return (probability - 0.5).abs().round(9)


def _high_risk_first(cases: pd.DataFrame) -> pd.Series:
    """Whether the leading label, or every one of a tie, is of high risk."""
    return (cases["risk"] == "high") & ~_high_risk_tied(cases)


def _high_risk_tied(cases: pd.DataFrame) -> pd.Series:
    """Whether a high-risk label leads and another is tied with it that is none."""
    return cases["high_risk_tied"].astype(bool)


def _high_risk_leads(cases: pd.DataFrame) -> pd.Series:
    """Whether high-risk labels lead together, though the label that leads most often is none."""
    return (cases["risk"] != "high") & high_risk_leads(cases["high_risk"])


def _high_risk_behind(cases: pd.DataFrame) -> pd.Series:
    """Whether high-risk labels lead often enough to matter, and others together more often."""
    return (cases["high_risk"] >= PLAUSIBLE) & (cases["risk"] != "high") & ~_high_risk_leads(cases)


def _any_high_risk(cases: pd.DataFrame) -> pd.Series:
    """Whether a case is in any of the four lists of high-risk labels that share none."""
    found = high_risk_plausible(cases["high_risk"], cases["risk"], cases["high_risk_tied"], PLAUSIBLE)
    return pd.Series(found, cases.index)


def _named_only(cases: pd.DataFrame) -> pd.Series:
    """Whether a reading names a high-risk label, and none is plausible."""
    return cases["high_risk_named"].astype(bool) & ~_any_high_risk(cases)


def _danger_missed(cases: pd.DataFrame) -> pd.Series:
    """Whether high risk is plausible, and a model puts no high-risk label first."""
    return cases[MISSED] != ""


def _likely_missed(cases: pd.DataFrame) -> pd.Series:
    """Whether a high-risk label leads there or is tied for the lead, or such labels lead together."""
    return _danger_missed(cases) & _leads_at_all(cases)


def _behind_missed(cases: pd.DataFrame) -> pd.Series:
    """Whether such danger is plausible and no more."""
    return _danger_missed(cases) & ~_leads_at_all(cases)


def _leads_at_all(cases: pd.DataFrame) -> pd.Series:
    """Whether high risk leads in any way."""
    return (cases["risk"] == "high") | _high_risk_tied(cases) | high_risk_leads(cases["high_risk"])


def _unsettled_missed(cases: pd.DataFrame) -> pd.Series:
    """Whether such danger is neither ruled out nor settled."""
    return _danger_missed(cases) & _unsettled(cases)


def _model_differs(cases: pd.DataFrame) -> pd.Series:
    """Whether every reader names what the others put first, and a model is probably wrong."""
    return (cases["disagreement"] <= AGREED) & (cases["model_error"] >= WRONG)


def _marked(cases: pd.DataFrame) -> pd.Series:
    """Whether the case is flagged, has a note, or is to be read again."""
    is_again = cases["status"] == STATUSES["re-read"]
    return (cases["flags"] != "") | (cases["notes"] != "") | is_again


PRESETS: dict[str, Preset] = {
    ANY_HIGH_RISK: Preset(
        _any_high_risk,
        ("high_risk",),
        (False,),
        _OF_RISK,
        f"A high-risk label leads, or does so with a probability of {rounded_percent(PLAUSIBLE)} or more.",
        "High risk first",
        "Any high risk",
    ),
    DANGER_MISSED: Preset(
        _danger_missed,
        (EXPECTED_MISSES, "high_risk"),
        (False, False),
        ("high_risk", MISSED, EXPECTED_MISSES),
        f"High risk is plausible, with a probability of {rounded_percent(PLAUSIBLE)} or more, and at least "
        "one model puts no high-risk label first.",
        "Worst misses first",
        "Danger missed",
    ),
    MISSED_LIKELY: Preset(
        _likely_missed,
        ("high_risk",),
        (False,),
        ("high_risk", MISSED),
        "A high-risk label leads or is tied for the lead, or such labels together lead with a probability of "
        f"{LEADING}\u00a0% or more, and at least one model puts none of them first.",
        "High risk first",
        "Likely",
    ),
    MISSED_BEHIND: Preset(
        _behind_missed,
        ("high_risk",),
        (False,),
        ("high_risk", MISSED),
        "A high-risk label is plausible, but behind: such labels together lead with a probability of "
        f"{rounded_percent(PLAUSIBLE)} to under {LEADING}\u00a0%, and at least one model puts none of them "
        "first.",
        "High risk first",
        "Behind",
    ),
    MISSED_UNSETTLED: Preset(
        _unsettled_missed,
        ("high_risk",),
        (True,),
        ("high_risk", MISSED),
        f"High-risk labels together lead with a probability of {rounded_percent(PLAUSIBLE)} to "
        f"{rounded_percent(1 - PLAUSIBLE)}, and at least one model puts none of them first.",
        "Nearest 50\u00a0% first",
        "Missed and unsettled",
        _from_half,
    ),
    UNSETTLED: Preset(
        _unsettled,
        ("high_risk",),
        (True,),
        ("high_risk",),
        f"High-risk labels together lead with a probability of {rounded_percent(PLAUSIBLE)} to "
        f"{rounded_percent(1 - PLAUSIBLE)}: danger is neither ruled out nor settled. This list cuts across "
        "the lists Leads, Tied, Together and Behind, which share no case.",
        "Nearest 50\u00a0% first",
        "Unsettled",
        _from_half,
    ),
    "most uncertain": Preset(
        _read,
        ("certainty",),
        (True,),
        ("certainty",),
        "All cases that were read.",
        "Least certain first",
        "Least certain",
    ),
    HIGH_RISK_FIRST: Preset(
        _high_risk_first,
        ("high_risk",),
        (False,),
        _OF_RISK,
        f"The leading label, or every one of a tie, is of high risk. {_ONCE}",
        "High risk first",
        "Leads",
    ),
    HIGH_RISK_TIED: Preset(
        _high_risk_tied,
        ("high_risk",),
        (False,),
        _OF_RISK,
        f"A high-risk label is tied for the lead with one that is not of high risk. {_ONCE}",
        "High risk first",
        "Tied",
    ),
    HIGH_RISK_LEADS: Preset(
        _high_risk_leads,
        ("high_risk",),
        (False,),
        _OF_RISK,
        f"High-risk labels together lead with a probability of {LEADING}\u00a0% or more, yet the single "
        f"label that leads most often is not of high risk. {_ONCE}",
        "High risk first",
        "Together",
    ),
    HIGH_RISK_BEHIND: Preset(
        _high_risk_behind,
        ("high_risk",),
        (False,),
        _OF_RISK,
        f"High-risk labels together lead with a probability of {rounded_percent(PLAUSIBLE)} to under "
        f"{LEADING}\u00a0%, and no leading label is of high risk. {_ONCE}",
        "High risk first",
        "Behind",
    ),
    NAMED_ONLY: Preset(
        _named_only,
        ("high_risk",),
        (False,),
        (*_OF_RISK, "high_risk_named"),
        "A reading names a high-risk label, in whatever place, and such labels together lead with a "
        f"probability of less than {rounded_percent(PLAUSIBLE)}: none of these is among “Any high risk”.",
        "High risk first",
        "Named only",
    ),
    MODEL_DIFFERS: Preset(
        _model_differs,
        ("model_error", "certainty"),
        (False, False),
        ("disagreement", "model_error"),
        "The readers agree: each names, in whatever place, the label that the others put first. The first "
        f"label of at least one model is wrong with a probability of {rounded_percent(WRONG)} or more.",
        "Surest error first",
        "Readers agree, model differs",
    ),
    MARKED: Preset(
        _marked,
        ("certainty",),
        (True,),
        ("certainty", "status", "flags", "notes"),
        "Flagged, with a note, or to be read again.",
        "Least certain first",
        "Marked",
        is_quiet=True,
    ),
}
"""Presets by name."""


def listed_in_words(n: int, of: int, order: str) -> str:
    """Say how many cases are listed, of how many, in which order: “All 301 cases, least certain first”."""
    cases = "case" if of == 1 else "cases"
    if not n:
        return f"None of {of:,} {cases}."
    how_many = f"All {of:,} {cases}" if n == of > 1 else f"{n:,} of {of:,} {cases}"
    return f"{how_many}, {order[:1].lower()}{order[1:]}." if n > 1 else f"{how_many}."
