"""The note that is taken away of a claimed accuracy: what it is worth, in which numbers, and what to ask."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from core.analysis import tour_answer
from core.analysis.export import NOTICE
from core.analysis.formatting import percent, percent_as_said
from core.analysis.note import BY_HAND, Heading, Items, Note, Part, Words
from core.analysis.support_words import MAY_BE_BETTER
from core.analysis.tour_claim import Claim
from core.analysis.vendor_questions import TRY_OUT

EXAMPLE_NOTE = "All numbers are example values, none is a vendor’s."
"""Said in a note that is taken away nevertheless."""
_TOLD = ("claimed", "cases", "readers", "agreement")


def of_example_noted(names: Sequence[str], n_fields: int) -> str:
    """Say in a note that is taken away which of its numbers are an example's; empty where none is."""
    if len(names) == n_fields:
        return EXAMPLE_NOTE
    return f"Assumed, not told by the vendor: {'; '.join(names)}." if names else ""


def note(  # noqa: PLR0913 - parts of a note, by name
    found: Claim,
    twice: Claim,
    advised: str,
    passing: str,
    said: str,
    *,
    asked: Sequence[str] = tour_answer.QUESTIONS,
    made_on: str = "",
    example: str = "",
    assumed: Collection[str] = (),
    agreements: Sequence[Claim] = (),
) -> Note:
    """Write a note to take away, to a vendor or a board.

    Parameters
    ----------
    found, twice : Claim
        As for `core.analysis.tour_answer.by_trust`.
    advised : str
        Of `core.analysis.tour_answer.advice`.
    passing : str
        Of `enough` and `better` there, after `whatever_agreement` where how often readers agree is not told;
        may be empty.
    said : str
        Of `verdict` there.
    asked : sequence of str
        Of `questions` there.
    made_on : str
        The date as it is written; empty to leave it out.
    example : str
        Of `of_example_noted`.
    assumed : collection of str
        Which of "claimed", "cases", "readers" and "agreement" nobody told.
    agreements : sequence of Claim
        The same claim by how often readers may agree, where that is not told.
    """
    if_not = {name: " (assumed)" if name in assumed else "" for name in _TOLD}
    counted = {
        "Each reading counts once (to take where nothing is known of the readers)": found,
        "Each reading counts twice (where they are known to predict one another well)": twice,
    }
    numbers = (
        f"Claimed: {percent_as_said(found.claimed)}{if_not['claimed']}, on {found.n_cases:,} "
        f"cases{if_not['cases']}",
        f"Readers of each case: {found.n_readers}{if_not['readers']}",
        f"Two readers of a case, drawn at random, agree in: {percent(found.agreement)}{if_not['agreement']}",
    )
    parts: tuple[Part, ...] = (
        Words(f"Vendor: {BY_HAND}"),
        Words(f"Product: {BY_HAND}"),
        Words(said, "strong"),
        Words(advised, "strong"),
        *(Words(words) for words in (tour_answer.only_if(found),) if words),
        Words(tour_answer.holds(found), "note"),
        Words(tour_answer.INVENTED),
        *(Words(words) for words in (example, passing) if words),
        Items(numbers),
        tour_answer.supported_if(counted | tour_answer.by_agreement(agreements)),
        Words(MAY_BE_BETTER),
        Heading("Questions to whoever names the accuracy"),
        Items((*asked, TRY_OUT), is_numbered=True),
    )
    title = f"What a claimed accuracy of {percent_as_said(found.claimed)} is worth"
    dated = f" {made_on}." if made_on else ""
    return Note(title, parts, (f"Made with Loupe. {NOTICE}{dated}",))
