"""What a report says of the review: in numbers, names only where cases are asked for, always the same."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from reviewed_study import first_task, write, write_round
from small_study import small_study

from core.analysis.round_changes import round_changes
from core.analysis.round_words import error_words, model_rows
from core.cli import sample_folder
from core.plausibility.settings import AggregationChoice
from core.reviews.applied import with_rounds
from core.reviews.event import Event, subject_of
from core.reviews.in_round import outcome_event
from core.reviews.store import VARIABLE, ReviewStore
from core.study.model import Study
from core.study.reading.folder import read_study
from dashboard.pictures import DrawnPage
from dashboard.report.blocks import Block, Facts, Heading, Table, Text
from dashboard.report.collect import Content, Section, collect
from dashboard.report.naming import NAMES_A_CASE, Naming
from dashboard.report.page import html
from dashboard.report.review import ANOTHER, NOTHING, UNREADABLE, Review, review
from dashboard.report.settings import Contents

HOSTILE = "<script>alert(1)</script> as Ada saw it"
NO_SCRIPT = re.compile(r"<script type=.*?</script>", re.S)
CHOSEN = AggregationChoice("label-counts", 1.0)


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A database of its own."""
    place = tmp_path / "reviews.sqlite"
    monkeypatch.setenv(VARIABLE, f"sqlite:///{place}")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return place


def _study(n: int = 6, *, models: bool = True) -> Study:
    scores = [[0.9, 0.1], [0.3, 0.7]] * n
    more: dict[str, Any] = {"predictions": {"m": scores[:n], "n": scores[1 : n + 1]}} if models else {}
    return small_study("choice", "ab", [["a", "a", "b"]] * n, **more)[0]


def _page(study: Study) -> DrawnPage:
    task = first_task(study)
    return DrawnPage(None, {}, study, task, CHOSEN.for_task(task), CHOSEN, study)


def _reviewed(database: Path, study: Study, **more: Any) -> None:
    """A round of four cases by two readers, three outcomes, flags and a note."""
    of = write_round(
        database,
        study,
        "Second look",
        study.case_ids[:4],
        lambda case, by: "b" if case == "case 1" or by == "Ada" else "a",
        question=HOSTILE,
        **more,
    )
    task = first_task(study)
    subject = subject_of(study, task, "case 5")
    write(
        database,
        outcome_event(study, task, of, "case 0", "Ada", blocks=[["a"]], why="<i>why</i>"),
        outcome_event(study, task, of, "case 1", "Ada", blocks=[["b"]]),
        outcome_event(study, task, of, "case 2", "Ada", unsettled=True),
        Event(subject, "Dora", "flag", {"reason": "worth teaching"}),
        Event(subject, "Dora", "flag", {"reason": "Mr Smith again"}),
        Event(subject, "Dora", "note", {"text": "<b>odd</b>"}),
        Event(subject, "Dora", "status", {"status": "settled"}),
    )


def _tables(blocks: tuple[Block, ...]) -> dict[str, Table]:
    return {one.title.split(":")[0]: one for one in blocks if isinstance(one, Table)}


def _report(found: Review) -> str:
    section = Section("review", "Review", found.settings, found.blocks)
    return NO_SCRIPT.sub("", html(Content("S", "", {}, (section,), found.warnings)))


