"""``loupe review`` as a person uses it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from core.cli import main
from core.reviews.store import ReviewStore

ROWS = "case_id,rater_id,label\na 1,r1,x\na 1,r2,y\nb,r1,x\nb,r2,x\n"
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """Two cases."""
    folder = tmp_path / "study"
    folder.mkdir()
    (folder / "study.toml").write_text('name = "Mine"\n')
    (folder / "annotations.csv").write_text(ROWS)
    return folder


@pytest.fixture
def run(
    study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Run:
    """Run the command on the study; what it returned, said and complained of."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.delenv("LOUPE_DATABASE", raising=False)

    def command(action: str, *more: str) -> tuple[int, str, str]:
        status = main(["review", action, str(study), *more])
        said = capsys.readouterr()
        return status, said.out, said.err

    return command


def test_what_is_said_of_a_case_is_kept_and_listed(run: Run, study: Path, tmp_path: Path) -> None:
    """The author is asked for once; an undo shows; nothing is written into the study."""
    before = sorted(path.name for path in study.iterdir())
    status, _, complaint = run("note", "--case", "a 1", "--say", "look again")
    assert (status, complaint) == (1, "loupe: expected who says it, the first time: --author NAME\n")
    assert run("note", "--case", "a 1", "--say", "=1+1\nשלום", "--author", "Ada")[0] == 0
    assert "a 1 is open, flagged: image quality." in run("flag", "--case", "a 1", "--say", "image quality")[1]
    assert "a 1 is settled" in run("status", "--case", "a 1", "--say", "settled")[1]
    assert "a 1 is open" in run("undo", "--case", "a 1")[1]
    status, said, _ = run("log", "--case", "a 1", "--out", str(tmp_path / "out"))
    assert status == 0
    lines = said.splitlines()
    assert [line.split("case a 1, ")[1] for line in lines[:4]] == [
        "note: =1+1\\nשלום",
        "flag: image quality",
        "status: settled (withdrawn)",
        "withdrawal",
    ]
    table = pd.read_csv(tmp_path / "out" / "review" / "history.csv", keep_default_na=False)
    assert list(table["said"]) == ["'=1+1\nשלום", "image quality", "settled", ""]
    assert list(table["withdrawn"]) == [False, False, True, False]
    assert table["answers"].iloc[3] == table["event"].iloc[2]
    content = json.loads((tmp_path / "out" / "review" / "review.json").read_text(encoding="utf-8"))
    assert content["history"][0]["said"] == "=1+1\nשלום"
    assert sorted(path.name for path in study.iterdir()) == before


def test_undo_goes_back_step_by_step(run: Run) -> None:
    """To what was in force before, and then says that there is nothing left."""
    run("status", "--case", "b", "--say", "re-read", "--author", "Ada")
    run("status", "--case", "b", "--say", "settled")
    assert "b is to re-read" in run("undo", "--case", "b")[1]
    assert "b is open" in run("undo", "--case", "b")[1]
    status, _, complaint = run("undo", "--case", "b")
    assert status == 1
    assert "nothing to undo" in complaint


def test_undo_takes_back_what_the_same_person_said_and_says_what(run: Run) -> None:
    """What another has said stays, and who has said nothing takes nothing back."""
    run("note", "--case", "b", "--say", "Ada’s", "--author", "Ada")
    run("flag", "--case", "b", "--say", "blurred", "--author", "Ben")
    said = run("undo", "--case", "b", "--author", "Ada")[1]
    assert said.startswith("Taken back: note “Ada’s”. b is open, flagged: blurred.")
    status, _, complaint = run("undo", "--case", "b", "--author", "Ada")
    assert status == 1
    assert "no note, flag or status said by Ada is in force" in complaint


def test_a_note_is_changed_by_its_author(run: Run) -> None:
    """The log keeps both; the last of them is taken back and the one before is there again."""
    run("note", "--case", "b", "--say", "blured", "--author", "Ada")
    run("note", "--case", "b", "--say", "another’s", "--author", "Ben")
    assert run("note", "--case", "b", "--say", "blurred", "--instead", "--author", "Ada")[0] == 0
    lines = run("log")[1].splitlines()
    assert [line.split("note: ")[1] for line in lines] == ["blured", "another’s", "blurred"]
    assert "Taken back: note “blurred”" in run("undo", "--case", "b")[1]
    assert "Taken back: note “blured”" in run("undo", "--case", "b")[1]


