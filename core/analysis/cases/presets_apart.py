"""How each ready-made worklist differs from the others, in a sentence, and what it leaves out."""

from __future__ import annotations

import pandas as pd

from core.analysis.cases import preset_rules as rules
from core.analysis.cases.presets import (
    ACCURACY_MISLEADS,
    ANY_HIGH_RISK,
    DANGER_MISSED,
    HIGH_RISK_BEHIND,
    HIGH_RISK_FIRST,
    HIGH_RISK_LEADS,
    HIGH_RISK_TIED,
    MARKED,
    MISSED_BEHIND,
    MISSED_LIKELY,
    MISSED_UNSETTLED,
    MODEL_DIFFERS,
    NAMED_ONLY,
    PRESETS,
    UNSETTLED,
)
from core.analysis.cases.worklist import PLAUSIBLE

_ANY, _MISSED = (f"“{PRESETS[name].short}”" for name in (ANY_HIGH_RISK, DANGER_MISSED))
_LESS = "in which another label leads, and high-risk labels lead less often even together."
APART = {
    MISSED_UNSETTLED: f"The part of {_MISSED} in which danger is neither ruled out nor certain, and no "
    "reference settles it.",
    ANY_HIGH_RISK: "All cases in which a high-risk label is plausible, likely or not, whether or not models "
    "warn.",
    UNSETTLED: f"The part of {_ANY} in which danger is not certain either, and no reference settles it.",
    DANGER_MISSED: f"The part of {_ANY} in which a model does not warn, be the danger certain or not.",
    MODEL_DIFFERS: "Cases in which the readers agree and a model is probably wrong, dangerous or not.",
    ACCURACY_MISLEADS: "Cases in which the majority vote counts a model as right or wrong against most "
    "plausible truths, dangerous or not.",
    "most uncertain": "All cases that were read, the least certain first, dangerous or not.",
    HIGH_RISK_FIRST: f"The part of {_ANY} in which the leading label is of high risk.",
    HIGH_RISK_TIED: f"The part of {_ANY} in which a high-risk label and another tie for the lead.",
    HIGH_RISK_LEADS: f"The part of {_ANY} in which another label leads, but high-risk labels lead more "
    "often together.",
    HIGH_RISK_BEHIND: f"The part of {_ANY} {_LESS}",
    NAMED_ONLY: f"Not in {_ANY}: a reading names a high-risk label, but none is plausible.",
    MISSED_LIKELY: f"The part of {_MISSED} in which high-risk labels lead, alone, tied or together.",
    MISSED_BEHIND: f"The part of {_MISSED} {_LESS}",
    MARKED: "Cases that somebody flagged, noted, put up for discussion or wants read again, or whose "
    "result is pending; nothing else counts.",
}
"""By preset, of each that has a button."""
_BUT_FOR_REFERENCES = {
    UNSETTLED: rules.open_by_readings,
    MISSED_UNSETTLED: lambda cases: rules.open_by_readings(cases) & rules.danger_missed(cases),
}
"""What lists would keep if no reference settled a case."""


def left_out_in_words(cases: pd.DataFrame, preset: str) -> str:
    """Say how many cases a list of open dangers leaves out, and why; empty of other lists."""
    without = _BUT_FOR_REFERENCES.get(preset)
    if without is None:
        return ""
    n = int((without(cases) & rules.settled(cases)).sum())
    said = [f"{n:,} more {'is' if n == 1 else 'are'} settled by the study’s reference."] * (n > 0)
    if preset == MISSED_UNSETTLED:
        certain = rules.danger_missed(cases) & (cases["high_risk"] > 1 - PLAUSIBLE)
        more = int((certain & ~rules.settled(cases)).sum())
        said += [f"In {more:,} more danger is nearly certain: “{PRESETS[DANGER_MISSED].short}”."] * (more > 0)
    return " ".join(said)