def test_it_says_in_numbers_what_was_reviewed(database: Path) -> None:
    """States, reasons, who read how much, outcomes beside what led before; nobody and no case is named."""
    study = _study()
    _reviewed(database, study)
    found = review(_page(study), 0)
    facts = next(one for one in found.blocks if isinstance(one, Facts))
    assert facts.pairs == (
        ("1", "flagged"), ("0", "to re-read"), ("0", "in discussion"), ("0", "pending"),
        ("1", "settled"), ("1", "with notes"), ("1", "round"),
    )  # fmt: skip
    tables = _tables(found.blocks)
    assert tables["Why cases are flagged"].rows == ((ANOTHER, "1"), ("worth teaching", "1"))
    assert tables["Who has read how much"].rows == (("Reader 1", "4", "0"), ("Reader 2", "4", "0"))
    assert tables["What was decided"].rows == (
        ("as led before", "1"), ("another label", "1"), ("cannot be settled", "1"),
    )  # fmt: skip
    assert Text("1 case to decide, 3 decided, of 4 that were read.", "sentence") in found.blocks
    text = _report(found)
    for name in ("Ada", "Ben", "Dora", "Carla", "Smith", "case 5", "odd"):
        assert name not in text, name
    assert "&lt;script&gt;alert(1)&lt;/script&gt; as reader 1 saw it" in text
    assert "<script>alert" not in text
    assert found.warnings == ()


def test_what_changed_is_what_review_says(database: Path) -> None:
    """The same sentences, certainty and models, in sight by two metrics and folded by the others."""
    study = _study()
    _reviewed(database, study)
    found = review(_page(study), 0)
    after = with_rounds(study, ReviewStore(f"sqlite:///{database}").events(), readings=["Second look"])
    changes = round_changes(study, after, "t", CHOSEN.for_task(first_task(study)))
    said = [one.text for one in found.blocks if isinstance(one, Text)]
    assert [one for one in said if one in changes.sentences] == [*changes.sentences]
    tables = _tables(found.blocks)
    shown, others = (tables[f"Models before and with the round{more}"] for more in ("", ", by other metrics"))
    assert (shown.folded, others.folded) == (False, True)
    assert {*shown.rows, *others.rows} == {*model_rows(changes.tables["models"])}
    assert {row[0] for row in shown.rows} == {"AUROC", "s-AUROC", "accuracy", "adjusted accuracy"}
    assert tables["Certainty before and with the round"].rows[0][0] == "certainty, cases read again"
    assert found.settings["aggregation model"] == "label-counts"


def test_cases_and_people_are_named_where_cases_are_asked_for(database: Path) -> None:
    """As many as are asked for, as they were written, with a warning."""
    study = _study()
    _reviewed(database, study)
    found = review(_page(study), 2)
    tables = _tables(found.blocks)
    assert tables["Who has read how much"].rows[0] == ("Ada", "4", "0")
    assert tables["What was written of cases"].rows == (
        ("case 5", "settled", "worth teaching; Mr Smith again", "Dora: <b>odd</b>"),
    )
    assert [row[0] for row in tables["Outcomes of cases"].rows] == ["case 0", "case 1"]
    assert tables["Outcomes of cases"].rows[0][1:] == ("{a}", "Ada", "<i>why</i>")
    assert len(tables["Cases that moved most"].rows) == 2
    assert Text("1 further case left out here.", "note") in found.blocks
    assert "names those who read" in found.warnings[0]
    assert "&lt;i&gt;why&lt;/i&gt;" in _report(found)


def test_nothing_reviewed_is_said_in_a_sentence(database: Path) -> None:
    """No database is made for it; what was taken back is nothing either."""
    study = _study()
    assert review(_page(study), 0).blocks == (Text(NOTHING),)
    flag = Event(subject_of(study, first_task(study), "case 1"), "Ada", "flag", {"reason": "odd"})
    write(database, flag, Event(flag.subject, "Ada", "withdrawal", {}, answers=flag.id))
    assert review(_page(study), 0).blocks == (Text(NOTHING),)
    assert 'class="short"' in _report(review(_page(study), 0))


