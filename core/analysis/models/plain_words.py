"""Every model in plain words: right in how many of a hundred, by which truth, and how often it warns."""

from __future__ import annotations

import math
from collections.abc import Sequence

from core.analysis.formatting import WHOLE, about_cases, of_hundred
from core.analysis.models.basis import READINGS, Basis
from core.analysis.models.by_reference import READ, ByReference
from core.analysis.models.claims import SUPPORTED, Judged, about_missed, warnings_in_words
from core.analysis.models.reference_words import decide_by, is_for_most
from core.metrics.rank_correlation import TIE_DECIMALS

TITLE = "In plain words, and why a model has several accuracies"
_SEVERAL = "A model has several accuracies because each takes something else for the truth."
_CLAIMED = "Claimed: the majority label, as if nobody had disagreed."
_OPEN = "every answer that the readings leave plausible, each as often as it may be true."
_REFERENCE = "The study’s reference: one answer per case, without doubt."


def why_several(found: ByReference, basis: Basis = READINGS) -> str:
    """Say why one model has several accuracies, and which of them to decide by.

    Parameters
    ----------
    found : ByReference
        How models do by the study's own reference.
    basis : Basis
        What the models are judged by.
    """
    is_told = basis.is_reference or is_for_most(found)
    by_readings = "By readings" if basis.is_reference else SUPPORTED
    each = (_SEVERAL, _CLAIMED, *[_REFERENCE] * is_told, f"{by_readings}: {_OPEN}")
    decide = decide_by(found.standards) if is_told else ""
    return " ".join((*each, decide or "Decide by what is supported."))


def plain_words(
    claims: Sequence[Judged], found: ByReference, basis: Basis = READINGS
) -> list[tuple[str, str]]:
    """Say of every model in how many cases it is right, what it misses, and how many warnings are false.

    Parameters
    ----------
    claims : sequence of Judged
        Of all models.
    found : ByReference
        How they do by the study's own reference; said where most cases have one.
    basis : Basis
        What they are judged by.

    Returns
    -------
    list of (str, str)
        The name of each model, and what is said of it.
    """
    rows = {str(row["names"]): row for row in found.table.to_dict("records")} if is_for_most(found) else {}
    said = []
    for one in claims:
        of = rows.get(one.model, {})
        other = float(of.get(f"right{READ}" if basis.is_reference else "right", math.nan))
        sentences = (_right(one, other, basis), _missed(one), _false(one))
        said.append((one.model, " ".join(filter(None, sentences))))
    return said


def _right(one: Judged, other: float, basis: Basis) -> str:
    """Say in how many of a hundred cases a model is right, by each kind of truth."""
    low, high = map(of_hundred, one.ends)
    by, also = (
        ("the study’s reference", "readings") if basis.is_reference else ("these readings", "reference")
    )
    often = low if low == high else f"{low} to {high}"
    others = f"claimed {of_hundred(one.claimed)}"
    if not math.isnan(other):
        others += f", {also} {of_hundred(other)}"
    return f"Right in {often} of 100 cases by {by} ({others})."


def _missed(one: Judged) -> str:
    """Say how many dangers a model misses, of how many."""
    if math.isnan(one.missed) or one.dangers < WHOLE:
        return ""
    return f"Misses {about_missed(one)} dangers."


def _false(one: Judged) -> str:
    """Say how many of a model's warnings are false; empty where it hardly warns."""
    of = warnings_in_words(one.n_alarms)
    if math.isnan(one.alarms) or not of:
        return ""
    few = about_cases(round(one.alarms * one.n_alarms, TIE_DECIMALS), is_exact=one.is_exact)
    return f"{few[:1].upper()}{few[1:]} {of} {'is' if few.endswith(' 1') else 'are'} false."
