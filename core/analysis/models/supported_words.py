"""Which model the labels support best, in words: who leads, how surely, and where danger is."""

from __future__ import annotations

import pandas as pd

from core.analysis.formatting import of_hundred, percent, percent_range
from core.analysis.models.finding import listed
from core.analysis.models.supported import Supported
from core.metrics.rank_correlation import TIE_DECIMALS

_MOST_NAMED = 2
"""Models listed by name in a sentence."""
NO_BREAK = "\u00a0"


def headline(found: Supported) -> str:
    """Say which model the labels support best, and how often it is right over plausible truths."""
    leaders = _first(found.table, "value")
    who = listed(leaders["names"].tolist())
    if found.is_point:
        best = "Best by the point estimate"
        right = f"right in {percent(leaders['value'].iloc[0])} of the cases"
    else:
        ends = _between(leaders["low"].min(), leaders["high"].max())
        best, right = "Best supported", f"supported in {ends} of the cases"
    if len(found.table) == 1:
        best = "The only model by the point estimate" if found.is_point else "The only model"
    return f"{best}: {who}, {right}"


def leader_in_words(table: pd.DataFrame) -> str:
    """Name the best supported model of a `Supported` table, with what is supported."""
    leaders = _first(table, "value")
    ends = _between(leaders["low"].min(), leaders["high"].max())
    # The range stays in one line.
    return f"{listed(leaders['names'].tolist())}, {ends.replace(' ', NO_BREAK)}"


def where_danger_is(found: Supported) -> str:
    """Say which models warn of a high-risk truth most often and least often, of all of them.

    A model warns where it puts a high-risk label first, be it that truth or another one.

    Returns
    -------
    str
        Empty without risk levels, and where no high-risk label is plausible.
    """
    table = found.table.dropna(subset="caught")
    if table.empty:
        return ""
    first = _first(table, "caught")
    share = percent(first["caught"].iloc[0])
    who = listed(first["names"].tolist())
    start = "Where the truth is a high-risk label, "
    if len(first) == len(table):
        return f"{start}{who} {'warns' if len(table) == 1 else 'warn'} of it in {share}."
    words = f"{start}{who} {'warns' if len(first) == 1 else 'warn'} of it most often, in {share}"
    others = table.drop(first.index).sort_values("caught", ascending=False, kind="stable")
    alike, worst = others[others["caught_alike"]], others.iloc[-1]
    if 0 < len(alike) <= _MOST_NAMED:
        words += f"; on these cases {_each(alike)} cannot be told from {'it' if len(first) == 1 else 'them'}"
    elif len(alike):
        words += f"; {len(alike)} others cannot be told from {'it' if len(first) == 1 else 'them'}"
    if len(alike) > _MOST_NAMED or not worst["caught_alike"]:
        words += f"; least often {worst['names']}, in {percent(worst['caught'])}"
    return f"{words}."


def _each(table: pd.DataFrame) -> str:
    """Name models, each with how often it warns where the truth is a high-risk label."""
    of = zip(table["names"], table["caught"], strict=True)
    return listed([f"{names} ({percent(value)})" for names, value in of])


def details(found: Supported) -> str:
    """Say how surely the first model leads, and what a normal evaluation would say."""
    table = found.table
    words = [how_surely(table)] if len(table) > 1 and not found.is_point else []
    words.append(_normally(table))
    if found.is_point:
        words.append("A point estimate is one truth, so there is no range.")
    return " ".join([*words, *([found.left_out] if found.left_out else [])])


def how_surely(table: pd.DataFrame) -> str:
    """In how many plausible truths the first is best, and who is in most of the others."""
    top, others = table.iloc[0], table.iloc[1:]
    rival = others.nlargest(1, "best").iloc[0]
    words = f"{top['names']} is the most accurate in {of_hundred(top['best'])} of 100 plausible truths"
    if rival["best"] > 0:
        words += f", {rival['names']} in {of_hundred(rival['best'])}"
    return f"{words}."


def _normally(table: pd.DataFrame) -> str:
    """What an evaluation says that takes the label with most readings for the truth."""
    top, by_hard = table.iloc[0], _first(table, "hard")
    who, claimed = listed(by_hard["names"].tolist()), percent(by_hard["hard"].iloc[0])
    if top["model"] in set(by_hard["model"]):
        own = "it" if len(table) == 1 else who
        return f"With the majority label taken as the truth, {own} would be right in {claimed}."
    return (
        f"With the majority label taken as the truth, {who} would lead with {claimed}; "
        f"{top['names']} would have {percent(top['hard'])}."
    )


def _first(table: pd.DataFrame, column: str) -> pd.DataFrame:
    """Rows with the highest value, equal as they are on paper."""
    values = table[column].round(TIE_DECIMALS)
    return table[values == values.max()]


def _between(low: float, high: float) -> str:
    """Write a range of shares: 61 to 73 %; one number where both are the same on paper."""
    return percent_range(round(low, TIE_DECIMALS), round(high, TIE_DECIMALS))