def test_without_a_database_none_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A report writes nothing but itself."""
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert review(_page(_study()), 0).blocks == (Text(NOTHING),)
    assert list(tmp_path.iterdir()) == []


def test_a_journal_that_cannot_be_read_is_said(database: Path) -> None:
    """In the report without the place of the file; to whoever makes it with the reason."""
    database.write_text("words")
    found = review(_page(_study()), 0)
    assert found.blocks == (Text(UNREADABLE, "warning"),)
    assert str(database) in found.faults[0]
    assert str(database) not in _report(found)


def test_a_blind_round_under_way_tells_nothing_of_what_was_said(database: Path) -> None:
    """Only how far it is, also where cases are named."""
    study = _study()
    labels = {"Ada": "b", "Ben": ""}
    write_round(database, study, "Blind", study.case_ids[:3], lambda _, by: labels[by], blind=True)
    note = Event(subject_of(study, first_task(study), "case 0"), "Ada", "note", {"text": "b, surely"})
    write(database, note)
    for most in (0, 5):
        found = review(_page(study), most)
        assert {*_tables(found.blocks)} <= {"Who has read how much", "What was written of cases"}
        assert any(isinstance(one, Text) and "not read to the end" in one.text for one in found.blocks)
        assert "surely" not in _report(found)


@pytest.mark.parametrize("models", [True, False])
def test_a_single_case(database: Path, *, models: bool) -> None:
    """With and without predictions; nobody has read yet in the second round."""
    study = _study(1, models=models)
    write_round(database, study, "One", study.case_ids, lambda *_: "b")
    write_round(database, study, "Two", study.case_ids, lambda *_: "", readers=())
    found = review(_page(study), 0)
    tables = _tables(found.blocks)
    assert ("Models before and with the round" in tables) == models
    rough = Text(error_words(1), "note")
    assert rough.text.endswith("With 1 case read again it is rough.")
    assert (rough in found.blocks) == models
    assert tables["Certainty before and with the round"].rows[0][3] == "1"


def test_the_same_review_gives_the_same_text(database: Path) -> None:
    """And one entry more another one."""
    study = _study()
    _reviewed(database, study)
    once = _report(review(_page(study), 3))
    assert _report(review(_page(study), 3)) == once
    write(database, Event(subject_of(study, first_task(study), "case 3"), "Eve", "flag", {"reason": "odd"}))
    assert _report(review(_page(study), 3)) != once


def test_a_round_of_another_task_is_counted_and_left_out(database: Path) -> None:
    """Its numbers are of that task."""
    study = _study()
    _reviewed(database, study)
    other = replace(first_task(study), name="other")
    page = replace(_page(study), published=replace(study, tasks={"other": other, "t": first_task(study)}))
    found = review(replace(page, task=other), 0)
    assert not [one for one in found.blocks if isinstance(one, Heading)]
    assert Text("1 round of other tasks left out here.", "note") in found.blocks


def test_what_names_a_case_or_a_reader() -> None:
    """Whole words alone; the longer of two names first."""
    study = _study()
    naming = Naming(study, ["Ada", "Ada Byron", "Ada"], in_full=False)
    assert naming.text("Ada Byron met Ada in Adaland.") == "reader 2 met reader 1 in Adaland."
    assert naming.text("look at case 4") == NAMES_A_CASE
    assert naming.text("look at case 42") == "look at case 42"
    assert naming.person("Ada") == "Reader 1"
    assert Naming(study, ["Ada"], in_full=True).text("Ada, case 4") == "Ada, case 4"
    assert Naming(study, [], in_full=False).text("nobody") == "nobody"


def test_the_command_finds_the_journal_of_the_pages(database: Path) -> None:
    """By the same variable; where rounds count, it says that their readers are raters by name."""
    study = read_study(sample_folder("toy_three_labels"))
    labels = first_task(study).labels
    write_round(database, study, "Again", study.case_ids[:5], lambda *_: labels[0])
    asked = Contents(sample_folder("toy_three_labels"), "?model=label-counts&counted=Again", ("review",))
    content = collect(asked)
    assert Heading("Again") in content.sections[0].blocks
    assert any("5 cases have 10 further readings." in str(one) for one in content.sections[0].blocks)
    assert not content.warnings
    named = collect(replace(asked, raters=True))
    assert "their readers are raters, by name" in named.warnings[-1]
    assert content.settings["fingerprint"] == study.fingerprint
