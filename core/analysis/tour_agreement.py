"""What hangs on how often two readers agree, which is seldom told: of a claim, and of what labels support."""

from __future__ import annotations

from collections.abc import Sequence

from core.analysis.formatting import percent, percent_as_said
from core.analysis.note import Rows
from core.analysis.tour_claim import LEAST_AGREEMENT, MOST_AGREEMENT, Claim
from core.analysis.tour_proof import range_in_words

ONE_READER = (
    "With only one reader per case, nothing shows how often readers would disagree. What two readers support "
    "may be lower: two who disagree reveal the doubt that one alone hides."
)
"""Said in place of what depends on agreement."""
ALWAYS_AGREE = "Readers who always agree may all be wrong, so some doubt stays, and less with more readers."
"""Said of them, of whom nobody expects that labels may be wrong."""
_NEARLY = 0.99
"""Agreement from which on it is said in words."""
_AT_THAT = {"unproved": "not {}", "barely": "{} possible", "possible": "{} possible", "less": "{} or more"}
"""Of a claim, at one agreement of its readers."""


def whatever_agreement(least: float | None, n_readers: int | None = None) -> str:
    """Say what becomes of a claim however often readers agree.

    ``least`` is that of `core.analysis.tour_claim.not_ruled_out_from`; ``n_readers`` is how many are assumed
    to read each case, None where that was told.
    """
    many = "this many readers" if n_readers is None else f"{n_readers} readers per case"
    if least is None:
        return f"With {many}, no amount of agreement can support this claim."
    if least == LEAST_AGREEMENT:
        return f"With {many}, this claim is not ruled out, however often they agree."
    if least >= _NEARLY:
        cases = "every case" if least == MOST_AGREEMENT else "nearly every case"
        return f"With {many}, these labels cannot support this claim unless any two agree on {cases}."
    return (
        f"With {many}, agreement below about {percent(least)} cannot support this claim; higher agreement "
        "does not rule it out."
    )


def table_of(found: Sequence[Claim]) -> Rows:
    """Lay out what labels support of claims that differ in how often two readers agree."""
    rows = tuple(
        (f"Two readers agree {agree} of the time", supported) for agree, supported, _ in scale(found)
    )
    return Rows("What labels support", ("If", "Supported"), rows)


def scale(found: Sequence[Claim]) -> list[tuple[str, str, str]]:
    """Say how often two readers agree, what is then supported, and what becomes of the claim.

    Parameters
    ----------
    found : sequence of Claim
        That differ in how often two readers agree.

    Returns
    -------
    list of tuple of str
        Such as ("60 %", "69 to 81 %", "not 92 %").
    """
    return [
        (
            percent(one.agreement),
            range_in_words(one.row).replace(" ", "\u00a0"),
            _AT_THAT[one.grade].format(percent_as_said(one.claimed)).replace(" ", "\u00a0"),
        )
        for one in found
    ]
