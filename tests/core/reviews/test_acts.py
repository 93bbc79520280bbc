"""A history reads as what somebody did."""

from __future__ import annotations

from core.reviews.acts import Act, acts_of
from core.reviews.event import Event, Subject
from core.reviews.flags import UNSPECIFIC

CASE = Subject("of", "study", "task", "case", "readings")


def flag(reason: str, who: str = "Ada") -> Event:
    """A flag of the case."""
    return Event(CASE, who, "flag", {"reason": reason})


def back(event: Event, who: str = "Ada") -> Event:
    """Takes it back."""
    return Event(CASE, who, "withdrawal", {}, answers=event.id)


def test_a_flag_and_the_reason_that_follows_it_are_one_act() -> None:
    """However many reasons come after it, nothing is lost of them."""
    first, why, more = flag(UNSPECIFIC), flag("odd"), flag("rare")
    assert acts_of([first, why, back(first)]) == [Act(why)]
    assert acts_of([first, why, back(first), more]) == [Act(why), Act(more)]
    assert acts_of([first, why]) == [Act(first), Act(why)]


def test_another_reason_says_which_it_replaced() -> None:
    """In whichever order they were pressed; the earlier flag stands in its place."""
    first, second = flag("odd"), flag("rare")
    for events in ([first, back(first), second], [first, second, back(first)]):
        assert acts_of(events) == [Act(first), Act(second, "odd")]


def test_a_flag_of_long_ago_keeps_its_entry() -> None:
    """Something else was said before it had a reason."""
    first, why = flag(UNSPECIFIC), flag("odd")
    note = Event(CASE, "Ada", "note", {"text": "Look"})
    assert acts_of([first, note, why, back(first)]) == [Act(first), Act(note), Act(why)]


def test_what_is_taken_back_otherwise_is_told() -> None:
    """By somebody else, alone, with the same reason given anew, or undone: the flag has none then."""
    first, mine, again, bare = flag("odd"), flag("rare", "Ben"), flag("odd"), flag(UNSPECIFIC)
    for events in (
        [first, back(first)],
        [first, back(first, "Ben"), mine],
        [first, back(first), again],
        [first, back(first), bare],
    ):
        assert [act.event for act in acts_of(events)] == events
        assert not any(act.replaced for act in acts_of(events))
