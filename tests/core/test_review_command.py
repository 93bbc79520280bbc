"""``loupe review`` as a person uses it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from core.cli import main

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
        (["log", "--say", "a"], "--say goes with note"),
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
