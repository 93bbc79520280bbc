"""Every model in plain words: right in how many of a hundred, by which truth; of ten dangers and warnings."""

from __future__ import annotations

import math
from collections.abc import Sequence

from core.analysis.formatting import WHOLE, of_hundred
from core.analysis.models.basis import READINGS, Basis
from core.analysis.models.by_reference import READ, ByReference
from core.analysis.models.claims import SUPPORTED, Judged, about_missed
from core.analysis.models.reference_words import decide_by, is_for_most

TITLE = "In plain words, model by model"
_TEN = 10
"""Dangers, and warnings, from which on it is said of ten how many: of fewer nobody meets ten."""
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
    """Say of ten dangers how many a model misses; of few, of how many."""
    if math.isnan(one.missed) or one.dangers < WHOLE:
        return ""
    if one.dangers < _TEN:
        return f"Misses {about_missed(one)} dangers."
    return f"Misses {_of_ten(1 - one.danger)} of 10 dangers."


def _false(one: Judged) -> str:
    """Say of ten warnings how many are false; empty for few warnings."""
    if math.isnan(one.alarms) or not one.n_alarms >= _TEN:
        return ""
    many = _of_ten(one.alarms)
    return f"{many[:1].upper()}{many[1:]} of 10 warnings {'is' if many.endswith(' 1') else 'are'} false."


def _of_ten(share: float) -> str:
    """A share as a number out of 10 that never claims none or all of what is in between."""
    tenths = math.floor(10 * share + WHOLE)
    if share <= 0:
        return "none"
    if tenths == 0:
        return "fewer than 1"
    if tenths == _TEN:
        return "10" if share >= 1 else "more than 9"
    return f"about {tenths}"
