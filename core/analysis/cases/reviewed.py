"""What was decided about the cases of a worklist: columns that show it, and filters that ask for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from core.analysis.cases.select import Filters
from core.reviews.event import STATUSES, Event, Status, local_time
from core.reviews.state import CaseReview

COLUMNS = ("status", "flags", "notes", "reviewer", "reviewed")
"""Status, flags, notes, who wrote last, and when."""
ASKED: tuple[Status, ...] = ("re-read", "discussion", "awaited")
"""Statuses that say that a case matters."""
_OPEN = next(iter(STATUSES))


def with_reviews(cases: pd.DataFrame, reviews: Mapping[str, CaseReview]) -> pd.DataFrame:
    """Return a worklist with what was decided about its cases.

    Parameters
    ----------
    cases : DataFrame
        Indexed by case id.
    reviews : mapping of str to CaseReview
        Of the cases about which something was written.

    Returns
    -------
    DataFrame
        The same rows, with `COLUMNS` after the others: texts, empty where nothing was written; ``reviewed``
        is the time of this computer, which sorts as it reads.
    """
    said = {name: np.full(len(cases), "", object) for name in COLUMNS}
    said["status"][:] = STATUSES[_OPEN]
    known = [case_id for case_id in reviews if reviews[case_id].last is not None]
    for place, case_id in zip(cases.index.get_indexer(pd.Index(known, dtype=object)), known, strict=True):
        if place < 0:
            continue
        review, last = reviews[case_id], reviews[case_id].last
        said["status"][place] = STATUSES[review.status]
        said["flags"][place] = "; ".join(review.flags)
        said["notes"][place] = notes_of(review)
        if last is not None:
            said["reviewer"][place] = last.author
            said["reviewed"][place] = local_time(last)
    return cases.assign(**said)


def notes_of(review: CaseReview) -> str:
    """Notes that are in force for a case, oldest first, in one line; empty where there is none."""
    return " / ".join(" ".join(note.said.split()) for note in review.notes)


def signed_notes_of(review: CaseReview) -> str:
    """The same, each with who wrote it and when."""
    return " / ".join(
        f"{' '.join(note.said.split())} ({note.author}, {local_time(note)})" for note in review.notes
    )


def signed_flags_of(review: CaseReview) -> str:
    """Reasons for which a case is flagged, with who gave them: once, where one did; empty without any."""
    if len(people := {event.author for event in review.flags.values()}) == 1:
        return f"{'; '.join(review.flags)} ({people.pop()})"
    return "; ".join(f"{reason} ({event.author})" for reason, event in review.flags.items())


def signed_status_of(review: CaseReview) -> str:
    """Status of a case, with who gave it and since when; empty while it is open."""
    if review.status == _OPEN:
        return ""
    given = next((event for event in reversed(_in_force(review)) if event.kind == "status"), None)
    return STATUSES[review.status] + (f" ({given.author}, {local_time(given)})" if given else "")


def _in_force(review: CaseReview) -> list[Event]:
    """What was said of a case and has not been withdrawn, oldest first."""
    return [event for event in review.history if event.id not in review.withdrawn]


def is_marked_by(review: CaseReview, author: str) -> bool:
    """Whether somebody has flagged or noted a case, or given it its status, if that is one of `ASKED`."""
    in_force = _in_force(review)
    said = [event for event in in_force if event.kind in ("flag", "note")]
    if review.status in ASKED:
        said += [event for event in in_force if event.kind == "status"][-1:]
    return any(event.author == author for event in said)


def asked_for(
    cases: pd.DataFrame, filters: Filters, reviews: Mapping[str, CaseReview], *, seen: int = 0
) -> NDArray[np.bool_]:
    """Whether what was decided about each case is what the filters ask for.

    Parameters
    ----------
    cases : DataFrame
        Indexed by case id.
    filters : Filters
        Of which ``status``, ``flag``, ``reviewer`` and ``changed`` count here.
    reviews : mapping of str to CaseReview
        Of the cases about which something was written.
    seen : int
        Number of the last event that was seen before.

    Returns
    -------
    boolean array, shape (n_cases,)
    """
    keep = np.ones(len(cases), bool)
    if filters.status:
        wanted = [case for case, review in reviews.items() if review.status in filters.status]
        is_wanted = cases.index.isin(wanted)
        keep &= is_wanted | ~cases.index.isin(list(reviews)) if _OPEN in filters.status else is_wanted
    if filters.flag:
        keep &= cases.index.isin(
            [case for case, review in reviews.items() if {*filters.flag} & {*review.flags}]
        )
    if filters.reviewer:
        keep &= cases.index.isin(
            [case for case, review in reviews.items() if _wrote(review, filters.reviewer)]
        )
    if filters.changed:
        keep &= cases.index.isin([case for case, review in reviews.items() if _number(review) > seen])
    return keep


def _wrote(review: CaseReview, authors: tuple[str, ...]) -> bool:
    return any(event.author in authors for event in review.history)


def _number(review: CaseReview) -> int:
    return 0 if review.last is None else review.last.number


def review_counts(cases: pd.DataFrame, reviews: Mapping[str, CaseReview]) -> dict[str, int]:
    """How many of the cases have each status, by its words, the open ones among them."""
    listed = set(cases.index)
    said = Counter(STATUSES[review.status] for case, review in reviews.items() if case in listed)
    others = len(listed) - sum(said.values())
    return {words: said[words] + (others if status == _OPEN else 0) for status, words in STATUSES.items()}
