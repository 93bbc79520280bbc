"""Rounds of reading again: a fold of the events into who read what, what is left, and what was settled."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from core.reviews.event import Event
from core.reviews.state import withdrawn_of
from core.study.reading.checks import clean_text, suggestion


@dataclass(frozen=True)
class Progress:
    """How far a reader is.

    Attributes
    ----------
    read : int
        Cases of the round that the reader has read.
    left : tuple of str
        Cases still to be read, in the order of the round.
    """

    read: int
    left: tuple[str, ...]


@dataclass(frozen=True)
class Round:
    """A round, with what is in force of it.

    Attributes
    ----------
    id : str
        Of its first event: what readings and outcomes answer.
    event : Event
        That says what the round is, as it was last said.
    name : str
        No other round of the study has it or ever had it: the second of the same name is called “NAME (2)”,
        whatever becomes of the first, so that a link that names a round never comes to name another.
    readings : mapping of str to mapping of str to Event
        By case and reader: the last reading by each reader that was not withdrawn. Cases in the order of the
        round, those that nobody read left out; readers in the order of their first reading of the case.
    outcomes : mapping of str to Event
        By case: the last outcome that was not withdrawn.
    """

    id: str
    event: Event
    name: str
    readings: Mapping[str, Mapping[str, Event]]
    outcomes: Mapping[str, Event]

    @property
    def task(self) -> str:
        """Name of the task that is read."""
        return self.event.subject.task

    @cached_property
    def hashes(self) -> dict[str, str]:
        """Hash of each case's readings as the round was made, in the order of the round."""
        return dict(self.event.content["cases"])

    @cached_property
    def cases(self) -> tuple[str, ...]:
        """Case ids in their order."""
        return tuple(self.hashes)

    @property
    def readers(self) -> tuple[str, ...]:
        """Who is to read it; empty for anyone."""
        return tuple(map(reader_name, self.event.content["readers"]))

    @property
    def blind(self) -> bool:
        """Whether a reader sees neither earlier readings nor models nor certainty."""
        return bool(self.event.content["blind"])

    @property
    def question(self) -> str:
        """What the readers are asked; may be empty."""
        return str(self.event.content["question"])

    @property
    def shown(self) -> tuple[str, ...] | None:
        """Columns of metadata that a reader sees; None for all."""
        shown = self.event.content.get("shown")
        return None if shown is None else tuple(map(str, shown))

    @property
    def n_readings(self) -> int:
        """Number of readings in force."""
        return sum(map(len, self.readings.values()))

    def may_read(self, author: str) -> bool:
        """Whether somebody is among the readers."""
        return not self.readers or reader_name(author) in self.readers

    def is_blind_to(self, author: str, case_id: str) -> bool:
        """Whether somebody has yet to read a case blind, and must not see what is known of it."""
        waits = self.blind and case_id in self.hashes and self.may_read(author)
        return waits and reader_name(author) not in self.readings.get(case_id, {})

    def is_blind_for(self, author: str) -> bool:
        """Whether somebody has yet to read any case blind, and must not see what others said of them."""
        return self.blind and any(self.is_blind_to(author, case_id) for case_id in self.cases)

    def stands_for(self, author: str) -> bool:
        """Whether somebody has read all of it blind, and been shown what others said: the readings stand."""
        return self.blind and not self.is_blind_for(author)

    @property
    def is_finished(self) -> bool:
        """Whether all who are to read have read every case; where anyone may, all who have begun."""
        progress = self.progress()
        return bool(self.readings) and not any(progress[one].left for one in self.readers or progress)

    @property
    def blind_readers(self) -> tuple[str, ...]:
        """Those who have read, or are to read, and have still to read some of it blind."""
        return tuple(one for one in self.progress() if self.is_blind_for(one))

    def progress(self) -> dict[str, Progress]:
        """How far each reader is: those who are to read in their order, then others who did."""
        cases = self.cases
        others = {reader: None for of_case in self.readings.values() for reader in of_case}
        return {
            reader: Progress(len(cases) - len(left), left)
            for reader in dict.fromkeys((*self.readers, *others))
            for left in [tuple(case for case in cases if reader not in self.readings.get(case, {}))]
        }


