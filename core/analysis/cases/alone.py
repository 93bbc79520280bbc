"""The sentence of a case that a reference settles, whatever its readings leave open."""

from __future__ import annotations

import math
from dataclasses import replace

from core.analysis.cases.case import Case, is_known
from core.analysis.cases.headline import AS_LIKELY, LIKELY, POSSIBLE, Headline
from core.analysis.cases.on_record import reference_of
from core.analysis.cases.settle import is_settled

BY_READINGS = "By the readings alone"
"""Begins the sentence where the reference settles what the readings leave open."""
_READINGS = "The readings"


def said_alone(case: Case, said: Headline) -> Headline:
    """Say of a case's sentence that it goes by the readings alone, where a reference settles the case.

    Parameters
    ----------
    case : Case
        As `core.analysis.cases.case.open_case` gives it.
    said : Headline
        As `core.analysis.cases.headline.headline` gives it.

    Returns
    -------
    Headline
        The same where no reference settles the case (`core.analysis.cases.on_record.Reference.settles`), or
        the readings leave nothing open and lead to it too.
    """
    reference = reference_of(case)
    if reference is None or not reference.settles or not is_known(case):
        return said
    is_sure = is_settled(case) or math.isinf(case.aggregation.reliability)
    if is_sure and not reference.differs:
        return said
    words = said.sentence
    if words.startswith((LIKELY, AS_LIKELY)):
        return replace(said, sentence=words.replace(_READINGS, f"{_READINGS} alone", 1))
    begun = f", {words[0].lower()}{words[1:]}" if words.startswith(POSSIBLE) else f": {words}"
    return replace(said, sentence=f"{BY_READINGS}{begun}")
