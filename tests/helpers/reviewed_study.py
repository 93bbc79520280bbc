"""A study that was read again: a round, with what its readers said, in a database of the test's own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from core.reviews.event import Event
from core.reviews.in_round import reading_event, round_event
from core.reviews.rounds import Round, rounds_of
from core.reviews.store import ReviewStore
from core.study.model import Study, Task

Said = Callable[[str, str], str]
"""Label that a reader gives a case, by case id and reader; empty for a case that is not read."""


def store_of(database: Path) -> ReviewStore:
    """The history in a file."""
    return ReviewStore(f"sqlite:///{database}")


def first_task(study: Study) -> Task:
    """The task that is open where none is named."""
    return next(iter(study.tasks.values()))


def write(database: Path, *events: Event) -> None:
    """Keep events."""
    store = store_of(database)
    store.append(*events)
    store.close()


def write_round(
    database: Path,
    study: Study,
    name: str,
    cases: Sequence[str],
    said: Said,
    *,
    readers: Sequence[str] = ("Ada", "Ben"),
    blind: bool = False,
    question: str = "",
) -> Round:
    """Make a round of the first task, in which readers have said something."""
    task = first_task(study)
    made = round_event(study, task, "Carla", name, cases, readers=readers, blind=blind, question=question)
    write(database, made)
    of = next(one for one in rounds(database, study).values() if one.id == made.id)
    labels = [(case, reader, said(case, reader)) for case in cases for reader in readers]
    write(
        database,
        *(
            reading_event(study, task, of, case, reader, blocks=[[label]])
            for case, reader, label in labels
            if label
        ),
    )
    return rounds(database, study)[of.name]


def rounds(database: Path, study: Study) -> dict[str, Round]:
    """The rounds of a study."""
    store = store_of(database)
    found = rounds_of(store.events(study_name=study.name))
    store.close()
    return found
