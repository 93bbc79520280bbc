"""What a case comes to: one short sentence, and each label that it is about with its risk level.

Danger comes first where labels of high risk lead together, or more readings name one than name the label that
leads; no label is named without its own level.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.analysis.cases.case import Case, high_risk_probability, is_known, leading_rows, plausibility_table
from core.analysis.cases.first_choices import times_named
from core.analysis.cases.high_risk import LEADING
from core.analysis.cases.leading import leading_slots
from core.analysis.cases.truths import TIED, alike_words, of_hundred_truths, whole
from core.analysis.cases.worklist import PLAUSIBLE
from core.analysis.formatting import in_sentence
from core.analysis.risk_words import risk_phrase
from core.metrics.risk import HIGH
from core.plausibility.settings import MODELS

OFTEN = 20
"""Truths of a hundred from which on the likeliest rival is named beside one of high risk."""
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
_HIGH_LEADS = "a high-risk label leads in"
_BY_POINT = "The readings support each equally"
_BY_DRAWS = "Another random sample of truths could change their order"
LEAST_NAMED = round(100 * PLAUSIBLE)
"""Truths of a hundred from which on a high-risk label is named, in the sentence or below it."""
_LEAST_SHOWN = 0.005
"""Smallest probability that is a whole percent."""
LIKELY, POSSIBLE = "The readings point to danger: ", "Danger is not ruled out: "
AS_LIKELY = "The readings are split on danger: "
"""What stands before danger that leads in more truths than `EVEN`, in fewer but some, or in as many."""
EVEN = (45, 55)
"""Truths of a hundred between which readings are split on danger: no step across half turns the words."""
OTHER_HIGH = "other high risk"
"""What stands for the high-risk labels that lead less often, all together."""


@dataclass(frozen=True, eq=False)
class Headline:
    """What a case comes to.

    Attributes
    ----------
    sentence : str
        Who leads, how often, and where danger is.
    labels : DataFrame
        Labels that are to stand below it, for the sentence counts them, or leaves out one of high risk that
        leads in `LEAST_NAMED` truths or more; those of high risk that lead less often are one: ``label``,
        ``risk`` (letter; empty where unknown) and ``leads`` (truths of a hundred; missing where a point
        estimate leaves no doubt). Empty where the sentence says all.
    why : str
        What ties these labels; empty where they lead equally often, or none are tied.
    warning : str
        What has to be known before the sentence is read; empty for nothing.
    n_tied : int
        The first so many of ``labels`` are those that the sentence counts as tied; 0 where it counts none.
    """

    sentence: str
    labels: pd.DataFrame
    why: str = ""
    warning: str = ""
    n_tied: int = 0


def headline(case: Case) -> Headline:
    """Say how certain the leading label is, and name the rival that matters most.

    That is the most probable one of high risk, or, if the leader is of high risk itself or there is none,
    the most probable one, which is named too where it leads in `OFTEN` truths or more. Where the leader is of
    high risk and all such labels lead in `LEAST_NAMED` more truths, they are counted at the end. Of
    rivals that lead equally often one of high risk is named. What danger is (`how_likely`) is said before it
    wherever it is open: in `LEAST_NAMED` truths or more, and in no more than it leaves out.

    Notes
    -----
    Danger comes first where one of these holds:

    1. a high-risk label leads;
    2. high-risk labels together lead (`core.analysis.cases.high_risk`), or do so more often than the leader;
    3. they are plausible together (`core.analysis.cases.worklist.PLAUSIBLE`), and more readings name one of
       them, in whatever place, than name the leader; of a tie, than name any label of it. The sentence says
       by how many each is named.
    """
    nothing = pd.DataFrame({"label": [], "risk": [], "leads": []})
    if case.readings.n_readings == 0:
        is_read = case.task.readings.per_case[case.index] > 0
        words = "All readings of this case are left out" if is_read else "Nobody has read this case"
        return Headline(f"{words}.", nothing)
    if not is_known(case):
        return Headline("The readings of this case carry no weight, so no label leads.", nothing)
    table = plausibility_table(case)
    counts = of_hundred_truths(case)
    first = leading_rows(case, table).assign(leads=counts)
    if math.isinf(case.aggregation.reliability):
        return _of_point(case, first)
    rows = table.assign(leads=counts, exact=table["leads"])
    rivals = rows[~rows.index.isin(first.index) & (rows["leads"] > 0)]
    rivals = rivals.assign(is_lower=rivals["risk"] != "H")
    rivals = rivals.sort_values(["leads", "is_lower"], ascending=[False, True], kind="stable")
    listed = first[["label", "risk", "leads"]]
    danger = high_risk_probability(case)
    together = whole(danger)
    has_danger = "H" not in set(first["risk"]) and "H" in set(rivals["risk"])
    is_likelier = together >= LEADING or together > first["leads"].iloc[0]
    times = _times_named(case, first["label"].tolist()) if has_danger and not is_likelier else (0, 0)
    if has_danger and (is_likelier or (danger >= PLAUSIBLE and times[0] > times[1])):
        dangerous = _dangerous(rivals, together, danger)
        about = _about(dangerous, together)
        by_name = not is_likelier and len(first) == 1
        words = (
            _named_more(case, first, dangerous, about, times) if by_name else _danger(first, dangerous, about)
        )
        words = _begun(words, danger)
        is_all_said = by_name and len(dangerous) == 1
        return Headline(words, nothing if is_all_said else pd.concat([dangerous, listed]))
    of_first = rows.loc[first.index][first["risk"] == "H"]
    dangerous = _dangerous(rivals, together - int(of_first["leads"].sum()), danger - of_first["exact"].sum())
    high = _about(pd.concat([listed[listed["risk"] == "H"], dangerous]), together)
    if len(first) > MOST_TIED:
        below = pd.concat([listed, dangerous])
        return Headline(_many(first, high, danger), below, _why_tied(case, first), n_tied=len(first))
    # One that the sentence names needs no place below it.
    n_named = int((rivals["risk"] if has_danger else rivals["risk"].head(1)).eq("H").any())
    is_left_out = int((rivals["risk"].eq("H") & (rivals["leads"] >= LEAST_NAMED)).sum()) > n_named
    below = pd.concat([listed[listed["risk"] == "H"], dangerous]) if is_left_out else nothing
    told = high if is_left_out else str(together)
    if len(first) > 1:
        is_open = set(first["risk"]) > {"H"}
        begin = how_likely(danger) if is_open else ""
        two = _two(first, dangerous_first=is_open)
        sentence = begin + two + _rival(rivals, first, danger, told, warns=has_danger)
        return Headline(f"{sentence}.", below, _why_tied(case, first))
    return Headline(_single(first.iloc[0], rivals, first, danger, told), below)


def _dangerous(rivals: pd.DataFrame, left: int, exact: float) -> pd.DataFrame:
    """Labels of high risk that lead in `LEAST_NAMED` truths or more, and all others that are left as one."""
    of_high = rivals[rivals["risk"] == "H"]
    named = of_high[of_high["leads"] >= LEAST_NAMED]
    named = named if len(named) else of_high.head(1)
    rest = left - int(named["leads"].sum())
    is_rounding = exact - named["exact"].sum() < _LEAST_SHOWN
    named = named[["label", "risk", "leads"]]
    if rest < 1 or is_rounding:
        return named
    return pd.concat([named, pd.DataFrame({"label": [OTHER_HIGH], "risk": ["H"], "leads": [rest]})])


def _about(dangerous: pd.DataFrame, together: int) -> str:
    """The number of truths of high risk; about, where its rounded parts add up to another."""
    return f"{'' if int(dangerous['leads'].sum()) == together else 'about '}{together}"


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
    warning = "Doubt is switched off: whatever the readings add up to is taken as the truth"
    if case.task.has_risk:
        warning += ", and a dangerous label that does not lead as impossible"
    return Headline(
        f"Point estimate: {said}.",
        listed if len(names) > MOST_TIED else listed.iloc[:0],
        n_tied=len(names) if len(names) > MOST_TIED else 0,
        warning=f"{warning}. Choose a {other} to see how certain it is.",
    )


def _danger(first: pd.DataFrame, dangerous: pd.DataFrame, together: str) -> str:
    """Say that high-risk labels lead together, and which single label leads most often."""
    likeliest = dangerous.iloc[0]
    words = (
        f"{_HIGH_LEADS} {together} {_TRUTHS}, most often {in_sentence(likeliest['label'])} "
        f"({likeliest['leads']}). "
    )
    numbers = [
        f"{in_sentence(label)} ({', '.join([str(n)] + [risk_phrase(risk)] * bool(risk))})"
        for label, risk, n in zip(first["label"], first["risk"], first["leads"], strict=True)
    ]
    if len(numbers) == 1:
        return f"{words}The single most frequent label is {numbers[0]}."
    if len(numbers) <= MOST_TIED:
        return f"{words}The single most frequent labels are {' and '.join(numbers)}."
    return f"{words}The {_number(len(numbers)).lower()} single most frequent labels are not of high risk."


def how_likely(danger: float) -> str:
    """Say before a sentence whether readings point to danger, are split on it, or do not rule it out.

    It is no chance of the patient's, which readings alone do not tell.

    Parameters
    ----------
    danger : float
        Probability in [0, 1] that the leading label is a high-risk one.
    """
    together = round(100 * danger)
    if EVEN[0] <= together <= EVEN[1]:
        return AS_LIKELY
    return LIKELY if together > EVEN[1] else POSSIBLE


def _begun(words: str, danger: float) -> str:
    """Say first what danger is, of a sentence that begins with it or goes on to it."""
    if not _is_plausible(danger):
        return f"A{words[1:]}" if words.startswith(_HIGH_LEADS) else words
    return how_likely(danger) + words


def _is_plausible(danger: float) -> bool:
    """Whether high risk is plausible, in whole truths of a hundred: what is written as 5 is 5."""
    return round(100 * danger) >= LEAST_NAMED


def _times_named(case: Case, leaders: Sequence[str]) -> tuple[int, int]:
    """How many readings name a high-risk label, and how many the label that leads; of a tie, the most."""
    of_leaders = [times_named(case, [case.task.labels.index(label)]) for label in leaders]
    return times_named(case, np.flatnonzero(case.task.risk == HIGH).tolist()), max(of_leaders)


def _named_more(
    case: Case, first: pd.DataFrame, dangerous: pd.DataFrame, together: str, times: tuple[int, int]
) -> str:
    """Say that more readings name a high-risk label than the one that leads more often."""
    likeliest, leader, n = dangerous.iloc[0], first.iloc[0], case.readings.n_readings
    leads = f"{_named(leader['label'], leader['risk'])} leads in {leader['leads']}"
    if len(dangerous) == 1:
        danger = f"{_named(likeliest['label'], 'H')} leads in {together} {_TRUTHS}, "
        named_by = f"named by {times[1]}" if times[1] else "which none names"
        return f"{danger}named by {times[0]} of {n} readings; {leads}, {named_by}."
    danger = f"{_HIGH_LEADS} {together} {_TRUTHS}, most often {in_sentence(likeliest['label'])}"
    verb = "names" if times[1] == 1 else "name"
    name_it = f"{times[1]} of {n} readings {verb} it" if times[1] else "no reading names it"
    return f"{danger} ({likeliest['leads']}). {leads}; {name_it}, {times[0]} a high-risk label."


def _two(first: pd.DataFrame, *, dangerous_first: bool) -> str:
    """Say of two labels that they tie, or how often each leads, where that is not equal."""
    if dangerous_first:
        first = first.sort_values("risk", key=lambda risk: risk != "H", kind="stable")
    a, b = map(_named, first["label"], first["risk"])
    one, other = first["leads"]
    alike = alike_words(first["leads"])
    if alike == TIED:
        return f"{a} and {b} tie: {one} {_TRUTHS} each"
    return f"{a} and {b} are {alike}: {one} and {other} {_TRUTHS}"


def _many(first: pd.DataFrame, together: str, danger: float) -> str:
    """Count labels that tie, which stand below the sentence with their levels."""
    low, high = int(first["leads"].min()), int(first["leads"].max())
    labels = f"{_number(len(first))} labels"
    tie = f"{labels} tie: {low} {_TRUTHS} each"
    if low < high:
        tie = f"{labels} are {alike_words(first['leads'])}: {low} to {high} {_TRUTHS} each"
    return f"{tie}{_also_danger(f'{_HIGH_LEADS} {together}', danger)}." if together != "0" else f"{tie}."


def _single(leader: pd.Series, rivals: pd.DataFrame, first: pd.DataFrame, danger: float, said: str) -> str:
    """Say how often the one label that leads does, and what else may be the truth."""
    is_open = leader["risk"] == "H" and round(100 * danger) <= 100 - LEAST_NAMED
    begin = how_likely(danger) if is_open else ""
    sentence = f"{begin}{_named(leader['label'], leader['risk'])} leads in {leader['leads']} {_TRUTHS}"
    near = rivals[rivals["leads"] == leader["leads"]]
    if len(near):
        names = list(map(_named, near["label"], near["risk"]))
        others = f"{_number(len(names)).lower()} other labels"
        sentence += f", barely ahead of {' and '.join(names) if len(names) <= MOST_TIED else others}"
    warns = leader["risk"] != "H" and not (near["risk"] == "H").any() and bool((rivals["risk"] == "H").any())
    return f"{sentence}{_rival(rivals.drop(near.index), first, danger, said, warns=warns)}."


def _rival(rivals: pd.DataFrame, first: pd.DataFrame, danger: float, said: str, *, warns: bool) -> str:
    """Name the label that matters most of those that do not lead, and count all of high risk, as ``said``."""
    if rivals.empty:
        return ""
    rival, together = rivals[rivals["risk"] == "H"].iloc[0] if warns else rivals.iloc[0], whole(danger)
    clearly = (first["risk"] == "H").any() and together >= first["leads"].iloc[0] + LEAST_NAMED
    more = f"; any high-risk label in {said}" if (together > rival["leads"] if warns else clearly) else ""
    named = _named(rival["label"], rival["risk"])
    if not warns:
        return f"; {named} in {rival['leads']}{more}"
    next_one = rivals.iloc[0]
    also = next_one["risk"] != "H" and next_one["leads"] >= OFTEN
    said_too = f"; {_named(next_one['label'], next_one['risk'])} in {next_one['leads']}" if also else ""
    verb = "leads in" if _is_plausible(danger) else "in"
    return said_too + _also_danger(f"{named} {verb} {rival['leads']}{more}", danger)


def _also_danger(words: str, danger: float) -> str:
    """What is said of danger after the labels that lead: a sentence of its own where it is plausible."""
    return f". {_begun(words, danger)}" if _is_plausible(danger) else f"; {words}"


def _why_tied(case: Case, first: pd.DataFrame) -> str:
    """Say what ties labels that do not lead equally often."""
    if len(set(first["leads"])) == 1:
        return ""
    only_drawn = {*leading_slots(case.posterior)} == {*leading_slots(case.posterior, case.point)}
    return _BY_DRAWS if only_drawn else _BY_POINT


def _named(label: str, risk: str) -> str:
    """Name a label with its own level, low too."""
    return f"{in_sentence(label)} ({risk_phrase(risk)})" if risk else in_sentence(label)


def _number(n: int) -> str:
    """Write a number as it begins a sentence."""
    return _NUMBERS[n].capitalize() if n < len(_NUMBERS) else f"{n:,}"
