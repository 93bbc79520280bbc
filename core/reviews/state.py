"""What a history of events comes to: the state of a case is a fold over what was written about it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from core.reviews.event import SAYS, STATUSES, Event, Status

_GOES_WITH = frozenset(("round", "reading", "outcome", "status"))
"""Kinds of events that are taken back with the one that they answer."""


@dataclass(frozen=True)
class CaseReview:
    """What is in force for a case in one task.

    Attributes
    ----------
    status : str
        Of `core.reviews.event.STATUSES`.
    flags : mapping of str to Event
        Reasons why the case is flagged, each with the event that last said so.
    notes : tuple of Event
        Those that were not withdrawn, oldest first; one that its author has corrected as it was last said.
    history : tuple of Event
        Everything that was written, oldest first, withdrawn or not.
    withdrawn : frozenset of str
        Ids of events that are not in force: they were taken back, or what they belong to was, and not given
        back since.
    outdated : tuple of Event
        What is in force, but was said when the case had other readings than now.
    """

    status: Status
    flags: Mapping[str, Event]
    notes: tuple[Event, ...]
    history: tuple[Event, ...]
    withdrawn: frozenset[str]
    outdated: tuple[Event, ...]

    @property
    def last(self) -> Event | None:
        """What was written last, if anything was."""
        return self.history[-1] if self.history else None

    def last_said_by(self, author: str) -> Event | None:
        """Note, flag or status that somebody said last and that is in force: what can be undone."""
        said = [
            event
            for event in self.history
            if event.kind in SAYS and event.author == author and event.id not in self.withdrawn
        ]
        return said[-1] if said else None


def review_of(
    events: Iterable[Event],
    *,
    withdrawn: Collection[str] | None = None,
    outdated: Callable[[Event], bool] | None = None,
) -> CaseReview:
    """Fold the events of one case and task.

    Parameters
    ----------
    events : iterable of Event
        In the order of their numbers.
    withdrawn : collection of str, optional
        Ids of events that are not in force, as `withdrawn_of` finds them in the whole history; by default in
        these events alone.
    outdated : callable, optional
        Whether an event was written when the case had other readings than now (`core.reviews.fit`); without
        it that is not known of any.
    """
    history = tuple(events)
    taken = withdrawn_of(history) if withdrawn is None else withdrawn
    in_force = [event for event in history if event.id not in taken]
    statuses = [event for event in in_force if event.kind == "status"]
    flags = {event.said: event for event in in_force if event.kind == "flag"}
    notes = _notes(history, in_force)
    counts = [*statuses[-1:], *flags.values(), *notes]
    return CaseReview(
        status=cast("Status", statuses[-1].said) if statuses else next(iter(STATUSES)),
        flags=flags,
        notes=notes,
        history=history,
        withdrawn=frozenset(event.id for event in history if event.id in taken),
        outdated=tuple(filter(outdated, counts)) if outdated is not None else (),
    )


def _notes(history: Sequence[Event], in_force: Sequence[Event]) -> tuple[Event, ...]:
    """Notes in force; one that its author has corrected stands in its place as it was last said."""
    first: dict[str, str] = {}
    author: dict[str, str] = {}
    for event in history:
        if event.kind == "note":
            before = event.answers or ""
            is_own = author.get(before) == event.author
            first[event.id] = first[before] if is_own else event.id
            author[event.id] = event.author
    return tuple({first[event.id]: event for event in in_force if event.kind == "note"}.values())


def withdrawn_of(history: Sequence[Event]) -> frozenset[str]:
    """Ids of the events that are not in force.

    Parameters
    ----------
    history : sequence of Event
        In the order of their numbers.

    Notes
    -----
    A withdrawal takes back the event that it answers, and may itself be taken back: read from the last event
    to the first, each that is not withdrawn has effect. With a round go its readings, its outcomes and what
    was said anew of it, and with an outcome the status that goes with it; they come back with it too.
    """
    taken: set[str] = set()
    for event in reversed(history):
        if event.kind == "withdrawal" and event.id not in taken and event.answers is not None:
            taken.add(event.answers)
    for event in history:
        if event.kind in _GOES_WITH and event.answers in taken:
            taken.add(event.id)
    return frozenset(taken)


def reviews_of(events: Sequence[Event], task: str) -> dict[str, CaseReview]:
    """Fold what was written in a task, by case: what is settled in one task may be open in another.

    Parameters
    ----------
    events : sequence of Event
        All that was written about the study, in the order of their numbers.
    task : str
        Name of the task; statuses, flags and notes are of the task in which they were said.
    """
    withdrawn = withdrawn_of(events)
    of_case: dict[str, list[Event]] = {}
    for event in events:
        if event.subject.case_id and event.subject.task == task:
            of_case.setdefault(event.subject.case_id, []).append(event)
    return {case_id: review_of(own, withdrawn=withdrawn) for case_id, own in of_case.items()}
