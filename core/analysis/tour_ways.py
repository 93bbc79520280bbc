"""Why labels support what they do: the ways in which all cases of a claim could be labelled, in words."""

from __future__ import annotations

import pandas as pd

from core.analysis.formatting import percent_as_said
from core.analysis.support_words import ONLY_POSSIBLE
from core.analysis.tour_claim import N_TRUTHS, Claim
from core.analysis.tour_proof import range_in_words

_SAME = 1e-9
"""Accuracies that differ by less are equal."""
_CLAIM_LIES = {
    "unproved": "above them",
    "barely": "among the highest of them",
    "possible": f"among them: {ONLY_POSSIBLE}",
    "less": "below them",
}
"""Where the claim stands to what is supported."""


def ways_table(found: Claim) -> pd.DataFrame:
    """Return the model's accuracy in each plausible truth, and whether it lies in what is supported.

    Returns
    -------
    DataFrame
        One row a truth of ``found``, in ascending order: ``accuracy`` and ``is_supported``.
    """
    accuracy = pd.Series(found.truths, dtype=float)
    within = accuracy.between(found.low - _SAME, found.high + _SAME)
    return pd.DataFrame({"accuracy": accuracy, "is_supported": within})


def ways_in_words(found: Claim) -> str:
    """Say how the range of a claim comes about, by its own cases and readers."""
    return (
        f"Take one plausible truth for every case: together they are one way in which all "
        f"**{found.n_cases:,} cases** could be labelled. Here are {N_TRUTHS} such ways, one dot each, by how "
        f"often the model would be right.\n\n"
        f"All but the few faint dots span **{range_in_words(found.row)}**: what the labels support. The "
        f"claim, **{percent_as_said(found.claimed)}**, lies {_CLAIM_LIES[found.grade]}."
    )
