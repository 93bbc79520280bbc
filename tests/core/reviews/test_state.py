"""What a history comes to, and what an event may say."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.reviews.event import (
    LONGEST_NAME,
    MOST_CHARACTERS,
    Event,
    Kind,
    Subject,
    author_name,
    readings_hash,
    subject_of,
)
from core.reviews.state import review_of, reviews_of
from core.study.reading.folder import read_study

SUBJECT = Subject("f" * 16, "A study", "main", "case 1", "0" * 16)


class History:
    """Events in their order, as a store numbers them."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def add(
        self,
        kind: Kind,
        said: str = "",
        answers: Event | None = None,
        *,
        case_id: str = "case 1",
        task: str = "main",
        author: str = "Ada",
    ) -> Event:
        """Write one more."""
        name = {"note": "text", "flag": "reason", "status": "status"}.get(kind)
        event = Event(
            replace(SUBJECT, case_id=case_id, task=task),
            author,
            kind,
            {} if name is None else {name: said},
            answers=answers.id if answers else None,
            number=len(self.events) + 1,
        )
        self.events.append(event)
        return event


def test_nothing_written_is_an_open_case() -> None:
    """Without a flag or a note."""
    review = review_of([])
    assert (review.status, dict(review.flags), review.notes, review.last) == ("open", {}, (), None)


def test_the_last_word_counts_and_all_are_kept() -> None:
    """Status by the last, flags by their reasons, notes each."""
    history = History()
    first = history.add("status", "re-read")
    history.add("flag", "image quality")
    history.add("note", "blurred")
    history.add("flag", "image quality")
    history.add("status", "discussion")
    review = review_of(history.events)
    assert review.status == "discussion"
    assert list(review.flags) == ["image quality"]
    assert [event.said for event in review.notes] == ["blurred"]
    assert review.history == tuple(history.events)
    assert review_of(history.events[: first.number]).status == "re-read"
    assert review_of(history.events[: first.number]).flags == {}


def test_what_is_taken_back_can_be_given_back() -> None:
    """A withdrawal of a withdrawal; the history shows all of it."""
    history = History()
    history.add("status", "re-read")
    settled = history.add("status", "settled")
    back = history.add("withdrawal", answers=settled)
    assert review_of(history.events).status == "re-read"
    history.add("withdrawal", answers=back)
    review = review_of(history.events)
    assert review.status == "settled"
    assert review.withdrawn == {back.id}
    assert len(review.history) == 4


def test_each_case_has_its_own() -> None:
    """In the order of writing."""
    history = History()
    history.add("flag", "label missing")
    history.add("status", "settled", case_id="case 2")
    reviews = reviews_of(history.events, "main")
    assert {case_id: review.status for case_id, review in reviews.items()} == {
        "case 1": "open",
        "case 2": "settled",
    }


def test_each_task_has_a_state_of_its_own() -> None:
    """What is settled in one is still to be read again in the other; flags and notes are of a task too."""
    history = History()
    history.add("status", "re-read")
    history.add("flag", "blurred", task="other")
    history.add("status", "settled", task="other")
    history.add("note", "of main")
    main, other = (reviews_of(history.events, task)["case 1"] for task in ("main", "other"))
    assert (main.status, list(main.flags), len(main.notes)) == ("re-read", [], 1)
    assert (other.status, list(other.flags), other.notes) == ("settled", ["blurred"], ())


def test_a_note_that_its_author_corrects_is_there_once() -> None:
    """In its place, as it was last said; the earlier one is back when the correction is taken back."""
    history = History()
    first = history.add("note", "blured")
    history.add("note", "another")
    second = history.add("note", "blurred", answers=first)
    last = history.add("note", "very blurred", answers=second)
    assert [note.said for note in review_of(history.events).notes] == ["very blurred", "another"]
    history.add("withdrawal", answers=last)
    assert [note.said for note in review_of(history.events).notes] == ["blurred", "another"]
    history.add("note", "not at all", answers=first, author="Ben")
    said = [note.said for note in review_of(history.events).notes]
    assert said == ["blurred", "another", "not at all"], "nobody corrects another’s note"


