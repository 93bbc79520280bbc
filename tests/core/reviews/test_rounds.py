"""What a round comes to: who read what, what is left, where readers disagree, what was settled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pandas as pd
import pytest
from small_study import small_study

from core.reviews.event import Event, readings_hash, subject_of
from core.reviews.in_round import (
    outcome_event,
    reading_event,
    round_event,
    shown_at_first,
    status_when_read,
    telling_columns,
)
from core.reviews.round_table import (
    earlier_leaders,
    outcome_counts,
    progress_table,
    round_table,
    standing_of,
)
from core.reviews.rounds import Progress, Round, find_round, rounds_of, rounds_taken_back
from core.reviews.state import reviews_of
from core.reviews.store import ReviewStore
from core.study.model import Study, Task

STUDY, TASK = small_study("ranking", "abc", [["a b", "ab"], ["b", "c"], ["c"], []], rater_ids=("R", "S"))


class Writing:
    """Events in their order, as a store numbers them."""

    def __init__(self, study: Study = STUDY, task: Task = TASK) -> None:
        self.study, self.task = study, task
        self.events: list[Event] = []

    def add(self, event: Event) -> Event:
        """Write one more."""
        event = replace(event, number=len(self.events) + 1)
        self.events.append(event)
        return event

    def round(self, name: str = "one", cases: Sequence[str] = STUDY.case_ids, **more: Any) -> Round:
        """Make a round."""
        made = self.add(round_event(self.study, self.task, "Ada", name, cases, **more))
        return next(one for one in rounds_of(self.events).values() if made.id in (one.id, one.event.id))

    def read(self, of: Round, case: int, author: str, said: str, **more: Any) -> Event:
        """Read a case; places are separated by spaces."""
        blocks = [tuple(block) for block in said.split()]
        case_id = f"case {case}"
        return self.add(reading_event(self.study, self.task, of, case_id, author, blocks=blocks, **more))

    def settle(self, of: Round, case: int, said: str, **more: Any) -> Event:
        """Write an outcome down."""
        blocks = [tuple(block) for block in said.split()]
        case_id = f"case {case}"
        return self.add(outcome_event(self.study, self.task, of, case_id, "Ada", blocks=blocks, **more))

    def undo(self, event: Event) -> Event:
        """Take something back."""
        return self.add(Event(event.subject, "Ada", "withdrawal", {}, answers=event.id))

    @property
    def now(self) -> dict[str, Round]:
        """The rounds."""
        return rounds_of(self.events)


def test_a_case_that_all_have_read_again_is_to_be_re_read_no_more() -> None:
    """By the last of those who are to read it; where anyone may, by the first. Any other status stays."""
    for readers, by_first in ((["Ada", "Ben"], []), ([], ["discussion"])):
        writing = Writing()
        of = writing.round(readers=readers)
        asked = Event(subject_of(STUDY, TASK, "case 0"), "Carla", "status", {"status": "re-read"})
        review = reviews_of([writing.add(asked)], TASK.name)["case 0"]
        reading = writing.read(of, 0, "Ada", "a")
        assert [one.said for one in status_when_read(reading, of, review)] == by_first
        of = writing.now["one"]
        (then,) = status_when_read(writing.read(of, 0, "Ben", "b"), of, review)
        assert (then.kind, then.said, then.author) == ("status", "discussion", "Ben")
        writing.add(then)
        settled = reviews_of(writing.events, TASK.name)["case 0"]
        assert settled.status == "discussion"
        assert status_when_read(reading, of, settled) == ()


def test_the_last_reading_of_a_reader_counts() -> None:
    """In each round on its own; if it is taken back, the one before counts again."""
    writing = Writing()
    one, two = writing.round("one"), writing.round("two")
    first = writing.read(one, 0, "Ada", "a")
    other = writing.read(two, 0, "Ada", "c")
    bo = writing.read(one, 0, "Bo", "b", confidence=0.5)
    again = writing.read(one, 0, "Ada", "bc a")
    assert writing.now["one"].readings == {"case 0": {"Ada": again, "Bo": bo}}
    assert writing.now["two"].readings == {"case 0": {"Ada": other}}
    assert rounds_of(writing.events[: bo.number])["one"].readings["case 0"]["Ada"] == first
    back = writing.undo(again)
    assert writing.now["one"].readings["case 0"]["Ada"] == first
    writing.undo(back)
    assert writing.now["one"].readings["case 0"]["Ada"] == again
    assert writing.now["one"].n_readings == 2


def test_one_person_is_one_reader_however_the_name_is_typed() -> None:
    """Composed and decomposed letters are the same."""
    writing = Writing()
    one = writing.round(readers=["Ame\u0301lie"])
    assert one.readers == ("Am\u00e9lie",)
    writing.read(one, 0, "Am\u00e9lie", "a")
    last = writing.read(one, 0, " Ame\u0301lie ", "b")
    assert writing.now["one"].readings == {"case 0": {"Am\u00e9lie": last}}


def test_progress_is_by_reader_in_the_order_of_the_round() -> None:
    """Who is to read and has not begun is there; a round for anyone lists those who did."""
    writing = Writing()
    cases = ["case 3", "case 0", "case 1"]
    named, anyone = writing.round("named", cases, readers=["Bo", "Ada"]), writing.round("anyone", cases)
    for of in (named, anyone):
        writing.read(of, 0, "Ada", "a")
    assert writing.now["named"].progress() == {
        "Bo": Progress(0, ("case 3", "case 0", "case 1")),
        "Ada": Progress(1, ("case 3", "case 1")),
    }
    assert writing.now["anyone"].progress() == {"Ada": Progress(1, ("case 3", "case 1"))}
    table = progress_table(writing.now.values())
    assert table.to_numpy().tolist() == [
        ["named", "Bo", 0, 3],
        ["named", "Ada", 1, 2],
        ["anyone", "Ada", 1, 2],
    ]


def test_a_round_is_finished_when_all_who_are_to_read_have_read_it_all() -> None:
    """Where anyone may, all who have begun; who still reads blind is told, and nobody of an open round."""
    writing = Writing()
    cases = ["case 0", "case 1"]
    for name, readers in (("named", ["Bo", "Ada"]), ("anyone", [])):
        of = writing.round(name, cases, readers=readers)
        assert not of.is_finished
        assert of.blind_readers == tuple(readers)
        for case in (0, 1):
            assert not writing.now[name].is_finished
            writing.read(of, case, "Ada", "a")
    assert [writing.now[name].is_finished for name in ("named", "anyone")] == [False, True]
    assert [writing.now[name].blind_readers for name in ("named", "anyone")] == [("Bo",), ()]
    writing.read(writing.now["anyone"], 0, "Bo", "a")
    assert not writing.now["anyone"].is_finished
    opened = writing.round("open", cases, readers=["Bo"], blind=False)
    assert opened.blind_readers == ()


def test_outcomes_are_counted_beside_what_led_before() -> None:
    """A tie before counts as either of its labels; nobody had read the last case."""
    writing = Writing()
    of = writing.round()
    for case, said in enumerate(("a", "b", "a", "a")):
        writing.settle(of, case, said)
    assert outcome_counts(writing.now["one"], STUDY) == {
        "as led before": 2, "another label": 1, "nobody had read before": 1,
    }  # fmt: skip
    standing = standing_of(round_table(writing.now["one"], STUDY))
    assert (standing.waiting, len(standing.decided), standing.n_read) == ((), 4, 0)


def test_a_blind_round_hides_a_case_until_it_is_read() -> None:
    """From its readers alone, and not what is outside of it."""
    writing = Writing()
    blind = writing.round("blind", ["case 0"], readers=["Bo"])
    opened = writing.round("open", ["case 0"], blind=False)
    assert blind.is_blind_to("Bo", "case 0")
    assert not blind.is_blind_to("Ada", "case 0")
    assert not blind.is_blind_to("Bo", "case 1")
    assert not opened.is_blind_to("Bo", "case 0")
    writing.read(blind, 0, "Bo", "a")
    assert not writing.now["blind"].is_blind_to("Bo", "case 0")


def test_a_round_can_be_said_anew_and_taken_back() -> None:
    """Its readings stay, but for cases that are no longer in it; a name stays that of one round for ever."""
    writing = Writing()
    one = writing.round("one")
    same_name = writing.round("one")
    assert [*writing.now] == ["one", "one (2)"]
    first = writing.round("first", corrects=one, blind=False)
    assert (first.id, first.name, first.blind) == (one.id, "first", False)
    assert [*writing.now] == ["first", "one (2)"]
    read = writing.read(first, 0, "Ada", "a")
    writing.read(first, 1, "Ada", "b")
    anew = writing.round("first", ["case 0", "case 2"], corrects=writing.now["first"], blind=False)
    assert writing.now["first"].readings == {"case 0": {"Ada": read}}
    writing.undo(anew.event)
    assert writing.now["first"].readings.keys() == {"case 0", "case 1"}
    writing.undo(first.event)
    assert [*writing.now] == ["one", "one (2)"]
    back = writing.undo(one.event)
    assert {name: round_.id for name, round_ in writing.now.items()} == {"one (2)": same_name.id}
    assert rounds_taken_back(writing.events) == {"one": back}
    with pytest.raises(ValueError, match=r"got “one”\. There are one \(2\)"):
        find_round(writing.now, "one")
    third = writing.round("one")
    writing.undo(same_name.event)
    assert rounds_taken_back(writing.events).keys() == {"one", "one (2)"}
    assert {name: round_.id for name, round_ in writing.now.items()} == {"one (3)": third.id}
    writing.undo(back)
    assert {name: round_.id for name, round_ in writing.now.items()} == {"one": one.id, "one (3)": third.id}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"blind": False}, "whether it is blind stays as it is"),
        ({"name": "two"}, "its name stays as it is"),
        ({"shown": ()}, "what a reader sees stays as it is"),
    ],
)
def test_what_readers_went_by_stays(changes: dict[str, Any], words: str) -> None:
    """Once somebody has read; who reads, the question and the cases can still be said anew."""
    writing = Writing()
    one = writing.round("one")
    writing.round(**({"name": "one"} | changes), corrects=one)
    one = writing.round("one", corrects=one)
    writing.read(one, 0, "Ada", "a")
    one = writing.round("one", corrects=one, readers=("Ada", "Bo"), question="Which?")
    assert (one.readers, one.question, one.n_readings) == (("Ada", "Bo"), "Which?", 1)
    name = changes.pop("name", "one")
    with pytest.raises(ValueError, match=words):
        round_event(STUDY, TASK, "Ada", name, STUDY.case_ids, corrects=one, **changes)


def test_the_readings_of_then_stay_those_of_a_round_said_anew() -> None:
    """So what no longer fits is still known."""
    writing = Writing()
    one = writing.round("one", ["case 0", "case 1"])
    changed, task = small_study("ranking", "abc", [["a b", "ab"], ["b", "a"]], rater_ids=("R", "S"))
    anew = round_event(changed, task, "Ada", "one", changed.case_ids, corrects=one)
    assert dict(anew.content["cases"]) == one.hashes
    fewer, task = small_study("ranking", "abc", [["a b", "ab"]], rater_ids=("R", "S"))
    assert (
        round_event(fewer, task, "Ada", "one", one.cases, corrects=one).content["cases"]
        == anew.content["cases"]
    )


def test_columns_that_a_reader_sees_are_those_of_the_study() -> None:
    """Never the reference; a name that is none is answered with the nearest."""
    n = len(STUDY.case_ids)
    cases = pd.DataFrame({"age": [30] * n, "answer": ["a"] * n, "reference": ["a"] * n})
    study = replace(STUDY, cases=cases)
    made = round_event(study, TASK, "Ada", "one", STUDY.case_ids, shown=("age",))
    assert made.content["shown"] == ["age"]
    assert "shown" not in round_event(study, TASK, "Ada", "one", STUDY.case_ids).content
    for name, words in (("ages", 'Did you mean "age"'), ("reference", "There are age, answer")):
        with pytest.raises(ValueError, match=words):
            round_event(study, TASK, "Ada", "one", STUDY.case_ids, shown=(name,))


def test_cases_that_still_disagree() -> None:
    """Among the readers, or with what led before, until there is an outcome."""
    writing = Writing()
    one = writing.round()
    for case, author, said in (
        (0, "Ada", "a"),
        (0, "Bo", "a c"),
        (1, "Ada", "b"),
        (1, "Bo", "bc"),
        (2, "Ada", "a"),
        (2, "Bo", "a"),
        (3, "Ada", "a"),
    ):
        writing.read(one, case, author, said)
    table = round_table(writing.now["one"], STUDY).set_index("case_id")
    assert list(table["earlier"]) == ["a", "b or c", "c", ""]
    assert list(table["among_readers"]) == [False, True, False, False]
    assert list(table["with_earlier"]) == [False, False, True, False]
    assert list(table["disagrees"]) == [False, True, True, False]
    assert table.loc["case 1", "said"] == "Ada: {b}; Bo: {b, c}"
    settled = writing.settle(writing.now["one"], 1, "b", by=["Ada", "Bo"], why="biopsy")
    writing.settle(writing.now["one"], 2, "", unsettled=True)
    table = round_table(writing.now["one"], STUDY).set_index("case_id")
    assert list(table["disagrees"]) == [False, False, False, False]
    assert list(table["outcome"]) == ["", "{b}", "cannot be settled", ""]
    writing.undo(settled)
    assert round_table(writing.now["one"], STUDY)["disagrees"].tolist() == [False, True, False, False]


def test_leaders_of_before_are_counted_by_hand() -> None:
    """A differential divides its vote among those that it puts first; a score is a side."""
    study, task = small_study("ranking", "abc", [["ab", "ac", "b"], ["abc", "bc a"]])
    assert [earlier_leaders(task, i) for i in range(2)] == [("b",), ("b", "c")]
    study, task = small_study("score", "", [[4.9, 5.0, 9.0], [1.0, 7.0]])
    assert [earlier_leaders(task, i) for i in range(2)] == [("5 or above",), ("below 5", "5 or above")]
    writing = Writing(study, task)
    one = writing.round("one", study.case_ids)
    for author, score in (("Ada", 1.0), ("Bo", 4.0)):
        writing.add(reading_event(study, task, one, "case 0", author, score=score))
    table = round_table(writing.now["one"], study)
    assert table[["among_readers", "with_earlier"]].to_numpy().tolist() == [[False, True], [False, False]]


def test_what_fits_the_readings_as_they_are_now() -> None:
    """By the hash that each case had when the round was made."""
    writing = Writing()
    one = writing.round("one", ["case 0", "case 1"])
    assert one.hashes["case 1"] == readings_hash(STUDY, TASK, 1)
    changed, _ = small_study("ranking", "abc", [["a b", "ab"], ["b", "a"]], rater_ids=("R", "S"))
    assert round_table(one, changed)["fits"].tolist() == [True, False]
    fewer, _ = small_study("ranking", "abc", [["a b", "ab"]], rater_ids=("R", "S"))
    assert round_table(one, fewer)["fits"].isna().tolist() == [False, True]


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"case_id": "case 9"}, "expected a case of round “one”, got “case 9”"),
        ({"author": "Cy"}, "round “one” is read by Ada, Bo, got “Cy”"),
        ({"blocks": [["x"]]}, "“x” is no label"),
        ({"blocks": []}, "expected a label in the reading, got none"),
        ({"blocks": [["a"], ["a"]]}, "each label once, got “a” twice"),
        ({"blocks": [], "score": 3.0}, "a ranking task names labels, got the number 3"),
        ({"confidence": 80.0}, "a confidence from 0 to 1"),
    ],
)
def test_a_reading_that_the_task_or_the_round_does_not_allow(more: dict[str, Any], words: str) -> None:
    """Is refused in plain words."""
    writing = Writing()
    one = writing.round("one", ["case 0"], readers=["Ada", "Bo"])
    usual: dict[str, Any] = {"case_id": "case 0", "author": "Ada", "blocks": [["a"]]}
    given = usual | more
    with pytest.raises(ValueError, match=words):
        reading_event(STUDY, TASK, one, given.pop("case_id"), given.pop("author"), **given)


def test_a_choice_is_one_label_and_a_case_is_one_of_the_study() -> None:
    """Other tasks, other cases and other names are refused."""
    study, task = small_study("choice", "abc", [["a"]])
    one = Writing(study, task).round("one", study.case_ids)
    with pytest.raises(ValueError, match="a choice task names one label, got 2"):
        reading_event(study, task, one, "case 0", "Ada", blocks=[["a", "b"]])
    with pytest.raises(ValueError, match="of the task t, got u"):
        reading_event(study, replace(task, name="u"), one, "case 0", "Ada", blocks=[["a"]])
    with pytest.raises(ValueError, match="got “case 7” and 1 more"):
        round_event(study, task, "Ada", "two", ["case 0", "case 7", "case 8"])
    with pytest.raises(ValueError, match="got “ona”"):
        find_round({"one": one}, "ona")
    with pytest.raises(ValueError, match="there is none yet"):
        find_round({}, "one")


def test_rounds_come_back_from_either_database(address: str) -> None:
    """As they were folded before."""
    store, writing = ReviewStore(address), Writing()
    one = writing.round(readers=["Ada", "Bo"], question="Is it malignant?")
    writing.read(one, 0, "Ada", "ab c", confidence=0.25)
    writing.read(one, 0, "Bo", "c")
    writing.settle(one, 0, "a", by=["Ada", "Bo"], why="discussed")
    store.append(*writing.events)
    store.close()
    assert rounds_of(ReviewStore(address).events(study_name="small")) == writing.now


def test_columns_that_tell_what_a_case_is_are_known_by_their_names() -> None:
    """Whole words alone, whatever is between them."""
    n = len(STUDY.case_ids)
    names = ("age", "true_share", "Histology", "labelled by", "biopsy-result", "trueness", "gold standard")
    study = replace(STUDY, cases=pd.DataFrame({name: [1] * n for name in names}))
    assert telling_columns(study) == ("true_share", "Histology", "biopsy-result", "gold standard")
    assert shown_at_first(study) == ("age", "labelled by", "trueness")
    assert shown_at_first(replace(study, cases=study.cases[["age"]])) is None
