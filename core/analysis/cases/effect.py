"""What changed readings do to a case: to the label that leads, its certainty, and the danger."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.analysis.cases.case import Case, high_risk_probability, is_known, leading_rows, plausibility_table
from core.analysis.cases.truths import leaders_alike, moved, of_100, range_of_100, times
from core.analysis.cases.worklist import PLAUSIBLE

MOST_LABELS = 3
"""Labels whose probability of leading is set beside what it was."""
MOST_LEADERS = 4
"""Labels that lead, and as many that led, that are among them in any case."""
MOST_DANGERS = 3
"""Plausible labels of high risk that are among them as well: what becomes of danger is why one tries."""
_LEAST = 0.005
"""Probability from which on a label is set beside what it was: less would be written as 0 % and 0 %."""
ANY_HIGH_RISK = "Any high-risk label"
_PAIR = 2
GIVEN = "With these changes"
"""Begins what a change does."""


@dataclass(frozen=True, eq=False)
class Effect:
    """What changed readings do.

    Attributes
    ----------
    sentence : str
        The leading label with its certainty, and high risk, each before and after.
    table : DataFrame
        As `effect_table` gives it.
    """

    sentence: str
    table: pd.DataFrame


def effect_of(before: Case, after: Case) -> Effect:
    """Say what changes do to a case, given as it is in the study and as it is with them."""
    return Effect(effect_sentence(before, after), effect_table(before, after))


def effect_table(before: Case, after: Case) -> pd.DataFrame:
    """Probabilities of leading before and after a change.

    Returns
    -------
    DataFrame
        ``label``, ``risk`` (letter, empty where unknown), ``before`` and ``after`` (in [0, 1]): the
        `MOST_LABELS` labels that lead most often in either, with them up to `MOST_LEADERS` that lead or
        led, which the sentence names, and up to `MOST_DANGERS` plausible ones of high risk,
        and last, where the task has risk levels, `ANY_HIGH_RISK`. Empty
        where nothing is known of one of the two.
    """
    columns = ["label", "risk", "before", "after"]
    if not (is_known(before) and is_known(after)):
        return pd.DataFrame(columns=columns)
    then, now = (
        plausibility_table(case).iloc[: len(case.order)].set_index("label") for case in (before, after)
    )
    leads = pd.DataFrame({"before": then["leads"], "after": now["leads"]}).fillna(0.0)
    leads["risk"] = now["risk"].reindex(leads.index).fillna(then["risk"]).fillna("")
    leads["most"] = leads[["before", "after"]].max(axis=1)
    leads = leads[leads["most"] > 0].sort_values(["most", "after"], ascending=False, kind="stable")
    leaders = {name for case in (before, after) for name in (_leader(case) or ([], 0.0))[0][:MOST_LEADERS]}
    is_shown = leads.index.isin(leaders) | (np.arange(len(leads)) < MOST_LABELS) & (leads["most"] >= _LEAST)
    is_danger = (leads["risk"] == "H") & (leads["most"] >= PLAUSIBLE)
    is_shown |= is_danger & (is_danger.cumsum() <= MOST_DANGERS)
    table = leads[is_shown].rename_axis("label").reset_index()[columns]
    if before.task.has_risk:
        row = (ANY_HIGH_RISK, "H", high_risk_probability(before), high_risk_probability(after))
        table = pd.concat([table, pd.DataFrame([row], columns=columns)], ignore_index=True)
    return table


def effect_sentence(before: Case, after: Case, given: str = GIVEN) -> str:
    """Say what the changes, ``given`` first, do to the leading label, its certainty, and high risk."""
    old, new = _leader(before), _leader(after)
    if new is None:
        return f"{given} no reading is left."
    danger = _danger(before, after, is_known_before=old is not None)
    if old is None:
        certain = f"with a certainty of {new[2]}"
        return f"{given} {_that_leads(new[0], new[3])}, {certain}{danger}."
    if set(old[0]) != set(new[0]):
        led = "led" if len(old[0]) == 1 else f"were {old[3]}"
        changed = f"{_that_leads(new[0], new[3])} ({new[2]}); before, {' and '.join(old[0])} {led} ({old[2]})"
        return f"{given} {changed}{danger}."
    still = _that_leads(new[0], new[3], " still")
    if times(new[1]) == times(old[1]):
        return f"{given} {still}, and certainty stays at {of_100(new[1])}{danger}."
    return f"{given} {still}; certainty {_moves(old[1], new[1])}{danger}."


def _danger(before: Case, after: Case, *, is_known_before: bool) -> str:
    """What becomes of high risk, as the end of a sentence; empty where nothing is known of risk."""
    if not after.task.has_risk:
        return ""
    now = high_risk_probability(after)
    if not is_known_before:
        return f"; danger is {of_100(now)}"
    then = high_risk_probability(before)
    if times(then) == times(now):
        return f"; danger stays at {of_100(now)}"
    return f"; danger {_moves(then, now)}"


def _moves(before: float, after: float) -> str:
    """How a probability moves, in truths of a hundred."""
    verb = "rises" if after > before else "falls"
    return f"{verb} from {moved(before, after, ' to ')}"


def _leader(case: Case) -> tuple[list[str], float, str, str] | None:
    """Leading labels, how often the first leads, and as written, how often each, and how several are alike.

    Labels that tie within what chance moves need not lead equally often. None for an unknown case.
    """
    if not is_known(case):
        return None
    leaders = leading_rows(case, plausibility_table(case))
    leads = leaders["leads"]
    often = range_of_100(float(leads.min()), float(leads.max()))
    if len(leads) == _PAIR and times(leads.iloc[0]) != times(leads.iloc[1]):
        # In the order in which the two are named.
        often = moved(float(leads.iloc[0]), float(leads.iloc[1]), " and ")
    return leaders["label"].astype(str).tolist(), float(leads.iloc[0]), often, leaders_alike(case)


def _that_leads(names: list[str], alike: str, still: str = "") -> str:
    """That a label leads, or that several are ``alike``."""
    return f"{names[0]}{still} leads" if len(names) == 1 else f"{' and '.join(names)} are{still} {alike}"