def reader_name(author: str) -> str:
    """Name of a reader as a study has those of its raters: one person is one rater, however typed."""
    return clean_text(author)


def rounds_of(events: Iterable[Event], *, apart: Collection[str] = ()) -> dict[str, Round]:
    """Fold the events of a study into its rounds, by name, in the order in which they were made.

    Parameters
    ----------
    events : iterable of Event
        In the order of their numbers.
    apart : collection of str
        Fingerprints of other studies of the same name (`core.reviews.fit`), whose rounds are left out.

    Notes
    -----
    A withdrawal takes back the event that it answers: of a round's first event the round with all that is in
    it, of a later one that correction. A reader's later reading of a case takes the place of the earlier one,
    and if it is withdrawn, the earlier one counts again. Readings of cases that a correction took out of the
    round do not count.
    """
    history = tuple(events)
    withdrawn = withdrawn_of(history)
    first_of, names = _firsts_and_names(history)
    said: dict[str, Event] = {}
    within: dict[str, list[Event]] = {}
    for event in history:
        if event.id in withdrawn:
            continue
        if event.kind == "round":
            said[first_of[event.id]] = event
        elif event.kind in ("reading", "outcome"):
            within.setdefault(first_of.get(event.answers or "", ""), []).append(event)
    return {
        names[event.id]: Round(first, event, names[event.id], *_in_force(event, within.get(first, [])))
        for first, event in said.items()
        if first not in withdrawn and event.subject.study not in apart
    }


def rounds_taken_back(events: Iterable[Event], *, apart: Collection[str] = ()) -> dict[str, Event]:
    """Find the rounds that were taken back and not given back since.

    Parameters
    ----------
    events : iterable of Event
        In the order of their numbers.
    apart : collection of str
        As of `rounds_of`.

    Returns
    -------
    dict of str to Event
        By name: the withdrawal that is to be withdrawn for the round to be back.
    """
    history = tuple(events)
    withdrawn = withdrawn_of(history)
    _, names = _firsts_and_names(history)
    made = {event.id for event in history if event.kind == "round" and event.answers is None}
    return {
        names[event.answers]: event
        for event in history
        if event.kind == "withdrawal"
        and event.answers in made
        and event.id not in withdrawn
        and event.subject.study not in apart
    }


def find_round(rounds: Mapping[str, Round], name: str) -> Round:
    """Find a round by its name.

    Raises
    ------
    ValueError
        Naming the nearest, or those that there are.
    """
    if name in rounds:
        return rounds[name]
    if not rounds:
        raise ValueError(f"expected a round of the study, got “{name}”; there is none yet")
    known = suggestion(name, rounds).strip() or f"There are {', '.join(list(rounds)[:10])}."
    raise ValueError(f"expected a round of the study, got “{name}”. {known}")


def _firsts_and_names(history: Iterable[Event]) -> tuple[dict[str, str], dict[str, str]]:
    """First event of the round that each one says something of, and the round's name from then on, by ids.

    A name belongs to the round that had it first, for ever: whatever was taken back or renamed since, and
    whichever study of the name the round is of.
    """
    first_of: dict[str, str] = {}
    names: dict[str, str] = {}
    holder: dict[str, str] = {}
    for event in history:
        if event.kind != "round":
            continue
        first = first_of[event.id] = first_of.get(event.answers or "", event.id)
        name = said = str(event.content["name"])
        count = 1
        while holder.setdefault(name, first) != first:
            count += 1
            name = f"{said} ({count})"
        names[event.id] = name
    return first_of, names


def _in_force(event: Event, within: Sequence[Event]) -> tuple[dict[str, dict[str, Event]], dict[str, Event]]:
    """Readings by case and reader, and outcomes by case, of the cases of a round."""
    readings: dict[str, dict[str, Event]] = {case_id: {} for case_id, _ in event.content["cases"]}
    outcomes: dict[str, Event] = {}
    for one in within:
        case_id = one.subject.case_id
        if case_id not in readings:
            continue
        if one.kind == "outcome":
            outcomes[case_id] = one
        else:
            readings[case_id][reader_name(one.author)] = one
    return {case_id: of_case for case_id, of_case in readings.items() if of_case}, outcomes
