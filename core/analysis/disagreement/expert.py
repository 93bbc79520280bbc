"""What a model makes of one more expert's label, in sentences."""

from __future__ import annotations

import numpy as np
import pandas as pd

from core.analysis.disagreement.recalibrated import Recalibrated
from core.analysis.formatting import percent

_NUMBERS = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten")

_SAME = 1e-12
"""Probabilities that differ by less are equal on paper."""


def expert_sentence(fit: Recalibrated, method: str, case: int, table: pd.DataFrame) -> str:
    """Say what happened to a model's probabilities when experts said more.

    Parameters
    ----------
    fit : Recalibrated
        Of one model.
    method : str
        One of ``fit.methods``.
    case : int
        Index of the case.
    table : DataFrame
        Of the same model, method and case, as
        `core.analysis.disagreement.recalibrated_tables.after_expert_labels` gives it.

    Returns
    -------
    str
        One or two sentences; of a case that the model says nothing of, why.
    """
    if np.isnan(fit.probability[method][case, 0]):
        return f"{fit.model} did not predict this case, so there is nothing that an expert could change."
    if method not in fit.updating:
        remedy = "No method that also says the latter could be fitted."
        if fit.updating:
            remedy = "Choose one with α, or an ensemble, to see them move."
        return (
            f"Whatever an expert says, {fit.model} stays with its probabilities: “{method}” says how likely "
            f"each label is, not how far that is to be trusted. {remedy}"
        )
    if table["before"].isna().any():
        return f"This case has no features, so how far {fit.model} is to be trusted here is not known."
    before, after, told = (table[name].to_numpy() for name in ("before", "after", "told"))
    if not told.any():
        first = percent(before.max(), in_words=True)
        return f"Nobody has said more yet: {_leading(table, before)} leads with {first}."
    return f"{_said(table, told)}: {_moved(table, before, after, told)} {_disagreement(table)}"


def weight_sentence(fit: Recalibrated, method: str, case: int) -> str:
    """Say how far the model's own probabilities are trusted, in experts; empty where α0 is not known."""
    concentration = fit.concentration.get(method)
    if concentration is None or np.isnan(concentration[case]):
        return ""
    value = float(concentration[case])
    if value >= 1000:
        return "α₀ is 1,000 or more: a single expert changes next to nothing."
    if value < 0.01:
        return "α₀ is below 0.01: a single expert outweighs the model's own probabilities."
    shown = f"{value:.0f}" if value >= 100 else f"{value:.2g}"
    experts = "1 expert" if shown == "1" else f"{shown} experts"
    return f"α₀ = {shown}: the model's own probabilities weigh as much as {experts}."


def _said(table: pd.DataFrame, told: np.ndarray) -> str:
    """Who said what: 'One more expert says “A”', 'Three more experts say “A” (2), “B” (1)'."""
    n, given = int(told.sum()), np.flatnonzero(told)
    number = _NUMBERS[n] if n < len(_NUMBERS) else str(n)
    who = f"{number} more expert says" if n == 1 else f"{number} more experts say"
    if len(given) == 1:
        return f"{who} {_name(table, int(given[0]))}"
    return f"{who} " + ", ".join(f"{_name(table, k)} ({told[k]})" for k in given.tolist())


def _moved(table: pd.DataFrame, before: np.ndarray, after: np.ndarray, told: np.ndarray) -> str:
    """Where the label told most often went, and who leads now."""
    label, first, now = int(told.argmax()), int(before.argmax()), int(after.argmax())
    if after[first] >= after.max() - _SAME:
        now = first
    start, end = percent(before[label], in_words=True), percent(after[label], in_words=True)
    verb = "rises" if after[label] > before[label] else "falls"
    way = f"stays at {end}" if start == end else f"{verb} from {start} to {end}"
    if now != first:
        lead = f"{_name(table, now)} now leads instead of {_name(table, first)}"
    elif now == label:
        lead = "it leads as before"
    else:
        lead = f"{_name(table, now)} still leads with {percent(after[now], in_words=True)}"
    return f"the recalibrated probability of {_name(table, label)} {way}; {lead}."


def _disagreement(table: pd.DataFrame) -> str:
    """How often two further experts would disagree, before and after."""
    before, after = table.attrs["disagreement_before"], table.attrs["disagreement_after"]
    start, end = percent(before, in_words=True), percent(after, in_words=True)
    if start == end:
        return f"Two further experts would disagree with probability {end}, as before."
    return f"Two further experts would disagree with probability {end}; before it was {start}."


def _leading(table: pd.DataFrame, probability: np.ndarray) -> str:
    """Name of the most probable label, of equals all."""
    first = np.flatnonzero(probability >= probability.max() - _SAME)
    return " or ".join(_name(table, int(label)) for label in first)


def _name(table: pd.DataFrame, label: int) -> str:
    """Name of a label, in quotation marks."""
    return f"“{table['label'].iloc[label]}”"
