"""One thing that somebody wrote about a case, and what it may say."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import blake2b
from typing import Any, Literal, get_args
from uuid import uuid4

from core.reviews.content import CHECKS, LONGEST_NAME, MOST_CHARACTERS, in_words
from core.study.model import Study, Task

Kind = Literal["note", "flag", "status", "withdrawal", "round", "reading", "outcome", "adoption"]
Status = Literal["open", "re-read", "discussion", "awaited", "settled"]
STATUSES: dict[Status, str] = {
    "open": "open",
    "re-read": "to re-read",
    "discussion": "in discussion",
    "awaited": "pending",
    "settled": "settled",
}
"""What a case may be, and how it is said; the first is what a case is until somebody says otherwise."""
SAYS: dict[str, str] = {"note": "text", "flag": "reason", "status": "status"}
"""What is said of a case, by kind of event, and under which name its content has it."""


class StoreError(ValueError):
    """The history cannot be read or written; its words say why, and what to do."""


@dataclass(frozen=True)
class Subject:
    """The case that something is written about; of a round, the study with no case at all.

    A round is one event of its study, with an empty case id, and lists its cases in what it says: so it is
    there whole or not at all, its cases keep their order, and no case's own history is lengthened by it.

    Attributes
    ----------
    study : str
        Fingerprint of the study as it was.
    study_name : str
    task : str
    case_id : str
    readings : str
        Hash of the case's readings as they were (`readings_hash`): whether what was written still fits. Of a
        round empty: its cases come each with their own.
    """

    study: str
    study_name: str
    task: str
    case_id: str
    readings: str


@dataclass(frozen=True)
class Event:
    """Something that was written, as it is kept; nothing of it ever changes.

    Attributes
    ----------
    subject : Subject
    author : str
    kind : {"note", "flag", "status", "withdrawal", "round", "reading", "outcome", "adoption"}
    content : mapping of str to JSON value
        What is said: ``text`` of a note, ``reason`` of a flag, ``status``; of a round, a reading in a round,
        the outcome of one and an adoption as `core.reviews.content` has them.
    answers : str or None
        The event that this one is about: a withdrawal takes that one back, a note takes the place of its
        author's earlier one, a round that of what was said of it before; readings and outcomes answer the
        first event of their round, a status the outcome that it goes with.
    id : str
        32 hexadecimal characters; writing the same event twice keeps one.
    time : str
        When it was written, in UTC, ISO 8601 with microseconds.
    number : int
        Place in the history of the store, from 1; 0 before it is kept.
    """

    subject: Subject
    author: str
    kind: Kind
    content: Mapping[str, Any]
    answers: str | None = None
    id: str = field(default_factory=lambda: uuid4().hex)
    time: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="microseconds"))
    number: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "author", author_name(self.author))
        if self.kind not in get_args(Kind):
            raise ValueError(f"expected an event of the kinds {', '.join(get_args(Kind))}, got {self.kind!r}")
        if self.kind == "withdrawal" and self.answers is None:
            raise ValueError("expected the event that is withdrawn, got none")
        if self.kind in CHECKS:
            CHECKS[self.kind](self.content)
            self._check_place()
        says = SAYS.get(self.kind)
        if says is None:
            return
        said = self.content.get(says)
        if not isinstance(said, str) or not said.strip():
            raise ValueError(f"expected a {says}, got {said!r}")
        if self.kind == "status" and said not in STATUSES:
            raise ValueError(f"expected one of the statuses {', '.join(STATUSES)}, got {said!r}")
        most = MOST_CHARACTERS if self.kind == "note" else LONGEST_NAME
        if len(said) > most:
            raise ValueError(f"expected a {says} of at most {most:,} characters, got {len(said):,}")

    def _check_place(self) -> None:
        """Refuse a round or an adoption of one case, and what is of a round but names none, or no case."""
        if self.kind in ("round", "adoption"):
            if self.subject.case_id:
                words = "a round" if self.kind == "round" else "an adoption"
                raise ValueError(f"expected {words} of the study, got one of case “{self.subject.case_id}”")
        elif self.answers is None:
            raise ValueError(f"expected the round that the {self.kind} belongs to, got none")
        elif not self.subject.case_id:
            raise ValueError(f"expected the case of the {self.kind}, got none")

    @property
    def said(self) -> str:
        """What it says in its own words; empty for a withdrawal."""
        if self.kind in CHECKS:
            return in_words(self.kind, self.content)
        says = SAYS.get(self.kind)
        return "" if says is None else str(self.content[says])

    def content_text(self) -> str:
        """Return the content as it is kept: JSON in plain ASCII, which every database holds."""
        return json.dumps(dict(self.content), sort_keys=True)


def author_name(given: str) -> str:
    """Return a person's name on one line, without what cannot be seen.

    Raises
    ------
    ValueError
        If nothing is left of it, or it is too long.
    """
    seen = "".join(" " if unicodedata.category(one) in ("Cc", "Zl", "Zp") else one for one in given)
    name = " ".join(seen.encode("utf-8", "replace").decode().split())
    if not name or len(name) > LONGEST_NAME:
        raise ValueError(f"expected a name of 1 to {LONGEST_NAME} characters, got {len(name)}")
    return name


def status_words(status: str) -> str:
    """How a status is said."""
    return {str(name): words for name, words in STATUSES.items()}[status]


def local_time(event: Event) -> str:
    """When it was written, by the clock of this computer, to the minute: it sorts as it reads."""
    return datetime.fromisoformat(event.time).astimezone().strftime("%Y-%m-%d %H:%M")


def subject_of(study: Study, task: Task, case_id: str) -> Subject:
    """Name a case as it is now.

    Raises
    ------
    ValueError
        If the study has no such case.
    """
    try:
        index = study.case_ids.index(case_id)
    except ValueError:
        raise ValueError(f"expected a case of the study, got “{case_id}”") from None
    return Subject(study.fingerprint, study.name, task.name, case_id, readings_hash(study, task, index))


def readings_hash(study: Study, task: Task, index: int) -> str:
    """Hash of what was read in a case: it stays while no reading of the case changes.

    Parameters
    ----------
    study : Study
    task : Task
    index : int
        Position of the case.

    Returns
    -------
    str
        16 hexadecimal characters. Neither the order of the rows nor other cases make a difference.
    """
    readings = task.readings
    rows = []
    for reading in range(readings.case_start[index], readings.case_start[index + 1]):
        entries = range(readings.entry_start[reading], readings.entry_start[reading + 1])
        named = sorted((int(readings.block[entry]), task.labels[readings.label[entry]]) for entry in entries)
        rater = study.rater_ids[readings.rater[reading]]
        numbers = [float(readings.confidence[reading]), float(readings.score[reading])]
        rows.append([rater, int(readings.repeat[reading]), named, list(map(repr, numbers))])
    text = json.dumps(sorted(rows, key=repr))
    return blake2b(text.encode(), digest_size=8).hexdigest()
