"""What a case comes to: one short sentence, and each label that it is about with its risk level.

Danger comes first where labels of high risk lead together, and no label is named without its own level.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import pandas as pd

from core.analysis.cases.case import Case, high_risk_probability, is_known, leading_rows, plausibility_table
from core.analysis.cases.high_risk import LEADING
from core.analysis.cases.leading import leading_slots
from core.analysis.formatting import in_sentence
from core.analysis.risk_words import risk_phrase
from core.plausibility.settings import MODELS

CLEARLY = 10
"""Truths of a hundred by which labels lead more often than one that leads them all."""
MOST_TIED = 2
"""Tied labels that the sentence names; more are counted, and stand below it."""
_NUMBERS = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)
_TRUTHS = "of 100 plausible truths"


@dataclass(frozen=True, eq=False)
class Headline:
    """What a case comes to.

    Attributes
    ----------
    sentence : str
        Who leads, how often, and where danger is.
    labels : DataFrame
        Labels that are to stand below it, for the sentence counts them or names them in passing: ``label``,
        ``risk`` (letter; empty where unknown) and ``leads`` (truths of a hundred; missing where a point
        estimate leaves no doubt). Empty where the sentence says all.
    why : str
        What ties these labels; empty where they lead equally often, or none are tied.
    warning : str
        What has to be known before the sentence is read; empty for nothing.
    """

    sentence: str
    labels: pd.DataFrame
    why: str = ""
    warning: str = ""


def headline(case: Case) -> Headline:
    """Say how certain the leading label is, and name the rival that matters most.

    That is the most probable one of high risk, or, if the leader is of high risk itself or there is none,
    the most probable one. Where labels of high risk together lead (`core.analysis.cases.high_risk`), or lead
    more often than the leader, which is none of them, they come first; where the leader is one of them and
    they lead in `CLEARLY` more truths, all of them are counted at the end.
    """
    nothing = pd.DataFrame({"label": [], "risk": [], "leads": []})
    if case.readings.n_readings == 0:
        return Headline("Nobody has read this case.", nothing)
    if not is_known(case):
        return Headline("The readings of this case carry no weight, so no label leads.", nothing)
    table = plausibility_table(case)
    counts = (table["leads"] * 100).round().astype(int)
    counts[(counts == 100) & (table["leads"] < 1 - 1e-9)] = 99  # as in the worklist: a hundred are all
    first = leading_rows(case, table).assign(leads=counts)
    if math.isinf(case.aggregation.reliability):
        return _of_point(case, first)
    rows = table.assign(leads=counts)
    rivals = rows[~rows.index.isin(first.index) & (rows["leads"] > 0)]
    listed = first[["label", "risk", "leads"]]
    together = round(high_risk_probability(case) * 100)
    has_danger = "H" not in set(first["risk"]) and "H" in set(rivals["risk"])
    if has_danger and (together >= LEADING or together > first["leads"].iloc[0]):
        dangerous = rivals.loc[rivals["risk"] == "H", ["label", "risk", "leads"]].head(MOST_TIED)
        return Headline(_danger(first, dangerous, together), pd.concat([dangerous, listed]))
    if len(first) > MOST_TIED:
        return Headline(_many(first, together), listed, _why_tied(case, first))
    if len(first) > 1:
        a, b = map(_named, first["label"], first["risk"])
        numbers = dict.fromkeys(first["leads"])
        sentence = (
            f"{a} and {b} tie: {' and '.join(map(str, numbers))} {_TRUTHS}{' each' * (len(numbers) == 1)}"
        )
        sentence += _rival(rivals, first, together, warns=has_danger)
        return Headline(f"{sentence}.", nothing, _why_tied(case, first))
    return Headline(_single(first.iloc[0], rivals, first, together), nothing)


def _of_point(case: Case, first: pd.DataFrame) -> Headline:
    """Say what the point estimate is, and that doubt is switched off."""
    listed = first[["label", "risk", "leads"]].assign(leads=None)
    names = list(map(_named, first["label"], first["risk"]))
    said = names[0]
    if len(names) > 1:
        what = " and ".join(names) if len(names) <= MOST_TIED else f"{_number(len(names)).lower()} labels"
        said = f"{what} tie"
    other = (
        "finite reliability"
        if MODELS[case.aggregation.model].has_reliability
        else "model that has a reliability"
    )
    warning = "Doubt is switched off: what the readings come to is taken for the truth"
    if case.task.has_risk:
        warning += ", and a dangerous label that does not lead for impossible"
    return Headline(
        f"Point estimate: {said}.",
        listed if len(names) > MOST_TIED else listed.iloc[:0],
        warning=f"{warning}. Choose a {other} to see how certain it is.",
    )


def _danger(first: pd.DataFrame, dangerous: pd.DataFrame, together: int) -> str:
    """Say that high-risk labels lead together, and which single label leads most often."""
    likeliest = dangerous.iloc[0]
    words = (
        f"A high-risk label leads in {together} {_TRUTHS}, most often {in_sentence(likeliest['label'])} "
        f"({likeliest['leads']}); "
    )
    numbers = [
        f"{in_sentence(label)} ({', '.join([risk_phrase(risk)] * bool(risk) + [str(n)])})"
        for label, risk, n in zip(first["label"], first["risk"], first["leads"], strict=True)
    ]
    if len(numbers) == 1:
        return f"{words}{numbers[0]} is the single most frequent label."
    if len(numbers) <= MOST_TIED:
        return f"{words}{' and '.join(numbers)} are the single most frequent ones."
    return f"{words}the {_number(len(numbers)).lower()} single most frequent labels are not of high risk."


def _many(first: pd.DataFrame, together: int) -> str:
    """Count labels that tie, which stand below the sentence with their levels."""
    low, high = int(first["leads"].min()), int(first["leads"].max())
    often = f"{low}" if low == high else f"{low} to {high}"
    danger = f"; a high-risk label leads in {together}" if together else ""
    return f"{_number(len(first))} labels tie, {often} {_TRUTHS} each{danger}."


def _single(leader: pd.Series, rivals: pd.DataFrame, first: pd.DataFrame, together: int) -> str:
    """Say how often the one label that leads does, and what else may be the truth."""
    sentence = f"{_named(leader['label'], leader['risk'])} leads in {leader['leads']} {_TRUTHS}"
    near = rivals[rivals["leads"] == leader["leads"]]
    if len(near):
        names = list(map(_named, near["label"], near["risk"]))
        said = (
            " and ".join(names) if len(names) <= MOST_TIED else f"{_number(len(names)).lower()} other labels"
        )
        sentence += f", hardly ahead of {said}"
    warns = leader["risk"] != "H" and not (near["risk"] == "H").any() and bool((rivals["risk"] == "H").any())
    return f"{sentence}{_rival(rivals.drop(near.index), first, together, warns=warns)}."


def _rival(rivals: pd.DataFrame, first: pd.DataFrame, together: int, *, warns: bool) -> str:
    """Name the label that matters most of those that do not lead, and count all of high risk."""
    if rivals.empty:
        return ""
    rival = rivals[rivals["risk"] == "H"].iloc[0] if warns else rivals.iloc[0]
    clearly = (first["risk"] == "H").any() and together >= first["leads"].iloc[0] + CLEARLY
    more = f"; any high-risk label in {together}" if (together > rival["leads"] if warns else clearly) else ""
    return f"; {_named(rival['label'], rival['risk'])} in {rival['leads']}{more}"


def _why_tied(case: Case, first: pd.DataFrame) -> str:
    """Say what ties labels that do not lead equally often."""
    if len(set(first["leads"])) == 1:
        return ""
    only_drawn = {*leading_slots(case.posterior)} == {*leading_slots(case.posterior, case.point)}
    return "Tied within the simulation error" if only_drawn else "Tied in the point estimate"


def _named(label: str, risk: str) -> str:
    """Name a label with its own level, low too."""
    return f"{in_sentence(label)} ({risk_phrase(risk)})" if risk else in_sentence(label)


def _number(n: int) -> str:
    """Write a number as it begins a sentence."""
    return _NUMBERS[n].capitalize() if n < len(_NUMBERS) else f"{n:,}"
