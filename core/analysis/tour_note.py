"""The note that is taken away of a claimed accuracy: what it is worth, in which numbers, and what to ask."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from core.analysis import tour_agreement, tour_answer
from core.analysis.export import NOTICE
from core.analysis.formatting import percent, percent_as_said
from core.analysis.note import BY_HAND, Bands, Heading, Items, Note, Part, Words
from core.analysis.tour_bands import axis_start, bands
from core.analysis.tour_claim import Claim

EXAMPLE_NOTE = "Example values: nobody quoted these numbers, and they describe no product."
"""Said in a note that is taken away nevertheless."""
_TOLD = ("claimed", "cases", "readers", "agreement")


def note(
    found: Claim,
    advised: str,
    passing: str,
    *,
    whatever: str = "",
    asked: Sequence[str] = tour_answer.QUESTIONS,
    made_on: str = "",
    assumed: Collection[str] = (),
    agreements: Sequence[Claim] = (),
) -> Note:
    """Write a note to take away, to a vendor or a board.

    Parameters
    ----------
    found : Claim
    advised : str
        Of `core.analysis.tour_answer.advice`.
    passing : str
        Of `enough` there, and which range to quote, of `quoted`; may be empty.
    whatever : str
        Of `core.analysis.tour_agreement.whatever_agreement`; may be empty.
    asked : sequence of str
        Of `questions` there.
    made_on : str
        The date as it is written; empty to leave it out.
    assumed : collection of str
        Which of "claimed", "cases", "readers" and "agreement" nobody told.
    agreements : sequence of Claim
        The same claim by how often readers may agree, where that is not told.
    """
    is_example = set(assumed) == set(_TOLD)
    if_not = {name: " (assumed)" if name in assumed and not is_example else "" for name in _TOLD}
    numbers = (
        f"Claimed: {percent_as_said(found.claimed)}{if_not['claimed']}, on {found.n_cases:,} "
        f"cases{if_not['cases']}",
        f"Readers of each case: {found.n_readers}{if_not['readers']}",
        f"Agreement of two readers of a case, picked at random: {percent(found.agreement)}"
        f"{if_not['agreement']}",
    )
    by_agreement = tour_agreement.table_of(agreements)
    parts: tuple[Part | None, ...] = (
        Words(EXAMPLE_NOTE, "strong") if is_example else None,
        Words(f"Date: {made_on}") if made_on else None,
        Words(f"Vendor: {BY_HAND}"),
        Words(f"Product: {BY_HAND}"),
        Items(numbers),
        Words(answer_of(found, assumed), "strong"),
        _words(whatever),
        _words(tour_answer.support(found)),
        _words(tour_answer.reason(found)),
        Bands("Claimed, supported and ceiling", bands(found), axis_start(found)),
        Words(advised, "strong"),
        Words(tour_answer.holds(found, tour_answer.WAYS)),
        by_agreement if agreements else None,
        _words(passing),
        Words(tour_answer.GUIDE, "note"),
        Heading("Questions for whoever quotes the accuracy"),
        Items(tuple(asked), is_numbered=True),
    )
    title = f"What a claimed accuracy of {percent_as_said(found.claimed)} is worth"
    return Note(title, tuple(filter(None, parts)), (f"Made with Loupe. {NOTICE}",))


def answer_of(found: Claim, assumed: Collection[str]) -> str:
    """Say what labels support of a claim, and on what that hangs which nobody told."""
    condition, verdict = tour_answer.condition(found, assumed), tour_answer.verdict(found)
    return f"{condition} {verdict[:1].lower()}{verdict[1:]}" if condition else verdict


def _words(text: str) -> Words | None:
    """A paragraph; None where there is nothing to say."""
    return Words(text) if text else None