def test_what_goes_with_something_is_taken_back_and_given_back_with_it() -> None:
    """With an outcome the status that goes with it, and nothing else."""
    history = History()
    history.add("status", "re-read")
    outcome = history.add("note", "stands for an outcome")
    settled = history.add("status", "settled", answers=outcome)
    back = history.add("withdrawal", answers=outcome)
    review = review_of(history.events)
    assert (review.status, review.withdrawn) == ("re-read", {outcome.id, settled.id})
    history.add("withdrawal", answers=back)
    assert review_of(history.events).status == "settled"


def test_what_was_said_last_is_that_of_the_same_person() -> None:
    """Of notes, flags and statuses that are in force."""
    history = History()
    note = history.add("note", "one")
    flag = history.add("flag", "blurred", author="Ben")
    assert review_of(history.events).last_said_by("Ada") == note
    assert review_of(history.events).last_said_by("Ben") == flag
    history.add("withdrawal", answers=note)
    assert review_of(history.events).last_said_by("Ada") is None


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"author": " \t\n"}, "expected a name"),
        ({"author": "x" * (LONGEST_NAME + 1)}, "expected a name"),
        ({"kind": "guess"}, "expected an event of the kinds"),
        ({"content": {}}, "expected a text"),
        ({"content": {"text": "  "}}, "expected a text"),
        ({"content": {"text": 3}}, "expected a text"),
        ({"content": {"text": "x" * (MOST_CHARACTERS + 1)}}, "at most 100,000 characters, got 100,001"),
        ({"kind": "status", "content": {"status": "done"}}, "expected one of the statuses open, re-read"),
        ({"kind": "flag", "content": {"reason": "x" * (LONGEST_NAME + 1)}}, "at most 200 characters"),
        ({"kind": "withdrawal", "content": {}}, "expected the event that is withdrawn"),
    ],
)
def test_what_cannot_be_said_is_refused(changes: dict[str, Any], words: str) -> None:
    """Before anything is written."""
    usual = {"subject": SUBJECT, "author": "Ada", "kind": "note", "content": {"text": "a"}}
    with pytest.raises(ValueError, match=words):
        Event(**(usual | changes))


def test_a_name_is_one_line() -> None:
    """Spaces of any kind are one; letters of any script stay."""
    assert author_name("  Ada\n Lovelace\u2028 עדה ") == "Ada Lovelace עדה"


ROWS = ["a,r1,x,1,0.5", "a,r1,y,2,0.5", "a,r2,y,1,1", "b,r1,x,1,", "b,r2,x,1,"]


def _hashes(folder: Path, rows: list[str]) -> list[str]:
    folder.mkdir(exist_ok=True)
    head = "case_id,rater_id,label,rank,confidence"
    (folder / "annotations.csv").write_text("\n".join([head, *rows]) + "\n")
    (folder / "study.toml").write_text('name = "s"\n[tasks.main]\nkind = "ranking"\n')
    study = read_study(folder)
    return [readings_hash(study, study.tasks["main"], study.case_ids.index(case)) for case in ("a", "b")]


def test_the_hash_is_of_the_readings_of_the_case(tmp_path: Path) -> None:
    """Not of the order of rows, nor of other cases; any change of a reading is seen."""
    usual = _hashes(tmp_path, ROWS)
    assert _hashes(tmp_path, ROWS[::-1]) == usual
    assert _hashes(tmp_path, [*ROWS, "c,r3,z,1,"]) == usual
    for changed in (
        [ROWS[0], *ROWS[2:]],
        [row.replace("a,r2,y", "a,r2,x") for row in ROWS],
        [row.replace("a,r2,", "a,r3,") for row in ROWS],
        [row.replace("a,r2,y,1,1", "a,r2,y,1,0.9") for row in ROWS],
        [*ROWS, "a,r2,x,1,1"],
        [*ROWS, "a,r3,x,1,1"],
    ):
        a, b = _hashes(tmp_path, changed)
        assert a != usual[0], changed
        assert b == usual[1], changed


def test_a_subject_is_a_case_of_the_study(tmp_path: Path) -> None:
    """Another name is refused."""
    usual = _hashes(tmp_path, ROWS)
    study = read_study(tmp_path)
    task = study.tasks["main"]
    assert subject_of(study, task, "a") == Subject(study.fingerprint, "s", "main", "a", usual[0])
    with pytest.raises(ValueError, match="expected a case of the study, got “z”"):
        subject_of(study, task, "z")
