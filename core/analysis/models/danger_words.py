"""Which models name dangerous truths, in one or two short sentences."""

from __future__ import annotations

import pandas as pd

from core.analysis.formatting import percent, percent_range


def danger_in_words(table: pd.DataFrame) -> str:
    """Say which model names a high-risk label that is the truth most often, and which clearly less often.

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
    best, others = known.iloc[0], known.iloc[1:]
    alike, fewer = others[others["high_risk_alike"]], others[~others["high_risk_alike"].astype(bool)]
    if fewer.empty:
        return f"{best['names']} names the most; no model clearly differs from it."
    said = f"{best['names']} names the most"
    if len(alike) == 1:
        said += f"; {_with_share(alike.iloc[0])} cannot be told from it"
    elif len(alike):
        said += f"; {len(alike)} others cannot be told from it"
    worst = fewer.iloc[::-1]
    said += f". {worst['names'].iloc[0]} names only {percent(worst['high_risk'].iloc[0])}"
    if len(fewer) == 2:
        return f"{said}, {worst['names'].iloc[1]} {percent(worst['high_risk'].iloc[1])}."
    return f"{said}; {len(fewer) - 1} others clearly fewer, too." if len(fewer) > 2 else f"{said}."


def _with_share(of: pd.Series) -> str:
    return f"{of['names']} ({percent(of['high_risk'])})"


def danger_figure(table: pd.DataFrame) -> tuple[str, str]:
    """Say how often models name a high-risk label that is the truth, and what that is of.

    From the worst to the best, where these can be told apart; else the best. Takes what `danger_in_words`
    takes, and is empty where that is.
    """
    known = _by_danger(table)
    if len(known) < 2:
        return "", ""
    best, worst = known.iloc[0], known.iloc[-1]
    of = "of dangers are named,"
    if worst["high_risk_alike"]:
        return percent(best["high_risk"]), f"{of} most by {best['names']}"
    between = percent_range(worst["high_risk"], best["high_risk"])
    return between, f"{of} least by {worst['names']}, most by {best['names']}"


def _by_danger(table: pd.DataFrame) -> pd.DataFrame:
    """The models for which it is known, the best first."""
    return table.dropna(subset="high_risk").sort_values("high_risk", ascending=False, kind="stable")
