"""A round on paper: out as a sheet, back as readings, or back with everything that is wrong."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from small_study import small_study

from core.analysis.cases.braces import format_braces
from core.analysis.round_sheet import COLUMNS, read_sheet, sheet_csv
from core.reviews.event import Event
from core.reviews.in_round import reading_event, round_event
from core.reviews.rounds import Round, rounds_of
from core.study.model import Study, Task
from core.study.problems import StudyError

STUDY, TASK = small_study("ranking", "abc", [["a"], ["b"], ["c"], ["a b"]])
ODD_CASES = ("=1+1", "-2; x", '"quoted", a', "שלום", "two\nlines", "'plain")
ODD_LABELS = ("=A", "{b}, c", '"d"', "é", "plain")


def rounds(study: Study, task: Task, cases: Sequence[str], **more: object) -> dict[str, Round]:
    """A round of the study."""
    made = round_event(study, task, "Ada", "one", cases, **more)  # type: ignore[arg-type]
    return rounds_of([replace(made, number=1)])


def written(folder: Path, text: str) -> Path:
    """Write a sheet."""
    path = folder / "sheet.csv"
    path.write_text(text, encoding="utf-8", newline="")
    return path


def filled(text: str, said: Sequence[str], confidence: str = "") -> str:
    """Fill a sheet in, as a program that knows CSV does."""
    head, *rows = csv.reader(io.StringIO(text))
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(head)
    writer.writerows(
        [*row[:3], cell, confidence if cell else ""] for row, cell in zip(rows, said, strict=True)
    )
    return out.getvalue()


def faults(folder: Path, text: str, **more: object) -> list[tuple[int | None, str, str, str]]:
    """Row, column, fault and mend of everything that is wrong."""
    with pytest.raises(StudyError) as wrong:
        read_sheet(written(folder, text), STUDY, rounds(STUDY, TASK, STUDY.case_ids[:3]), "Ada", **more)  # type: ignore[arg-type]
    return [(one.row, one.column, one.what, one.mend) for one in wrong.value.problems]


def test_a_sheet_has_a_row_for_each_case() -> None:
    """In the order of the round; what stands in it is no formula."""
    of = rounds(STUDY, TASK, ["case 2", "case 0"], question="=Which?")["one"]
    assert [*csv.reader(io.StringIO(sheet_csv(of)))] == [
        [*COLUMNS],
        ["one", "case 2", "'=Which?", "", ""],
        ["one", "case 0", "'=Which?", "", ""],
    ]


def test_a_sheet_of_a_reader_has_what_is_left() -> None:
    """Of the cases, in their order."""
    made = replace(round_event(STUDY, TASK, "Ada", "one", STUDY.case_ids), number=1)
    read = reading_event(STUDY, TASK, rounds_of([made])["one"], "case 1", "Bo", blocks=[["a"]])
    of = rounds_of([made, replace(read, number=2)])["one"]
    assert [row[1] for row in csv.reader(io.StringIO(sheet_csv(of, reader="Bo")))][1:] == [
        "case 0",
        "case 2",
        "case 3",
    ]
    assert len(sheet_csv(of, reader="Ada").splitlines()) == 5


def test_odd_names_come_back_as_they_are(tmp_path: Path) -> None:
    """Of cases and labels, through guards against formulas, quotation marks and semicolons."""
    study, task = small_study("ranking", "abcde", [["a"] for _ in ODD_CASES])
    task = replace(task, labels=ODD_LABELS)
    cases = study.cases.set_axis(list(ODD_CASES))
    study = replace(study, case_ids=ODD_CASES, tasks={"t": task}, cases=cases)
    known = rounds(study, task, ODD_CASES, question="\n;x")
    blocks = [((i % 5,), ((i + 1) % 5, (i + 2) % 5)) for i in range(len(ODD_CASES))]
    text = filled(sheet_csv(known["one"]), [format_braces(one, ODD_LABELS) for one in blocks], "0.25")
    sheet = read_sheet(written(tmp_path, text), study, known, "Ada")
    assert [event.subject.case_id for event in sheet.events] == list(ODD_CASES)
    assert [event.content for event in sheet.events] == [
        {
            "blocks": [[ODD_LABELS[label] for label in sorted(block)] for block in one],
            "score": None,
            "confidence": 0.25,
        }
        for one in blocks
    ]


def test_what_is_known_already_is_not_kept_again(tmp_path: Path) -> None:
    """A sheet may come twice; a cell that changed is a correction; an empty one is a case not read."""
    known = rounds(STUDY, TASK, STUDY.case_ids)
    text = sheet_csv(known["one"])
    sheet = read_sheet(written(tmp_path, filled(text, ["a", "{b} {c}", "", ""])), STUDY, known, "Ada")
    assert (len(sheet.events), sheet.n_known, sheet.n_empty) == (2, 0, 2)
    history: list[Event] = [known["one"].event, *sheet.events]
    again = rounds_of(history)
    sheet = read_sheet(written(tmp_path, filled(text, ["a", "{c} {b}", "c", ""])), STUDY, again, "Ada")
    assert [event.said for event in sheet.events] == ["{c} {b}", "{c}"]
    assert (sheet.n_known, sheet.n_empty) == (1, 1)
    assert len(read_sheet(written(tmp_path, filled(text, ["a", "", "", ""])), STUDY, again, "Bo").events) == 1


def test_a_second_sheet_changes_no_reading_of_a_blind_round_that_was_read_whole(tmp_path: Path) -> None:
    """Each such row is said, and what was read before may stand there; until then all may be read anew."""
    made = replace(round_event(STUDY, TASK, "Ada", "one", STUDY.case_ids[:2]), number=1)
    known = rounds_of([made])
    head = ",".join(COLUMNS) + "\n"
    rows = "one,case 0,,{},\none,case 1,,{},\n"
    first = read_sheet(written(tmp_path, head + rows.format("a", "")), STUDY, known, "Bo").events
    known = rounds_of([made, *first])
    both = read_sheet(written(tmp_path, head + rows.format("b", "a")), STUDY, known, "Bo").events
    assert len(both) == 2
    known = rounds_of([made, *first, *both])
    again = written(tmp_path, head + rows.format("b", "c"))
    with pytest.raises(StudyError) as wrong:
        read_sheet(again, STUDY, known, "Bo")
    (problem,) = wrong.value.problems
    assert problem.row == 3
    assert "Bo has read blind round “one” to its end" in problem.what
    assert "expected {a} of case “case 1”, got {c}" in problem.what
    assert read_sheet(written(tmp_path, head + rows.format("b", "")), STUDY, known, "Bo").n_known == 1
    again = written(tmp_path, head + rows.format("b", "c"))
    opened = replace(made, content=dict(made.content) | {"blind": False})
    known = rounds_of([opened, *first, *both])
    assert len(read_sheet(again, STUDY, known, "Bo").events) == 1, "an open round hides nothing"


def test_semicolons_and_a_byte_order_mark_are_read(tmp_path: Path) -> None:
    """As spreadsheets write them where a comma is the decimal sign."""
    text = "\ufeffround;case_id;reading\r\none;case 0;{a} {b, c}\r\none;case 1;\r\n"
    sheet = read_sheet(written(tmp_path, text), STUDY, rounds(STUDY, TASK, STUDY.case_ids), "Ada")
    assert [event.said for event in sheet.events] == ["{a} {b, c}"]


def test_scores_come_back(tmp_path: Path) -> None:
    """With a decimal point."""
    study, task = small_study("score", "", [[1.0], [7.0]])
    known = rounds(study, task, study.case_ids)
    sheet = read_sheet(written(tmp_path, filled(sheet_csv(known["one"]), ["4.25", ""])), study, known, "Ada")
    assert [event.content["score"] for event in sheet.events] == [4.25]
    with pytest.raises(StudyError, match="Write a number with a decimal point"):
        read_sheet(written(tmp_path, filled(sheet_csv(known["one"]), ["4,25", ""])), study, known, "Ada")


def test_everything_that_is_wrong_is_said_at_once(tmp_path: Path) -> None:
    """With its row, and how to mend it."""
    how = "Write the labels in braces, first choice first and tied ones together, as in {A} {B, C}."
    text = (
        "round,case_id,reading,confidence\n"
        "one,case 0,{a} {x},\n"
        "one,case 3,a,\n"
        "one,cas 1,a,\n"
        "one,,a,\n"
        "one,case 0,b,80\n"
        "one,case 1,,0.5\n"
    )
    assert faults(tmp_path, text) == [
        (3, "case_id", "“case 3” is no case of round “one”", "Correct it, or delete the row."),
        (
            4,
            "case_id",
            "“cas 1” is no case of the study",
            'Did you mean "case 1"? Correct it, or delete the row.',
        ),
        (5, "case_id", "case_id is empty", "Fill it in, or delete the row."),
        (
            6,
            "case_id",
            "the case comes again (also in row 2)",
            "Keep the row that counts, and delete the other.",
        ),
        (6, "confidence", 'confidence must be a number in [0, 1], got "80"', "Divide percentages by 100."),
        (
            7,
            "confidence",
            "there is a confidence, but no reading",
            "Write the reading, or take the confidence out.",
        ),
        (2, "reading", '"x" is no label', how),
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("case,reading\ncase 0,a\n", 'Rename the column "case" to "case_id"'),
        ("round,case_id,reading\none,case 0,\n", "no case has a reading"),
        ("case_id,reading\ncase 0,a\n", "does not say which round"),
        ("round,case_id,reading\none,case 0,a\ntwo,case 1,a\n", "got one of “two”"),
        ("round,case_id,reading\none,case 0,a\none,case 0,a\n", "the case comes again (also in row 2)"),
        ("", "the file is empty"),
    ],
)
def test_a_sheet_that_is_none(tmp_path: Path, text: str, words: str) -> None:
    """Is refused with what would make it one."""
    assert any(words in what or words in mend for _, _, what, mend in faults(tmp_path, text))


def test_a_sheet_without_its_round_may_be_told_it(tmp_path: Path) -> None:
    """But not another than it says; and its author is a reader of it."""
    known = rounds(STUDY, TASK, STUDY.case_ids, readers=["Ada"])
    path = written(tmp_path, "case_id,reading\ncase 0,a\n")
    assert len(read_sheet(path, STUDY, known, "Ada", name="one").events) == 1
    with pytest.raises(ValueError, match="is read by Ada, got “Bo”"):
        read_sheet(path, STUDY, known, "Bo", name="one")
    with pytest.raises(ValueError, match="expected a round of the study, got “two”"):
        read_sheet(path, STUDY, known, "Ada", name="two")
    with pytest.raises(StudyError, match="there is no such file"):
        read_sheet(tmp_path / "none.csv", STUDY, known, "Ada")
