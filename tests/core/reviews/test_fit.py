"""What was written counts for the study that it is about, and says so where the readings have changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from small_study import small_study

from core.reviews.applied import with_rounds
from core.reviews.event import Event, subject_of
from core.reviews.fit import adoptions, fit_of
from core.reviews.in_round import outcome_event, reading_event, round_event, status_after
from core.reviews.journal import Journal, followed
from core.reviews.store import ReviewStore
from core.reviews.table import history_table
from core.study.fingerprint import fingerprint_of
from core.study.model import Study

READINGS = [["a", "b"], ["b", "b"], ["a", "a"]]
ANOTHER = [["b", "b"], ["a", "b"], ["b", "a"]]


def study(readings: Sequence[Sequence[str]] = READINGS) -> Study:
    """A study called as another may be."""
    made, _ = small_study("choice", "abc", readings)
    made = replace(made, name="study")
    return replace(made, fingerprint=fingerprint_of(made))


def say(of: Study, case: int, kind: str, author: str = "Ada", **content: str) -> Event:
    """Something said of a case as it is."""
    (task,) = of.tasks.values()
    return Event(subject_of(of, task, f"case {case}"), author, kind, content)  # type: ignore[arg-type]


def task_of(of: Study) -> str:
    """Its only task."""
    return next(iter(of.tasks))


@pytest.fixture
def store(tmp_path: Path) -> ReviewStore:
    """An empty history."""
    return ReviewStore(str(tmp_path / "reviews.sqlite"))


def test_an_unrelated_study_of_the_same_name_inherits_nothing(store: ReviewStore) -> None:
    """Neither states nor rounds; how much is set apart is known, and a round keeps its name for itself."""
    mine, theirs = study(), study(ANOTHER)
    task = mine.tasks[task_of(mine)]
    made = round_event(theirs, theirs.tasks[task.name], "Eve", "one", theirs.case_ids)
    store.append(say(theirs, 0, "status", status="settled"), made)
    journal = followed(store, mine)
    assert journal.reviews(task.name) == {}
    assert dict(journal.rounds()) == {}
    assert dict(journal.apart) == {theirs.fingerprint: 2}
    store.append(say(mine, 0, "flag", reason="blurred"), round_event(mine, task, "Ada", "one", mine.case_ids))
    journal.follow()
    assert (journal.review(task.name, "case 0").status, [*journal.rounds()]) == ("open", ["one (2)"])
    of_theirs = followed(store, theirs)
    assert of_theirs.review(task.name, "case 0").status == "settled"
    assert [*of_theirs.rounds()] == ["one"]
    with pytest.raises(ValueError, match="got “one”"):
        with_rounds(mine, store.events(), readings=["one"])
    assert history_table(store.events(), mine)["of_this_study"].tolist() == [False, False, True, True]


def test_a_study_whose_files_changed_says_what_still_fits(store: ReviewStore) -> None:
    """All is in force as long as one case is as it was; what was said of other readings is told apart."""
    before = study()
    store.append(*(say(before, case, "status", status="re-read") for case in range(3)))
    store.append(say(before, 1, "note", text="clear"))
    now = study([READINGS[0], ["b", "c"], READINGS[2]])
    journal = followed(store, now)
    reviews = journal.reviews(task_of(now))
    assert {case: review.status for case, review in reviews.items()} == dict.fromkeys(now.case_ids, "re-read")
    assert [[event.kind for event in review.outdated] for review in reviews.values()] == [
        [],
        ["status", "note"],
        [],
    ]
    store.append(say(now, 1, "status", status="settled"))
    journal.follow()
    (outdated,) = journal.review(task_of(now), "case 1").outdated
    assert outdated.kind == "note", "the status was said anew"
    assert dict(journal.apart) == {}


def test_what_is_set_apart_can_be_taken_over(store: ReviewStore) -> None:
    """Where the files changed in every case; by somebody who says so, and may take it back."""
    before, now = study(), study([[*one, "c"] for one in READINGS])
    store.append(say(before, 0, "status", status="settled"))
    journal, task = followed(store, now), task_of(now)
    assert journal.review(task, "case 0").status == "open"
    (adopted,) = store.append(*adoptions(now, "Ada", journal.apart))
    journal.follow()
    assert journal.review(task, "case 0").status == "settled"
    assert [event.kind for event in journal.review(task, "case 0").outdated] == ["status"]
    assert dict(journal.apart) == {}
    # What an unrelated study adopts is none of ours, and ours none of its.
    other = study(ANOTHER)
    assert followed(store, other).review(task, "case 0").status == "open"
    store.append(Event(adopted.subject, "Ada", "withdrawal", {}, answers=adopted.id))
    journal.follow()
    assert journal.review(task, "case 0").status == "open"


def test_a_journal_that_follows_knows_what_one_knows_that_reads_it_all(store: ReviewStore) -> None:
    """Also when what was set apart turns out to be of this study, and when something is taken back."""
    before, now = study(), study([READINGS[0], ["c", "c"], ["c"]])
    task = task_of(now)
    events = [
        say(before, 1, "status", status="settled"),
        say(study(ANOTHER), 0, "status", status="settled"),
        say(now, 2, "flag", reason="odd"),
        say(before, 0, "note", text="fits still"),
        say(before, 1, "flag", reason="odd"),
    ]
    events.append(Event(events[0].subject, "Ada", "withdrawal", {}, answers=events[0].id))
    journal = Journal(store, now)
    for n, event in enumerate(events, start=1):
        store.append(event)
        journal.follow()
        whole = followed(store, now)
        assert journal.reviews(task) == whole.reviews(task)
        assert (
            journal.apart
            == whole.apart
            == {
                one: 1 if one != before.fingerprint else sum(e.subject.study == one for e in events[:n])
                for one in fit_of(now, events[:n]).apart
            }
        )
    assert journal.review(task, "case 1").status == "open"


def test_with_a_round_go_its_outcomes_and_the_statuses_that_went_with_them(store: ReviewStore) -> None:
    """In the state of the cases and in the log; they are back when the round is given back."""
    of = study()
    task = of.tasks[task_of(of)]
    (made,) = store.append(round_event(of, task, "Ada", "one", of.case_ids))
    journal = followed(store, of)
    one = journal.rounds()["one"]
    reading = reading_event(of, task, one, "case 0", "Ben", blocks=[["a"]])
    outcome = outcome_event(of, task, one, "case 0", "Ada", blocks=[["a"]])
    (status,) = status_after(outcome, journal.review(task.name, "case 0"))
    store.append(reading, outcome, status)
    journal.follow()
    assert journal.review(task.name, "case 0").status == "settled"
    (back,) = store.append(Event(made.subject, "Ada", "withdrawal", {}, answers=made.id))
    journal.follow()
    review = journal.review(task.name, "case 0")
    assert (review.status, review.withdrawn) == ("open", {reading.id, outcome.id, status.id})
    assert history_table(store.events(), of)["withdrawn"].tolist() == [True] * 4 + [False]
    store.append(Event(made.subject, "Ada", "withdrawal", {}, answers=back.id))
    journal.follow()
    assert journal.review(task.name, "case 0").status == "settled"
    assert not history_table(store.events(), of)["withdrawn"].iloc[:4].any()
