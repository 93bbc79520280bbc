"""What `review undo` takes back: one's own last word on a case, what was last said of a round, an outcome."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from core.cli.output import say
from core.cli.rounds import keep, say_round

if TYPE_CHECKING:
    from core.reviews.event import Event
    from core.reviews.state import CaseReview
    from core.reviews.store import ReviewStore
    from core.study.model import Study


def own_last(review: CaseReview, author: str, case_id: str) -> Event:
    """Note, flag or status that somebody said last of a case, to be taken back.

    Raises
    ------
    ValueError
        If nothing that this person said of it is in force.
    """
    found = review.last_said_by(author)
    if found is None:
        raise ValueError(
            f"there is nothing to undo: of case “{case_id}” no note, flag or status said by {author} is in "
            "force. What others said, they take back; for an outcome give --round NAME and --case ID"
        )
    return found


def undo_round(options: argparse.Namespace, study: Study, store: ReviewStore, author: str) -> None:
    """Take back what was said last of a round: a correction, or the round with all that is in it."""
    from core.reviews.event import Event
    from core.reviews.journal import followed
    from core.reviews.rounds import find_round

    journal = followed(store, study)
    of = find_round(journal.rounds(), options.round[0])
    keep(options, store, [Event(of.event.subject, author, "withdrawal", {}, answers=of.event.id)])
    journal.follow()
    left = next((one for one in journal.rounds().values() if one.id == of.id), None)
    if left is None:
        say(f"Round “{of.name}” is taken back. Kept in {store.place}.")
    else:
        say(f"What was said last of round “{of.name}” is taken back; it is there as before:")
        say_round(left, study)
        say(f"Kept in {store.place}.")


def undo_outcome(options: argparse.Namespace, study: Study, store: ReviewStore, author: str) -> None:
    """Take back the outcome of a case in a round, and with it the status that went with it."""
    from core.reviews.event import STATUSES, Event
    from core.reviews.journal import followed
    from core.reviews.rounds import find_round

    journal = followed(store, study)
    of = find_round(journal.rounds(), options.round[0])
    found = of.outcomes.get(options.case)
    if found is None:
        raise ValueError(f"expected a case with an outcome in round “{of.name}”, got “{options.case}”")
    keep(options, store, [Event(found.subject, author, "withdrawal", {}, answers=found.id)])
    journal.follow()
    status = STATUSES[journal.review(of.task, options.case).status]
    say(
        f"Taken back: outcome “{found.said[:100]}” of {options.case} in round “{of.name}”. "
        f"{options.case} is {status}. Kept in {store.place}."
    )