def test_an_earlier_state_is_shown(run: Run, study: Path, tmp_path: Path) -> None:
    """What was written until a moment, and how the cases stood then."""
    run("status", "--case", "b", "--say", "re-read", "--author", "Ada")
    then = ReviewStore(str(tmp_path / "data" / "loupe" / "reviews.sqlite")).events()[0].time
    run("status", "--case", "b", "--say", "settled")
    run("note", "--case", "a 1", "--say", "later")
    lines = run("log", "--until", then)[1].splitlines()
    assert len(lines) == 3
    assert lines[0].endswith("case b, status: re-read")
    assert lines[2] == "  b was to re-read."
    assert run("log", "--until", "2020-01-01")[1].startswith("Nothing was written")
    assert len(run("log", "--until", "2999-12-31", "--case", "b")[1].splitlines()) == 4
    with pytest.raises(SystemExit):
        run("log", "--until", "soon")


def test_another_study_of_the_same_name_is_set_apart_until_it_is_said_to_be_this_one(
    run: Run, study: Path
) -> None:
    """Its states count for nothing; the log says so."""
    run("status", "--case", "b", "--say", "settled", "--author", "Ada")
    (study / "annotations.csv").write_text(ROWS.replace("r1", "r7"))
    assert "b is open" in run("note", "--case", "b", "--say", "new")[1]
    lines = run("log")[1].splitlines()
    assert lines[0].endswith("(of another study of this name)")
    assert "adopt says that it is this one" in lines[-1]
    assert run("adopt")[1].startswith("1 event about a study of this name")
    assert "b is settled" in run("flag", "--case", "b", "--say", "blurred")[1]


def test_changed_readings_are_said(run: Run, study: Path) -> None:
    """Of the case that they are readings of."""
    run("note", "--case", "a 1", "--say", "one", "--author", "Ada")
    run("note", "--case", "b", "--say", "two")
    (study / "annotations.csv").write_text(ROWS.replace("a 1,r2,y", "a 1,r2,x"))
    lines = run("log")[1].splitlines()
    assert [line.endswith("(the readings have changed since)") for line in lines] == [True, False]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["note", "--say", "a"], "expected the case of the note"),
        (["note", "--case", "b"], "expected the text of the note"),
        (["flag", "--case", "b"], "expected the reason of the flag"),
        (["status", "--case", "b", "--say", "done"], "expected one of the statuses"),
        (["note", "--case", "z", "--say", "a"], "expected a case of the study, got “z”"),
        (["log", "--case", "z"], "expected a case of the study, got “z”"),
        (["log", "--say", "a"], "--say does not go with log"),
        (["log", "--instead"], "--instead goes with note, not with log"),
        (["note", "--case", "b", "--say", "a", "--until", "2026-01-01"], "--until goes with log"),
        (["note", "--case", "b", "--say", "a", "--instead"], "expected a note by Ada of case “b”"),
        (["adopt", "--case", "b"], "--case does not go with adopt"),
        (["adopt"], "there is nothing to adopt"),
        (["undo", "--case", "b", "--say", "a"], "not with undo"),
        (["note", "--case", "b", "--say", "a", "--out", "x"], "--out goes with log"),
        (["note", "--case", "b", "--say", "a", "--task", "none"], "task must be one of main"),
        (["log", "--database", "mysql://x"], "expected the address of SQLite or PostgreSQL"),
    ],
)
def test_what_makes_no_sense_is_refused(run: Run, arguments: list[str], words: str) -> None:
    """In a line, and nothing is written."""
    action, *more = arguments
    status, _, complaint = run(action, *more, *([] if action == "log" else ["--author", "Ada"]))
    assert status == 1
    assert words in complaint
    assert len(complaint.splitlines()) == 1
    assert run("log")[1].startswith("Nothing was written of the cases of Mine in ")
