"""Which models name dangerous truths, in one short sentence."""

from __future__ import annotations

import pandas as pd

from core.analysis.formatting import percent


def danger_in_words(table: pd.DataFrame) -> str:
    """Say how often the best and the worst model name a high-risk label that is the truth.

    Parameters
    ----------
    table : DataFrame
        As `core.analysis.models.supported.Supported` holds it.

    Returns
    -------
    str
        Where no model can be told from the best, that this is so. Empty without risk levels, where no
        high-risk label is plausible, and for fewer than two models.
    """
    known = _by_danger(table)
    if len(known) < 2:
        return ""
    best, worst = known.iloc[0], known.iloc[-1]
    names = f"Of dangerous truths {best['names']} names {percent(best['high_risk'])}"
    if worst["high_risk_alike"]:
        return f"{names}; no model clearly differs from it."
    alike = known[known["high_risk_alike"]].iloc[1:]
    if len(alike) == 1:
        names += f", and {alike['names'].iloc[0]} does not clearly differ"
    elif len(alike):
        names += f", and {len(alike)} others do not clearly differ"
    return f"{names}; {worst['names']} only {percent(worst['high_risk'])}."


def alarms_in_words(table: pd.DataFrame) -> str:
    """Say how many alarms of the model that names danger best are false; empty where that is not known."""
    known = _by_danger(table)
    if known.empty or known["false_alarms"].isna().iloc[0]:
        return ""
    best = known.iloc[0]
    false = percent(best["false_alarms"])
    return f"Of the cases that {best['names']} calls high risk, {false} are false alarms."


def danger_figure(table: pd.DataFrame) -> tuple[str, str]:
    """Say how often the best model names a high-risk label that is the truth, and what that is of.

    Takes what `danger_in_words` takes, and is empty where that is; the worst is named too where it can be
    told from the best.
    """
    known = _by_danger(table)
    if len(known) < 2:
        return "", ""
    best, worst = known.iloc[0], known.iloc[-1]
    least = "" if worst["high_risk_alike"] else f", {percent(worst['high_risk'])} by the worst"
    return percent(best["high_risk"]), f"of dangerous truths are named by the best model{least}"


def _by_danger(table: pd.DataFrame) -> pd.DataFrame:
    """The models for which it is known, the best first."""
    return table.dropna(subset="high_risk").sort_values("high_risk", ascending=False, kind="stable")
