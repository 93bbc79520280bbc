"""What was written of a case, one entry for each thing that somebody did: a flag's new reason is one."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from core.reviews.event import Event
from core.reviews.flags import UNSPECIFIC


class Act(NamedTuple):
    """Something that somebody did.

    Attributes
    ----------
    event : Event
        What was written; of several events of one act the one that says most.
    replaced : str
        The reason of a flag in whose place its own came; empty where there was none.
    """

    event: Event
    replaced: str = ""


def acts_of(history: Sequence[Event]) -> list[Act]:
    """Join the events of a case that are one act.

    Who gives a flag another reason writes two events, one of which takes the earlier reason back. They are
    one act where nothing came between; with them goes a flag without a reason that stands right before.

    Parameters
    ----------
    history : sequence of Event
        Of one case, in the order of their numbers; none is lost from there.
    """
    written = {event.id: event for event in history}
    joined: dict[str, Event] = {}
    hidden: set[str] = set()
    for place, event in enumerate(history):
        before = written.get(event.answers or "")
        if event.kind != "withdrawal" or before is None or before.kind != "flag":
            continue
        beside = [*history[max(place - 1, 0) : place], *history[place + 1 : place + 2]]
        new = next((one for one in beside if _takes_its_place(one, before, event)), None)
        if new is None or new.id in joined:
            continue
        joined[new.id] = before
        hidden.add(event.id)
        if before.said == UNSPECIFIC and _comes_right_behind(history, new, before, hidden):
            hidden.add(before.id)
    return [_act(event, joined) for event in history if event.id not in hidden]


def _takes_its_place(new: Event, before: Event, withdrawal: Event) -> bool:
    """Whether a flag is another reason than the one that was taken back, by the same person."""
    is_own = new.author == withdrawal.author == before.author
    return is_own and new.kind == "flag" and new.said not in (before.said, UNSPECIFIC)


def _comes_right_behind(history: Sequence[Event], new: Event, before: Event, hidden: Collection[str]) -> bool:
    """Whether an event is the next one behind another, but for those that are not shown."""
    shown = [event.id for event in history if event.id not in hidden]
    return shown.index(new.id) == shown.index(before.id) + 1


def _act(event: Event, joined: Mapping[str, Event]) -> Act:
    """An event, with the reason that it replaced."""
    before = joined.get(event.id)
    return Act(event, "" if before is None or before.said == UNSPECIFIC else before.said)
