"""The journal of a study follows what is written, and reads nothing twice."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from threading import Thread

import pytest
from small_study import small_study

from core.reviews.event import Event, Subject
from core.reviews.flags import OF_IMAGES, UNSPECIFIC, USUAL_FLAGS, flags_of
from core.reviews.journal import Journal
from core.reviews.rounds import rounds_of
from core.reviews.state import review_of
from core.reviews.store import ReviewStore
from core.study.reading.folder import read_study

STUDY = replace(small_study("choice", "ab", [["a"]])[0], name="A study")


def _event(case_id: str, kind: str, study: str = "A study", author: str = "Ada", **content: str) -> Event:
    return Event(Subject("f" * 16, study, "main", case_id, "0" * 16), author, kind, content)  # type: ignore[arg-type]


@pytest.fixture
def store(tmp_path: Path) -> ReviewStore:
    """An empty history."""
    return ReviewStore(str(tmp_path / "reviews.sqlite"))


def test_what_others_write_is_followed(store: ReviewStore) -> None:
    """Of this study alone; a case without a word is open."""
    journal = Journal(store, STUDY)
    assert (journal.follow(), dict(journal.reviews("main"))) == (0, {})
    store.append(_event("1", "flag", reason="blurred"), _event("1", "flag", study="Another", reason="x"))
    assert journal.review("main", "1").flags == {}
    last = journal.follow()
    assert list(journal.review("main", "1").flags) == ["blurred"]
    assert journal.review("main", "2").status == "open"
    (note,) = store.append(_event("2", "note", author="Ben", text="look"))
    assert journal.follow() == note.number > last
    assert [event.author for event in journal.review("main", "2").history] == ["Ben"]
    assert list(journal.reviews("main")) == ["1", "2"]


def test_what_was_handed_out_stays_as_it_was(store: ReviewStore) -> None:
    """A page that is being drawn shows one state."""
    journal = Journal(store, STUDY)
    store.append(_event("1", "note", text="one"))
    journal.follow()
    shown = journal.reviews("main")
    store.append(_event("1", "note", text="two"))
    journal.follow()
    assert len(shown["1"].notes) == 1
    assert len(journal.reviews("main")["1"].notes) == 2


def test_rounds_are_those_of_the_whole_history(store: ReviewStore) -> None:
    """Whatever else is written between: what is taken back, and given back, counts as it does there."""
    subject = Subject("0" * 64, "study", "main", "c1", "1" * 64)
    study = replace(subject, case_id="", readings="")
    content = {"name": "one", "cases": [["c1", "1" * 64]], "readers": [], "blind": True, "question": ""}
    made = Event(study, "Ada", "round", content)
    flag = Event(subject, "Ada", "flag", {"reason": "blurred"})
    said = {"blocks": [["a"]], "score": None, "confidence": None}
    read = Event(subject, "Ada", "reading", said, answers=made.id)
    no_flag = Event(subject, "Ada", "withdrawal", {}, answers=flag.id)
    undone = Event(study, "Ada", "withdrawal", {}, answers=made.id)
    back = Event(study, "Ada", "withdrawal", {}, answers=undone.id)
    journal = Journal(store, replace(STUDY, name="study"))
    for event in (made, flag, read, no_flag, undone, back):
        store.append(event)
        journal.follow()
        assert journal.rounds() == rounds_of(journal.events)
    assert journal.rounds()["one"].n_readings == 1


def test_many_follow_at_once(store: ReviewStore) -> None:
    """Nothing is lost, nothing is there twice."""
    journal = Journal(store, STUDY)

    def work(name: int) -> None:
        for number in range(10):
            store.append(_event(str(number), "note", author=f"Reader {name}", text=f"{name} {number}"))
            journal.follow()

    threads = [Thread(target=work, args=(name,)) for name in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    journal.follow()
    assert sorted(note.said for note in journal.review("main", "3").notes) == [
        f"{name} 3" for name in range(6)
    ]
    assert sum(len(review.history) for review in journal.reviews("main").values()) == 60


def _study(folder: Path, settings: str) -> Path:
    folder.mkdir()
    (folder / "annotations.csv").write_text("case_id,rater_id,label\n1,a,x\n1,b,y\n")
    (folder / "study.toml").write_text(f'name = "S"\n{settings}\n')
    return folder


def test_a_study_names_its_own_reasons(tmp_path: Path) -> None:
    """Those of study.toml, else the usual ones; one that is in force can always be taken back."""
    own = read_study(_study(tmp_path / "own", 'flags = ["poor image", "teaching", " poor image "]'))
    assert own.flags == ("poor image", "teaching")
    assert own.notes == ()
    flagged = review_of([_event("1", "flag", reason="of before")])
    assert flags_of(own, flagged) == [UNSPECIFIC, "poor image", "teaching", "of before"]
    usual = read_study(_study(tmp_path / "usual", ""))
    without = [reason for reason in USUAL_FLAGS if reason != OF_IMAGES]
    assert flags_of(usual, review_of(())) == [UNSPECIFIC, *without]
    assert OF_IMAGES in flags_of(usual, review_of([_event("1", "flag", reason=OF_IMAGES)]))
    images = [None] * (usual.n_cases - 1) + ["one.png"]
    shown = replace(usual, cases=usual.cases.assign(image=images))
    assert flags_of(shown, review_of(())) == [UNSPECIFIC, *USUAL_FLAGS]
    assert flags_of(replace(usual, cases=usual.cases.assign(image="")), review_of(()))[1:] == without
    assert own.fingerprint == usual.fingerprint


@pytest.mark.parametrize(
    "flags",
    ['"poor image"', "[1]", '[""]', '["a\\nb"]', '["' + "x" * 81 + '"]', str([f"r{i}" for i in range(31)])],
)
def test_reasons_that_are_none_are_refused(tmp_path: Path, flags: str) -> None:
    """With the file, the key, what was expected and how to mend it."""
    with pytest.raises(
        ValueError, match=r"study\.toml.*flags.*expected at most 30 short texts(.|\n)*flags = \["
    ):
        read_study(_study(tmp_path / "wrong", f"flags = {flags}"))
