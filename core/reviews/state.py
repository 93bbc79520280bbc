"""What a history of events comes to: the state of a case is a fold over what was written about it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from core.reviews.event import STATUSES, Event, Status


@dataclass(frozen=True)
class CaseReview:
    """What is in force for a case.

    Attributes
    ----------
    status : str
        Of `core.reviews.event.STATUSES`.
    flags : mapping of str to Event
        Reasons why the case is flagged, each with the event that last said so.
    notes : tuple of Event
        Those that were not withdrawn, oldest first.
    history : tuple of Event
        Everything that was written, oldest first, withdrawn or not.
    withdrawn : frozenset of str
        Ids of events that were taken back, and not given back since.
    """

    status: Status
    flags: Mapping[str, Event]
    notes: tuple[Event, ...]
    history: tuple[Event, ...]
    withdrawn: frozenset[str]

    @property
    def last(self) -> Event | None:
        """What was written last, if anything was."""
        return self.history[-1] if self.history else None

    def fits(self, readings: str) -> bool:
        """Whether all of it was written when the case had these readings."""
        return all(event.subject.readings == readings for event in self.history)


def review_of(events: Iterable[Event], *, until: int | None = None) -> CaseReview:
    """Fold the events of one case.

    Parameters
    ----------
    events : iterable of Event
        In the order of their numbers.
    until : int, optional
        Number of the last event that counts: the state as it was then.

    Notes
    -----
    A withdrawal takes back the event that it answers, and may itself be taken back: read from the last event
    to the first, each that is not withdrawn has effect.
    """
    history = tuple(event for event in events if until is None or event.number <= until)
    withdrawn = withdrawn_of(history)
    in_force = [event for event in history if event.id not in withdrawn]
    said = [event.said for event in in_force if event.kind == "status"]
    flags = {event.said: event for event in in_force if event.kind == "flag"}
    return CaseReview(
        status=cast("Status", said[-1]) if said else next(iter(STATUSES)),
        flags=flags,
        notes=tuple(event for event in in_force if event.kind == "note"),
        history=history,
        withdrawn=withdrawn,
    )


def withdrawn_of(history: Sequence[Event]) -> frozenset[str]:
    """Ids of the events that were taken back and not given back since; ``history`` as they were written."""
    withdrawn: set[str] = set()
    for event in reversed(history):
        if event.kind == "withdrawal" and event.id not in withdrawn and event.answers is not None:
            withdrawn.add(event.answers)
    return frozenset(withdrawn)


def reviews_of(events: Iterable[Event]) -> dict[str, CaseReview]:
    """Fold the events of a study, by case; what is of the study as a whole, as a round, is none's."""
    of_case: dict[str, list[Event]] = {}
    for event in events:
        if not event.subject.case_id:
            continue
        of_case.setdefault(event.subject.case_id, []).append(event)
    return {case_id: review_of(own) for case_id, own in of_case.items()}
